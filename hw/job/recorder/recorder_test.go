package recorder_test

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/hw/job"
	"codeberg.org/commsplit/commsplit/hw/job/recorder"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// library is an MPI that may be installed; env returns the flags of its launcher that pass a variable on.
type library struct {
	cc, fc, run string
	env         func(name, value string) []string
}

var (
	openMPI = library{"mpicc.openmpi", "mpifort.openmpi", "mpirun.openmpi",
		func(name, value string) []string { return []string{"-x", name + "=" + value} }}
	mpich = library{"mpicc.mpich", "mpifort.mpich", "mpiexec.hydra",
		func(name, value string) []string { return []string{"-env", name, value} }}
)

// strict are the flags under which the program compiles without a warning.
var strict = []string{"-std=c11", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"}

func command(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// source writes the program to a file.
func source(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recorder.c")
	if err := os.WriteFile(path, []byte(recorder.C()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// load compiles the program as a library without a warning, or skips the test.
func (l library) load(t *testing.T) string {
	t.Helper()
	judge.Ask(t, l.cc)
	judge.Ask(t, l.run)
	lib := filepath.Join(t.TempDir(), "librecorder.so")
	command(t, l.cc, append(slices.Clone(strict), "-shared", "-fPIC", "-o", lib, source(t), "-ldl")...)
	return lib
}

// compile compiles a C or Fortran program of testdata.
func (l library) compile(t *testing.T, file string, flags ...string) string {
	t.Helper()
	compiler := l.cc
	if strings.HasSuffix(file, ".f90") {
		judge.Ask(t, l.fc)
		compiler = l.fc
		flags = append([]string{"-cpp", "-w", "-fallow-argument-mismatch"}, flags...)
	}
	binary := filepath.Join(t.TempDir(), "app")
	command(t, compiler, append(append([]string{"-g", "-O0", filepath.Join("testdata", file)}, flags...), "-o", binary, "-lpthread")...)
	return binary
}

// launch runs a program with four processes and the recorder, and returns the recording's path and all output.
func (l library) launch(t *testing.T, lib string, more []string, program ...string) (file, said string, err error) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "app.tar")
	args := append([]string{"-n", "4"}, l.env("COMMSPLIT_RECORD", file)...)
	if lib != "" {
		args = append(args, l.env("LD_PRELOAD", lib)...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, l.run, slices.Concat(args, more, program)...)
	c.WaitDelay = time.Second
	c.Env = judge.OpenMPI(t)
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		err = errors.Join(err, errors.New("it hangs"))
	}
	return file, string(out), err
}

// members reads a recording, which may lack the blocks that end an archive.
func members(t *testing.T, file string) map[string]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string]string{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("%s: %s: %v", file, h.Name, err)
		}
		if _, ok := all[h.Name]; ok {
			t.Errorf("%s is there twice", h.Name)
		}
		all[h.Name] = string(text)
	}
}

// parts returns the files that processes left beside a recording, by rank.
func parts(t *testing.T, file string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(file + ".parts")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range list {
		text, err := os.ReadFile(filepath.Join(file+".parts", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(e.Name(), ".txt")] = strings.TrimRight(string(text), "\x00")
	}
	return all
}

// alone checks that nothing is left beside a recording.
func alone(t *testing.T, file string) {
	t.Helper()
	list, err := filepath.Glob(file + ".*")
	if err != nil || len(list) > 0 {
		t.Errorf("%v, beside the recording is %q", err, list)
	}
}

// lines returns the lines of a kind; calls come with their results, and without their places and times.
func lines(text, kind string) (list []string) {
	done := map[string]string{} // by call
	for line := range strings.Lines(text) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); f[0] == "done" {
			done[f[1]] = strings.Join(append([]string{""}, f[2:len(f)-1]...), " ")
		}
	}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if f[0] != kind {
			continue
		}
		last := ""
		if kind == "call" {
			last = done[f[1]]
			f = append(f[:2], f[3:len(f)-1]...)
		}
		list = append(list, strings.Join(f[1:], " ")+last)
	}
	return list
}

