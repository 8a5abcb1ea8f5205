package hwlocxml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
)

// small is a machine with a package that has no PU online and comes before its
// siblings, a rack, a memory Group, a memory-side cache, PUs and nodes out of
// order, and elements that are skipped. PU 1 is in complete_cpuset but in no
// cpuset: offline.
const small = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
<object type="Machine" os_index="0" cpuset="0x3,0x1" complete_cpuset="0x3,0x00000003"
  allowed_cpuset="0x3,0x1" nodeset="0x7" allowed_nodeset="0xf...f">
 <info name="HostName" value="alpha&amp;beta"/><info name="Backend" value="Linux"/>
 <object type="Group" cpuset="0x0000001" complete_cpuset="0x3" nodeset="0x4" subtype="Rack" kind="1001">
  <object type="Package" os_index="-1" cpuset="0x0" complete_cpuset="0x2" nodeset="0x4">
   <object type="NUMANode" os_index="2" cpuset="0x0" nodeset="0x4" local_memory="7"/>
  </object>
  <object type="L3iCache" cpuset="0x1" nodeset="0x4" cache_size="5">
   <object type="PU" os_index="0" cpuset="0x1" nodeset="0x4"/>
  </object>
 </object>
 <object type="Group" cpuset="0x3,0x0" nodeset="0x3" kind="1001">
  <object type="NUMANode" os_index="1" cpuset="0x3,0x0" nodeset="0x2" local_memory="1024" subtype="HBM">
   <page_type size="4096" count="1"/>
  </object>
  <object type="MemCache" cpuset="0x3,0x0" nodeset="0x1" cache_size="64">
   <object type="NUMANode" os_index="0" cpuset="0x3,0x0" nodeset="0x1" local_memory="2048"/>
  </object>
  <object type="Package" os_index="4294967295" cpuset="0x3,0x0" nodeset="0x3">
   <info name="CPUModel" value="Model"/>
   <object type="Misc" name="x"><object type="Misc"/></object>
   <object type="PU" os_index="33" cpuset="0x2," nodeset="0x3"/>
   <object type="PU" os_index="32" cpuset="0x1,0x0" nodeset="0x3"/>
   <object type="Bridge"><object type="PCIDev"><object type="OSDev"/></object></object>
  </object>
 </object>
</object>
<distances2 type="NUMANode" nbobjs="2" kind="5" indexing="os"><indexes>0 1</indexes><u64values>10 20 20 10</u64values></distances2><support name="x"/>
</topology>
`

// drawn lists a tree, an object a line; memory objects have a dash.
func drawn(o *hw.Object, indent string) string {
	line := indent + strings.TrimSpace(o.Type.String()+" "+o.Subtype)
	if o.OSIndex != hw.Unknown {
		line += fmt.Sprintf(" P#%d", o.OSIndex)
	}
	line += fmt.Sprintf(" [%v] {%v}", o.CPUSet, o.NodeSet)
	if o.Bytes > 0 {
		line += fmt.Sprintf(" %dB", o.Bytes)
	}
	if o.Name != "" {
		line += " " + o.Name
	}
	if o.Attached {
		line += " attached"
	}
	line += "\n"
	for _, m := range o.Memory {
		line += drawn(m, indent+" -")
	}
	for _, c := range o.Children {
		line += drawn(c, indent+"  ")
	}
	return line
}

// The topology has the file's tree: children by first complete PU, memory by
// number; -1 is not an index; a memory Group with a subtype is a resource; the
// formats 2.x and 3.x give the same.
func TestRead(t *testing.T) {
	t.Parallel()
	want := `Machine P#0 [0,32-33] {0-2} alpha&beta
  Group Rack [0] {2}
    L3iCache [0] {2} 5B
      PU P#0 [0] {2}
    Package [] {2}
     -NUMANode P#2 [] {2} 7B
  Group [32-33] {0-1} attached
   -MemCache [32-33] {0} 64B
   - -NUMANode P#0 [32-33] {0} 2048B
   -NUMANode HBM P#1 [32-33] {1} 1024B
    Package [32-33] {0-1} Model
      PU P#32 [32] {0-1}
      PU P#33 [33] {0-1}
