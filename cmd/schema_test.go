package cmd_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/render/schema"
	"codeberg.org/commsplit/commsplit/scripts"
)

// schemas are the schemas that commsplit prints, compiled by somebody else's program, which first holds
// them against the schema of schemas.
var schemas = sync.OnceValue(func() map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{}
	for _, name := range schema.Names() {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema.Text(name)))
		if err != nil {
			panic(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(name, doc); err != nil {
			panic(err)
		}
		all[name] = c.MustCompile(name)
	}
	return all
})

// parsed reads one JSON value.
func parsed(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return v
}

// valid validates a JSON text by a schema.
func valid(t *testing.T, name, text string) any {
	t.Helper()
	v := parsed(t, text)
	if err := schemas()[name].Validate(v); err != nil {
		t.Errorf("%v in:\n%.2000s", err, text)
	}
	return v
}

// runsOf are command lines that make a document, of every kind of world, call and end.
var runsOf = [][]string{
	{"-n", "1", "--topo", "core:1"},
	{"-n", "4", "--topo", "machine:2 pack:2 core:1 pu:2", "-c", "bind 0 2-3", "-c", "@1 bind(\"0\", 1)", "-c", "hw_info"},
	{"split-type", "world", "HW_GUIDED", "resource=hwloc://Package", "--topo", "rack:2 machine:2 pack:2 core:2"},
	{"split-type", "world", "HW_UNGUIDED", "-n", "12", "--topo", "figure-7.3", "--bind", "0,1,2,3,4,5,6-7,6-7,8,9,10,11"},
	{"-n", "4", "--topo", "core:4", "--pset", "app://a b=1,3", "--map-by", "core", "--bind-to", "none", "--std", "4.0",
		"-c", `half = split world color=(rank%2 if rank<3 else UNDEFINED) key=-2147483648`, "-c", `name half "a \"b\" <&> é"`,
		"-c", "both = world.Split(world.rank%2).Create_intercomm(0, world, 1-world.rank%2)", "-c", "free half"},
	{"-n", "2", "--topo", "core:2", "-c", "s = MPI.COMM_SELF", "-c", "l = [world, MPI.COMM_NULL]", "-c", "s.Set_name('mine')"},
	{"-n", "2", "--topo", "core:2", "-c", "s = MPI.COMM_SELF"},
	{"-n", "2", "--topo", "core:2", "-c", "world.Set_name('low') if world.rank else None", "-c", "world.Set_name('')"},
	{"-n", "3", "--topo", "core:3", "-c", "d, r = world.Idup()", "-c", "r.wait()", "-c", "d.Disconnect()"},
	{"-n", "2", "--topo", "core:2", "-c", "expect world.rank==0", "-c", "expect_deadlock", "-c", "ask \"q\" 1 answer=2"},
	{"-n", "4", "--topo", "core:4", "-c", "x = dup world", "-c", "split x color=(-3 if rank==1 else 0)"},
	{"-n", "4", "--topo", "core:4", "-c", "@0,3 barrier world", "-c", "@1 y = split world color=0"},
	{"-n", "2", "--topo", "core:2", "-c", "@0 MPI.Intracomm.Create_from_group(MPI.Session.Init().Create_group('mpi://WORLD'), 'tag')"},
	{"-n", "2", "--topo", "core:2", "-c", "x = dup world", "-c", "y = 1 // (world.rank - 1)"},
	{"-n", "2", "--topo", "core:2", "-c", "dup world", "-c", "x = (1"},
	{"-n", "2", "--topo", "core:2", "-c", "world.Abort(3)"},
	{"-n", "2", "--topo", "core:2", "-c", "x = world.isend(1, 0, 5)"},
	{"-n", "2", "--topo", "core:2", "-c", "x = dup world", "-c", "expect True", "-c", ".world 3", "-c", "y = dup world", "-c", "print(y.size)"},
	{"-n", "2", "--topo", "core:2", "-c", "x = dup world", "-c", "print(1)", "-c", ".undo", "-c", ".redo", "-c", ".undo 2", "-c", "y = dup world"},
	{"-n", "3", "--topo", "core:3", "-c", "x = dup world", "-c", "@0 barrier x", "-c", "print(1)", "-c", "expect_deadlock", "-c", "free x"},
	{"-n", "3", "--topo", "core:3", "-c", "@0 barrier world", "-c", "expect_deadlock", "-c", ".undo"},
	{"run", "example-7.5", "--leaks"}, {"run", "example-7.5", "--as", "openmpi"}, {"run", "example-7.4", "--as", "mpich", "--leaks"},
	{"run", "create-in-mpi-1.1", "--as", "openmpi"},
	{"-n", "3", "--topo", "core:3", "-c", "world.send(1, 0) if world.rank else [world.recv(), world.recv()]"},
	{"run", "first-split", "--leaks", "-c", "half.Free() if half else None"},
}

