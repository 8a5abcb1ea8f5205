package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/hw/preset"
)

func decode(t testing.TB, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

// document3 is three ranks on two cores of one host, with one of everything that a document has.
func document3(t testing.TB) *View {
	topo := synthesized(t, "core:2 pu:1")
	s := newSession(t, topo, place(t, topo, 3, placement.Policy{List: "0,1,0-1"}))
	s.split("half", 7, func(r int) int {
		if r == 2 {
			return engine.Undefined
		}
		return r % 2
	}, func(r int) int { return -r })
	s.world.Submit(engine.RanksOf(0), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 8})
		p.Print("a \"quoted\" <line>\x01")
		return local(p)["half"].Free()
	})
	s.world.Wait()
	s.world.Submit(engine.RanksOf(1, 2), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 9})
		return p.World().Barrier()
	})
	s.world.Wait()
	v := s.view()
	v.Placement.List = "0,1,0-1"
	v.Psets = []engine.Pset{{Name: "mpi://WORLD", Ranks: engine.AllRanks(3)}, {Name: "app://none"}}
	v.Handles = append(v.Handles, Handle{Name: "list", IDs: []int32{1, -1, 0}, Lists: map[int][]int32{1: {2, -1, 3}}})
	v.Expectations = Expectations{Passed: 1, Failed: 1, Failures: []Failure{{Where: "demo.py:9", Ranks: engine.RanksOf(2), Message: "no"}}}
	v.Errors = []*engine.Error{{Class: engine.ErrArg, Call: engine.CallSplit, Comm: -1, Ranks: engine.RanksOf(0, 1),
		Text: "bad", Got: "color -1", Rule: "MPI-5.0 §7.4.2"}}
	v.Deadlock = s.world.Deadlock(Called(v))
	return v
}

// MPI_COMM_SELF is among the communicators wherever a variable holds it: by itself, or in a list only.
func TestJSONSelf(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]Handle{
		"alone":     {Name: "own", IDs: []int32{1, -1, -1}},
		"in a list": {Name: "own", IDs: []int32{-1, -1, -1}, Lists: map[int][]int32{2: {-1, 1}}},
		"nowhere":   {Name: "own", IDs: []int32{0, -1, -1}, Lists: map[int][]int32{2: {-1, 0}}},
	} {
		topo := synthesized(t, "core:3")
		v := newSession(t, topo, place(t, topo, 3, placement.Policy{})).view()
		v.Handles = []Handle{h}
		var b bytes.Buffer
		if err := JSON(&b, v); err != nil {
			t.Fatal(err)
		}
		var doc struct{ Communicators []struct{ ID int } }
		if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		want := 2
		if name == "nowhere" {
			want = 1
		}
		if len(doc.Communicators) != want || doc.Communicators[want-1].ID != want-1 {
			t.Errorf("%s: communicators %v", name, doc.Communicators)
		}
	}
}

