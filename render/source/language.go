package source

import (
	"fmt"
	"strings"
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
		if r < ' ' || r == 0x7f {
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
