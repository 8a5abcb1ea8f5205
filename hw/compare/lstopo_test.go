package compare_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/compare"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/source"
)

// hwloc's own comparison finds a difference in two files exactly where ours does.
func TestLstopoFindsTheSameMachinesEqual(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "lstopo-no-graphics", "lstopo")
	program := judge.Ask(t, "hwloc-diff")
	specs := []string{"pack:2 [numa(memory=64GiB)] l3:1(size=32MiB) core:2 pu:2", "pack:2 [numa(memory=48GiB)] l3:1(size=32MiB) core:2 pu:2",
		"pack:2 [numa(memory=64GiB)] l3:1(size=16MiB) core:2 pu:2", "pack:2 [numa(memory=64GiB)] l3:1(size=32MiB) core:2 pu:2(indexes=2*4:4*1)",
		"pack:2 [numa(memory=64GiB)] l3:1(size=32MiB) core:2", "pack:1 [numa(memory=64GiB)] l3:1(size=32MiB) core:2 pu:2"}
	dir := t.TempDir()
	var files []string
	for i, spec := range specs {
		files = append(files, filepath.Join(dir, string(rune('a'+i))+".xml"))
		var b bytes.Buffer
		if err := hwlocxml.Write(&b, machine(t, spec)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[i], b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, a := range files {
		for j, b := range files {
			out, err := exec.Command(program, a, b, filepath.Join(dir, "out.xml")).CombinedOutput()
			x, errA := source.Load(t.Context(), a)
			y, errB := source.Load(t.Context(), b)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			theirs := err == nil && bytes.Contains(out, []byte("Found no difference"))
			if ours := len(compare.Of(x, y)) == 0; ours != theirs || ours != (i == j) {
				t.Errorf("%s and %s: equal here: %v, for hwloc-diff: %v, %s", specs[i], specs[j], ours, theirs, out)
			}
		}
	}
}
