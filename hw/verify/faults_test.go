package verify

import (
	"archive/tar"
	"compress/bzip2"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/marked"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
	"codeberg.org/commsplit/commsplit/hw/verify/rules"
)

// recording is the files of a recorded machine in memory, links as empty files.
type recording map[string]string

func load(t *testing.T, name string) recording {
	t.Helper()
	file, err := os.Open(filepath.Join(topologies(), "sysfs", name+".tar.bz2"))
	if err != nil {
		t.Skip("no recorded topologies: set COMMSPLIT_TOPOLOGIES to their folder")
	}
	defer file.Close()
	r := recording{}
	for archive := tar.NewReader(bzip2.NewReader(file)); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return r
		}
		if err != nil {
			t.Fatal(err)
		}
		_, path, _ := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		if h.Typeflag == tar.TypeDir || strings.HasPrefix(path, "sys/bus") || strings.HasPrefix(path, "sys/class") {
			continue
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		r[path] = strings.TrimSpace(string(data))
	}
}

// report verifies the recording. It leaves out the programs, which cannot read files in memory: where they are
// installed and asked (JUDGE=1), they would report an empty folder.
func (r recording) report(t *testing.T) *Report {
	t.Helper()
	m := &machine{dir: t.TempDir(), files: r.files()}
	report, err := verify(t.Context(), m, "a recording in memory")
	if err != nil {
		t.Fatal(err)
	}
	report.Witnesses = slices.DeleteFunc(report.Witnesses, func(w Witness) bool { return w.Name == "lscpu" || w.Name == "lstopo" })
	return report
}

func (r recording) files() indexed {
	f := indexed{fstest.MapFS{}, map[string][]fs.DirEntry{}}
	for name, text := range r {
		f.MapFS[name] = &fstest.MapFile{Data: []byte(text + "\n"), Mode: 0o444}
		for entry := (fs.FileInfo)(stat{path.Base(name), 0}); name != "."; entry = (stat{path.Base(name), fs.ModeDir}) {
			name = path.Dir(name)
			known := f.folders[name]
			if known != nil && entry.IsDir() && slices.ContainsFunc(known, func(e fs.DirEntry) bool { return e.Name() == entry.Name() }) {
				break
			}
			f.folders[name] = append(known, fs.FileInfoToDirEntry(entry))
			if known != nil {
				break // the folders above have this one
			}
		}
	}
	return f
}

// indexed is a MapFS with an index of its folders: MapFS itself searches all files.
type indexed struct {
	fstest.MapFS
	folders map[string][]fs.DirEntry
}

func (f indexed) Open(name string) (fs.File, error) {
	if f.MapFS[name] == nil && f.folders[name] == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.MapFS.Open(name)
}

func (f indexed) ReadDir(name string) ([]fs.DirEntry, error) {
	if f.folders[name] == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.folders[name], nil
}

func (f indexed) ReadFile(name string) ([]byte, error) {
	if f.MapFS[name] == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.MapFS[name].Data, nil
}

func (f indexed) Stat(name string) (fs.FileInfo, error) {
	if f.folders[name] != nil {
		return stat{path.Base(name), fs.ModeDir}, nil
	}
	if f.MapFS[name] == nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return stat{path.Base(name), 0}, nil
}

// stat describes an entry.
type stat struct {
	name string
	mode fs.FileMode
}

func (s stat) Name() string       { return s.name }
func (s stat) Size() int64        { return 0 }
func (s stat) Mode() fs.FileMode  { return s.mode }
func (s stat) ModTime() time.Time { return time.Time{} }
func (s stat) IsDir() bool        { return s.mode.IsDir() }
func (s stat) Sys() any           { return nil }

// set reads a mask.
func (r recording) set(path string) hw.Set {
	s, _ := sysfs.ParseMask(r[path])
	return s
}

// put writes a mask.
func (r recording) put(path string, s hw.Set) {
	if r[path] == "" {
		return
	}
	text := ""
	for group := s.Last() / 32; group >= 0; group-- {
		word := uint32(0)
		for bit := range 32 {
			if s.Has(32*group + bit) {
				word |= 1 << bit
			}
		}
		text += fmt.Sprintf(",%08x", word)
	}
	r[path] = strings.TrimPrefix(text, ",")
}

// cut removes a PU from a mask; nothing for PU -1.
func (r recording) cut(path string, pu int) {
	if pu >= 0 {
		r.put(path, r.set(path).Minus(hw.SetOf(pu)))
	}
}

// remove removes a folder.
func (r recording) remove(folder string) {
	for path := range r {
		if strings.HasPrefix(path, folder+"/") {
			delete(r, path)
		}
	}
}

