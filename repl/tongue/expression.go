package tongue

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// token is a word of C or Fortran.
type token struct {
	text string
	kind tokenKind
	at   int // byte in the line
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	nameToken
	numberToken
	textToken
	signToken
)

// mistake is something in a line that is not understood, at a byte of it.
type mistake struct {
	at   int
	text string
}

func (m *mistake) Error() string { return m.text }

func wrong(at int, format string, args ...any) *mistake {
	return &mistake{at, fmt.Sprintf(format, args...)}
}

// signs of several characters, longest first.
var signs = []string{"<<=", ">>=", "::", "(/", "/)", "/=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "->", "++", "--", "+=", "-=", "*=", "%=", "**"}

// scan cuts a line into words. Comments are left out.
func scan(line string, fortran bool) ([]token, *mistake) {
	var list []token
	for i := 0; i < len(line); {
		n, ok := skipped(line[i:], fortran)
		if !ok {
			return nil, wrong(i, "the comment is not closed")
		}
		if n > 0 {
			i += n
			continue
		}
		text, kind := word(line[i:], fortran)
		if text == "" {
			return nil, wrong(i, "the text is not closed")
		}
		list = append(list, token{text, kind, i})
		i += len(text)
	}
	return append(list, token{"", endToken, len(line)}), nil
}

// skipped is how many bytes at the beginning of a text are not word: a blank, a comment, or the sign of Fortran that the
// line goes on. It is not ok where a comment has no end.
func skipped(text string, fortran bool) (n int, ok bool) {
	switch r := rune(text[0]); {
	case unicode.IsSpace(r), fortran && r == '&':
		return 1, true
	case !fortran && strings.HasPrefix(text, "//"), fortran && r == '!':
		if end := strings.IndexByte(text, '\n'); end >= 0 {
			return end, true
		}
		return len(text), true
	case !fortran && strings.HasPrefix(text, "/*"):
		end := strings.Index(text, "*/")
		return end + 2, end >= 0
	}
	return 0, true
}

// word is the word at the beginning of a text, .and. for .AND.; "" for a text in quotes that has no end.
func word(text string, fortran bool) (string, tokenKind) {
	switch c := text[0]; {
	case c == '"' || c == '\'' && fortran:
		return quoted(text, !fortran), textToken
	case fortran && c == '.' && dotted(text) != "":
		return strings.ToLower(dotted(text)), signToken
	case unicode.IsDigit(rune(c)):
		return leading(text, func(b byte) bool { return b == '.' || isNameByte(b) }), numberToken
	case isNameByte(c):
		return leading(text, isNameByte), nameToken
	}
	return signOf(text, fortran), signToken
}

// leading is the beginning of a text, as far as its bytes are of a kind.
func leading(text string, of func(byte) bool) string {
	n := 0
	for n < len(text) && of(text[n]) {
		n++
	}
	return text[:n]
}

// quoted is the quoted text at the beginning of a text, with its quotes; "" where it has no end. Escaped is whether a
// backslash takes the byte behind it along.
func quoted(text string, escaped bool) string {
	for n := 1; n < len(text); n++ {
		switch {
		case text[n] == text[0]:
			return text[:n+1]
		case text[n] == '\\' && escaped:
			n++
		}
	}
	return ""
}

// signOf is the sign at the beginning of a text.
func signOf(text string, fortran bool) string {
	for _, s := range signs {
		pair := s == "(/" || s == "/)" || s == "/=" || s == "**"
		if strings.HasPrefix(text, s) && (!pair || fortran) && (s != "(/" || !strings.HasPrefix(text, "(/)")) {
			return s
		}
	}
	return text[:1]
}

func isNameByte(b byte) bool {
	return b == '_' || b < 0x80 && (unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b)))
}

// dotted is Fortran's ".and." at the beginning of a text; "" for none.
func dotted(text string) string {
	for _, word := range []string{".and.", ".or.", ".not.", ".true.", ".false.", ".eq.", ".ne.", ".lt.", ".le.", ".gt.", ".ge."} {
		if len(text) >= len(word) && strings.EqualFold(text[:len(word)], word) {
			return text[:len(word)]
		}
	}
	return ""
}

// value is an expression as a program writes it.
type value struct {
	text   string
	level  int     // how tightly its operator binds; atom for a name or number
	truth  bool    // it is True or False
	whole  bool    // it is a number that cannot be negative
	real   bool    // it is a number that may have a fraction
	length int     // of a list that is written out; -1 for anything else
	array  string  // the variable, where the expression is one that is declared as an array
	items  []value // of a list that is written out
}

