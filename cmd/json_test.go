package cmd_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/cmd"
)

// A whole document, worked by hand from the rules of MPI: order by key, MPI_UNDEFINED (null),
// context ids that disjoint communicators share, a duplicate that is freed.
func TestJSONWhole(t *testing.T) {
	t.Parallel()
	r := run(t, "", "-n", "4", "--topo", "pack:2 core:2 pu:2", "--pset", "app://a=1,3", "-o", "json",
		"-c", "half = split world color=(rank%2 if rank<3 else UNDEFINED) key=-rank",
		"-c", `print("r%d" % (world.rank//2))`,
		"-c", "expect_parts half [[2,0],[1]]",
		"-c", "lib = dup half", "-c", "free lib")
	if r.code != cmd.OK || r.err != "" {
		t.Fatalf("code %d, error %q", r.code, r.err)
	}
	hwInfo := map[string]string{
		"hwloc://Machine": "true", "hwloc://NUMANode": "true", "hwloc://Package": "true",
		"hwloc://Core": "true", "hwloc://PU": "false", // a core has two
	}
	split, dup := ptr("MPI_Comm_split"), ptr("MPI_Comm_dup")
	want := &document{
		Version: 1,
		World: worldDoc{
			Size: 4, Topology: "pack:2 core:2 pu:2", MapBy: "core", BindTo: "core", Std: "5.0",
			Psets: map[string][]int{"mpi://WORLD": {0, 1, 2, 3}, "app://a": {1, 3}},
		},
		Ranks: []rankDoc{{0, "node0", "0-1", hwInfo}, {1, "node0", "2-3", hwInfo}, {2, "node0", "4-5", hwInfo}, {3, "node0", "6-7", hwInfo}},
		Communicators: []commDoc{
			{ID: 0, Context: 0, Name: "MPI_COMM_WORLD", Kind: "intra", Group: []int{0, 1, 2, 3}},
			{ID: 2, Context: 1, Kind: "intra", Op: split, Parent: ptr(0), Group: []int{2, 0}, Where: line(1)},
			{ID: 3, Context: 1, Kind: "intra", Op: split, Parent: ptr(0), Group: []int{1}, Where: line(1)},
			{ID: 4, Context: 2, Kind: "intra", Op: dup, Parent: ptr(2), Group: []int{2, 0}, Freed: true, Where: line(4)},
			{ID: 5, Context: 2, Kind: "intra", Op: dup, Parent: ptr(3), Group: []int{1}, Freed: true, Where: line(4)},
		},
		Variables:    map[string][]any{"half": {2., 3., 2., nil}, "lib": {nil, nil, nil, nil}},
		Output:       []outputDoc{{"0-1", "r0"}, {"2-3", "r1"}},
		Expectations: expectationsDoc{Passed: 1, Failures: []failureDoc{}},
		Errors:       []errorDoc{},
		Trace: []stepDoc{
			{1, "MPI_Comm_split", ptr(0), 0, "0-3", map[string][]any{"color": {0., 1., 0., nil}, "key": {0., -1., -2., -3.}}, []int{2, 3}, line(1)},
			{2, "MPI_Comm_dup", ptr(2), 0, "0,2", map[string][]any{}, []int{4}, line(4)},
			{3, "MPI_Comm_dup", ptr(3), 0, "1", map[string][]any{}, []int{5}, line(4)},
			{4, "MPI_Comm_free", ptr(4), 0, "0,2", map[string][]any{}, []int{}, line(5)},
			{5, "MPI_Comm_free", ptr(5), 0, "1", map[string][]any{}, []int{}, line(5)},
		},
		Unfinished: []unfinishedDoc{},
	}
	if d := cmp.Diff(want, decode(t, r.out)); d != "" {
		t.Errorf("document (-want +got):\n%s", d)
	}
}

