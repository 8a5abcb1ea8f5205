package placement_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
)

// question is a line of the recorded table: a question to mpirun, and its
// answer.
type question struct {
	topo, mapBy, rankBy, bindTo string
	hosts, n                    int
	answer                      string
}

func (q question) String() string {
	return fmt.Sprintf("%s x %d, -n %d --map-by %s --rank-by %s --bind-to %s", q.topo, q.hosts, q.n,
		q.mapBy, q.rankBy, q.bindTo)
}

// policy returns the policy that asks us the same.
func (q question) policy() placement.Policy {
	word := func(s string) string { return strings.TrimPrefix(s, "-") }
	return placement.Policy{MapBy: word(q.mapBy), RankBy: word(q.rankBy), BindTo: word(q.bindTo)}
}

// questions reads the recorded table.
func questions(t testing.TB) []question {
	t.Helper()
	text, err := os.ReadFile("testdata/openmpi-4.1.4.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []question
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		asked, answer, _ := strings.Cut(line, " = ")
		f := strings.Fields(asked)
		if len(f) != 6 {
			t.Fatalf("line %q", line)
		}
		hosts, _ := strconv.Atoi(f[1])
		n, _ := strconv.Atoi(f[2])
		list = append(list, question{f[0], f[3], f[4], f[5], hosts, n, answer})
	}
	return list
}

// machines returns the topologies of the table by name and number of hosts,
// without those that are not recorded here.
func machines(t testing.TB) map[string]*hw.Topology {
	const smt = "pack:2 [numa] l3:2 core:4 pu:2(indexes=2*16:1*2)"
	tops := map[string]*hw.Topology{
		"smt 1": topology(t, smt), "smt 2": topology(t, "machine:2 "+smt), "smt 3": topology(t, "machine:3 "+smt),
		"figure-7.3 1": topology(t, "figure-7.3"),
	}
	for name, file := range files {
		path := recordedPath(file)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		top, err := source.Load(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		tops[name+" 1"] = top
	}
	return tops
}

// files are the recorded machines of the table.
var files = map[string]string{
	"raptor": "xml/Intel-RaptorLake-Corei7-1370P.xml", "epyc": "xml/AMD-19h-Zen4-2xEpyc-9654.xml",
}

// ours returns our answer in the form of the table.
func ours(top *hw.Topology, q question) string {
	ranks, err := placement.Place(top, q.n, q.policy())
	if err != nil {
		return "! " + err.Error()
	}
	var parts []string
	for _, b := range ranks {
		s := b.CPUSet.String()
		if b.CPUSet.Equal(top.Hosts[b.Host].CPUSet) {
			s = "none"
		}
		if q.hosts > 1 {
			s = strconv.Itoa(b.Host) + ":" + s
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

// refusals are words of our errors for each refusal of mpirun.
var refusals = map[string]string{
	"overload": "would result in binding more processes than cpus",
	"slots":    "not enough slots available",
	"ppr":      "more than the ppr",
	"too-low":  "multiple cpus per process was given, but",
	"mismatch": "leave it out",
	"no-level": "level here; there are",
}

// quirk returns the reason why we do not follow Open MPI 4.1.4 in a case, ""
// where we do.
func quirk(q question, got string) string {
	refused := strings.HasPrefix(got, "! ")
	switch {
	case strings.Contains(got, refusals["no-level"]):
		return "it maps by slot, or to no object, where the level is missing"
	case q.answer == "! no-cpus" && refused:
		return "it finds out only when the CPUs are used up"
	case strings.Contains(q.mapBy, "span") && !refused && sorted(got) == sorted(q.answer):
		return "the same places, but it numbers them neither by object nor by host"
	case q.hosts > 1 && strings.HasPrefix(q.mapBy, "core") && withoutNone(got, q.answer):
		return "it leaves the binding on other hosts to the daemons there, and does not show it"
	}
	return ""
}

func sorted(text string) string {
	words := strings.Fields(text)
	slices.Sort(words)
	return strings.Join(words, " ")
}

// withoutNone reports whether got equals want for all ranks that want binds.
func withoutNone(got, want string) bool {
	g, w := strings.Fields(got), strings.Fields(want)
	for i := range w {
		if len(g) != len(w) || g[i] != w[i] && (!strings.HasSuffix(w[i], ":none") || g[i][:2] != w[i][:2]) {
			return false
		}
	}
	return true
}

// Our placement is that of Open MPI 4.1.4, except for its quirks.
func TestPlaceAsRecorded(t *testing.T) {
	t.Parallel()
	tops := machines(t)
	equal, quirks := 0, map[string]int{}
	for _, q := range questions(t) {
		top := tops[fmt.Sprintf("%s %d", q.topo, q.hosts)]
		if top == nil {
			continue
		}
		got := ours(top, q)
		refusal, refused := strings.CutPrefix(q.answer, "! ")
		if got == q.answer || refused && refusals[refusal] != "" && strings.Contains(got, refusals[refusal]) {
			equal++
		} else if why := quirk(q, got); why != "" {
			quirks[why]++
		} else {
			t.Errorf("%v:\n got %s\nwant %s", q, got, q.answer)
		}
	}
	if equal < 400 {
		t.Errorf("%d equal cases: the table or the machines are lost", equal)
	}
	for why, n := range quirks {
		t.Logf("%d of Open MPI differ: %s", n, why)
	}
	t.Logf("%d equal", equal)
}