// everyExample is the command lines of all embedded scripts.
func everyExample() [][]string {
	var list [][]string
	for _, e := range scripts.All() {
		list = append(list, []string{"run", e.Name})
	}
	return list
}

// everyScript is the command lines of all scripts and programs that there are, and of files with odd names.
func everyScript(t *testing.T) [][]string {
	t.Helper()
	list := everyExample()
	for _, r := range rules(t) {
		list = append(list, []string{"run", r.file})
	}
	programs, err := filepath.Glob("../testdata/programs/*.py")
	if err != nil || len(programs) == 0 {
		t.Fatal(err)
	}
	for _, p := range programs {
		list = append(list, []string{"run", p}, []string{"run", p, "-n", "1"}, []string{"run", p, "--leaks"})
	}
	for _, name := range []string{"a:b.py", "no end", "ü,1.py"} { // a place is a file of any name
		text := "# commsplit: -n 2 --topo core:2\nx = MPI.COMM_WORLD.Dup()\nexpect(False, 'never')\n"
		list = append(list, []string{"run", filepath.Join(folder(t, map[string]string{name: text}), name)})
	}
	return list
}

// What runs print, in full and line by line, is as the schemas say, and the document can be made of the
// lines. Both end alike, and say the same on standard error.
func TestRunsAreAsTheSchemasSay(t *testing.T) {
	t.Parallel()
	for _, args := range slices.Concat(runsOf, everyScript(t)) {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			args := args[:len(args):len(args)]
			whole := run(t, "", append(args, "-o", "json")...)
			lines := run(t, "", append(args, "-o", "jsonl")...)
			if whole.code != lines.code || whole.err != lines.err {
				t.Errorf("code %d and %d; %s", whole.code, lines.code, cmp.Diff(whole.err, lines.err))
			}
			for line := range strings.Lines(lines.out) {
				valid(t, "run-line", line)
			}
			if d := cmp.Diff(valid(t, "run", whole.out), rebuilt(t, lines)); d != "" {
				t.Errorf("document (-printed +made of the lines):\n%s", d)
			}
		})
	}
}

// The lines are the same, byte for byte, however many processors there are and however wide the
// terminal is. Not parallel: GOMAXPROCS is everybody's.
func TestLinesAreDeterministic(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, args := range slices.Concat(runsOf, everyExample()) {
		args = append(args[:len(args):len(args)], "-o", "jsonl")
		runtime.GOMAXPROCS(1)
		one := runAt(t, 40, args...)
		runtime.GOMAXPROCS(8)
		if many := runAt(t, 200, args...); one.out != many.out || one.code != many.code {
			t.Errorf("%q: GOMAXPROCS or the width matters:\n%s", args, cmp.Diff(one.out, many.out))
		}
	}
}

// Other documents are as their schemas say, and every schema is of a document here, of a run, or of a
// comparison with a library, for which TestConfirm* have one.
func TestDocumentsAreAsTheSchemasSay(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{"run": true, "run-line": true, "confirm": true}
	for _, d := range documents {
		seen[d.schema] = true
		valid(t, d.schema, d.text(t))
	}
	for _, name := range schema.Names() {
		if !seen[name] {
			t.Errorf("no document of the schema %s is tried", name)
		}
	}
}

