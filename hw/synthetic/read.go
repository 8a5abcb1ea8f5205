package synthetic

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// Limits: hwloc's on the depth of a description, and ours on the memory that a
// text can demand.
const (
	maxLevels = 128
	maxText   = 1 << 17
)

// reader walks through a description from left to right.
type reader struct {
	*description
	pos     int
	braces  int      // open ones
	cluster bool     // the text has machine:N
	machine *machine // that we are in, if any
	nodes   int      // attached NUMA nodes, over all machines
}

func read(text string) (*description, error) {
	r := &reader{description: &description{text: text}}
	if len(text) > maxText {
		return r.description, r.errorAt(maxText, fmt.Sprintf("more than %d characters", maxText))
	}
	r.root = &level{typ: hw.Level, depth: -1, count: 1, width: 1}
	var err error
	if r.cluster = hasMachine(text); !r.cluster {
		r.root.typ = hw.Machine
		err = r.begin(r.root, 1)
	}
	if err == nil {
		err = r.levels(r.root)
	}
	return r.description, err
}

// hasMachine reports whether the text has machine:N outside () and [].
func hasMachine(text string) bool {
	r := &reader{description: &description{text: text}}
	for depth := 0; r.pos < len(text); {
		switch word := r.word(); {
		case word != "":
			if depth == 0 && abbreviates(word, "machine", 2) && r.peek() == ':' {
				return true
			}
			continue
		case r.peek() == '(' || r.peek() == '[':
			depth++
		case r.peek() == ')' || r.peek() == ']':
			depth--
		}
		r.pos++
	}
	return false
}

// begin begins the machines of l, width of them in all, and reads their
// attributes.
func (r *reader) begin(l *level, width int) error {
	l.typed, l.width, l.row = true, 1, 0
	l.machine = &machine{top: l, width: width, braces: r.braces}
	r.machine = l.machine
	r.machines = append(r.machines, l)
	r.blanks()
	if r.peek() != '(' {
		return nil
	}
	return r.readAttrs(&attributes{level: l, indexes: &l.indexes})
}

// levels reads the inside of each object of top, up to the end of the text or
// of the braces around it.
func (r *reader) levels(top *level) error {
	for l := top; ; {
		r.blanks()
		c, within := r.peek(), l != top || r.braces == 0
		switch {
		case r.pos == len(r.text), r.closing():
			return nil
		case c == '[' && !within:
			return r.errorAt(r.pos, "write a numa node in brackets behind the level that it belongs to")
		case c == '{' && !within:
			return r.errorAt(r.pos, "braces must follow a level")
		case c == '[':
			if err := r.attached(l); err != nil {
				return err
			}
		case c == '{':
			if err := r.alternatives(l); err != nil {
				return err
			}
			return r.ending("braces")
		case endWord.MatchString(r.text[r.pos:]):
			return r.ending("braces")
		default:
			next, err := r.level(l)
			if err != nil {
				return err
			}
			l = next
		}
	}
}

// closing reports whether a ';' or '}' of the braces around this place comes
// next.
func (r *reader) closing() bool {
	return r.braces > 0 && (r.peek() == ';' || r.peek() == '}')
}

// alternatives reads "{ LEVELS ; LEVELS }": the different children of each
// object of l.
func (r *reader) alternatives(l *level) error {
	open, outside := r.pos, r.machine
	if outside != nil {
		outside.uneven = true
	}
	r.braces++
	for {
		r.pos++ // the brace or semicolon
		below, machines := len(l.below), len(r.machines)
		if err := r.levels(l); err != nil {
			return err
		}
		switch c := r.peek(); {
		case !r.closing():
			return r.errorAt(open, "missing '}' of these braces")
		case len(l.below) == below:
			return r.errorAt(r.pos, "missing level in braces")
		case outside == nil && len(r.machines) == machines:
			return r.errorAt(r.pos, "missing machine:N in braces")
		case c == '}':
			r.pos++
			r.braces--
			r.machine = outside
			return r.numberAll(l)
		}
		r.machine = outside
	}
}

