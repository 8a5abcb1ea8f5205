package picture

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/lanes"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// reasons shows, for each call that made communicators of a partition, who called it, a picture of what the call
// did, and the rule by which it did so.
func reasons(v *render.View, h *render.Handle, p *render.Parting, width int) *scene.Scene {
	out := &scene.Scene{}
	var steps []int
	for _, c := range commsOf(v, p) {
		if c.Step > 0 && !slices.Contains(steps, c.Step) {
			steps = append(steps, c.Step)
		}
	}
	for i, step := range steps {
		if i == mostCalls {
			out.Lines(nil, paint.Text("... and "+spell.Plural(len(steps)-i, "more call"), paint.Plain))
			break
		}
		if i > 0 {
			out.Lines(nil)
		}
		whyCall(v, h, p, step, width).onto(out, true)
	}
	return out
}

// Why draws a step of the trace: who called, what the call did, and the rule.
func Why(w io.Writer, v *render.View, step int, st render.Style) error {
	h := madeBy(v.Snapshot, &v.Snapshot.Steps[step-1])
	return write(w, WhyOf(v, h, render.PartingOf(v.Snapshot, h), step, st.Columns(), true), st)
}

// WhyOf arranges the same for a width, in the letters of a variable that holds what the step made. Without head, who
// called is left out.
func WhyOf(v *render.View, h *render.Handle, p *render.Parting, step, width int, head bool) *scene.Scene {
	out := &scene.Scene{}
	whyCall(v, h, p, step, width).onto(out, head)
	return out
}

// madeBy returns what the processes that made a call hold by it.
func madeBy(s *engine.Snapshot, step *engine.Step) *render.Handle {
	h := &render.Handle{Name: "the result", IDs: make([]int32, s.Size)}
	for r := range h.IDs {
		h.IDs[r] = render.Unset
	}
	for r := range step.Ranks.All {
		h.IDs[r] = -1
	}
	for _, id := range step.Made {
		if c := s.Comm(id); c != nil {
			for _, r := range slices.Concat(c.Group, c.Remote) {
				h.IDs[r] = int32(id)
			}
		}
	}
	return h
}

// why is a call to be shown.
type why struct {
	src   *lanes.Source
	p     *render.Parting
	h     *render.Handle
	v     *render.View
	step  *engine.Step
	made  []*engine.CommInfo
	width int
}

func whyCall(v *render.View, h *render.Handle, p *render.Parting, step, width int) *why {
	y := &why{src: source(v, h, p), p: p, h: h, v: v, step: &v.Snapshot.Steps[step-1], width: width}
	for _, id := range y.step.Made {
		if c := v.Snapshot.Comm(id); c != nil {
			y.made = append(y.made, c)
		}
	}
	return y
}

// onto puts the call, its picture and the rule below what is there.
func (y *why) onto(out *scene.Scene, head bool) {
	if head {
		text := y.src.Words.Step(y.step, y.width)
		if args := render.Passed(y.step, y.width-2); args != "" && y.step.Call != engine.CallSplit {
			text += ": " + args
		}
		y.say(out, text, paint.Bold)
	}
	if y.step.Err != nil {
		y.say(out, y.step.Err.Error(), paint.Alarm)
		return
	}
	list := y.explanations()
	y.draw(out)
	y.facts(out, list)
	y.rule(out, list)
}

// say puts a text in lines of the width.
func (y *why) say(out *scene.Scene, text string, k paint.Ink) {
	for _, row := range paint.Wrap(text, y.width) {
		out.Lines(paint.Text(row, k))
	}
}

