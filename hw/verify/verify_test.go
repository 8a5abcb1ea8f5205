//go:build linux

package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
	"codeberg.org/commsplit/commsplit/hw/verify/rules"
)

func TestMain(m *testing.M) {
	judge.Alone()
	os.Exit(m.Run())
}

// small writes the /proc and /sys of one package of two cores, with some files changed, added or removed.
func small(t *testing.T, changes map[string]string) string {
	t.Helper()
	const model = "vendor_id : x\nmodel name : y\n" // without these lines lscpu knows no type of CPU
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

// A sound machine has no findings; one file that another contradicts is one finding.
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
			"cpuinfo"},
		{"cores that the kernel counts where core ids repeat", map[string]string{"sys/devices/system/cpu/cpu1/topology/core_id": "0",
			"proc/cpuinfo": "processor : 0\n" +
				"physical id : 0\nsiblings : 2\ncpu cores : 2\ncore id : 0\n\nprocessor : 1\n" +
				"physical id : 0\nsiblings : 2\ncpu cores : 2\ncore id : 0\n\n"}, ""},
		{"cores that the kernel counts otherwise", map[string]string{"proc/cpuinfo": "processor : 0\n" +
			"physical id : 0\nsiblings : 2\ncpu cores : 1\ncore id : 0\n\nprocessor : 1\n" +
			"physical id : 0\nsiblings : 2\ncpu cores : 1\ncore id : 1\n\n"}, "cpuinfo Core"},
		{"a compute unit, which the kernel counts as a core", map[string]string{
			"sys/devices/system/cpu/cpu0/topology/core_cpus": "3", "sys/devices/system/cpu/cpu1/topology/core_cpus": "3",
			"sys/devices/system/cpu/cpu0/topology/thread_siblings": "3", "sys/devices/system/cpu/cpu1/topology/thread_siblings": "3",
			"proc/cpuinfo": "processor : 0\nvendor_id : AuthenticAMD\ncpu family : 21\nmodel : 1\nphysical id : 0\n" +
				"siblings : 2\ncpu cores : 1\ncore id : 0\n\nprocessor : 1\nphysical id : 0\nsiblings : 2\ncpu cores : 1\ncore id : 1\n\n"}, ""},
		{"a PU too many in the kernel's list", map[string]string{
			"proc/cpuinfo": "processor : 0\nmodel name : y\n\nprocessor : 1\n\nprocessor : 2\n\n"}, "cpuinfo PU"},
		{"the kernel's list is a container's", map[string]string{"proc/cpuinfo": "processor : 0\nmodel name : y\n\n" +
			"processor : 1\n\nprocessor : 2\n\n", "proc/mounts": "lxcfs /proc/cpuinfo fuse.lxcfs rw 0 0"}, ""},
		{"nodes of which a GPU has one", gpuNodes, ""},
		{"a node that nobody knows", map[string]string{"proc/self/status": "Mems_allowed_list: 0-1"}, "status NUMANode"},
		{"an affinity that leaves the machine", map[string]string{"proc/self/status": "Cpus_allowed_list: 0-2"}, "status PU"},
		{"an affinity within the machine", map[string]string{"proc/self/status": "Cpus_allowed_list: 1"}, ""},
		{"more online than possible", map[string]string{"sys/devices/system/cpu/possible": "0"}, "lists"},
		{"one thread that says that it has two: what cpuinfo says follows", map[string]string{
			"sys/devices/system/cpu/cpu0/topology/core_cpus": "3"}, "siblings; names"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			r, err := Copy(t.Context(), small(t, tt.changes))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(ours(open(r)), "; "); got != tt.want || (r.Count() > 0) != (tt.want != "") {
				t.Errorf("found %q (%d), want %q", got, r.Count(), tt.want)
			}
		})
	}
}

