package source

import (
	"fmt"
	"strings"
	"unicode"

	"codeberg.org/commsplit/commsplit/engine"
)

// language is how C and Fortran write statements. Both write a call as its name and its arguments; C marks the
// arguments that get results. Package fmt fills in the texts that have verbs.
type language struct {
	fortran             bool
	reserved            []string // names that programs use already, in lower case
	and, or, unlike     string
	yes, no             string // the constants of logical arguments
	integer             string // the datatype of an integer
	mine                string // the entry of this process in a table
	modulo, choose, ref string
	invoke, assign      string
	begin, end          string // around the statements that a condition guards
	guard               string // for libraries of at least a version
}

var inC = &language{and: " && ", or: " || ", unlike: " != ", yes: "1", no: "0", integer: "MPI_INT", mine: "[me]", modulo: "me %% %d",
	choose: "(%s ? %s : %s)", ref: "&%s", invoke: "%s(%s);", assign: "%s = %s;", begin: "if (%s) {", end: "}",
	guard: "#if MPI_VERSION * 10 + MPI_SUBVERSION >= %d\n",
	reserved: strings.Fields("me size world_group group session info request requests pending " +
		"number numbers results result report group_of session_group main auto break case char const continue default do double else enum extern " +
		"float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void " +
		"volatile while bool true false nullptr ranks comm line lines length argc argv errno stdin stdout stderr printf")}

var inFortran = &language{fortran: true, and: " .and. ", or: " .or. ", unlike: " /= ", yes: ".true.", no: ".false.", integer: "MPI_INTEGER", mine: "(me)",
	modulo: "mod(me, %d)", choose: "merge(%[2]s, %[3]s, %[1]s)", ref: "%s", invoke: "call %s(%s)", assign: "%s = %s", begin: "if (%s) then", end: "end if",
	guard: "#if MPI_STANDARD >= %d\n",
	reserved: strings.Fields("me size world_group group session info " +
		"request requests pending number numbers results report group_of session_group main commsplit_program merge mod call end if then else " +
		"result integer logical type use contains print write ranks comm line lines length")}

// out writes an argument that gets a result.
func (l *language) out(name string) string { return fmt.Sprintf(l.ref, name) }

func (l *language) call(name string, args ...string) string {
	return fmt.Sprintf(l.invoke, name, strings.Join(args, ", "))
}

func (l *language) set(name, value string) string { return fmt.Sprintf(l.assign, name, value) }

// atLeast returns the line that opens a guard for libraries of at least that version.
func (l *language) atLeast(since engine.Std) string { return fmt.Sprintf(l.guard, int(since)) }

// logical writes a constant of a logical argument.
func (l *language) logical(v bool) string {
	if v {
		return l.yes
	}
	return l.no
}

// comment writes the lines of a comment.
func (l *language) comment(lines []string, pad string) string {
	if l.fortran {
		return pad + "! " + strings.Join(lines, "\n"+pad+"! ") + "\n"
	}
	text := strings.ReplaceAll(strings.Join(lines, "\n"+pad+" * "), "*/", "* /")
	return pad + "/* " + strings.ReplaceAll(text, "/*", "/ *") + " */\n"
}

// Plain returns a text with a question mark for each control character.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, text)
}

// quoted writes a text as a constant, as Plain returns it.
func (l *language) quoted(text string) string {
	text = Plain(text)
	if l.fortran {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	text = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "?", `\?`).Replace(text)
	return `"` + text + `"`
}

// declare writes a table over the world ranks, or a list of numbers: C at the place, Fortran at the
// top. low is the index of the first entry in Fortran.
func (g *generator) declare(name string, low int, entries []string) {
	if g.lang.fortran {
		kind := "integer"
		if strings.HasPrefix(entries[0], ".") {
			kind = "logical"
		}
		text := fmt.Sprintf("%s, parameter :: %s(%d:%d) = [ %s ]", kind, name, low, low+len(entries)-1, strings.Join(entries, ", "))
		g.declared = append(g.declared, declaration{name, text})
		return
	}
	size := "SIZE"
	if low == 1 {
		size = ""
	}
	g.line(fmt.Sprintf("static const int %s[%s] = {%s};", name, size, strings.Join(entries, ", ")))
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
