package render

import (
	"fmt"
	"io"
	"strings"
)

// DOT writes lineage for Graphviz: a box for each communicator, with the call that made it on its
// edge, and the letter and the color that it has in other pictures. Intercommunicators have eight
// corners, freed communicators a dashed border. Siblings that one call made share a box when they are
// many.
func DOT(w io.Writer, v *View) error {
	a := newAncestry(v)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph lineage {\n  label=%s; labelloc=t; fontname=\"Helvetica\";\n", dotText(a.title()))
	b.WriteString("  node [shape=box, fontname=\"Helvetica\", fontsize=11];\n")
	b.WriteString("  edge [fontname=\"Helvetica\", fontsize=9];\n")
	for i := range a.boxes {
		x := &a.boxes[i]
		style := ""
		if x.inter {
			style += ", shape=octagon"
		}
		if x.freed {
			style += ", style=dashed"
		}
		if x.letter != "" {
			style += fmt.Sprintf(", color=%q, penwidth=2", x.color())
		}
		fmt.Fprintf(&b, "  c%d [label=%s%s];\n", i, dotText(x.lettered()...), style)
		switch {
		case x.above >= 0:
			fmt.Fprintf(&b, "  c%d -> c%d [label=%s];\n", x.above, i, dotText(besideEdge(x.call)...))
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

// besideEdge is a call with blanks around its lines, which Graphviz writes close to the edge.
func besideEdge(call string) []string {
	lines := breakCall(call)
	for i := range lines {
		lines[i] = " " + lines[i] + " "
	}
	return lines
}

// dotEscapes are the characters that mean something in a quoted string, or as the begin of an entity of
// HTML, which Graphviz reads in labels.
var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")

// dotText puts lines into a quoted string.
func dotText(lines ...string) string {
	escaped := make([]string, len(lines))
	for i, l := range lines {
		escaped[i] = dotEscapes.Replace(printable(l))
	}
	return `"` + strings.Join(escaped, `\n`) + `"`
}

// breakCall puts the arguments of a call on a second line.
func breakCall(call string) []string {
	name, args, ok := strings.Cut(call, " ")
	if !ok {
		return []string{name}
	}
	return []string{name, strings.TrimSpace(args)}
}
