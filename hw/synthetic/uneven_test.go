package synthetic_test

import (
	"fmt"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"github.com/google/go-cmp/cmp"
)

// sets writes the objects of each level, outermost first, as "Core 0-1 2 (P#0 P#1)".
func sets(top *hw.Topology) string {
	var b strings.Builder
	for _, level := range top.Levels() {
		b.WriteString(level[0].TypeName())
		for _, o := range level {
			text := o.CPUSet.String()
			if o.OSIndex != hw.Unknown && fmt.Sprint(o.OSIndex) != text {
				text = fmt.Sprintf("%d=%s", o.OSIndex, text)
			}
			b.WriteString(" " + text)
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// Braces list different children for each object of the level before them; os indexes count on in
// the order of the text, siblings come by their first PU. "8=0-1" is an object P#8 with PUs 0 and 1.
func TestBraces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"pack:1 {l3:1 {l2:2 core:1 pu:2 ; l2:1 core:2 pu:1} ; l2:1 core:1 pu:1}": "Machine 0=0-6; Package 0=0-6; " +
			"L3Cache 0-5; L2Cache 0-1 2-3 4-5 6; Core 0=0-1 1=2-3 2=4 3=5 4=6; PU 0 1 2 3 4 5 6; NUMANode 0=0-6",
		"{pack:1 core:1 ; pack:2 core:2}": "Machine 0=0-4; Package 0 1=1-2 2=3-4; Core 0 1 2 3 4; " +
			"PU 0 1 2 3 4; NUMANode 0=0-4",
		"pack:2 {core:1 pu:2;core:1}": "Machine 0=0-5; Package 0=0-2 1=3-5; Core 0=0-1 1=2 2=3-4 3=5; " +
			"PU 0 1 2 3 4 5; NUMANode 0=0-5",
		// Threads numbered behind all cores: the first PUs of the cores are 0, 1, 2.
		"pack:1 {core:2 pu:2; core:1} (indexes=0,3,1,4,2)": "Machine 0=0-4; Package 0=0-4; Core 0=0,3 1=1,4 2; " +
			"PU 0 3 1 4 2; NUMANode 0=0-4",
		"pack:2 {core:1 pu:3; core:1}(indexes=2*4:1*2)": "Machine 0=0-7; Package 0=0-1,4-5 1=2-3,6-7; " +
			"Core 0=0-1,4 1=5 2=2-3,6 3=7; PU 0 1 4 5 2 3 6 7; NUMANode 0=0-7",
		"pack:2 {core:1 pu:3; core:1}(indexes=pack)": "Machine 0=0-7; Package 0=0,2,4,6 1=1,3,5,7; " +
			"Core 0=0,2,4 1=6 2=1,3,5 3=7; PU 0 2 4 6 1 3 5 7; NUMANode 0=0-7",
		"{core:2(indexes=8,12) pu:1(indexes=5-6) ; core:1 pu:2}": "Machine 0=2-3,5-6; Core 2=2-3 8=5 12=6; " +
			"PU 2 3 5 6; NUMANode 0=2-3,5-6",
		// group2 names the outer level of two; its first object has every other number.
		"group:2 {group:2 pu:1 ; group:1 pu:2}(indexes=group2)": "Machine 0=0-7; Group 0,2,4,6 1,3,5,7; " +
			"Group 4,6 5,7; PU 0 2 4 6 1 3 5 7; NUMANode 0=0-7",
		// Nodes: one for the first package only, two for the second; inner nodes are counted
		// first.
		"{pack:1 [numa] core:1 ; pack:1 [numa] {core:1 [numa]; core:1}}": "Machine 0=0-2; Package 0 1=1-2; " +
			"Core 0 1 2; PU 0 1 2; NUMANode 0 1 2=1-2",
		"{pack:1 core:1 ; pack:1 [numa] core:1 ; pack:1 numa:2 core:1}": "Machine 0=0-3; Package 0 1 2=2-3; " +
			"Core 0 1 2 3; PU 0 1 2 3; NUMANode 0=1 1=2 2=3",
	} {
		if diff := cmp.Diff(want, sets(parse(t, text))); diff != "" {
			t.Errorf("%q: -want +got:\n%s", text, diff)
		}
	}
}

// Any machine may differ from its neighbours, above and below it.
func TestUnevenHosts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, shape, names string }{
		{"{machine:2 core:1 ; machine:1 core:2}", "Cluster / Machine Machine Machine / " +
			"Core Core Core Core / PU PU PU PU / NUMANode NUMANode NUMANode ", "node0 node1 node2"},
		{"row:2 blade:1 {machine:1 pu:1 ; slot:1 machine:1 pu:1}", "Cluster / Row Row / Blade Blade / " +
			"Slot Slot / Machine Machine Machine Machine / PU PU PU PU / NUMANode NUMANode NUMANode NUMANode ",
			"node0 node1 node2 node3"},
		{"rack:2 machine:2(name=cn[08-11]) pu:1", "Cluster / Rack Rack / Machine Machine Machine Machine / " +
			"PU PU PU PU / NUMANode NUMANode NUMANode NUMANode ", "cn08 cn09 cn10 cn11"},
		{"rack:2 {machine:1(name=a,b) pu:1 ; machine:1 pu:1}", "Cluster / Rack Rack / " +
			"Machine Machine Machine Machine / PU PU PU PU / NUMANode NUMANode NUMANode NUMANode ",
			"a node1 b node3"},
		{"(name=hal) pu:1", "Machine / PU / NUMANode ", "hal"},
		{"{machine:1(name=node0) pu:1 ; machine:1 pu:1}", "Cluster / Machine Machine / PU PU / " +
			"NUMANode NUMANode ", "node0 node1"},
		{"machine:2 group:1(subtype=Cluster) pu:1", "System / Machine Machine / Group Group / PU PU / " +
			"NUMANode NUMANode ", "node0 node1"},
	} {
		top := parse(t, c.text)
		if diff := cmp.Diff(c.shape, shape(top)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.text, diff)
		}
		var names []string
		for _, h := range top.Hosts {
			names = append(names, h.Name)
		}
		if got := strings.Join(names, " "); got != c.names {
			t.Errorf("%q: hosts %s, want %s", c.text, got, c.names)
		}
	}
}

