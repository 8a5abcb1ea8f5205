package syntax

import (
	"slices"
	"strings"
)

// macro is a definition by #define.
type macro struct {
	params []string // nil: the name stands alone
	rest   bool     // the last parameter takes all further arguments, with their commas
	body   []token
}

// preprocessor reads the words of a C file. It carries out #define, #if and the like, and ignores #include of the
// system's headers.
type preprocessor struct {
	scanner
	macros map[string]*macro
	given  []token // words that macros gave, which are read before those of the text
	made   *int    // how many words macros have given, also in the arguments of macros
	depth  []branch
}

// branch is an #if that is open.
type branch struct {
	holds bool
	taken bool // a part of it held, or what is around it does not hold
}

// off reports whether words are left out here.
func (p *preprocessor) off() bool {
	return slices.ContainsFunc(p.depth, func(b branch) bool { return !b.holds })
}

// versionOfMPI is the macro MPI_VERSION, for #if.
var versionOfMPI = &macro{body: []token{{kind: number, text: "5"}}}

// preprocess returns the words of a C file, with macros replaced.
func preprocess(src string) ([]token, error) {
	return (&preprocessor{scanner: scanner{src: src, line: 1}, macros: map[string]*macro{"MPI_VERSION": versionOfMPI}, made: new(int)}).words()
}

