package hwlocxml_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// figured is a file of two nodes with a GPU, distances between the nodes and between GPU and packages, and attributes.
const figured = `<?xml version="1.0"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
<object type="Machine" os_index="0" cpuset="0x3" complete_cpuset="0x3" allowed_cpuset="0x3" nodeset="0x3" complete_nodeset="0x3" allowed_nodeset="0x3" gp_index="1">
 <object type="Package" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="2">
  <object type="NUMANode" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="3" local_memory="1048576"/>
  <object type="Core" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="4">
   <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="5"/></object>
  <object type="OSDev" gp_index="6" name="nvml0" subtype="NVML" osdev_type="1"/></object>
 <object type="Package" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x2" complete_nodeset="0x2" gp_index="7">
  <object type="NUMANode" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x2" complete_nodeset="0x2" gp_index="8" local_memory="1048576"/>
  <object type="Core" os_index="0" cpuset="0x2" complete_cpuset="0x2" nodeset="0x2" complete_nodeset="0x2" gp_index="9">
   <object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x2" complete_nodeset="0x2" gp_index="10"/></object></object></object>
<distances2 type="NUMANode" nbobjs="2" kind="5" name="NUMALatency" indexing="os"><indexes length="4">0 1 </indexes><u64values length="6">10 21 </u64values><u64values length="6">22 10 </u64values></distances2>
<distances2 type="Package" nbobjs="2" kind="6" indexing="gp"><indexes length="4">2 7 </indexes><u64values length="8">1 2 3 4 </u64values></distances2>
<distances2hetero nbobjs="2" kind="25" name="NVLinkBandwidth"><indexes length="18">OSDev:6 Package:7 </indexes><u64values length="8">9 8 7 6 </u64values></distances2hetero>
<memattr name="Bandwidth" flags="5"><memattr_value target_obj_type="NUMANode" target_obj_gp_index="3" value="900" initiator_cpuset="0x1"/>
<memattr_value target_obj_type="NUMANode" target_obj_gp_index="8" value="300" initiator_obj_gp_index="9" initiator_obj_type="Core"/></memattr>
<memattr name="wear" flags="2"><memattr_value target_obj_type="NUMANode" target_obj_gp_index="8" value="4"/></memattr>
</topology>
`

// told is all figures of a machine, in words.
func told(t *hw.Topology) (lines []string) {
	name := func(e hw.End) string {
		if e.Object == nil {
			return e.Device.Name
		}
		return fmt.Sprintf("%s %d", e.Object.Type, e.Object.LogicalIndex)
	}
	for _, m := range t.Root.Details.Matrices {
		var names []string
		for _, e := range m.Ends {
			names = append(names, name(e))
		}
		lines = append(lines, fmt.Sprintf("%s kind %d of %s: %v", m.Name, m.Kind, strings.Join(names, ", "), m.Values))
	}
	for _, a := range t.Root.Details.MemAttrs {
		for _, v := range a.Values {
			line := fmt.Sprintf("%s flags %d: %s = %d", a.Name, a.Flags, name(v.Target), v.Value)
			if v.From != nil {
				line += " from " + name(*v.From)
			} else if !v.PUs.Empty() {
				line += " from PUs " + v.PUs.String()
			}
			lines = append(lines, line)
		}
	}
	return lines
}

var figuresTold = []string{
	"NUMALatency kind 5 of NUMANode 0, NUMANode 1: [10 21 22 10]", " kind 6 of Package 0, Package 1: [1 2 3 4]",
	"NVLinkBandwidth kind 25 of nvml0, Package 1: [9 8 7 6]", "Bandwidth flags 5: NUMANode 0 = 900 from PUs 0",
	"Bandwidth flags 5: NUMANode 1 = 300 from Core 1", "wear flags 2: NUMANode 1 = 4",
}

