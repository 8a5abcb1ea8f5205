package stories_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// The comments before the first line have flags, and hardware over several lines.
func TestScriptHead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"# a title\n# commsplit: -n 3\n#\n# commsplit: --std '3.1'\nx = 1\n# commsplit: -n 9\n": {"-n", "3", "--std", "3.1"},
		"# topology:\n#   pack:2\n#  core:2 pu:1\n#\n# a word\nx = 1\n":                         {"--topo", "pack:2 core:2 pu:1"},
		"# topology: pack:2\n# core:2\n# commsplit: -n 2\n":                                     {"-n", "2", "--topo", "pack:2 core:2"},
		"# topology:\n# frontier*4\n\n# no more\n":                                              {"--topo", "frontier*4"},
		"# topology:\n#  <topology>\n#  </topology>\n# commsplit: -n 2\n":                       {"-n", "2", "--topo", "<topology>\n</topology>"},
		"x = 1\n# topology:\n# core:2\n":                                                        nil,
	} {
		s := stories.NewScript("t.py", text)
		if d := cmp.Diff(want, s.Flags); d != "" {
			t.Errorf("%q: %s", text, d)
		}
		if _, err := s.Chunks(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The error of a mistake in these comments has its place.
func TestScriptHeadMistakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"#\n# commsplit: -n 2 --topo 'pack:2\n":            "t.mpi:2:26: the quote is not closed",
		"# a title\n#commsplit: -n 2\n":                    "t.mpi:2:1: flags stand behind # commsplit: with one # and one blank",
		"# topology:\n\n# core:2\n":                        "t.mpi:1:1: # topology: wants a description or an hwloc file",
		"# ends: 4\n":                                      "t.mpi:1:8: # ends: wants the exit code, 2 for a program error, 3",
		"# ends: 0 all well\n":                             "t.mpi:1:8: # ends: wants the exit code",
		"# ends: 4 DEADLOCK\n# ends: 3 MPI_ERR_ARG\n":      "t.mpi:2:1: the end is said twice: one # ends: is enough",
		"# topology: core:2\n#\n# topology: core:3\n":      "t.mpi:3:1: the hardware is said twice: one # topology: is enough",
		"# topology: core:2\n# commsplit: --topo core:3\n": "t.mpi:1:1: the hardware is said twice: by --topo and by # topology:",
	} {
		if _, err := stories.NewScript("t.mpi", text).Chunks(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

// A saved session has its hardware with it, however long its text.
func TestSaveKeepsTheHardware(t *testing.T) {
	t.Parallel()
	const machine = `<topology version="2.0"><object type="Machine" cpuset="0x1" nodeset="0x1">` + "\n\n" +
		`<object type="NUMANode" os_index="0" cpuset="0x1" nodeset="0x1"/>` + "\n" +
		`<object type="PU" os_index="0" cpuset="0x1" nodeset="0x1"/></object></topology>`
	long := strings.Repeat("core:2+", 20) + "core:2 pu:2"
	for spec, want := range map[string]string{"core:2": "core:2", long: long, machine: strings.ReplaceAll(machine, "\n\n", "\n")} {
		s, err := repl.Open(sessions.Background, repl.Config{Topo: spec}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		saved := stories.NewScript("t.mpi", stories.Text(s))
		if n := len(saved.Flags); n < 4 || saved.Flags[n-2] != "--topo" || saved.Flags[n-1] != want {
			t.Errorf("%q, not %s", saved.Flags, want)
		}
	}
}

// A lesson is in one dialect, that of programs: no line of it is a command that calls MPI. A switch shows the lines
// in C, in Fortran and as commands.
func TestLessonsHaveOneDialect(t *testing.T) {
	t.Parallel()
	for _, e := range scripts.Lessons.Examples() {
		chunks, err := stories.NewScript(e.File, e.Text).Chunks()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range chunks {
			if v := repl.FindVerb(c.Verb.Text); c.Kind == lang.Command && v.Call != engine.CallNone {
				t.Errorf("%s:%d: the command %s among statements", e.Name, c.Line, v.Name)
			}
		}
	}
}
