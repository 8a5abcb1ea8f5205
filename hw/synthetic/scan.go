package synthetic

import (
	"math"
	"strings"
)

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func (r *reader) blanks() {
	for r.pos < len(r.text) && isBlank(r.text[r.pos]) {
		r.pos++
	}
}

// peek returns the byte at hand, or 0 at the end.
func (r *reader) peek() byte {
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

// skip steps over prefix if it comes next.
func (r *reader) skip(prefix string) bool {
	found := strings.HasPrefix(r.text[r.pos:], prefix)
	if found {
		r.pos += len(prefix)
	}
	return found
}

// word takes letters, and digits, dashes and underscores after a letter.
func (r *reader) word() string {
	start := r.pos
	for r.pos < len(r.text) {
		c := r.text[r.pos] | 0x20
		letter := c >= 'a' && c <= 'z'
		inner := r.text[r.pos] == '_' || c == '-' || c >= '0' && c <= '9'
		if !letter && (!inner || r.pos == start) {
			break
		}
		r.pos++
	}
	return r.text[start:r.pos]
}

// number takes an integer as C writes it: decimal, 0x... or 0 octal. It stops
// growing at MaxInt32, which is above all limits.
func (r *reader) number() (int, bool) {
	n, ok := r.number64()
	return int(min(n, math.MaxInt32)), ok
}

// number64 takes an integer like number and stops growing at MaxUint64.
func (r *reader) number64() (n uint64, ok bool) {
	base := uint64(10)
	if r.skip("0x") || r.skip("0X") {
		base = 16
	} else if r.peek() == '0' {
		base = 8
	}
	start := r.pos
	for ; r.pos < len(r.text); r.pos++ {
		digit := uint64(strings.IndexByte("0123456789abcdef", lower(r.text[r.pos])))
		if digit >= base {
			break
		}
		if n > (math.MaxUint64-digit)/base {
			n = math.MaxUint64
		} else {
			n = n*base + digit
		}
	}
	return n, r.pos > start
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// multiply is a*b, or a number above all limits.
func multiply(a, b int) int {
	if b != 0 && a > math.MaxInt32/b {
		return math.MaxInt32
	}
	return a * b
}

// title writes a word with a capital letter: "rack" is the type "Rack".
func title(word string) string {
	return strings.ToUpper(word[:1]) + word[1:]
}
