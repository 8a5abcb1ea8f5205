package picture_test

import (
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// Each layout is recorded once, as a scene in text: six ranks on two packages, of which the even and the odd ones are
// apart, in reverse order, and rank 5 has no communicator; then a grid of two rows; then ranks 0 and 1 wait for the
// others. With UPDATE=1 the scenes are recorded anew.
func TestScenes(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "pack:2 core:3 pu:1")
	s := worlds.New(t, topo, worlds.Place(t, topo, 6, placement.Policy{}))
	s.Split("half", 1, func(r int) int {
		if r == 5 {
			return engine.Undefined
		}
		return r % 2
	}, func(r int) int { return -r })
	s.Assign("grid", 2, func(p *engine.Process) (*engine.Comm, error) {
		return p.World().CreateCart([]int{2, 3}, []bool{false, true}, false)
	})
	s.World.Submit(engine.RanksOf(0, 1), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 3})
		return p.World().Barrier()
	})
	s.World.Wait()
	v := &render.View{Snapshot: s.Snapshot()}
	for _, x := range s.Variables {
		v.Handles = append(v.Handles, render.Handle{Name: x.Name, IDs: x.IDs})
	}
	half, grid := &v.Handles[0], &v.Handles[1]
	var b strings.Builder
	for _, x := range []struct {
		name string
		pic  *scene.Scene
	}{
		{"hardware", picture.Scene(v, half, render.AsBoxes, 40)},
		{"lanes, with ranks without a communicator and ranks that wait", picture.Scene(v, half, render.AsLanes, 40)},
		{"one call", picture.Scene(v, half, render.AsBuckets, 40)},
		{"lineage", picture.Lineage(v, 50, 20)},
		{"waiting", picture.Waiting(v, -1, 50)},
		{"grid", picture.Scene(v, grid, render.AsWhy, 60)},
		{"time", picture.TimeOf(v, 40, 0)},
	} {
		b.WriteString("# " + x.name + "\n" + textOf(x.pic) + "\n")
	}
	worlds.Golden(t, "scenes.txt", b.String())
}

// A world that keeps no trace has a lineage that says so, and nobody waits in it.
func TestWithoutTrace(t *testing.T) {
	t.Parallel()
	v := &render.View{Snapshot: &engine.Snapshot{}}
	if text := textOf(picture.Lineage(v, 80, 20)); !strings.Contains(text, render.NoComms) {
		t.Error(text)
	}
	if pic := picture.Waiting(v, -1, 80); pic.Height != 0 {
		t.Errorf("somebody waits:\n%s", textOf(pic))
	}
}

// kindNames and stateNames are kinds of things and states of cells in the text of a scene.
var kindNames = [...]string{scene.Area: "area", scene.Frame: "frame", scene.Cell: "cell", scene.Text: "text", scene.Arrow: "arrow"}

var stateNames = [...]string{"", "null", "unset", "waits", "free", "outside", "barred", "taken"}

// textOf writes a scene as text, a line for each thing: its kind, its place, what it shows and what it stands for.
func textOf(s *scene.Scene) string {
	var b strings.Builder
	b.WriteString("scene " + size(s.Width, s.Height) + "\n")
	for i := range s.Things {
		t := &s.Things[i]
		b.WriteString(kindNames[t.Kind] + " " + strconv.Itoa(t.X) + "," + strconv.Itoa(t.Y) + " " + size(t.W, t.H))
		switch t.Kind {
		case scene.Text:
			b.WriteString(" " + strconv.Quote(t.Text))
		case scene.Cell:
			b.WriteString(" " + strconv.Quote(t.Cell.Text))
			if t.Under != "" {
				b.WriteString(" over " + strconv.Quote(t.Under))
			}
			if t.Cell.Slot >= 0 {
				b.WriteString(" slot " + strconv.Itoa(t.Cell.Slot))
			}
			if state := stateNames[t.Cell.State]; state != "" {
				b.WriteString(" " + state)
			}
		}
		if name := t.Name(); name != "" {
			b.WriteString(" = " + name)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func size(w, h int) string { return strconv.Itoa(w) + "x" + strconv.Itoa(h) }
