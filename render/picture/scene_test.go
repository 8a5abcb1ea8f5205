package picture_test

import (
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
		b.WriteString("# " + x.name + "\n" + x.pic.String() + "\n")
	}
	worlds.Golden(t, "scenes.txt", b.String())
}
