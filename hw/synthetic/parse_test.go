package synthetic_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"commsplit/hw"
	"commsplit/hw/synthetic"
	"github.com/google/go-cmp/cmp"
)

func parse(t testing.TB, text string) *hw.Topology {
	t.Helper()
	root, err := synthetic.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return hw.New(text, root)
}

// shape counts the objects of each type and lists the PUs in logical order.
func shape(top *hw.Topology) string {
	var parts []string
	for _, level := range top.Levels() {
		name := level[0].TypeName()
		parts = append(parts, strings.Repeat(name+" ", len(level)))
	}
	return strings.Join(parts, "/ ")
}

// Levels before machine:N are levels of our own, each host has PUs from 0, and
// only several outermost objects get a level above them.
func TestHosts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, root, shape string }{
		{"machine:1 core:1", "Machine", "Machine / Core / PU / NUMANode "},
		{"mach:2 pu:1", "Cluster", "Cluster / Machine Machine / PU PU / NUMANode NUMANode "},
		{"rack:2 machine:1 pu:1", "Cluster",
			"Cluster / Rack Rack / Machine Machine / PU PU / NUMANode NUMANode "},
		{"cluster:1 rack:1 machine:2 1", "Cluster",
			"Cluster / Rack / Machine Machine / PU PU / NUMANode NUMANode "},
		{"zone:2 rack:3 machine:1 1", "Cluster",
			"Cluster / Zone Zone / Rack Rack Rack Rack Rack Rack / " +
				"Machine Machine Machine Machine Machine Machine / PU PU PU PU PU PU / " +
				"NUMANode NUMANode NUMANode NUMANode NUMANode NUMANode "},
		{"cluster:2 machine:1 1", "System",
			"System / Cluster Cluster / Machine Machine / PU PU / NUMANode NUMANode "},
	} {
		top := parse(t, c.text)
		if got := top.Root.TypeName(); got != c.root {
			t.Errorf("%q: root is %s, want %s", c.text, got, c.root)
		}
		if diff := cmp.Diff(c.shape, shape(top)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.text, diff)
		}
		for _, h := range top.Hosts {
			if h.CPUSet.String() != "0" {
				t.Errorf("%q: PUs of %s are %s, want 0", c.text, h.Name, h.CPUSet)
			}
		}
	}
}

// After core:N a missing pu level is one PU per core: the strings are equal.
func TestMissingPU(t *testing.T) {
	t.Parallel()
	want, got := parse(t, "pack:2 core:3 pu:1"), parse(t, "pack:2 core:3")
	if diff := cmp.Diff(lines(want.Root, ""), lines(got.Root, "")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A size of a memory-side cache puts a MemCache between node and tree.
func TestMemorySideCache(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"pack:2 [numa(memory=2GB memorysidecachesize=1MiB)] core:1",
		"pack:2 numa:1(memory=2GB memorysidecachesize=1MiB) core:1",
	} {
		top := parse(t, text)
		caches, nodes := top.Objects(hw.MemCache), top.Objects(hw.NUMANode)
		if len(caches) != 2 || len(nodes) != 2 {
			t.Fatalf("%q: %d caches, %d nodes, want 2 and 2", text, len(caches), len(nodes))
		}
		c := caches[1]
		if c.Bytes != 1<<20 || c.Parent.Type != hw.Package || nodes[1].Parent != c ||
			nodes[1].Bytes != 2e9 || c.NodeSet.String() != "1" {
			t.Errorf("%q: got %+v holding %+v", text, c, nodes[1])
		}
	}
}

// A description that means nothing is refused, and the error points at the
// place.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, rest, message string }{
		{"", "", "missing number of PUs"},
		{"machine:4", "", "missing number of PUs"},
		{"foo:2 pu:1", "foo:2 pu:1", "unknown object type"},
		{"pack:2 foo", "foo", "unknown object type"},
		{"pack:2 machine", "machine", "cannot be of type"},
		{"memcache:2 pu:2", "memcache:2 pu:2", "cannot be of type"},
		{"cluster:2 pu:2", "cluster:2 pu:2", "unknown object type"},
		{"pack:2 l6:1 pu:1", "l6:1 pu:1", "unknown object type"},
		{"pack 2 pu:1", " 2 pu:1", "missing ':'"},
		{"pack: pu:1", " pu:1", "missing number"},
		{"pack:0 pu:1", "0 pu:1", "0 objects"},
		{"pack:2 numa:2", "numa:2", "the last level"},
		{"2 core:2 pu:2", "core:2 pu:2", "either all levels"},
		{"pu:2 pu:2", "pu:2", "several PU"},
		{"core:2 core:2 pu:1", "core:2 pu:1", "several Core"},
		{"numa:2 [numa] pu:1", "numa:2 [numa] pu:1", "both a level and attached"},
		{"[core] pu:2", "core] pu:2", "only a numa node"},
		{"[numa pu:2", " pu:2", "missing ']'"},
		{"pack:2(memory=1GB pu:2", "(memory=1GB pu:2", "missing ')'"},
		{"pack:2(size=1MB) pu:2", "size=1MB) pu:2", "unknown attribute"},
		{"l3:2(memory=1MB) pu:2", "memory=1MB) pu:2", "unknown attribute"},
		{"l3:2(size=big) pu:2", "big) pu:2", "missing size"},
		{"numa:2(memory=1GB  indexes=1,0) 2", " indexes=1,0) 2", "unknown attribute"},
		{"pu:4(indexes=0,1)", "0,1)", "2 indexes for 4 objects"},
		{"pu:4(indexes=0,1,1,2)", "0,1,1,2)", "given twice"},
		{"pu:2(indexes=0,99999999)", "99999999)", "want an index"},
		{"pu:4(indexes=2*)", "2*)", "STEP*NUMBER"},
		{"pu:4(indexes=2*0:1*2)", "2*0:1*2)", "can be 0"},
		{"pu:4(indexes=2*3)", "2*3)", "number 3 objects, not 4"},
		{"pack:2 pu:2(indexes=pack:pack)", "pack)", "same level twice"},
		{"pack:2 pu:2(indexes=core)", "core)", "no level"},
		{"pack:2(indexes=core) core:2 pu:1", "core) core:2 pu:1", "inside the one"},
		{"pu:4194305", "4194305", "more than 4194304 PUs"},
		{"rack:1024 machine:1024 pu:5", "5", "more than 4194304 PUs"},
		{"core:4194304 l1:1 l2:1 l3:1 l4:1 pu:1", "1 pu:1", "objects in all"},
		{"rack:0 machine:2 pu:5", "rack:0 machine:2 pu:5", "0 objects"},
		{"rack:2 rack:2 machine:2 pu:5", "rack:2 rack:2 machine:2 pu:5", "several rack"},
		{"core:524288 pu:2(indexes=2*524288:1*2)", "2*524288:1*2)", "too widely"},
		{strings.Repeat("group:1 ", 128) + "pu:1", "group:1 pu:1", "too many levels"},
	} {
		_, err := synthetic.Parse(c.text)
		var e *synthetic.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: got %v, want an *Error", c.text, err)
			continue
		}
		if rest := c.text[e.Offset:]; rest != c.rest || !strings.Contains(e.Message, c.message) {
			t.Errorf("%q: %q at %q, want %q at %q", c.text, e.Message, rest, c.message, c.rest)
		}
	}
}

