package program

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// How Python formats values: f-strings, str.format and the operator %.

// spec is a format specification: [[fill]align][sign][#][0][width][grouping][.precision][type].
type spec struct {
	fill      rune
	align     byte // 0: as the type wants
	sign      byte // '-', '+' or ' '
	alternate bool
	zero      bool
	width     int
	group     string
	precision int // -1: none
	verb      byte
}

// flag notes a flag of C's printf; it returns false for another character.
func (s *spec) flag(c byte) bool {
	switch c {
	case '-':
		s.align = '<'
	case '+':
		s.sign = '+'
	case ' ':
		if s.sign != '+' {
			s.sign = ' '
		}
	case '0':
		s.zero = true
	case '#':
		s.alternate = true
	default:
		return false
	}
	return true
}

// specification matches a format specification. Its groups are the fields of spec, in order.
var specification = regexp.MustCompile(`(?s)^(?:(.?)([<>=^]))?([-+ ]?)(#?)(0?)(\d*)([,_]?)(?:\.(\d+))?([[:ascii:]]?)$`)

// parseSpec reads a specification as f-strings and str.format have it.
func parseSpec(text string) (spec, error) {
	s := spec{fill: ' ', sign: '-', precision: -1}
	part := specification.FindStringSubmatch(text)
	if part == nil {
		return s, fmt.Errorf("invalid format specification %q", text)
	}
	for _, r := range part[1] {
		s.fill = r
	}
	for i, to := range map[int]*byte{2: &s.align, 3: &s.sign, 9: &s.verb} {
		if part[i] != "" {
			*to = part[i][0]
		}
	}
	s.alternate, s.zero, s.group = part[4] != "", part[5] != "", part[7]
	for i, to := range map[int]*int{6: &s.width, 8: &s.precision} {
		if part[i] != "" {
			if *to, _ = cutNumber(part[i]); *to > mostBytes {
				return s, fmt.Errorf("invalid format specification %q", text)
			}
		}
	}
	return s, nil
}

// cutNumber cuts off the digits with which a text begins. Without digits, the number is 0.
func cutNumber(text string) (n int, rest string) {
	rest = strings.TrimLeft(text, "0123456789")
	n, _ = strconv.Atoi("0" + text[:len(text)-len(rest)])
	return n, rest
}

// formatted writes a value as the text of a specification says.
func (r *Rank) formatted(v starlark.Value, text string) (string, error) {
	if text == "" {
		return r.text(v)
	}
	s, err := parseSpec(text)
	if err != nil {
		return "", err
	}
	return r.write(v, s)
}

// write writes a value as a specification says.
func (r *Rank) write(v starlark.Value, s spec) (string, error) {
	if err := r.roomForText(uint64(s.width) + uint64(max(s.precision, 0))); err != nil {
		return "", err
	}
	if b, ok := v.(starlark.Bool); ok && s.verb != 0 && s.verb != 's' {
		v = plain(b)
	}
	switch v := v.(type) {
	case starlark.Int:
		if strings.IndexByte("eEfFgG%", s.verb) >= 0 && s.verb != 0 {
			return s.float(float64(v.Float()))
		}
		return s.integer(v.BigInt())
	case starlark.Float:
		if s.verb != 0 && strings.IndexByte("eEfFgG%", s.verb) < 0 {
			return "", fmt.Errorf("unknown format code '%c' for a float", s.verb)
		}
		return s.float(float64(v))
	}
	if s.verb != 0 && s.verb != 's' {
		return "", fmt.Errorf("unknown format code '%c' for %s", s.verb, describe(v))
	}
	text, err := r.text(v)
	if err != nil {
		return "", err
	}
	if s.precision >= 0 {
		if runes := []rune(text); len(runes) > s.precision {
			text = string(runes[:s.precision])
		}
	}
	return s.pad("", text, '<'), nil
}

// pad fills a text up to the width. usual is the alignment of the type.
func (s spec) pad(sign, text string, usual byte) string {
	align, fill := s.align, s.fill
	if align == 0 {
		align = usual
		if s.zero {
			fill = '0'
			if usual == '>' {
				align = '='
			}
		}
	}
	n := s.width - utf8.RuneCountInString(sign+text)
	if n <= 0 {
		return sign + text
	}
	pad := func(n int) string { return strings.Repeat(string(fill), n) }
	switch align {
	case '<':
		return sign + text + pad(n)
	case '=':
		return sign + pad(n) + text
	case '^':
		return pad(n/2) + sign + text + pad(n-n/2)
	}
	return pad(n) + sign + text
}