// numberAll reads "(indexes=...)" behind the outermost braces of a machine.
func (r *reader) numberAll(l *level) error {
	m := l.machine
	if r.blanks(); r.peek() != '(' {
		return nil
	}
	if m == nil || m.braces != r.braces {
		return r.errorAt(r.pos, "only the outermost braces of a machine can have indexes")
	}
	return r.readAttrs(&attributes{level: &level{}, indexes: &m.puIndexes, braces: true})
}

// attached reads "[numa(attrs)]", memory of each object of l.
func (r *reader) attached(l *level) error {
	if r.machine == nil {
		return r.errorAt(r.pos, "a level above the machines cannot have numa nodes")
	}
	r.pos++
	at := r.pos
	if typ, _, err := levelType(r.word()); err != nil || typ != hw.NUMANode {
		return r.errorAt(at, "only a numa node can be attached in brackets")
	}
	n := &level{typ: hw.NUMANode}
	if r.peek() == '(' {
		if err := r.readAttrs(&attributes{level: n, indexes: &r.machine.nodeIndexes}); err != nil {
			return err
		}
	}
	if !r.skip("]") {
		return r.errorAt(r.pos, "missing ']' after an attached numa node")
	}
	l.nodes = append(l.nodes, node{n.bytes, n.cache, n.subtype, nil})
	r.machine.attached += l.width
	if r.nodes += multiply(l.width, r.machine.width); r.nodes > MaxPUs {
		return r.errorAt(at, fmt.Sprintf("more than %d numa nodes in all", MaxPUs))
	}
	return nil
}

const blank = " \n\t\r"

func (r *reader) blanks() { r.pos = len(r.text) - len(strings.TrimLeft(r.text[r.pos:], blank)) }