// A cluster of 131,072 cores must not take longer than half a second; the
// bound here is loose because tests share their machine.
func TestBigCluster(t *testing.T) {
	start := time.Now()
	top := parse(t, "rack:32 machine:32 pack:2 core:64 pu:1")
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	if n := len(top.Objects(hw.Core)); n != 131072 {
		t.Errorf("%d cores, want 131072", n)
	}
}

func BenchmarkCluster131072(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		parse(b, "rack:32 machine:32 pack:2 core:64 pu:1")
	}
}

func BenchmarkMachine131072(b *testing.B) {
	for b.Loop() {
		parse(b, "pack:2 numa:8 l3:64 l2:8 l1d:1 core:1 pu:16")
	}
}

// Whatever the text, Parse returns a sound tree or an error that points inside
// of the text.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"pack:2 numa:2 l3:2 core:4 pu:2", "2 3 4", "rack:2 machine:4 pack:2 core:8",
		"pack:2(indexes=3,5) numa:2(memory=256GiB indexes=pack) pu:2(indexes=pack:numa)",
		"[numa(memory=1GB memorysidecachesize=1MB)] l2:4 pu:2(indexes=2*4:1*2)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if longCount(text) {
			t.Skip("large counts only cost time here")
		}
		root, err := synthetic.Parse(text)
		var e *synthetic.Error
		if errors.As(err, &e) {
			if e.Offset < 0 || e.Offset > len(text) || e.Error() == "" {
				t.Fatalf("offset %d outside of %q", e.Offset, text)
			}
			return
		}
		top := hw.New(text, root)
		for o := range top.Root.All() {
			for _, c := range o.Children {
				if o.Type != hw.Level && !c.CPUSet.SubsetOf(o.CPUSet) {
					t.Fatalf("%s sticks out of %s", c.Type, o.Type)
				}
			}
		}
		if len(top.Objects(hw.PU)) > 10000 || strings.Contains(text, "=0") {
			return // slow, or sizes of 0, which a description leaves to Parse to make up
		}
		described, err := synthetic.Format(top)
		if err != nil {
			t.Fatal(err)
		}
		again, err := synthetic.Parse(described)
		if err != nil {
			t.Fatalf("%s: %v", described, err)
		}
		if text, err := synthetic.Format(hw.New("", again)); err != nil || text != described {
			t.Fatalf("%s is described as %s, %v", described, text, err)
		}
	})
}

// longCount reports whether text has a run of more than three digits.
func longCount(text string) bool {
	run := 0
	for _, c := range text {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'f' {
			run++
		} else {
			run = 0
		}
		if run > 3 {
			return true
		}
	}
	return false
}
