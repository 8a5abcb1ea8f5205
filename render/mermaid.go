package render

import (
	"fmt"
	"io"
	"strings"
)

// Mermaid writes lineage as a flowchart for Mermaid, which Markdown viewers draw: a box for each
// communicator, with the call that made it on its edge, and the letter and the color that it has in
// other pictures. Intercommunicators have six corners, freed communicators a dashed border. Siblings
// that one call made share a box when they are many.
func Mermaid(w io.Writer, v *View) error {
	a := newAncestry(v)
	var b strings.Builder
	fmt.Fprintf(&b, "flowchart TD\n  accTitle: %s\n", a.title())
	var freed []string
	colored := map[string][]string{}
	for i := range a.boxes {
		x := &a.boxes[i]
		open, shut := "[", "]"
		if x.inter {
			open, shut = "{{", "}}"
		}
		node := fmt.Sprintf("c%d%s%s%s", i, open, mermaidText(x.lettered()...), shut)
		label := "|" + mermaidText(breakCall(x.call)...) + "| "
		switch {
		case x.above >= 0:
			fmt.Fprintf(&b, "  c%d -->%s%s\n", x.above, label, node)
		case x.call != "":
			fmt.Fprintf(&b, "  f%d([groups]) -->%s%s\n", i, label, node)
		default:
			fmt.Fprintf(&b, "  %s\n", node)
		}
		if x.letter != "" {
			colored[x.color()] = append(colored[x.color()], fmt.Sprintf("c%d", i))
		}
		if x.freed {
			freed = append(freed, fmt.Sprintf("c%d", i))
		}
	}
	if a.rest > 0 {
		fmt.Fprintf(&b, "  rest([%s])\n", mermaidText(a.more()))
	}
	for i, color := range lightShade.parts {
		if list := colored[color]; len(list) > 0 {
			fmt.Fprintf(&b, "  classDef p%d stroke:%s,stroke-width:2px\n  class %s p%d\n", i, color, strings.Join(list, ","), i)
		}
	}
	if len(freed) > 0 {
		fmt.Fprintf(&b, "  classDef freed stroke-dasharray: 4 3\n  class %s freed\n", strings.Join(freed, ","))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// mermaidEscapes are the characters that mean something to Mermaid or to HTML inside of a quoted
// text, as Mermaid's entity codes.
var mermaidEscapes = strings.NewReplacer("#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;", "`", "#96;")

// mermaidText puts lines into a quoted text.
func mermaidText(lines ...string) string {
	escaped := make([]string, len(lines))
	for i, l := range lines {
		escaped[i] = mermaidEscapes.Replace(printable(l))
	}
	return `"` + strings.Join(escaped, "<br>") + `"`
}
