package figure

import (
	"fmt"
	"io"
	"strings"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// DOT writes lineage for Graphviz: a box for each communicator, with the call that made it on the edge to it, and
// the letter and the color that it has in other pictures. Intercommunicators have eight corners, freed
// communicators a dashed border. Many siblings that one call made share a box.
func DOT(w io.Writer, v *render.View) error {
	a := render.AncestryOf(v)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph lineage {\n  label=%s; labelloc=t; fontname=\"Helvetica\";\n", dotText(a.Title()))
	b.WriteString("  node [shape=box, fontname=\"Helvetica\", fontsize=11];\n")
	b.WriteString("  edge [fontname=\"Helvetica\", fontsize=9];\n")
	for i := range a.Boxes {
		x := &a.Boxes[i]
		style := ""
		if x.Inter {
			style += ", shape=octagon"
		}
		if x.Freed {
			style += ", style=dashed"
		}
		if x.Letter != "" {
			style += fmt.Sprintf(", color=%q, penwidth=2", paint.InkRGB(x.Slot, false))
		}
		fmt.Fprintf(&b, "  c%d [label=%s%s];\n", i, dotText(x.Lettered()...), style)
		switch {
		case x.Above >= 0:
			fmt.Fprintf(&b, "  c%d -> c%d [label=%s];\n", x.Above, i, dotText(besideEdge(x.Call)...))
			if x.Beside >= 0 {
				fmt.Fprintf(&b, "  c%d -> c%d;\n", x.Beside, i)
			}
		case x.Call != "":
			fmt.Fprintf(&b, "  f%d [shape=plaintext, label=%s];\n", i, dotText(breakCall(x.Call)...))
			fmt.Fprintf(&b, "  f%d -> c%d;\n", i, i)
		}
	}
	if a.Rest > 0 {
		fmt.Fprintf(&b, "  rest [shape=plaintext, label=%s];\n", dotText(a.More()))
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// besideEdge breaks a call into lines with blanks around them, as Graphviz writes labels close to the edge.
func besideEdge(call string) []string {
	lines := breakCall(call)
	for i := range lines {
		lines[i] = " " + lines[i] + " "
	}
	return lines
}

// dotEscapes escapes the characters that have a meaning in a quoted string, or begin an HTML entity, which
// Graphviz reads in labels.
var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")

// dotText returns lines as a quoted string.
func dotText(lines ...string) string { return quoted(lines, dotEscapes, `\n`) }

// quoted returns lines as a quoted text, with a mark between them.
func quoted(lines []string, escapes *strings.Replacer, mark string) string {
	escaped := make([]string, len(lines))
	for i, l := range lines {
		escaped[i] = escapes.Replace(paint.OneLine(l))
	}
	return `"` + strings.Join(escaped, mark) + `"`
}

// Mermaid writes lineage as a flowchart for Mermaid, which Markdown viewers draw: a box for each communicator,
// with the call that made it on the edge to it, and the letter and the color that it has in other pictures.
// Intercommunicators have six corners, freed communicators a dashed border. Many siblings that one call made share
// a box.
func Mermaid(w io.Writer, v *render.View) error {
	a := render.AncestryOf(v)
	var b strings.Builder
	fmt.Fprintf(&b, "flowchart TD\n  accTitle: %s\n", a.Title())
	var freed []string
	colored := map[int][]string{}
	for i := range a.Boxes {
		x := &a.Boxes[i]
		open, shut := "[", "]"
		if x.Inter {
			open, shut = "{{", "}}"
		}
		node := fmt.Sprintf("c%d%s%s%s", i, open, mermaidText(x.Lettered()...), shut)
		label := "|" + mermaidText(breakCall(x.Call)...) + "| "
		switch {
		case x.Above >= 0:
			fmt.Fprintf(&b, "  c%d -->%s%s\n", x.Above, label, node)
			if x.Beside >= 0 {
				fmt.Fprintf(&b, "  c%d --> c%d\n", x.Beside, i)
			}
		case x.Call != "":
			fmt.Fprintf(&b, "  f%d([groups]) -->%s%s\n", i, label, node)
		default:
			fmt.Fprintf(&b, "  %s\n", node)
		}
		if x.Letter != "" {
			colored[x.Slot] = append(colored[x.Slot], fmt.Sprintf("c%d", i))
		}
		if x.Freed {
			freed = append(freed, fmt.Sprintf("c%d", i))
		}
	}
	if a.Rest > 0 {
		fmt.Fprintf(&b, "  rest([%s])\n", mermaidText(a.More()))
	}
	for slot := range paint.Slots {
		if list := colored[slot]; len(list) > 0 {
			fmt.Fprintf(&b, "  classDef p%d stroke:%s,stroke-width:2px\n  class %s p%d\n", slot, paint.InkRGB(slot, false), strings.Join(list, ","), slot)
		}
	}
	if len(freed) > 0 {
		fmt.Fprintf(&b, "  classDef freed stroke-dasharray: 4 3\n  class %s freed\n", strings.Join(freed, ","))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// mermaidEscapes replaces the characters that have a meaning for Mermaid or HTML inside a quoted text by Mermaid's
// entity codes.
var mermaidEscapes = strings.NewReplacer("#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;", "`", "#96;")

// mermaidText returns lines as a quoted text.
func mermaidText(lines ...string) string { return quoted(lines, mermaidEscapes, "<br>") }

// breakCall puts the arguments of a call on a second line.
func breakCall(call string) []string {
	name, args, ok := strings.Cut(call, " ")
	if !ok {
		return []string{name}
	}
	return []string{name, strings.TrimSpace(args)}
}
