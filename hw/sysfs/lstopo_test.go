package sysfs_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// lstopoObject is an object of lstopo's XML.
type lstopoObject struct {
	Type    string         `xml:"type,attr"`
	Subtype string         `xml:"subtype,attr"`
	OSIndex string         `xml:"os_index,attr"`
	CPUSet  string         `xml:"cpuset,attr"`
	NodeSet string         `xml:"nodeset,attr"`
	Memory  string         `xml:"local_memory,attr"`
	Cache   string         `xml:"cache_size,attr"`
	Line    string         `xml:"cache_linesize,attr"`
	Ways    string         `xml:"cache_associativity,attr"`
	Below   []lstopoObject `xml:"object"`
}

// told writes in one line the facts on which lstopo and our reader shall agree.
func told(typ, subtype, index, cpus, nodes, bytes string) string {
	if strings.Contains(typ, "Cache") || typ == "Group" {
		index = ""
	}
	if bytes == "" {
		bytes = "0"
	}
	return fmt.Sprintf("%s %s P#%s cpus=%s nodes=%s bytes=%s", typ, subtype, index, cpus, nodes, bytes)
}

func (o lstopoObject) list(t *testing.T, lines []string) []string {
	lines = append(lines, told(o.Type, o.Subtype, o.OSIndex, hwlocSet(t, o.CPUSet).String(),
		hwlocSet(t, o.NodeSet).String(), o.Memory+o.Cache))
	if o.Line != "" && o.Type != hw.MemCache.String() {
		lines[len(lines)-1] += fmt.Sprintf(" line=%s ways=%s", o.Line, o.Ways)
	}
	for _, b := range o.Below {
		lines = b.list(t, lines)
	}
	return lines
}

func ours(root *hw.Object) []string {
	var lines []string
	for o := range root.All() {
		index := strconv.Itoa(o.OSIndex)
		if o.OSIndex == hw.Unknown {
			index = ""
		}
		lines = append(lines, told(o.Type.String(), o.Subtype, index, o.CPUSet.String(),
			o.NodeSet.String(), strconv.FormatUint(o.Bytes, 10)))
		if o.Type.IsCache() {
			lines[len(lines)-1] += fmt.Sprintf(" line=%d ways=%d", o.Line, o.Ways)
		}
	}
	return lines
}

// lstopo runs lstopo on a copy of a machine's files.
func lstopo(t *testing.T, folder string, args ...string) ([]byte, error) {
	c := exec.Command(judge.Ask(t, "lstopo-no-graphics"), append([]string{"--if", "fsroot", "-i", folder, "--no-io"}, args...)...)
	c.Env = append(os.Environ(), "HWLOC_KNL_MSCACHE_L3=0", "HWLOC_XML_EXPORT_SUPPORT=0",
		"HWLOC_DONT_ADD_VERSION_INFO=1", "HWLOC_HIDE_ERRORS=2")
	return c.Output()
}

// mutants is how many mutants are compared unless MUTANTS=FIRST+COUNT selects
// them. KEEP names a folder in which the files of a mutant stay, for inspection.
const mutants = 30

// Our reader and lstopo agree on mutated machines: every rule of the reader is
// compared with hwloc's own.
func TestLstopoMutants(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "lstopo-no-graphics")
	machines := recordedMachines(t)
	first, count := 0, mutants
	if text := os.Getenv("MUTANTS"); text != "" {
		if _, err := fmt.Sscanf(text, "%d+%d", &first, &count); err != nil {
			t.Fatal("MUTANTS is FIRST+COUNT")
		}
	}
	for seed := first; seed < first+count; seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			c := machines[seed%len(machines)]
			m := mutate(c.name, c.files(t), uint64(seed))
			folder := os.Getenv("KEEP")
			if folder == "" {
				folder = scratch(t)
			}
			m.write(t, folder)
			compare(t, folder, m.story)
		})
	}
}

// Our reader and lstopo agree on the recorded machines, with sizes, os indexes,
// nodesets, Groups and kinds of memory.
func TestLstopoRecordings(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "lstopo-no-graphics")
	archives, _ := filepath.Glob(filepath.Join(topologies(), "sysfs", "*.tar.*"))
	if len(archives) == 0 {
		t.Skip("no recorded topologies: set COMMSPLIT_TOPOLOGIES to their folder")
	}
	for _, archive := range archives {
		name, _, _ := strings.Cut(filepath.Base(archive), ".tar.")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := scratch(t)
			if out, err := exec.Command(judge.Ask(t, "tar"), "-xf", archive, "-C", folder).CombinedOutput(); err != nil {
				t.Fatalf("tar: %v: %s", err, out)
			}
			compare(t, filepath.Join(folder, name), []string{name})
			unpacked, err := fsroot.Read(t.Context(), folder)
			if err != nil {
				t.Fatal(err)
			}
			packed, err := fsroot.Read(t.Context(), archive)
			if err != nil {
				t.Fatal(err)
			}
			if diff := difference(ours(unpacked.Root), ours(packed.Root)); diff != "" {
				t.Errorf("unpacked (lstopo) and packed (ours):\n%s", diff)
			}
		})
	}
}

