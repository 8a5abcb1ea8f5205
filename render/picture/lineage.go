package picture

import (
	"cmp"
	"slices"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// lineage arranges which communicator was made from which, from left to right: a box for each communicator, headed by
// the call that made it. Freed communicators have a dashed border. Siblings that one call made share a box when they
// are many.
func lineage(v *render.View, _ *render.Handle) (*scene.Scene, error) {
	a := render.AncestryOf(v)
	says := ""
	for i := range a.Boxes {
		says += a.Sentence(i) + " "
	}
	out := titled(a.Title(), says)
	t := &tree{a: a, kids: make([][]int, len(a.Boxes)), at: make([]scene.Thing, len(a.Boxes)), depth: make([]int, len(a.Boxes)), out: &scene.Scene{}}
	for i, b := range a.Boxes {
		if b.Above >= 0 {
			t.kids[b.Above] = append(t.kids[b.Above], i)
			t.depth[i] = t.depth[b.Above] + 1
		}
		t.measure(i)
	}
	for i, b := range a.Boxes {
		if b.Above < 0 {
			t.out.Height = t.put(i, t.out.Height)
		}
	}
	for i := range a.Boxes {
		t.lines(i)
	}
	for i := range a.Boxes {
		t.box(i)
	}
	out.Below(t.out, 1)
	if a.Rest > 0 {
		out.Lines(nil, paint.Text(a.More(), paint.Faint))
	}
	if slices.ContainsFunc(a.Boxes, func(b render.Box) bool { return b.Letter != "" }) {
		out.Height++
		notes(out, leastFigure, "A, B, ...: the letter of the communicator, as in tables of all variables.")
	}
	return out, nil
}

// tree is the boxes while they are arranged: a column for each generation.
type tree struct {
	a     *render.Ancestry
	kids  [][]int
	depth []int
	at    []scene.Thing // frames
	wide  []int         // of the columns
	out   *scene.Scene
}

// lineageGap is the columns between generations.
const lineageGap = 5

// texts returns the lines of a box, the call first.
func (t *tree) texts(i int) (list []paint.Line) {
	b := &t.a.Boxes[i]
	if b.Call != "" {
		for _, line := range paint.Wrap(b.Call, 32) {
			list = append(list, paint.Text(line, paint.Faint))
		}
	}
	lines := b.Lines()
	list = append(list, paint.Text(lines[0]+"  "+lines[1], paint.Bold))
	for _, line := range lines[2:] {
		list = append(list, paint.Text(line, paint.Plain))
	}
	return list
}

func (t *tree) measure(i int) {
	f := &t.at[i]
	*f = scene.Thing{Kind: scene.Frame, Dashed: t.a.Boxes[i].Freed, Ink: paint.Faint, Says: t.a.Sentence(i)}
	if b := &t.a.Boxes[i]; b.Letter != "" {
		f.Ink = paint.Part(b.Slot)
	}
	for k, l := range t.texts(i) {
		w := l.Width() + 4
		if k == 0 {
			w += paint.Width(t.a.Boxes[i].Letter) + 3
		}
		f.W, f.H = max(f.W, w), k+3
	}
	for len(t.wide) <= t.depth[i] {
		t.wide = append(t.wide, 0)
	}
	t.wide[t.depth[i]] = max(t.wide[t.depth[i]], f.W)
}

// put places a box, and what was made from it, below y, and returns where they end.
func (t *tree) put(i, y int) int {
	f := &t.at[i]
	f.X = lineageGap * t.depth[i]
	for _, w := range t.wide[:t.depth[i]] {
		f.X += w
	}
	f.W = t.wide[t.depth[i]]
	end := y
	for _, kid := range t.kids[i] {
		end = t.put(kid, end)
	}
	f.Y = y + max(end-y-f.H, 0)/2
	t.out.Width = max(t.out.Width, f.X+f.W)
	return max(end, f.Y+f.H)
}

// lines draws the ways to a box from those that it was made from.
func (t *tree) lines(i int) {
	f := &t.at[i]
	y, x := f.Y+f.H/2, f.X-3
	for _, from := range []int{t.a.Boxes[i].Above, t.a.Boxes[i].Beside} {
		if from < 0 {
			continue
		}
		q := &t.at[from]
		start := q.Y + q.H/2
		for at := q.X + q.W; at < x; at++ {
			t.out.Put(at, start, "─", paint.Faint)
		}
		for at := min(start, y) + 1; at < max(start, y); at++ {
			t.out.Put(x, at, "│", paint.Faint)
		}
		t.out.Put(x, start, "┼", paint.Faint)
		t.out.Put(x, y, map[int]string{-1: "╭", 0: "─", 1: "╰"}[cmp.Compare(y, start)], paint.Faint)
		t.out.Add(scene.Thing{Kind: scene.Arrow, X: x + 1, Y: y, W: 2, H: 1, Ink: paint.Faint})
	}
}

func (t *tree) box(i int) {
	f, b := t.at[i], &t.a.Boxes[i]
	t.out.Add(f)
	for k, l := range t.texts(i) {
		t.out.Line(f.X+2, f.Y+1+k, l)
	}
	if b.Letter != "" {
		w := paint.Width(b.Letter) + 2
		t.out.Add(scene.Thing{Kind: scene.Cell, X: f.X + f.W - w - 2, Y: f.Y + 1, W: w, H: 1, Cell: paint.Cell{Text: b.Letter, Slot: b.Slot},
			Says: "communicator " + b.Letter + " of " + b.Name})
	}
}