// The words at the end remove PUs: restrict= also removes NUMA nodes that lose all PUs, offline=
// and disallow= do not; Notes lists the PUs that are offline or disallowed.
func TestEndWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, sets, offline, disallowed string }{
		{"pack:2 [numa] core:2 restrict=0-1", "Machine 0=0-1; Package 0=0-1; Core 0 1; PU 0 1; NUMANode 0=0-1", "", ""},
		{"pack:2 [numa] core:2 offline=2-3", "Machine 0=0-1; Package 0=0-1 1=; Core 0 1; PU 0 1; NUMANode 0=0-1 1=",
			"2-3", ""},
		{"pack:2 [numa] core:2 disallow=0,2", "Machine 0=1,3; Package 0=1 1=3; Core 1 3; PU 1 3; NUMANode 0=1 1=3",
			"", "0,2"},
		{"core:8 disallow=0 restrict=0-3\toffline=3 ", "Machine 0=1-2; Core 1 2; PU 1 2; NUMANode 0=1-2", "3", "0"},
		{"machine:2 core:3 restrict=1", "Cluster ; Machine 0=1 0=1; Core 1 1; PU 1 1; NUMANode 0=1 0=1", "", ""},
	} {
		top := parse(t, c.text)
		if diff := cmp.Diff(c.sets, sets(top)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.text, diff)
		}
		var d hw.Details
		if top.Hosts[0].Details != nil {
			d = *top.Hosts[0].Details
		}
		if d.Offline.String() != c.offline || d.Disallowed.String() != c.disallowed {
			t.Errorf("%q: offline %q, disallowed %q", c.text, d.Offline, d.Disallowed)
		}
	}
}

// Kinds of cores come by efficiency, or as written; restricting takes PUs from them.
func TestKinds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{core:1(kind=P efficiency=7) pu:2 ; core:2(kind=E efficiency=3)}":            "0 E 2-3; 1 P 0-1; ",
		"{core:1(kind=P) pu:2 ; l2:1(kind=E) core:2 ; core:1(kind=P)}":                "-1 P 0-1,4; -1 E 2-3; ",
		"{core:1(kind=P efficiency=2);core:2(kind=E efficiency=1)} restrict=0,2":      "0 E 2; 1 P 0; ",
		"{core:1(kind=P efficiency=2);core:2(kind=E efficiency=1)} restrict=0":        "0 P 0; ",
		"{core:1(kind=P efficiency=2);core:2(kind=E efficiency=1);core:1} disallow=1": "0 E 2; 1 P 0; ",
	} {
		got := ""
		for _, k := range parse(t, text).Hosts[0].Details.Kinds {
			got += fmt.Sprintf("%d %s %s; ", k.Efficiency, k.Infos[0].Value, k.CPUSet)
			if k.Infos[0].Name != "CoreType" {
				t.Errorf("%q: info %q", text, k.Infos[0].Name)
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Groups and NUMA nodes keep their subtypes, and a node of another kind is not a default node.
func TestSubtypes(t *testing.T) {
	t.Parallel()
	top := parse(t, "group:2(subtype=Rack) pack:2 [numa(memory=4GB)] [numa(memory=1GB subtype=MCDRAM)] core:2")
	for uri, want := range map[string]int{"commsplit://Rack": 2, "hwloc://NUMANode": 4} {
		if r, _ := top.Lookup(uri); r == nil || len(r.Instances) != want {
			t.Errorf("%s: %+v, want %d instances", uri, r, want)
		}
	}
	if nodes := top.Objects(hw.NUMANode); len(nodes) != 8 || nodes[1].Subtype != "MCDRAM" || nodes[0].Subtype != "" {
		t.Errorf("%d nodes, %+v", len(nodes), nodes[1])
	}
}
