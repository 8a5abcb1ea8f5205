package moment_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// after returns a session after some lines.
func after(t testing.TB, cfg repl.Config, lines ...string) *moment.Moment {
	t.Helper()
	var out strings.Builder
	c, err := console.NewConsole(context.Background(), cfg, &out, &out, renderStyle)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Session.Close)
	chunks, err := repl.ParseLines("<input>", lines)
	if err != nil {
		t.Fatal(err)
	}
	for _, chunk := range chunks {
		if err := c.Do(context.Background(), chunk); err != nil {
			t.Fatal(err)
		}
	}
	return moment.NewMoment(c.Session.View(), -1, nil)
}

// figure73 returns the world of Figure 7.3: ranks 6 and 7 may use cores 6 and 7.
func figure73(t testing.TB, lines ...string) *moment.Moment {
	t.Helper()
	cfg := repl.Config{Topo: "figure-7.3", Size: 12, Policy: placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"}}
	return after(t, cfg, lines...)
}

// The ranks restricted to an object are those that MPI-5.0 §7.4.2 gives for Figure 7.3: the processes of rack 0 to
// the rack, four to a NUMA node, 6 and 7 to their CPU, but to neither of its cores.
func TestRestricted(t *testing.T) {
	t.Parallel()
	g := figure73(t).Ground
	for _, c := range []struct {
		typ        hw.Type
		index      int
		to, beyond []int32
	}{
		{hw.Group, 0, []int32{0, 1, 2, 3, 4, 5, 6, 7}, nil},
		{hw.NUMANode, 1, []int32{4, 5, 6, 7}, nil},
		{hw.NUMANode, 2, []int32{8, 9, 10, 11}, nil},
		{hw.Package, 3, []int32{6, 7}, nil},
		{hw.Core, 5, []int32{5}, nil},
		{hw.Core, 6, nil, []int32{6, 7}},
		{hw.PU, 7, nil, []int32{6, 7}},
		{hw.Machine, 0, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, nil},
	} {
		o := g.Topology.Objects(c.typ)[c.index]
		to, beyond := g.Restricted(o)
		if d := cmp.Diff(c.to, to); d != "" {
			t.Errorf("restricted to %v %d (-want +got):\n%s", c.typ, c.index, d)
		}
		if d := cmp.Diff(c.beyond, beyond); d != "" {
			t.Errorf("beyond %v %d (-want +got):\n%s", c.typ, c.index, d)
		}
	}
	m := figure73(t)
	for o := range m.Ground.Topology.Root.All() { // an object lights the ranks restricted to it
		to, _ := m.Ground.Restricted(o)
		if lit := m.Lit(moment.Selection{Object: o}).Ranks(); !slices.Equal(lit, engine.RanksOf(to...)) {
			t.Errorf("%v %d lights %v, want %v", o.Type, o.LogicalIndex, lit, to)
		}
	}
}

// A selection lights its ranks: a communicator its members, of both groups; an object the ranks restricted to it.
func TestLit(t *testing.T) {
	t.Parallel()
	m := figure73(t, "half = split world color=rank%2", "inter = intercomm_create half remote_leader=1-world.rank%2")
	inter := m.Parting(m.Handle("inter")).Comm(0)
	for _, c := range []struct {
		name string
		sel  moment.Selection
		want string
	}{
		{"nothing", moment.Selection{}, ""},
		{"ranks", moment.Selection{Ranks: engine.RanksOf(3, 7)}, "3,7"},
		{"odd ones", moment.Selection{Comms: []int{3}}, "1,3,5,7,9,11"},
		{"both groups", moment.Selection{Comms: []int{inter}}, "0-11"},
		{"package 1", moment.Selection{Object: m.Ground.Topology.Objects(hw.Package)[1]}, "2-3"},
		{"core 6", moment.Selection{Object: m.Ground.Topology.Objects(hw.Core)[6]}, ""},
	} {
		lit := m.Lit(c.sel)
		var got engine.Ranks
		for r := range m.Size() {
			if lit.Has(r) {
				got.Append(int32(r))
			}
		}
		if got.String() != c.want || lit.Len() != got.Len() {
			t.Errorf("%s lights %s (%d), want %s", c.name, got, lit.Len(), c.want)
		}
		if n := lit.Count(moment.Span{Lo: 0, Hi: int32(m.Size())}); n != got.Len() {
			t.Errorf("%s: %d in the whole order, want %d", c.name, n, got.Len())
		}
	}
}