func parse(t *testing.T, text string) *hw.Topology {
	t.Helper()
	m, err := hwlocxml.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Distances and memory attributes are read, written and read again, from a copy, too, and are left with what is left of
// the machine.
func TestFigures(t *testing.T) {
	t.Parallel()
	m := parse(t, figured)
	if diff := cmp.Diff(figuresTold, told(m)); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	for name, top := range map[string]*hw.Topology{"written": m, "copied and written": m.Alone(m.Root)} {
		var b bytes.Buffer
		if err := hwlocxml.Write(&b, top); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(figuresTold, told(parse(t, b.String()))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	part, err := m.Only(hw.SetOf(1))
	if err != nil {
		t.Fatal(err)
	}
	// The package without PUs stays, as it has memory and a GPU.
	want := append(figuresTold[:3:3], figuresTold[4], figuresTold[5])
	want[3] = "Bandwidth flags 5: NUMANode 1 = 300 from Core 0"
	if diff := cmp.Diff(want, told(part)); diff != "" {
		t.Errorf("restricted to PU 1 (-want +got):\n%s", diff)
	}
	// The one package with a distance to a GPU goes, and the distances between packages with it.
	if diff := cmp.Diff([]string{figuresTold[0], figuresTold[3], figuresTold[4], figuresTold[5]},
		told(m.Filtered(map[hw.Type]hw.Shown{hw.Package: hw.ShownNone}))); diff != "" {
		t.Errorf("without packages (-want +got):\n%s", diff)
	}
}

// What is wrong with figures is named; what is about objects that are not there is left out with a note.
func TestWrongFigures(t *testing.T) {
	t.Parallel()
	for old, c := range map[string]struct{ by, want string }{
		`nbobjs="2" kind="5"`:                    {`nbobjs="3" kind="5"`, "distances2: 2 objects and 4 values: want 3 objects and 9 values"},
		`nbobjs="2" kind="6"`:                    {`nbobjs="9999" kind="6"`, `distances2: nbobjs "9999": want a number of objects up to 1024`},
		`kind="25"`:                              {`kind="x"`, `distances2hetero: kind "x" is not a number`},
		`10 21 </u64values>`:                     {`10 -1 </u64values>`, `distances2: "-1" is not a value`},
		`memattr name="wear" flags="2"`:          {`memattr name="wear"`, `memattr: flags "" is not a number`},
		`memattr name="wear"`:                    {`memattr name=""`, "memattr: it has no name"},
		`value="900" initiator_cpuset="0x1"`:     {`value="900" initiator_cpuset="z"`, "memattr: initiator_cpuset"},
		`target_obj_gp_index="8" value="4"`:      {`target_obj_gp_index="8" value="four"`, `memattr: value "four" is not a number`},
		`<memattr name="Bandwidth" flags="5">`:   {`<memattr name="Bandwidth` + strings.Repeat("x", 300) + `" flags="5">`, "memattr: name: "},
		`name="NVLinkBandwidth"><indexes length`: {`name="a&#9;b"><indexes length`, "distances2hetero: name: "},
	} {
		text := strings.Replace(figured, old, c.by, 1)
		if _, err := hwlocxml.Read(strings.NewReader(text)); text == figured || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.by, err, c.want)
		}
	}
	m := parse(t, strings.NewReplacer("OSDev:6 ", "OSDev:77 ", `target_obj_gp_index="3"`, `target_obj_gp_index="33"`).Replace(figured))
	if got := strings.Join(m.Notes, "; "); got != `distances "NVLinkBandwidth" are about objects that the file does not have: left out; `+
		`memory attribute "Bandwidth" is of objects that the file does not have: 1 value left out` {
		t.Error(got)
	}
	if len(told(m)) != len(figuresTold)-2 {
		t.Errorf("%q", told(m))
	}
}

// lstopo reads what we wrote, and says the same of distances, memory attributes and kinds of cores as of the file that we
// read: of ours, and of hwloc's where they are.
func TestFiguresLstopo(t *testing.T) {
	t.Parallel()
	program := judge.Ask(t, "lstopo-no-graphics", "lstopo")
	dir := t.TempDir()
	files, _ := filepath.Glob(filepath.Join(os.Getenv("COMMSPLIT_TOPOLOGIES"), "xml", "*.xml"))
	own := filepath.Join(dir, "own.xml")
	if err := os.WriteFile(own, []byte(figured), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, file := range append(files, own) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(`version="3`)) {
			continue // which lstopo 2 does not read
		}
		var b bytes.Buffer
		if err := hwlocxml.Write(&b, parse(t, string(text))); err != nil {
			t.Fatal(err)
		}
		written := filepath.Join(dir, fmt.Sprint(i)+".xml")
		if err := os.WriteFile(written, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, flag := range []string{"--distances", "--memattrs", "--cpukinds"} {
			before, errA := exec.Command(program, "-i", file, flag).CombinedOutput()
			after, errB := exec.Command(program, "-i", written, flag).CombinedOutput()
			if diff := cmp.Diff(string(before), string(after)); errA != nil || errB != nil || diff != "" {
				t.Errorf("%s %s: %v, %v (-the file +ours):\n%s", file, flag, errA, errB, diff)
			}
		}
	}
}
