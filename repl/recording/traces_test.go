package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ascii writes calls as dumpi2ascii does, one a line of "NAME ARGUMENT=VALUE ...": arguments that end in comm or group are
// handles, lists have brackets.
func ascii(calls ...string) string {
	var b strings.Builder
	for i, c := range calls {
		name, args, _ := strings.Cut(c, " ")
		at := fmt.Sprintf("walltime 7.%09d, cputime 0.000000001 seconds in thread 0.", 1000*i)
		fmt.Fprintf(&b, "%s entering at %s\n", name, at)
		for _, a := range strings.Fields(args) {
			left, value, _ := strings.Cut(a, "=")
			value = strings.ReplaceAll(value, ",", ", ")
			switch {
			case left == "ranges": // as it is: the lines of a list of lists end where they should not
				fmt.Fprintf(&b, "int ranges[2][3]=%s]", strings.ReplaceAll(value, "], ", "]\n, ")[:len(value)]+"\n")
			case strings.HasSuffix(left, "comm"):
				fmt.Fprintf(&b, "MPI_Comm %s=%s (user-defined-comm)\n", left, value)
			case strings.Contains(left, "group"):
				fmt.Fprintf(&b, "MPI_Group %s=%s (user-defined-group)\n", left, value)
			case left == "datatype":
				fmt.Fprintf(&b, "MPI_Datatype datatype=%s (MPI_INT)\n", value)
			default:
				fmt.Fprintf(&b, "int %s%s=%s\n", left, strings.Repeat("[2]", strings.Count(value, "[")), value)
			}
		}
		fmt.Fprintf(&b, "%s returning at %s\n", name, at)
	}
	return b.String()
}

// traced writes a run of DUMPI, and returns the path of its file about the whole run.
func traced(t *testing.T, ranks []string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"run.meta": fmt.Sprintf("hostname=n0\nnumprocs=%d\nusername=<none>\nfileprefix=run\n", len(ranks))}
	for i, text := range ranks {
		files[fmt.Sprintf("run-%04d.txt", i)] = text
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); text != "" && err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "run.meta")
}

// The members of what four ranks make are those that the rules give, by hand: the even ranks against their keys; the rows
// of a 2x2 grid; both halves, the two sides of an intercommunicator, and merged with the first half behind; ranks 3 and 1
// of the world by ranges. Of two duplicates with one handle, the first carried a message (MPI-5.0 §7.4.2, §7.6.2, §8.5.1,
// §8.5.5).
func TestDUMPI(t *testing.T) {
	t.Parallel()
	var ranks []string
	for r := range 4 {
		even, evens, leader, first := "-32766", "1", 2, 1
		if r%2 == 0 {
			even, evens = "0", "4"
		}
		if r >= 2 {
			leader, first = 0, 0
		}
		of := "1"
		if r%2 == 1 {
			of = "10"
		}
		ranks = append(ranks, ascii("MPI_Init argc=1",
			fmt.Sprintf("MPI_Comm_split oldcomm=2 color=%s key=%d newcomm=%s", even, -r, evens),
			"MPI_Cart_create oldcomm=2 ndim=2 dims=[2,2] periods=[0,1] reorder=0 newcomm=5",
			"MPI_Cart_sub ndim=2 oldcomm=5 remain_dims=[0,1] newcomm=6",
			fmt.Sprintf("MPI_Comm_split oldcomm=2 color=%d key=0 newcomm=7", r/2),
			fmt.Sprintf("MPI_Intercomm_create localcomm=7 localleader=0 remotecomm=2 remoteleader=%d tag=7 newcomm=8", leader),
			fmt.Sprintf("MPI_Intercomm_merge comm=8 high=%d newcomm=9", first),
			"MPI_Comm_group comm=2 group=3",
			"MPI_Group_range_incl group=3 count=2 ranges=[[3,3,1],[1,1,1]] newgroup=4",
			"MPI_Comm_create oldcomm=2 group=4 newcomm="+of,
			"MPI_Comm_dup oldcomm=9 newcomm=11",
			"MPI_Allreduce count=1 datatype=9 op=3 comm=11",
			"MPI_Comm_free comm=11",
			"MPI_Comm_dup oldcomm=9 newcomm=11",
			"MPI_Comm_size comm=11 size=4"))
	}
	r, err := Read(t.Context(), traced(t, ranks))
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range r.comms[1:] {
		got += fmt.Sprint(c.members, c.remote, c.carried, c.freed != nil, "\n")
	}
	if want := `[2 0] [] false false
[0 1 2 3] [] false false
[0 1] [] false false
[2 3] [] false false
[0 1] [] false false
[2 3] [] false false
[0 1] [2 3] false false
[2 3 0 1] [] false false
[3 1] [] false false
[2 3 0 1] [] true true
[2 3 0 1] [] false false
`; got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	unused := map[string]int{}
	for _, u := range r.Uses() {
		unused[u.Site.String()+" "+u.Call] += u.Unused
	}
	if unused["on one of MPI_Intercomm_merge MPI_Comm_dup"] != 1 || unused["on MPI_COMM_WORLD MPI_Comm_split"] != 1 {
		t.Error(unused)
	}
}

