//go:build unix

package confirm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
)

// view runs a session of two ranks and returns its view.
func view(t *testing.T, lines ...string) *render.View {
	t.Helper()
	console, err := console.NewConsole(t.Context(), repl.Config{Size: 2, Topo: "core:2"}, io.Discard, io.Discard, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer console.Session.Close()
	chunks, err := repl.ParseLines("demo.mpi", lines)
	if err != nil {
		t.Fatal(err)
	}
	console.Silent = true
	_ = console.Script(t.Context(), chunks) // some sessions end in an error or a deadlock
	return console.Session.ViewByHandle()
}

const (
	openMPI  = `standard 31, library Open MPI v4.1.4, package: Debian\n`
	mpich    = `standard 40, library MPICH Version:\t4.0.2\n`
	rank0    = `world rank 0 at step 1\nworld rank 0 -> @1 led by 1, rank 1, size 2\nworld rank 0 at step 2\nworld rank 0 -> #0 led by 1, rank 1, size 2\n`
	rank1    = `world rank 1 at step 1\nworld rank 1 -> @1 led by 1, rank 0, size 2\nworld rank 1 at step 2\nworld rank 1 -> #0 led by 1, rank 0, size 2\n`
	together = "tells 0 " + openMPI + rank0 + "\ntells 1 " + rank1
)

// Whatever an MPI does wrong is described in words, and is a difference only where the library returns another
// result.
func TestRun(t *testing.T) {
	t.Parallel()
	split := []string{"half = split world color=0 key=-rank"} // rank 1 leads
	for name, c := range map[string]struct {
		lines   []string
		mpirun  string
		mpicc   string
		report  string // what the text of the report has
		failure string // or what the error has
	}{
		"equal": {split, together, "builds", "equal: Open MPI 4.1.4 gives the same\ncompared: 2 ranks, 1 constructor call, 1 handle\n", ""},
		"garbage around the lines": {split, "says banner\ntells 0 what\\n" + openMPI + "world rank 7 at step 1\\nworld rank x\\n" + rank0 +
			"world rank 0 -> #0 led by\\n\ntells 1 " + rank1 + "rest", "builds", "equal: Open MPI 4.1.4", ""},
		"another topology": {split, strings.ReplaceAll(together, "rank 1, size 2", "rank 1, size 2; grid 2 periods 0 at 1"), "builds",
			"rank 0: MPI_Comm_split (demo.mpi:1), step 1\n  commsplit       no virtual topology\n  Open MPI 4.1.4  a grid 2 periods 0: (1)\n  No known", ""},
		"the grid": {[]string{"half = world.Create_cart([2], [1])"}, "tells 0 " + openMPI + strings.ReplaceAll(strings.ReplaceAll(rank0, "led by 1, rank 1", "led by 0, rank 0"), "size 2", "size 2; grid 2 periods 1 at 0") +
			"\ntells 1 " + strings.ReplaceAll(strings.ReplaceAll(rank1, "led by 1, rank 0", "led by 0, rank 1"), "size 2", "size 2; grid 2 periods 1 at 1"), "builds", "equal: Open MPI 4.1.4", ""},
		"other coordinates": {[]string{"half = world.Create_cart([2], [1])"}, "tells 0 " + openMPI + strings.ReplaceAll(strings.ReplaceAll(rank0, "led by 1, rank 1", "led by 0, rank 0"), "size 2", "size 2; grid 2 periods 1 at 1") +
			"\ntells 1 " + strings.ReplaceAll(strings.ReplaceAll(rank1, "led by 1, rank 0", "led by 0, rank 1"), "size 2", "size 2; grid 2 periods 1 at 0"), "builds",
			"  commsplit       a grid 2 periods 1: (0) on rank 0, (1) on rank 1\n  Open MPI 4.1.4  a grid 2 periods 1: (1) on rank 0, (0) on rank 1\n", ""},
		"the name": {[]string{split[0], `half.Set_name("sea")`}, named("; named sea", "; named sea"), "builds", "of each: members, order, virtual topology, names\n", ""},
		"no name": {[]string{split[0], `half.Set_name("sea")`}, named("; named sea", ""), "builds",
			"half, rank 1: MPI_Comm_split (demo.mpi:1), step 1\n  commsplit       the name sea\n  Open MPI 4.1.4  no name\n", ""},
		"a name of the library's own": {split, named("; named MPI COMMUNICATOR 3 SPLIT FROM 0", ""), "builds", "equal: Open MPI 4.1.4", ""},
		"attributes": {[]string{"k = MPI.Comm.Create_keyval()", "world.Set_attr(k, 1)", split[0]}, strings.NewReplacer("step 2", "step 9", "step 1", "step 5", "@1", "@5").Replace(together), "builds",
			"not compared: MPI_Comm_set_attr (demo.mpi:2): attributes", ""},
		"another library": {split, strings.Replace(together, "Open MPI v4.1.4, package: Debian", "Slow MPI 3", 1), "builds",
			"equal: Slow MPI 3 gives the same", ""},
		"difference": {split, strings.NewReplacer("led by 1, rank 1", "led by 0, rank 0", "led by 1, rank 0", "led by 0, rank 1").Replace(together), "builds",
			"ranks 0-1: MPI_Comm_split (demo.mpi:1), step 1\n  commsplit       [1,0]\n  Open MPI 4.1.4  [0,1]\n  No known deviation explains it.\n", ""},
		"null instead": {split, strings.ReplaceAll(together, " led by 1, rank 0, size 2", ": MPI_COMM_NULL"), "builds",
			"rank 1: MPI_Comm_split (demo.mpi:1), step 1\n  commsplit       [1,0]\n  Open MPI 4.1.4  rank 1 MPI_COMM_NULL\n", ""},
		"crash": {split, "tells 0 " + openMPI + "world rank 0 at step 1\\n\ntells 1 world rank 1 at step 1\\n\ncomplains got signal 11\nexits 139", "builds",
			"  Open MPI 4.1.4  the program ends: got signal 11\n", ""},
		"error": {split, "tells 0 " + openMPI + "world rank 0 at step 1\\nworld rank 0 raised MPI_ERR_ARG at step 1\\n\nexits 3", "builds",
			"  Open MPI 4.1.4  MPI_ERR_ARG\n  No known deviation", ""},
		"hang": {split, "tells 0 " + openMPI + "world rank 0 at step 1\\n\ntells 1 world rank 1 at step 1\\n\nhangs", "builds",
			"  Open MPI 4.1.4  it hangs\n", ""},
		"hang before it begins": {split, "hangs", "builds", "", "did not start 2 processes within 3s: --limit SECONDS"},
		"slow": {split, "tells 0 " + openMPI + "\nworks", "builds",
			"", "still at work after 3s"},
		"flood":                  {split, "floods", "builds", "", "prints without end: it was ended after 32 MB\ny\n"},
		"missing lines":          {split, "tells 0 " + openMPI + rank0, "builds", "", "1 of its 2 last lines did not come"},
		"no lines":               {split, "complains no slots\nexits 1", "builds", "", "did not start the program: exit status 1\nno slots"},
		"one process is missing": {split, "tells 0 " + openMPI + "world rank 0 at step 1\\n\nexits 1", "builds", "", "did not bring all processes to their first call: exit status 1"},
		"alone":                  {split, "tells 0 " + openMPI + "world rank 0 is alone\\n", "builds", "", "each process ran alone"},
		"build failure":          {split, together, "complains mpi.h: not there\nexits 1", "", "does not build the program: exit status 1\nmpi.h: not there"},
		"no compiler":            {split, together, "", "", "has no compiler beside it"},
		"erroneous, found":       {[]string{"split world color=-1"}, attempted(`world rank R raised MPI_ERR_ARG at step 1\nworld rank R passed step 1\n`), "builds", "equal: MPICH 4.0.2 gives the same\ncompared: 2 ranks, 1 erroneous call\n", ""},
		"erroneous, known": {[]string{"split world color=-1"}, attempted(`world rank R passed step 1\n`), "builds",
			"ranks 0-1: MPI_Comm_split (demo.mpi:1)\n  commsplit    MPI_ERR_ARG\n  MPICH 4.0.2  no error on ranks 0-1\n  Known of it (negative-color)", ""},
		"erroneous, another class": {[]string{"world.bcast(0, root=5)"}, attempted(`world rank R raised MPI_ERR_ARG at step 1\nworld rank R passed step 1\n`), "builds",
			"difference: MPICH 4.0.2 gives something else\n", ""},
		"erroneous, and free": {[]string{"world.bcast(0, root=5)"}, attempted(`world rank R passed step 1\n`), "builds", "it may find this one or not\n  [MPI-5.0 §9.3]", ""},
		"nothing": {[]string{"barrier world"}, attempted(``), "builds",
			"nothing compared with MPICH 4.0.2: the session makes no communicator\n", ""},
		"deadlock, too": {[]string{"@0 barrier world"}, attempted(``), "builds", "MPICH 4.0.2 hangs where the engine says that it must:\n  DEADLOCK on world: rank 0 waits in MPI_Barrier", ""},
		"deadlock, but": {[]string{"@0 barrier world"}, attempted(`world rank R passed step 1\n`), "builds", "the calls of rank 0 return", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := Options{Mpirun: install(t, c.mpirun, c.mpicc), Limit: time.Minute, patience: 200 * time.Millisecond}
			if strings.HasSuffix(c.mpirun, "hangs") || strings.HasSuffix(c.mpirun, "works") {
				o.Limit = 3 * time.Second // also time enough to begin
			}
			r, err := Run(t.Context(), view(t, c.lines...), o)
			if c.failure != "" {
				var input *repl.InputError
				if !errors.As(err, &input) || !strings.Contains(err.Error(), c.failure) {
					t.Fatalf("the error is %v, which should say %q", err, c.failure)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := r.Text(&b, render.Style{Width: 80}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), c.report) {
				t.Errorf("the report should have\n%s\nbut is\n%s", c.report, b.String())
			}
		})
	}
}

// The release of a library decides which deviations it has.
func TestLibraryOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Library{
		"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4": {deviation.Release{Name: "Open MPI 4.1.4", Known: deviation.OpenMPI, Number: 41}, 31},
		"Open MPI v5.0.10rc2, package: none":                     {deviation.Release{Name: "Open MPI 5.0.10rc2", Known: deviation.OpenMPI, Number: 50}, 31},
		"MPICH Version:\t4.2.0b1":                                {deviation.Release{Name: "MPICH 4.2.0b1", Known: deviation.MPICH, Number: 42}, 31},
		"MPICH Version: 4":                                       {deviation.Release{Name: "MPICH 4", Known: deviation.MPICH, Number: 0}, 31},
		"Slow MPI 3":                                             {deviation.Release{Name: "Slow MPI 3", Known: deviation.None, Number: 0}, 31},
	} {
		if got := (Library{deviation.Identify(text), 31}); got != want {
			t.Errorf("%s: %+v, not %+v", text, got, want)
		}
	}
}

