package recording_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/recording"
)

// told returns the lines of the script of a recording, and the notes after them.
func told(r *recording.Recording) string {
	lines, notes := r.Script()
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String() + strings.Join(notes, "\n")
}

// Ranks that wait for a crashed rank, or for a rank that waits for it, are not a deadlock: rank 1 dies before the second
// duplicate, rank 0 waits there for rank 1, and rank 2 waits in the third duplicate for rank 0. Where rank 1 got
// SIGTERM, as from a time limit, it may have waited elsewhere, and the calls are made. Where rank 1 dies in another
// call, as the library does when it gives up, the ranks wait for each other. Where the program's own handler got the signal,
// rank 1 died of it if it ended and made no call after that.
func TestCrashIsNoDeadlock(t *testing.T) {
	t.Parallel()
	rank := func(r int, rest string) string {
		return place + fmt.Sprintf("call 0 0 MPI_Comm_dup 0 => new=2 size=3 rank=%d leader=0 1 1\n", r) + rest
	}
	waits := func(seq, on int) string {
		return fmt.Sprintf("call %d 0 MPI_Comm_dup %d => pending 9 -\nend abort\n", seq, on)
	}
	const crash = "dup_1 = dup world\n" +
		"not replayed: MPI_Comm_dup at a.c:1, where rank 0 waited for ranks 1-2 when the program ended\n" +
		"not replayed: MPI_Comm_dup at a.c:1, where rank 2 waited for ranks 0-1 when the program ended"
	const waiting = "dup_1 = dup world\n@0 dup_2 = dup world\n@2 dup_2 = dup dup_1\n"
	const freed = waiting + "@1 free dup_1\n"
	for _, c := range []struct {
		end, want string
		signal    int
	}{
		{"end signal 11\n", crash, 11},
		{"end signal 6\n", crash, 6},
		{"end abort\n", crash, 0},
		{"", crash, 0}, // killed
		{"end signal 15\n", waiting, 15},
		{"end exit\n", waiting, 0},
		{"call 1 0 MPI_Comm_free 2 => pending 9 -\nend signal 11\n", freed, 11},
		{"caught 11\nend exit\n", crash, 11},
		{"caught 11\nend abort\n", crash, 11},
		{"caught 15\ncaught 6\n", crash, 6}, // killed
		{"caught 15\nend exit\n", waiting, 15},
		{"caught 11\nend finalize\n", waiting, 0},
		{"caught 11\ncall 1 0 MPI_Comm_dup 1 => new=3 size=1 rank=0 leader=1 9 1\nend exit\n", strings.Replace(waiting, "@0", "@1 dup_2 = dup MPI.COMM_SELF\n@0", 1), 0},
	} {
		files := archive(3, rank(0, waits(1, 0)), rank(1, c.end), rank(2, waits(1, 2)))
		files["calls/1.txt"] = strings.Replace(files["calls/1.txt"], "signal\t", "signal ", 1)
		crashed := map[bool]string{true: "1"}[c.signal == 11 || c.signal == 6]
		r := read(t, files)
		if got := told(r); got != c.want {
			t.Errorf("%q: got\n%s\nwant\n%s", c.end, got, c.want)
		}
		p := r.Processes[1]
		if got := r.Crashed().String(); got != crashed || p.Signal() != c.signal || p.Handled != (c.signal > 0 && strings.Contains(c.end, "caught")) {
			t.Errorf("%q: crashed %q, want %q; signal %d, handled %t", c.end, got, crashed, p.Signal(), p.Handled)
		}
	}
}