func (s spec) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.sign == '-':
		return ""
	}
	return string(s.sign)
}

func (s spec) integer(n *big.Int) (string, error) {
	base := map[byte]int{0: 10, 'd': 10, 'i': 10, 'u': 10, 'n': 10, 'x': 16, 'X': 16, 'o': 8, 'b': 2}[s.verb]
	if s.verb == 'c' {
		return s.pad("", string(rune(n.Int64())), '<'), nil
	}
	if base == 0 {
		return "", fmt.Errorf("unknown format code '%c' for an int", s.verb)
	}
	text := new(big.Int).Abs(n).Text(base)
	if s.precision > len(text) {
		text = strings.Repeat("0", s.precision-len(text)) + text
	}
	sign := s.signOf(n.Sign() < 0)
	if s.group != "" {
		text = grouped(text, s.group, map[bool]int{true: 3, false: 4}[base == 10])
	}
	if s.alternate && base != 10 {
		sign += map[int]string{16: "0x", 8: "0o", 2: "0b"}[base]
	}
	if s.verb == 'X' {
		sign, text = strings.ToUpper(sign), strings.ToUpper(text)
	}
	return s.pad(sign, text, '>'), nil
}

// grouped puts a sign between groups of digits.
func grouped(text, sign string, size int) string {
	for i := len(text) - size; i > 0; i -= size {
		text = text[:i] + sign + text[i:]
	}
	return text
}

func (s spec) float(f float64) (string, error) {
	sign := s.signOf(math.Signbit(f) && !math.IsNaN(f))
	a := math.Abs(f)
	text := ""
	precision := s.precision
	if precision < 0 && s.verb != 0 {
		precision = 6
	}
	switch verb := s.verb; {
	case math.IsInf(a, 0) || math.IsNaN(a):
		text = floatText(a)
	case verb == '%':
		text = strconv.FormatFloat(a*100, 'f', precision, 64) + "%"
	case verb != 0 && strings.IndexByte("fFeE", verb) >= 0:
		text = strconv.FormatFloat(a, verb|0x20, precision, 64)
		if digits, exponent, e := strings.Cut(text, "e"); s.alternate && precision == 0 {
			text = digits + "."
			if e {
				text += "e" + exponent
			}
		}
	case verb == 0 && precision < 0:
		text = floatText(a)
	default:
		text = General(a, precision, s.alternate)
		if verb == 0 && !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
	}
	if s.verb == 'E' || s.verb == 'G' || s.verb == 'F' {
		text = strings.ToUpper(text)
	}
	if s.group != "" {
		whole, rest, point := strings.Cut(text, ".")
		text = grouped(whole, s.group, 3)
		if point {
			text += "." + rest
		}
	}
	return s.pad(sign, text, '>'), nil
}

// General writes a float that is not negative as C's %g does; alternate keeps zeros at its end.
func General(a float64, precision int, alternate bool) string {
	if alternate {
		return fmt.Sprintf("%#.*g", max(precision, 1), a)
	}
	return strconv.FormatFloat(a, 'g', max(precision, 1), 64)
}

// converted writes a value as !r, !s or !a says; without a conversion it returns the value.
func (r *Rank) converted(v starlark.Value, conversion string) (starlark.Value, error) {
	switch conversion {
	case "":
		return v, nil
	case "s":
		text, err := r.text(v)
		return starlark.String(text), err
	}
	text, err := r.repr(v)
	if conversion == "a" {
		text = strings.Trim(strconv.QuoteToASCII(text), `"`)
	}
	return starlark.String(text), err
}

// fill carries out text.format(args, name=kwargs).
func (r *Rank) fill(text string, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	next := 0
	return r.fillFrom(text, args, kwargs, &next)
}

// fillFrom fills a part of a text. Fields without a name take the arguments from next on.
func (r *Rank) fillFrom(text string, args starlark.Tuple, kwargs []starlark.Tuple, next *int) (string, error) {
	var b strings.Builder
	for {
		i := strings.IndexAny(text, "{}")
		if i < 0 {
			b.WriteString(text)
			return b.String(), nil
		}
		b.WriteString(text[:i])
		sign, rest := text[i:i+1], text[i+1:]
		if double, ok := strings.CutPrefix(rest, sign); ok {
			b.WriteString(sign)
			text = double
			continue
		}
		if sign == "}" {
			return "", fmt.Errorf("format: single '}' in format")
		}
		end := closing(rest)
		if end < 0 {
			return "", fmt.Errorf("format: unmatched '{' in format")
		}
		part, err := r.replacement(rest[:end], args, kwargs, next)
		if err == nil {
			b.WriteString(part)
			err = r.roomForText(uint64(b.Len()))
		}
		if err != nil {
			return "", err
		}
		text = rest[end+1:]
	}
}

