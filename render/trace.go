package render

import "io"

// Trace prints the steps: number, call, communicator, who called, with which arguments, what came
// of it and where it is written. An argument that is the same on all ranks is shown once, one that
// differs as the list over the ranks.
func Trace(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	steps := v.Snapshot.Steps
	if len(steps) == 0 {
		p.line(plain("nothing has happened yet"))
		return p.writeTo(w)
	}
	names := newNaming(v)
	below := !fitsBeside(v, names, p.width)
	g := newGrid(column{right: true}, column{}, column{}, column{flexible: true}, column{},
		column{flexible: true}, column{flexible: true})
	g.row(stepHead(below)...)
	for i := range steps {
		s := &steps[i]
		args := func(width int) string { return arguments(s.Args, nil, width) }
		beside := fitted(args)
		if below {
			beside = text("")
		}
		g.row(text(itoa(s.Number)), text(s.Call.String()), text(names.of(s.Comm)),
			ascending(listOf(s.Ranks)), text(made(s.Made)), quiet(s.Site()), beside)
		if below && len(s.Args) > 0 {
			g.note(args)
		}
	}
	g.drawTo(p)
	return p.writeTo(w)
}

func stepHead(below bool) []cell {
	row := []cell{head("step"), head("call"), head("on"), head("ranks"), head("made"), head("where")}
	if below {
		return append(row, text(""))
	}
	return append(row, head("arguments"))
}

// fitsBeside reports whether arguments can stand beside the steps; otherwise they go below.
func fitsBeside(v *View, names naming, width int) bool {
	widest := 0
	for i := range v.Snapshot.Steps {
		s := &v.Snapshot.Steps[i]
		used := len(s.Call.String()) + textWidth(names.of(s.Comm)) + textWidth(s.Site()) +
			len(made(s.Made)) + len(rankList(listOf(s.Ranks), 3*narrowest)) +
			textWidth(arguments(s.Args, nil, width))
		widest = max(widest, used)
	}
	return widest+len("step")+6*gutter <= width
}

// made is "#2" or "#2-65": the communicators of one step are numbered in a row.
func made(ids []int) string {
	if len(ids) == 0 {
		return ""
	}
	list := make([]int32, len(ids))
	for i, id := range ids {
		list[i] = int32(id)
	}
	return "#" + rankList(list, unbounded)
}
