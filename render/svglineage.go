package render

import (
	"io"
	"slices"
)

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
