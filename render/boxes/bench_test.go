package boxes_test

import (
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/boxes"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/outline"
)

// The first picture of a hundred thousand ranks in a window of 200 columns and 60 lines, part by part: on a machine of
// 1,250 NUMA nodes, and on as many machines.
func BenchmarkFirst100000(b *testing.B) {
	b.Run("machine", func(b *testing.B) { first(b, "node:1250 core:80", 100_000) })
	b.Run("machines", func(b *testing.B) { first(b, "machine:1250 core:80", 100_000) })
}

// The same with 4,096 ranks, sixteen on each core.
func BenchmarkFirst4096(b *testing.B) { first(b, "pack:2 numa:4 l3:4 core:8 pu:2", 4096) }

func first(b *testing.B, spec string, size int) {
	topo := worlds.Synthesized(b, spec)
	s := &engine.Snapshot{Topology: topo, Bindings: worlds.Place(b, topo, size, placement.Policy{}), Size: size}
	group := make([][]int32, 2)
	h := &render.Handle{Name: "half", IDs: make([]int32, size)}
	for r := range int32(size) {
		h.IDs[r], group[r%2] = r%2+2, append(group[r%2], r)
	}
	s.Comms = []*engine.CommInfo{{ID: 2, Group: group[0]}, {ID: 3, Group: group[1]}}
	held := render.Held{Parting: render.PartingOf(s, h)}
	look := &boxes.Look{Cell: held.Cell, Share: held.Share, Says: held.Says, Under: held.World}
	o := outline.Of(s, outline.NoDevices)
	board := boxes.NewBoard(o)
	window := boxes.Size{Width: 200, Height: 60, Text: held.Width(size)}
	plan := board.Plan(nil, window)
	for _, part := range []struct {
		name string
		run  func()
	}{
		{"parting", func() { render.PartingOf(s, h) }},
		{"outline", func() { outline.Of(s, outline.NoDevices) }},
		{"board", func() { boxes.NewBoard(o) }},
		{"plan", func() { board.Plan(nil, window) }},
		{"window", func() { plan.Scene(0, window.Height, look) }},
		{"whole", func() { plan.Scene(0, plan.Height, look) }},
		{"first", func() {
			render.PartingOf(s, h)
			boxes.NewBoard(outline.Of(s, outline.NoDevices)).Plan(nil, window).Scene(0, window.Height, look)
		}},
	} {
		b.Run(part.name, func(b *testing.B) {
			for b.Loop() {
				part.run()
			}
		})
	}
}
