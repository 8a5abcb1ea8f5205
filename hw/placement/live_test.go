package placement_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// xmls are the machines of the recorded table as hwloc XML.
var xmls = map[string]string{
	"smt": "mapping/smt-2s4l3.xml", "figure-7.3": "xml/figure-7.3.xml",
	"raptor": files["raptor"], "epyc": files["epyc"],
}

// process matches a line of mpirun's map: a rank and the picture of its
// binding.
var process = regexp.MustCompile(`Process rank: (\d+) Bound: .*?(?::(\[.*\])|N/A)\s*$`)

// mpirun asks Open MPI 4.1 for a map of an XML's machine, and returns it in the
// form of the table.
func mpirun(t *testing.T, top *hw.Topology, xml string, hosts int, args ...string) string {
	t.Helper()
	c := exec.Command(judge.Ask(t, "mpirun.openmpi"), append(append([]string{"--display-map"}, args...), "true")...)
	c.Env = append(os.Environ(), "HWLOC_XMLFILE="+xml, "HWLOC_THISSYSTEM=1",
		"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	out, _ := c.CombinedOutput() // an error is expected: nothing can be bound on a machine that does not exist
	pus := top.ResourceOf(hw.PU).Instances
	host, ranks := -1, map[int]string{}
	for _, line := range strings.Split(string(out), "\n") {
		if strings.Contains(line, "Data for node:") {
			host++
		}
		m := process.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var set hw.Set
		at := 0
		for _, r := range m[2] {
			switch r {
			case 'B':
				set.Add(pus[at].OSIndex)
				fallthrough
			case '.':
				at++
			}
		}
		text := set.String()
		if set.Empty() {
			text = "none"
		}
		if hosts > 1 {
			text = strconv.Itoa(host) + ":" + text
		}
		rank, _ := strconv.Atoi(m[1])
		ranks[rank] = text
	}
	if len(ranks) == 0 {
		return "! " + strings.Join(strings.Fields(string(out)), " ")
	}
	list := make([]string, len(ranks))
	for r := range list {
		list[r] = ranks[r]
	}
	return strings.Join(list, " ")
}

// hasOpenMPI skips the test where Open MPI 4.1, whose answers are recorded, is missing.
func hasOpenMPI(t *testing.T) {
	t.Helper()
	out, err := exec.Command(judge.Ask(t, "mpirun.openmpi"), "--version").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "4.1.") {
		t.Skipf("no Open MPI 4.1: %v", err)
	}
}

// The table has the program's answers: every 25th line of the table is asked
// again.
func TestRecordedOpenMPI(t *testing.T) {
	t.Parallel()
	hasOpenMPI(t)
	tops := machines(t)
	for i, q := range questions(t) {
		top := tops[q.topo+" 1"]
		if i%25 != 0 || top == nil || strings.HasPrefix(q.answer, "!") {
			continue
		}
		slots := max(len(top.Hosts[0].CPUSet.Indexes()), q.n)
		if cores := top.ResourceOf(hw.Core); cores != nil {
			slots = max(len(cores.Instances), q.n/q.hosts)
		}
		var names []string
		for _, name := range []string{"localhost", "b", "c"}[:q.hosts] {
			names = append(names, fmt.Sprintf("%s:%d", name, slots))
		}
		args := []string{"--do-not-launch", "--host", strings.Join(names, ","), "-np", strconv.Itoa(q.n)}
		for _, f := range [][2]string{{"--map-by", q.mapBy}, {"--rank-by", q.rankBy}, {"--bind-to", q.bindTo}} {
			if f[1] != "-" {
				args = append(args, f[:]...)
			}
		}
		if got := mpirun(t, top, recorded(t, xmls[q.topo]), q.hosts, args...); got != q.answer {
			t.Errorf("%v:\n got %s\nwant %s", q, got, q.answer)
		}
	}
}

// A rankfile means the same to us and to Open MPI, which launches only a
// program that does nothing here.
func TestRankfileLikeOpenMPI(t *testing.T) {
	t.Parallel()
	hasOpenMPI(t)
	xml := recorded(t, xmls["smt"])
	top := machines(t)["smt 1"]
	for _, lines := range rankfiles {
		file := filepath.Join(t.TempDir(), "ranks")
		write := func(host string) {
			if err := os.WriteFile(file, []byte(strings.ReplaceAll(lines, "HOST", host)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("localhost")
		want := mpirun(t, top, xml, 1, "--rankfile", file)
		write("+n0")
		ranks, err := place(top, placement.Policy{Rankfile: file})
		if err != nil || want != cpusets(top, ranks) {
			t.Errorf("%q: got %s (%v), want %s", lines, cpusets(top, ranks), err, want)
		}
	}
}

func place(top *hw.Topology, p placement.Policy) ([]*hw.Binding, error) {
	plan, err := placement.New(top, 0, p)
	if err != nil {
		return nil, err
	}
	return plan.Place()
}
