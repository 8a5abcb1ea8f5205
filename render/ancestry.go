package render

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/render/paint"
)

// ancestryBoxes is how many boxes a graph of lineage may have.
const ancestryBoxes = 56

// ancestry is lineage as a graph: a box for each communicator, or for several that one call made.
// DOT, Mermaid and SVG draw the same one.
type ancestry struct {
	boxes []box
	rest  int // how many boxes were left out
}

// box is one communicator, or several siblings.
type box struct {
	above   int    // index of the box that it was made from, -1 for none
	name    string // "half#2", "#6..#13"
	size    string // "6 ranks"
	ranks   string // the world ranks, "" for several communicators
	remarks string // context ids, hardware, names given, freed, stale
	call    string // "MPI_Comm_split color=0", "" for what is predefined
	letter  string // of a single communicator, what it is called in pictures of the variable that holds it
	part    int    // and its place there
	inter   bool
	freed   bool
}

// newAncestry folds siblings until there are few boxes.
func newAncestry(v *View) *ancestry {
	var a *ancestry
	for _, alone := range []int{8, 4, 1} {
		a = &ancestry{}
		if len(v.Snapshot.Comms) == 0 {
			return a
		}
		f := newFamily(v, alone)
		f.names.short = true
		for _, root := range f.roots() {
			a.add(f, root, -1)
		}
		if len(a.boxes) <= ancestryBoxes {
			return a
		}
	}
	a.rest = len(a.boxes) - ancestryBoxes
	a.boxes = a.boxes[:ancestryBoxes]
	return a
}

// add adds a box and, behind it, everything made from it.
func (a *ancestry) add(f *family, comms []*engine.CommInfo, above int) {
	at := len(a.boxes)
	b := f.box(comms)
	b.above = above
	a.boxes = append(a.boxes, b)
	for _, kids := range f.below(comms) {
		a.add(f, kids, at)
	}
}

// box tells of some communicators what a box shows.
func (f *family) box(comms []*engine.CommInfo) box {
	const wide = 40
	c := comms[0]
	b := box{name: f.names.of(c.ID), size: Sizes(comms), inter: c.Remote != nil}
	state := f.state(comms)
	b.freed = strings.HasPrefix(state, "freed")
	b.remarks = words(contexts(comms, contextWidth), state)
	if n := len(comms); n > 1 {
		b.name += ".." + f.names.of(comms[n-1].ID)
		b.size = Plural(n, "communicator") + " of " + b.size
		b.call = words(c.Op.String(), c.Where)
		return b
	}
	b.letter, b.part = f.names.letter(c.ID)
	b.remarks = words(contexts(comms, contextWidth), instance(f.view.Snapshot, c), f.names.set(c.ID), state)
	b.ranks = "world " + OrderList(c.Group, wide)
	if c.Remote != nil {
		b.ranks = "left " + OrderList(c.Group, wide/2) + " right " + OrderList(c.Remote, wide/2)
	}
	if c.Op != engine.CallNone {
		b.call = words(c.Op.String(), f.arguments(c, wide))
	}
	return b
}

