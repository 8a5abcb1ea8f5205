package sysfs_test

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
)

// notYet lists known differences from hwloc, as "recording type", with the
// reason. A pair that agrees after all must be removed.
var notYet = map[string]string{}

var comparedTypes = []hw.Type{hw.Package, hw.Die, hw.NUMANode, hw.L3Cache, hw.L2Cache,
	hw.L1Cache, hw.Core, hw.PU}

type recording struct {
	Name, Kind, Spec, Expected string
	Optional                   []string
}

// Our reader finds the same PU sets per type in the recorded machines as hwloc:
// it follows hwloc's rules.
func TestRecordings(t *testing.T) {
	t.Parallel()
	folder := topologies()
	text, err := os.ReadFile(filepath.Join(folder, "cases.json"))
	if err != nil {
		t.Skip("no recorded topologies: set COMMSPLIT_TOPOLOGIES to their folder")
	}
	var cases []recording
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.Kind != "fsroot" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c.check(t, folder)
		})
	}
}

// topologies returns the folder of the recorded topologies.
func topologies() string {
	if folder := os.Getenv("COMMSPLIT_TOPOLOGIES"); folder != "" {
		return folder
	}
	return filepath.Join("..", "..", "..", "shared", "topologies")
}

func (c recording) check(t *testing.T, folder string) {
	machine, err := fsroot.Read(t.Context(), filepath.Join(folder, c.Spec))
	if err != nil {
		t.Fatal(err)
	}
	want := expectedSets(t, filepath.Join(folder, c.Expected))
	got := treeSets(machine.Root)
	for _, typ := range comparedTypes {
		name := typ.String()
		diff := cmp.Diff(want[name], got[name])
		reason, known := notYet[c.Name+" "+name]
		switch {
		case slices.Contains(c.Optional, name):
		case diff != "" && !known:
			t.Errorf("%s (-hwloc +ours):\n%s", name, diff)
		case diff == "" && known:
			t.Errorf("%s agrees now: take it out of notYet (%s)", name, reason)
		}
	}
}

// treeSets lists, per type, the sorted cpusets of the objects below root.
func treeSets(root *hw.Object) map[string][]string {
	sets := map[string][]string{}
	for o := range root.All() {
		sets[o.Type.String()] = append(sets[o.Type.String()], o.CPUSet.String())
	}
	for _, s := range sets {
		slices.Sort(s)
	}
	return sets
}

// expectedSets lists the same of an hwloc XML file.
func expectedSets(t *testing.T, path string) map[string][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sets := map[string][]string{}
	for d := xml.NewDecoder(f); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		element, ok := token.(xml.StartElement)
		if !ok || element.Name.Local != "object" {
			continue
		}
		attr := map[string]string{}
		for _, a := range element.Attr {
			attr[a.Name.Local] = a.Value
		}
		sets[attr["type"]] = append(sets[attr["type"]], hwlocSet(t, attr["cpuset"]).String())
	}
	for _, s := range sets {
		slices.Sort(s)
	}
	return sets
}

// hwlocSet parses hwloc's bitmap format: 0x groups of 32 bits, where a group
// of zeros may be empty.
func hwlocSet(t *testing.T, text string) hw.Set {
	t.Helper()
	var s hw.Set
	groups := strings.Split(text, ",")
	for i, group := range groups {
		if group == "" {
			continue
		}
		word, err := strconv.ParseUint(strings.TrimPrefix(group, "0x"), 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		for bit := range 32 {
			if word>>bit&1 != 0 {
				s.Add(32*(len(groups)-1-i) + bit)
			}
		}
	}
	return s
}
