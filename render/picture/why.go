package picture

import (
	"fmt"
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
			out.Lines(nil, paint.Text(render.More(len(steps)-i, "call"), paint.Plain))
			break
		}
		if i > 0 {
			out.Lines(nil)
		}
		whyCall(v, h, p, step, WhyLook{Width: width}).onto(out)
	}
	return out
}

// WhyLook tells how a call is shown.
type WhyLook struct {
	Width int
	Bare  bool // without who called, which is said elsewhere
	Tight bool // in few lines: without blank lines and legends
	Big   bool // the ranks of communicators are in big letters, where they have room
}

// Why draws the calls since a step of the trace that were made together with the last one: who called, what the calls
// did, and the rule.
func Why(w io.Writer, v *render.View, from int, st render.Style) error {
	steps := v.Snapshot.Steps[from:]
	first := len(steps) - 1
	for first > 0 && len(steps)-first < mostCalls && steps[first-1].Call == steps[first].Call {
		first--
	}
	h := madeBy(v.Snapshot, steps[first:])
	p, out := render.PartingOf(v.Snapshot, h), &scene.Scene{}
	for i := range steps[first:] {
		out.Below(WhyOf(v, h, p, steps[first+i].Number, WhyLook{Width: st.Columns()}), min(i, 1))
	}
	return write(w, out, st)
}

// WhyOf arranges what Why draws for one step, in the letters of a variable that holds what the step made.
func WhyOf(v *render.View, h *render.Handle, p *render.Parting, step int, look WhyLook) *scene.Scene {
	out := &scene.Scene{}
	whyCall(v, h, p, step, look).onto(out)
	return out
}

// Did arranges the result of a step's call, without words about it: its buckets, its grid, or its communicators,
// in the letters of a variable that holds them. The scene is empty for a call that failed or made nothing.
func Did(v *render.View, h *render.Handle, p *render.Parting, step int, look WhyLook) *scene.Scene {
	y, out := whyCall(v, h, p, step, look), &scene.Scene{}
	if y.step.Err == nil && (len(y.made) > 0 || y.step.Call == engine.CallSplit) {
		y.draw(out)
	}
	return out
}

// madeBy returns, as a variable without a name, what the processes that made some calls hold by them.
func madeBy(s *engine.Snapshot, steps []engine.Step) *render.Handle {
	h := &render.Handle{IDs: slices.Repeat([]int32{render.Unset}, s.Size)}
	for i := range steps {
		for r := range steps[i].Ranks.All {
			h.IDs[r] = -1
		}
	}
	for i := range steps {
		for _, id := range steps[i].Made {
			if c := s.Comm(id); c != nil {
				for _, r := range slices.Concat(c.Group, c.Remote) {
					h.IDs[r] = int32(id)
				}
			}
		}
	}
	return h
}

// why is a call to show.
type why struct {
	WhyLook
	src  *lanes.Source
	p    *render.Parting
	v    *render.View
	step *engine.Step
	made []*engine.CommInfo
}

func whyCall(v *render.View, h *render.Handle, p *render.Parting, step int, look WhyLook) *why {
	y := &why{WhyLook: look, src: source(v, h, p), p: p, v: v, step: &v.Snapshot.Steps[step-1]}
	for _, id := range y.step.Made {
		if c := v.Snapshot.Comm(id); c != nil {
			y.made = append(y.made, c)
		}
	}
	return y
}

// onto puts the call, its picture and the rule at the end of a scene.
func (y *why) onto(out *scene.Scene) {
	if !y.Bare {
		text := y.src.Words.Step(y.step, y.Width)
		told := y.step.Call == engine.CallSplit || y.Tight && (y.step.Call == engine.CallMerge || y.leads()) // below
		if args := render.Passed(y.step, y.Width-2); args != "" && !told {
			text += ": " + args
		}
		out.Say(text, y.Width, paint.Bold)
	}
	if y.step.Err != nil {
		out.Say(y.step.Err.Error(), y.Width, paint.Alarm)
		return
	}
	list := y.explanations()
	y.draw(out)
	y.facts(out, list)
	y.rule(out, list)
}

// gap puts a blank line, where there is room for it.
func (y *why) gap(out *scene.Scene) {
	if !y.Tight && out.Height > 0 {
		out.Lines(nil)
	}
}

// factColumn is the column where the text behind a name begins.
const factColumn = 17

// fact puts a name with a text behind it.
func (y *why) fact(out *scene.Scene, name, text string) {
	for _, row := range paint.Wrap(text, max(y.Width-factColumn, factColumn)) {
		l := paint.Text("  "+name, paint.Faint)
		l.Pad(factColumn)
		l.Add(row, paint.Plain)
		out.Lines(l)
		name = ""
	}
}

