package hwlocxml_test

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
)

// recordings returns the folder of recorded machines.
func recordings() string {
	if folder := os.Getenv("COMMSPLIT_TOPOLOGIES"); folder != "" {
		return folder
	}
	return filepath.Join("..", "..", "..", "shared", "topologies")
}

// The topology of a file that hwloc wrote on a real machine has the same PU
// sets per type as the file, memory and Groups too.
func TestRecordings(t *testing.T) {
	t.Parallel()
	folder := recordings()
	text, err := os.ReadFile(filepath.Join(folder, "cases.json"))
	if err != nil {
		t.Skip("no recorded topologies: set COMMSPLIT_TOPOLOGIES to their folder")
	}
	var cases []struct{ Name, Expected string }
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(folder, c.Expected))
			if err != nil {
				t.Fatal(err)
			}
			top, err := hwlocxml.Read(strings.NewReader(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(setsInText(t, string(text)), setsInTree(top)); diff != "" {
				t.Errorf("(-file +ours):\n%s", diff)
			}
		})
	}
}

var (
	objectTag = regexp.MustCompile(`<object type="(\w+)"[^>]*? cpuset="([^"]*)"([^>]*)`)
	subtype   = regexp.MustCompile(` subtype="(\w+)"`)
)

// setsInText lists, per type and subtype, the sorted cpusets that a file names.
func setsInText(t *testing.T, text string) map[string][]string {
	t.Helper()
	sets := map[string][]string{}
	for _, m := range objectTag.FindAllStringSubmatch(text, -1) {
		typ := m[1]
		if s := subtype.FindStringSubmatch(m[3]); s != nil {
			typ += " " + s[1]
		}
		sets[typ] = append(sets[typ], listed(t, m[2]))
	}
	return sorted(sets)
}

// listed turns hwloc's hexadecimal groups into a list of PUs.
func listed(t *testing.T, groups string) string {
	t.Helper()
	return listedSet(t, groups).String()
}

// listedSet reads the groups as one number.
func listedSet(t *testing.T, groups string) hw.Set {
	t.Helper()
	var digits strings.Builder
	for group := range strings.SplitSeq(groups, ",") {
		group = strings.TrimPrefix(group, "0x")
		digits.WriteString(strings.Repeat("0", 8-len(group)) + group)
	}
	number, ok := new(big.Int).SetString(digits.String(), 16)
	if !ok {
		t.Fatalf("%q", groups)
	}
	var s hw.Set
	for i := range number.BitLen() {
		if number.Bit(i) == 1 {
			s.Add(i)
		}
	}
	return s
}

// setsInTree lists the same of a tree.
func setsInTree(top *hw.Topology) map[string][]string {
	sets := map[string][]string{}
	for o := range top.Root.All() {
		typ := strings.TrimSpace(o.Type.String() + " " + o.Subtype)
		sets[typ] = append(sets[typ], o.CPUSet.String())
	}
	return sorted(sets)
}

func sorted(sets map[string][]string) map[string][]string {
	for _, s := range sets {
		slices.Sort(s)
	}
	return sets
}
