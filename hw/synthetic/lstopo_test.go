package synthetic_test

import (
	"encoding/xml"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
	"github.com/google/go-cmp/cmp"
)

// xmlObject is an object of lstopo's XML output.
type xmlObject struct {
	Type     string      `xml:"type,attr"`
	OSIndex  string      `xml:"os_index,attr"`
	CPUSet   string      `xml:"cpuset,attr"`
	NodeSet  string      `xml:"nodeset,attr"`
	Memory   string      `xml:"local_memory,attr"`
	Cache    string      `xml:"cache_size,attr"`
	Children []xmlObject `xml:"object"`
}

// lines writes the tree one object a line, so that trees can be compared.
func (o xmlObject) lines(indent string) []string {
	size := o.Memory + o.Cache
	if size == "" {
		size = "0"
	}
	line := fmt.Sprintf("%s%s P#%s cpus=%s nodes=%s size=%s", indent, o.Type, o.OSIndex,
		bitmap(o.CPUSet), bitmap(o.NodeSet), size)
	r := []string{line}
	for _, c := range o.Children {
		r = append(r, c.lines(indent+"  ")...)
	}
	return r
}

// bitmap turns hwloc's "0x000000ff,0x0000ffff" into a list of indexes.
func bitmap(text string) string {
	var s hw.Set
	words := strings.Split(text, ",")
	for i, w := range words {
		n, _ := strconv.ParseUint(strings.TrimPrefix(w, "0x"), 16, 32)
		for bit := range 32 {
			if n>>bit&1 == 1 {
				s.Add((len(words)-1-i)*32 + bit)
			}
		}
	}
	return s.String()
}

func lines(o *hw.Object, indent string) []string {
	index := strconv.Itoa(o.OSIndex)
	if o.OSIndex == hw.Unknown {
		index = ""
	}
	r := []string{fmt.Sprintf("%s%s P#%s cpus=%s nodes=%s size=%d", indent, o.Type, index,
		o.CPUSet, o.NodeSet, o.Bytes)}
	for _, c := range slices.Concat(o.Memory, o.Children) {
		r = append(r, lines(c, indent+"  ")...)
	}
	return r
}

// Descriptions mean the same to us and to hwloc: same tree, sets, indexes, sizes.
func TestLikeLstopo(t *testing.T) {
	t.Parallel()
	lstopo := judge.Ask(t, "lstopo-no-graphics")
	for _, text := range []string{
		"4", "2 3", "2 3 4", "2 3 4 5", "2 2 2 2 2", "2 2 2 2 2 2", "2 2 2 2 2 2 2",
		"2 2 2 2 2 2 2 2", "2 1 2 2 2 2 1 1 2 2", "[numa] 2 3", "[numa] 2 3 4", "[numa] 2 3 4 5",
		"2 [numa] 3 4", "0x2 3", "010 1", "pu:4", "pack:2 core:2 pu:2", "pack:1 core:2 pu:1",
		"pack:2 numa:2 l3:2 core:4 pu:2", "node:2 2", "numa:4 pu:1", "numa:2 core:1 pu:1",
		"[numa] pack:2 [numa] core:2 pu:1", "group:2 group:2 core:1 pu:2", "pu:1 [numa]",
		"group:2 group:2 core:2 pu:2(indexes=group1)", "group:1 core:2 pu:1",
		"group:2 group:2 core:2 pu:2(indexes=group2)", "pack:2 group:1 core:2 pu:1",
		"pack:2 group:2 [numa] core:2 pu:1", "core:2 [numa] [numa(memory=3MB)] pu:1",
		"numa:2(memory=1GB indexes=1,0) pu:2(indexes=2*2:1*2)", "pack:2 l1i:2 core:1 pu:1",
		"numa:2 pack:1 l3:2 pu:1", "group3:2 core:2 pu:1", "pack:2() pu:2", "pack:2pu:2",
		"pack:2 [numa] l3:2 core:4 pu:2(indexes=2*16:1*2)", "l1:2 l1:2 pu:1",
		"pack:1 group:4 [numa(memory=24GiB)] [numa(memory=4GiB)] l2:8(size=1MiB) core:2 " +
			"pu:4(indexes=4*64:1*4)",
		"pack:2 [numa(memory=1GB indexes=4,5,1,0)] core:1 [numa(memory=8kB)] pu:1",
		"pack:2(indexes=3,5) numa:2(memory=256GiB indexes=pack) l3u:1(size=20mib) l2:2 " +
			"l1i:1(size=16kiB) l1dcache:2 core:1 pu:2(indexes=pack:l2)",
		"group:2 numa:2(memory=32GB) pack:2 core:2 pu:1", "die:2 core:3 pu:2",
		"so:2 [node(memory=16GB)] nu:1 pu:2", "Tile:2 Module:2 core:2 pu:1",
		"pack:2 numa:2 core:4 pu:2(indexes=numa:core)", "pack:2 core:4 pu:2(indexes=core:pack)",
		"pack:2 l5:1 l4:2 l3i:2 l2i:1 l1:2 pu:2", "(memory=3GB) pack:2(memory=1GB) pu:2",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			compare(t, text, exec.Command(lstopo, "-i", text, "--of", "xml"))
		})
	}
}

