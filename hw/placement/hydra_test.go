package placement_test

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// hydra asks MPICH's launcher where it would bind n processes of an XML's
// machine: a bit for each PU, by os index. On a busy machine the launcher
// sometimes ends before its proxy has reported all; then it is asked again.
func hydra(t *testing.T, xml string, n int, mapBy, bindTo string) string {
	t.Helper()
	launcher := judge.Ask(t, "mpiexec.hydra")
	var out []byte
	for range 10 {
		c := exec.Command(launcher, "-n", strconv.Itoa(n), "-bind-to", bindTo, "-map-by", mapBy, "true")
		c.Env = append(os.Environ(), "HWLOC_XMLFILE="+xml, "HYDRA_TOPO_DEBUG=1")
		out, _ = c.CombinedOutput() // an error is expected: nothing can be bound on a machine that does not exist
		if ranks := hydraSaid(string(out), n); !slices.Contains(ranks, "") {
			return strings.Join(ranks, " ")
		}
	}
	t.Fatalf("mpiexec.hydra does not say where it binds %d processes: %s", n, out)
	return ""
}

// hydraSaid reads the PUs of each of n processes; "" for a process that is not
// reported.
func hydraSaid(out string, n int) []string {
	ranks := make([]string, n)
	for line := range strings.Lines(out) {
		who, bits, ok := strings.Cut(line, " binding: ")
		rank, err := strconv.Atoi(strings.TrimPrefix(who, "process "))
		if !ok || err != nil || rank >= n {
			continue
		}
		var set hw.Set
		for i, b := range strings.TrimSpace(bits) {
			if b == '1' {
				set.Add(i)
			}
		}
		ranks[rank] = set.String()
	}
	return ranks
}

// Where MPICH decides, it places ranks as we do: it also goes round the objects
// of one host, and binds to the objects below them in turn.
func TestPlaceLikeHydra(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "mpiexec.hydra")
	tops := machines(t)
	for _, c := range []struct {
		topo          string
		n             int
		mapBy, bindTo string
	}{
		{"smt", 8, "core", "core"}, {"smt", 20, "core", "core"}, {"smt", 6, "socket", "core"},
		{"smt", 9, "l3cache", "hwthread"}, {"smt", 7, "numa", "l3cache"}, {"smt", 5, "hwthread", "core"},
		{"figure-7.3", 12, "core", "core"}, {"figure-7.3", 12, "socket", "core"}, {"figure-7.3", 7, "numa", "socket"},
		{"epyc", 30, "l3cache", "core"}, {"epyc", 10, "socket", "hwthread"},
	} {
		top := tops[c.topo+" 1"]
		if top == nil {
			continue
		}
		want := hydra(t, recorded(t, xmls[c.topo]), c.n, c.mapBy, c.bindTo)
		p := placement.Policy{MapBy: c.mapBy, BindTo: c.bindTo + ":overload-allowed"}
		ranks, err := placement.Place(top, c.n, p)
		if got := cpusets(top, ranks); got != want || err != nil {
			t.Errorf("%s, -n %d %v:\n got %s (%v)\nwant %s", c.topo, c.n, p, got, err, want)
		}
	}
}