// What is no trace of all processes, or not whole, is refused with the file, the line, and what is wrong there; a process
// without a text is missing.
func TestTracesRefused(t *testing.T) {
	t.Parallel()
	free := "MPI_Comm_free comm=9"
	for _, c := range []struct {
		ranks []string
		want  string
	}{
		{[]string{"", ""}, "there is no run-0000.txt beside it, nor the text of another process: want what dumpi2ascii makes of each"},
		{[]string{ascii(free)}, `run-0000.txt:3: MPI_Comm_free on communicator "9", which no call before made`},
		{[]string{ascii("MPI_Comm_split oldcomm=2 color=0 newcomm=4")}, "run-0000.txt:5: MPI_Comm_split without its argument key"},
		{[]string{ascii("MPI_Comm_split oldcomm=2 color=a key=0 newcomm=4")}, `run-0000.txt:6: MPI_Comm_split, argument color: "a" is not a number`},
		{[]string{"MPI_Init entering at walltime 1.5\n"}, `run-0000.txt:1: "1.5" is not a time in seconds with nine digits behind the point`},
	} {
		path := traced(t, c.ranks)
		for i, text := range c.ranks {
			if text == "" {
				os.Remove(filepath.Join(filepath.Dir(path), fmt.Sprintf("run-%04d.txt", i)))
			}
		}
		if _, err := Read(t.Context(), path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	path := traced(t, []string{ascii("MPI_Comm_dup oldcomm=2 newcomm=4"), ""})
	os.Remove(filepath.Join(filepath.Dir(path), "run-0001.txt"))
	r, err := Read(t.Context(), path)
	if err != nil || !slices.Equal(r.Missing().List(), []int32{1}) || len(r.comms) != 2 {
		t.Errorf("%v, %v", r, err)
	}
}

// definitions are those of a trace of three processes, as otf2-print writes them; flags are those of its two communicators
// besides MPI_COMM_WORLD.
func definitions(flags string) string {
	return `
=== OTF2-PRINT ===

=== Global Definitions =========================================================

Definition                            ID  Attributes
--------------------------------------------------------------------------------
CLOCK_PROPERTIES                          Ticks per Seconds: 1000000, Global Offset: 10, Length: 90, Date: UNKNOWN
REGION                                 0  Name: "main, of all" <8> (Aka. "main" <8>), Descr.: "" <0>, Role: FUNCTION, Paradigm: USER, Flags: NONE, File: "app.c" <9>, Begin: 3, End: 40
REGION                                 1  Name: "halo" <10> (Aka. "halo" <10>), Descr.: "" <0>, Role: FUNCTION, Paradigm: COMPILER, Flags: NONE, File: UNDEFINED, Begin: 0, End: 0
REGION                                 2  Name: "MPI_Comm_split" <12> (Aka. "MPI_Comm_split" <12>), Descr.: "" <0>, Role: FUNCTION, Paradigm: MPI, Flags: NONE, File: "MPI" <13>, Begin: 0, End: 0
GROUP                                  0  Name: "" <0>, Type: COMM_LOCATIONS, Paradigm: MPI, Flags: NONE, 3 Members: "main" <0>, "main" <70>, "main" <80>
GROUP                                  1  Name: "" <0>, Type: COMM_GROUP, Paradigm: MPI, Flags: NONE, 3 Members: 0 ("main" <0>), 1 ("main" <70>), 2 ("main" <80>)
GROUP                                  2  Name: "" <0>, Type: COMM_GROUP, Paradigm: MPI, Flags: NONE, 2 Members: 2 ("main" <80>), 0 ("main" <0>)
COMM                                   0  Name: "MPI_COMM_WORLD" <14>, Group: "" <1>, Parent: UNDEFINED, Flags: NONE
COMM                                   1  Name: "" <0>, Group: "" <2>, Parent: "MPI_COMM_WORLD" <0>, Flags: ` + flags + `
COMM                                   2  Name: "" <0>, Group: "" <2>, Parent: "" <1>, Flags: ` + flags + `

=== Events =====================================================================

Event                                   Location            Timestamp  Attributes
--------------------------------------------------------------------------------
`
}

// An OTF2 trace tells the members: rank 0 of both communicators is world rank 2. Where it tells when they were made, the
// place is the innermost function that is none of MPI; one was freed, and the other carried a message. A location that is
// no process of MPI, a thread, counts for nothing.
func TestOTF2(t *testing.T) {
	t.Parallel()
	const events = `ENTER 0 10 Region: "main, of all" <0>
ENTER 80 10 Region: "main, of all" <0>
ENTER 80 11 Region: "halo" <1>
ENTER 0 12 Region: "MPI_Comm_split" <2>
COMM_CREATE 0 20 Communicator: "" <1>
LEAVE 0 21 Region: "MPI_Comm_split" <2>
ENTER 80 12 Region: "MPI_Comm_split" <2>
COMM_CREATE 80 30 Communicator: "" <1>
LEAVE 80 31 Region: "MPI_Comm_split" <2>
COMM_CREATE 99 31 Communicator: "" <1>
COMM_CREATE 0 40 Communicator: "" <2>
COMM_CREATE 80 41 Communicator: "" <2>
MPI_SEND 0 50 Receiver: 1 ("main" <0>), Communicator: "" <2>, Tag: 0, Length: 4
COMM_DESTROY 0 60 Communicator: "" <2>
COMM_DESTROY 80 60 Communicator: "" <2>
`
	for _, c := range []struct{ text, want string }{
		{definitions("{CREATE_DESTROY_EVENTS}") + events, `[2 0] false false halo MPI_Comm_split 20000
[2 0] true true halo MPI_Comm_create_group 31000
`},
		{definitions("NONE") + "MPI_SEND 0 50 Receiver: 1, Communicator: \"\" <1>, Tag: 0\n", `[2 0] true false no function MPI_Comm_create_group 0
[2 0] false false no function MPI_Comm_create_group 0
`},
	} {
		r, err := Read(t.Context(), written(t, c.text))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, k := range r.comms[1:] {
			by := r.maker(k.maker, k)
			got += fmt.Sprintln(k.members, k.carried, k.freed != nil, by.site, by.op.Name, by.begin)
		}
		if got != c.want {
			t.Errorf("got\n%s, want\n%s", got, c.want)
		}
	}
	good := definitions("NONE")
	for _, c := range []struct{ text, want string }{
		{strings.Split(good, "=== Events")[0], "the text has no events: want what otf2-print -A traces.otf2 writes"},
		{"\n=== OTF2-PRINT ===\n=== Events ===\n", "3: there are no processes of MPI before the events"},
		{strings.Replace(good, "2 Members: 2 (", "2 Members: 7 (", 1), "14: there is no process 7: the trace has 3"},
		{strings.Replace(good, "1000000,", "0,", 1), "are not properties of a clock"},
	} {
		if _, err := Read(t.Context(), written(t, c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// written writes a file, and returns its path.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
