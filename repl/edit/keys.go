package edit

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// key is typed text, pasted text, or a key by bubbletea's name.
type key struct {
	name   string // "": text
	text   []rune
	pasted bool
}

// The sequences that a terminal puts around pasted text, once bracketPaste was written to it.
const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// decode decodes the first key of the bytes that a terminal sent, and returns how many bytes the key has: 0 when more
// bytes belong to it. last says that no byte follows within the time in which a terminal sends a key.
func decode(b []byte, last bool) (key, int) {
	switch c := b[0]; {
	case c == '\x1b':
		return decodeEscape(b, last)
	case c < ' ' || c == 0x7f:
		return key{name: control(c)}, 1
	case !last && !utf8.FullRune(b):
		return key{}, 0
	}
	r, n := utf8.DecodeRune(b)
	return key{text: []rune{r}}, n
}

// control names the key of a control character.
func control(c byte) string {
	switch c {
	case '\t':
		return "tab"
	case '\r', '\n': // \n: typed while the terminal edited lines by itself
		return "enter"
	case 0x7f:
		return "backspace"
	}
	return "ctrl+" + strings.ToLower(string(rune(c+'@')))
}

// decodeEscape decodes a key that begins with ESC: a sequence of ECMA-48, ESC itself, or a character with Alt.
func decodeEscape(b []byte, last bool) (key, int) {
	rest := b[1:]
	switch {
	case len(rest) == 0 && !last:
		return key{}, 0
	case len(rest) == 0:
		return key{name: "esc"}, 1
	case bytes.HasPrefix(b, []byte(pasteBegins)):
		return decodePaste(b)
	case rest[0] == '[' || rest[0] == 'O':
		if n := sequence(rest); n > 0 {
			return key{name: sequenceName(string(rest[:n]))}, 1 + n
		}
		if !last {
			return key{}, 0
		}
	}
	k, n := decode(rest, last)
	switch {
	case n == 0:
		return key{}, 0
	case k.name == "":
		k = key{name: "alt+" + string(k.text)}
	case !strings.HasPrefix(k.name, "alt+"):
		k.name = "alt+" + k.name
	}
	return k, 1 + n
}

// decodePaste decodes pasted text, without the bytes that are not UTF-8.
func decodePaste(b []byte) (key, int) {
	end := bytes.Index(b, []byte(pasteEnds))
	if end < 0 {
		return key{}, 0
	}
	text := strings.ToValidUTF8(string(b[len(pasteBegins):end]), "")
	return key{text: []rune(text), pasted: true}, end + len(pasteEnds)
}

// sequence returns how many bytes a control sequence has after its ESC; 0 when its end has not come. The console of
// Linux sends function keys with a second [.
func sequence(b []byte) int {
	for i := 1; i < len(b); i++ {
		c := b[i]
		switch {
		case i == 1 && b[0] == '[' && c == '[':
		case c >= '@' && c <= '~', c == '$': // rxvt ends some with $
			return i + 1
		case c < ' ' || c > '~': // no sequence: the bytes so far are dropped
			return i
		}
	}
	return 0
}

// The keys of sequences, by their last character and by their number. rxvt has small letters with Shift or Ctrl.
var (
	keysByLetter = map[byte]string{'A': "up", 'B': "down", 'C': "right", 'D': "left", 'H': "home", 'F': "end",
		'Z': "shift+tab", 'P': "f1", 'Q': "f2", 'R': "f3", 'S': "f4"}
	keysByNumber = map[int]string{1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pgup", 6: "pgdown", 7: "home", 8: "end",
		11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10", 23: "f11", 24: "f12"}
)

// sequenceName returns the name of the key of a sequence, which is given without its ESC: "ctrl+right" for "[1;5C".
// An unknown sequence gets a name that no key has.
func sequenceName(seq string) string {
	final := seq[len(seq)-1]
	numbers := strings.Split(seq[1:len(seq)-1], ";")
	first, _ := strconv.Atoi(numbers[0])
	name, held := keysByLetter[final], 0
	if len(numbers) > 1 {
		held, _ = strconv.Atoi(numbers[1])
		held--
	}
	switch {
	case strings.HasPrefix(seq, "[["):
		name = "f" + string(final-'A'+'1')
	case final == '~':
		name = keysByNumber[first]
	case final == '^', final == '$', final == '@': // rxvt
		name, held = keysByNumber[first], map[byte]int{'^': ctrlHeld, '$': shiftHeld, '@': ctrlHeld | shiftHeld}[final]
	case final >= 'a' && final <= 'd': // rxvt
		name, held = keysByLetter[final-'a'+'A'], shiftHeld
		if seq[0] == 'O' {
			held = ctrlHeld
		}
	}
	if name == "" {
		return "sequence " + seq
	}
	return modified(name, held)
}

// The bits of the keys that are held, as in xterm's sequences.
const (
	shiftHeld = 1 << iota
	altHeld
	ctrlHeld
)

func modified(name string, held int) string {
	if held&shiftHeld != 0 {
		name = "shift+" + name
	}
	if held&ctrlHeld != 0 {
		name = "ctrl+" + name
	}
	if held&altHeld != 0 {
		name = "alt+" + name
	}
	return name
}