// index returns the cache folder of a PU for a level and type; "" where the PU has none.
func (r recording) index(pu int, level, typ string) string {
	for i := range 6 {
		folder := fmt.Sprintf("sys/devices/system/cpu/cpu%d/cache/index%d", pu, i)
		if r[folder+"/level"] == level && r[folder+"/type"] == typ {
			return folder
		}
	}
	return ""
}

func topology(pu int, name string) string {
	return fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/%s", pu, name)
}

// threads returns the PUs of the core of a PU.
func (r recording) threads(pu int) hw.Set {
	if s := r.set(topology(pu, "core_cpus")); !s.Empty() {
		return s
	}
	return r.set(topology(pu, "thread_siblings"))
}

const online = "sys/devices/system/cpu/online"

// node returns the first NUMA node that has a PU.
func (r recording) node(pu int) int {
	for n := range 64 {
		if r.set(nodeFile(n, "cpumap")).Has(pu) {
			return n
		}
	}
	return -1
}

func nodeFile(n int, name string) string {
	return fmt.Sprintf("sys/devices/system/node/node%d/%s", n, name)
}

// faults are changes to the files of machines, each made at one PU. Where a machine lacks the files for a
// fault, do changes nothing.
var faults = []struct {
	name string
	do   func(r recording, pu int)
}{
	{"an L3 of one PU alone", func(r recording, pu int) { r.put(r.index(pu, "3", "Unified")+"/shared_cpu_map", hw.SetOf(pu)) }},
	{"an L3 map that lacks a PU", func(r recording, pu int) {
		path := r.index(pu, "3", "Unified") + "/shared_cpu_map"
		r.cut(path, r.set(path).Minus(hw.SetOf(pu)).First())
	}},
	{"a core whose threads each claim to be alone", func(r recording, pu int) {
		for _, each := range r.threads(pu).Indexes() {
			for _, name := range []string{"core_cpus", "thread_siblings"} {
				if r.threads(pu).Len() > 1 || each != pu {
					r.put(topology(each, name), hw.SetOf(each))
				}
			}
		}
	}},
	{"a core of which one thread claims to be alone", func(r recording, pu int) {
		if s := r.threads(pu); s.Len() > 1 {
			r.put(topology(pu, "core_cpus"), hw.SetOf(pu))
			r.put(topology(pu, "thread_siblings"), hw.SetOf(pu))
		}
	}},
	{"a PU in two NUMA nodes", func(r recording, pu int) {
		for n := range 64 {
			if path := nodeFile(n, "cpumap"); n != r.node(pu) && !r.set(path).Empty() {
				r.put(path, r.set(path).Union(hw.SetOf(pu)))
				return
			}
		}
	}},
	{"a PU in the wrong NUMA node", func(r recording, pu int) {
		own := r.node(pu)
		for n := range 64 {
			if path := nodeFile(n, "cpumap"); n != own && !r.set(path).Empty() {
				r.put(path, r.set(path).Union(hw.SetOf(pu)))
				r.cut(nodeFile(own, "cpumap"), pu)
				return
			}
		}
	}},
	{"a wrong physical_package_id", func(r recording, pu int) { r[topology(pu, "physical_package_id")] = "77" }},
	{"a wrong die_id", func(r recording, pu int) {
		if r.set(topology(pu, "die_cpus")).Len() > 1 {
			r[topology(pu, "die_id")] = "77"
		}
	}},
	{"a package mask without one of its PUs", func(r recording, pu int) {
		for _, name := range []string{"core_siblings", "package_cpus"} {
			r.cut(topology(pu, name), r.set(topology(pu, name)).Minus(r.threads(pu)).First())
		}
	}},
	{"a die mask without one of its PUs", func(r recording, pu int) {
		for _, other := range r.set(topology(pu, "die_cpus")).Minus(r.threads(pu)).Indexes() {
			r.cut(topology(pu, "die_cpus"), other)
			return
		}
	}},
	{"a thread without the L1 of its core", func(r recording, pu int) {
		if folder := r.index(pu, "1", "Data"); r.set(folder+"/shared_cpu_map").Len() > 1 {
			r.remove(folder)
		}
	}},
	{"an L2 that reaches into the next core", func(r recording, pu int) {
		folder := r.index(pu, "2", "Unified")
		if s := r.set(folder + "/shared_cpu_map"); !s.Empty() {
			r.put(folder+"/shared_cpu_map", s.Union(hw.SetOf((s.Last()+1)%8)))
		}
	}},
	{"a cache for which one PU reports another size", func(r recording, pu int) {
		if folder := r.index(pu, "3", "Unified"); r.set(folder+"/shared_cpu_map").Len() > 1 {
			r[folder+"/size"] = "999K"
		}
	}},
	{"an L1 larger than the L2", func(r recording, pu int) { r[r.index(pu, "1", "Data")+"/size"] = "99999999K" }},
	{"two L1 caches of one PU", func(r recording, pu int) {
		r[r.index(pu, "2", "Unified")+"/level"] = "1"
		r[r.index(pu, "1", "Data")+"/type"] = "Unified"
	}},
	{"a PU without caches", func(r recording, pu int) { r.remove(fmt.Sprintf("sys/devices/system/cpu/cpu%d/cache", pu)) }},
	{"a PU without a topology folder", func(r recording, pu int) { r.remove(strings.TrimSuffix(topology(pu, ""), "/")) }},
	{"a PU without a folder", func(r recording, pu int) { r.remove(fmt.Sprintf("sys/devices/system/cpu/cpu%d", pu)) }},
	{"an online PU that is not in the list of online PUs", func(r recording, pu int) {
		all, _ := hw.ParseList(r[online])
		r[online] = all.Minus(hw.SetOf(pu)).String()
	}},
	{"a PU too many in the list of online PUs", func(r recording, _ int) { r[online] += ",4000" }},
	{"a PU that /proc/cpuinfo lacks", func(r recording, pu int) {
		if _, rest, ok := strings.Cut(r["proc/cpuinfo"], "\n\n"); ok {
			r["proc/cpuinfo"] = rest
		}
	}},
	{"a distance of 5", func(r recording, pu int) {
		if path := nodeFile(r.node(pu), "distance"); strings.Contains(r[path], " ") {
			r[path] = strings.Replace(r[path], " ", " 5 ", 1)[:len(r[path])]
		}
	}},
	{"a node's list without a PU that its mask has", func(r recording, pu int) {
		if list, err := hw.ParseList(r[nodeFile(r.node(pu), "cpulist")]); err == nil && list.Has(pu) {
			r[nodeFile(r.node(pu), "cpulist")] = list.Minus(hw.SetOf(pu)).String()
		}
	}},
	{"a PU in the lists of online and of offline PUs", func(r recording, pu int) {
		if _, ok := r["sys/devices/system/cpu/offline"]; ok {
			r["sys/devices/system/cpu/offline"] = fmt.Sprint(pu)
		}
	}},
	{"one package id for all", func(r recording, _ int) {
		for other := range 256 {
			if id := topology(other, "physical_package_id"); r[id] != "" && strings.Contains(r["proc/cpuinfo"], "cpu family") {
				r[id] = "0"
			}
		}
	}},
	{"a /proc/cpuinfo with another package", func(r recording, _ int) {
		r["proc/cpuinfo"] = strings.Replace(r["proc/cpuinfo"], "physical id\t: 0", "physical id\t: 7", 1)
	}},
	{"one die id for all", func(r recording, _ int) {
		for other := range 256 {
			if id := topology(other, "die_id"); r.set(topology(other, "die_cpus")).Len() > 1 {
				r[id] = "0"
			}
		}
	}},
	{"one id for all L3 caches", func(r recording, _ int) {
		for other := range 256 {
			if id := r.index(other, "3", "Unified") + "/id"; r[id] != "" {
				r[id] = "0"
			}
		}
	}},
	{"a core without its L2", func(r recording, pu int) {
		for _, each := range r.threads(pu).Indexes() {
			if folder := r.index(each, "2", "Unified"); r.set(folder + "/shared_cpu_map").SubsetOf(r.threads(pu)) {
				r.remove(folder)
			}
		}
	}},
	{"a list of nodes with PUs in which one is missing", func(r recording, _ int) {
		if _, ok := r["sys/devices/system/node/has_cpu"]; ok {
			r["sys/devices/system/node/has_cpu"] = "63"
		}
	}},
	{"more huge pages than memory", func(r recording, pu int) {
		if file := nodeFile(r.node(pu), "hugepages/hugepages-2048kB/nr_hugepages"); r[file] != "" {
			r[file] = "999999999"
		}
	}},
	{"an empty mask", func(r recording, pu int) { r[topology(pu, "core_siblings")] = "" }},
	{"garbage in a mask", func(r recording, pu int) { r[topology(pu, "thread_siblings")] = "zz" }},
	{"garbage in a number", func(r recording, pu int) { r[topology(pu, "core_id")] = "0x" }},
	{"garbage in a size", func(r recording, pu int) { r[r.index(pu, "1", "Data")+"/size"] = "32 KiB" }},
	{"garbage in /proc/cpuinfo", func(r recording, _ int) { r["proc/cpuinfo"] = "lorem ipsum\n" }},
	{"garbage in a list", func(r recording, _ int) { r[online] = "0-" }},
	{"an endless list", func(r recording, _ int) { r["sys/devices/system/cpu/possible"] = "0-4294967295" }},
	{"half the memory of a node", func(r recording, pu int) {
		path := nodeFile(r.node(pu), "meminfo")
		text, kB := r[path], 0
		if i := strings.Index(text, "MemTotal:"); i >= 0 {
			_, _ = fmt.Sscan(text[i+len("MemTotal:"):], &kB)
			r[path] = strings.Replace(text, fmt.Sprint(kB), fmt.Sprint(kB/2), 1)
		}
	}},
}