// lines are what a box shows, one below the other, without the call that made it.
func (b *box) lines() []string {
	list := []string{b.name, b.size}
	for _, text := range []string{b.ranks, b.remarks} {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// lettered are these lines, with the letter behind the name.
func (b *box) lettered() []string {
	list := b.lines()
	if b.letter != "" {
		list[0] += " (" + b.letter + ")"
	}
	return list
}

// color is that of the communicator in other pictures.
func (b *box) color() string { return lightShade.parts[b.part%paint.PartInks] }

// title is what a picture of lineage is called.
func (a *ancestry) title() string { return "Which communicator was made from which" }

// more says how many boxes were left out, "" for none.
func (a *ancestry) more() string {
	if a.rest == 0 {
		return ""
	}
	return "... and " + strconv.Itoa(a.rest) + " more"
}

// SVGLineage draws which communicator was made from which, from left to right: a box for each
// communicator, headed by the call that made it. Intercommunicators have a double border, freed
// communicators a dashed one. Siblings that one call made share a box when they are many.
func SVGLineage(w io.Writer, v *View, theme Theme) error {
	a := newAncestry(v)
	t := &lineageTree{a: a, kids: make([][]int, len(a.boxes)), place: make([]boxPlace, len(a.boxes))}
	for i, b := range a.boxes {
		if b.above >= 0 {
			t.kids[b.above] = append(t.kids[b.above], i)
		} else {
			t.roots = append(t.roots, i)
		}
	}
	for _, r := range t.roots {
		t.measure(r, 0)
	}
	d := &drawing{}
	wide, y := d.head(a.title(), leastWide)
	y += svgEdge + 2*svgPad
	for _, r := range t.roots {
		y += t.put(r, 0, y) + svgGap
	}
	for i := range a.boxes {
		t.draw(d, i)
	}
	if a.rest > 0 {
		d.text(svgEdge, y+svgLine, "quiet", a.more())
		y += 2 * svgLine
	}
	if slices.ContainsFunc(a.boxes, func(b box) bool { return b.letter != "" }) {
		const note = "A, B, ...: what the communicator is called in the picture of the variable that holds it."
		d.text(svgEdge, y+svgLine, "quiet small", note)
		wide, y = max(wide, svgWide(note, svgSmall)), y+svgLine+svgPad
	}
	x := 0
	for _, column := range t.wide {
		x += column + lineageGap
	}
	wide = max(wide, x-lineageGap)
	desc := ""
	for i := range a.boxes {
		desc += a.sentence(i) + " "
	}
	return d.writeTo(w, wide+2*svgEdge, y+svgEdge, a.title(), desc, theme)
}

// sentence tells of a box in words.
func (a *ancestry) sentence(i int) string {
	b := &a.boxes[i]
	text := b.name + ", " + b.size
	switch {
	case b.above >= 0:
		text += ", from " + a.boxes[b.above].name + " by " + b.call
	case b.call != "":
		text += ", by " + b.call
	}
	return text + "."
}

// lineageGap is between columns of boxes, in pixels.
const lineageGap = 36

// boxPlace is where a box stands.
type boxPlace struct{ x, y, w, h, depth int }

// lineageTree is the boxes while they are laid out: a column for each generation.
type lineageTree struct {
	a     *ancestry
	roots []int
	kids  [][]int
	place []boxPlace
	wide  []int // of the columns
}

// texts are the lines of a box, the call first.
func (t *lineageTree) texts(i int) (call, rest []string) {
	b := &t.a.boxes[i]
	if b.call != "" {
		call = breakCall(b.call)
	}
	lines := b.lines()
	return call, append([]string{lines[0] + "  " + lines[1]}, lines[2:]...)
}

func (t *lineageTree) measure(i, depth int) {
	call, rest := t.texts(i)
	p := &t.place[i]
	p.depth = depth
	p.h = (len(call)+len(rest))*svgLine + 2*svgPad
	mark := badge{text: t.a.boxes[i].letter}
	room, _ := mark.size()
	for _, text := range call {
		p.w = max(p.w, svgWide(text, svgSmall)+room+3*svgPad)
	}
	p.w = max(p.w, svgBold(rest[0], svgFont)+2*svgPad)
	for _, text := range rest[1:] {
		p.w = max(p.w, svgWide(text, svgFont)+2*svgPad)
	}
	for len(t.wide) <= depth {
		t.wide = append(t.wide, 0)
	}
	t.wide[depth] = max(t.wide[depth], p.w)
	for _, k := range t.kids[i] {
		t.measure(k, depth+1)
	}
}

// put places a box and what was made from it below y, and returns the height of all.
func (t *lineageTree) put(i, depth, y int) int {
	p := &t.place[i]
	p.x = svgEdge
	for _, w := range t.wide[:depth] {
		p.x += w + lineageGap
	}
	below := 0
	for k, kid := range t.kids[i] {
		if k > 0 {
			below += svgGap
		}
		below += t.put(kid, depth+1, y+below)
	}
	p.w, p.y = t.wide[depth], y
	if below > p.h {
		p.y = y + (below-p.h)/2
	}
	return max(p.h, below)
}

func (t *lineageTree) draw(d *drawing, i int) {
	p, b := &t.place[i], &t.a.boxes[i]
	class := "box plain"
	if b.freed {
		class += " dash"
	}
	if b.above >= 0 {
		q := &t.place[b.above]
		x, y := q.x+q.w, q.y+q.h/2
		d.path("line", "M%d %dC%d %d %d %d %d %d", x, y, x+lineageGap/2, y, x+lineageGap/2, p.y+p.h/2, p.x, p.y+p.h/2)
	}
	d.group(t.a.sentence(i), func() {
		d.rect(p.x, p.y, p.w, p.h, 5, class)
		if b.inter {
			d.rect(p.x+3, p.y+3, p.w-6, p.h-6, 4, "line box")
		}
		if b.letter != "" {
			mark := badge{text: b.letter, part: int32(b.part), title: "communicator " + b.letter + " of " + b.name}
			w, _ := mark.size()
			d.badge(&mark, p.x+p.w-w-svgPad, p.y+svgPad)
		}
		y := p.y + svgPad + svgFont
		call, rest := t.texts(i)
		for _, text := range call {
			d.text(p.x+svgPad, y, "quiet small", text)
			y += svgLine
		}
		for k, text := range rest {
			class := ""
			if k == 0 {
				class = "bold"
			}
			d.text(p.x+svgPad, y, class, text)
			y += svgLine
		}
	})
}

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
		escaped[i] = dotEscapes.Replace(paint.OneLine(l))
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
		escaped[i] = mermaidEscapes.Replace(paint.OneLine(l))
	}
	return `"` + strings.Join(escaped, "<br>") + `"`
}
