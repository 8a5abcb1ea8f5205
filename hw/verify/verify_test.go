//go:build linux

package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/hw"
	"commsplit/hw/judge"
	"commsplit/hw/sysfs"
	"commsplit/hw/verify/account"
)

func TestMain(m *testing.M) {
	judge.Alone()
	os.Exit(m.Run())
}

// small writes the /proc and /sys of one package of two cores, with more files or without some.
func small(t *testing.T, changes map[string]string) string {
	t.Helper()
	const model = "vendor_id : x\nmodel name : y\n" // without which lscpu knows no type of CPU
	files := map[string]string{
		"sys/devices/system/cpu/online": "0-1", "sys/devices/system/cpu/possible": "0-1",
		"sys/devices/system/cpu/present": "0-1",
		"proc/cpuinfo": "processor : 0\n" + model + "physical id : 0\ncore id : 0\n\nprocessor : 1\n" + model +
			"physical id : 0\ncore id : 1\n\n",
		"proc/meminfo": "MemTotal: 1048576 kB\n",
	}
	for pu := range 2 {
		folder := fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/", pu)
		files[folder+"core_id"], files[folder+"physical_package_id"] = fmt.Sprint(pu), "0"
		files[folder+"core_cpus"], files[folder+"package_cpus"] = fmt.Sprint(1<<pu), "3"
		files[folder+"thread_siblings"], files[folder+"core_siblings"] = fmt.Sprint(1<<pu), "3"
	}
	for path, text := range changes {
		files[path] = text
	}
	dir := t.TempDir()
	for path, text := range files {
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// gpuNodes are files of a machine whose node 1 is a GPU's memory.
var gpuNodes = map[string]string{"sys/devices/system/node/node0/cpumap": "3", "sys/devices/system/node/node1/cpumap": "0",
	"proc/driver/nvidia/gpus/0/numa_status": "Node: 1", "proc/self/status": "Mems_allowed_list: 0-1"}

// A whole machine is explained; one file that another contradicts is not.
func TestCopy(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rule    string
		changes map[string]string
		want    string
	}{
		{"all agree", nil, ""},
		{"a core id that the kernel's list has otherwise", map[string]string{"proc/cpuinfo": "processor : 0\n" +
			"model name : y\nphysical id : 0\ncore id : 0\n\nprocessor : 1\nphysical id : 0\ncore id : 0\n\n"},
			"cpuinfo Core"},
		{"a PU too many in the kernel's list", map[string]string{
			"proc/cpuinfo": "processor : 0\nmodel name : y\n\nprocessor : 1\n\nprocessor : 2\n\n"}, "cpuinfo PU"},
		{"the kernel's list is a container's", map[string]string{"proc/cpuinfo": "processor : 0\nmodel name : y\n\n" +
			"processor : 1\n\nprocessor : 2\n\n", "proc/mounts": "lxcfs /proc/cpuinfo fuse.lxcfs rw 0 0"}, ""},
		{"nodes of which a GPU has one", gpuNodes, ""},
		{"a node that nobody knows", map[string]string{"proc/self/status": "Mems_allowed_list: 0-1"}, "status NUMANode"},
		{"no number", map[string]string{"proc/cpuinfo": "processor : 0\nmodel name : y\n\nprocessor : 1\n\nprocessor : two\n\n"},
			`cpuinfo fails: /proc/cpuinfo: "two" is no number of a PU, core or package`},
		{"an affinity that leaves the machine", map[string]string{"proc/self/status": "Cpus_allowed_list: 0-2"}, "status PU"},
		{"an affinity within the machine", map[string]string{"proc/self/status": "Cpus_allowed_list: 1"}, ""},
		{"more online than possible", map[string]string{"sys/devices/system/cpu/possible": "0"},
			"allowed PUs are online, and online PUs are possible"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			r, err := Copy(t.Context(), small(t, tt.changes))
			if err != nil {
				t.Fatal(err)
			}
			list := open(r)
			if tt.rule == "more online than possible" { // what lscpu makes of that is its affair
				list = list[len(list)-1:]
			}
			if got := strings.Join(list, "; "); got != tt.want || (r.Count() > 0) != (tt.want != "") {
				t.Errorf("unexplained %q (%d), want %q", got, r.Count(), tt.want)
			}
		})
	}
}

