package cmd_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw/judge"
)

// realMPI is the page whose programs run under a real MPI, too.
const realMPI = "../repl/REALMPI.md"

// applications is the page whose programs find the recording of an application in their
// folder.
const applications = "../repl/recording/APPLICATIONS.md"

// manual returns README.md and the pages that lie beside the code that they describe.
func manual(t *testing.T) []string {
	t.Helper()
	pages := []string{"../README.md"}
	for _, folders := range []string{"../*/*.md", "../*/*/*.md"} {
		found, err := filepath.Glob(folders)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %q, %v", folders, found, err)
		}
		pages = append(pages, found...)
	}
	return pages
}

// example is a command of a console block and the output after it. Lines with "> " after
// the command belong to it, as at a shell's prompt.
type example struct {
	line          int
	command, want string
}

// examples reads the console blocks.
func examples(t *testing.T, file string) []example {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []example
	inside, before := false, 0
	for i, l := range strings.Split(string(text), "\n") {
		command, isCommand := strings.CutPrefix(l, "$ ")
		more, isMore := strings.CutPrefix(l, "> ")
		switch {
		case !inside:
			inside = l == "```console"
			before = len(list)
		case l == "```":
			inside = false
		case isCommand:
			list = append(list, example{line: i + 1, command: command})
		case isMore && len(list) > before && list[len(list)-1].want == "":
			list[len(list)-1].command += "\n" + more
		case len(list) == before:
			t.Fatalf("%s:%d: output without a command", file, i+1)
		default:
			list[len(list)-1].want += l + "\n"
		}
	}
	return list
}

// Every console block of the manual shows exactly what the program prints.
func TestManual(t *testing.T) {
	t.Parallel()
	for _, page := range manual(t) {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			sh := newShell(t)
			if page == applications {
				archive, err := os.ReadFile("../repl/recording/testdata/solver.tar")
				if err := errors.Join(err, os.WriteFile(filepath.Join(sh.dir, "solver.tar"), archive, 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			run := sh.run
			for _, e := range examples(t, page) {
				ours := strings.HasPrefix(e.command, "commsplit ") || strings.HasPrefix(e.command, "cat ")
				switch {
				case !ours && page != realMPI:
					t.Errorf("%s:%d: %q is not run: console blocks hold commsplit commands", page, e.line, e.command)
				case ours:
					e.check(t, page, run)
				}
			}
		})
	}
}

func (e example) check(t *testing.T, page string, run func(string) string) {
	t.Helper()
	got := run(e.command)
	if os.Getenv("UPDATE") != "" && got != e.want {
		text, err := os.ReadFile(page)
		block := "$ " + strings.ReplaceAll(e.command, "\n", "\n> ") + "\n"
		text = bytes.Replace(text, []byte(block+e.want), []byte(block+got), 1)
		if err := errors.Join(err, os.WriteFile(page, text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(e.want, got); d != "" {
		t.Errorf("%s:%d: %s (-page +program):\n%s", page, e.line, e.command, d)
	}
}

// The page about real MPIs is right about Open MPI, and Open MPI's runs end well.
func TestManualOpenMPI(t *testing.T) {
	t.Parallel()
	sh := judge.Ask(t, "sh")
	judge.Ask(t, "mpirun")
	ours := filepath.Dir(exec.Command("commsplit").Path)
	module, err := filepath.Abs("../repl/mpi4py")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "repl"), 0o755),
		os.Symlink(module, filepath.Join(dir, "repl/mpi4py"))); err != nil {
		t.Fatal(err)
	}
	run := func(command string) string {
		c := exec.Command(sh, "-c", command)
		c.Dir = dir
		c.Env = []string{"PYTHONDONTWRITEBYTECODE=1", "PATH=" + ours + ":/usr/bin:/bin", "HOME=" + dir, "LANG=C.UTF-8",
			"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}
		got, err := c.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) { // a command may fail on purpose
			t.Fatal(err)
		}
		return string(got)
	}
	if got := run("python3 -c 'import mpi4py' && echo there"); got != "there\n" {
		t.Skip("no mpi4py")
	}
	asked := false
	for _, e := range examples(t, realMPI) {
		e.check(t, realMPI, run)
		if strings.Contains(e.command, "mpirun") {
			asked = true
			if got := run(e.command + " && echo well"); got != e.want+"well\n" {
				t.Errorf("%s: %s", e.command, got)
			}
		}
	}
	if !asked {
		t.Errorf("%s has no mpirun", realMPI)
	}
}

// Links between the pages lead to existing files and existing headings.
func TestManualLinks(t *testing.T) {
	t.Parallel()
	for _, page := range manual(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(string(text), "](") {
			link, _, _ := strings.Cut(part, ")")
			to, heading, _ := strings.Cut(link, "#")
			if !slices.Contains([]string{".md", ".go", ".svg", ".png", ".txt", ""}, filepath.Ext(to)) || strings.ContainsAny(link, " \n") || strings.Contains(link, "://") || link == "" {
				continue
			}
			file := filepath.Join(filepath.Dir(page), to)
			if to == "" {
				file = page
			}
			target, err := os.ReadFile(file)
			if err != nil {
				t.Errorf("%s: %v", page, err)
			}
			if heading != "" && !slices.Contains(headings(string(target)), heading) {
				t.Errorf("%s: %s has no heading #%s", page, to, heading)
			}
		}
	}
}

// headings returns the link names of a page's headings: small letters, with - for blanks.
func headings(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			continue
		}
		title := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
				return r
			}
			return -1
		}, title))
	}
	return list
}
