package source

import (
	"fmt"
	"strings"
	"unicode"
)

// language is how C and Fortran write what the generator says. Both read a call as its name and its
// arguments; C marks those that get results.
type language struct {
	fortran  bool
	and, or  string
	reserved []string // names that programs use already, in lower case
}

var inC = &language{and: " && ", or: " || ", reserved: strings.Fields("me size world_group group session info request requests pending " +
	"number numbers results result report group_of session_group main auto break case char const continue default do double else enum extern " +
	"float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void " +
	"volatile while bool true false nullptr ranks comm line lines length argc argv errno stdin stdout stderr printf")}

var inFortran = &language{fortran: true, and: " .and. ", or: " .or. ", reserved: strings.Fields("me size world_group group session info " +
	"request requests pending number numbers results report group_of session_group main commsplit_program merge mod call end if then else " +
	"result integer logical type use contains print write ranks comm line lines length")}

func (l *language) modulo(k int) string {
	if l.fortran {
		return fmt.Sprintf("mod(me, %d)", k)
	}
	return fmt.Sprintf("me %% %d", k)
}

func (l *language) either(condition, a, b string) string {
	if l.fortran {
		return fmt.Sprintf("merge(%s, %s, %s)", a, b, condition)
	}
	return fmt.Sprintf("(%s ? %s : %s)", condition, a, b)
}

func (l *language) index(i string) string {
	if l.fortran {
		return "(" + i + ")"
	}
	return "[" + i + "]"
}

func (l *language) notEqual(a, b string) string {
	if l.fortran {
		return a + " /= " + b
	}
	return a + " != " + b
}

// out is an argument that gets a result.
func (l *language) out(name string) string {
	if l.fortran {
		return name
	}
	return "&" + name
}

func (l *language) call(name string, args ...string) string {
	text := name + "(" + strings.Join(args, ", ") + ")"
	if l.fortran {
		return "call " + text
	}
	return text + ";"
}

func (l *language) set(name, value string) string {
	if l.fortran {
		return name + " = " + value
	}
	return name + " = " + value + ";"
}

// comment is lines of a comment.
func (l *language) comment(lines []string, pad string) string {
	if l.fortran {
		return pad + "! " + strings.Join(lines, "\n"+pad+"! ") + "\n"
	}
	text := strings.ReplaceAll(strings.Join(lines, "\n"+pad+" * "), "*/", "* /")
	return pad + "/* " + strings.ReplaceAll(text, "/*", "/ *") + " */\n"
}

// quoted is a text as a constant. Control characters become question marks.
func (l *language) quoted(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, text)
	if l.fortran {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	text = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "?", `\?`).Replace(text)
	return `"` + text + `"`
}

// logical is a constant of a logical argument.
func (l *language) logical(v bool) string {
	switch {
	case l.fortran && v:
		return ".true."
	case l.fortran:
		return ".false."
	case v:
		return "1"
	}
	return "0"
}

func (l *language) begin(condition string) string {
	if l.fortran {
		return "if (" + condition + ") then"
	}
	return "if (" + condition + ") {"
}

func (l *language) end() string {
	if l.fortran {
		return "end if"
	}
	return "}"
}

// declare writes a table over the world ranks, or a list of numbers: C at the place, Fortran at the
// top. low is the index of the first entry in Fortran.
func (g *generator) declare(name string, low int, entries []string) {
	if g.lang.fortran {
		text := fmt.Sprintf("%s, parameter :: %s(%d:%d) = [ %s ]", g.kindOf(entries), name, low, low+len(entries)-1, strings.Join(entries, ", "))
		g.declared = append(g.declared, declaration{name, text})
		return
	}
	size := "SIZE"
	if low == 1 {
		size = ""
	}
	g.line(fmt.Sprintf("static const int %s[%s] = {%s};", name, size, strings.Join(entries, ", ")))
}

func (g *generator) kindOf(entries []string) string {
	if strings.HasPrefix(entries[0], ".") {
		return "logical"
	}
	return "integer"
}

// widest is how long a line of a program may get; Fortran's limit is 132.
const widest = 100

// wrap breaks a statement behind commas outside quotes.
func (l *language) wrap(text string, indent int) string {
	if len(text)+indent <= widest || strings.HasPrefix(text, "! ") || strings.HasPrefix(text, "/*") {
		return text
	}
	var b strings.Builder
	used, begin, quoted := indent, 0, false
	flush := func(end int) {
		part := text[begin:end]
		if used+len(part) > widest-2 && begin > 0 {
			if l.fortran {
				b.WriteString(" &")
			}
			b.WriteString("\n" + strings.Repeat(" ", indent+4))
			part = strings.TrimLeft(part, " ")
			used = indent + 4
		}
		b.WriteString(part)
		used += len(part)
		begin = end
	}
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted || i > 0 && text[i-1] == '\\'
		case text[i] == ',' && !quoted:
			flush(i + 1)
		}
	}
	flush(len(text))
	return b.String()
}