// The document has exactly these fields and values; all worked by hand from the calls above.
func TestJSON(t *testing.T) {
	t.Parallel()
	v := document3(t)
	want := decode(t, `{"version": 1,
 "world": {"size": 3, "topology": "core:2 pu:1", "map_by": "core", "bind_to": "user:0,1,0-1", "std": "5.0",
           "psets": {"mpi://WORLD": [0, 1, 2], "app://none": []}},
 "ranks": [
  {"rank": 0, "host": "node0", "cpuset": "0", "hw_info": {"hwloc://Machine": "true", "hwloc://NUMANode": "true", "hwloc://Core": "true", "hwloc://PU": "true"}},
  {"rank": 1, "host": "node0", "cpuset": "1", "hw_info": {"hwloc://Machine": "true", "hwloc://NUMANode": "true", "hwloc://Core": "true", "hwloc://PU": "true"}},
  {"rank": 2, "host": "node0", "cpuset": "0-1", "hw_info": {"hwloc://Machine": "true", "hwloc://NUMANode": "true", "hwloc://Core": "false", "hwloc://PU": "false"}}],
 "communicators": [
  {"id": 0, "context": 0, "name": "MPI_COMM_WORLD", "kind": "intra", "op": null, "parent": null, "group": [0, 1, 2], "remote_group": null, "resource": null, "pset": null, "freed": false, "where": ""},
  {"id": 1, "context": null, "name": "MPI_COMM_SELF", "kind": "intra", "op": null, "parent": null, "group": null, "remote_group": null, "resource": null, "pset": null, "freed": false, "where": ""},
  {"id": 2, "context": 1, "name": "", "kind": "intra", "op": "MPI_Comm_split", "parent": 0, "group": [0], "remote_group": null, "resource": null, "pset": null, "freed": true, "where": "demo.py:7"},
  {"id": 3, "context": 1, "name": "", "kind": "intra", "op": "MPI_Comm_split", "parent": 0, "group": [1], "remote_group": null, "resource": null, "pset": null, "freed": false, "where": "demo.py:7"}],
 "variables": {"half": [2, 3, null], "list": [1, [2, null, 3], 0]},
 "output": [{"ranks": "0", "text": "a \"quoted\" <line>\u0001"}],
 "expectations": {"passed": 1, "failed": 1, "failures": [{"where": "demo.py:9", "ranks": "2", "message": "no"}]},
 "errors": [{"class": "MPI_ERR_ARG", "call": "MPI_Comm_split", "comm": null, "ranks": "0-1", "where": "", "message": "bad: color -1", "rule": "MPI-5.0 §7.4.2"}],
 "deadlock": {"waiting": [{"ranks": "1-2", "call": "MPI_Barrier", "comm": 0, "where": "demo.py:9"}], "message": "DEADLOCK",
              "knots": [{"ranks": "1-2", "comm": 0, "message": "DEADLOCK", "rule": "All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1].",
                         "fix": "let rank 0 call MPI_Barrier too."}]},
 "trace": [
  {"step": 1, "call": "MPI_Comm_split", "comm": 0, "ranks": "0-2", "args": {"color": [0, 1, null], "key": [0, -1, -2]}, "made": [2, 3], "where": "demo.py:7"},
  {"step": 2, "call": "MPI_Comm_free", "comm": 2, "ranks": "0", "args": {}, "made": [], "where": "demo.py:8"}],
 "unfinished": [{"what": "message", "ranks": "0", "call": "MPI_Send", "where": "demo.py:5", "message": "nobody received it"}]}`)
	v.Unfinished = []Unfinished{{"message", engine.RanksOf(0), engine.CallSend, "demo.py:5", "nobody received it"}}
	v.Deadlock.Message, v.Deadlock.Knots[0].Message = "DEADLOCK", "DEADLOCK"
	var b bytes.Buffer
	if err := JSON(&b, v); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, decode(t, b.String())); d != "" {
		t.Error(d)
	}
	var again bytes.Buffer
	if err := JSON(&again, v); err != nil || again.String() != b.String() {
		t.Error("the same view gave two documents")
	}
}

// A view in which nothing happened has empty lists, not nulls; MPI_COMM_SELF is not listed.
func TestJSONEmpty(t *testing.T) {
	t.Parallel()
	topo := synthesized(t, "core:1 pu:1")
	var b strings.Builder
	if err := JSON(&b, newSession(t, topo, place(t, topo, 1, placement.Policy{})).view()); err != nil {
		t.Fatal(err)
	}
	doc := decode(t, b.String()).(map[string]any)
	want := map[string]any{"variables": map[string]any{}, "output": []any{}, "errors": []any{}, "trace": []any{}, "deadlock": nil}
	for k, w := range want {
		if d := cmp.Diff(w, doc[k]); d != "" {
			t.Errorf("%s: %s", k, d)
		}
	}
	if n := len(doc["communicators"].([]any)); n != 1 {
		t.Errorf("%d communicators", n)
	}
}

// An intercommunicator has its left group in group and its right one in remote_group.
func TestJSONInter(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := JSON(&b, interView(t)); err != nil {
		t.Fatal(err)
	}
	c := decode(t, b.String()).(map[string]any)["communicators"].([]any)[1].(map[string]any)
	want := map[string]any{"kind": "inter", "group": []any{4.0, 0.0}, "remote_group": []any{1.0, 2.0, 3.0}}
	for k, w := range want {
		if d := cmp.Diff(w, c[k]); d != "" {
			t.Errorf("%s: %s", k, d)
		}
	}
}

