package figure

import (
	"io"
	"slices"
	"strings"

	"commsplit/render"
)

// Lineage draws which communicator was made from which, from left to right: a box for each
// communicator, headed by the call that made it. Intercommunicators have a double border, freed
// communicators a dashed one. Siblings that one call made share a box when they are many.
func Lineage(w io.Writer, v *render.View, theme Theme) error {
	a := render.AncestryOf(v)
	t := &lineageTree{a: a, kids: make([][]int, len(a.Boxes)), place: make([]boxPlace, len(a.Boxes))}
	for i, b := range a.Boxes {
		if b.Above >= 0 {
			t.kids[b.Above] = append(t.kids[b.Above], i)
		} else {
			t.roots = append(t.roots, i)
		}
	}
	for _, r := range t.roots {
		t.measure(r, 0)
	}
	d := &drawing{}
	wide, y := d.head(a.Title(), leastWide)
	y += margin + 2*padding
	for _, r := range t.roots {
		y += t.put(r, 0, y) + spacing
	}
	for i := range a.Boxes {
		t.draw(d, i)
	}
	if a.Rest > 0 {
		d.text(margin, y+lineHigh, "quiet", a.More())
		y += 2 * lineHigh
	}
	if slices.ContainsFunc(a.Boxes, func(b render.Box) bool { return b.Letter != "" }) {
		const note = "A, B, ...: the letter of the communicator, as in tables of all variables."
		d.text(margin, y+lineHigh, "quiet small", note)
		wide, y = max(wide, textWide(note, smallSize)), y+lineHigh+padding
	}
	x := 0
	for _, column := range t.wide {
		x += column + lineageGap
	}
	wide = max(wide, x-lineageGap)
	desc := ""
	for i := range a.Boxes {
		desc += a.Sentence(i) + " "
	}
	return d.writeTo(w, wide+2*margin, y+margin, a.Title(), desc, theme)
}

// lineageGap is between columns of boxes, in pixels.
const lineageGap = 36

// boxPlace is where a box stands.
type boxPlace struct{ x, y, w, h, depth int }

// lineageTree is the boxes while they are laid out: a column for each generation.
type lineageTree struct {
	a     *render.Ancestry
	roots []int
	kids  [][]int
	place []boxPlace
	wide  []int // of the columns
}

// texts are the lines of a box, the call first.
func (t *lineageTree) texts(i int) (call, rest []string) {
	b := &t.a.Boxes[i]
	if b.Call != "" {
		call = breakCall(b.Call)
	}
	lines := b.Lines()
	return call, append([]string{lines[0] + "  " + lines[1]}, lines[2:]...)
}

func (t *lineageTree) measure(i, depth int) {
	call, rest := t.texts(i)
	p := &t.place[i]
	p.depth = depth
	p.h = (len(call)+len(rest))*lineHigh + 2*padding
	mark := badge{text: t.a.Boxes[i].Letter}
	room, _ := mark.size()
	for _, text := range call {
		p.w = max(p.w, textWide(text, smallSize)+room+3*padding)
	}
	p.w = max(p.w, boldWide(rest[0], fontSize)+2*padding)
	for _, text := range rest[1:] {
		p.w = max(p.w, textWide(text, fontSize)+2*padding)
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
	p.x = margin
	for _, w := range t.wide[:depth] {
		p.x += w + lineageGap
	}
	below := 0
	for k, kid := range t.kids[i] {
		if k > 0 {
			below += spacing
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
	p, b := &t.place[i], &t.a.Boxes[i]
	class := "box plain"
	if b.Freed {
		class += " dash"
	}
	for _, from := range []int{b.Above, b.Beside} {
		if from < 0 {
			continue
		}
		q := &t.place[from]
		x, y := q.x+q.w, q.y+q.h/2
		d.path("M%d %dC%d %d %d %d %d %d", x, y, x+lineageGap/2, y, x+lineageGap/2, p.y+p.h/2, p.x, p.y+p.h/2)
	}
	d.group(t.a.Sentence(i), func() {
		d.rect(p.x, p.y, p.w, p.h, 5, class)
		if b.Inter {
			d.rect(p.x+3, p.y+3, p.w-6, p.h-6, 4, "line box")
		}
		if b.Letter != "" {
			mark := badge{text: b.Letter, part: 0, slot: b.Slot, title: "communicator " + b.Letter + " of " + b.Name}
			w, _ := mark.size()
			d.badge(&mark, p.x+p.w-w-padding, p.y+padding)
		}
		y := p.y + padding + fontSize
		call, rest := t.texts(i)
		for _, text := range call {
			d.text(p.x+padding, y, "quiet small", text)
			y += lineHigh
		}
		for k, text := range rest {
			class := ""
			if k == 0 {
				class = "bold"
			}
			d.text(p.x+padding, y, class, text)
			y += lineHigh
		}
	})
}

// breakCall puts the arguments of a call on a second line.
func breakCall(call string) []string {
	name, args, ok := strings.Cut(call, " ")
	if !ok {
		return []string{name}
	}
	return []string{name, strings.TrimSpace(args)}
}
