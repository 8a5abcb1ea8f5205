package recording_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/recording"
)

// one returns the archive of one process with the given lines.
func one(lines string) map[string]string { return archive(4, lines) }

const place = "site 0 app main+0x1 a.c:1\n"

// A mistake in an archive gives an error of one line, with the file and the line in it.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	without := func(name string) map[string]string {
		files := one(place + "end finalize\n")
		delete(files, name)
		return files
	}
	with := func(name, text string) map[string]string {
		files := one(place + "end finalize\n")
		files[name] = text
		return files
	}
	split := func(rest string) map[string]string {
		return one(place + "call 0 0 MPI_Comm_split 0 color=0 key=0 => " + rest + "\n")
	}
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{with("record.txt", "commsplit record\t1\nrun\tabc\nlibrary\tx\x1b[31m\n"), "record.txt:3: there is a control character in the line"},
		{one("site 0 app ma\u009bin+0x1 a.c:1\n"), "calls/0.txt:2: there is a control character in the line"},
		{with("record.txt", "commsplit record\t1\nrun\tabc\nranks\t1000000\n"), "job.txt has 1 rank, and record.txt 1000000: want what one run wrote"},
		{one(place + "count 0 MPI_Comm_dup calls=9223372036854775807\n"), `calls/0.txt:3: "calls=9223372036854775807" is not a count`},
		{without("record.txt"), `there is no record.txt in it: it has the hosts of a job and no calls; want the archive that a program with ` +
			`the recorder of "commsplit record" wrote`},
		{map[string]string{"x": ""}, "there is no record.txt in it: want the archive that the recorder wrote"},
		{with("record.txt", ""), `record.txt:1: "" where "commsplit record 2" was expected`},
		{with("record.txt", "commsplit record\t3\n"), `record.txt:1: format "3" is not known: this program reads "commsplit record" up to 2`},
		{with("record.txt", "commsplit record\t1\nranks\t1\n"), `record.txt: it does not say which run it is of: want a line "run", a tab and its id`},
		{with("record.txt", "commsplit record\t1\nrun\tabc\n"), `record.txt: it does not say how many ranks there were: want a line "ranks", a tab and the number`},
		{with("record.txt", "commsplit record\t1\nranks\t99999999999\n"), `record.txt:2: "99999999999" is not a number of ranks: 1 to 1048576 are possible`},
		{with("calls/0.txt", "commsplit calls\t1\tother\t0\n"), `calls/0.txt:1: it is of run "other", and record.txt of run "abc": want what one run wrote`},
		{with("calls/0.txt", "commsplit calls\t1\tabc\t7\n"), `calls/0.txt:1: it is of rank "7", and its name says 0`},
		{with("calls/0.txt", "commsplit calls\t3\tabc\t0\n"), `calls/0.txt:1: format "3" is not known: this program reads "commsplit calls" up to 2`},
		{with("calls/0.txt", "commsplit calls\t1\tabc\t0\nend\tfinal"), "calls/0.txt:2: the line is cut"},
		{with("calls/5.txt", "commsplit calls\t1\tabc\t5\n"), "calls/5.txt: there is no rank 5: the run had 1 ranks"},
		{with("calls/../../x.txt", ""), `"calls/../../x.txt" leaves the archive: names in it are relative and have no ".."`},
		{with("calls/00.txt", ""), "calls/00.txt: it is of no process: want calls/RANK.txt"},
		{one("call 0 0 MPI_Comm_dup 0 => 1 1\n"), `calls/0.txt:2: place "0" has no line before this one`},
		{one(place + "call 0 0 MPI_Comm_dup 0\n"), `calls/0.txt:3: want "call SEQ SITE NAME COMM arguments => BEGIN", separated by tabs`},
		{one("end exit\nend exit\n"), "calls/0.txt:3: there is a line behind the end"},
		{split("new=2 size=-5 rank=0 leader=0 1 1"), `calls/0.txt:3: "size=-5" is not a result`},
		{split("new=2 size=2000000000 rank=0 leader=0 1 1"), "calls/0.txt:3: a communicator of 2000000000 processes cannot come from a call of 1"},
		{split("new=2 size=1 rank=1 leader=0 1 1"), "calls/0.txt:3: rank 1 of 1 is none"},
		{split("new=2 1 1"), "calls/0.txt:3: rank 0 of 0 is none"}, // only a duplicate has the groups of another communicator
		{one("found 0 comm 7 new=7 size=x\n"), `calls/0.txt:2: "size=x" is not a result`},
		{split("new=2 size=1 rank=0 leader=9 1 1"), "calls/0.txt:3: there is no rank 9: the run had 1 ranks"},
		{split("new=1 size=1 rank=0 leader=0 1 1"), "calls/0.txt:3: a new communicator has number 1: they count from 2"},
		{one(place + "call 0 0 MPI_Comm_dup 0 => new=2 size=1 rank=0 leader=0 1 1\ncall 1 0 MPI_Comm_dup 0 => new=2 size=1 rank=0 leader=0 1 1\n"),
			"calls/0.txt:4: communicator 2 already exists"},
		{one(place + "call 0 0 MPI_Group_incl - group=3 ranks=0 => newgroup=4 size=1 1 1\n"), "calls/0.txt:3: group 3 has no call before that made it"},
		{one(place + "call 0 0 MPI_Comm_group 0 => newgroup=1 size=1 1 1\ncall 1 0 MPI_Group_incl - group=1 ranks=0..2000000000 => newgroup=2 size=1 1 1\n"),
			"calls/0.txt:4: the ranks of the call are not a list, or too many for the recorder to keep"},
		{one(place + "call 0 0 MPI_Comm_group 0 => newgroup=1 size=1 1 1\ncall 1 0 MPI_Group_incl - group=1 ranks=0*2000000 => newgroup=2 size=2000000 1 1\n"),
			"calls/0.txt:4: 2000000 ranks of a group of 1: each can be taken once"},
		{one(place + "call 0 0 MPI_Comm_dup 0 => 1\ndone 1 new=2 size=1 rank=0 leader=0 1\n"),
			`calls/0.txt:4: want "done SEQ results DURATION" of a call that has not returned, separated by tabs`},
		{one(place + "call 0 0 MPI_Comm_dup 0 => 1\ndone 0\n"),
			`calls/0.txt:4: want "done SEQ results DURATION" of a call that has not returned, separated by tabs`},
		{one(place + "call 0 0 MPI_Comm_dup 0 => new=2 size=1 rank=0 leader=0 1 1\ndone 0 new=3 size=1 rank=0 leader=0 1\n"),
			`calls/0.txt:4: want "done SEQ results DURATION" of a call that has not returned, separated by tabs`},
		{one("found 0 group 1 world=0*5x\n"), `calls/0.txt:2: want "found SEQ group ID world=LIST", separated by tabs`},
		{one("found 0 group 1 world=3\n"), "calls/0.txt:2: there is no rank 3: the run had 1 ranks"},
		{archive(4, place+"call 0 0 MPI_Comm_dup 0 => new=2 size=2 rank=0 leader=0 1 1\n", place+"call 0 0 MPI_Comm_dup 0 => new=2 size=2 rank=0 leader=0 1 1\n"),
			"calls/1.txt:3: the process is rank 0 of 2 in a communicator led by 0, and another process says otherwise"},
	} {
		_, err := recording.ReadArchive(t.Context(), bytes.NewReader(pack(t, c.files)))
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

// An archive may lack the last blocks of zeros, because its writer was killed; an archive that is cut inside a file is
// refused.
func TestReadCut(t *testing.T) {
	t.Parallel()
	whole := pack(t, one(place+"end signal 9\n"))
	if _, err := recording.ReadArchive(t.Context(), bytes.NewReader(whole[:len(whole)-1024])); err != nil {
		t.Errorf("without the end: %v", err)
	}
	dir := t.TempDir()
	for name, text := range map[string]struct {
		bytes []byte
		want  string
	}{"cut.tar": {whole[:530], "the archive is truncated"}, "text.tar": {[]byte("hello"), "it is not a tar archive: want the one that the recorder wrote"}} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := recording.Read(t.Context(), path); err == nil || err.Error() != path+": "+text.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A process writes its calls only once: an archive with two files of the same name is refused.
func TestReadTwice(t *testing.T) {
	t.Parallel()
	files := pack(t, one(place+"end exit\n"))
	again := pack(t, map[string]string{"calls/0.txt": "commsplit calls\t1\tabc\t0\nend\texit\n"})
	_, err := recording.ReadArchive(t.Context(), bytes.NewReader(append(files[:len(files)-1024], again...)))
	if want := `"calls/0.txt" is in the archive twice`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Ranks that wait, or that were killed, do not prevent the replay of other ranks. Of four ranks, rank 3 never makes the
// second duplicate, in which the others wait; ranks 1 and 2 of the last recording wrote nothing.
func TestScriptOfAbruptEnds(t *testing.T) {
	t.Parallel()
	dup := func(r, n, size int) string {
		return fmt.Sprintf("call %d 0 MPI_Comm_dup 0 => new=%d size=%d rank=%d leader=0 1 1\n", n, n+2, size, r)
	}
	waits := "call 1 0 MPI_Comm_dup 0 => pending 9 -\nend signal 15\n"
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{archive(4, place+dup(0, 0, 4)+waits, place+dup(1, 0, 4)+waits, place+dup(2, 0, 4)+waits, place+dup(3, 0, 4)+"end exit\n"),
			"dup_1 = dup world; @0-2 dup_1 = dup world"},
		{archive(4, place+dup(0, 0, 3)+"end finalize\n", "-", "-"), "dup_1 = dup world"},
		{archive(4, place+dup(0, 0, 2)+dup(0, 1, 2)+"end finalize\n", "-"), "dup_1 = dup world; dup_1 = dup world"},
		{archive(4, place+"call 0 0 MPI_Comm_dup 0 => error=MPI_ERR_OTHER 1 1\nend abort\n"),
			"; not replayed: MPI_Comm_dup at a.c:1, which the library refused with MPI_ERR_OTHER"},
		{archive(4, place+"call 0 0 MPI_Comm_spawn 0 command=x maxprocs=2 root=0 => new=2 size=1 rank=0 leader=0 remote=2 remoteleader=- 1 1\n"+
			"call 1 0 MPI_Intercomm_merge 2 high=0 => new=3 size=3 rank=0 leader=0 1 1\nend finalize\n"),
			"; not replayed: 2 calls on communicators with processes of another world, or of unknown origin: MPI_Comm_spawn, MPI_Intercomm_merge"},
	} {
		lines, notes := read(t, c.files).Script()
		var got []string
		for _, l := range lines {
			got = append(got, l.Text)
		}
		text := strings.Join(got, "; ")
		if len(notes) > 0 {
			text += "; " + strings.Join(notes, "; ")
		}
		if text != c.want {
			t.Errorf("got  %s\nwant %s", text, c.want)
		}
	}
}

// Any bytes in a process's file give an error of one line, or a script and a table.
func FuzzCalls(f *testing.F) {
	for r := range 2 {
		f.Add(halves(r), solver(r))
	}
	f.Add(place+"call 0 0 MPI_Intercomm_create 1 leader=0 peer=0 remoteleader=1 tag=5 => new=2 size=1 rank=0 leader=0 remote=1 remoteleader=1 1 1\n",
		place+"call 0 0 MPI_Intercomm_create 1 leader=0 peer=0 remoteleader=0 tag=5 => new=2 size=1 rank=0 leader=1 remote=1 remoteleader=0 1 1\n")
	f.Add(place+"call 0 0 MPI_Comm_group 0 => newgroup=1 size=2 1 1\ncall 1 0 MPI_Group_range_incl - group=1 ranges=1,0,-1 => newgroup=2 size=2 1 1\n"+
		"call 2 0 MPI_Comm_create_group 0 group=2 tag=1 => new=2 size=2 rank=1 leader=1 1 1\n", place+"end exit\n")
	f.Fuzz(func(t *testing.T, first, second string) {
		files := archive(4, first, second)
		r, err := recording.ReadArchive(t.Context(), bytes.NewReader(pack(t, maps.Clone(files))))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q", err)
			}
			return
		}
		r.Script()
		r.Uses()
	})
}

