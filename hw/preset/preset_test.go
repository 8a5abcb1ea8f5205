package preset

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"github.com/google/go-cmp/cmp"
)

// The counts of objects in the presets, taken by hand from the sources that the
// presets name.
func TestPresets(t *testing.T) {
	t.Parallel()
	shapes := map[string]string{
		"figure-7.3":       "2 racks, 6 packages, 3 NUMA nodes, 12 cores",
		"laptop-hybrid":    "1 L3, 8 L2, 14 cores of 2 kinds, 20 PUs",
		"laptop-arrowlake": "1 L3, 5 L2, 12 cores of 3 kinds, 14 PUs",
		"nvidia-dgx-gb10":  "2 L3, 20 cores of 2 kinds",
		"raspberry-pi-4":   "1 L2, 4 cores",
		"epyc-9654-nps4":   "2 packages, 8 NUMA nodes, 24 L3, 192 cores, 384 PUs",
		"xeon-snc2":        "2 packages, 4 NUMA nodes, 2 L3, 48 cores, 96 PUs",
		"knl-snc4-flat":    "4 clusters, 8 NUMA nodes (4 MCDRAM), 32 L2, 64 cores, 256 PUs",
		"kunpeng-920":      "32 clusters, 2 packages, 4 NUMA nodes, 4 L3, 128 cores",
		"ibm-z-drawers":    "2 drawers, 4 books, 8 packages, 20 cores",
		"frontier":         "4 NUMA nodes, 8 L3, 64 cores, 128 PUs, 8 GPUs",
		"frontier-56":      "4 NUMA nodes, 8 L3, 56 cores, 112 PUs, 8 GPUs, 16 disallowed",
		"lumi-c":           "2 packages, 8 NUMA nodes, 16 L3, 128 cores, 256 PUs",
		"dgx-a100":         "2 packages, 8 NUMA nodes, 32 L3, 128 cores, 256 PUs, 8 GPUs",
		"perlmutter-cpu":   "2 packages, 8 NUMA nodes, 16 L3, 128 cores, 256 PUs",
		"fugaku":           "4 NUMA nodes, 4 L2, 48 cores",
		"gh200-quad":       "4 packages, 8 NUMA nodes (4 GPUMemory), 4 L3, 288 cores, 4 GPUs",
		"lumi-g":           "4 NUMA nodes, 8 L3, 56 cores, 112 PUs, 8 GPUs, 16 disallowed",
		"perlmutter-gpu":   "4 NUMA nodes, 8 L3, 64 cores, 128 PUs, 4 GPUs",
		"aurora":           "2 packages, 4 NUMA nodes (2 HBM), 2 L3, 104 cores, 208 PUs, 6 GPUs",
		"el-capitan":       "4 packages, 4 NUMA nodes, 12 L3, 96 cores, 192 PUs, 4 GPUs",
		"leonardo-booster": "2 NUMA nodes, 1 L3, 32 cores, 4 GPUs",
		"leonardo-dcgp":    "2 packages, 2 NUMA nodes, 2 L3, 112 cores",
		"marenostrum5-acc": "2 packages, 2 NUMA nodes, 2 L3, 80 cores, 4 GPUs",
		"marenostrum5-gpp": "2 packages, 2 NUMA nodes, 2 L3, 112 cores",
		"bluegene-q":       "1 L2, 16 cores, 64 PUs",
	}
	got := map[string]string{}
	for _, p := range All() {
		top, ok := Lookup(p.Name)
		if !ok || top.Name != p.Name {
			t.Errorf("%s cannot be looked up", p.Name)
			continue
		}
		got[p.Name] = p.Shape()
		if p.Source == "" || strings.Contains(p.Source, "\n") || len(p.Shape()) > 72 || len(p.Name) > 16 {
			t.Errorf("%s: shape %q, source %q", p.Name, p.Shape(), p.Source)
		}
	}
	if diff := cmp.Diff(shapes, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, ok := Lookup("Frontier2"); ok || len(Names()) != len(shapes) {
		t.Error("an unknown name was found, or a known one not")
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
		"hwloc://Group":    "0-3 4-7 8-11", // the Groups that hold the NUMA nodes
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

// recording reads a file of the recorded machines, or skips the test.
func recording(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("COMMSPLIT_TOPOLOGIES")
	if dir == "" {
		dir = "../../../shared/topologies"
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("no recorded machines (set COMMSPLIT_TOPOLOGIES): %v", err)
	}
	return text
}

// The preset is the recorded machine, object by object.
func TestFigure73LikeRecording(t *testing.T) {
	t.Parallel()
	text := recording(t, "xml/figure-7.3.xml")
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