// last returns the last line of a member.
func last(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// ofRank1 is the calls of process 1 of 4 in the programs "all", worked by hand from their text.
const ofRank1 = `0 MPI_Comm_split 0 color=1 key=-1 => new=2 size=2 rank=1 leader=3
1 MPI_Comm_set_name 2 name=the half =>
2 MPI_Comm_dup 2 => new=3
3 MPI_Comm_dup_with_info 2 => new=4
4 MPI_Comm_idup 2 => new=5
5 MPI_Comm_free 3 =>
6 MPI_Comm_disconnect 4 =>
7 MPI_Comm_group 0 => newgroup=1 size=4
8 MPI_Group_incl - group=1 ranks=1,0 => newgroup=2 size=2
9 MPI_Group_excl - group=1 ranks=1,0 => newgroup=3 size=2
10 MPI_Group_range_incl - group=1 ranges=0,2,2 => newgroup=4 size=2
11 MPI_Group_range_excl - group=1 ranges=0,2,2 => newgroup=5 size=2
12 MPI_Group_union - group=2 group2=1 => newgroup=6 size=4
13 MPI_Group_intersection - group=2 group2=6 => newgroup=7 size=2
14 MPI_Group_difference - group=1 group2=2 => newgroup=8 size=2
15 MPI_Comm_create 0 group=2 => new=6 size=2 rank=0 leader=1
16 MPI_Comm_create_group 0 group=2 tag=7 => new=7 size=2 rank=0 leader=1
17 MPI_Group_free - group=8 =>
18 MPI_Comm_split_type 0 type=shared key=0 mpi_hw_resource_type=Package => new=8 size=4 rank=1 leader=0
19 MPI_Cart_create 0 dims=2,2 periods=1,0 reorder=0 => new=9 size=4 rank=1 leader=0
20 MPI_Cart_sub 9 remain=0,1 => new=10 size=2 rank=1 leader=0
21 MPI_Graph_create 0 index=1,2 edges=1,0 reorder=1 => new=11 size=2 rank=1 leader=0
22 MPI_Dist_graph_create 0 sources=1 degrees=1 destinations=2 reorder=0 => new=12 size=4 rank=1 leader=0
23 MPI_Dist_graph_create_adjacent 0 sources=0 destinations=2 reorder=0 => new=13 size=4 rank=1 leader=0
24 MPI_Intercomm_create 2 leader=0 peer=0 remoteleader=2 tag=3 => new=14 size=2 rank=1 leader=3 remote=2 remoteleader=2
25 MPI_Comm_remote_group 14 => newgroup=9 size=2
26 MPI_Intercomm_merge 14 high=1 => new=15 size=4 rank=3 leader=2
27 MPI_Comm_get_parent - => null
`

// sessionsOfRank1 follows ofRank1 where the library has MPI 4.
const sessionsOfRank1 = `28 MPI_Session_init - => newsession=0
29 MPI_Group_from_session_pset - session=0 pset=mpi://WORLD => newgroup=10 size=4
30 MPI_Group_range_incl - group=10 ranges=0,2,2 => newgroup=11 size=2
31 MPI_Group_range_excl - group=10 ranges=0,2,2 => newgroup=12 size=2
32 MPI_Comm_create_from_group - group=10 stringtag=all => new=16 size=4 rank=1 leader=0
33 MPI_Comm_idup_with_info 16 => new=17
34 MPI_Comm_free 17 =>
35 MPI_Comm_free 16 =>
36 MPI_Intercomm_create_from_groups - group=12 leader=0 remotegroup=11 remoteleader=0 stringtag=halves => new=18 size=2 rank=0 leader=1 remote=2 remoteleader=0
37 MPI_Comm_free 18 =>
38 MPI_Session_finalize - session=0 =>
`

// standards are the calls of the standard that make, name or give up a communicator, a group or a session, by the
// version that has them first, times ten: MPI-5.0 §7.3, §7.4, §7.6, §7.8, §8.5, §11.3, §11.8, §11.10, and the versions'
// lists of changes in Annex B. MPI_Win_get_group and MPI_File_get_group are not among them: the recorder records a
// group from them where the program uses it. Calls of a process itself (MPI_Init, MPI_Finalize, MPI_Abort) are wrapped,
// and not recorded.
var standards = map[int]string{
	20: "Comm_dup Comm_create Comm_split Comm_free Comm_group Comm_remote_group Comm_set_name Comm_disconnect " +
		"Comm_spawn Comm_spawn_multiple Comm_accept Comm_connect Comm_join Comm_get_parent Intercomm_create " +
		"Intercomm_merge Cart_create Cart_sub Graph_create Group_incl Group_excl Group_range_incl Group_range_excl " +
		"Group_union Group_intersection Group_difference Group_free",
	22: "Dist_graph_create Dist_graph_create_adjacent",
	30: "Comm_dup_with_info Comm_idup Comm_create_group Comm_split_type",
	40: "Comm_idup_with_info Comm_create_from_group Intercomm_create_from_groups Group_from_session_pset " +
		"Session_init Session_finalize",
}

// Each call of the standard is wrapped for C and for both bindings of Fortran, where the library's standard has it: a
// missing wrapper would go unnoticed.
func TestWrappers(t *testing.T) {
	t.Parallel()
	text := recorder.C()
	for _, pattern := range []string{`^WRAP\((\w+),`, `^FORTRAN\(\w+, "MPI_(\w+)",`} {
		wrapped, standard := map[int][]string{}, 20
		for line := range strings.Lines(text) {
			if m := regexp.MustCompile(`^#if STANDARD >= (\d+)`).FindStringSubmatch(line); m != nil {
				standard, _ = strconv.Atoi(m[1])
			} else if strings.HasPrefix(line, "#endif") {
				standard = 20
			}
			if m := regexp.MustCompile(pattern).FindStringSubmatch(line); m != nil {
				wrapped[standard] = append(wrapped[standard], m[1])
			}
		}
		for standard, names := range standards {
			want, got := strings.Fields(names), wrapped[standard]
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s: of standard %d it has %q, want %q", pattern, standard, got, want)
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^FORTRAN\((\w+), "MPI_(\w+)",`).FindAllStringSubmatch(text, -1) {
		if m[1] != strings.ToLower(m[2]) {
			t.Errorf("%s records %s", m[1], m[2])
		}
	}
	if strings.Count(text, "\n#define ME ") != 1 || strings.Contains(text, "TABLE */") {
		t.Error("the program has two heads, or no table")
	}
}

// A call that is newer than the standard of the library's mpi.h is left out.
func testStandards(t *testing.T, l library) {
	judge.Ask(t, l.cc)
	file := source(t)
	for _, standard := range []string{"20", "21", "22", "30", "31"} {
		command(t, l.cc, append(slices.Clone(strict), "-DSTANDARD="+standard, "-c", "-fPIC", "-o", os.DevNull, file)...)
	}
}

func TestStandardsOpenMPI(t *testing.T) { t.Parallel(); testStandards(t, openMPI) }
func TestStandardsMPICH(t *testing.T)   { t.Parallel(); testStandards(t, mpich) }

// testAll records all calls in C and in the three bindings of Fortran: each once, with its arguments, its results and
// its line in the source, whether or not the library's Fortran calls its C.
func testAll(t *testing.T, l library, more string) {
	lib := l.load(t)
	for _, c := range []struct {
		file  string
		flags []string
		want  string
	}{
		{"all.c", []string{"-w"}, ofRank1 + more},
		{"all.f90", nil, ofRank1},
		{"all.f90", []string{"-DF08"}, ofRank1},
		{"all.f90", []string{"-DMPIFH"}, ofRank1},
	} {
		binary := l.compile(t, c.file, c.flags...)
		file, said, err := l.launch(t, lib, nil, binary)
		if err != nil || strings.Contains(said, "commsplit record") {
			t.Fatalf("%s %q: %v\n%s", c.file, c.flags, err, said)
		}
		all := members(t, file)
		text := all["calls/1.txt"]
		want := c.want
		if strings.HasSuffix(c.file, ".f90") { // it gives no info
			want = strings.Replace(want, " mpi_hw_resource_type=Package", "", 1)
		}
		if got := strings.Join(lines(text, "call"), "\n") + "\n"; got != want {
			t.Errorf("%s %q: got\n%s\nwant\n%s", c.file, c.flags, got, want)
		}
		if last(text) != "end\tfinalize" || len(lines(text, "clock")) != 1 || len(lines(text, "truncated")) != 0 {
			t.Errorf("%s %q: ends with %q", c.file, c.flags, last(text))
		}
		if module, stack := lines(text, "module")[0], lines(text, "stack")[0]; !regexp.MustCompile("^0 [0-9a-f]{40} "+binary+"$").MatchString(module) ||
			!regexp.MustCompile(`^0 0\+0x[0-9a-f]+ 0\+0x`).MatchString(stack) {
			t.Errorf("%s %q: module %q, stack %q", c.file, c.flags, module, stack)
		}
		alone(t, file)
		checkJob(t, file, all)
	}
}

// checkJob compares the recording's description of the run with the run itself: four ranks, of one run.
func checkJob(t *testing.T, file string, all map[string]string) {
	t.Helper()
	j, err := job.Read(t.Context(), file)
	if err != nil || len(j.Ranks) != 4 || len(j.Hosts) != 1 {
		t.Errorf("%v, %+v", err, j)
	}
	run := lines(all["record.txt"], "run")
	for rank := range 4 {
		want := fmt.Sprintf("commsplit calls\t2\t%s\t%d\n", run[0], rank)
		if name := fmt.Sprintf("calls/%d.txt", rank); !strings.HasPrefix(all[name], want) {
			t.Errorf("%s begins with %.60q, want %q", name, all[name], want)
		}
	}
	if got := lines(all["record.txt"], "ranks"); !slices.Equal(got, []string{"4"}) || lines(all["record.txt"], "program")[0] != "app" {
		t.Errorf("record.txt: %q", all["record.txt"])
	}
}

func TestAllCallsOpenMPI(t *testing.T) { t.Parallel(); testAll(t, openMPI, "") }
func TestAllCallsMPICH(t *testing.T)   { t.Parallel(); testAll(t, mpich, sessionsOfRank1) }

// testEnds ends programs in each way. All processes have their members in the recording, also those that the library
// ends because one of them ended; a killed process has left its calls in a file beside the recording. The launcher ends
// as it does without the recorder.
func testEnds(t *testing.T, l library) {
	lib := l.load(t)
	binary := l.compile(t, "ends.c")
	for _, c := range []struct {
		how, end string // of process 1, which alone ends so, or of any process where all do
	}{
		{"exit", ""},
		{"_exit", ""},
		{"all abort", ""},
		{"abort", "end\tabort"},
		{"term", "end\tsignal 15"},
		{"fault", "end\tsignal 11"},
		{"killed", ""},
	} {
		file, said, err := l.launch(t, lib, nil, binary, c.how)
		if _, _, without := l.launch(t, "", nil, binary, c.how); c.end != "" && fmt.Sprint(err) != fmt.Sprint(without) {
			t.Errorf("%s: %v, without the recorder %v", c.how, err, without)
		}
		all := members(t, file)
		for rank, text := range parts(t, file) {
			all["calls/"+rank+".txt"] = text
		}
		if (len(lines(all["calls/1.txt"], "fault")) == 1) != (c.how == "fault") {
			t.Errorf("%s: faults %q", c.how, lines(all["calls/1.txt"], "fault"))
		}
		if c.how != "killed" {
			alone(t, file)
		}
		if got := last(all["calls/1.txt"]); c.end != "" && got != c.end {
			t.Errorf("%s: calls/1.txt ends with %q, want %q\n%s", c.how, got, c.end, said)
		}
		if n := len(lines(all["calls/1.txt"], "call")); n != 20 {
			t.Errorf("%s: %d calls, want 20", c.how, n)
		}
		if _, err := job.Read(t.Context(), file); err != nil {
			t.Errorf("%s: %v", c.how, err)
		}
		for _, rank := range []string{"0", "1", "2", "3"} {
			text := all["calls/"+rank+".txt"]
			if end := last(text); c.how != "killed" && !strings.HasPrefix(end, "end\t") || end == "end\tfinalize" || len(lines(text, "call")) != 20 {
				t.Errorf("%s: calls/%s.txt has %d calls and ends with %q", c.how, rank, len(lines(text, "call")), end)
			}
		}
	}
}

func TestEndsOpenMPI(t *testing.T) { t.Parallel(); testEnds(t, openMPI) }
func TestEndsMPICH(t *testing.T)   { t.Parallel(); testEnds(t, mpich) }

// A program's own handler of a signal gets it as without the recorder, wherever the program sets it: with its flags and
// mask, and what it does is done. The recording goes on if the program does. If not, it says which signal came last, and
// for a fault where.
func testHandlers(t *testing.T, l library) {
	lib, binary := l.load(t), l.compile(t, "handlers.c")
	for _, c := range []struct{ signal, does, want string }{
		{"fault", "return", "call caught 11 call end finalize"},
		{"fault", "jump", "call caught 11 call end finalize"},
		{"fault", "exit", "call caught 11 fault end exit"},
		{"abort", "return", "call caught 6 fault end signal 6"},
		{"abort", "jump", "call caught 6 call end finalize"},
		{"abort", "exit", "call caught 6 fault end exit"},
		{"term", "return", "call caught 15 call end finalize"},
		{"term", "jump", "call caught 15 call end finalize"},
		{"term", "exit", "call caught 15 end exit"},
	} {
		for _, when := range []string{"before", "after"} {
			file, said, err := l.launch(t, lib, nil, binary, when, c.signal, c.does)
			all := members(t, file)
			var got []string
			for line := range strings.Lines(all["calls/1.txt"]) {
				switch f := strings.Fields(line); f[0] {
				case "call", "fault":
					got = append(got, f[0])
				case "caught", "end":
					got = append(got, f...)
				}
			}
			if strings.Join(got, " ") != c.want || (err == nil) != strings.Contains(c.want, "finalize") || len(all["calls/0.txt"]) == 0 {
				t.Errorf("%s %+v: got %q, %v\n%s", when, c, got, err, said)
			}
			alone(t, file)
		}
	}
}

func TestHandlersOpenMPI(t *testing.T) { t.Parallel(); testHandlers(t, openMPI) }
func TestHandlersMPICH(t *testing.T)   { t.Parallel(); testHandlers(t, mpich) }

// When communicators leak until the library gives up, the recording names the line, also that of the call that failed,
// and calls beyond the limit are counted.
func TestLeakMPICH(t *testing.T) {
	t.Parallel()
	lib := mpich.load(t)
	file, said, _ := mpich.launch(t, lib, mpich.env("COMMSPLIT_RECORD_LIMIT", "500"), mpich.compile(t, "ends.c"), "leak")
	if !strings.Contains(said, "Too many communicators") {
		t.Fatalf("the library did not give up\n%s", said)
	}
	text := members(t, file)["calls/0.txt"]
	if got := lines(text, "truncated"); len(lines(text, "call")) != 500 || !slices.Equal(got, []string{"500"}) {
		t.Errorf("%d calls, truncated %q", len(lines(text, "call")), got)
	}
	all := lines(text, "count") // told again and again behind the limit
	counts := strings.Fields(all[len(all)-1])
	if counts[1] != "MPI_Comm_dup" || counts[3] == "made=0" || strings.TrimPrefix(counts[3], "made=") != strings.TrimPrefix(counts[5], "alive=") {
		t.Errorf("counts %q", counts)
	}
	if n := len(lines(text, "stack")); n != 2 || last(text) != "end\tabort" {
		t.Errorf("%d places, %s", n, last(text))
	}
}

// Calls of several threads are each there once, with their thread.
func testThreads(t *testing.T, l library) {
	file, said, err := l.launch(t, l.load(t), nil, l.compile(t, "threads.c"))
	if err != nil || strings.Contains(said, "no threads") {
		t.Fatalf("%v\n%s", err, said)
	}
	count := map[string]int{}
	made := map[string]bool{}
	for _, line := range lines(members(t, file)["calls/2.txt"], "call") {
		f := strings.Fields(line)
		count[f[1]+" "+strings.Trim(f[3], "=>")]++
		if _, id, ok := strings.Cut(line, "new="); ok {
			made[strings.Fields(id)[0]] = true
		}
	}
	want := map[string]int{"MPI_Comm_dup ": 3}
	for _, thread := range []string{"thread=1", "thread=2", "thread=3"} {
		want["MPI_Comm_dup "+thread], want["MPI_Comm_free "+thread] = 100, 100
	}
	if len(made) != 303 || !maps.Equal(count, want) {
		t.Errorf("%d communicators, %v, want %v", len(made), count, want)
	}
}

// Of each communicator that carried a message, or waited for others, one line says so, in C and in the three bindings of
// Fortran; and one names a module that calls past the recorder. Which ones, by hand from the programs: not those that
// only others or groups were made from; a handle that the library gives again is another communicator.
func testUses(t *testing.T, l library) {
	lib := l.load(t)
	for _, c := range []struct {
		file, flag, used, unseen string
	}{
		{"uses.c", "-w", "2 3 5 6 7 8 9 12", ""},
		{"uses.c", "-DPROFILED", "2 3 5 6 7 8 9 12", "app PMPI_Barrier"},
		{"uses.f90", "-w", "2 3 5", ""},
		{"uses.f90", "-DF08", "2 3 5", ""},
		{"uses.f90", "-DMPIFH", "2 3 5", ""},
	} {
		file, said, err := l.launch(t, lib, nil, l.compile(t, c.file, c.flag))
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", c.file, c.flag, err, said)
		}
		all := members(t, file)
		text := all["calls/1.txt"]
		unseen := slices.DeleteFunc(lines(text, "unseen"), func(s string) bool { return strings.HasPrefix(s, "libmpi") })
		slices.Sort(unseen)
		if used := strings.Join(lines(text, "used"), " "); used != c.used || strings.Join(slices.Compact(unseen), ",") != c.unseen {
			t.Errorf("%s %s: used %s, want %s; unseen %q, want %q", c.file, c.flag, used, c.used, unseen, c.unseen)
		}
		if used := lines(all["calls/2.txt"], "used"); len(used) == 0 || used[0] != "3" || !slices.Equal(lines(all["record.txt"], "messages"), []string{"noted"}) {
			t.Errorf("%s %s: process 2 used %q", c.file, c.flag, used)
		}
	}
}

func TestUsesOpenMPI(t *testing.T) { t.Parallel(); testUses(t, openMPI) }
func TestUsesMPICH(t *testing.T)   { t.Parallel(); testUses(t, mpich) }

// Each function of MPICH's mpi.h that moves data on a communicator, or waits there, is wrapped: those with a datatype,
// probes and barriers (MPI 4.0).
func TestCarriersMPICH(t *testing.T) {
	judge.Ask(t, mpich.cc)
	out, err := exec.Command(mpich.cc, "-E", "-include", "mpi.h", "-x", "c", os.DevNull).Output()
	if err != nil {
		t.Fatal(err)
	}
	text, n := recorder.C(), 0
	for _, m := range regexp.MustCompile(`(?s)\bint MPI_(\w+)\(([^;]*?)\)[^;]*;`).FindAllStringSubmatch(string(out), -1) {
		if name := m[1]; strings.Contains(m[2], "MPI_Comm ") && !strings.HasPrefix(name, "Pack") && !strings.HasPrefix(name, "Unpack") &&
			(strings.Contains(m[2], "MPI_Datatype ") || strings.Contains(name, "robe") || strings.Contains(name, "arrier")) {
			n++
			if !strings.Contains(text, "\nCARRIES("+name+",") || !strings.HasSuffix(name, "_c") && !strings.Contains(text, "\nFORTRAN_CARRIES("+strings.ToLower(name)+",") {
				t.Errorf("MPI_%s is not wrapped", name)
			}
		}
	}
	if n < 150 {
		t.Errorf("mpi.h has %d such functions", n)
	}
}

// ofRank2 is the calls of process 2 of 4 in the programs "sessions", worked by hand from their text.
const ofRank2 = `0 MPI_Session_init - => newsession=0
1 MPI_Group_from_session_pset - session=0 pset=mpi://SELF => newgroup=1 size=1
2 MPI_Comm_create_from_group - group=1 stringtag=alone => new=2 size=1 rank=0 leader=2
3 MPI_Group_from_session_pset - session=0 pset=mpi://WORLD => newgroup=2 size=4
4 MPI_Comm_create_from_group - group=2 stringtag=all => new=3 size=4 rank=2 leader=0
5 MPI_Group_range_incl - group=2 ranges=0,2,2 => newgroup=3 size=2
6 MPI_Comm_create_from_group - group=3 stringtag=even => new=4 size=2 rank=1 leader=0
7 MPI_Comm_free 4 =>
8 MPI_Group_free - group=3 =>
9 MPI_Comm_free 3 =>
10 MPI_Group_free - group=2 =>
11 MPI_Comm_free 2 =>
12 MPI_Group_free - group=1 =>
13 MPI_Session_finalize - session=0 =>
`

// A program with sessions and without MPI_Init (MPI-5.0 §11.3) is recorded from its first session on, also the calls
// before all processes meet; where they never meet, process 0 prints that, and the program runs as without the
// recorder.
func TestSessionsMPICH(t *testing.T) {
	t.Parallel()
	lib, c := mpich.load(t), mpich.compile(t, "sessions.c")
	for _, run := range []struct{ binary, how, end string }{
		{c, "", "finalize"}, {c, "init", "finalize"}, {c, "exit", ""}, {c, "error", "abort"},
		{mpich.compile(t, "sessions.f90"), "", "finalize"},
		{mpich.compile(t, "sessions.f90", "-DF08"), "", "finalize"},
		{mpich.compile(t, "sessions.f90", "-DMPIFH"), "", "finalize"},
	} {
		file, said, err := mpich.launch(t, lib, nil, run.binary, run.how)
		if strings.Contains(said, "commsplit record") || (err != nil && run.end == "finalize") {
			t.Fatalf("%s: %v\n%s", run.how, err, said)
		}
		all := members(t, file)
		checkJob(t, file, all)
		text := all["calls/2.txt"]
		if run.end != "" && last(text) != "end\t"+run.end {
			t.Errorf("%s: ends with %q, want %s", run.how, last(text), run.end)
		}
		if got := strings.Join(lines(text, "call"), "\n") + "\n"; run.end == "finalize" && got != ofRank2 {
			t.Errorf("%s: got\n%s\nwant\n%s", run.how, got, ofRank2)
		}
	}
	file, said, err := mpich.launch(t, lib, nil, c, "alone")
	want := "commsplit record: " + file + " is not written: for that the program must call MPI_Init, or " +
		"MPI_Comm_create_from_group with all processes of mpi://WORLD\n"
	if err != nil || !strings.Contains(said, want) || strings.Count(said, "commsplit record") != 1 || strings.Count(said, "is done") != 4 {
		t.Errorf("%v\n%s", err, said)
	}
}

// Communicators with processes of another world (MPI-5.0 §11.8 to §11.10): a process of another world is "-", a process
// of this world that was met over a port or a socket is known. Spawned processes have a recording of their own. MPICH
// as Debian builds it has none of these calls.
func TestDynamicOpenMPI(t *testing.T) {
	t.Parallel()
	lib, binary := openMPI.load(t), openMPI.compile(t, "dynamic.c")
	for _, c := range []struct {
		how  []string
		want []string // of process 1
	}{
		{[]string{"spawn"}, []string{
			"1 MPI_Comm_spawn 0 command=app maxprocs=2 root=1 => new=2 size=4 rank=1 leader=0 remote=2 remoteleader=-",
			"2 MPI_Intercomm_merge 2 high=0 => new=3 size=6 rank=1 leader=0",
			"3 MPI_Comm_free 3 =>", "4 MPI_Comm_disconnect 2 =>"}},
		{[]string{"ports"}, []string{
			"1 MPI_Comm_split 0 color=1 key=0 => new=2 size=2 rank=0 leader=1",
			"2 MPI_Comm_connect 2 root=0 => new=3 size=2 rank=0 leader=1 remote=2 remoteleader=0",
			"3 MPI_Comm_disconnect 3 =>"}},
		{[]string{"join", filepath.Join(t.TempDir(), "s")}, []string{
			"1 MPI_Comm_join - => new=2 size=1 rank=0 leader=1 remote=1 remoteleader=0",
			"2 MPI_Comm_disconnect 2 =>"}},
	} {
		file, said, err := openMPI.launch(t, lib, nil, append([]string{binary}, c.how...)...)
		if err != nil || strings.Contains(said, "commsplit record") {
			t.Fatalf("%s: %v\n%s", c.how, err, said)
		}
		all := members(t, file)
		checkJob(t, file, all)
		if got := lines(all["calls/1.txt"], "call")[1:]; !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s", c.how, strings.Join(got, "\n"))
		}
		if c.how[0] != "spawn" {
			continue
		}
		child := members(t, strings.Replace(file, ".tar", "-spawned1.tar", 1))
		want := []string{"0 MPI_Comm_get_parent - => new=2 size=2 rank=1 leader=0 remote=4 remoteleader=-",
			"1 MPI_Intercomm_merge 2 high=1 => new=3 size=6 rank=5 leader=-",
			"2 MPI_Comm_free 3 =>", "3 MPI_Comm_disconnect 2 =>"}
		if got := lines(child["calls/1.txt"], "call"); !slices.Equal(got, want) {
			t.Errorf("the spawned process: got\n%s", strings.Join(got, "\n"))
		}
		if lines(child["record.txt"], "ranks")[0] != "2" || lines(child["record.txt"], "run")[0] == lines(all["record.txt"], "run")[0] {
			t.Errorf("the spawned processes' record.txt: %q", child["record.txt"])
		}
	}
}

// The same in Fortran, whose texts have a length and no final NUL.
func TestDynamicFortranOpenMPI(t *testing.T) {
	t.Parallel()
	lib := openMPI.load(t)
	for _, flags := range [][]string{nil, {"-DF08"}, {"-DMPIFH"}} {
		file, said, err := openMPI.launch(t, lib, nil, openMPI.compile(t, "dynamic.f90", flags...))
		if err != nil || strings.Contains(said, "commsplit record") {
			t.Fatalf("%s: %v\n%s", flags, err, said)
		}
		got := strings.Join(lines(members(t, file)["calls/1.txt"], "call"), "\n")
		const want = "0 MPI_Comm_get_parent - => null\n" +
			"1 MPI_Comm_spawn_multiple 0 command=app maxprocs=2 root=1 => new=2 size=4 rank=1 leader=0 remote=2 remoteleader=-\n" +
			"2 MPI_Intercomm_merge 2 high=0 => new=3 size=6 rank=1 leader=0\n3 MPI_Comm_free 3 =>\n4 MPI_Comm_disconnect 2 =>\n" +
			"5 MPI_Comm_split 0 color=1 key=0 => new=4 size=2 rank=0 leader=1\n" +
			"6 MPI_Comm_connect 4 root=0 => new=5 size=2 rank=0 leader=1 remote=2 remoteleader=0\n7 MPI_Comm_disconnect 5 =>"
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", flags, got, want)
		}
	}
}

func TestThreadsOpenMPI(t *testing.T) { t.Parallel(); testThreads(t, openMPI) }
func TestThreadsMPICH(t *testing.T)   { t.Parallel(); testThreads(t, mpich) }

// The recorder can be one of the program's files.
func testLinked(t *testing.T, l library) {
	judge.Ask(t, l.cc)
	judge.Ask(t, l.run)
	file, said, err := l.launch(t, "", nil, l.compile(t, "ends.c", source(t), "-ldl"))
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if text := members(t, file)["calls/3.txt"]; len(lines(text, "call")) != 20 || last(text) != "end\tfinalize" {
		t.Errorf("%d calls, %s", len(lines(text, "call")), last(text))
	}
}

func TestLinkedOpenMPI(t *testing.T) { t.Parallel(); testLinked(t, openMPI) }
func TestLinkedMPICH(t *testing.T)   { t.Parallel(); testLinked(t, mpich) }

// A recorder that cannot write reports that once, and the program runs as without it. Where the name is taken, the
// recording gets a number, and the existing file stays.
func testCannotWrite(t *testing.T, l library) {
	lib, binary := l.load(t), l.compile(t, "ends.c")
	dir := t.TempDir()
	there, second := filepath.Join(dir, "there.tar"), filepath.Join(dir, "there-2.tar")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{there, "commsplit record: " + there + " already exists: this run is recorded in " + second + "\n"},
		{there, "commsplit record: " + there + " already exists: this run is recorded in " + filepath.Join(dir, "there-3.tar") + "\n"},
		{"/no/app.tar", "commsplit record: cannot write /no/app.tar: No such file or directory; nothing is recorded\n"},
		{"", ""},
	} {
		_, said, err := l.launch(t, lib, l.env("COMMSPLIT_RECORD", c.path), binary)
		if err != nil || strings.Count(said, "commsplit record") != strings.Count(c.want, "commsplit record") ||
			!strings.Contains(said, c.want) || strings.Count(said, "is done") != 4 {
			t.Errorf("%s: %v\n%s", c.path, err, said)
		}
	}
	if text, err := os.ReadFile(there); string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	checkJob(t, second, members(t, second))
	alone(t, second)
}

// testSome gives the recorder to one process of two. The recorder records that process, and nowhere waits for the
// other.
func testSome(t *testing.T, l library) {
	lib, binary := l.load(t), l.compile(t, "ends.c")
	file := filepath.Join(t.TempDir(), "some.tar")
	with := append(l.env("COMMSPLIT_RECORD", file), l.env("LD_PRELOAD", lib)...)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, l.run, slices.Concat([]string{"-n", "1"}, with, []string{binary, ":", "-n", "1", binary})...)
	c.Env = judge.OpenMPI(t)
	out, err := c.CombinedOutput()
	said := string(out)
	want := "commsplit record: 1 of 2 processes have the recorder and see the folder of " + file + ": each of them records alone, " +
		"and no hosts are recorded. If all have it, set COMMSPLIT_RECORD_ALL=1\n"
	if err != nil || !strings.Contains(said, want) || strings.Count(said, "commsplit record") != 1 || strings.Count(said, "is done") != 2 {
		t.Fatalf("%v\n%s", err, said)
	}
	all := members(t, file)
	if text := all["calls/0.txt"]; len(all) != 2 || len(lines(text, "call")) != 20 || last(text) != "end\tfinalize" ||
		!slices.Equal(lines(all["record.txt"], "alone"), []string{"1"}) {
		t.Errorf("%q\n%s", all["record.txt"], text)
	}
	alone(t, file)
}

func TestSomeOpenMPI(t *testing.T) { t.Parallel(); testSome(t, openMPI) }
func TestSomeMPICH(t *testing.T)   { t.Parallel(); testSome(t, mpich) }

func TestCannotWriteOpenMPI(t *testing.T) { t.Parallel(); testCannotWrite(t, openMPI) }
func TestCannotWriteMPICH(t *testing.T)   { t.Parallel(); testCannotWrite(t, mpich) }
