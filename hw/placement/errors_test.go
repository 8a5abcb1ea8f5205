package placement_test

import (
	"testing"

	"commsplit/hw"
	"commsplit/hw/placement"
)

// What cannot be done says what is wrong and what would be right.
func TestPlaceErrors(t *testing.T) {
	t.Parallel()
	const text = "pack:2 core:2 pu:1"
	for _, c := range []struct {
		text   string
		n      int
		policy placement.Policy
		want   string
	}{
		{text, 0, placement.Policy{}, "number of ranks is 0: want at least 1"},
		{text, 1<<24 + 1, placement.Policy{}, "number of ranks is 16777217: want at most 16777216"},
		{text, 2, placement.Policy{MapBy: "l3cache"},
			"--map-by l3cache: there is no L3Cache level here; " +
				"there are Machine, NUMANode, Package, Core, PU"},
		{text, 2, placement.Policy{BindTo: "l2"}, "--bind-to l2cache: there is no L2Cache level here; " +
			"there are Machine, NUMANode, Package, Core, PU"},
		{text, 2, placement.Policy{MapBy: "n"}, `--map-by "n" is ambiguous: numa, machine`},
		{text, 2, placement.Policy{BindTo: "n"}, `--bind-to "n" is ambiguous: none, numa, machine`},
		{text, 2, placement.Policy{MapBy: "blade"}, `--map-by "blade" is unknown: use slot, hwthread, core, ` +
			"l1cache, l2cache, l3cache, l4cache, l5cache, numa, die, package, machine"},
		{"rack:2 machine:2 pu:1", 2, placement.Policy{BindTo: "rack"},
			"--bind-to rack: a Rack is no part of one machine"},
		{text, 2, placement.Policy{List: "0", MapBy: "core"},
			"--bind gives every rank its PUs: leave out --map-by, --rank-by and --bind-to"},
		{text, 3, placement.Policy{List: "0,1,2+3-7"},
			`--bind: rank 2: "3-7": node0 has no PU 4; it has 0-3`},
		{text, 2, placement.Policy{List: "0,,1"}, `--bind: rank 1: "" is neither a PU nor a range such as 0-3`},
		{text, 2, placement.Policy{List: "2-1"}, `--bind: rank 0: range "2-1" runs backwards`},
	} {
		_, err := placement.Place(topology(t, c.text), c.n, c.policy)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q %+v:\n got %v\nwant %s", c.text, c.policy, err, c.want)
		}
	}
}

// On uneven hardware an object may have no part in the bind level at all.
func TestPlaceNothingToBind(t *testing.T) {
	t.Parallel()
	machine := &hw.Object{Type: hw.Machine}
	hw.Build(machine, []*hw.Object{object(hw.Core, 0, 0), object(hw.Core, 1, 1),
		object(hw.Core, 2, 2), object(hw.L2Cache, 0, 1)}, nil)
	top := hw.New("uneven", machine)
	if _, err := placement.Place(top, 2, placement.Policy{BindTo: "l2"}); err != nil {
		t.Errorf("two ranks: %v", err)
	}
	_, err := placement.Place(top, 3, placement.Policy{BindTo: "l2"})
	want := "cannot bind to L2Cache: Core L#2 (PUs 2 of node0) neither lies in one nor holds one"
	if err == nil || err.Error() != want {
		t.Errorf("three ranks: got %v, want %s", err, want)
	}
}