// Objects have hwloc's type names, name and bytes where these are known, null for an os index that nobody knows, memory apart from
// children, and our own levels by their name.
func TestTopologyJSON(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := TopologyJSON(&b, synthesized(t, "machine:2 [numa(memory=1GB)] l2:1(size=1MB) core:1 pu:1"), true); err != nil {
		t.Fatal(err)
	}
	host := func(i string) string {
		at := `, "logical_index": ` + i + `, "cpuset": "0", "nodeset": "0"`
		return `{"type": "Machine", "subtype": "", "os_index": 0, "name": "node` + i + `", "devices": [], "memory": [], "children": [
  {"type": "L2Cache", "subtype": "", "os_index": null, "bytes": 1000000, "memory": [
   {"type": "NUMANode", "subtype": "", "os_index": 0, "bytes": 1000000000, "memory": [], "children": []` + at + `}], "children": [
   {"type": "Core", "subtype": "", "os_index": 0, "memory": [], "children": [
    {"type": "PU", "subtype": "", "os_index": 0, "memory": [], "children": []` + at + `}]` + at + `}]` + at + `}]` + at + `}`
	}
	got := decode(t, b.String())
	for _, c := range got.(map[string]any)["children"].([]any) {
		c.(map[string]any)["os_index"] = 0.0 // of a host: whatever the topology says
	}
	want := decode(t, `{"type": "Cluster", "subtype": "", "logical_index": 0, "os_index": null, "cpuset": "", "nodeset": "",
  "memory": [], "children": [`+host("0")+`,`+host("1")+`]}`)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Devices known by a name stand at what they hang below, with the PCI device that they are on and the NUMA
// node of the PUs near to them; nowhere when nobody asked. Cores tell their kind where there are several.
func TestTopologyJSONDevices(t *testing.T) {
	t.Parallel()
	top, _ := preset.Lookup("dgx-a100")
	var b, without strings.Builder
	if err := errors.Join(TopologyJSON(&b, top, true), TopologyJSON(&without, top, false)); err != nil {
		t.Fatal(err)
	}
	want := `{"type": "GPU", "subtype": "", "name": "nvml2", "bus_id": "0000:47:00.0", "vendor": "NVIDIA", "model": "A100-SXM4-40GB", "numa_node": 1}`
	card := `{"type": "OpenFabrics", "subtype": "", "name": "mlx5_2", "bus_id": null, "vendor": "NVIDIA Mellanox", "model": "ConnectX-6 200 Gb/s", "numa_node": 1}`
	for _, line := range []string{want, card} {
		if strings.Count(b.String(), line) != 1 {
			t.Errorf("%s is not there once", line)
		}
	}
	if strings.Contains(without.String(), "devices") {
		t.Error("devices that nobody asked for")
	}
	hybrid, _ := preset.Lookup("laptop-hybrid")
	b.Reset()
	if err := TopologyJSON(&b, hybrid, true); err != nil {
		t.Fatal(err)
	}
	if n, m := strings.Count(b.String(), `"type": "Core", "subtype": ""`), strings.Count(b.String(), `"kind": "IntelAtom"`); n != 14 || m != 2+8+8+8+8 {
		t.Errorf("%d cores, and %d objects of 8 small ones, with their 2 L2, L1d, L1i and PUs", n, m)
	}
}

// A map names the PUs of each rank, and the host where PUs alone would not tell.
func TestMapJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"core:2 pu:2":           `[{"rank": 0, "cpuset": "0-1"}, {"rank": 1, "cpuset": "2-3"}]`,
		"machine:2 core:1 pu:2": `[{"rank": 0, "host": "node0", "cpuset": "0-1"}, {"rank": 1, "host": "node1", "cpuset": "0-1"}]`,
	} {
		topo := synthesized(t, text)
		var b strings.Builder
		if err := MapJSON(&b, newSession(t, topo, place(t, topo, 2, placement.Policy{})).view()); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(decode(t, want), decode(t, b.String())); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// What cannot be written is an error, never silence.
func TestWriteErrors(t *testing.T) {
	t.Parallel()
	v := document3(t)
	st := Style{Width: 80}
	for name, err := range map[string]error{
		"JSON": JSON(fullDisk{}, v), "MapJSON": MapJSON(fullDisk{}, v), "TopologyJSON": TopologyJSON(fullDisk{}, v.Snapshot.Topology, true),
		"Tree": Tree(fullDisk{}, v, st), "Table": Table(fullDisk{}, v, st), "Result": Result(fullDisk{}, v, &v.Handles[0], "x", st),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// On the hardware of a job, ranks that nobody placed are where the job had them.
func TestJSONJob(t *testing.T) {
	t.Parallel()
	topo := synthesized(t, "core:2 pu:1")
	topo.Ranks = []*hw.Binding{{CPUSet: hw.SetOf(1)}}
	for policy, want := range map[placement.Policy]string{
		{}:               `"map_by": "job", "bind_to": "job"`,
		{MapBy: "core"}:  `"map_by": "core", "bind_to": "core"`,
		{BindTo: "none"}: `"map_by": "core", "bind_to": "none"`,
	} {
		v := newSession(t, topo, place(t, topo, 1, policy)).view()
		v.Placement = policy
		var b strings.Builder
		if err := JSON(&b, v); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%+v: %v, no %s", policy, err, want)
		}
	}
}