// sample is a command line that prints a document of a schema; with machine, of a folder with its files.
type sample struct {
	schema  string
	args    []string
	machine map[string]string
}

var documents = []sample{
	{"replay", []string{"replay", "../repl/recording/testdata/solver.tar"}, nil},
	{"replay", []string{"replay", "../repl/recording/testdata/solver.tar", "--map-by", "node"}, nil},
	{"hw-list", []string{"hw", "list"}, nil}, {"version", []string{"version"}, nil}, {"examples", []string{"examples"}, nil}, {"examples", []string{"examples", "tours"}, nil},
	{"practice", []string{"practice", "1", "--answer", "../testdata/practice/right.py"}, nil},
	{"practice", []string{"practice", "1", "--answer", "../testdata/practice/wrong.mpi"}, nil},
	{"practice", []string{"practice", "1", "--answer", "../testdata/practice/blocked.mpi"}, nil},
	{"practice", []string{"practice", "1", "--answer", "../testdata/practice/unread.mpi"}, nil},
	{"hw-show", []string{"hw", "show", "--topo", "rack:2 machine:2 pack:1 [numa] l2:2 core:1 pu:2"}, nil},
	{"hw-show", []string{"hw", "show", "--topo", "figure-7.3"}, nil}, {"hw-show", []string{"hw", "show", "--topo", "frontier"}, nil},
	{"hw-show", []string{"hw", "show", "--topo", "laptop-hybrid+dgx-a100"}, nil},
	{"hw-show", []string{"hw", "show", "--topo", "testdata/figures.xml"}, nil},
	{"hw-show", []string{"hw", "show", "--full", "--topo", "core:3 disallow=0"}, nil},
	{"hw-diff", []string{"hw", "diff", "machine:2 core:2 pu:2", "machine:2 core:2"}, nil},
	{"hw-diff", []string{"hw", "diff", "machine:2 core:2", "machine:3 core:2 disallow=0"}, nil},
	{"hw-diff", []string{"hw", "diff", "frontier", "laptop-hybrid"}, nil}, {"hw-diff", []string{"hw", "diff", "core:2", "core:2"}, nil},
	{"hw-fleet", []string{"hw", "verify", "--fleet", "cn[1-3]=core:2 pu:2", "cn4=core:2", "../repl/recording/testdata/solver.tar"}, nil},
	{"hw-map", []string{"hw", "map", "--topo", "machine:2 core:2"}, nil},
	{"hw-map", []string{"hw", "map", "-n", "3", "--topo", "core:3 pu:2"}, nil},
	{"hw-map", []string{"hw", "map", "--topo", "dgx-a100", "-n", "2", "--map-by", "device=gpu"}, nil},
	{"hw-verify", []string{"hw", "verify", "--pin"}, nil},
	{"hw-verify", []string{"hw", "verify"}, map[string]string{ // its files contradict each other
		"sys/devices/system/cpu/online": "0-1", "sys/devices/system/cpu/cpu0/topology/core_cpus": "1",
		"sys/devices/system/cpu/cpu1/topology/core_cpus": "2", "proc/cpuinfo": "processor : 0\n\n",
	}},
	{"hw-verify", []string{"hw", "verify"}, map[string]string{ // breaks a rule
		"sys/devices/system/cpu/online": "0-1", "sys/devices/system/cpu/cpu0/topology/core_cpus": "1",
		"sys/devices/system/cpu/cpu1/topology/core_cpus": "3",
	}},
	{"hw-verify", []string{"hw", "verify"}, map[string]string{ // of which no tree can be made
		"sys/devices/system/cpu/online": "0-1", "sys/devices/system/cpu/cpu0/topology/core_cpus": "g",
	}},
	{"hw-verify", []string{"hw", "verify"}, map[string]string{ // has a device
		"sys/devices/system/cpu/online": "0", "sys/devices/system/cpu/cpu0/topology/core_cpus": "1",
		"sys/bus/pci/devices/0000:00:03.0":               "-> ../../../devices/pci0000:00/0000:00:03.0",
		"sys/devices/pci0000:00/0000:00:03.0/class":      "0x020000",
		"sys/class/net/eth0":                             "-> ../../devices/pci0000:00/0000:00:03.0/net/eth0",
		"sys/devices/pci0000:00/0000:00:03.0/net/eth0/x": "",
	}},
}

