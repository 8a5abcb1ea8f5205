package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/scripts"
)

// came is the result of a run, apart from the order of events.
type came struct {
	Code   cmd.Code
	Failed int
	Comms  []string            // a description of each communicator, sorted
	Holds  map[string][]string // by variable and rank
	Said   [][]string          // by rank
	Dead   bool
}

// runOf runs a script and returns its result.
func runOf(t *testing.T, script string) came {
	t.Helper()
	r := run(t, "", "run", script, "-o", "json")
	doc := decode(t, r.out)
	c := came{Code: r.code, Failed: doc.Expectations.Failed, Holds: map[string][]string{}, Said: make([][]string, doc.World.Size), Dead: doc.Deadlock != nil}
	comms := map[any]string{nil: "null"}
	for _, k := range doc.Communicators {
		op, resource, pset := "", "", ""
		for to, from := range map[*string]*string{&op: k.Op, &resource: k.Resource, &pset: k.Pset} {
			if from != nil {
				*to = *from
			}
		}
		what := fmt.Sprintf("%s %s %v %v %s %s %q freed:%t", k.Kind, op, k.Group, k.RemoteGroup, resource, pset, k.Name, k.Freed)
		comms[float64(k.ID)] = what
		c.Comms = append(c.Comms, what)
	}
	slices.Sort(c.Comms)
	for name, held := range doc.Variables {
		for _, id := range held {
			text := ""
			if list, ok := id.([]any); ok {
				for _, each := range list {
					text += comms[each] + "; "
				}
			} else {
				text = comms[id]
			}
			c.Holds[name] = append(c.Holds[name], text)
		}
	}
	for _, o := range doc.Output {
		ranks, err := engine.ParseRanks(o.Ranks, doc.World.Size)
		if err != nil {
			t.Fatal(err)
		}
		for rank := range ranks.All {
			c.Said[rank] = append(c.Said[rank], o.Text)
		}
	}
	return c
}

// saved are the ways to write a session down.
var saved = []struct{ name, line string }{
	{"program.py", ".program "}, {"session.py", ".save "}, {"session.mpi", ".save "}, {"plain.mpi", ".save "},
}

// sameSaved saves the session of a script in every way, runs each saved file, and compares the results.
func sameSaved(t *testing.T, script string) {
	t.Helper()
	want, dir := runOf(t, script), t.TempDir()
	args := []string{"run", script}
	for _, s := range saved {
		line := s.line + filepath.Join(dir, s.name)
		if strings.HasPrefix(s.name, "plain") {
			line += " plain"
		}
		args = append(args, "-c", line)
	}
	if r := run(t, "", args...); r.code != want.Code {
		t.Fatalf("saving: %d\n%s", r.code, r.err)
	}
	for _, s := range saved {
		file := filepath.Join(dir, s.name)
		if d := cmp.Diff(want, runOf(t, file)); d != "" {
			text, _ := os.ReadFile(file)
			t.Errorf("%s (-script +saved):\n%s\n%s", s.name, d, text)
		}
	}
}

// A session that is saved, as lines or as a program, means the same: every example gives the same
// communicators in the same variables, prints the same on every rank, and no expectation fails.
func TestExamplesSaved(t *testing.T) {
	t.Parallel()
	for _, e := range scripts.All() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			sameSaved(t, e.Name)
		})
	}
}

// A saved session also means the same where some ranks keep an older value of a variable, or get none, and
// where variables are named like numbers of each rank.
func TestSavedKeepsOlderValues(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{
		"x = world.Split(0, 0)\n@0-1 x = create_group world group=[0,1]\n@0-1 expect_parts x [[0,1]]\n@2-3 expect_parts x [[0,1,2,3]]",
		"@0-1 x = world.Create_group(world.group.Incl([0,1]))\n@2 x = create_group world group=[2]\nexpect_parts x [[0,1],[2]]",
		"@0-1 x = create world group=[0,1]\n@2-3 x = create world group=[]\nexpect_parts x [[0,1]]",
		"half = split world color=(0 if rank<2 else UNDEFINED)\n@0,3 x = create_group world group=[0,3]\nx = dup half\nexpect_parts x [[0,1]]",
		"core = split_type world HW_GUIDED resource=\"hwloc://Core\"\npair = split world color=core.size-1 key=-pu\n" +
			"rank = split core color=rank\nboth = [pair, core]\nexpect core.size==1\n" +
			"@1 size = split_type core SHARED\n@1 expect (size.rank, pair.rank)==(0, 2)\nlast = split size color=size.rank",
	} {
		file := filepath.Join(t.TempDir(), "x.mpi")
		if err := os.WriteFile(file, []byte("# commsplit: -n 4 --topo core:4\n"+lines+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		sameSaved(t, file)
	}
}