// draw puts what the call did: buckets, a grid, the neighbors in a graph, or communicators side by side.
func (y *why) draw(out *scene.Scene) {
	if ph := divided(y.v.Snapshot, y.step.Number); ph != nil {
		call := lanes.Call{Phases: ph, Snapshot: y.v.Snapshot, Parting: y.p}
		out.Below(call.Buckets(y.width, true), 0) // begins with a blank line
		return
	}
	if out.Height > 0 {
		out.Lines(nil)
	}
	if len(y.made) == 0 {
		y.meeting(out)
		return
	}
	if y.grid(out) || y.neighbors(out) {
		return
	}
	list := y.made
	if y.step.Call.Duplicates() || y.step.Call == engine.CallMerge { // seen best beside what it came from
		if from := y.v.Snapshot.Comm(y.step.Comm); from != nil {
			list = slices.Concat([]*engine.CommInfo{from}, list)
		}
	}
	out.Below(drawn(y.src, list, y.src.Last(y.p), y.width), 0)
}

// meeting tells who came to a call that makes no communicator, and who left it.
func (y *why) meeting(out *scene.Scene) {
	who := render.RankNoun(y.step.Ranks.List(), y.width/2)
	switch {
	case y.step.Call == engine.CallBarrier:
		y.say(out, who+" came; when the last of them had called, all went on.", paint.Plain)
	case y.step.Call.Collective():
		y.say(out, who+" took part.", paint.Plain)
	default:
		y.say(out, who+" called; nobody waited for another.", paint.Plain)
	}
}

// grid draws the processes of a Cartesian topology at their coordinates; of MPI_Cart_sub, which group of them each
// subgrid took. It reports whether there is a grid.
func (y *why) grid(out *scene.Scene) bool {
	of := y.made[0]
	if y.step.Call == engine.CallCartSub {
		of = y.v.Snapshot.Comm(y.step.Comm)
	}
	dims, periods, _ := of.Grid(0)
	if dims == nil {
		return false
	}
	cells, wide := y.seats(of, true)
	if n := len(dims); n > 0 && dims[n-1]*(wide+3)+6 > y.width {
		cells, wide = y.seats(of, false) // without world ranks, which the hardware shows
	}
	columns, across, down := 1, "", ""
	if n := len(dims); n > 0 {
		columns = dims[n-1]
		across = arrowOf(periods[n-1], "↔")
		if n > 1 {
			down = arrowOf(periods[n-2], "↕")
		}
	}
	if columns*(wide+3)+6 > y.width { // too wide for rows: one process a line
		columns = 1
	}
	for i := 0; i < len(cells); i += columns {
		var l paint.Line
		l.Add(across+"  ", paint.Accent)
		for k := i; k < min(i+columns, len(cells)); k++ {
			world := int(of.Group[k])
			ink := paint.Plain
			if part, _, _ := y.p.Place(world); part >= 0 {
				ink = paint.Fill(y.p.Slot(part))
			}
			l.Add(" "+cells[k]+strings.Repeat(" ", wide-paint.Width(cells[k])+1), ink)
			l.Add(" ", paint.Plain)
		}
		l.Add(" "+across, paint.Accent)
		out.Lines(l)
	}
	text := "A cell has the coordinates, the letter and rank in the communicator, and the world rank where there is room. " +
		"The last coordinate runs along a row."
	if strings.TrimSpace(across+down) != "" {
		text += " " + strings.TrimSpace(across+" "+down) + ": periodic, the last process is a neighbor of the first."
	}
	if down = strings.TrimSpace(down); down != "" {
		out.Lines(paint.Text("  "+strings.Repeat(" "+down+strings.Repeat(" ", wide+1), columns), paint.Accent))
	}
	y.say(out, text, paint.Faint)
	return true
}

// seats returns the text of each process of a grid, in rank order, and the width of the widest.
func (y *why) seats(of *engine.CommInfo, worlds bool) (cells []string, wide int) {
	for rank, world := range of.Group {
		_, _, at := of.Grid(rank)
		parts := make([]string, len(at))
		for i, n := range at {
			parts[i] = strconv.Itoa(n)
		}
		text := "(" + strings.Join(parts, ",") + ") " + y.p.Cell(int(world))
		if worlds {
			text += " w" + strconv.Itoa(int(world))
		}
		cells = append(cells, text)
		wide = max(wide, paint.Width(text))
	}
	return cells, wide
}