// text is what the command line prints, as JSON.
func (d *sample) text(t *testing.T) string {
	t.Helper()
	args := append(slices.Clone(d.args), "-o", "json")
	if d.machine != nil {
		args = append(args, "--topo", "fsroot:"+folder(t, d.machine))
	}
	r := run(t, "", args...)
	if r.code != cmd.OK && r.code != cmd.Unmet {
		t.Errorf("%q: code %d, %s", args, r.code, r.err)
	}
	return r.out
}

// folder writes files; a text "-> TARGET" is a symbolic link.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if target, link := strings.CutPrefix(text, "-> "); link {
			err = errors.Join(err, os.Symlink(target, path))
		} else {
			err = errors.Join(err, os.WriteFile(path, []byte(text), 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The sample of the format's description is a document: written out, where it says several values.
func TestSampleIsAsTheSchemaSays(t *testing.T) {
	t.Parallel()
	valid(t, "run", `{"version": 1,
 "world": {"size": 12, "topology": "figure-7.3", "map_by": "core", "bind_to": "core", "std": "5.0", "psets": {"mpi://WORLD": [0, 1]}},
 "ranks": [{"rank": 0, "host": "node0", "cpuset": "0", "hw_info": {"hwloc://Core": "true"}}],
 "communicators": [{"id": 2, "context": 1, "name": "", "kind": "intra", "op": "MPI_Comm_split", "parent": 0, "group": [2, 0], "remote_group": null,
                    "resource": "hwloc://NUMANode", "pset": null, "freed": false, "where": "demo.py:7"},
                   {"id": 3, "context": 2, "name": "", "kind": "inter", "op": "MPI_Intercomm_create", "parent": 0, "group": [2, 0], "remote_group": [1],
                    "resource": null, "pset": null, "freed": false, "where": "demo.py:8"}],
 "variables": {"half": [2, 3, 2, 3, null, [2, 4]]},
 "output": [{"ranks": "0-3,7", "text": "..."}],
 "expectations": {"passed": 7, "failed": 1, "failures": [{"where": "demo.py:9", "ranks": "2", "message": "..."}]},
 "errors": [{"class": "MPI_ERR_ARG", "call": "MPI_Comm_split", "comm": 0, "ranks": "3", "where": "demo.py:7", "message": "...", "rule": "MPI-5.0 §7.4.2"}],
 "deadlock": {"waiting": [{"ranks": "1-3", "call": "MPI_Comm_split", "comm": 0, "where": "demo.py:7"}], "message": "...",
              "knots": [{"ranks": "1-3", "comm": 0, "message": "...", "rule": "...", "fix": "..."}]},
 "trace": [{"step": 1, "call": "MPI_Comm_split", "comm": 0, "ranks": "0-3", "args": {"color": [0,1,0,1], "key": [0,0,0,0]}, "made": [2, 3], "where": "demo.py:7"}],
 "unfinished": [{"what": "message", "ranks": "0", "call": "MPI_Send", "where": "demo.py:7", "message": "..."}]}`)
}

// maps are the objects with names of the user's, or of the call's; they take more of them.
var maps = []string{"variables", "psets", "hw_info", "args"}

// optional are the properties that may be missing, nullable those that may be null.
var (
	optional = []string{"run.leaks", "run.as", "run.choices", "run.stopped", "hw-map[].host", "hw-map[].devices", "hw-show.name", "hw-show.bytes", "hw-show.kind", "hw-show.devices", "hw-show.disallowed",
		"hw-show.distances", "hw-show.memory_attributes",
		"run.communicators[].remote_parent", "run.trace[].remote_comm", "run-line:communicator.remote_parent", "run-line:step.remote_comm",
		"run.output[].left_out", "run-line:output.left_out"}
	nullable = regexp.MustCompile(`(\.(topology|context|op|parent|group|remote_group|resource|pset|call|comm|made_by|unused|deadlock|fix|` +
		`os_index|from|pus|distances\[\]\.name|(objects\[\]|target|from)\.(name|logical_index)|like|objects|property|only_a|only_b|numa_node|bus_id|vendor|model|sets|error|why|follows|cgroup|broken\[\]\.pu|files\[\]\.value|devices\[\]\.(bus|node|verdict)|` +
		`variables\.\*\[\]|variables\.\*\[\]\[\]|held\[\]|held\[\]\[\]|args\.\*\[\]|` +
		`findings\[\]\.(handle|step|rule)|faults\[\]\.(variable|ranks|expected|found)|sites\[\]\.(spans|after))|(run\.ranks\[\]|:rank)\.(host|cpuset)|(leaks\[\]|:leak)\.where|(stopped\[\]|:stopped)\.ranks|:end\.leaks)$`)
)

// mutant is a way to spoil one value of a document, and to mend it again.
type mutant struct {
	what  string
	spoil func() (mend func())
}

// spoiler goes through documents and spoils one value of each kind: a path without numbers.
type spoiler struct {
	t     *testing.T
	check func() error
	seen  map[string]bool
}

// try spoils a value, and wants the schema to see it.
func (s *spoiler) try(m mutant) {
	s.t.Helper()
	mend := m.spoil()
	if s.check() == nil {
		s.t.Errorf("the schema takes a document with %s", m.what)
	}
	mend()
}

// nested are the hardware objects below others, which have what all have.
var nested = regexp.MustCompile(`^hw-show\.(children|memory)\[\]`)

// value spoils v, which set replaces.
func (s *spoiler) value(path string, v any, set func(any)) {
	path = nested.ReplaceAllString(path, "hw-show")
	replaced := func(what string, by any) {
		s.try(mutant{path + " " + what, func() func() { set(by); return func() { set(v) } }})
	}
	if !s.seen[path] {
		s.seen[path] = true
		replaced("= 1.5", json.Number("1.5"))
		if !nullable.MatchString(path) {
			replaced("= null", nil)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		s.object(path, v)
	case []any:
		for i := range v {
			s.value(path+"[]", v[i], func(x any) { v[i] = x })
		}
	}
}

// object spoils the members of an object.
func (s *spoiler) object(path string, v map[string]any) {
	free := slices.Contains(maps, path[strings.LastIndexByte(path, '.')+1:])
	if !s.seen[path+"{}"] {
		s.seen[path+"{}"] = true
		s.try(mutant{path + ".unknown", func() func() { v["unknown"] = json.Number("1"); return func() { delete(v, "unknown") } }})
	}
	for name, member := range v {
		at := path + "." + name
		if free {
			at = path + ".*"
		} else if !s.seen[at] && !slices.Contains(optional, at) {
			s.try(mutant{"no " + at, func() func() { delete(v, name); return func() { v[name] = member } }})
		}
		s.value(at, member, func(x any) { v[name] = x })
	}
}

// compared is what confirm can say, of a library that nobody has.
const compared = `{"version": 1, "verdict": "difference", "library": "MPI 1.0", "ranks": 2, "constructors": 2, "handles": 1, "erroneous_calls": 0, "aspects": ["members", "names"],
 "findings": [
  {"kind": "known", "handle": "half", "ranks": "0-1", "step": 1, "call": "MPI_Comm_split", "where": "demo.py:2", "expected": "[1,0]", "found": "[0,1]",
   "deviations": [{"deviation": "negative-color", "step": 0, "call": "MPI_Comm_split", "where": "demo.py:2", "text": "no error",
                   "rule": "any color is good", "section": "MPI-5.0 §7.4.2", "source": "MPI 1.0"}], "rule": null, "follows": 2},
  {"kind": "free", "handle": null, "ranks": "1", "step": null, "call": null, "where": "", "expected": "MPI_ERR_ARG", "found": "no error",
   "deviations": [], "rule": "the library may find it or not [MPI-5.0 §9.3]", "follows": 0}],
 "not_compared": [{"what": ["node"], "why": "the hardware decides"}], "deadlock": "DEADLOCK on world"}`

// replayed is what replay can say, with a finding, a deadlock, and ranks that are placed otherwise.
const replayed = `{"version": 1, "verdict": "difference", "library": "MPI 1.0", "ranks": 2, "calls": 4, "communicators": 1, "compared": 1, "peak": 1,
 "peak_rank": 0, "missing": "1", "truncated": "0", "findings": [
  {"kind": "known", "handle": "half", "ranks": "0-1", "step": 1, "call": "MPI_Comm_split", "where": "demo.c:2", "expected": "[1,0]", "found": "[0,1]",
   "deviations": [{"deviation": "negative-color", "step": 0, "call": "MPI_Comm_split", "where": "demo.py:2", "text": "no error",
                   "rule": "any color is good", "section": "MPI-5.0 §7.4.2", "source": "MPI 1.0"}], "rule": null, "follows": 2},
  {"kind": "free", "handle": null, "ranks": "1", "step": null, "call": null, "where": "", "expected": "[0,1]", "found": "[1,0]",
   "deviations": [], "rule": "the library may order them [MPI-5.0 §8.5.1]", "follows": 0}],
 "crashed": "1", "killed": "", "deadlock": "DEADLOCK on world", "notes": ["not replayed: 1 call"], "sites": [
  {"place": "demo.c:2", "function": "main", "callers": ["setup, demo.c:9"], "also": ["demo.c:4"], "call": "MPI_Comm_split", "ranks": "0-1", "calls": 1, "communicators": 1, "made": 1, "left": 1, "peak": 1,
   "most": 0, "trend": "grows", "leaks": false, "every_ns": 0, "growth": [{"at_ns": 5, "alive": 1}], "smallest": 2, "largest": 2, "equal": 1, "parents": 0, "unused": 1, "took_ns": 5, "wait_ns": 3, "first": 0, "last": 1,
   "spans": {"hosts": [1, 1], "packages": [1, 1], "numa_nodes": [1, 1]}, "after": {"hosts": [2, 2], "packages": [2, 2], "numa_nodes": [2, 2]}},
  {"place": "demo.c:3", "function": "", "callers": [], "also": [], "call": "MPI_Comm_free", "ranks": "", "calls": 1, "communicators": 0, "made": 0, "left": 0, "peak": 0,
   "most": 0, "trend": "grows", "leaks": false, "every_ns": 0, "growth": [], "smallest": 0, "largest": 0, "equal": 0, "parents": 0, "unused": null, "took_ns": 5, "wait_ns": 3, "first": 0, "last": 1,
   "spans": null, "after": null}]}`

// A schema that takes anything is none: without any one property, with one more, with a value of
// another type or a null that is not allowed there, a document is refused. Every property that a schema
// names is spoiled.
func TestSchemasRefuseMutants(t *testing.T) {
	t.Parallel()
	s := &spoiler{t: t, seen: map[string]bool{}}
	spoil := func(name, path, text string) {
		doc := []any{parsed(t, text)}
		s.check = func() error { return schemas()[name].Validate(doc[0]) }
		if err := s.check(); err != nil {
			t.Fatal(err)
		}
		s.value(path, doc[0], func(x any) { doc[0] = x })
	}
	for _, d := range documents {
		if !slices.Contains(d.args, "frontier") { // which has nothing new, and much of it
			spoil(d.schema, d.schema, d.text(t))
		}
	}
	spoil("confirm", "confirm", compared)
	spoil("replay", "replay", replayed)
	for _, args := range runsOf {
		args = args[:len(args):len(args)]
		spoil("run", "run", run(t, "", append(args, "-o", "json")...).out)
		for line := range strings.Lines(run(t, "", append(args, "-o", "jsonl")...).out) {
			spoil("run-line", "run-line:"+parsed(t, line).(map[string]any)["type"].(string), line)
		}
	}
	flooded := func(form string) string {
		text := run(t, "", "-n", "1", "--topo", "core:1", "-o", form, "-c", "print(1)").out
		return strings.Replace(text, `"text": "1"`, `"text": "1", "left_out": 2`, 1)
	}
	spoil("run", "run", flooded("json"))
	for line := range strings.Lines(flooded("jsonl")) {
		spoil("run-line", "run-line:"+parsed(t, line).(map[string]any)["type"].(string), line)
	}
	for _, name := range schema.Names() {
		for _, path := range properties(t, name) {
			if !s.seen[path] {
				t.Errorf("no document has %s", path)
			}
		}
	}
}

// wrong are texts and numbers of the right type that mean nothing, by the properties of lines.
var wrong = map[string][]string{
	"world":        {`"std": "6.0"`, `"size": 0`, `"version": 2`, `"psets": {"a": [-1]}`},
	"rank":         {`"cpuset": "0-"`, `"cpuset": "1,,2"`, `"cpuset": "0x1"`, `"hw_info": {"Core": "true"}`, `"hw_info": {"hwloc://Core": "yes"}`},
	"communicator": {`"kind": "both"`, `"resource": "Core"`, `"op": "split"`, `"id": -1`, `"where": "demo.py:0"`},
	"step":         {`"ranks": ""`, `"ranks": "0 1"`, `"ranks": "01"`, `"step": 0`, `"args": {"color": [0, "a"]}`, `"args": {"color": []}`},
	"error":        {`"class": "MPI_ERR_NOSUCH"`, `"class": "MPI_SUCCESS"`, `"rule": "§7.4.2"`, `"rule": "MPI-5.0"`},
	"end":          {`"exit": 6`, `"steps": -1`},
	"deadlock":     {`"waiting": []`},
	"nothing":      {`"comm": 2`},
}

// The last of two properties of one name counts: a line with a wrong one behind the others is refused.
func TestSchemasRefuseWrongWords(t *testing.T) {
	t.Parallel()
	lines := map[string]string{"nothing": `{"type": "nothing"}`}
	for _, args := range runsOf {
		for line := range strings.Lines(run(t, "", append(args[:len(args):len(args)], "-o", "jsonl")...).out) {
			lines[parsed(t, line).(map[string]any)["type"].(string)] = strings.TrimSpace(line)
		}
	}
	for kind, list := range wrong {
		for _, property := range list {
			line := strings.TrimSuffix(lines[kind], "}") + ", " + property + "}"
			if schemas()["run-line"].Validate(parsed(t, line)) == nil {
				t.Errorf("the schema takes %s", line)
			}
		}
	}
}

// properties lists the paths of all properties that a schema names.
func properties(t *testing.T, name string) []string {
	root := parsed(t, schema.Text(name)).(map[string]any)
	var list []string
	var below func(path string, n map[string]any, within []string)
	below = func(path string, n map[string]any, within []string) {
		sub := func(path string, v any) {
			if n, ok := v.(map[string]any); ok {
				below(path, n, within)
			}
		}
		named, _ := n["properties"].(map[string]any)
		if kind, ok := named["type"].(map[string]any); ok && kind["const"] != nil {
			path = fmt.Sprintf("%s:%s", path, kind["const"])
		}
		if ref, ok := n["$ref"].(string); ok && !slices.Contains(within, ref) {
			def := root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")]
			below(path, def.(map[string]any), append(slices.Clone(within), ref))
		}
		for name, p := range named {
			list = append(list, path+"."+name)
			sub(path+"."+name, p)
		}
		sub(path+"[]", n["items"])
		for _, key := range []string{"oneOf", "anyOf"} {
			branches, _ := n[key].([]any)
			for _, b := range branches {
				sub(path, b)
			}
		}
	}
	below(name, root, nil)
	return list
}