// Faults put into five recordings are found, although all witnesses read the same files. The manual's table of
// faults is this table.
func TestFaultsInRecordings(t *testing.T) {
	t.Parallel()
	made, by := map[string]int{}, map[string][]string{}
	for _, name := range []string{"memorysidecaches", "fakecpuid1f-64intel64-2p4d2n2c2t", "20em64t-hybrid-1p6c2t+2ca4co1t",
		"128arm-2pa2n8cluster4co", "64amd64-4s2n4ca2co"} {
		whole := load(t, name)
		maps.DeleteFunc(whole, func(path, _ string) bool { // the lists of one recording were made up
			return name == "64amd64-4s2n4ca2co" && strings.HasSuffix(path, "/shared_cpu_list")
		})
		if r := whole.report(t); r.Count() > 0 {
			t.Errorf("%s: %q", name, open(r))
		}
		for i, f := range faults {
			r, pu := maps.Clone(whole), i%2*9 // the first PU, which readers look at first, or another
			f.do(r, pu)
			for path := range r {
				if _, real := whole[path]; !real { // a file of a cache that the machine does not have
					delete(r, path)
				}
			}
			if maps.Equal(r, whole) {
				continue
			}
			made[f.name]++
			found := rulesOf(&Report{Rules: rules.Check(r.files())})
			if len(found) == 0 { // witnesses are asked only where no rule finds the fault
				found = open(r.report(t))
			}
			if len(found) == 0 {
				t.Errorf("%s: %s, PU %d: nothing is found", name, f.name, pu)
			}
			by[f.name] = append(by[f.name], found...)
		}
	}
	text, n := "| what is wrong | machines | found by |\n|---|---|---|\n", 0
	for _, f := range faults {
		if n += made[f.name]; made[f.name] == 0 {
			t.Errorf("%s: no recording can have it", f.name)
		}
		slices.Sort(by[f.name])
		text += fmt.Sprintf("| %s | %d | %s |\n", f.name, made[f.name], strings.Join(slices.Compact(by[f.name]), ", "))
	}
	marked.Hold(t, "../VERIFY.md", "faults", text+fmt.Sprintf("| all | %d | |\n", n))
}

