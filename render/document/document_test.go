package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
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
func document3(t testing.TB) *render.View {
	topo := worlds.Synthesized(t, "core:2 pu:1")
	s := newSession(t, topo, worlds.Place(t, topo, 3, placement.Policy{List: "0,1,0-1"}))
	s.Split("half", 7, func(r int) int {
		if r == 2 {
			return engine.Undefined
		}
		return r % 2
	}, func(r int) int { return -r })
	s.World.Submit(engine.RanksOf(0), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 8})
		p.Print("a \"quoted\" <line>\x01")
		return worlds.Local(p)["half"].Free()
	})
	s.World.Wait()
	s.World.Submit(engine.RanksOf(1, 2), func(p *engine.Process) error {
		p.At(engine.Site{File: "demo.py", Line: 9})
		return p.World().Barrier()
	})
	s.World.Wait()
	v := s.view()
	v.Placement.List = "0,1,0-1"
	v.Psets = []engine.Pset{{Name: "mpi://WORLD", Ranks: engine.AllRanks(3)}, {Name: "app://none"}}
	v.Handles = append(v.Handles, render.Handle{Name: "list", IDs: []int32{1, -1, 0}, Lists: map[int][]int32{1: {2, -1, 3}}})
	v.Expectations = render.Expectations{Passed: 1, Failed: 1, Failures: []render.Failure{{Where: "demo.py:9", Ranks: engine.RanksOf(2), Message: "no"}}}
	v.Errors = []*engine.Error{{Class: engine.ErrArg, Call: engine.CallSplit, Comm: -1, Ranks: engine.RanksOf(0, 1),
		Text: "bad", Got: "color -1", Rule: "MPI-5.0 §7.4.2"}}
	v.Deadlock = s.World.Deadlock(render.Called(v))
	return v
}

// MPI_COMM_SELF is among the communicators wherever a variable holds it: by itself, or in a list only.
func TestJSONSelf(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]render.Handle{
		"alone":     {Name: "own", IDs: []int32{1, -1, -1}},
		"in a list": {Name: "own", IDs: []int32{-1, -1, -1}, Lists: map[int][]int32{2: {-1, 1}}},
		"nowhere":   {Name: "own", IDs: []int32{0, -1, -1}, Lists: map[int][]int32{2: {-1, 0}}},
	} {
		topo := worlds.Synthesized(t, "core:3")
		v := newSession(t, topo, worlds.Place(t, topo, 3, placement.Policy{})).view()
		v.Handles = []render.Handle{h}
		var b bytes.Buffer
		if err := Run(&b, v); err != nil {
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
	v.Unfinished = []render.Unfinished{{What: "message", Ranks: engine.RanksOf(0), Call: engine.CallSend, Where: "demo.py:5", Message: "nobody received it"}}
	v.Deadlock.Message, v.Deadlock.Knots[0].Message = "DEADLOCK", "DEADLOCK"
	var b bytes.Buffer
	if err := Run(&b, v); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, decode(t, b.String())); d != "" {
		t.Error(d)
	}
	var again bytes.Buffer
	if err := Run(&again, v); err != nil || again.String() != b.String() {
		t.Error("the same view gave two documents")
	}
}

