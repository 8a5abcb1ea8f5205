package stories_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// asProgram runs the program of a session in a fresh session.
func asProgram(t *testing.T, s *repl.Session) *repl.Session {
	t.Helper()
	text := stories.Program(s)
	again := sessions.New(t, s.Size())
	c := &lang.Chunk{Kind: lang.Program, File: "test.py", Line: 1, Text: text}
	if _, err := again.Run(sessions.Background, c); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return again
}

// Commands are only shorter forms of programs: the program of a session makes the same communicators, and meets the
// same expectations.
func TestProgramMeansTheSame(t *testing.T) {
	t.Parallel()
	saved := map[string][]string{
		"sit out":       {"low = split world color=(0 if rank<3 else UNDEFINED)", "split low color=rank key=-rank", "free low"},
		"some ranks":    {"@1,3-4 sub = create_group world group=[4,1,3] tag=2", "dup sub"},
		"names":         {"split world color=0", "split2 = dup world", "split world color=rank%3", "split_type world SHARED"},
		"own names":     {"p = split world color=package key=-core", "q = split p color=numa+pu%2"},
		"attributes":    {"a = split world color=half.rank//2 key=half.size-rank"},
		"types":         {`split_type half HW_GUIDED resource="hwloc://Core" key=-rank`, "split_type half UNDEFINED", "split_type world HW_UNGUIDED"},
		"info":          {"i = MPI.Info.Create()", `i.Set("mpi_hw_resource_type", "hwloc://Package")`, "split_type world HW_GUIDED info=i"},
		"groups":        {"g = half.group", "create world group=g", "create half group=[3,0]", "create world group=[rank]"},
		"from groups":   {"create_from_group group=[r for r in range(size) if r%2] tag=\"odd\"", "g = half.group", "create_from_group g", `@0-3 create_from_group pset="mpi://SELF" tag="me"`},
		"bindings":      {"bind 0-1,5 0+3", `split_type world HW_GUIDED resource="hwloc://Package"`, "bind 0-1 str(rank+4)", `split_type half HW_GUIDED resource="hwloc://Core"`, "split world color=package"},
		"statements":    {"for i in range(3):\n    half = half.Dup()\n", "l = [half, world]", "@0-3 x = world.rank"},
		"expectations":  {"expect_parts half [[0,2,4,6],[1,3,5,7]]", `expect half.size==4 "four"`, "expect_error MPI.ERR_ARG (lambda: world.Split(-1))"},
		"strings":       {`name half "rank of size %d" `, `expect half.name=="rank of size %d" "rank"`},
		"comprehension": {"create world group=[r for r in range(size) if r%3==0]"},
	}
	for _, v := range repl.Verbs {
		saved["verb "+v.Name] = slices.DeleteFunc([]string{v.After, v.Example}, func(l string) bool { return l == "" })
	}
	for name, lines := range saved {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sessions.New(t, 8, sessions.Prelude)
			for _, l := range lines {
				sessions.Must(t, s, l)
			}
			if strings.Contains(name, "deadlock") {
				return // a program has no expect_deadlock
			}
			again := asProgram(t, s)
			if d := cmp.Diff(sessions.Partitions(s), sessions.Partitions(again)); d != "" {
				t.Errorf("partitions (-commands +program):\n%s\n%s", d, stories.Program(s))
			}
			e, f := s.View().Expectations, again.View().Expectations
			if e.Passed != f.Passed || e.Failed != f.Failed {
				t.Errorf("expectations: %d and %d, as a program %d and %d", e.Passed, e.Failed, f.Passed, f.Failed)
			}
		})
	}
}

// A program imports only the names that it uses: a real MPI has no `here`. Attributes, keyword arguments and strings
// with such a name do not count.
func TestProgramImports(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ want, line string }{
		{"", "c = MPI.COMM_WORLD.Dup()"},
		{"from commsplit import world", "half = split world color=rank%2"},
		{"from commsplit import world, here", "p = split world color=numa"},
		{"from commsplit import note", `note "here expect"`},
		{"from commsplit import world", `d = [world.name, dict(here=1)]`},
	} {
		s := sessions.New(t, 2, tt.line)
		_, text, _ := strings.Cut(stories.Program(s), "from mpi4py import MPI\n")
		if got, _, _ := strings.Cut(text, "\n"); got != tt.want {
			t.Errorf("%s: imports %q, want %q", tt.line, got, tt.want)
		}
	}
}

// The lines that expect_deadlock took back are not in the program, which would block.
func TestProgramWithoutDeadlock(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 8, "@0 barrier world", "@1 lost = dup world", "expect_deadlock", "kept = dup world")
	again := asProgram(t, s)
	if w := again.Waiting(); len(w) != 0 {
		t.Errorf("the program blocks: %+v", w)
	}
	if d := cmp.Diff(sessions.Partitions(s), sessions.Partitions(again)); d != "" {
		t.Errorf("partitions (-commands +program):\n%s", d)
	}
}

// .save then .open gives the session back, as lines and as a program. Undone lines are not saved.
func TestSaveAndOpen(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"demo.mpi", "demo.py"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), file)
			c, _, _ := sessions.Console(t)
			sessions.Tell(t, c, sessions.Prelude, "gone = dup half", ".undo",
				"for i in range(2):\n    half = half.Dup()\n", "@0-3 print(world.rank)",
				"split half color=rank key=-rank", "expect_parts half [[0,2,4,6],[1,3,5,7]]", ".save "+path+" plain")
			again, _, _ := sessions.Console(t)
			sessions.Tell(t, again, ".open "+path)
			if d := cmp.Diff(sessions.Partitions(c.Session), sessions.Partitions(again.Session)); d != "" {
				t.Errorf("partitions (-saved +opened):\n%s", d)
			}
			if e := again.Session.View().Expectations; e.Passed != 1 || e.Failed != 0 {
				t.Errorf("expectations: %+v", e)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if s := string(text); strings.Contains(s, "gone") || !strings.HasPrefix(s, "# commsplit: -n 8 --topo \"pack:2 core:4\"\n") {
				t.Errorf("saved:\n%s", s)
			}
			script, err := stories.ReadScript(t.Context(), path, nil)
			if err != nil || cmp.Diff([]string{"-n", "8", "--topo", "pack:2 core:4"}, script.Flags) != "" {
				t.Errorf("flags %q, %v", script.Flags, err)
			}
		})
	}
}

// .save and .open of a file that cannot be written or read give an error with the reason.
func TestSaveAndOpenFail(t *testing.T) {
	t.Parallel()
	c, _, _ := sessions.Console(t)
	for _, line := range []string{".save", ".open", ".save /nowhere/at/all.mpi", ".open nowhere.mpi"} {
		typed, err := repl.ParseLines("test.mpi", []string{line})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Do(sessions.Background, typed[0]); err == nil {
			t.Errorf("%s: no error", line)
		}
	}
}
