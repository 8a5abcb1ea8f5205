package hwlocxml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// The error for a file that is not a topology of hwloc 2.x or 3.x is one line,
// with the line of the file and, for format 1.x, the command that converts it.
func TestRefusedFiles(t *testing.T) {
	t.Parallel()
	const old = `line 1: the format of hwloc 1.x is not read: convert the file with ` +
		`"lstopo --input old.xml new.xml" of hwloc 2`
	bomb := `<!DOCTYPE topology [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><topology version="2.0">&b;</topology>`
	for _, c := range []struct{ text, want string }{
		{"", `no <topology>: want an hwloc XML file, such as "lstopo file.xml" writes`},
		{`<topology><object type="System"/></topology>`, old},
		{`<topology version="1.11"><object type="Machine"/></topology>`, old},
		{`<root><object type="Machine"/></root>`, old},
		{`<topology version="4.0"/>`,
			`line 1: format version "4.0" is not known: versions 2.x and 3.x are read`},
		{"<?xml version=\"1.0\"?>\n<topologydiff/>",
			"line 2: <topologydiff> where <topology> was expected: not an hwloc XML file"},
		{`<topology version="2.0"></topology>`, "line 1: <topology> has no object"},
		{`<topology version="2.0"><object type="Package"/></topology>`,
			`line 1: the outermost object has type "Package": want Machine`},
		{`<topology version="2.0">&xxe;</topology>`, "line 1: not XML: invalid character entity &xxe;"},
		{`<?xml version="` + strings.Repeat("4", 5000) + `"?><topology version="2.0"/>`,
			`line 1: cannot read: xml: unsupported version "` + strings.Repeat("4", 60-len(`xml: unsupported version "`)) + "..."},
		{bomb, "line 1: a DTD inside the file: hwloc files only refer to a DTD"},
		{"pack:2 core:2", `no <topology>: want an hwloc XML file, such as "lstopo file.xml" writes`},
		{strings.Repeat("<a>", 3), "line 1: <a> where <topology> was expected: not an hwloc XML file"},
		{`<topology version="2.0">` + strings.Repeat("<a>", 100),
			"line 1: more than 64 nested elements"},
		{small + strings.Repeat(" ", 16<<20), "larger than 16 MiB: too large for a topology"},
		{small + "<topology/>", "line 33: more after </topology>: a file holds one topology"},
		{small + "x", "line 33: text after </topology>"},
		{`<topology version="2.0"><x></topology>`, "line 1: not XML: element <x> closed by </topology>"},
		{`<?xml version="1.0" encoding="EBCDIC"?><topology/>`,
			`line 1: cannot read: xml: opening charset "EBCDIC": want UTF-8`},
		{`<topology version="2.0"><object type="Machine" cpuset="0x1" nodeset="0x1"><object type="Machine"`,
			"line 1: the file ends too early"},
	} {
		if _, err := hwlocxml.Read(strings.NewReader(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%.100s:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// The error for a contradiction, or for a value out of bounds, names the object
// and the line.
func TestRefusedObjects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, text, want string }{
		{`"L3iCache"`, `"L3xCache"`, `line 11: object type "L3xCache" is not known: hwloc 2 and 3 have ` +
			"Machine, Package, Core, PU, NUMANode, Group, ..."},
		{`cpuset="0x3,0x1" complete`, `complete`, "line 5: Machine P#0: no cpuset: want one such as 0x0000000f"},
		{`cpuset="0x3,0x1" complete`, `cpuset="" complete`,
			"line 5: Machine P#0: cpuset: it is empty: want a set such as 0x0000000f"},
		{`cpuset="0x3,0x1" complete`, `cpuset="0xf...f" complete`,
			`line 5: Machine P#0: cpuset: "0xf...f" in "0xf...f" is not a hexadecimal group of 32 bits`},
		{`cpuset="0x3,0x1" complete`, `cpuset="0x1` + strings.Repeat(",", 2048) + `" complete`,
			"line 5: Machine P#0: cpuset: index 65536 is above the limit of 65535"},
		{`cpuset="0x3,0x1" complete`, `cpuset="0x3,0x5" complete`,
			"line 30: Machine: PUs 2 of its cpuset are in none of its children"},
		{`os_index="33" cpuset="0x2,"`, `os_index="33" cpuset="0x3,"`,
			`line 25: PU P#33: cpuset "32-33" and os_index "33": want one and the same number`},
		{`os_index="33" cpuset="0x2,"`, `os_index="32" cpuset="0x1,"`,
			"line 28: Package: PUs 32 are in two of its children"},
		{`os_index="33" cpuset="0x2,"`, `os_index="34" cpuset="0x4,"`,
			"line 25: PU P#34: PUs 34 are not in the cpuset of its Package"},
		{`os_index="33" cpuset="0x2," nodeset="0x3"`, `os_index="33" cpuset="0x2," nodeset="0x4"`,
			"line 25: PU P#33: NUMA nodes 2 are not in the nodeset of its Package"},
		{`os_index="33"`, `os_index="x"`, `line 25: PU: os_index: "x" is not an index`},
		{`os_index="33"`, `os_index="2000000000"`,
			`line 25: PU P#2000000000: cpuset "33" and os_index "2000000000": want one and the same number`},
		{`os_index="33"`, ``, `line 25: PU: cpuset "33" and os_index "": want one and the same number`},
		{`os_index="1" cpuset`, `os_index="0" cpuset`,
			`line 16: NUMANode P#0: nodeset "1" and os_index "0": want one and the same number`},
		{`os_index="1" cpuset="0x3,0x0" nodeset="0x2"`, `os_index="0" cpuset="0x3,0x0" nodeset="0x1"`,
			"line 20: NUMANode P#0: a second NUMA node of that number"},
		{`"7"/>`, `"-7"/>`, `line 9: NUMANode P#2: local_memory: "-7" is not a number of bytes`},
		{`"7"/>`, `"9999999999999999999"/>`, "line 9: NUMANode P#2: local_memory: 9999999999999999999 bytes " +
			"are above the limit of 1152921504606846976"},
		{`"Rack"`, `"R&#10;ck"`, `line 7: Group: subtype: "R\nck" has characters that cannot be printed`},
		{`value="Model"`, `value="` + strings.Repeat("M", 201) + `"`,
			`line 23: CPUModel: "` + strings.Repeat("M", 60) + `..." is longer than 200 bytes`},
		{`"L3iCache" `, `"Machine" `, "line 11: Machine: a machine in a Group: want it outermost"},
		{`<page_type size="4096" count="1"/>`, `<object type="Core" cpuset="0x0" nodeset="0x0"/>`,
			"line 17: Core: it is inside a NUMANode, which may hold nothing"},
		{`<object type="NUMANode" os_index="0"`, `<object type="Core" os_index="0"`,
			"line 20: Core P#0: it is inside a MemCache, which may hold only NUMA nodes"},
		{`allowed_cpuset="0x3,0x1"`, `allowed_cpuset="0x0"`,
			`the file allows PUs "" of 0,32-33 and NUMA nodes "0-2" of 0-2: want some of both`},
		{`allowed_cpuset="0x3,0x1"`, `allowed_cpuset="all"`,
			`line 5: Machine P#0: allowed_cpuset: "all" in "all" is not a hexadecimal group of 32 bits`},
		{`type="PCIDev"`, `type="PCIDev" pci_busid="1:2"`,
			`line 27: PCIDev: pci_busid "1:2": want one such as 0000:01:00.0`},
		{`type="OSDev"`, `type="OSDev" name="e&#9;0"`,
			`line 27: OSDev: name: "e\t0" has characters that cannot be printed`},
		{`"OSDev"`, `"Core"`, "line 27: Core: it is inside a PCIDev, which may hold only devices"},
		{`name="x"><object type="Misc"`, `name="x"><object type="OSDev"`,
			"line 24: OSDev: it is inside a Misc, which may hold only Misc"},
		{`<page_type size="4096" count="1"/>`, `<object type="OSDev"/>`,
			"line 17: OSDev: it is inside a NUMANode, which may hold only Misc"},
		{`<support name="x"/>`, `<cpukind cpuset="0x3"/><cpukind cpuset="0x6"/>`,
			"line 31: cpukind: PUs 1 are in two kinds"},
		{`<support name="x"/>`, `<cpukind/>`, "line 31: cpukind: no cpuset: want one such as 0x0000000f"},
		{`<support name="x"/>`, `<cpukind cpuset="0x3" forced_efficiency="x"/>`,
			`line 31: cpukind: forced_efficiency: "x" is not an index`},
		{`<support name="x"/>`, `<cpukind cpuset="0x1"><info name="CoreType" value="&#10;"/></cpukind>`,
			`line 31: cpukind: CoreType: "\n" has characters that cannot be printed`},
		{"</topology>", `<object type="Machine"/></topology>`,
			"line 32: a second object in <topology>: want one Machine that holds all others"},
	} {
		if !strings.Contains(small, c.old) {
			t.Fatalf("no %s", c.old)
		}
		if _, err := readSmall(c.old, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s for %s:\n got %v\nwant %s", c.text, c.old, err, c.want)
		}
	}
	if _, err := hwlocxml.Read(strings.NewReader(`<topology version="2.0"><object type="Machine" ` +
		`cpuset="0x1" nodeset="0x0"><object type="PU" os_index="0" cpuset="0x1" nodeset="0x0"/>` +
		`</object></topology>`)); err == nil || err.Error() != "the machine has no NUMANode: want at least one" {
		t.Errorf("without NUMA nodes: %v", err)
	}
}

// The number of objects and of subtypes of Groups, which cost time, is bounded.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		groups, kinds int
		want          string
	}{
		{1000, 64, ""},
		{65, 65, "line 65: Group: more than 64 different subtypes of Groups"},
		{1 << 18, 1, "line 262142: more than 262144 objects"},
	} {
		var file strings.Builder
		file.WriteString(`<topology version="2.0"><object type="Machine" cpuset="0x1" nodeset="0x1">` +
			`<object type="PU" os_index="0" cpuset="0x1" nodeset="0x1"/>` +
			`<object type="NUMANode" os_index="0" cpuset="0x1" nodeset="0x1"/>`)
		for i := range c.groups {
			fmt.Fprintf(&file, `<object type="Group" subtype="g%d" cpuset="0x0" nodeset="0x0"/>`, i%c.kinds)
			file.WriteString("\n")
		}
		file.WriteString("</object></topology>")
		_, err := hwlocxml.Read(strings.NewReader(file.String()))
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

// For any text, an error is one short line; an accepted topology nests, has PUs
// and nodes, places ranks, and is the same when written and read again.
func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add(small[:len(small)/2])
	f.Add(strings.ReplaceAll(small, `subtype="Rack"`, ""))
	f.Add(strings.Replace(devicesAndKinds, "2.0", "3.0", 1))
	f.Fuzz(func(t *testing.T, text string) {
		top, err := hwlocxml.Read(strings.NewReader(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 1000 {
				t.Fatalf("%q", err)
			}
			return
		}
		for o := range top.Root.All() {
			if o.Parent != nil && !o.CPUSet.SubsetOf(o.Parent.CPUSet) {
				t.Fatalf("%v sticks out", o.CPUSet)
			}
		}
		if len(top.Objects(hw.PU)) != top.Root.CPUSet.Len() || len(top.Objects(hw.NUMANode)) == 0 {
			t.Fatal("PUs or nodes are missing")
		}
		if _, err := placement.Place(top, 1, placement.Policy{}); err != nil {
			t.Fatal(err)
		}
		again, err := hwlocxml.Read(strings.NewReader(written(t, top)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole(top), whole(again)); diff != "" {
			t.Fatal(diff)
		}
	})
}