// named returns an mpirun whose processes append these words to the lines about their communicators at the end.
func named(behind0, behind1 string) string {
	at := func(text, behind string) string {
		return strings.NewReplacer("at step 2", "at step 3", " -> #0 led by 1, rank 1, size 2", " -> #0 led by 1, rank 1, size 2"+behind,
			" -> #0 led by 1, rank 0, size 2", " -> #0 led by 1, rank 0, size 2"+behind).Replace(text)
	}
	return "tells 0 " + openMPI + at(rank0, behind0) + "\ntells 1 " + at(rank1, behind1)
}

// A launcher keeps its words; the number of ranks replaces {n}, or follows the words.
func TestLaunched(t *testing.T) {
	t.Parallel()
	mpirun := install(t, "hangs", "builds")
	for words, want := range map[string]string{
		"":                       "-n 3 p",
		"-hosts a:2,b:1":         "-hosts a:2,b:1 -n 3 p",
		"-np {n} --map-by ppr:1": "-np 3 --map-by ppr:1 p",
		"-n {n} ./fake_test.go":  "-n 3 " + must(filepath.Abs("fake_test.go")) + " p",
		"-x ./nothing":           "-x ./nothing -n 3 p",
	} {
		at, err := Launched(append([]string{mpirun}, strings.Fields(words)...))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(at.command(3, "p"), " "); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

func must(text string, err error) string {
	if err != nil {
		panic(err)
	}
	return text
}

// A launcher under which the probe writes nothing gives an error that says so.
func TestPlacementFails(t *testing.T) {
	t.Parallel()
	for acts, want := range map[string]string{"says banner": "the probe, which tells where ranks run, wrote nothing under ",
		"complains no slots\nexits 1": "failed under ", "hangs": "was still at work under "} {
		o := Options{Words: []string{install(t, acts, "builds")}, Limit: time.Minute, Placed: true}
		if acts == "hangs" {
			o.Limit = time.Second
		}
		err := Placement(t.Context(), o, 2, filepath.Join(t.TempDir(), "job.tar"))
		var input *repl.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", acts, err, want)
		}
	}
}

// attempted returns an mpirun whose library gives a session without handles the right results, and prints the given
// lines, with the rank for R, where a call is tried.
func attempted(lines string) string {
	acts := ""
	for _, n := range []string{"0", "1"} {
		acts += "program: tells " + n + " " + mpich + "world rank " + n + ` at step 1\nworld rank ` + n + ` -> #0 led by 0, rank ` + n + `, size 2\n` + "\n" +
			"attempt: tells " + n + " " + mpich + "world rank " + n + ` at step 1\n` + strings.ReplaceAll(lines, " R ", " "+n+" ") + "\n"
	}
	return acts + "attempt: hangs"
}

// Processes that an mpirun leaves running are ended, in its process group and outside it, also after Ctrl-C.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mpirun string
		cancel bool
	}{
		"after its end":      {"begets LIST\n" + together, false},
		"holding its output": {"begets holding LIST\n" + together, false},
		"after the limit":    {"begets LIST\nhangs", false},
		"on Ctrl-C":          {"begets LIST\nhangs", true},
		"stubborn":           {"ignores SIGTERM\nbegets LIST\nhangs", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := filepath.Join(t.TempDir(), "children")
			o := Options{Mpirun: install(t, strings.Replace(c.mpirun, "LIST", list, 1), "builds"), Limit: 3 * time.Second}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.cancel {
				go func() {
					for ctx.Err() == nil {
						if _, err := os.Stat(list); err == nil {
							cancel()
						}
						time.Sleep(10 * time.Millisecond)
					}
				}()
			}
			if _, err := Run(ctx, view(t, "half = split world color=0 key=-rank"), o); c.cancel != errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v", err)
			}
			data, err := os.ReadFile(list)
			if err != nil {
				t.Fatal(err)
			}
			for i, word := range strings.Fields(string(data)) {
				if _, err := os.Stat("/proc/self/environ"); i > 0 && err != nil {
					continue // out of the group, and no /proc to find it
				}
				pid := number(word)
				for try := 0; syscall.Kill(pid, 0) == nil && !zombie(pid); try++ {
					if try == 20 {
						t.Errorf("process %d is left", pid)
						break
					}
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
	}
}

// zombie reports whether a process has ended and its parent has not yet waited for it.
func zombie(pid int) bool {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(data), ") ")
	return strings.HasPrefix(rest, "Z")
}
