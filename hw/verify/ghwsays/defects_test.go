//go:build linux

package ghwsays

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"commsplit/hw"
	"commsplit/hw/sysfs"
	"commsplit/hw/verify/account"
)

// tree is a /proc and /sys: text by path, "->" before the target of a symbolic link.
type tree map[string]string

const (
	cpus = "sys/devices/system/cpu/"
	numa = "sys/devices/system/node/"
)

// plain is a machine of four PUs on which ghw is right: two packages and NUMA nodes, four cores
// whose core_id differ, an L1 each and an L3 for each package, of equal size and with ids.
func plain() tree {
	f := tree{cpus + "online": "0-3", numa + "online": "0-1",
		"proc/meminfo": "MemTotal: 2048 kB\nHugepagesize: 2048 kB\nHugetlb: 0 kB\n"}
	for pu := range 4 {
		c, pkg := fmt.Sprintf("%scpu%d/", cpus, pu), pu/2
		f[c+"topology/core_id"] = fmt.Sprint(pu)
		f[c+"topology/physical_package_id"] = fmt.Sprint(pkg)
		f[c+"topology/core_cpus"] = fmt.Sprintf("%x", 1<<pu)
		f[c+"topology/package_cpus"] = fmt.Sprintf("%x", 3<<(2*pkg))
		f.cache(pu, 0, 1, "Data", "64K", pu, 1<<pu)
		f.cache(pu, 1, 3, "Unified", "64K", pkg, 3<<(2*pkg))
		f[fmt.Sprintf("%snode%d/cpu%d", numa, pkg, pu)] = fmt.Sprintf("->../../cpu/cpu%d", pu)
		f["proc/cpuinfo"] += fmt.Sprintf("processor : %d\n\n", pu)
	}
	for n := range 2 {
		f.node(n, fmt.Sprintf("%x", 3<<(2*n)))
	}
	return f
}

// cache writes one cache; ghw reads the size of level L in indexL, so that one is there, too.
func (f tree) cache(pu, index, level int, kind, size string, id, mask int) {
	c := fmt.Sprintf("%scpu%d/cache/index%d/", cpus, pu, index)
	f[c+"level"], f[c+"type"], f[c+"size"] = fmt.Sprint(level), kind, size
	f[c+"id"], f[c+"shared_cpu_map"] = fmt.Sprint(id), fmt.Sprintf("%x", mask)
	f[fmt.Sprintf("%scpu%d/cache/index%d/size", cpus, pu, level)] = size
}

func (f tree) node(n int, mask string) {
	folder := fmt.Sprintf("%snode%d/", numa, n)
	f[folder+"cpumap"], f[folder+"distance"] = mask, "10 20"
	f[folder+"meminfo"] = fmt.Sprintf("Node %d MemTotal: 1024 kB", n)
	f[folder+"hugepages/hugepages-2048kB/nr_hugepages"] = "0"
}

// with is the tree with other files: "" takes a file away, and a folder with all that is below.
func (f tree) with(changes tree) tree {
	for path, text := range changes {
		for p := range f {
			if p == path || strings.HasPrefix(p, path+"/") {
				delete(f, p)
			}
		}
		if text != "" {
			f[path] = text
		}
	}
	return f
}

// onDisk writes the tree, as ghw reads disks only.
func (f tree) onDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range f {
		full := filepath.Join(dir, path)
		err := os.MkdirAll(filepath.Dir(full), 0o755)
		if to, link := strings.CutPrefix(text, "->"); err == nil && link {
			err = os.Symlink(to, full)
		} else if err == nil {
			err = os.WriteFile(full, []byte(text+"\n"), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// machine reads the tree in a folder by our own reader.
func machine(t *testing.T, dir string) Machine {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	m, err := sysfs.ReadWhole(root.FS())
	if err != nil {
		t.Fatal(err)
	}
	full := account.FromTree(m.Root.All())
	full.Speak(caches...)
	return Machine{Files: root.FS(), Whole: full, Online: m.Online}
}

func l(t hw.Type) account.Kind { return account.Of(t) }

// defect is a tree on which ghw errs, and a neighbour of it on which the same answer has no excuse.
type defect struct {
	rule      string
	kind      account.Kind
	tree      tree
	words     string // of the explanation
	neighbour tree
}

func (d defect) check(t *testing.T, ask func(dir string) account.Account, model func(Machine) account.Model) {
	t.Parallel()
	dir := d.tree.onDisk(t)
	m, said := machine(t, dir), ask(dir)
	if account.Same(said[d.kind], m.Whole[d.kind]) {
		t.Fatalf("ghw is right: %v", said[d.kind])
	}
	var got []string
	limits, ok := model(m).Explain(d.kind, said[d.kind])
	for _, l := range limits {
		got = append(got, l.Words)
	}
	if text := strings.Join(got, "; "); !ok || text != d.words {
		t.Errorf("explained %v by %q, want %q (ghw says %v)", ok, text, d.words, said[d.kind])
	}
	beside := machine(t, d.neighbour.onDisk(t))
	if limits, ok := model(beside).Explain(d.kind, said[d.kind]); ok {
		t.Errorf("the same answer is excused on the neighbour: %v", limits)
	}
}