const (
	ternary = iota + 1
	disjunction
	conjunction
	negation
	comparing
	bitOr
	bitXor
	bitAnd
	shift
	sum
	product
	sign
	atom
)

// in is the expression as an operand of an operator that binds so tightly.
func (v value) in(level int) string {
	if v.level < level {
		return "(" + v.text + ")"
	}
	return v.text
}

// number is the expression where C wants a number: what is true counts as 1.
func (v value) number() value {
	if v.truth {
		return value{text: "int(" + v.text + ")", level: atom, whole: true, length: -1}
	}
	return v
}

// condition is the expression where it is asked whether it is zero.
func (v value) condition() value {
	if v.truth {
		return v
	}
	return value{text: v.in(bitOr) + " != 0", level: comparing, truth: true, length: -1}
}

// reader reads expressions.
type reader struct {
	tokens  []token
	i       int
	fortran bool
	known   Scope // of the lines before
	sets    Scope // of this line so far
}

func (r *reader) peek() token { return r.tokens[r.i] }

func (r *reader) next() token {
	t := r.tokens[r.i]
	if t.kind != endToken {
		r.i++
	}
	return t
}

// is reports whether the next word is a sign, and takes it then.
func (r *reader) is(text string) bool {
	if t := r.peek(); t.kind == signToken && t.text == text {
		r.i++
		return true
	}
	return false
}

func (r *reader) want(text string) *mistake {
	if r.is(text) {
		return nil
	}
	t := r.peek()
	if t.kind == endToken {
		return wrong(t.at, "%s is missing", text)
	}
	return wrong(t.at, "%s is expected before %s", text, t.text)
}

// operators are the binary ones of both languages, from those that bind least. In C comparisons bind more tightly
// than bits do. level is how tightly an operator binds in a program.
var operators = []struct {
	level int
	signs []string
}{
	{disjunction, []string{"||", ".or."}},
	{conjunction, []string{"&&", ".and."}},
	{bitOr, []string{"|"}},
	{bitXor, []string{"^"}},
	{bitAnd, []string{"&"}},
	{comparing, []string{"==", "!=", "/=", ".eq.", ".ne.", "<", "<=", ">", ">=", ".lt.", ".le.", ".gt.", ".ge."}},
	{shift, []string{"<<", ">>"}},
	{sum, []string{"+", "-"}},
	{product, []string{"*", "/", "%"}},
}

// expression reads an expression up to the first word that does not belong to it.
func (r *reader) expression() (value, *mistake) {
	cond, err := r.binary(0)
	if err != nil || r.fortran || !r.is("?") {
		return cond, err
	}
	yes, err := r.expression()
	if err != nil {
		return yes, err
	}
	if err := r.want(":"); err != nil {
		return yes, err
	}
	no, err := r.expression()
	return chosen(cond, yes, no), err
}

// chosen is "yes if cond else no".
func chosen(cond, yes, no value) value {
	if yes.truth != no.truth {
		yes, no = yes.number(), no.number()
	}
	text := yes.in(disjunction) + " if " + cond.conditional() + " else " + no.in(ternary)
	return value{text: text, level: ternary, truth: yes.truth, whole: yes.whole && no.whole, real: yes.real || no.real, length: -1}
}

// conditional is the expression behind "if", where a number says by itself whether it is zero.
func (v value) conditional() string { return v.in(disjunction) }

// binary reads operands of the n-th operators, and what binds more tightly.
func (r *reader) binary(n int) (value, *mistake) {
	if n == len(operators) {
		return r.unary()
	}
	left, err := r.binary(n + 1)
	for err == nil {
		t := r.peek()
		if t.kind != signToken || !slices.Contains(operators[n].signs, t.text) || r.fortran && slices.Contains([]string{"%", "|", "^", "&", "!="}, t.text) {
			return left, nil
		}
		r.next()
		var right value
		if right, err = r.binary(n + 1); err != nil {
			return left, err
		}
		if r.fortran && (left.array != "" || right.array != "") {
			return left, wrong(t.at, "%s of whole arrays is not supported: write it for each entry", t.text)
		}
		left = combined(operators[n].level, t.text, left, right)
	}
	return left, err
}

