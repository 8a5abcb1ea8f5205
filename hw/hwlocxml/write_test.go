package hwlocxml_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// machines are topologies from each source: the presets, descriptions, and,
// where they are installed, recorded files of hwloc's and copies of /proc and
// /sys.
var machines = sync.OnceValues(func() (map[string]*hw.Topology, error) {
	all := map[string]*hw.Topology{}
	for _, name := range preset.Names() {
		all[name], _ = preset.Lookup(name)
	}
	for _, text := range []string{
		"pack:2 numa:2(memory=9GB memorysidecachesize=1GB) l3:2 l1i:1 l1d:2 core:1 pu:2(indexes=2*16:1*2)",
		"pack:2 [numa] [numa] group:2 die:2 core:1 pu:2",
	} {
		root, _, err := synthetic.Parse(text)
		if err != nil {
			return nil, err
		}
		all[text] = hw.New(text, root)
	}
	for name, text := range map[string]string{"small": small, "devices": devicesAndKinds} {
		top, err := hwlocxml.Read(strings.NewReader(text))
		if err != nil {
			return nil, err
		}
		all[name] = top
	}
	files, _ := filepath.Glob(filepath.Join(recordings(), "*", "*"))
	for _, file := range files {
		switch {
		case strings.HasSuffix(file, ".xml"):
			f, err := os.Open(file)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			if all[file], err = hwlocxml.Read(f); err != nil {
				return nil, err
			}
		case strings.Contains(file, ".tar."):
			m, err := fsroot.Read(context.Background(), file)
			if err != nil {
				return nil, err
			}
			all[file] = hw.New(file, m.Root)
		}
	}
	return all, nil
})

func allMachines(t *testing.T) map[string]*hw.Topology {
	t.Helper()
	all, err := machines()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func written(t testing.TB, top *hw.Topology) string {
	t.Helper()
	var file strings.Builder
	if err := hwlocxml.Write(&file, top); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// A written topology is read as an equal topology, except for the reasons why
// PUs are missing.
func TestWriteRead(t *testing.T) {
	t.Parallel()
	for name, top := range allMachines(t) {
		again, err := hwlocxml.Read(strings.NewReader(written(t, top)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ours, read := whole(top), whole(again); ours != read {
			t.Errorf("%s (-ours +read):\n%s", name, cmp.Diff(ours, read))
		}
	}
}

// Sets are written as hwloc does: a group of zeros inside is empty, the last
// group is not.
func TestWriteSets(t *testing.T) {
	t.Parallel()
	var pus []*hw.Object
	for _, i := range []int{32, 96} {
		pus = append(pus, &hw.Object{Type: hw.PU, OSIndex: i, CPUSet: hw.SetOf(i)})
	}
	machine := &hw.Object{Type: hw.Machine}
	hw.Build(machine, pus, nil)
	text := written(t, hw.New("", machine))
	for _, want := range []string{`cpuset="0x00000001,,0x00000001,0x0"`, `cpuset="0x00000001,0x0"`, `nodeset="0x00000001"`} {
		if !strings.Contains(text, " "+want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

// hwloc loads a written topology without a warning, even with the checks that it
// usually leaves out, and writes the same PUs, NUMA nodes, sizes and kinds.
func TestWriteLstopo(t *testing.T) {
	t.Parallel()
	lstopo := judge.Ask(t, "lstopo-no-graphics")
	for name, top := range allMachines(t) {
		if name == "small" {
			continue // hwloc gives objects the nodes of their parents, and a NUMANode its PUs
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "ours.xml")
			if err := os.WriteFile(file, []byte(written(t, top)), 0o600); err != nil {
				t.Fatal(err)
			}
			c := exec.Command(lstopo, "-i", file, "--filter", "all:all", "--of", "xml", "-")
			c.Env = append(os.Environ(), "HWLOC_XML_VERBOSE=1", "HWLOC_DEBUG_CHECK=1")
			var complaints bytes.Buffer
			c.Stderr = &complaints
			out, err := c.Output()
			if err != nil || complaints.Len() > 0 {
				t.Fatalf("%v: %s", err, complaints.String())
			}
			if diff := cmp.Diff(described(top), describedBy(t, string(out))); diff != "" {
				t.Errorf("(-ours +lstopo):\n%s", diff)
			}
		})
	}
}

// Pages, data of programs, and kinds of Groups are written as they were read; a kind of cores keeps the PUs that the file
// does not allow.
func TestKept(t *testing.T) {
	t.Parallel()
	const file = `<topology version="2.0"><object type="Machine" cpuset="0x3" complete_cpuset="0x7" nodeset="0x1">
<object type="NUMANode" os_index="0" cpuset="0x3" nodeset="0x1"><page_type size="4096" count="12"/></object>
<object type="Group" cpuset="0x3" nodeset="0x1" kind="222" subkind="7"><userdata name="a&amp;b" length="3">x&lt;y</userdata>
<object type="PU" os_index="0" cpuset="0x1" nodeset="0x1"/><object type="PU" os_index="1" cpuset="0x2" nodeset="0x1"/></object></object>
<cpukind cpuset="0x7"><info name="CoreType" value="IntelCore"/></cpukind></topology>`
	top, err := hwlocxml.Read(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := hwlocxml.Write(&b, top); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<page_type size="4096" count="12"></page_type>`, `<userdata name="a&amp;b" length="3">x&lt;y</userdata>`,
		`kind="222" subkind="7"`, `<cpukind cpuset="0x00000007"`} {
		if strings.Count(b.String(), want) != 1 {
			t.Errorf("%d times %s in\n%s", strings.Count(b.String(), want), want, &b)
		}
	}
}
