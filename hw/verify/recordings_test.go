package verify

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/marked"
)

// contradictory lists the findings in recordings whose files contradict each other, and why
// each finding is right.
var contradictory = map[string]struct {
	found []string
	why   string
}{
	"40intel64-4n10c+pci-conflicts": {[]string{"siblings", "names", "own-ids", "sharing", "cache-package", "node-package"},
		"the masks of PU 3's package and of PU 2's L3 hold PUs whose own masks do not hold PU 3 or PU 2"},
	"8em64t-2s2ca2c-buggynuma": {[]string{"one-node", "node-cpus", "distances"},
		"eight nodes have the same mask, each links to one PU, and each is as near to the others as to itself"},
	"64intel64-fakeKNL-SNC4-hybrid": {[]string{"cpuinfo"},
		"/proc/cpuinfo is of another machine with 28 cores in tiles; sysfs was made up"},
	"fakememinitiators-1np2c+1npp+gi": {[]string{"cpuinfo"}, "/proc/cpuinfo is of another machine with other core numbers"},
	"64amd64-4s2n4ca2co":              {[]string{"names"}, "cache masks were mended by hand, but not the lists of the same PUs"},
	"8em64t-2s4c-heterogeneous":       {[]string{"levels"}, "caches were removed here and there to make the machine uneven"},
	"nvidiagpunumanodes":              {[]string{"masks-online"}, "the folders of 144 PUs were removed, but other PUs' masks still hold them"},
	"offline-cpu0-node0": {[]string{"names", "memory of all NUMA nodes"},
		"NUMA node 0 and its PUs were removed from some files, but MemTotal still counts its memory"},
	"vbox-win": {[]string{"caches"}, "VirtualBox on Windows gives each core two L1 data caches and no instruction cache"},
}

// The manual has the table of contradictory recordings.
func TestContradictory(t *testing.T) {
	t.Parallel()
	text := "| recording | found | because |\n|---|---|---|\n"
	for _, name := range slices.Sorted(maps.Keys(contradictory)) {
		c := contradictory[name]
		text += fmt.Sprintf("| %s | %s | %s |\n", name, strings.Join(c.found, ", "), c.why)
	}
	marked.Hold(t, "../VERIFY.md", "contradictory", text)
}

// open lists a report's findings, and the witnesses that fail.
func open(r *Report) []string {
	var list []string
	for _, rule := range r.Rules {
		if len(rule.Breaches) > 0 {
			list = append(list, rule.Name)
		}
	}
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
	return list
}

// ours leaves out what lscpu and lstopo say, which are asked with JUDGE=1 alone.
func ours(list []string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return strings.HasPrefix(s, "lscpu ") || strings.HasPrefix(s, "lstopo ") })
}

// topologies returns the folder of the recorded topologies.
func topologies() string {
	if folder := os.Getenv("COMMSPLIT_TOPOLOGIES"); folder != "" {
		return folder
	}
	return filepath.Join("..", "..", "..", "shared", "topologies")
}

// The recorded machines break no rule and no witness differs without a reason, except where
// the recording contradicts itself.
func TestRecordings(t *testing.T) {
	t.Parallel()
	checkRecordings(t)
}

// The same holds where lscpu and lstopo are asked, too; a failure of one of them is no
// finding.
func TestRecordingsLscpuLstopo(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "lscpu")
	judge.Ask(t, "lstopo-no-graphics")
	checkRecordings(t)
}

func checkRecordings(t *testing.T) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(topologies(), "sysfs", "*.tar.*"))
	if folder := os.Getenv("COMMSPLIT_DUMPS"); folder != "" {
		dumps, _ := filepath.Glob(filepath.Join(folder, "*.tar.*"))
		files = append(files, dumps...)
	}
	if len(files) == 0 {
		t.Skip("no recorded machines: set COMMSPLIT_TOPOLOGIES to the folder of hwloc's, COMMSPLIT_DUMPS to that of util-linux's or ghw's")
	}
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), ".tar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := Copy(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			got := slices.DeleteFunc(open(r), func(s string) bool { return strings.Contains(s, " fails: ") })
			if diff := cmp.Diff(strings.Join(contradictory[name].found, "\n"), strings.Join(got, "\n")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if n := r.Count(); n != len(got) {
				t.Errorf("%d findings, counted %d", len(got), n)
			}
		})
	}
}
