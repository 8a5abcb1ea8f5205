package recording_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/recording"
)

// second returns the files of one process in the format that has lines of Python, windows and files.
func second(calls string) map[string]string {
	files := archive(1, calls)
	files["record.txt"] = strings.Replace(files["record.txt"], "record\t1", "record\t2", 1)
	files["calls/0.txt"] = strings.Replace(files["calls/0.txt"], "calls\t1", "calls\t2", 1)
	return files
}

// Windows, files and groups are counted where they were made: those that are there at the end, and the most at once.
// A library gives the group of a communicator by one handle, which must be freed as often as it was given: of three
// times the last is freed. Groups of a place that frees all of them are not told.
func TestHeld(t *testing.T) {
	t.Parallel()
	r := read(t, second(`site 0 app window+0x1 a.c:1
site 1 app store+0x1 a.c:2
site 2 app leave+0x1 a.c:3
site 3 app tidy+0x1 a.c:4
hold 0 0 MPI_Win_create 100 5
hold 1 1 MPI_File_open 200 5
drop 0 0 MPI_Win_free 300
hold 2 0 MPI_Win_allocate 400 5
hold 3 0 MPI_Win_create 500 5
hold 4 0 MPI_Win_create 600 5
call 0 2 MPI_Comm_group 0 => 700
done 0 newgroup=1 size=1 5
call 1 2 MPI_Comm_group 0 => 710
done 1 newgroup=2 size=1 again=1 5
call 2 3 MPI_Comm_group 0 => 720
done 2 newgroup=3 size=1 again=2 5
call 3 3 MPI_Group_free - group=3 => 730
done 3 5
end finalize
`))
	var got []string
	for _, u := range r.Uses() {
		got = append(got, fmt.Sprintf("%s %s made %d left %d peak %d", u.Site, u.Call, u.Made, u.Alive, u.Peak))
	}
	slices.Sort(got)
	want := []string{"a.c:1 MPI_Win_allocate made 1 left 1 peak 1", "a.c:1 MPI_Win_create made 3 left 2 peak 2",
		"a.c:2 MPI_File_open made 1 left 1 peak 1", "a.c:3 MPI_Comm_group made 2 left 2 peak 2"}
	if !slices.Equal(got, want) || r.CallCount() != 0 {
		t.Errorf("%d calls, %q", r.CallCount(), got)
	}
}

// A place of Python is the first line that is not of an installed package, whatever mpi4py's own address is. Lines that
// a function of the script is called from make places of their own.
func TestPlacesOfPython(t *testing.T) {
	t.Parallel()
	r := read(t, second(`module 0 1.2 /usr/lib/python3/dist-packages/mpi4py/MPI.cpython-311-x86_64-linux-gnu.so
line 0 dup /usr/lib/python3/dist-packages/grids/comm.py 7
line 1 Halo.exchange /home/me/halo.py 4
line 2 good /home/me/halo.py 9
line 3 <module> /home/me/halo.py 20
line 4 bad /home/me/halo.py 12
stack 0 0+0x99 l0 l1 l2 l3
stack 1 0+0x99 l0 l1 l4 l3
call 0 0 MPI_Comm_dup 1 => 100
done 0 new=2 size=1 rank=0 leader=0 5
call 1 1 MPI_Comm_dup 1 => 200
done 1 new=3 size=1 rank=0 leader=0 5
end finalize
`))
	var got []string
	for _, u := range r.Uses() {
		got = append(got, fmt.Sprintf("%s %s %q", u.Site, u.Site.Function(), u.Site.Callers()))
	}
	slices.Sort(got)
	want := []string{`halo.py:12 bad ["<module>, halo.py:20"]`, `halo.py:9 good ["<module>, halo.py:20"]`}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Lines that no recorder writes are refused with what is wrong.
func TestHeldRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"hold 0 0 MPI_Win_create 1 1\n":                           "calls/0.txt:2: the place of the call was not told",
		"site 0 a f+0x1 a.c:1\nhold 1 0 MPI_Win_create 1 1\n":     `calls/0.txt:3: want "hold N SITE NAME NS DURATION"`,
		"site 0 a f+0x1 a.c:1\nhold 0 0 MPI_Comm_dup 1 1\n":       `calls/0.txt:3: want "hold N SITE NAME NS DURATION"`,
		"drop 0 0 MPI_Win_free 1\n":                               `calls/0.txt:2: want "drop N SITE NAME NS"`,
		"line 1 f a.py 3\n":                                       "calls/0.txt:2: a line has a number, a function, a file and its number there",
		"line 0 f a.py -3\n":                                      `calls/0.txt:2: "-3" is not a number of a line`,
		"stack 0 l0\n":                                            `calls/0.txt:2: "l0" is not a line of Python that was told`,
		"line 0 f a.py 3\nstack 0 l0\nstack 1 l1\nend finalize\n": `calls/0.txt:4: "l1" is not a line of Python that was told`,
	} {
		_, err := recording.ReadArchive(t.Context(), bytes.NewReader(pack(t, second(text))))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
