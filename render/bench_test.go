package render

import (
	"io"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/paint"
)

var benchStyle = Style{Width: 200, Colors: paint.Colors256, Dark: true}

// A partition and a table of 4,096 ranks on 256 cores must take less than 8 ms.
func BenchmarkPartition4096(b *testing.B) {
	for name, view := range map[string]func(testing.TB) *View{"blocks": blocksOf4, "scattered": mod1000} {
		b.Run(name, func(b *testing.B) {
			v := view(b)
			for b.Loop() {
				if err := Result(io.Discard, v, &v.Handles[0], "", benchStyle); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTable4096(b *testing.B) {
	for name, view := range map[string]func(testing.TB) *View{"blocks": blocksOf4, "scattered": mod1000} {
		b.Run(name, func(b *testing.B) {
			v := view(b)
			for b.Loop() {
				if err := Table(io.Discard, v, benchStyle); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The tree of a cluster of 16,384 cores with a rank each.
func BenchmarkTreeCluster(b *testing.B) {
	topo := worlds.Synthesized(b, "rack:4 machine:32 pack:2 core:64 pu:1")
	v := newSession(b, topo, worlds.Place(b, topo, worlds.FullHouse(b, topo), placement.Policy{})).view()
	for b.Loop() {
		if err := Tree(io.Discard, v, benchStyle); err != nil {
			b.Fatal(err)
		}
	}
}
