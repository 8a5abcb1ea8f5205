package compare_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/compare"
)

// The largest group comes first, whatever the order of the machines, and an odd machine is compared with the larger group
// that it is most like.
func TestGroups(t *testing.T) {
	t.Parallel()
	const node, gpu = "pack:2 [numa(memory=64GiB)] core:8", "dgx-a100"
	var machines []*hw.Topology
	for _, spec := range []string{gpu, node, "pack:2 [numa(memory=32GiB)] core:8", node, gpu, node, gpu + " slurm(threads=1)", node, "dgx-a100"} {
		machines = append(machines, machine(t, spec))
	}
	smaller, err := machine(t, gpu).Only(hw.SetRange(0, 127))
	if err != nil {
		t.Fatal(err)
	}
	machines = append(machines, smaller)
	var got []string
	for _, g := range compare.Groups(machines) {
		line := fmt.Sprintf("%v like %d", g.Members, g.Like)
		if len(g.Members) == 1 {
			line += ": " + g.Differences[0].Text("A", "B")
		}
		got = append(got, line)
	}
	want := []string{"[0 4 6 8] like -1", "[1 3 5 7] like 0", "[2] like 1: NUMANode L#0-1 memory: 64GB in A, 32GB in B",
		"[9] like 0: PU: 256 in A, 128 in B; only in A: 128-255; SMT is off in B"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if groups := compare.Groups(nil); groups != nil {
		t.Errorf("no machines: %v", groups)
	}
}