// closing returns the index of the brace that closes the first brace of a text; -1 if none does.
func closing(text string) int {
	depth := 1
	return strings.IndexFunc(text, func(c rune) bool {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		}
		return depth == 0
	})
}

// replacement writes what stands for a field of str.format: NAME!r:SPEC.
func (r *Rank) replacement(field string, args starlark.Tuple, kwargs []starlark.Tuple, next *int) (string, error) {
	head, text, _ := strings.Cut(field, ":")
	name, conversion, _ := strings.Cut(head, "!")
	first, path := cutName(name)
	v, err := given(first, args, kwargs, next)
	if err != nil {
		return "", err
	}
	if v, err = r.reached(v, path); err != nil {
		return "", err
	}
	if v, err = r.converted(v, conversion); err != nil {
		return "", err
	}
	if text, err = r.fillFrom(text, args, kwargs, next); err != nil { // its fields count on behind this one
		return "", err
	}
	return r.formatted(v, text)
}

// cutName cuts a field before the first attribute or entry.
func cutName(field string) (name, path string) {
	if i := strings.IndexAny(field, ".["); i >= 0 {
		return field[:i], field[i:]
	}
	return field, ""
}

// given returns the argument that a field names: by a number, by a keyword, or, without a name, the next argument.
func given(name string, args starlark.Tuple, kwargs []starlark.Tuple, next *int) (starlark.Value, error) {
	n, err := strconv.Atoi(name)
	if name == "" {
		n, err = *next, nil
		*next++
	}
	switch {
	case err == nil && (n < 0 || n >= len(args)):
		return nil, fmt.Errorf("format: tuple index out of range: there is no value %d", n)
	case err == nil:
		return args[n], nil
	}
	for _, kw := range kwargs {
		if kw[0] == starlark.String(name) {
			return kw[1], nil
		}
	}
	return nil, fmt.Errorf("format: keyword %s not found", name)
}

// reached follows the attributes and entries of a field: .name and [key].
func (r *Rank) reached(v starlark.Value, path string) (starlark.Value, error) {
	for path != "" {
		var err error
		if path[0] == '.' {
			var name string
			name, path = cutName(path[1:])
			of := v
			if v, err = attributeOf(of, name); v == nil || err != nil {
				return nil, fmt.Errorf("format: %s has no field %s", of.Type(), name)
			}
			continue
		}
		text, rest, ok := strings.Cut(path[1:], "]")
		if path[0] != '[' || !ok {
			return nil, fmt.Errorf("format: a field is NAME, NAME.ATTRIBUTE or NAME[KEY]")
		}
		var key starlark.Value = starlark.String(text)
		if n, err := strconv.Atoi(text); err == nil {
			key = starlark.MakeInt(n)
		}
		if v, err = entry(v, key); err != nil {
			return nil, err
		}
		path = rest
	}
	return v, nil
}

// attributeOf returns an attribute of a value; nil when the value has no such attribute.
func attributeOf(v starlark.Value, name string) (starlark.Value, error) {
	if h, ok := v.(starlark.HasAttrs); ok {
		return h.Attr(name)
	}
	return nil, nil
}

// interpolation carries out format % values, one conversion after the other.
type interpolation struct {
	format string         // what is left of it
	list   starlark.Tuple // the values
	dict   *starlark.Dict // the value; nil: it is no dict
	next   int            // index of the value for the next conversion
	named  bool           // a conversion has taken an entry of dict
}

// interpolate carries out format % values.
func (r *Rank) interpolate(format string, values starlark.Value) (string, error) {
	list, ok := values.(starlark.Tuple)
	if !ok {
		list = starlark.Tuple{values}
	}
	p := &interpolation{format: format, list: list}
	p.dict, _ = values.(*starlark.Dict)
	var b strings.Builder
	for {
		text, rest, more := strings.Cut(p.format, "%")
		b.WriteString(text)
		if !more {
			break
		}
		p.format = rest
		text, err := p.conversion(r)
		if err == nil {
			b.WriteString(text)
			err = r.roomForText(uint64(b.Len()))
		}
		if err != nil {
			return "", err
		}
	}
	if p.next < len(list) && !p.named && !(p.dict != nil && p.next == 0) {
		return "", fmt.Errorf("too many arguments for format string")
	}
	return b.String(), nil
}

