package placement_test

import (
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// An error tells what is wrong and what would be right.
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
			"l1cache, l2cache, l3cache, l4cache, l5cache, numa, die, package, machine, ppr:N:OBJECT"},
		{text, 2, placement.Policy{BindTo: "sockte"}, `--bind-to "sockte" is unknown (did you mean socket?): ` +
			"use none, hwthread, core, l1cache, l2cache, l3cache, l4cache, l5cache, numa, die, package, machine"},
		{text, 2, placement.Policy{RankBy: "s"}, `--rank-by "s" is ambiguous: slot, span, package`},
		{text, 2, placement.Policy{MapBy: "core:foo"}, `--map-by "core:foo": there is no modifier "foo": ` +
			"use pe=N, span, oversubscribe, nooversubscribe, hwtcpus, corecpus"},
		{text, 2, placement.Policy{BindTo: "core:O:x"}, `--bind-to "core:O:x": there is no modifier "x": ` +
			"use overload-allowed, no-overload, if-supported"},
		{text, 2, placement.Policy{MapBy: "core:"}, `--map-by "core:": a modifier is missing after the colon: ` +
			"pe=N, span, oversubscribe, nooversubscribe, hwtcpus, corecpus"},
		{text, 2, placement.Policy{MapBy: "package:PE=0"},
			`--map-by "package:PE=0": pe needs a number of CPUs of at least 1, such as pe=2`},
		{text, 2, placement.Policy{MapBy: "package:pe"},
			`--map-by "package:pe": pe needs a number of CPUs of at least 1, such as pe=2`},
		{text, 2, placement.Policy{MapBy: "package:pe=2:pe=1"}, `--map-by "package:pe=2:pe=1": pe is given twice`},
		{text, 2, placement.Policy{MapBy: "core:span=2"}, `--map-by "core:span=2": span takes no value`},
		{text, 2, placement.Policy{MapBy: "core:over:noover"},
			`--map-by "core:over:noover": oversubscribe and nooversubscribe contradict each other`},
		{text, 2, placement.Policy{MapBy: "slot:span"},
			`--map-by "slot:span": span needs an object on a host, such as core:span`},
		{text, 2, placement.Policy{MapBy: "ppr:2"},
			`--map-by "ppr:2": want ppr:N:OBJECT with N ranks for each, such as ppr:2:package`},
		{text, 2, placement.Policy{MapBy: "ppr:0:core"},
			`--map-by "ppr:0:core": want ppr:N:OBJECT with N ranks for each, such as ppr:2:package`},
		{text, 2, placement.Policy{MapBy: "ppr:2:slot"}, `--map-by "ppr:2:slot": ppr needs an object, and a slot is not an object`},
		{text, 3, placement.Policy{MapBy: "ppr:1:package"}, "--map-by ppr:1:package: 3 processes are more than " +
			"the ppr for this topology can support: 2 on 2 Packages; use -n 2 or less"},
		{text, 5, placement.Policy{MapBy: "core:nooversubscribe"}, "--map-by core:nooversubscribe: there are not " +
			"enough slots available in the system to satisfy the 5 slots that were requested: there are 4; " +
			"write oversubscribe instead of nooversubscribe to share them"},
		{text, 5, placement.Policy{BindTo: "core"}, "a request was made to bind to core that would result in " +
			"binding more processes than cpus on a resource: node node0, Core L#0, 2 processes, 1 cpu; " +
			"to allow it, write --bind-to core:overload-allowed"},
		{text, 5, placement.Policy{BindTo: ":no-overload"}, "a request was made to bind to core that would result in " +
			"binding more processes than cpus on a resource: node node0, Core L#0, 2 processes, 1 cpu; " +
			"to allow it, write --bind-to core:overload-allowed"},
		{text, 3, placement.Policy{MapBy: "package:pe=2"}, "a request was made to bind to core that would result " +
			"in binding more processes than cpus on a resource: node node0, Package L#0, 2 processes with 2 cpus " +
			"each, 2 cpus; to allow it, write --bind-to core:overload-allowed"},
		{"rack:1 machine:2 core:2", 3, placement.Policy{MapBy: "rack:pe=2"}, "a request was made to bind to core " +
			"that would result in binding more processes than cpus on a resource: Rack L#0, 3 processes with 2 cpus " +
			"each, 4 cpus; to allow it, write --bind-to core:overload-allowed"},
		{text, 2, placement.Policy{MapBy: "package:pe=3"}, "--map-by package:pe=3: a request for multiple cpus per " +
			"process was given, but a Package has only 2 cores; use a smaller pe, or map to a larger object, " +
			"such as slot:pe=3"},
		{text, 1, placement.Policy{MapBy: "slot:pe=5"}, "--map-by slot:pe=5: a request for multiple cpus per " +
			"process was given, but a Machine has only 4 cores; use a smaller pe"},
		{text, 2, placement.Policy{MapBy: "slot:pe=2", BindTo: "package"}, "--bind-to package: with --map-by " +
			"slot:pe=2 each rank is bound to 2 cores: write --bind-to core or leave it out"},
		{text, 2, placement.Policy{RankBy: "slot:fill"},
			`--rank-by "slot:fill": fill needs an object, such as package:fill`},
		{text, 2, placement.Policy{Rankfile: "x", List: "0"}, "--bind gives every rank its PUs: leave out --rankfile"},
		{text, 2, placement.Policy{Rankfile: "x", MapBy: "core"},
			"--rankfile gives every rank its PUs: leave out --map-by"},
		{"rack:2 machine:2 pu:1", 2, placement.Policy{BindTo: "rack"},
			"--bind-to rack: a Rack is not part of one machine"},
		{text, 2, placement.Policy{List: "0", MapBy: "core"},
			"--bind gives every rank its PUs: leave out --map-by"},
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

// On uneven hardware an object may contain no object of the bind level and lie in none.
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
	want := "cannot bind to L2Cache: Core L#2 (PUs 2 of node0) is neither inside one nor contains one"
	if err == nil || err.Error() != want {
		t.Errorf("three ranks: got %v, want %s", err, want)
	}
}
