package hwlocxml_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// lstopo reads what is written of the files that hwloc's authors recorded, and says the same as of the files: objects with
// caches' lines and associativity, devices, infos, distances, memory attributes, kinds of cores, pages, data of programs.
// Beside that are serial numbers, which are not kept, the support of the machine that wrote, and that kinds of cores are
// ranked by force.
func TestRoundTripLstopo(t *testing.T) {
	t.Parallel()
	lstopo := judge.Ask(t, "lstopo-no-graphics")
	files, _ := filepath.Glob(filepath.Join(recordings(), "*", "*.xml"))
	if len(files) == 0 {
		t.Skip("no recorded topologies: set COMMSPLIT_TOPOLOGIES to their folder")
	}
	for _, file := range files {
		if strings.Contains(file, ".v3.") {
			continue // lstopo 2.9 does not read it
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			top, err := hwlocxml.Read(f)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := hwlocxml.Write(&b, top); err != nil {
				t.Fatal(err)
			}
			written := filepath.Join(t.TempDir(), "written.xml")
			if err := os.WriteFile(written, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(saidOf(t, lstopo, file), saidOf(t, lstopo, written)); diff != "" {
				t.Errorf("-of hwloc's file +of ours:\n%s", diff)
			}
		})
	}
}

var (
	untold = regexp.MustCompile(`^<(support|info name="(lstopoVersion|hwlocVersion|ProcessName|HostName|HardwareSerial)")|^</`)
	byGP   = regexp.MustCompile(`\b([A-Za-z]+):\d+`) // an object by hwloc's running number
	beside = regexp.MustCompile(` (gp_index|target_obj_gp_index|initiator_obj_gp_index|forced_efficiency|complete_nodeset|allowed_nodeset|allowed_cpuset|length|depth)="[^"]*"|/?>$`)
)

// saidOf returns what lstopo writes of a file, line by line in an order.
func saidOf(t *testing.T, lstopo, file string) []string {
	t.Helper()
	out, err := exec.Command(lstopo, "-i", file, "--of", "xml").Output()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); !untold.MatchString(line) {
			lines = append(lines, strings.TrimSpace(byGP.ReplaceAllString(beside.ReplaceAllString(line, ""), "$1")))
		}
	}
	slices.Sort(lines)
	return lines
}