// peek returns the next byte, or 0 at the end.
func (r *reader) peek() byte {
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

// skip steps over prefix if it comes next, and reports whether it did.
func (r *reader) skip(prefix string) bool {
	found := strings.HasPrefix(r.text[r.pos:], prefix)
	if found {
		r.pos += len(prefix)
	}
	return found
}

// word reads a word: a letter, then letters, digits, dashes and underscores; ""
// if none comes next.
func (r *reader) word() string {
	start := r.pos
	for r.pos < len(r.text) {
		c := r.text[r.pos]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		inner := c == '_' || c == '-' || c >= '0' && c <= '9'
		if !letter && (!inner || r.pos == start) {
			break
		}
		r.pos++
	}
	return r.text[start:r.pos]
}

// number reads an integer as C writes it: decimal, 0x... or 0 octal. Larger
// numbers become MaxUint64.
func (r *reader) number() (n uint64, ok bool) {
	base := uint64(10)
	if r.skip("0x") || r.skip("0X") {
		base = 16
	} else if r.peek() == '0' {
		base = 8
	}
	start := r.pos
	for ; r.pos < len(r.text); r.pos++ {
		digit := uint64(strings.IndexByte("0123456789abcdefABCDEF", r.text[r.pos]))
		if digit > 15 {
			digit -= 6 // of the capital letters
		}
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

// multiply returns a*b, or a number above all limits.
func multiply(a, b int) int {
	if b != 0 && a > math.MaxInt32/b {
		return math.MaxInt32
	}
	return a * b
}

// level reads "type:count(attrs)" or "count(attrs)" below the level above.
func (r *reader) level(above *level) (*level, error) {
	l := &level{at: r.pos, depth: -1}
	if c := r.peek(); c == ';' || c == '}' {
		return nil, r.errorAt(l.at, "there is no open brace here")
	}
	if r.machine == nil {
		return l, r.outer(above, l)
	}
	if c := r.peek(); c < '0' || c > '9' {
		word := r.word()
		typ, depth, err := levelType(word)
		switch {
		case err == nil:
		case r.cluster && abbreviates(word, "machine", 2) && r.peek() == ':':
			return nil, r.errorAt(l.at, "there are several machine levels")
		default:
			return nil, r.errorAt(l.at, err.Error())
		}
		l.typ, l.depth, l.typed = typ, depth, true
		if !r.skip(":") {
			return nil, r.errorAt(r.pos, fmt.Sprintf("missing ':' and a count after %s", word))
		}
	}
	if err := r.count(above, l); err != nil {
		return nil, err
	}
	if r.peek() == '(' {
		return l, r.readAttrs(&attributes{level: l, indexes: &l.indexes})
	}
	return l, nil
}

// outer reads a level above the machines, or machine:N itself.
func (r *reader) outer(above, l *level) error {
	l.typ = hw.Level
	word := r.word()
	machine := abbreviates(word, "machine", 2)
	switch _, _, err := levelType(word); {
	case word == "":
		return r.errorAt(l.at, "missing name of a level above the machines")
	case machine:
		l.typ = hw.Machine
	case err == nil || forbidden(word):
		return r.errorAt(l.at, word+" is a level inside a machine: want another name for a level above machine:N")
	}
	if !r.skip(":") {
		return r.errorAt(r.pos, fmt.Sprintf("missing ':' and a count after %s", word))
	}
	l.name = strings.ToUpper(word[:1]) + word[1:]
	for o := above; o != nil; o = o.parent {
		if strings.EqualFold(o.name, l.name) {
			return r.errorAt(l.at, "there are several "+strings.ToLower(word)+" levels")
		}
	}
	if err := r.count(above, l); err != nil {
		return err
	}
	if machine {
		return r.begin(l, l.width)
	}
	r.names = append(r.names, l.name)
	if r.peek() == '(' {
		return r.errorAt(r.pos, "a level above the machines cannot have attributes")
	}
	return nil
}

// count reads the number of objects of l and puts l below above; it returns an
// error when the whole becomes too large.
func (r *reader) count(above, l *level) error {
	l.countAt = r.pos
	count, ok := r.number()
	switch {
	case !ok:
		return r.errorAt(l.countAt, "missing number of objects")
	case count == 0:
		return r.errorAt(l.countAt, "0 objects: want at least 1")
	case above.row+1 >= maxLevels:
		return r.errorAt(l.at, fmt.Sprintf("too many levels: want at most %d", maxLevels))
	}
	l.count = int(min(count, math.MaxInt32)) // which is above all limits
	l.width = multiply(above.width, l.count)
	l.add(above)
	hosts := 1
	if r.machine != nil {
		hosts = r.machine.width
	}
	all := multiply(l.width, hosts)
	if all > MaxPUs {
		if r.machine == nil {
			return r.errorAt(l.countAt, fmt.Sprintf("too many machines: want at most %d", MaxPUs))
		}
		return r.errorAt(l.countAt, fmt.Sprintf("more than %d PUs in all", MaxPUs))
	}
	if r.objects += all; r.objects > MaxObjects {
		return r.errorAt(l.countAt, fmt.Sprintf("more than %d objects in all", MaxObjects))
	}
	return nil
}

// ending reads the words that end a machine's description; nothing else may
// follow them.
func (r *reader) ending(last string) error {
	for {
		r.blanks()
		if r.pos == len(r.text) || r.closing() {
			return nil
		}
		word := endWord.FindString(r.text[r.pos:])
		if word == "" {
			return r.errorAt(r.pos, "nothing but restrict=, offline= and disallow= can follow "+last)
		}
		if r.machine == nil || r.machine.braces != r.braces {
			return r.errorAt(r.pos, "write restrict=, offline= and disallow= at the end of a whole "+
				"machine")
		}
		if err := r.list(word); err != nil {
			return err
		}
		last = "them"
	}
}

// maxList bounds the time that a list of overlapping ranges can take.
const maxList = 4096

// list reads the list of PUs of "restrict=LIST", whose word comes next.
func (r *reader) list(word string) error {
	if r.machine.words == nil {
		r.machine.words = make([]list, len(endWords))
	}
	given := &r.machine.words[slices.Index(endWords, word)]
	if given.at > 0 {
		return r.errorAt(r.pos, word+" is given twice")
	}
	r.pos += len(word)
	start := r.pos
	for r.pos < len(r.text) && !strings.ContainsRune(blank, rune(r.peek())) && !r.closing() {
		r.pos++
	}
	if r.pos-start > maxList {
		return r.errorAt(start, fmt.Sprintf("a list of more than %d characters", maxList))
	}
	set, err := hw.ParseList(r.text[start:r.pos])
	switch {
	case err != nil:
		return r.errorAt(start, err.Error())
	case set.Empty():
		return r.errorAt(start, "missing list of PUs such as 0-3,8")
	}
	*given = list{set, start}
	return nil
}