var fortranSigns = map[string]string{".eq.": "==", ".ne.": "!=", "/=": "!=", ".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">="}

// combined is an operator between two expressions.
func combined(level int, op string, a, b value) value {
	if other, ok := fortranSigns[op]; ok {
		op = other
	}
	v := value{level: level, length: -1}
	switch level {
	case disjunction, conjunction:
		word := map[int]string{disjunction: " or ", conjunction: " and "}[level]
		v.text, v.truth = a.condition().in(level)+word+b.condition().in(level+1), true
		return v
	case comparing:
		if a.truth && b.truth {
			v.text = a.in(bitOr) + " " + op + " " + b.in(bitOr)
		} else {
			a, b = a.number(), b.number()
			v.text = a.in(bitOr) + " " + op + " " + b.in(bitOr)
		}
		v.truth = true
		return v
	}
	a, b = a.number(), b.number()
	v.whole, v.real = a.whole && b.whole && op != "-", a.real || b.real
	switch {
	case op == "+" && a.array != "":
		return value{text: a.array + "[" + b.text + ":]", level: atom, length: -1}
	case op == "/" && !v.real:
		return quotient(a, b)
	case op == "%":
		return remainder(a, b)
	}
	v.text = a.in(level) + " " + op + " " + b.in(level+1)
	return v
}

// quotient is C's division of whole numbers, which drops the fraction. Python's goes down, which is the same where
// nothing is negative.
func quotient(a, b value) value {
	if a.whole && b.whole {
		return value{text: a.in(product) + " // " + b.in(sign), level: product, whole: true, length: -1}
	}
	return value{text: "int(" + a.in(product) + " / " + b.in(sign) + ")", level: atom, length: -1}
}

// remainder is C's %, and Fortran's mod, which has the sign of a. Python's has that of b.
func remainder(a, b value) value {
	if a.whole && b.whole {
		return value{text: a.in(product) + " % " + b.in(sign), level: product, whole: true, length: -1}
	}
	return value{text: a.in(sum) + " - " + quotient(a, b).in(product) + " * " + b.in(sign), level: sum, length: -1}
}

func (r *reader) unary() (value, *mistake) {
	t := r.peek()
	switch {
	case r.is("-"):
		v, err := r.unary()
		v = v.number()
		return value{text: "-" + v.in(sign), level: sign, real: v.real, length: -1}, err
	case r.is("+"):
		return r.unary()
	case !r.fortran && r.is("!"), r.fortran && r.is(".not."):
		v, err := r.unary()
		return value{text: "not " + v.in(negation), level: negation, truth: true, length: -1}, err
	case !r.fortran && r.is("~"):
		v, err := r.unary()
		return value{text: "~" + v.number().in(sign), level: sign, length: -1}, err
	case t.text == "&" || t.text == "*" || t.text == "++" || t.text == "--":
		return value{}, wrong(t.at, "%s is allowed only before a name that gets a result", t.text)
	}
	return r.primary()
}

func (r *reader) primary() (value, *mistake) {
	t := r.next()
	switch {
	case t.kind == numberToken:
		return number(t)
	case t.kind == textToken:
		text := t.text
		if r.fortran {
			text = `"` + strings.ReplaceAll(strings.ReplaceAll(text[1:len(text)-1], `\`, `\\`), `"`, `\"`) + `"`
		}
		return value{text: text, level: atom, length: -1}, nil
	case t.text == ".true.", t.text == ".false.":
		return value{text: map[string]string{".true.": "True", ".false.": "False"}[t.text], level: atom, truth: true, length: -1}, nil
	case r.fortran && (t.text == "[" || t.text == "(/"):
		return r.list(map[string]string{"[": "]", "(/": "/)"}[t.text])
	case !r.fortran && t.text == "{":
		return r.list("}")
	case t.text == "(":
		return r.bracket(t)
	case t.kind == nameToken:
		return r.named(t)
	case t.kind == endToken:
		return value{}, wrong(t.at, "an expression is missing")
	}
	return value{}, wrong(t.at, "%s is not expected here", t.text)
}

func number(t token) (value, *mistake) {
	text := strings.TrimRight(t.text, "uUlL")
	if strings.ContainsAny(text, ".") || strings.Trim(text, "0123456789abcdefABCDEFxX") != "" {
		return value{}, wrong(t.at, "%s is not an integer, but colors, keys and ranks are integers", t.text)
	}
	if len(text) > 1 && text[0] == '0' && text[1] != 'x' && text[1] != 'X' {
		text = "0o" + text[1:] // octal, as in C
	}
	return value{text: text, level: atom, whole: true, length: -1}, nil
}

// list is a list that is written out.
func (r *reader) list(end string) (value, *mistake) {
	var items []value
	var texts []string
	for !r.is(end) {
		if len(items) > 0 {
			if err := r.want(","); err != nil {
				return value{}, err
			}
			if r.is(end) {
				break
			}
		}
		v, err := r.expression()
		if err != nil {
			return v, err
		}
		items, texts = append(items, v), append(texts, v.text)
	}
	return value{text: "[" + strings.Join(texts, ", ") + "]", level: atom, length: len(items), items: items}, nil
}

// bracket is an expression in brackets, or in C a list behind its type: (int[]){0, 2}.
func (r *reader) bracket(open token) (value, *mistake) {
	if !r.fortran {
		from := r.i
		for r.peek().kind == nameToken && isType(r.peek().text) {
			r.next()
		}
		if r.i > from {
			for r.is("[") {
				if r.peek().kind == numberToken {
					r.next()
				}
				if err := r.want("]"); err != nil {
					return value{}, err
				}
			}
			if r.is(")") && r.is("{") {
				return r.list("}")
			}
			return value{}, wrong(open.at, "casts are not supported, only lists such as (int[]){0, 2}")
		}
	}
	v, err := r.expression()
	if err != nil {
		return v, err
	}
	v.text, v.level = "("+v.text+")", atom
	return v, r.want(")")
}

// named is a name, an element of an array, or one of the functions that Fortran has for operators.
func (r *reader) named(t token) (value, *mistake) {
	if r.peek().text == "(" && !(r.fortran && r.variable(r.name(t)).Dims > 0) {
		r.next()
		return r.function(t)
	}
	if strings.HasPrefix(t.text, "MPI_") || r.fortran && strings.HasPrefix(strings.ToUpper(t.text), "MPI_") {
		if r.fortran {
			t.text = strings.ToUpper(t.text)
		}
		return value{text: constant(t.text), level: atom, length: -1}, nil
	}
	if text := constant(t.text); !r.fortran && text != t.text {
		return value{text: text, level: atom, truth: text == "True" || text == "False", length: -1}, nil
	}
	r.i--
	v, _, err := r.place("")
	return v, err
}

// function is mod, merge, reshape, min, max, abs or size of Fortran. C has none that is understood inside an expression.
func (r *reader) function(t token) (value, *mistake) {
	var args []value
	for !r.is(")") {
		if len(args) > 0 {
			if err := r.want(","); err != nil {
				return value{}, err
			}
		}
		v, err := r.expression()
		if err != nil {
			return v, err
		}
		args = append(args, v)
	}
	name := strings.ToLower(t.text)
	switch {
	case r.fortran && name == "mod" && len(args) == 2:
		return remainder(args[0].number(), args[1].number()), nil
	case r.fortran && name == "merge" && len(args) == 3:
		return chosen(args[2], args[0], args[1]), nil
	case r.fortran && name == "reshape" && len(args) == 2 && args[1].length == 2: // columns of so many entries each
		text := args[0].in(atom)
		return value{text: fmt.Sprintf("[%s[k_ * %[2]s[0]:(k_ + 1) * %[2]s[0]] for k_ in range(%[2]s[1])]", text, args[1].text), level: atom, length: -1, items: []value{}}, nil
	case r.fortran && (name == "min" || name == "max" || name == "abs") && len(args) > 0:
		var texts []string
		for _, a := range args {
			texts = append(texts, a.text)
		}
		return value{text: name + "(" + strings.Join(texts, ", ") + ")", level: atom, length: -1}, nil
	case r.fortran && len(args) > 0 && !strings.HasPrefix(strings.ToUpper(t.text), "MPI_"): // of an array that is declared elsewhere
		v := value{text: r.reading(t), level: atom, length: -1}
		for _, a := range slices.Backward(args) {
			i, err := Variable{}.index(v.text, a, 0, t.at, true)
			if err != nil {
				return v, err
			}
			v.text += "[" + i + "]"
		}
		return v, nil
	case strings.HasPrefix(t.text, "MPI_"):
		return value{}, wrong(t.at, "write the call of %s on a line of its own: it returns its results through its arguments", t.text)
	}
	return value{}, wrong(t.at, "the function %s is unknown", t.text)
}

// constant is how a program writes a name of C's MPI. The names of functions for attributes become what mpi4py takes.
func constant(name string) string {
	switch name {
	case "MPI_COMM_WORLD":
		return "world"
	case "MPI_COMM_DUP_FN":
		return "True"
	case "MPI_COMM_NULL_COPY_FN", "MPI_COMM_NULL_DELETE_FN", "NULL":
		return "None"
	case "true":
		return "True"
	case "false":
		return "False"
	}
	if rest, ok := strings.CutPrefix(name, "MPI_"); ok {
		return "MPI." + rest
	}
	return name
}