// draw puts what the call did: buckets, a grid, the neighbors in a graph, or communicators side by side.
func (y *why) draw(out *scene.Scene) {
	if ph := divided(y.v.Snapshot, y.step.Number); ph != nil {
		call := lanes.Call{Phases: ph, Snapshot: y.v.Snapshot, Parting: y.p}
		if y.Tight {
			out.Below(call.Tight(y.Width, y.Big), 0)
		} else {
			out.Below(call.Buckets(y.Width, true), 0) // begins with a blank line
		}
		return
	}
	y.gap(out)
	switch {
	case len(y.made) == 0 && y.step.Call != engine.CallCreate:
		y.effect(out)
		return
	case len(y.made) > 0 && (y.grid(out) || y.neighbors(out)):
		gap := 1
		if y.Tight {
			gap = 0
		}
		out.Below(y.lanes(nil), gap)
		return
	}
	list, from := y.made, y.v.Snapshot.Comm(y.step.Comm)
	switch { // seen best beside what it came from
	case from == nil:
	case y.step.Call == engine.CallMerge && y.Tight:
		world := slices.DeleteFunc(slices.Clone(lanes.Rooms), func(r lanes.Room) bool { return r.Tall })
		out.Below(drawn(world, y.src, []*engine.CommInfo{from}, nil, y.Width), 0)
	case y.step.Call.Duplicates() || y.step.Call == engine.CallMerge:
		list = slices.Concat([]*engine.CommInfo{from}, list)
	}
	out.Below(y.lanes(list), 0)
	switch {
	case y.step.Call.Duplicates() && len(list) > len(y.made):
		var ids []string
		for _, c := range list {
			ids = append(ids, y.src.Words.Name(c.ID)+" "+y.src.Words.Contexts([]*engine.CommInfo{c}))
		}
		y.fact(out, "context ids", strings.Join(ids, ", "))
	default:
		y.leaders(out)
	}
}

// lanes arranges communicators, and the processes that got none.
func (y *why) lanes(list []*engine.CommInfo) *scene.Scene {
	rooms := slices.Clone(lanes.Rooms)
	if y.Tight {
		rooms = compact()
	}
	if y.Big {
		rooms = append([]lanes.Room{lanes.Poster}, rooms...)
	}
	return drawn(rooms, y.src, list, y.without(), y.Width)
}

// without returns the lanes of the processes that called and got no communicator.
func (y *why) without() []*lanes.Lane {
	var list []*lanes.Lane
	for _, l := range y.src.Last(y.p) {
		group := slices.DeleteFunc(slices.Clone(l.Sides[0].Group), func(r int32) bool { return !y.step.Ranks.Has(int(r)) })
		if l.State != paint.Null || len(group) == 0 {
			continue
		}
		l.Size, l.Sides = spell.Plural(len(group), "rank"), []*lanes.Side{{Group: group}}
		list = append(list, l)
	}
	return list
}

// leads reports whether the call has leaders of groups.
func (y *why) leads() bool { return y.step.Call.Procedure().Param("remote_leader") != nil }

// leaders puts who leads the two groups of an intercommunicator, and where the leaders meet.
func (y *why) leaders(out *scene.Scene) {
	ph, err := reason.Of(y.v.Snapshot, y.step.Number)
	if err != nil || len(ph.Leaders) < 2 {
		return
	}
	bridge, tag := "", ""
	for _, a := range y.step.Args {
		switch {
		case a.Name == "peer_comm":
			bridge = y.src.Words.Name(int(a.Ints[0]))
		case a.Name == "tag":
			tag = "tag " + strconv.Itoa(int(a.Ints[0]))
		case a.Name == "stringtag":
			tag = "stringtag " + strconv.Quote(a.Texts[0])
		}
	}
	if y.Tight && bridge != "" {
		left, right := ph.Leaders[0], ph.Leaders[1]
		y.fact(out, "leaders", fmt.Sprintf("w%d left, w%d right; they meet in %s, %s", left.World, right.World, bridge, tag))
		return
	}
	sides := y.v.Snapshot.Sides(y.step)
	for side, l := range ph.Leaders {
		text := "w" + strconv.Itoa(l.World) + ", rank " + strconv.Itoa(l.Rank) + " of "
		if len(sides) > side && sides[side].Comm >= 0 {
			text += y.src.Words.Name(sides[side].Comm)
		} else {
			text += "its group"
		}
		where := "of the other group"
		if bridge != "" {
			where = "in " + bridge
		}
		y.fact(out, [...]string{"left leader", "right leader"}[side], text+": names the other leader as rank "+strconv.Itoa(l.Remote)+" "+where)
	}
	if bridge == "" {
		y.fact(out, "bridge", "none: both leaders pass the same "+tag)
		return
	}
	y.fact(out, "bridge", bridge+", "+tag+": the leaders meet there; other ranks need not be in it")
}

