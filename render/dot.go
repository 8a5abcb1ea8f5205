package render

import (
	"fmt"
	"io"
	"strings"
)

// DOT writes lineage for Graphviz: a box for each communicator, with the call that made it on its
// edge. Intercommunicators have eight corners, freed communicators a dashed border. Siblings that one
// call made share a box when they are many.
func DOT(w io.Writer, v *View) error {
	a := newAncestry(v)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph lineage {\n  label=%s; labelloc=t;\n", dotText(a.title()))
	b.WriteString("  node [shape=box, fontname=\"sans-serif\", fontsize=11];\n")
	b.WriteString("  edge [fontname=\"sans-serif\", fontsize=9];\n")
	for i := range a.boxes {
		x := &a.boxes[i]
		style := ""
		if x.inter {
			style += ", shape=octagon"
		}
		if x.freed {
			style += ", style=dashed"
		}
		fmt.Fprintf(&b, "  c%d [label=%s%s];\n", i, dotText(x.lines()...), style)
		switch {
		case x.above >= 0:
			fmt.Fprintf(&b, "  c%d -> c%d [label=%s];\n", x.above, i, dotText(breakCall(x.call)...))
		case x.call != "":
			fmt.Fprintf(&b, "  f%d [shape=plaintext, label=%s];\n", i, dotText(breakCall(x.call)...))
			fmt.Fprintf(&b, "  f%d -> c%d;\n", i, i)
		}
	}
	if a.rest > 0 {
		fmt.Fprintf(&b, "  rest [shape=plaintext, label=%s];\n", dotText(a.more()))
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// dotText puts lines into a quoted string.
func dotText(lines ...string) string {
	text := strings.Join(lines, "\n")
	text = strings.ReplaceAll(text, `\`, `\\`)
	text = strings.ReplaceAll(text, `"`, `\"`)
	return `"` + strings.ReplaceAll(text, "\n", `\n`) + `"`
}

// breakCall puts the arguments of a call on a second line.
func breakCall(call string) []string {
	name, args, ok := strings.Cut(call, " ")
	if !ok {
		return []string{name}
	}
	return []string{name, strings.TrimSpace(args)}
}