// scratch makes a folder for a machine's thousands of files, in memory if
// possible.
func scratch(t *testing.T) string {
	folder, err := os.MkdirTemp("/dev/shm", "commsplit-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// compare compares our reading of a folder with lstopo's.
func compare(t *testing.T, folder string, story []string) {
	out, err := lstopo(t, folder, "--of", "xml", "-")
	machine, ourErr := fsroot.Read(t.Context(), folder)
	if err != nil {
		return // we may read machines that lstopo does not
	}
	if ourErr != nil {
		t.Fatalf("%q: %v", story, ourErr)
	}
	var doc struct {
		Root  lstopoObject `xml:"object"`
		Kinds []lstopoKind `xml:"cpukind"`
	}
	if err := xml.Unmarshal(out, &doc); err != nil {
		t.Fatal(err)
	}
	want, got := doc.Root.list(t, nil), append(ours(machine.Root), details(machine.Root.Details)...)
	want = append(want, kindsOfLstopo(t, folder, doc.Kinds, machine.Root.CPUSet)...)
	want = append(want, absent(t, folder)...)
	slices.Sort(want)
	slices.Sort(got)
	if diff := difference(want, got); diff != "" {
		t.Errorf("%q, notes %q:\n%s", story, machine.Notes, diff)
	}
}

// difference shows the first lines that are in only one of two sorted lists.
func difference(lstopo, ours []string) string {
	var lines []string
	for len(lstopo)+len(ours) > 0 && len(lines) < 12 {
		switch {
		case len(ours) == 0 || len(lstopo) > 0 && lstopo[0] < ours[0]:
			lines, lstopo = append(lines, "lstopo "+lstopo[0]), lstopo[1:]
		case len(lstopo) == 0 || ours[0] < lstopo[0]:
			lines, ours = append(lines, "ours   "+ours[0]), ours[1:]
		default:
			lstopo, ours = lstopo[1:], ours[1:]
		}
	}
	return strings.Join(lines, "\n")
}

type namedMachine struct {
	name  string
	files func(t *testing.T) tree
}

func recordedMachines(t *testing.T) []namedMachine {
	folder := topologies()
	text, err := os.ReadFile(filepath.Join(folder, "cases.json"))
	if err != nil {
		t.Skip("no recorded topologies: set COMMSPLIT_TOPOLOGIES to their folder")
	}
	var cases []recording
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	var machines []namedMachine
	for _, c := range cases {
		if c.Kind == "fsroot" {
			machines = append(machines, namedMachine{c.Name, func(t *testing.T) tree {
				return load(t, filepath.Join(folder, c.Spec))
			}})
		}
	}
	for _, s := range []shape{{2, 2, 1, 1, 2, 2}, {1, 1, 1, 1, 4, 1}, {2, 1, 2, 1, 2, 2}, {3, 1, 1, 2, 2, 1}} {
		machines = append(machines, namedMachine{fmt.Sprint(s), func(*testing.T) tree { return s.files(hw.Set{}) }})
	}
	return machines
}

// lstopoKind is a kind of cores in lstopo's XML.
type lstopoKind struct {
	CPUSet string `xml:"cpuset,attr"`
	Infos  []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	} `xml:"info"`
}

// kindsOfLstopo lists lstopo's kinds without the PUs that are not in the tree,
// which lstopo keeps in kinds.
func kindsOfLstopo(t *testing.T, folder string, kinds []lstopoKind, pus hw.Set) []string {
	var lines []string
	kinds = slices.DeleteFunc(kinds, func(k lstopoKind) bool {
		return !hwlocSet(t, k.CPUSet).Intersects(pus)
	})
	inOrder := len(kinds) == 1 || len(kinds) > 1 && ranked(t, folder)
	for _, k := range kinds {
		set := hwlocSet(t, k.CPUSet).Intersect(pus)
		efficiency := hw.Unknown
		if inOrder {
			efficiency = len(lines)
		}
		line := fmt.Sprintf("kind %v efficiency %d", set, efficiency)
		for _, i := range k.Infos {
			line += fmt.Sprintf(" %s=%s", i.Name, i.Value)
		}
		lines = append(lines, line)
	}
	return lines
}

// details lists the kinds of our reading, and the PUs that are offline or
// disallowed.
func details(d *hw.Details) []string {
	var lines []string
	for _, k := range d.Kinds {
		line := fmt.Sprintf("kind %v efficiency %d", k.CPUSet, k.Efficiency)
		for _, i := range k.Infos {
			line += fmt.Sprintf(" %s=%s", i.Name, i.Value)
		}
		lines = append(lines, line)
	}
	return append(lines, absence(d.Offline, d.Disallowed))
}

func absence(offline, disallowed hw.Set) string {
	return fmt.Sprintf("offline %v disallowed %v", offline, disallowed)
}

// absent asks lstopo which PUs are offline and which are disallowed.
func absent(t *testing.T, folder string) []string {
	out, err := lstopo(t, folder, "--disallowed", "--of", "xml", "-")
	if err != nil {
		return nil
	}
	var doc struct {
		Root struct {
			Complete string `xml:"complete_cpuset,attr"`
			CPUSet   string `xml:"cpuset,attr"`
			Allowed  string `xml:"allowed_cpuset,attr"`
		} `xml:"object"`
	}
	if err := xml.Unmarshal(out, &doc); err != nil {
		t.Fatal(err)
	}
	online := hwlocSet(t, doc.Root.CPUSet)
	return []string{absence(hwlocSet(t, doc.Root.Complete).Minus(online),
		online.Minus(hwlocSet(t, doc.Root.Allowed)))}
}

// ranked asks lstopo whether it could rank its kinds: then they are in order, and
// each has its efficiency.
func ranked(t *testing.T, folder string) bool {
	out, err := lstopo(t, folder, "--cpukinds")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(out), " efficiency 0 ")
}