// arrowOf returns the sign of a dimension that is periodic.
func arrowOf(periodic bool, sign string) string {
	if periodic {
		return sign
	}
	return " "
}

// neighbors lists the edges of a graph topology. It reports whether there is a graph.
func (y *why) neighbors(out *scene.Scene) bool {
	c := y.made[0]
	if _, ok := c.Neighbors(0); !ok {
		return false
	}
	for rank, world := range c.Group {
		list, _ := c.Neighbors(rank)
		text := make([]string, len(list))
		for i, n := range list {
			text[i] = strconv.Itoa(n)
		}
		var l paint.Line
		l.Add(" rank "+strconv.Itoa(rank)+" (w"+strconv.Itoa(int(world))+") ", paint.Fill(y.p.Slot(max(y.p.Find(c.ID), 0))))
		l.Add(" ─▶ ", paint.Accent)
		l.Add(paint.Cut(strings.Join(text, ", "), y.width/2), paint.Plain)
		if len(list) == 0 {
			l.Add("no neighbor", paint.Faint)
		}
		out.Lines(l)
	}
	return true
}

// mostReasons is the most different reasons that are told of one call.
const mostReasons = 4

// explanations returns why the processes that called hold what the call gave them, without tables: the picture shows
// their order.
func (y *why) explanations() []reason.Explanation {
	if len(y.made) == 0 {
		return nil
	}
	held := func(rank int) reason.Held {
		for _, c := range y.made {
			if slices.Contains(c.Group, int32(rank)) || slices.Contains(c.Remote, int32(rank)) {
				return reason.Held{Comm: c.ID}
			}
		}
		return reason.Held{Comm: -1, Origin: &engine.Origin{Step: y.step.Number, Call: y.step.Call, Comm: y.step.Comm}}
	}
	ranks := y.step.Ranks
	if ranks.Len() > mostExplained { // the first of each communicator stand for all
		ranks = nil
		for _, c := range y.made[:min(len(y.made), mostReasons)] {
			ranks.Append(c.Group[0])
		}
	}
	list, _ := reason.Handle(y.v.Snapshot, held, ranks, mostReasons)
	for i := range list {
		list[i].Order = nil
	}
	return list
}

// mostExplained is the most ranks of which each is asked for its reason.
const mostExplained = 4096

// facts puts what decided, for calls whose picture does not show it: which group came first, who led, which level of
// the hardware was taken and which were passed over.
func (y *why) facts(out *scene.Scene, list []reason.Explanation) {
	if y.step.Call == engine.CallSplit || len(list) == 0 {
		return
	}
	var b strings.Builder
	bare := slices.Clone(list)
	for i := range bare {
		bare[i].Rule = "" // it stands below
	}
	if render.Explain(&b, y.v, bare, nil, render.Style{Width: y.width}) != nil {
		return
	}
	out.Lines(nil)
	for row := range strings.SplitSeq(strings.TrimRight(b.String(), "\n"), "\n") {
		out.Lines(paint.Text(row, paint.Plain))
	}
}

// rule puts the rules of the standard, each with its section.
func (y *why) rule(out *scene.Scene, list []reason.Explanation) {
	var told []string
	for i := range list {
		if text := list[i].Rule + " [" + list[i].In + "]"; list[i].Rule != "" && !slices.Contains(told, text) {
			told = append(told, text)
		}
	}
	if text := reason.RuleOf(y.step.Call); len(told) == 0 && text != "" {
		told = append(told, text+" ["+y.step.Call.Rule()+"]")
	}
	if len(told) > 0 {
		out.Lines(nil)
	}
	for _, text := range told {
		y.say(out, text, paint.Plain)
	}
}