`
	for _, version := range []string{"2.0", "2.10", "3.0"} {
		top, err := hwlocxml.Read(strings.NewReader(strings.Replace(small, "2.0", version, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, drawn(top.Root, "")); diff != "" {
			t.Errorf("format %s: %s", version, diff)
		}
	}
}

// readSmall reads the small machine with some text in it replaced.
func readSmall(old, text string) (*hw.Topology, error) {
	return hwlocxml.Read(strings.NewReader(strings.Replace(small, old, text, 1)))
}

// PUs and NUMA nodes outside the file's allowed sets are left out, as hwloc
// does without HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED, and so are objects that
// become empty; an infinite set allows all. Notes list them.
func TestAllowed(t *testing.T) {
	t.Parallel()
	const offline = "offline or not allowed where the file was made: PUs 1"
	for _, c := range []struct{ old, text, tree, note string }{
		{`allowed_cpuset="0x3,0x1"`, `allowed_cpuset="0x2,0x0"`, `Machine P#0 [33] {0-2} alpha&beta
  Group Rack [] {2}
    Package [] {2}
     -NUMANode P#2 [] {2} 7B
  Group [33] {0-1} attached
   -MemCache [33] {0} 64B
   - -NUMANode P#0 [33] {0} 2048B
   -NUMANode HBM P#1 [33] {1} 1024B
    Package [33] {0-1} Model
      PU P#33 [33] {0-1}
`, "the file allows PUs 33 of 0,32-33"},
		{`allowed_nodeset="0xf...f"`, `allowed_nodeset="0x2"`, `Machine P#0 [0,32-33] {1} alpha&beta
  Group Rack [0] {}
    L3iCache [0] {} 5B
      PU P#0 [0] {}
  Group [32-33] {1} attached
   -NUMANode HBM P#1 [32-33] {1} 1024B
    Package [32-33] {1} Model
      PU P#32 [32] {1}
      PU P#33 [33] {1}
`, "the file allows NUMA nodes 1 of 0-2"},
	} {
		top, err := readSmall(c.old, c.text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.tree, drawn(top.Root, "")); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
		if diff := cmp.Diff([]string{offline, c.note}, top.Notes); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}

// Siblings come in the order of their first PU, counting offline PUs; siblings
// that never had a PU come last, as in hwloc.
func TestOrder(t *testing.T) {
	t.Parallel()
	top, err := hwlocxml.Read(strings.NewReader(`<topology version="2.0">
<object type="Machine" cpuset="0x6" complete_cpuset="0x7" nodeset="0x3">
 <object type="PU" os_index="2" cpuset="0x4" nodeset="0x0"/>
 <object type="Package" os_index="8" cpuset="0x0" complete_cpuset="0x0" nodeset="0x2">
  <object type="NUMANode" os_index="1" cpuset="0x0" nodeset="0x2"/>
 </object>
 <object type="PU" os_index="1" cpuset="0x2" nodeset="0x0"/>
 <object type="Package" os_index="9" cpuset="0x0" complete_cpuset="0x1" nodeset="0x1">
  <object type="NUMANode" os_index="0" cpuset="0x0" nodeset="0x1"/>
 </object>
</object></topology>`))
	if err != nil {
		t.Fatal(err)
	}
	want := `Machine [1-2] {0-1} node0
  Package P#9 [] {0}
   -NUMANode P#0 [] {0}
  PU P#1 [1] {}
  PU P#2 [2] {}
  Package P#8 [] {1}
   -NUMANode P#1 [] {1}
`
	if diff := cmp.Diff(want, drawn(top.Root, "")); diff != "" {
		t.Error(diff)
	}
}

// In format 3.x the host's name is an info of the topology.
func TestHostName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`<info name="HostName" value="gamma"/>`: "gamma", `<info name="CPUModel" value="x"/>`: "node0",
	} {
		top, err := hwlocxml.Read(strings.NewReader(`<topology version="3.0">` +
			`<object type="Machine" cpuset="0x1" nodeset="0x1">` +
			`<object type="NUMANode" os_index="0" cpuset="0x1" nodeset="0x1"/>` +
			`<object type="PU" os_index="0" cpuset="0x1" nodeset="0x1"/></object>` + text + `</topology>`))
		if err != nil || top.Hosts[0].Name != want {
			t.Errorf("%s: %v, %v", text, top, err)
		}
	}
}