// A guided split has its resource in the document, and ranks on hosts have their host; a rank that
// may use both packages of its host is restricted to neither.
func TestJSONHardware(t *testing.T) {
	t.Parallel()
	r := run(t, "", "split-type", "world", "HW_GUIDED", `resource="hwloc://Package"`, "key=-rank", "-o", "json",
		"-n", "6", "--topo", "machine:2 pack:2 core:1", "--bind", "0,0-1,0")
	if r.code != cmd.OK {
		t.Fatalf("code %d, error %q", r.code, r.err)
	}
	doc := decode(t, r.out)
	// The list is for one host: ranks 0 to 2 are on node0, 3 to 5 on node1. The first and the last
	// rank of each host are on its first package, in order of the key.
	want := []commDoc{{
		ID: 2, Context: 1, Kind: "intra", Op: ptr("MPI_Comm_split_type"), Parent: ptr(0), Group: []int{2, 0},
		Resource: ptr("hwloc://Package"), Where: line(1),
	}, {
		ID: 3, Context: 1, Kind: "intra", Op: ptr("MPI_Comm_split_type"), Parent: ptr(0), Group: []int{5, 3},
		Resource: ptr("hwloc://Package"), Where: line(1),
	}}
	if d := cmp.Diff(want, doc.Communicators[1:]); d != "" {
		t.Errorf("communicators (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string][]any{"split_type1": {2., nil, 2., 3., nil, 3.}}, doc.Variables); d != "" {
		t.Errorf("variables (-want +got):\n%s", d)
	}
	var hosts, packages []string
	for _, r := range doc.Ranks {
		hosts = append(hosts, r.Host)
		packages = append(packages, r.HWInfo["hwloc://Package"])
	}
	if d := cmp.Diff([]string{"node0", "node0", "node0", "node1", "node1", "node1"}, hosts); d != "" {
		t.Errorf("hosts (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"true", "false", "true", "true", "false", "true"}, packages); d != "" {
		t.Errorf("restricted to a package (-want +got):\n%s", d)
	}
}

// A failure is in the document, with everything that happened before, and the command ends with its
// code.
func TestJSONFailures(t *testing.T) {
	t.Parallel()
	world := []string{"-n", "4", "--topo", "core:4", "-o", "json", "-c", "x = dup world"}
	for _, c := range []struct {
		name  string
		lines []string
		code  cmd.Code
		check func(*testing.T, *document)
	}{
		{"expectation", []string{`expect world.rank!=2 "not two"`, `expect True "yes"`}, cmd.Unmet, func(t *testing.T, d *document) {
			e := d.Expectations
			if e.Passed != 1 || e.Failed != 1 || len(e.Failures) != 1 {
				t.Fatalf("%+v", e)
			}
			f := e.Failures[0]
			if f.Where != line(2) || f.Ranks != "2" || !strings.Contains(f.Message, "not two") {
				t.Errorf("%+v", f)
			}
		}},
		{"error", []string{"split x color=(-3 if rank==1 else 0)"}, cmd.Erroneous, func(t *testing.T, d *document) {
			if len(d.Errors) != 1 {
				t.Fatalf("%+v", d.Errors)
			}
			e := d.Errors[0]
			if !strings.Contains(e.Message, "-3") {
				t.Errorf("message %q does not say the color", e.Message)
			}
			e.Message = ""
			want := errorDoc{Class: "MPI_ERR_ARG", Call: "MPI_Comm_split", Comm: ptr(2), Ranks: "1", Where: line(2), Rule: "MPI-5.0 §7.4.2"}
			if diff := cmp.Diff(want, e); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		}},
		{"deadlock", []string{"@0,3 barrier x", "@1 y = split x color=0"}, cmd.Deadlock, func(t *testing.T, d *document) {
			want := []waitDoc{{"0,3", "MPI_Barrier", ptr(2), line(2)}, {"1", "MPI_Comm_split", ptr(2), line(3)}}
			if d.Deadlock == nil {
				t.Fatal("no deadlock")
			}
			if diff := cmp.Diff(want, d.Deadlock.Waiting); diff != "" {
				t.Errorf("waiting (-want +got):\n%s", diff)
			}
		}},
		{"program", []string{`print("so far")`, "y = 1 // (world.rank - 3)"}, cmd.Usage, func(t *testing.T, d *document) {
			if diff := cmp.Diff([]outputDoc{{"0-3", "so far"}}, d.Output); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]stopDoc{{line(3) + ":7", ptr("3"), "floored division by zero"}}, d.Stopped); diff != "" {
				t.Errorf("stopped (-want +got):\n%s", diff)
			}
		}},
		{"line", []string{"split x colour=0"}, cmd.Usage, func(t *testing.T, d *document) {
			if len(d.Stopped) != 1 || d.Stopped[0].Where != line(2)+":9" || d.Stopped[0].Ranks != nil || !strings.Contains(d.Stopped[0].Message, "colour") {
				t.Errorf("%+v", d.Stopped)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			args := world
			for _, l := range c.lines {
				args = append(args[:len(args):len(args)], "-c", l)
			}
			r := run(t, "", args...)
			if r.code != c.code || r.err == "" {
				t.Errorf("code %d, error %q; want code %d and a diagnosis", r.code, r.err, c.code)
			}
			doc := decode(t, r.out)
			if got := doc.Variables["x"]; !cmp.Equal(got, []any{2., 2., 2., 2.}) {
				t.Errorf("x is %v: what came before the failure is missing", got)
			}
			c.check(t, doc)
		})
	}
}

// The document is the same every time, byte for byte.
func TestJSONDeterministic(t *testing.T) {
	t.Parallel()
	args := []string{"run", "example-7.5", "-o", "json"}
	first := run(t, "", args...)
	for range 5 {
		if r := run(t, "", args...); r != first {
			t.Fatalf("differs:\n%s", cmp.Diff(first.out, r.out))
		}
	}
}

// When ranks print too much, the JSON has the last part of the output, and before it how much was
// left out; the end of the lines counts all.
func TestFloodInJSON(t *testing.T) {
	t.Parallel()
	const lines = 210_000
	program := fmt.Sprintf("for i in range(%d): print(i)\n", lines)
	var d struct {
		Output []struct {
			Text    string
			LeftOut int `json:"left_out"`
		}
	}
	whole := run(t, program, "run", "-", "-n", "1", "--topo", "core:1", "-o", "json")
	if err := json.Unmarshal([]byte(whole.out), &d); err != nil {
		t.Fatal(err)
	}
	n := len(d.Output)
	if n != 100_000 || d.Output[0].LeftOut != lines-n || d.Output[0].Text != strconv.Itoa(lines-n) || d.Output[1].LeftOut != 0 || d.Output[n-1].Text != strconv.Itoa(lines-1) {
		t.Errorf("%d lines, from %+v to %+v", n, d.Output[0], d.Output[n-1])
	}
	text := run(t, program, "run", "-", "-n", "1", "--topo", "core:1", "-o", "jsonl").out
	if k := strings.Count(text, `{"type": "output"`); k != n || !strings.Contains(text, fmt.Sprintf(`"left_out": %d}`, lines-n)) || !strings.Contains(text, fmt.Sprintf(`"output": %d,`, lines)) {
		t.Errorf("%d lines of JSON are output; the last one is %s", k, text[strings.LastIndexByte(text[:len(text)-1], '\n')+1:])
	}
}
