package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
)

// stripsOf is the picture of ranks on a topology, in lines.
func stripsOf(t testing.TB, topo *hw.Topology, n int, p placement.Policy) []string {
	t.Helper()
	var b strings.Builder
	if err := Strips(&b, newSession(t, topo, worlds.Place(t, topo, n, p)).view(), Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// The signs are those of mpirun 4.1.4 --report-bindings for the same bindings; NUMA nodes that are
// smaller than packages are set apart.
func TestStrips(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		n      int
		policy placement.Policy
		want   []string
	}{
		{"pack:2 [numa] l3:2 core:4 pu:2(indexes=2*16:1*2)", 4, placement.Policy{List: "0-2+16-18,8+24,0,0-31"}, []string{
			"Rank 0 [BB/BB/BB/../../../../..][../../../../../../../..]",
			"Rank 1 [../../../../../../../..][BB/../../../../../../..]",
			"Rank 2 [B./../../../../../../..][../../../../../../../..]",
			"Rank 3 is not bound (or bound to all available processors)",
			"one sign per PU: B bound, . not; [] package, / next core",
		}},
		{"pack:1 numa:2 core:2 pu:2", 2, placement.Policy{MapBy: "numa"}, []string{
			"Rank 0 [<BB/..><../..>]",
			"Rank 1 [<../..><BB/..>]",
			"one sign per PU: B bound, . not; [] package, <> NUMA node, / next core",
		}},
		// Hosts in front; without packages the brackets are the machine's.
		{"machine:2 pu:2", 3, placement.Policy{}, []string{
			"[node0] Rank 0 [B.]", "[node0] Rank 1 [.B]", "[node1] Rank 2 [B.]",
			"one sign per PU: B bound, . not; [] machine",
		}},
		// Too wide for PUs: a sign for a core; then for something larger, in part.
		{"pack:2 core:16 pu:2", 1, placement.Policy{}, []string{
			"Rank 0 [B...............][................]",
			"one sign per Core: B bound, b bound in part, . not; [] package",
		}},
		{"pack:2 l3:4 core:16 pu:2", 2, placement.Policy{List: "0-31,30-33"}, []string{
			"Rank 0 [B...][....]",
			"Rank 1 [bb..][....]",
			"one sign per L3Cache: B bound, b bound in part, . not; [] package",
		}},
		// Many ranks: those with the same binding share a line.
		{"core:2", 80, placement.Policy{}, []string{
			"Ranks 0,2,..,78 [B/.]", "Ranks 1,3,..,79 [./B]",
			"one sign per PU: B bound, . not; [] machine, / next core",
		}},
	} {
		if d := cmp.Diff(c.want, stripsOf(t, worlds.Synthesized(t, c.text), c.n, c.policy)); d != "" {
			t.Errorf("%q %v: -want +got\n%s", c.text, c.policy, d)
		}
	}
}

// PUs that are not allowed are not part of the hardware, but shown.
func TestStripsShowDisallowed(t *testing.T) {
	t.Parallel()
	machine := &hw.Object{Type: hw.Machine, Details: &hw.Details{Disallowed: hw.SetOf(0, 3)}}
	hw.Build(machine, []*hw.Object{{Type: hw.PU, OSIndex: 1, CPUSet: hw.SetOf(1)},
		{Type: hw.PU, OSIndex: 2, CPUSet: hw.SetOf(2)}}, nil)
	want := []string{"Rank 0 [B.]~~", "one sign per PU: B bound, . not; [] machine, ~ a PU that is not allowed (0,3)"}
	if d := cmp.Diff(want, stripsOf(t, hw.New("restricted", machine), 1, placement.Policy{})); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func mapOf(t testing.TB, topo *hw.Topology, n int, p placement.Policy) []string {
	v := newSession(t, topo, worlds.Place(t, topo, n, p)).view()
	return lines(t, 80, func(b *strings.Builder, st Style) error { return Map(b, v, st) })
}

// Few ranks have a line each, in the words of mpirun 5.
func TestMap(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "pack:2 core:2 pu:2")
	want := []string{
		"Rank 0 bound to package[0][core:0]",
		"Rank 1 bound to package[0][core:0-1]",
		"Rank 2 bound to package[1][hwt:4]",
		"Rank 3 is not bound (or bound to all available processors)",
	}
	if d := cmp.Diff(want, mapOf(t, topo, 4, placement.Policy{List: "0-1,0-3,4,0-7"})); d != "" {
		t.Error(d)
	}
}

// Many ranks share lines while their places advance evenly; where they go round the packages, a
// line has all ranks of a place.
func TestMapFolds(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "machine:2 pack:2 core:64 pu:1")
	want := []string{
		"[node0] Ranks 0-63 bound to package[0][core:0] .. [core:63]",
		"[node0] Ranks 64-127 bound to package[1][core:64] .. [core:127]",
		"[node1] Ranks 128-191 bound to package[0][core:0] .. [core:63]",
		"[node1] Ranks 192-255 bound to package[1][core:64] .. [core:127]",
	}
	if d := cmp.Diff(want, mapOf(t, topo, 256, placement.Policy{})); d != "" {
		t.Error(d)
	}
	topo = worlds.Synthesized(t, "pack:2 core:3 pu:1")
	want = []string{
		"Ranks 0,2,..,298 bound to package[0][core:0-2]",
		"Ranks 1,3,..,299 bound to package[1][core:3-5]",
	}
	if d := cmp.Diff(want, mapOf(t, topo, 300, placement.Policy{MapBy: "package", BindTo: "package:overload-allowed"})); d != "" {
		t.Error(d)
	}
}