// compare compares our tree with the output of lstopo.
func compare(t *testing.T, text string, lstopo *exec.Cmd) {
	t.Helper()
	out, err := lstopo.Output()
	root, _, ours := synthetic.Parse(text)
	if (err == nil) != (ours == nil) {
		t.Fatalf("lstopo: %v, Parse: %v", err, ours)
	}
	if err != nil {
		return
	}
	var doc struct {
		Root xmlObject `xml:"object"`
	}
	if err := xml.Unmarshal(out, &doc); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(doc.Root.lines(""), lines(root, "")); diff != "" {
		t.Errorf("-lstopo +ours:\n%s", diff)
	}
}

// restrict= is lstopo's --restrict with the flag that removes NUMA nodes without CPUs.
func TestRestrictLikeLstopo(t *testing.T) {
	t.Parallel()
	lstopo := judge.Ask(t, "lstopo-no-graphics")
	for _, c := range []struct{ text, list string }{
		{"pack:2 core:4 pu:2", "0-3"},
		{"pack:2 core:4 pu:2", "1,3,9-10"},
		{"pack:2 numa:2 l3:2 core:4 pu:2", "0-7,16-63"},
		{"pack:2 [numa] l3:2 core:4 pu:2(indexes=2*16:1*2)", "0-3,8-11,16"},
		{"group:2 numa:2(memory=32GB) pack:2 core:2 pu:1", "0-11"},
		{"group:2 numa:2(memory=32GB) pack:2 core:2 pu:1", "0-3"},
		{"group:2 numa:2(memory=32GB) pack:2 core:2 pu:1", "0-7"},
		{"group:2 numa:2(memory=32GB) pack:2 core:2 pu:1", "0-1,4-5"},
		{"group:2 numa:2(memory=32GB) pack:2 core:2 pu:1", "0-1,8-9"},
		{"group:2 group:2 core:2 pu:1", "0-5"},
		{"group:2 group:2 core:2 pu:1", "0-1,4-5"},
		{"group:2 group:2 core:2 pu:1", "0,2,4,6"},
		{"pack:2 group:2 core:2 pu:1", "0-1,4-5"},
		{"pack:2 group:2 core:2 pu:1", "0-1,4-7"},
		{"pack:2 group:2 [numa] core:2 pu:1", "0-1,4-5"},
		{"pack:1 group:4 [numa] [numa] l2:8 core:2 pu:4", "0-127"},
		{"pack:2 [numa] core:2 [numa] pu:2", "0,4"},
		{"group:4 pu:2", "0,2,4,6"},
		{"numa:4 pu:2", "0,2"},
		{"group:2 numa:2 pu:2", "0,4"},
	} {
		t.Run(c.text+" "+c.list, func(t *testing.T) {
			t.Parallel()
			set, err := hw.ParseList(c.list)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, c.text+" restrict="+c.list, exec.Command(lstopo, "-i", c.text,
				"--restrict", mask(set), "--restrict-flags", "1", "--of", "xml"))
		})
	}
}

// mask writes a set as hwloc does.
func mask(s hw.Set) string {
	var words []string
	for w := s.Last() / 32; w >= 0; w-- {
		bits := 0
		for i := range 32 {
			if s.Has(32*w + i) {
				bits |= 1 << i
			}
		}
		words = append(words, fmt.Sprintf("0x%08x", bits))
	}
	return strings.Join(words, ",")
}
