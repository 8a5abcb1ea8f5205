package recording_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/repl/recording"
)

// library is the build id of symbols/testdata/places.so, whose source is beside it.
const library = "d86050015a1be79ed07fcbace1216a3e9b561d01"

// stacks writes the recording of one process into a folder, where its program is places.so. A library of the system and
// MPI make communicators for two places of the program; one of these reaches two places in the library.
func stacks(t *testing.T, id string) (path string) {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Open("symbols/testdata/places.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	in := tar.NewReader(z)
	_, err = in.Next()
	text, err2 := io.ReadAll(in)
	so := filepath.Join(dir, "places.so")
	if err := errors.Join(err, err2, os.WriteFile(so, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	calls := "commsplit calls\t2\tabc\t0\n" + strings.ReplaceAll(`module 0 ID PATH
module 1 1.2 /usr/lib/libhdf5.so.103
module 2 1.2 /opt/mpi/lib/libmpi.so.40
module 3 1.2 /lib/libc.so.6
stack 0 1+0x99 0+0x1077 0+0x1059
stack 1 2+0x10 1+0xaa 0+0x1077 0+0x1059
stack 2 1+0x99 0+0x104d
call 0 0 MPI_Comm_dup 1 => 100
done 0 new=2 size=1 rank=0 leader=0 5
call 1 1 MPI_Comm_dup 1 => 200
done 1 new=3 size=1 rank=0 leader=0 5
call 2 2 MPI_Comm_dup 1 => 300
done 2 new=4 size=1 rank=0 leader=0 5
call 3 2 MPI_Comm_free 4 => 400
done 3 5
fault 3+0x100 3+0x110 1+0x100 0+0x104d 3+0x120
start 1000
`, " ", "\t") + "end\tsignal 11\n"
	files := archive(1, "-")
	files["record.txt"] = strings.Replace(files["record.txt"], "record\t1", "record\t2", 1)
	files["calls/0.txt"] = strings.NewReplacer("ID", id, "PATH", so).Replace(calls)
	path = filepath.Join(dir, "app.tar")
	if err := os.WriteFile(path, pack(t, files), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A place is the line of the program, not the line of a library of the system or of MPI that the program called.
// Places include inlined functions, whole names of C++, and the place where the program died, which abort is not. Once the archive is
// completed, it gives the same places on other machines, and has no folders.
func TestPlacesOfTheProgram(t *testing.T) {
	t.Parallel()
	path := stacks(t, library)
	check := func() {
		t.Helper()
		r, err := recording.Read(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		uses := r.Uses()
		u := uses[slices.IndexFunc(uses, func(u *recording.Use) bool { return u.Calls == 2 })]
		if len(uses) != 3 || u.Site.String() != "places.cpp:7" || u.Site.Function() != "inner" || u.Made != 2 || u.Growth[0].At != 1105 ||
			!slices.Equal(u.Site.Callers(), []string{"grid::Rows<int>::split, places.cpp:14", "work, places.cpp:28"}) {
			t.Errorf("%d places, %s %q %+v", len(uses), u.Site, u.Site.Callers(), u)
		}
		u = uses[slices.IndexFunc(uses, func(u *recording.Use) bool { return u.Call == "MPI_Comm_free" })]
		if p := r.Processes[0]; u.Site.String() != "places.cpp:27" || p.Fault.Full() != "work, places.cpp:27" || p.Signal() != 11 {
			t.Errorf("%s, %+v", u.Site, p.Fault)
		}
		if notes := r.Notes(); len(notes) > 0 {
			t.Errorf("%q", notes)
		}
	}
	check()
	if err := recording.Complete(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(filepath.Dir(path), "places.so")); err != nil {
		t.Fatal(err)
	}
	check()
	text, err := os.ReadFile(path)
	if err != nil || bytes.Contains(text, []byte(filepath.Dir(path))) || !bytes.Contains(text, []byte("/libhdf5.so.103")) {
		t.Errorf("%v, the archive names a folder of the program, or lost which file is of the system", err)
	}
}

// A file of another build is not used, and a note says so; places are then addresses.
func TestPlacesOfAnotherBuild(t *testing.T) {
	t.Parallel()
	path := stacks(t, strings.Repeat("0", 40))
	says := func(want string) {
		t.Helper()
		r, err := recording.Read(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if notes := r.Notes(); r.Uses()[0].Site.String() != "places.so+0x1077" || !slices.Equal(notes, []string{want}) {
			t.Errorf("%s: %q, want %q", r.Uses()[0].Site, notes, want)
		}
	}
	says("places.so is here as another build than the one that ran, and is not used: places in it are addresses")
	if err := os.Remove(filepath.Join(filepath.Dir(path), "places.so")); err != nil {
		t.Fatal(err)
	}
	says("places.so is not here: places in it are addresses")
}
