//go:build unix

package cmd_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/hw/judge"
)

// The Open MPI and the mpi4py whose deviations from the text are known, and the table of them.
const (
	judgedOpenMPI = "4.1.4"
	judgedMpi4py  = "3.1.4"
)

var deviationTable = filepath.Join(conformanceDir, "openmpi-"+judgedOpenMPI+".txt")

// verdict is how a program ends under a real MPI: it passes, fails (an expectation is unmet, or an
// error comes that none expects), crashes, hangs, or lacks something that library or mpi4py do not have.
type verdict struct{ outcome, detail string }

// Open MPI follows each rule, except for the deviations in the table. So a rule that our engine and
// our programs both have wrong is found, and users of that library can read its deviations in the
// table. A deviation in the table must still occur.
func TestOpenMPIConformance(t *testing.T) {
	t.Parallel()
	python := openMPI(t)
	needVersions(t, python)
	known := deviations(t)
	judged := judgeRules(t, python, known, rules(t))
	for _, name := range sortedKeys(judged) {
		got, want := judged[name], "passes"
		if d, ok := known[name]; ok {
			want = d.outcome
		}
		if !slices.Contains(strings.Split(want, "/"), got.outcome) {
			t.Errorf("%s %s, where %s says that it %s\n%s",
				name, got.outcome, filepath.Base(deviationTable), want, got.detail)
		}
	}
	for _, name := range sortedKeys(known) {
		if _, ok := judged[name]; !ok {
			t.Errorf("%s: there is no program %s to be judged", deviationTable, name)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// needVersions skips the test unless the table's versions of Open MPI and mpi4py are installed.
func needVersions(t *testing.T, python string) {
	t.Helper()
	const program = "import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; " +
		"print(mpi4py.__version__, MPI.Get_library_version())"
	out, err := exec.Command(python, "-c", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(out); !strings.HasPrefix(text, judgedMpi4py+" Open MPI v"+judgedOpenMPI+",") {
		t.Skipf("%s is about mpi4py %s over Open MPI %s; here is mpi4py %s",
			deviationTable, judgedMpi4py, judgedOpenMPI, text)
	}
}

// deviations reads the table: program, outcome (or several, "fails/hangs"), and why.
func deviations(t *testing.T) map[string]verdict {
	t.Helper()
	data, err := os.ReadFile(deviationTable)
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]verdict{}
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		outcome, why, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if why = strings.TrimSpace(why); why == "" || table[name].outcome != "" {
			t.Errorf("%s:%d: a line is a program, its outcome, and why; each program once", deviationTable, i+1)
		}
		table[name] = verdict{outcome, why}
	}
	return table
}

// judgeRules runs every program that is not erroneous. Programs that should pass share an mpirun for
// each number of ranks, because starting one takes a second; a program that does not pass there is
// run again alone.
func judgeRules(t *testing.T, python string, known map[string]verdict, list []rule) map[string]verdict {
	t.Helper()
	together := map[string][]rule{}
	var alone [][]rule
	for _, r := range list {
		switch _, deviates := known[r.name]; {
		case r.ends != nil: // a real MPI may do anything
		case deviates:
			alone = append(alone, []rule{r})
		default:
			together[r.ranks] = append(together[r.ranks], r)
		}
	}
	var batches [][]rule
	for _, ranks := range sortedKeys(together) {
		batches = append(batches, together[ranks])
	}
	verdicts := judgeBatches(t, python, known, batches)
	for _, b := range batches {
		for _, r := range b {
			if verdicts[r.name].outcome != "passes" {
				alone = append(alone, []rule{r})
			}
		}
	}
	for name, v := range judgeBatches(t, python, known, alone) {
		verdicts[name] = v
	}
	return verdicts
}

// judgeBatches runs batches, four at a time: a run waits most of its time.
func judgeBatches(t *testing.T, python string, known map[string]verdict, batches [][]rule) map[string]verdict {
	t.Helper()
	const atATime = 4
	var mu sync.Mutex
	var workers sync.WaitGroup
	verdicts := map[string]verdict{}
	queue := make(chan []rule)
	for range atATime {
		workers.Go(func() {
			for batch := range queue {
				limit := 90 * time.Second
				if strings.Contains(known[batch[0].name].outcome, "hangs") {
					limit = 10 * time.Second
				}
				list := judgeTogether(t, python, batch, limit)
				mu.Lock()
				for i, v := range list {
					verdicts[batch[i].name] = v
				}
				mu.Unlock()
			}
		})
	}
	for _, b := range batches {
		queue <- b
	}
	close(queue)
	workers.Wait()
	return verdicts
}

// judgeTogether runs programs of one number of ranks in one mpirun, one after the other.
func judgeTogether(t *testing.T, python string, batch []rule, limit time.Duration) []verdict {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Error(err)
		return nil
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	library := filepath.Join("..", "testdata", "mpi4py")
	args := []string{"--oversubscribe", "-n", batch[0].ranks, python, filepath.Join(library, "judge.py"), dir}
	for _, r := range batch {
		args = append(args, r.file)
	}
	c := exec.CommandContext(ctx, judge.Ask(t, "mpirun.openmpi"), args...)
	c.Env = append(judge.OpenMPI(t), "PYTHONPATH="+filepath.Join("..", "repl", "mpi4py"), "PYTHONDONTWRITEBYTECODE=1")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) } // mpirun ends its ranks
	c.WaitDelay = 5 * time.Second
	out, err := c.CombinedOutput()
	list := make([]verdict, len(batch))
	for i, r := range batch {
		lines, all := outcomeOf(dir, i, r.ranks)
		list[i] = verdictOf(lines, all, ctx.Err() != nil, err != nil && len(batch) == 1)
		list[i].detail = strings.Join(append(lines, string(out)), "\n")
	}
	return list
}

// outcomeOf reads what the ranks wrote about a program; all reports whether all of them pass.
func outcomeOf(dir string, index int, ranks string) (lines []string, all bool) {
	n, _ := strconv.Atoi(ranks) // digits, by ruleRanks
	all = true
	for rank := range n {
		data, _ := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.%d", index, rank))) // may not be there
		all = all && strings.HasPrefix(string(data), "passes: ")
		for line := range strings.Lines(string(data)) {
			lines = append(lines, fmt.Sprintf("[%d] %s", rank, strings.TrimSuffix(line, "\n")))
		}
	}
	return lines, all
}

func verdictOf(lines []string, all, timeout, failed bool) verdict {
	says := func(what string) bool {
		return slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "] "+what) })
	}
	switch {
	case says("lacks:"):
		return verdict{outcome: "lacks"}
	case all && !timeout && !failed:
		return verdict{outcome: "passes"}
	case timeout:
		return verdict{outcome: "hangs"}
	case says("fails:"):
		return verdict{outcome: "fails"}
	}
	return verdict{outcome: "crashes"}
}
