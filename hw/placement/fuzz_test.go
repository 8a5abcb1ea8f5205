package placement_test

import (
	"os"
	"path/filepath"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/placement"
)

const fuzzed = "rack:2 machine:2 pack:2 core:4 pu:1"

// sane fails the test when an accepted policy gives a rank no PUs, or PUs of no host.
func sane(t *testing.T, n int, p placement.Policy) {
	t.Helper()
	top := topology(t, fuzzed)
	plan, err := placement.New(top, n, p)
	if err != nil || plan.Size > 1<<12 {
		return
	}
	ranks, err := plan.Place()
	if err == nil && len(ranks) != plan.Size {
		t.Fatalf("%v: %d bindings for %d ranks", p, len(ranks), plan.Size)
	}
	for i, b := range ranks {
		if b.CPUSet.Empty() || !b.CPUSet.SubsetOf(top.Hosts[b.Host].CPUSet) {
			t.Fatalf("%v: rank %d has %q", p, i, b.CPUSet)
		}
	}
}

func FuzzBindList(f *testing.F) {
	f.Add("0,1,2-3+5")
	f.Add("0-99999999999")
	f.Fuzz(func(t *testing.T, list string) { sane(t, 10, placement.Policy{List: list}) })
}

func FuzzWords(f *testing.F) {
	f.Add("core", "slot", "core", 4)
	f.Add("ppr:2:package:pe=2", "package:fill", ":overload-allowed", 0)
	f.Add("numa:SPAN:PE=1", "span", "none:if-supported", 20)
	f.Add("rack:pe=2", "rack:fill", "core:no-overload", 9)
	f.Add("node:oversubscribe", "hwthread", "l3:o", 33)
	f.Fuzz(func(t *testing.T, mapBy, rankBy, bindTo string, n int) {
		sane(t, n, placement.Policy{MapBy: mapBy, RankBy: rankBy, BindTo: bindTo})
	})
}

func FuzzRankfile(f *testing.F) {
	f.Add("rank 0=node0 slot=0:0-1\nrank 1=+n1 slot=1:*;2\n")
	f.Add("rank 1=node1 slots=p3,s0 # comment\nrank 0 = node0 slot = S1:c0,2")
	f.Add("rank 16000000=node0 slot=0-99999999999")
	file := filepath.Join(f.TempDir(), "ranks")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sane(t, 0, placement.Policy{Rankfile: file})
	})
}