// A killed process has written each line as soon as it was known: a call that has not returned counts as waiting, the
// last line may be cut, and zeros follow. Files of another run beside the archive are ignored. The counts follow from
// the calls: twelve duplicates, of which the second is freed.
func TestKilledLeavesParts(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("module 0 1.2 /no/app\nstack 0 0+0x1234\nstack 1 0+0x1300\n")
	for i := range 12 {
		fmt.Fprintf(&b, "call %d 0 MPI_Comm_dup 0 => %d\ndone %d new=%d size=2 rank=1 leader=0 5\n", i, 100*i, i, i+2)
	}
	b.WriteString("call 12 1 MPI_Comm_free 3 => 2000\ndone 12 7\ncall 13 0 MPI_Comm_dup 0 => 2100\ndone 13 new=1")
	text := "commsplit calls\t2\tabc\t1\n" + strings.ReplaceAll(b.String(), " ", "\t") + strings.Repeat("\x00", 4096)
	path := filepath.Join(t.TempDir(), "app.tar")
	files := archive(2, "-", "-")
	files["record.txt"] = strings.Replace(files["record.txt"], "record\t1", "record\t2", 1)
	err := errors.Join(os.WriteFile(path, pack(t, files), 0o600), os.Mkdir(path+".parts", 0o700),
		os.WriteFile(path+".parts/0.txt", []byte("commsplit calls\t2\tother\t0\nend\texit\n"), 0o600),
		os.WriteFile(path+".parts/1.txt", []byte(text), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		r, err := recording.Read(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if r.Missing().String() != "0" || r.Killed().String() != "1" {
			t.Errorf("missing %s, killed %s", r.Missing(), r.Killed())
		}
		u := r.Uses()[0]
		if u.Site.String() != "app+0x1234" || u.Calls != 13 || u.Made != 12 || u.Alive != 11 || u.Peak != 12 || u.Trend() != render.Leaking || u.Took != 60 {
			t.Errorf("%s: %+v", u.Site, u)
		}
	}
	check()
	if err := recording.Complete(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".parts/1.txt"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the part is still there: %v", err)
	}
	check()
}

// Threads of a process are ordered only by time: a communicator is made before another thread uses it, and is freed
// after. The site of the duplicate of the duplicate comes first among the sites, and the thread that frees its parent
// called before the threads that use it.
func TestThreadsInOrderOfTime(t *testing.T) {
	t.Parallel()
	const text = `site 0 app child+0x1 a.c:1
site 1 app parent+0x1 a.c:2
site 2 app free+0x1 a.c:3
call 0 1 MPI_Comm_dup 0 => new=2 size=2 rank=R leader=0 10 5
call 1 1 MPI_Comm_dup 2 => new=3 size=2 rank=R leader=0 20 5
call 2 1 MPI_Comm_dup 0 thread=1 => new=9 size=2 rank=R leader=0 26 2
call 3 0 MPI_Comm_dup 3 thread=2 => new=4 size=2 rank=R leader=0 30 5
call 4 0 MPI_Comm_dup 4 thread=3 => new=5 size=2 rank=R leader=0 40 5
call 5 0 MPI_Comm_dup 4 thread=4 => new=6 size=2 rank=R leader=0 50 5
call 6 2 MPI_Comm_free 4 thread=1 => 60 5
call 7 2 MPI_Comm_free 3 => 70 5
end finalize
`
	const want = "parent_1 = dup world\nparent_2 = dup parent_1\nparent_1 = dup world\nchild_1 = dup parent_2\nchild_2 = dup child_1\nchild_2 = dup child_1\nfree child_1\nfree parent_2\n"
	var calls []string
	for r := range 2 {
		calls = append(calls, strings.ReplaceAll(text, "=R", fmt.Sprintf("=%d", r)))
	}
	if got := told(read(t, archive(2, calls...))); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// MPI_Comm_free need not wait for other processes. Rank 0 frees the first duplicate and makes another; on rank 1 two
// threads do the same in the opposite order. Neither order fits both ranks: one thread overtakes the other, and all
// calls are replayed.
func TestThreadsOvertake(t *testing.T) {
	t.Parallel()
	dup := func(r int) string {
		return place + fmt.Sprintf("call 0 0 MPI_Comm_dup 0 => new=2 size=2 rank=%d leader=0 1 1\n", r)
	}
	r := read(t, archive(2,
		dup(0)+"call 1 0 MPI_Comm_free 2 => 10 1\ncall 2 0 MPI_Comm_dup 0 => new=3 size=2 rank=0 leader=0 20 90\nend finalize\n",
		dup(1)+"call 1 0 MPI_Comm_dup 0 thread=1 => new=3 size=2 rank=1 leader=0 30 10\ncall 2 0 MPI_Comm_free 2 thread=2 => 50 1\nend finalize\n"))
	if got, want := told(r), "dup_1 = dup world\nfree dup_1\ndup_1 = dup world\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
