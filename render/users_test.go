package render_test

import (
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/render"
)

// An object is described with its PUs, unless it is a PU, whose name says its number.
func TestObjectTellsItsPUs(t *testing.T) {
	t.Parallel()
	topo, err := source.Load(t.Context(), "pack:2 core:2 pu:2")
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[hw.Type]string{hw.Package: ", PUs 0-3", hw.Core: ", PUs 0-1", hw.PU: ""} {
		if got := render.Object(topo, topo.Objects(kind)[0], nil, nil, 80).Also; got != want {
			t.Errorf("%v: %q, want %q", kind, got, want)
		}
	}
}

// Of an object its distances are told, to itself and to the others, and of a memory its attributes.
func TestObjectTellsItsFigures(t *testing.T) {
	t.Parallel()
	topo, err := hwlocxml.Read(strings.NewReader(`<topology version="2.0"><object type="Machine" os_index="0" cpuset="0x3" nodeset="0x3" gp_index="1">
<object type="Package" cpuset="0x1" nodeset="0x1" gp_index="2"><object type="NUMANode" os_index="0" cpuset="0x1" nodeset="0x1" gp_index="3"/>
<object type="PU" os_index="0" cpuset="0x1" nodeset="0x1" gp_index="4"/></object>
<object type="Package" cpuset="0x2" nodeset="0x2" gp_index="5"><object type="NUMANode" os_index="1" cpuset="0x2" nodeset="0x2" gp_index="6"/>
<object type="PU" os_index="1" cpuset="0x2" nodeset="0x2" gp_index="7"/></object></object>
<distances2 type="NUMANode" nbobjs="2" kind="5" name="NUMALatency" indexing="os"><indexes length="4">0 1 </indexes><u64values length="12">10 21 22 11 </u64values></distances2>
<memattr name="Bandwidth" flags="5"><memattr_value target_obj_gp_index="6" target_obj_type="NUMANode" value="80" initiator_cpuset="0x2"/></memattr></topology>`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{{"NUMALatency: 10 to itself, 21 to NUMANode L#1"}, {"NUMALatency: 22 to NUMANode L#0, 11 to itself", "Bandwidth 80 from PUs 1"}} {
		if got := render.Object(topo, topo.Objects(hw.NUMANode)[i], nil, nil, 80).Facts; !slices.Equal(got, want) {
			t.Errorf("node %d: %q, want %q", i, got, want)
		}
	}
}

// An object has the resource type whose instance it is; memory without PUs is no instance of any (MPI-5.0 §7.4.2: a
// resource restricts processes).
func TestResourceOf(t *testing.T) {
	t.Parallel()
	core, pu := &hw.Object{Type: hw.Core, CPUSet: hw.SetOf(0)}, &hw.Object{Type: hw.PU, CPUSet: hw.SetOf(0)}
	near, far := &hw.Object{Type: hw.NUMANode, CPUSet: hw.SetOf(0), NodeSet: hw.SetOf(0)}, &hw.Object{Type: hw.NUMANode, OSIndex: 1, NodeSet: hw.SetOf(1)}
	machine := &hw.Object{Type: hw.Machine}
	hw.Build(machine, []*hw.Object{core, pu}, []*hw.Object{near, far})
	topology := hw.New("m", machine)
	for o, want := range map[*hw.Object]string{machine: "hwloc://Machine", core: "hwloc://Core", pu: "hwloc://PU", near: "hwloc://NUMANode", far: ""} {
		if got := render.ResourceOf(topology, o); got != want {
			t.Errorf("%v: %q, want %q", o.Type, got, want)
		}
	}
}