// A process that wrote nothing is not expected in a call that the members of a group make without it (MPI-5.0 §7.4.2).
func TestScriptOfGroupWithoutOne(t *testing.T) {
	t.Parallel()
	group := func(r int) string {
		return place + "call 0 0 MPI_Comm_group 0 => newgroup=1 size=4 1 1\ncall 1 0 MPI_Group_incl - group=1 ranks=1,0 => newgroup=2 size=2 1 1\n" +
			fmt.Sprintf("call 2 0 MPI_Comm_create_group 0 group=2 tag=7 => new=2 size=2 rank=%d leader=1 1 1\nend finalize\n", 1-r)
	}
	lines, notes := read(t, archive(4, group(0), "-", place+"end exit\n", place+"end exit\n")).Script()
	if len(lines) != 1 || lines[0].Text != "@0-1 create_group_1 = create_group world group=[1,0] tag=7" || len(notes) > 0 {
		t.Errorf("%+v %q", lines, notes)
	}
}

// MPI_Comm_idup waits for nobody (MPI-5.0 §7.4.2): rank 1 may first duplicate its half and rank 0 first the world,
// which with MPI_Comm_dup would be a deadlock. The script makes the blocking call where the last process comes to it,
// and before the splits of both duplicates.
func TestScriptOfIdup(t *testing.T) {
	t.Parallel()
	own := func(r, n int) string {
		return fmt.Sprintf("call %d 0 MPI_Comm_split 0 color=0 key=0 => new=2 size=2 rank=%d leader=0 1 1\n", n, r)
	}
	idup := func(r, n, id int) string {
		return fmt.Sprintf("call %d 0 MPI_Comm_idup 0 => new=%d size=2 rank=%d leader=0 1 1\n", n, id, r)
	}
	dup := func(r, n, id int) string {
		return fmt.Sprintf("call %d 0 MPI_Comm_dup 2 => new=%d size=2 rank=%d leader=0 1 1\n", n, id, r)
	}
	use := func(r, one, other int) (text string) {
		for i, id := range []int{one, other} {
			text += fmt.Sprintf("call %d 0 MPI_Comm_split %d color=%d key=0 => new=%d size=1 rank=0 leader=%d 1 1\n", 3+i, id, r, 5+i, r)
		}
		return text + "end finalize\n"
	}
	lines, notes := read(t, archive(4,
		place+own(0, 0)+idup(0, 1, 3)+dup(0, 2, 4)+use(0, 3, 4),
		place+own(1, 0)+dup(1, 1, 3)+idup(1, 2, 4)+use(1, 4, 3))).Script()
	var got []string
	for _, l := range lines {
		got = append(got, l.Text)
	}
	want := "split_1 = split world color=0; dup_1 = dup split_1; idup_1 = dup world; split_1 = split idup_1 color=rank; split_1 = split dup_1 color=rank"
	if strings.Join(got, "; ") != want || len(notes) != 1 ||
		notes[0] != "MPI_Comm_idup is replayed as MPI_Comm_dup where the last of its processes called it: a recording does not say when a request completed" {
		t.Errorf("%s %q", strings.Join(got, "; "), notes)
	}
}

// A group that no recorded call made, such as the group of a window, is known from the line that the recorder writes at
// its first use. A group with a process of another world makes a communicator that is not followed.
func TestScriptOfFoundGroup(t *testing.T) {
	t.Parallel()
	create := func(r int) string {
		return place + fmt.Sprintf("found 0 group 1 world=1,0\ncall 0 0 MPI_Comm_create_group 0 group=1 tag=7 => new=2 size=2 rank=%d leader=1 1 1\n", 1-r) +
			"found 1 group 2 world=1,-1,0\ncall 1 0 MPI_Comm_create_group 0 group=2 tag=7 => new=3 size=3 rank=0 leader=1 1 1\nend finalize\n"
	}
	lines, notes := read(t, archive(4, create(0), create(1))).Script()
	if len(lines) != 1 || lines[0].Text != "create_group_1 = create_group world group=[1,0] tag=7" ||
		!slices.Equal(notes, []string{"not replayed: 2 calls on communicators with processes of another world, or of unknown origin: MPI_Comm_create_group"}) {
		t.Errorf("%+v %q", lines, notes)
	}
}