// Files without their format, and files that leave no machine, are findings that name file and text, also where our
// reader makes no tree of the files. Without any files there is an error.
func TestRefused(t *testing.T) {
	t.Parallel()
	const mask = "sys/devices/system/cpu/cpu1/topology/core_cpus"
	group := func(cpus, mems string) map[string]string {
		return map[string]string{"proc/mounts": "cg /cg cgroup2 rw 0 0", "proc/self/cgroup": "0::/a", "cg/cgroup.controllers": "cpuset",
			"cg/a/cpuset.cpus.effective": cpus, "cg/a/cpuset.mems.effective": mems, "sys/devices/system/node/node0/cpumap": "3"}
	}
	for _, tt := range []struct {
		changes    map[string]string
		rule       string
		file, text string
		follows    string
	}{
		{map[string]string{mask: "zz"}, "format", mask, "zz", "there is no tree, and no witness was asked: " + mask + ": "},
		{map[string]string{mask: ""}, "format", mask, "(empty)", ""},
		{map[string]string{online: "0-x"}, "format", online, "0-x", "there is no tree, and no witness was asked: " + online + ": "},
		{map[string]string{online: "7-8"}, "lists", online, "7-8", "there is no tree, and no witness was asked: there are no CPUs in sys/"},
		{map[string]string{"proc/cpuinfo": "processor : 0\n\nprocessor : two\n\n"}, "format", "proc/cpuinfo", "processor : two",
			"lscpu and lstopo were not asked"},
		{group("9", "0"), "cgroup", "cg/a/cpuset.cpus.effective", "9", "there is no tree, and no witness was asked: cgroup /a allows PU 9"},
		{group("0-1", "17"), "cgroup", "cg/a/cpuset.mems.effective", "17", ""},
		{group("0-", "0"), "format", "cg/a/cpuset.cpus.effective", "0-", ""},
	} {
		r, err := Copy(t.Context(), small(t, tt.changes))
		if err != nil {
			t.Errorf("%v: %v", tt.changes, err)
			continue
		}
		i := slices.IndexFunc(r.Rules, func(rule rules.Rule) bool { return rule.Name == tt.rule && rule.Broken() })
		if i < 0 || r.Rules[i].Breaches[0].Said[0] != (rules.Said{File: tt.file, Value: tt.text}) || !strings.Contains(r.Follows, tt.follows) {
			t.Errorf("%v: %q, so: %s", tt.changes, open(r), r.Follows)
		}
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sys/devices/system/cpu"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Copy(t.Context(), dir); !errors.Is(err, sysfs.ErrAbsent) {
		t.Errorf("a machine of no files: %v", err)
	}
}

// The tree has no object for a book or drawer with the PUs of another object, and the witness that has one is not
// wrong.
func TestMergedBooks(t *testing.T) {
	t.Parallel()
	m := opened(t, small(t, nil)) // of one package
	book := account.Kind{Type: hw.Group, Subtype: "Book"}
	for _, tt := range []struct {
		said []account.Thing
		want State
	}{
		{[]account.Thing{{OSIndex: hw.Unknown, CPUSet: hw.SetRange(0, 1)}}, Explained},
		{singles(hw.SetOf(0)), Unexplained},
		{nil, Agrees},
	} {
		v := m.judge(testimony{name: "lscpu", said: account.Account{book: tt.said}}, false).Verdicts[book]
		if v.State != tt.want {
			t.Errorf("%v: %s, %s", tt.said, v.State, v.Why)
		}
	}
}