func (p *preprocessor) words() (out []token, _ error) {
	for line := 0; ; {
		ofText := len(p.given) == 0
		t, err := p.take()
		if err != nil {
			return nil, err
		}
		begins := ofText && t.Line != line
		line = t.Line
		switch {
		case t.kind == end:
			if len(p.depth) > 0 {
				return nil, Wrong(t.Pos, "#endif is missing")
			}
			return append(out, t), nil
		case begins && t.is("#"):
			err = p.directive(t)
			line = 0
		case p.off():
		default:
			var is bool
			if is, err = p.expand(t); !is {
				out = append(out, t)
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// take returns the next word, of a macro or of the text.
func (p *preprocessor) take() (t token, err error) {
	if len(p.given) == 0 {
		return p.next(false)
	}
	t, p.given = p.given[0], p.given[1:]
	return t, nil
}

// expand replaces a word that is the name of a macro, with its arguments, by the words of the macro.
func (p *preprocessor) expand(t token) (is bool, err error) {
	m := p.macros[t.text]
	if t.kind != name || m == nil || strings.Contains(t.hidden, " "+t.text+" ") {
		return false, nil
	}
	var args [][]token
	if m.params != nil {
		text, given := p.scanner, p.given
		if open, err := p.take(); err != nil || !open.is("(") {
			p.scanner, p.given = text, given
			return false, err
		}
		if args, err = p.arguments(); err != nil {
			return false, err
		}
		if m.rest {
			args = joined(args, len(m.params))
		}
		if len(args) != len(m.params) && !(len(m.params) == 0 && len(args) == 1 && len(args[0]) == 0) {
			return false, Wrong(t.Pos, "%s takes %d arguments, not %d", t.text, len(m.params), len(args))
		}
	}
	list, err := p.replace(t, m, args)
	p.given = slices.Concat(list, p.given)
	return true, err
}

// arguments reads the arguments of a macro up to its closing bracket.
func (p *preprocessor) arguments() ([][]token, error) {
	args, depth := [][]token{nil}, 0
	for {
		t, err := p.take()
		switch {
		case err != nil:
			return nil, err
		case t.ends():
			return nil, Wrong(t.Pos, ") is missing")
		case t.is(")") && depth == 0:
			return args, nil
		case t.is("(") || t.is("["):
			depth++
		case t.is(")") || t.is("]"):
			depth--
		}
		if t.is(",") && depth == 0 {
			args = append(args, nil)
			continue
		}
		args[len(args)-1] = append(args[len(args)-1], t)
	}
}

// joined returns n arguments: the last one has all that remain, with commas between them, or no words.
func joined(args [][]token, n int) [][]token {
	if len(args) == n-1 || len(args) == 1 && n == 1 {
		return append(args, nil)[:n]
	}
	for len(args) > n {
		last := slices.Concat(args[n-1], []token{{kind: sign, text: ","}}, args[n])
		args = slices.Concat(args[:n-1], [][]token{last}, args[n+1:])
	}
	return args
}

// mostWords is how many words macros may give. A macro that names its argument twice doubles it each time it is nested.
const mostWords = 1 << 15

// replace returns the words of a macro at the place of its name. Macros in its arguments are replaced first.
func (p *preprocessor) replace(at token, m *macro, args [][]token) (list []token, err error) {
	for i, t := range m.body {
		k := slices.Index(m.params, t.text)
		switch {
		case m.rest && t.is("##") && i > 0 && m.body[i-1].is(","): // the comma goes where no argument follows
			if len(args[len(args)-1]) == 0 {
				list = list[:len(list)-1]
			}
		case i > 0 && m.body[i-1].is("#") && k >= 0:
			var words []string
			for _, a := range args[k] {
				words = append(words, a.text)
			}
			list[len(list)-1] = token{kind: text, text: strings.Join(words, " ")}
		case t.kind == name && k >= 0:
			given, err := (&preprocessor{macros: p.macros, given: args[k], made: p.made}).words()
			if err != nil {
				return nil, err
			}
			list = append(list, given[:len(given)-1]...)
		default:
			list = append(list, t)
		}
	}
	if *p.made += len(list); *p.made > mostWords {
		return nil, Beyond(at.Pos, "%s: a file in which macros or functions of one expression become over %d words is not supported here", at.text, mostWords)
	}
	for i := range list {
		list[i].Pos = at.Pos
		list[i].hidden += at.hidden + " " + at.text + " "
	}
	return list, nil
}

// rest reads the words up to the end of the line.
func (p *preprocessor) rest() ([]token, error) {
	var list []token
	for {
		t, err := p.next(true)
		if err != nil || t.ends() {
			return list, err
		}
		list = append(list, t)
	}
}

// directive carries out a line that begins with #.
func (p *preprocessor) directive(at token) error {
	from := p.at
	words, err := p.rest()
	if err != nil || len(words) == 0 {
		return err
	}
	holds := !p.off()
	what, words := words[0].text, words[1:]
	switch what {
	case "ifdef", "ifndef":
		if len(words) == 0 {
			return Wrong(at.Pos, "#%s wants a name", what)
		}
		is := (p.macros[words[0].text] != nil) == (what == "ifdef")
		p.depth = append(p.depth, branch{is, is || !holds})
	case "if":
		is, err := false, error(nil)
		if holds {
			is, err = p.condition(at, words)
		}
		p.depth = append(p.depth, branch{is, is || !holds})
		return err
	case "elif", "else", "endif":
		n := len(p.depth) - 1
		if n < 0 {
			return Wrong(at.Pos, "#%s stands behind no #if", what)
		}
		b := &p.depth[n]
		switch {
		case what == "endif":
			p.depth = p.depth[:n]
			return nil
		case b.taken:
			b.holds = false
			return nil
		case what == "elif":
			b.holds, err = p.condition(at, words)
		default:
			b.holds = true
		}
		b.taken = b.holds
		return err
	default:
		if holds {
			return p.command(at, what, words, p.src[from:p.at])
		}
	}
	return nil
}

// condition computes the expression of an #if, in which unknown names are 0.
func (p *preprocessor) condition(at token, words []token) (holds bool, err error) {
	var list []token
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w.text == "defined" && i+1 < len(words) {
			i++
			of := words[i]
			if of.is("(") && i+2 < len(words) {
				of, i = words[i+1], i+2
			}
			w = token{kind: number, text: "0", Pos: w.Pos}
			if p.macros[of.text] != nil {
				w.text = "1"
			}
		}
		list = append(list, w)
	}
	if list, err = (&preprocessor{macros: p.macros, given: list, made: p.made}).words(); err != nil {
		return false, err
	}
	for i, w := range list {
		if w.kind == name {
			list[i] = token{kind: number, text: "0", Pos: w.Pos}
		}
	}
	list[len(list)-1].Pos = at.Pos
	err = Catch(func() {
		q := &parser{list: list}
		x := q.conditional()
		if t := q.peek(); t.kind != end {
			q.unexpected(t, "the end of the line is expected, not")
		}
		n, known := Constant(x, func(Expr) (int64, bool) { return 0, false })
		if !known {
			panic(Wrong(at.Pos, "#if needs integers, names and operators whose result is known before the program runs"))
		}
		holds = n != 0
	})
	return holds, err
}

// command carries out #define, #undef and #include.
func (p *preprocessor) command(at token, what string, words []token, line string) error {
	switch what {
	case "include":
		if i := strings.IndexByte(line, '"'); i >= 0 {
			if file, _, _ := strings.Cut(line[i+1:], `"`); file != "mpi.h" {
				return Beyond(at.Pos, "%s cannot be included: only one file is read", file)
			}
		}
	case "undef":
		if len(words) > 0 {
			delete(p.macros, words[0].text)
		}
	case "define":
		if len(words) == 0 || words[0].kind != name {
			return Wrong(at.Pos, "#define needs a name")
		}
		m := &macro{body: words[1:]}
		if len(words) > 1 && words[1].is("(") && !words[1].spaced {
			m.params = []string{}
			k := 2
			for ; k < len(words) && !words[k].is(")"); k++ {
				switch m.rest = words[k].is("..."); {
				case words[k].kind == name:
					m.params = append(m.params, words[k].text)
				case m.rest && words[k-1].kind != name: // not args..., which names them
					m.params = append(m.params, "__VA_ARGS__")
				}
			}
			m.body = words[min(k+1, len(words)):]
		}
		p.macros[words[0].text] = m
	case "error":
		return Wrong(at.Pos, "#error")
	}
	return nil
}