// mounts are files that somebody mounts over, each with the finding, and the witness whose evidence is then
// missing.
var mounts = []struct{ over, found, missing string }{
	{"/sys/devices/system/cpu/cpu1/topology", "files", ""},
	{"/sys/devices/system/node", "", "lstopo"}, // 2.9 aborts on an assertion
	{"/sys", "", "lscpu"},
	{"/proc", "", "cpuinfo lscpu status cgroup"},
}

// When somebody hides files of this machine, that is found, and a witness that fails then is missing evidence.
func TestMountedLscpuLstopo(t *testing.T) {
	if list := os.Getenv("COMMSPLIT_MOUNTED"); list != "" {
		r, err := This(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("found %q missing %q\n", strings.Join(rulesOf(r), " "), strings.Join(r.Missing(), " "))
		return
	}
	unshare := judge.Ask(t, "unshare")
	judge.Ask(t, "lscpu")
	judge.Ask(t, "lstopo-no-graphics")
	if os.Getuid() != 0 || exec.Command(unshare, "-m", "true").Run() != nil {
		t.Skip("only root may mount")
	}
	if _, err := os.Stat(mounts[0].over); err != nil {
		t.Skip("this machine has one PU")
	}
	for _, m := range mounts {
		c := exec.Command(unshare, "-m", "sh", "-c", `mount -t tmpfs none "$0" && exec "$1" -test.run ^TestMountedLscpuLstopo$`,
			m.over, os.Args[0])
		c.Env = append(os.Environ(), "COMMSPLIT_MOUNTED=1")
		out, err := c.CombinedOutput()
		if want := fmt.Sprintf("found %q missing %q\n", m.found, m.missing); !strings.Contains(string(out), want) || err != nil {
			t.Errorf("%s: %v, want %s%s", m.over, err, want, out)
		}
	}
}

// rulesOf lists the broken rules.
func rulesOf(r *Report) (names []string) {
	for _, rule := range r.Rules {
		if len(rule.Breaches) > 0 {
			names = append(names, rule.Name)
		}
	}
	return names
}
