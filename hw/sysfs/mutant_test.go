package sysfs_test

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"commsplit/hw"
)

// A mutant is a recorded or generated machine in which some files were changed, as other kernels, other
// hardware and careless recordings would have them.
type mutant struct {
	tree
	*rand.Rand
	present hw.Set   // the PUs that have a folder
	nodes   hw.Set   // the NUMA nodes that have one
	story   []string // what was done
}

// mutate makes the mutant of a seed out of a machine.
func mutate(name string, machine tree, seed uint64) *mutant {
	m := &mutant{tree: machine, Rand: rand.New(rand.NewPCG(seed, 1)), story: []string{name}}
	for path := range machine {
		m.present = m.present.Union(numberAfter(path, "sys/devices/system/cpu/cpu"))
		m.nodes = m.nodes.Union(numberAfter(path, "sys/devices/system/node/node"))
	}
	for range 1 + m.IntN(4) {
		change := changes[m.IntN(len(changes))]
		m.story = append(m.story, change.name)
		change.do(m)
	}
	for _, n := range m.nodes.Indexes() {
		if m.maskAt(node(n, "cpumap")).Empty() {
			m.remove(node(n, "memory_side_cache")) // lstopo loses where such a cache belongs
		}
	}
	return m
}

// change is one way to change a machine.
type change struct {
	name string
	do   func(m *mutant)
}

func numberAfter(path, prefix string) (s hw.Set) {
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok {
		return s
	}
	digits, _, _ := strings.Cut(rest, "/")
	if n, err := strconv.Atoi(digits); err == nil {
		s.Add(n)
	}
	return s
}

// some picks about one in n of the members of s, at least one where there is one.
func (m *mutant) some(s hw.Set, n int) hw.Set {
	var r hw.Set
	for _, i := range s.Indexes() {
		if m.IntN(n) == 0 {
			r.Add(i)
		}
	}
	if r.Empty() && !s.Empty() {
		r.Add(m.one(s))
	}
	return r
}

func (m *mutant) one(s hw.Set) int {
	all := s.Indexes()
	return all[m.IntN(len(all))]
}

// pick picks one of several words.
func (m *mutant) pick(words ...string) string { return words[m.IntN(len(words))] }

// rename moves every file whose path ends so.
func (f tree) rename(from, to string) {
	for path, file := range f {
		if base, ok := strings.CutSuffix(path, "/"+from); ok {
			delete(f, path)
			f[base+"/"+to] = file
		}
	}
}

// read returns a file's content without blanks, "" when it is not there.
func (f tree) read(path string) string {
	if file := f[path]; file != nil {
		return strings.TrimSpace(string(file.Data))
	}
	return ""
}

// maskAt reads a mask.
func (f tree) maskAt(path string) hw.Set {
	var s hw.Set
	groups := strings.Split(f.read(path), ",")
	for i, group := range groups {
		word, _ := strconv.ParseUint(group, 16, 64)
		for bit := range 32 {
			if word>>bit&1 != 0 {
				s.Add(32*(len(groups)-1-i) + bit)
			}
		}
	}
	return s
}

func (f tree) clone() tree {
	c := tree{}
	for path, file := range f {
		c[path] = file
	}
	return c
}

// write lays the files out on a disk.
func (f tree) write(t *testing.T, folder string) {
	for path, file := range f {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// load reads the files of a recorded machine that tell of CPUs, nodes and cgroups.
func load(t *testing.T, path string) tree {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var plain io.Reader = bzip2.NewReader(bytes.NewReader(packed))
	if strings.HasSuffix(path, ".gz") {
		if plain, err = gzip.NewReader(bytes.NewReader(packed)); err != nil {
			t.Fatal(err)
		}
	}
	f := tree{}
	for archive := tar.NewReader(plain); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return f
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		if h.Typeflag != tar.TypeReg || strings.HasPrefix(name, "sys/bus") ||
			strings.HasPrefix(name, "sys/class") || strings.Contains(name, "/hugepages") {
			continue
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		f[name] = &fstest.MapFile{Data: data, Mode: 0o444}
	}
}
