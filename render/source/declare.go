package source

import (
	"fmt"
	"strings"
)

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

// logicalList is a list of logical constants.
func (g *generator) logicalList(name string, entries []string) string { return g.list(name, entries) }

// widest is how long a line of a program may get; Fortran's limit is 132.
const widest = 100

// wrap breaks a statement behind commas outside of quotes.
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