// A view in which nothing happened has empty lists, not nulls; MPI_COMM_SELF is not listed.
func TestJSONEmpty(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "core:1 pu:1")
	var b strings.Builder
	if err := Run(&b, newSession(t, topo, worlds.Place(t, topo, 1, placement.Policy{})).view()); err != nil {
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
	if err := Run(&b, (&session{worlds.Inter(t)}).view()); err != nil {
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
	if err := Topology(&b, worlds.Synthesized(t, "machine:2 [numa(memory=1GB)] l2:1(size=1MB) core:1 pu:1"), true); err != nil {
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
	if err := errors.Join(Topology(&b, top, true), Topology(&without, top, false)); err != nil {
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
	if err := Topology(&b, hybrid, true); err != nil {
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
		topo := worlds.Synthesized(t, text)
		var b strings.Builder
		if err := Map(&b, newSession(t, topo, worlds.Place(t, topo, 2, placement.Policy{})).view()); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(decode(t, want), decode(t, b.String())); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

// On the hardware of a job, ranks that nobody placed are where the job had them.
func TestJSONJob(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "core:2 pu:1")
	topo.Ranks = []*hw.Binding{{CPUSet: hw.SetOf(1)}}
	for policy, want := range map[placement.Policy]string{
		{}:               `"map_by": "job", "bind_to": "job"`,
		{MapBy: "core"}:  `"map_by": "core", "bind_to": "core"`,
		{BindTo: "none"}: `"map_by": "core", "bind_to": "none"`,
	} {
		v := newSession(t, topo, worlds.Place(t, topo, 1, policy)).view()
		v.Placement = policy
		var b strings.Builder
		if err := Run(&b, v); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%+v: %v, no %s", policy, err, want)
		}
	}
}

// The document has the notes under "as", and no such field when nobody asked.
func TestJSONAs(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "core:2 pu:1")
	v := newSession(t, topo, worlds.Place(t, topo, 2, placement.Policy{})).view()
	v.As = worlds.OfMPICH()
	v.As.Notes = v.As.Notes[1:]
	var b strings.Builder
	if err := Run(&b, v); err != nil {
		t.Fatal(err)
	}
	want := decode(t, `{"library": "mpich", "notes": [
 {"deviation": "a", "step": 2, "call": "MPI_Comm_dup", "where": "", "ranks": "1", "text": "the same again",
  "rule": "why it is so", "source": "MPICH 4.2"},
 {"deviation": "b", "step": 2, "call": null, "where": "demo.py:9", "ranks": "0", "text": "hangs",
  "rule": "a rule that is a good deal longer than a line of a page that has forty columns", "source": "all"}]}`)
	if d := cmp.Diff(want, decode(t, b.String()).(map[string]any)["as"]); d != "" {
		t.Error(d)
	}
	v.As = nil
	b.Reset()
	if err := Run(&b, v); err != nil {
		t.Fatal(err)
	}
	if _, ok := decode(t, b.String()).(map[string]any)["as"]; ok {
		t.Error("a document without a library has the field as")
	}
}

// The document is JSON, counts what is open, and has the sets of what each witness said.
func TestVerifyJSON(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := Verify(&b, worlds.Verified()); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Version, Findings         int
		Machine, Against, Follows string
		Types                     []struct {
			Type, Subtype string
			Count         int
			Sets          []string
		}
		Witnesses []struct {
			Name, State string
			Why         *string
			Notes       []string
			Verdicts    []struct {
				Type, Verdict string
				Count         int
				Sets          []string
				Why           *string
			}
		}
		Memory []struct {
			Witness         string
			Bytes, Expected int
			Verdict         string
		}
		Devices []struct {
			Kind, Name        string
			Bus, Verdict, Why *string
			Node              *int
		}
		Rules []struct {
			Rule, Says string
			Broken     []struct {
				PU    *int
				Files []struct {
					File  string
					Value *string
				}
			}
		}
		Pins []struct {
			PU    int
			Error *string
		}
		Notes []string
	}
	if err := json.Unmarshal([]byte(b.String()), &d); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	one, three, seven := d.Witnesses[0], d.Witnesses[2], d.Witnesses[8]
	if d.Version != 2 || d.Findings != 3 || d.Machine != "this" || d.Against != "sysfs" || d.Types[0].Sets[1] != "1" ||
		one.State != "answered" || one.Verdicts[0].Verdict != "explained" || one.Verdicts[0].Sets[0] != "0-1" ||
		*one.Verdicts[0].Why != "merges all" || three.State != "failed" || *three.Why != "it broke" ||
		d.Witnesses[3].State != "unable" || d.Witnesses[6].Verdicts[0].Verdict != "differs" ||
		seven.Verdicts[0].Sets != nil || seven.Verdicts[0].Count != 2 || d.Memory[0].Bytes != 3<<29 ||
		*d.Devices[0].Bus != "0000:c1:00.0" || *d.Devices[0].Node != 1 || *d.Devices[1].Verdict != "differs" || d.Devices[0].Why != nil ||
		d.Devices[2].Kind != "Block" || d.Devices[2].Node != nil || d.Devices[2].Bus != nil || d.Devices[2].Verdict != nil ||
		d.Rules[0].Says != "all is well" || d.Pins[0].Error != nil || *d.Pins[1].Error != "runs elsewhere" ||
		d.Notes[0] != "offline: PU 2" {
		t.Errorf("%+v", d)
	}
	b.Reset()
	if err := Verify(&b, worlds.Faulty()); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(b.String()), &d); err != nil {
		t.Fatal(err)
	}
	sharing, files := d.Rules[1].Broken[0], d.Rules[3].Broken
	if *sharing.PU != 0 || !strings.HasSuffix(sharing.Files[1].File, "cpu1/cache/index3/shared_cpu_map") || *sharing.Files[1].Value != "0-19" ||
		files[0].Files[0].Value != nil || files[2].PU != nil || !strings.HasPrefix(d.Follows, "2 types") {
		t.Errorf("%+v", d.Rules)
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// What cannot be written is an error, never silence.
func TestWriteErrors(t *testing.T) {
	t.Parallel()
	v := document3(t)
	for name, err := range map[string]error{
		"Run": Run(fullDisk{}, v), "Map": Map(fullDisk{}, v), "Topology": Topology(fullDisk{}, v.Snapshot.Topology, true),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The document grows with the ranks: ns/rank must be the same at both sizes.
func BenchmarkJSON(b *testing.B) {
	for name, n := range map[string]int{"4096": 4096, "65536": 65536} {
		b.Run(name, func(b *testing.B) {
			topo := worlds.Synthesized(b, "pack:4 core:64 pu:1")
			s := newSession(b, topo, worlds.Place(b, topo, n, placement.Policy{}))
			s.Split("c", 1, func(r int) int { return r % 2 }, worlds.Zero)
			v := s.view()
			for b.Loop() {
				if err := Run(io.Discard, v); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/rank")
		})
	}
}

// session is a world under test, of which there are views.
type session struct{ *worlds.Session }

func newSession(t testing.TB, topo *hw.Topology, b []*hw.Binding) *session {
	t.Helper()
	return &session{worlds.New(t, topo, b)}
}

// view is the world and its variables now.
func (s *session) view() *render.View {
	v := &render.View{Snapshot: s.Snapshot()}
	for _, x := range s.Variables {
		v.Handles = append(v.Handles, render.Handle{Name: x.Name, IDs: x.IDs})
	}
	return v
}
