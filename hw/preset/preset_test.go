package preset

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"commsplit/hw"
	"github.com/google/go-cmp/cmp"
)

// Every preset can be built, has the number of cores that its line says, and
// says where it is from.
func TestPresets(t *testing.T) {
	t.Parallel()
	cores := map[string]int{
		"figure-7.3": 12, "epyc-9654-nps4": 192, "frontier": 64, "perlmutter-cpu": 128,
		"xeon-snc2": 48, "fugaku": 48, "gh200-quad": 288, "bluegene-q": 16, "raspberry-pi-4": 4,
	}
	if len(cores) != len(Names()) {
		t.Errorf("%d presets, %d known here", len(Names()), len(cores))
	}
	for _, p := range All() {
		top, ok := Lookup(p.Name)
		if !ok {
			t.Errorf("%s cannot be looked up", p.Name)
			continue
		}
		if n := len(top.Objects(hw.Core)); n != cores[p.Name] ||
			!strings.Contains(p.Shape, fmt.Sprintf("%d cores", n)) {
			t.Errorf("%s has %d cores, want %d; its line is %q", p.Name, n, cores[p.Name], p.Shape)
		}
		if p.Source == "" || top.Name != p.Name {
			t.Errorf("%s: source %q, topology %q", p.Name, p.Source, top.Name)
		}
	}
	if _, ok := Lookup("Frontier2"); ok {
		t.Error("an unknown name was found")
	}
}

// Figure 7.3, worked from its caption: two racks, the first with two NUMA
// nodes, the second with one; each node has two packages of two cores.
func TestFigure73(t *testing.T) {
	t.Parallel()
	top, _ := Lookup("figure-7.3")
	want := map[string]string{
		"hwloc://Machine":  "0-11",
		"commsplit://Rack": "0-7 8-11",
		"hwloc://Group":    "0-3 4-7 8-11", // those that hold the nodes
		"hwloc://NUMANode": "0-3 4-7 8-11",
		"hwloc://Package":  "0-1 2-3 4-5 6-7 8-9 10-11",
		"hwloc://Core":     "0 1 2 3 4 5 6 7 8 9 10 11",
		"hwloc://PU":       "0 1 2 3 4 5 6 7 8 9 10 11",
	}
	got := map[string]string{}
	for _, r := range top.Resources() {
		var sets []string
		for _, o := range r.Instances {
			sets = append(sets, o.CPUSet.String())
		}
		got[r.URI] = strings.Join(sets, " ")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// xmlObject is an object of an hwloc XML file.
type xmlObject struct {
	Type     string      `xml:"type,attr"`
	Subtype  string      `xml:"subtype,attr"`
	OSIndex  string      `xml:"os_index,attr"`
	CPUSet   string      `xml:"cpuset,attr"`
	NodeSet  string      `xml:"nodeset,attr"`
	Memory   string      `xml:"local_memory,attr"`
	Children []xmlObject `xml:"object"`
}

func (o xmlObject) lines(indent string) []string {
	r := []string{fmt.Sprintf("%s%s(%s) P#%s %s %s %s", indent, o.Type, o.Subtype, o.OSIndex,
		o.CPUSet, o.NodeSet, o.Memory)}
	for _, c := range o.Children {
		r = append(r, c.lines(indent+"  ")...)
	}
	return r
}

func lines(o *hw.Object, indent string) []string {
	index, bytes := fmt.Sprint(o.OSIndex), ""
	if o.OSIndex == hw.Unknown {
		index = ""
	}
	if o.Type == hw.NUMANode {
		bytes = fmt.Sprint(o.Bytes)
	}
	r := []string{fmt.Sprintf("%s%s(%s) P#%s %s %s %s", indent, o.Type, o.Subtype, index,
		mask(o.CPUSet), mask(o.NodeSet), bytes)}
	for _, c := range slices.Concat(o.Memory, o.Children) {
		r = append(r, lines(c, indent+"  ")...)
	}
	return r
}

// mask writes a set of indexes below 32 as hwloc does.
func mask(s hw.Set) string {
	bits := 0
	for _, i := range s.Indexes() {
		bits |= 1 << i
	}
	return fmt.Sprintf("0x%08x", bits)
}

// The preset is the recorded machine, object by object.
func TestFigure73LikeRecording(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("COMMSPLIT_TOPOLOGIES")
	if dir == "" {
		dir = "../../../shared/topologies"
	}
	text, err := os.ReadFile(filepath.Join(dir, "xml/figure-7.3.xml"))
	if err != nil {
		t.Skipf("no recorded machines (set COMMSPLIT_TOPOLOGIES): %v", err)
	}
	var doc struct {
		Root xmlObject `xml:"object"`
	}
	if err := xml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	top, _ := Lookup("figure-7.3")
	if diff := cmp.Diff(doc.Root.lines(""), lines(top.Root, "")); diff != "" {
		t.Errorf("-recording +preset:\n%s", diff)
	}
}
