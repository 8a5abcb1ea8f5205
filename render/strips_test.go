package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/hw"
	"commsplit/hw/placement"
)

// stripsOf is the picture of ranks on a topology, in lines.
func stripsOf(t testing.TB, topo *hw.Topology, n int, p placement.Policy) []string {
	t.Helper()
	var b strings.Builder
	if err := Strips(&b, newSession(t, topo, place(t, topo, n, p)).view(), Style{Width: 80}); err != nil {
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
		if d := cmp.Diff(c.want, stripsOf(t, synthesized(t, c.text), c.n, c.policy)); d != "" {
			t.Errorf("%q %v: -want +got\n%s", c.text, c.policy, d)
		}
	}
}

// PUs that are not allowed are no part of the hardware, but shown.
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
