package probe_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// bound returns the PUs of each rank in the session of a job, with blanks between ranks.
func bound(t *testing.T, top *hw.Topology) string {
	t.Helper()
	plan, err := placement.New(top, 0, placement.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	ranks, err := plan.Place()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, r := range ranks {
		list = append(list, r.CPUSet.String())
	}
	return strings.Join(list, " ")
}

// reported matches a line of --report-bindings: a rank, and where Open MPI bound the rank, if at all.
var reported = regexp.MustCompile(`MCW rank (\d+) (?:bound to .*: (\[.*\])|is not bound)`)

// openMPISaid translates the output of --report-bindings into the form of bound.
func openMPISaid(top *hw.Topology, out string, n int) string {
	pus := top.ResourceOf(hw.PU).Instances
	list := make([]string, n)
	for _, m := range reported.FindAllStringSubmatch(out, -1) {
		rank, _ := strconv.Atoi(m[1])
		set, at := hw.Set{}, 0
		for _, sign := range m[2] {
			if sign == 'B' {
				set.Add(pus[at].OSIndex)
			}
			if sign == 'B' || sign == '.' {
				at++
			}
		}
		if set.Empty() {
			set = top.Hosts[0].CPUSet
		}
		list[rank] = set.String()
	}
	return strings.Join(list, " ")
}

// A job's ranks are where Open MPI reports that it bound them, with the hardware from hwloc or from /proc and
// /sys.
func TestBindingsOpenMPI(t *testing.T) {
	t.Parallel()
	binary := openMPI.build(t, "")
	for i, c := range []struct {
		n    int
		args string
	}{
		{2, "--bind-to core"}, {2, "--bind-to none"}, {1, "--bind-to hwthread"},
		{4, "--bind-to core:overload-allowed --map-by core"}, {3, "--map-by socket --bind-to socket:overload-allowed"},
		{2, "--map-by hwthread --bind-to hwthread --use-hwthread-cpus"},
	} {
		args := append(strings.Fields(c.args), "--report-bindings", "-n", strconv.Itoa(c.n))
		top, out := openMPI.probed(t, append(args, sources(binary)[i%2]...)...)
		if got, want := bound(t, top), openMPISaid(top, out, c.n); got != want {
			t.Errorf("-n %d %s: got %s, want %s\n%s", c.n, c.args, got, want, out)
		}
	}
}

// hydraSaid translates Hydra's report, a bit for each PU by os index, into the form of bound; Hydra reports
// nothing for a rank that it does not bind.
func hydraSaid(top *hw.Topology, out string, n int) string {
	list := make([]string, n)
	for rank := range list {
		set := top.Hosts[0].CPUSet
		if _, bits, ok := strings.Cut(out, "process "+strconv.Itoa(rank)+" binding: "); ok {
			set = hw.Set{}
			bits, _, _ = strings.Cut(bits, "\n")
			for i, b := range strings.TrimSpace(bits) {
				if b == '1' {
					set.Add(i)
				}
			}
		}
		list[rank] = set.String()
	}
	return strings.Join(list, " ")
}

// A job's ranks are where Hydra reports that it bound them.
func TestBindingsHydra(t *testing.T) {
	t.Parallel()
	binary := hydra.build(t, "")
	for i, c := range []struct {
		n    int
		args string
	}{
		{1, "-bind-to core"}, {2, "-bind-to none"}, {3, "-bind-to hwthread"}, {4, "-bind-to core -map-by core"},
		{2, "-bind-to socket"}, {4, "-bind-to user:0"},
	} {
		args := append(strings.Fields(c.args), "-n", strconv.Itoa(c.n))
		top, out := hydra.probed(t, append(args, sources(binary)[i%2]...)...)
		if got, want := bound(t, top), hydraSaid(top, out, c.n); got != want {
			t.Errorf("-n %d %s: got %s, want %s\n%s", c.n, c.args, got, want, out)
		}
	}
}
