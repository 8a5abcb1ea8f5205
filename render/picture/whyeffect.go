package picture

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// effect tells what came of a call that makes no communicator.
func (y *why) effect(out *scene.Scene) {
	switch y.step.Call {
	case engine.CallHWInfo:
		var b strings.Builder
		if render.HWInfo(&b, y.v, render.Style{Width: y.Width}) == nil {
			for row := range strings.SplitSeq(strings.TrimRight(b.String(), "\n"), "\n") {
				out.Lines(paint.Text(row, paint.Plain))
			}
		}
	case engine.CallBind:
		y.moved(out)
	case engine.CallFree, engine.CallDisconnect:
		y.freed(out)
	default:
		y.meeting(out)
	}
}

// meeting tells who came to a call, and who left it.
func (y *why) meeting(out *scene.Scene) {
	if len(y.step.Where) > 1 { // the ranks came from several lines: those who were there first waited
		for _, p := range y.step.Where {
			y.fact(out, render.RankNoun(p.Ranks.List(), factColumn-4), "called at "+p.Site.String())
		}
	}
	who := render.RankNoun(y.step.Ranks.List(), y.Width/2)
	switch {
	case y.step.Call == engine.CallBarrier:
		out.Say(who+" called; all went on once the last had called.", y.Width, paint.Plain)
	case y.step.Call.Collective():
		out.Say(who+" took part.", y.Width, paint.Plain)
	default:
		out.Say(who+" called; nobody waited for another.", y.Width, paint.Plain)
	}
}

// mostNamed is the most ranks or communicators that a fact names.
const mostNamed = 12

// moved tells which ranks moved where, and which communicators no longer reflect the hardware.
func (y *why) moved(out *scene.Scene) {
	s := y.v.Snapshot
	before, after := s.BindingsAt(y.step.Number-1), s.BindingsAt(y.step.Number)
	if before == nil {
		return
	}
	for i, r := range y.step.Ranks.List() {
		if i == mostNamed {
			y.fact(out, "", render.More(y.step.Ranks.Len()-i, "rank"))
			break
		}
		y.fact(out, "rank "+engine.RanksOf(int(r)).String(), placeOf(before[r])+" ─▶ "+placeOf(after[r]))
	}
	told := 0
	for _, c := range s.Comms {
		if y.src.Words.Stale(c.ID) == nil {
			continue
		}
		if told++; told > mostNamed {
			y.fact(out, "", "... and more")
			return
		}
		_, _, text := y.src.Words.Comm(c, "", y.Width)
		y.fact(out, y.src.Words.Name(c.ID), text)
	}
	if told == 0 {
		out.Say("No communicator is stale.", y.Width, paint.Plain)
	}
}

// placeOf returns "PU 3" or "PUs 4-5".
func placeOf(b *hw.Binding) string {
	if b.CPUSet.Len() == 1 {
		return "PU " + b.CPUSet.String()
	}
	return "PUs " + b.CPUSet.String()
}

// freed tells which communicator is gone, and which its processes still have.
func (y *why) freed(out *scene.Scene) {
	gone := y.v.Snapshot.Freed()
	var left []string
	for _, c := range y.v.Snapshot.Comms {
		if gone[c.ID] || c.ID == engine.SelfID {
			continue
		}
		if slices.ContainsFunc(y.step.Ranks.List(), func(r int32) bool {
			return slices.Contains(c.Group, r) || slices.Contains(c.Remote, r)
		}) {
			left = append(left, y.src.Words.Name(c.ID))
		}
	}
	if n := len(left) - mostNamed; n > 0 {
		left = append(left[:mostNamed], "... and "+strconv.Itoa(n)+" more")
	}
	y.fact(out, "freed", y.src.Words.Name(y.step.Comm)+", by "+render.RankNoun(y.step.Ranks.List(), y.Width/2))
	y.fact(out, "remains", strings.Join(left, ", "))
}
