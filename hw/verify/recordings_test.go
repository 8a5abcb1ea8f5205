package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// contradictory lists what stays unexplained in recordings whose files contradict each other.
var contradictory = map[string][]string{
	// The mask of PU 3's package holds PUs whose own masks do not hold it.
	"40intel64-4n10c+pci-conflicts": {"lscpu Package", "lscpu L3Cache",
		"the packages together hold the PUs that are online"},
	// /proc/cpuinfo is of another machine: 28 cores in tiles, where sysfs was made up.
	"64intel64-fakeKNL-SNC4-hybrid": {"cpuinfo Core"},
	// /proc/cpuinfo lists 176 PUs, of which the folders of 144 were taken out.
	"nvidiagpunumanodes": {"cpuinfo PU"},
	// NUMA node 0 was taken out, and MemTotal counts its memory.
	"offline-cpu0-node0": {"memory of all NUMA nodes"},
}

// open lists what a report leaves unexplained.
func open(r *Report) []string {
	var list []string
	for _, w := range r.Witnesses {
		if w.State == Failed {
			list = append(list, w.Name+" fails: "+w.Why)
		}
		for _, k := range r.Kinds {
			if w.Verdicts[k].State == Unexplained {
				list = append(list, fmt.Sprintf("%s %v", w.Name, k))
			}
		}
	}
	for _, m := range r.Memory {
		if m.State == Unexplained {
			list = append(list, "memory of "+m.Witness)
		}
	}
	for _, i := range r.Invariants {
		if len(i.Broken) > 0 {
			list = append(list, i.Rule)
		}
	}
	return list
}

// hwloc reads the recorded machines right, and so do we: no witness is left without an explanation, but
// where the recording contradicts itself.
func TestRecordings(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("COMMSPLIT_TOPOLOGIES")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "topologies")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "sysfs", "*.tar.*"))
	if len(files) == 0 {
		t.Skip("no recorded topologies: set COMMSPLIT_TOPOLOGIES to their folder")
	}
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), ".tar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := Copy(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			got, want := open(r), contradictory[name]
			if _, asked := find(r, "lscpu"); !asked { // not installed: it cannot contradict
				want = slices.DeleteFunc(slices.Clone(want), func(s string) bool { return strings.HasPrefix(s, "lscpu") })
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("unexplained (-want +got):\n%s", diff)
			}
		})
	}
}

// find returns a witness and whether it was asked.
func find(r *Report, name string) (Witness, bool) {
	i := slices.IndexFunc(r.Witnesses, func(w Witness) bool { return w.Name == name })
	return r.Witnesses[i], r.Witnesses[i].State != Skipped
}