// opened reads the machine in a folder.
func opened(t *testing.T, dir string) *machine {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	m := &machine{dir: dir, files: root.FS()}
	if m.ours, err = sysfs.Read(m.files); err == nil {
		err = m.prepare()
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Who only counts is explained by an affinity that gives as many PUs, and by nothing else.
func TestCount(t *testing.T) {
	t.Parallel()
	m := opened(t, small(t, nil))
	pu := account.Of(hw.PU)
	for n, want := range map[int]Verdict{
		1: {State: Explained, Count: 1, Why: []string{"tells that this process is bound to PU 1 (affinity), as taskset and mpirun do it"}},
		2: {State: Agrees, Count: 2},
		0: {State: Unexplained, Count: 0, Why: []string{"counts 0, sysfs 2"}},
	} {
		w := m.judge(testimony{counts: map[account.Kind]int{pu: n}, model: m.narrowed(hw.SetOf(1))})
		if diff := cmp.Diff(want, w.Verdicts[pu]); diff != "" {
			t.Error(diff)
		}
	}
}

// A reader that is wrong is found out: each tree here is not what the files say.
func TestWrongReader(t *testing.T) {
	t.Parallel()
	dir := small(t, nil)
	spoil := map[string]func(m *machine){
		"ghw.CPU Core": func(m *machine) { // two cores taken for one
			whole := account.Thing{OSIndex: hw.Unknown, CPUSet: hw.SetRange(0, 1)}
			m.said[account.Of(hw.Core)], m.full[account.Of(hw.Core)] = []account.Thing{whole}, []account.Thing{whole}
		},
		"ghw.CPU Package": func(m *machine) {
			m.said[account.Of(hw.Package)], m.full[account.Of(hw.Package)] = singles(hw.SetRange(0, 1)), singles(hw.SetRange(0, 1))
		},
		"ghw.CPU PU": func(m *machine) {
			m.said[account.Of(hw.PU)], m.full[account.Of(hw.PU)] = singles(hw.SetOf(0)), singles(hw.SetOf(0))
			m.ours.Online = hw.SetOf(0)
		},
	}
	for want, change := range spoil {
		m := opened(t, dir)
		change(m)
		r, err := m.ask(t.Context(), "spoiled")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(open(r), "; "); !strings.Contains(got, want) {
			t.Errorf("%s is not found: %s", want, got)
		}
	}
}

// This machine, whatever it is, leaves nothing open.
func TestThis(t *testing.T) {
	t.Parallel()
	verifyThis(t)
}

// So it is where lscpu and lstopo are asked, too.
func TestThisLscpuLstopo(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "lscpu")
	judge.Ask(t, "lstopo-no-graphics")
	verifyThis(t)
}

func verifyThis(t *testing.T) {
	t.Helper()
	r, err := This(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Pin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list := open(r); r.Count() > 0 {
		t.Errorf("%q, pins %v", list, r.Pins)
	}
}

// Where a thread cannot be bound, or runs elsewhere, the PU is named; the affinity comes back.
func TestPinning(t *testing.T) {
	t.Parallel()
	var bound []string
	at := 0
	p := pinning{
		affinity: func() (hw.Set, error) { return hw.SetOf(1, 2, 5), nil },
		bind: func(s hw.Set) error {
			bound = append(bound, s.String())
			if s.Equal(hw.SetOf(2)) {
				return errors.New("no")
			}
			at = min(s.First(), 4)
			return nil
		},
		where: func() (int, error) { return at, nil },
	}
	list, err := p.each(t.Context())
	want := "[{1 <nil>} {2 cannot bind a thread to it: no} {5 a thread that is bound to it runs on PU 4}]"
	if got := fmt.Sprint(list); got != want || err != nil {
		t.Errorf("%s %v", got, err)
	}
	if got := strings.Join(bound, " "); got != "1 2 5 1-2,5" {
		t.Errorf("bound to %s", got)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := p.each(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