// A difference that follows from a broken rule is reported by the number of things, or, where the number is the same,
// by the kind of difference.
func TestFollows(t *testing.T) {
	t.Parallel()
	m := opened(t, small(t, map[string]string{
		"sys/devices/system/cpu/cpu0/cache/index0/level": "1", "sys/devices/system/cpu/cpu0/cache/index0/type": "Data",
		"sys/devices/system/cpu/cpu0/cache/index0/size": "48K", "sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_map": "1"}))
	pack, l1 := account.Of(hw.Package), account.Of(hw.L1Cache)
	r := &Report{Kinds: []account.Kind{pack, account.Of(hw.Core), l1}, Witnesses: []Witness{m.judge(testimony{name: "lscpu",
		said: account.Account{pack: singles(hw.SetOf(0)), account.Of(hw.Core): nil,
			l1: {{OSIndex: hw.Unknown, CPUSet: hw.SetOf(0), Bytes: 1}}}}, true)}}
	want := "3 types differ because of it: Package (we 1, lscpu with other PUs), Core (we 2, lscpu 0), L1Cache (we 1, lscpu with other sizes)"
	if got := m.follows(r); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A witness whose file makes no sense is missing evidence: it is reported, but is not a finding.
func TestMissing(t *testing.T) {
	t.Parallel()
	r, err := Copy(t.Context(), small(t, map[string]string{"proc/self/status": "Cpus_allowed_list: two\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Count(), r.Missing(), open(r)); got !=
		`0 [status] [status fails: /proc/self/status: Cpus_allowed_list: cpu list "two": "two" is not an index]` {
		t.Error(got)
	}
}

// ghw's answer is shown, and decides nothing: here ghw takes two packages for one, because of equal ids.
func TestGHWDecidesNothing(t *testing.T) {
	t.Parallel()
	changes := map[string]string{}
	for pu := range 2 {
		folder := fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/", pu)
		changes[folder+"package_cpus"], changes[folder+"core_siblings"] = fmt.Sprint(1<<pu), fmt.Sprint(1<<pu)
	}
	changes["proc/cpuinfo"] = "processor : 0\n\nprocessor : 1\n\n"
	r, err := Copy(t.Context(), small(t, changes))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Witnesses {
		if v := w.Verdicts[account.Of(hw.Package)]; w.Name == "ghw.CPU" && (v.State != Differs || v.Count != 1) {
			t.Errorf("%+v", v)
		}
	}
	if r.Count() != 0 {
		t.Errorf("%q", open(r))
	}
}

// withDevices writes a machine of two NUMA nodes: a graphics card at node 0, a network card at node 1, and a network
// card whose node the kernel does not know.
func withDevices(t *testing.T) string {
	t.Helper()
	dir := small(t, map[string]string{
		"sys/devices/system/node/online": "0-1", "sys/devices/system/node/node0/cpumap": "1", "sys/devices/system/node/node1/cpumap": "2",
		"sys/devices/system/node/node0/meminfo": "Node 0 MemTotal: 524288 kB", "sys/devices/system/node/node1/meminfo": "Node 1 MemTotal: 524288 kB",
		"sys/devices/system/node/node0/distance": "10 20", "sys/devices/system/node/node1/distance": "20 10",
		"sys/devices/system/node/node0/cpu0/x": "", "sys/devices/system/node/node1/cpu1/x": "",
	})
	put := func(address, class, vendor, node, folder, name string) {
		own := "sys/devices/pci0000:" + address[5:7] + "/" + address
		for file, text := range map[string]string{"class": "0x" + class + "00", "vendor": "0x" + vendor, "device": "0x0001", "numa_node": node,
			"modalias": "pci:v0000" + vendor + "d00000001sv00001043sd00008613bc" + class[:2] + "sc" + class[2:] + "i00", folder + "/" + name + "/x": ""} {
			if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, own, file)), 0o755),
				os.WriteFile(filepath.Join(dir, own, file), []byte(text+"\n"), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		for link, to := range map[string]string{"sys/bus/pci/devices/" + address: "../../../../" + own,
			"sys/class/" + folder + "/" + name: "../../../" + own + "/" + folder + "/" + name,
			own + "/subsystem":                 "../../../../bus/pci", own + "/" + folder + "/" + name + "/device": "../../../" + address} {
			if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o755), os.Symlink(to, filepath.Join(dir, link))); err != nil {
				t.Fatal(err)
			}
		}
	}
	put("0000:01:00.0", "0302", "10de", "0", "drm", "card0")
	put("0000:81:00.0", "0200", "15b3", "1", "net", "ens1")
	put("0000:c1:00.0", "0200", "15b3", "-1", "net", "ens2")
	return dir
}

// Devices are reported with the NUMA node near to them and with ghw's answer, which is not a finding. Without a list of
// names of PCI devices ghw knows little, and is a witness that was not asked.
func TestDevices(t *testing.T) {
	names := filepath.Join(t.TempDir(), "pci.ids")
	if err := os.WriteFile(names, []byte("10de  NVIDIA Corporation\n\t0001  Card\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := withDevices(t)
	ask := func(names string) *Report {
		t.Setenv("PCIDB_PATH", names)
		r, err := Copy(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if r.Count() > 0 {
			t.Errorf("%q", open(r))
		}
		return r
	}
	want := []Device{
		{Kind: "Network", Name: "ens2", BusID: "0000:c1:00.0", Node: hw.Unknown, State: Agrees},
		{Kind: "GPU", Name: "card0", BusID: "0000:01:00.0", Node: 0, State: Agrees},
		{Kind: "Network", Name: "ens1", BusID: "0000:81:00.0", Node: 1, State: Agrees},
	}
	r := ask(names)
	if diff := cmp.Diff(want, r.Devices); diff != "" {
		t.Error(diff)
	}
	if len(r.Missing()) > 0 {
		t.Errorf("missing %q", r.Missing())
	}
	m := opened(t, dir) // whose reader takes two network cards for each other
	for _, d := range hw.New("", m.whole.Root).Located() {
		if d.Kind() == "Network" {
			d.Name = map[string]string{"ens1": "ens2", "ens2": "ens1"}[d.Name]
		}
	}
	wrong := []Device{
		{Kind: "Network", Name: "ens1", BusID: "0000:c1:00.0", Node: hw.Unknown, State: Differs, Why: "at 0000:c1:00.0, and ghw says 0000:81:00.0"},
		want[1],
		{Kind: "Network", Name: "ens2", BusID: "0000:81:00.0", Node: 1, State: Differs, Why: "at 0000:81:00.0, and ghw says 0000:c1:00.0"},
	}
	list, _ := m.devices(t.Context())
	if diff := cmp.Diff(wrong, list); diff != "" {
		t.Error(diff)
	}
	want[1].State = ""
	r = ask(filepath.Join(t.TempDir(), "none"))
	if diff := cmp.Diff(want, r.Devices); diff != "" {
		t.Error(diff)
	}
	if w := r.Witnesses[len(r.Witnesses)-1]; w.Name != "ghw.PCI" || w.State != Skipped || !strings.Contains(w.Why, "pci.ids") {
		t.Errorf("%+v", w)
	}
}

// The whole machine is compared first: a cgroup is one line, and no witness differs because of it.
func TestCgroup(t *testing.T) {
	t.Parallel()
	r, err := Copy(t.Context(), small(t, map[string]string{"proc/mounts": "cg /cg cgroup rw,cpuset 0 0",
		"proc/self/cgroup": "1:cpuset:/one", "cg/one/cpuset.cpus": "1", "proc/self/status": "Cpus_allowed_list: 1"}))
	if err != nil {
		t.Fatal(err)
	}
	if r.Cgroup != "PU 1 of 0-1" || len(r.Ours[account.Of(hw.PU)]) != 2 || r.Count() > 0 {
		t.Errorf("%q, PUs %v, %q", r.Cgroup, r.Ours[account.Of(hw.PU)], open(r))
	}
	for _, w := range r.Witnesses {
		for k, v := range w.Verdicts {
			if v.State != Agrees && !w.Plain { // ghw gives up on machines without hugepages
				t.Errorf("%s, %v: %+v", w.Name, k, v)
			}
		}
	}
}

// Without /sys the remaining witnesses are compared: here /proc/cpuinfo, and the kernel's view of this process.
func TestWithoutSysfs(t *testing.T) {
	t.Parallel()
	set, err := affinity()
	if err != nil {
		t.Fatal(err)
	}
	list := ""
	for _, pu := range set.Indexes() {
		list += fmt.Sprintf("processor : %d\n\n", pu)
	}
	for _, tt := range []struct{ cpuinfo, against, want string }{
		{list, "cpuinfo", ""}, {"", "affinity", ""}, {"processor : 999\n\n", "cpuinfo", "affinity PU; Go PU"},
	} {
		m := &machine{dir: t.TempDir(), live: true, files: fstest.MapFS{"proc/cpuinfo": &fstest.MapFile{Data: []byte(tt.cpuinfo)}}}
		r, err := verify(t.Context(), m, "this")
		if err != nil {
			t.Fatal(err)
		}
		if set.Len() == 1 { // then the Go runtime counts as many as are listed
			tt.want = strings.TrimSuffix(tt.want, "; Go PU")
		}
		open := strings.Join(slices.DeleteFunc(ours(open(r)), func(s string) bool { return strings.Contains(s, " fails: ") }), "; ")
		if open != tt.want || r.Against != tt.against || len(r.Rules) > 0 {
			t.Errorf("%q: against %s: %q, want %q", tt.cpuinfo, r.Against, open, tt.want)
		}
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
	if err = m.prepare(); err != nil {
		t.Fatal(err)
	}
	return m
}

// The difference of a witness that only counts is explained by an affinity with as many PUs, and by nothing else.
func TestCount(t *testing.T) {
	t.Parallel()
	m := opened(t, small(t, nil))
	pu := account.Of(hw.PU)
	for n, want := range map[int]Verdict{
		1: {State: Explained, Count: 1, Why: "this process is bound to PU 1 (affinity), as by taskset or mpirun"},
		2: {State: Agrees, Count: 2},
		0: {State: Unexplained, Count: 0, Why: "Go counts 0, sysfs 2"},
	} {
		w := m.judge(testimony{name: "Go", usable: true, counts: map[account.Kind]int{pu: n}, bound: hw.SetOf(1)}, false)
		if diff := cmp.Diff(want, w.Verdicts[pu]); diff != "" {
			t.Error(diff)
		}
	}
}

// A wrong reader is detected: each tree here differs from the files.
func TestWrongReader(t *testing.T) {
	t.Parallel()
	dir := small(t, nil)
	whole := []account.Thing{{OSIndex: hw.Unknown, CPUSet: hw.SetRange(0, 1)}}
	spoil := map[string]func(m *machine){
		"cpuinfo Core":    func(m *machine) { m.full[account.Of(hw.Core)] = whole }, // two cores taken for one
		"cpuinfo Package": func(m *machine) { m.full[account.Of(hw.Package)] = singles(hw.SetRange(0, 1)) },
		"cpuinfo PU":      func(m *machine) { m.full[account.Of(hw.PU)] = singles(hw.SetOf(0)) },
		"tree":            func(m *machine) { m.full[account.Of(hw.PU)] = singles(hw.SetOf(0)) },
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

// Each known limit of a witness holds on one kind of machine, and on no other.
func TestLimits(t *testing.T) {
	t.Parallel()
	on := func(cpuinfo string) (list []string) {
		m := &machine{live: true, files: fstest.MapFS{"proc/cpuinfo": &fstest.MapFile{Data: []byte(cpuinfo)}}}
		for _, l := range limits {
			if l.when(m) {
				list = append(list, fmt.Sprint(l.witness, l.kinds))
			}
		}
		return list
	}
	for cpuinfo, want := range map[string]string{
		"": "[]",
		"vendor_id : AuthenticAMD\ncpu family : 21\n":            "[cpuinfo[Core] lscpu[Core]]",
		"vendor_id : AuthenticAMD\ncpu family : 23\n":            "[]",
		"vendor_id : GenuineIntel\ncpu family : 6\nmodel : 87\n": "[lstopo[Cluster]]",
		"vendor_id : GenuineIntel\ncpu family : 6\nmodel : 85\n": "[]",
		"CPU part : 0xd85\n\nCPU part : 0xd87\n":                 "[lscpu[Core Package]]",
		"CPU part : 0xd85\n\nCPU part : 0xd85\n":                 "[]",
		"cpu : TI UltraSparc II\ntype : sun4u\n":                 "[lstopo[L1Cache L1iCache L2Cache]]",
	} {
		if got := fmt.Sprint(on(cpuinfo)); got != want {
			t.Errorf("%q: %s, want %s", cpuinfo, got, want)
		}
	}
	copied := &machine{files: fstest.MapFS{"proc/hwloc-nofile-info": &fstest.MapFile{Data: []byte("Architecture: s390x\n")}}}
	if live := (&machine{live: true, files: fstest.MapFS{}}); live.nameless() || copied.nameless() || !(&machine{files: fstest.MapFS{}}).nameless() {
		t.Error("only a copy without proc/hwloc-nofile-info does not tell its architecture")
	}
}

// This machine, whatever it is, has no findings.
func TestThis(t *testing.T) {
	t.Parallel()
	verifyThis(t)
}

// The same holds where lscpu and lstopo are asked, too.
func TestThisLscpuLstopo(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "lscpu")
	judge.Ask(t, "lstopo-no-graphics")
	if _, err := os.Stat("/sys/devices/system/cpu/cpu0/cache"); err != nil {
		t.Skip("this kernel writes no caches; lstopo asks the CPU for them, and that is a finding")
	}
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

// Pin names a PU where a thread cannot be bound, or runs elsewhere; the thread gets its affinity back.
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

// BenchmarkThis verifies this machine; with JUDGE=1 it asks lscpu and lstopo, too.
func BenchmarkThis(b *testing.B) {
	for b.Loop() {
		if _, err := This(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