// conversion writes the conversion that comes next, behind its sign: (name)-08.3f.
func (p *interpolation) conversion(r *Rank) (string, error) {
	v, err := p.entry()
	if err != nil {
		return "", err
	}
	s := spec{fill: ' ', sign: '-', precision: -1}
	for p.format != "" && s.flag(p.format[0]) {
		p.format = p.format[1:]
	}
	if s.width, err = p.number(); err != nil {
		return "", err
	}
	if s.width < 0 {
		s.width, s.align = -s.width, '<'
	}
	if rest, ok := strings.CutPrefix(p.format, "."); ok {
		p.format = rest
		if s.precision, err = p.number(); err != nil {
			return "", err
		}
	}
	if p.format = strings.TrimLeft(p.format, "lLh"); p.format == "" {
		return "", fmt.Errorf("incomplete format")
	}
	verb := p.format[0]
	if p.format = p.format[1:]; verb == '%' {
		return "%", nil
	}
	if v == nil {
		if v, err = p.take(); err != nil {
			return "", err
		}
	}
	return r.conversion(v, s, verb)
}

// take returns the next value.
func (p *interpolation) take() (starlark.Value, error) {
	if p.next >= len(p.list) {
		return nil, fmt.Errorf("not enough arguments for format string")
	}
	p.next++
	return p.list[p.next-1], nil
}

// entry returns the entry of the dict that the conversion names; nil when the conversion names none.
func (p *interpolation) entry() (starlark.Value, error) {
	rest, ok := strings.CutPrefix(p.format, "(")
	if !ok {
		return nil, nil
	}
	name, rest, ok := strings.Cut(rest, ")")
	if !ok || p.dict == nil {
		return nil, fmt.Errorf("format requires a mapping: %%(name)s takes the entries of a dict")
	}
	p.named, p.format = true, rest
	v, ok, err := p.dict.Get(starlark.String(name))
	if err != nil || !ok {
		return nil, fmt.Errorf("key %q not in dict", name)
	}
	return v, nil
}

// number reads a width or a precision. A star stands for the next value.
func (p *interpolation) number() (n int, err error) {
	if rest, ok := strings.CutPrefix(p.format, "*"); ok {
		p.format = rest
		v, err := p.take()
		if err != nil {
			return 0, err
		}
		return asInt(v)
	}
	n, p.format = cutNumber(p.format)
	return min(n, mostBytes), nil
}

// conversion writes a value for a conversion of the operator %.
func (r *Rank) conversion(v starlark.Value, s spec, verb byte) (string, error) {
	if s.align == '<' {
		s.zero = false
	}
	switch verb {
	case 's', 'r', 'a':
		text, err := r.converted(v, map[byte]string{'s': "s", 'r': "r", 'a': "a"}[verb])
		if err != nil {
			return "", err
		}
		s.verb, s.zero = 0, false
		if s.align == 0 {
			s.align = '>'
		}
		return r.write(text, s)
	case 'c':
		if n, err := asInt(v); err == nil {
			v = starlark.String(string(rune(n)))
		}
		if s.align == 0 {
			s.align = '>'
		}
		s.precision = -1
		return r.write(v, s)
	case 'd', 'i', 'u', 'x', 'X', 'o':
		switch x := plain(v).(type) {
		case starlark.Int:
			v = x
		case starlark.Float:
			if verb == 'x' || verb == 'X' || verb == 'o' {
				return "", fmt.Errorf("%%%c format: an integer is required, not float", verb)
			}
			n, err := starlark.NumberToInt(x)
			if err != nil {
				return "", err
			}
			v = n
		default:
			return "", fmt.Errorf("%%%c format requires integer: a number is required, not %s", verb, v.Type())
		}
		s.verb = verb
		return r.write(v, s)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		s.verb = verb
		switch plain(v).(type) {
		case starlark.Int, starlark.Float:
			return r.write(plain(v), s)
		}
		return "", fmt.Errorf("%%%c format requires float: must be real number, not %s", verb, v.Type())
	}
	return "", fmt.Errorf("unknown conversion %%%c: a %% in the text is followed by s, r, d, i, o, x, X, e, f, g or c, and a sign of its own is %%%%", verb)
}