// mostReasons is the most different reasons that are told of one call.
const mostReasons = 4

// explanations returns why the processes that called hold what the call gave them, without tables: the picture shows
// their order.
func (y *why) explanations() []reason.Explanation {
	if len(y.made) == 0 && y.step.Call != engine.CallCreate && y.step.Call != engine.CallSplit && y.step.Call != engine.CallSplitType {
		return nil
	}
	got := madeBy(y.v.Snapshot, y.v.Snapshot.Steps[y.step.Number-1:y.step.Number]).IDs
	held := func(rank int) reason.Held {
		if got[rank] >= 0 {
			return reason.Held{Comm: int(got[rank])}
		}
		return reason.Held{Comm: -1, Origin: &engine.Origin{Step: y.step.Number, Call: y.step.Call, Comm: y.step.Comm}}
	}
	ranks := y.step.Ranks
	if ranks.Len() > mostExplained { // the first of each communicator, and of those without one, stand for all
		list, none := []int{}, slices.Index(got, -1)
		for _, c := range y.made[:min(len(y.made), mostReasons)] {
			list = append(list, int(c.Group[0]))
		}
		if none >= 0 {
			list = append(list, none)
		}
		slices.Sort(list)
		ranks = engine.RanksOf(list...)
	}
	list, _ := reason.NewReader(y.v.Snapshot).Handle(held, ranks, mostReasons)
	for i := range list {
		list[i].Order = nil
	}
	return list
}

// mostExplained is the most ranks for each of which the reason is looked up.
const mostExplained = 4096

// facts puts what decided, where the picture does not show it: which group came first, which level of the hardware was
// taken and which were passed over, why a process got no communicator.
func (y *why) facts(out *scene.Scene, list []reason.Explanation) {
	var b strings.Builder
	if list = y.deciding(list); len(list) == 0 || render.Explain(&b, y.v, list, nil, render.Style{Width: y.Width}) != nil {
		return
	}
	y.gap(out)
	rows := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	if y.Tight && len(list) == 1 { // about all of them
		rows = rows[1:]
	}
	for _, row := range rows {
		if row != "" || !y.Tight {
			out.Lines(paint.Text(row, paint.Plain))
		}
	}
}

// shownFacts are the facts of MPI_Comm_split_type that its buckets show.
var shownFacts = []string{"split type", "info", "instance", "members"}

// deciding returns the explanations without what the picture shows, the call, and the rule, which stands below. What
// was said of ranks before is not said again.
func (y *why) deciding(list []reason.Explanation) []reason.Explanation {
	var out []reason.Explanation
	told := map[reason.Fact]bool{}
	takes := y.step.Call.Procedure()
	if y.Tight && takes.Takes("MPI_Group") != nil { // the group stands with the call, and its order in the lanes
		return nil
	}
	drawn := y.step.Call == engine.CallSplit || y.step.Call.Duplicates() || y.leads() ||
		len(y.made) > 0 && y.made[0].Topo() != engine.TopoNone
	for _, e := range list {
		if e.Comm >= 0 && drawn {
			continue
		}
		known := func(f reason.Fact) bool {
			again := told[f]
			told[f] = true
			return again || e.Comm >= 0 && y.step.Call == engine.CallSplitType && slices.Contains(shownFacts, f.Name) ||
				y.Tight && (y.step.Call == engine.CallMerge && f.Name == "high" || f.Name == "devices") // "first" and boxes tell
		}
		e.Step, e.Rule = nil, ""
		e.Facts = slices.DeleteFunc(slices.Clone(e.Facts), known)
		e.Tried = slices.DeleteFunc(slices.Clone(e.Tried), known)
		if len(e.Facts)+len(e.Tried) > 0 {
			out = append(out, e)
		}
	}
	return out
}

// rule puts the rules of the standard, each with its section.
func (y *why) rule(out *scene.Scene, list []reason.Explanation) {
	var told []string
	for i := range list {
		if text := list[i].Rule + " [" + list[i].In + "]"; list[i].Rule != "" && !slices.Contains(told, text) {
			told = append(told, text)
		}
	}
	if text, in := reason.RuleOf(y.step.Call); len(told) == 0 && text != "" {
		told = append(told, text+" ["+in+"]")
	}
	if len(told) > 0 {
		y.gap(out)
	}
	for _, text := range told {
		out.Say(text, y.Width, paint.Plain)
	}
}
