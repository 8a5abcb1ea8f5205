package cmd_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/hw/job/recorder"
)

// The recorder is written to a new file, never over an existing one, or to standard output.
func TestRecord(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "recorder.c")
	if r := run(t, "", "record", "--to", "c", file); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != recorder.C() {
		t.Errorf("%v: another text, of %d bytes", err, len(text))
	}
	if r := run(t, "", "record", file); r.code == 0 || !strings.Contains(r.err, file) {
		t.Errorf("%d, %s", r.code, r.err)
	}
	app, lost := filepath.Join(t.TempDir(), "app"), filepath.Join(t.TempDir(), "no", "app.tar")
	if r := run(t, "", "record", app); r.code != cmd.Usage || r.err != "error: write the command to record behind --: commsplit record -- "+app+"\n" {
		t.Errorf("%+v", r) // the person does not want the recorder there
	}
	if r := run(t, "", "record", "-o", lost, "--", "mpirun", "-n", "2", app); r.code != cmd.IO || r.err != "error: open "+lost+": no such file or directory\n" {
		t.Errorf("%+v", r) // told before the command runs
	}
	if r := run(t, "", "record"); r.code != 0 || r.out != recorder.C() {
		t.Errorf("%d, %s", r.code, r.err)
	}
}

// The recordings under both libraries of the program hw/job/recorder/testdata/all.c can be read, and the engine makes
// the same groups. By the program's text there are 19 communicators, and 3 more of sessions, which Open MPI 4.1 does
// not have.
func TestRecorded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, made, judged string }{
		{"all-openmpi.tar.gz", "which made 19 communicators\n", "equal: Open MPI 4.1.4 gives the same\n"},
		{"all-mpich.tar.gz", "which made 22 communicators\n", "equal: MPICH 4.0.2 gives the same\n"},
	} {
		r := run(t, "", "replay", filepath.Join("../hw/job/recorder/testdata", c.file))
		if r.code != 0 || !strings.Contains(r.out, c.made) || !strings.Contains(r.out, c.judged) {
			t.Errorf("%s: %+v", c.file, r)
		}
	}
}

// Replay reports a rank that died of a signal, with exit code 3. It reports no deadlock although other ranks waited for
// that rank, and advises nobody to change a call. Of the eight ranks of the manual's recording, rank 1 dies before the
// last duplicate.
func TestRecordedCrash(t *testing.T) {
	t.Parallel()
	file := rewritten(t, func(name string, text []byte) []byte {
		switch {
		case name == "calls/1.txt":
			return bytes.Replace(text, []byte("end\tfinalize"), []byte("died\tsolver\tstep+0x9\tmain.c:62\nend\tsignal 11"), 1)
		case strings.HasPrefix(name, "calls/"):
			return bytes.Replace(text, []byte("end\tfinalize"), []byte("call\t99\t2\tMPI_Comm_dup\t0\t=>\tpending\t13000000\t-\nend\tabort"), 1)
		}
		return text
	})
	r := run(t, "", "replay", file)
	if r.code != cmd.Erroneous || !strings.Contains(r.out, "rank 1 died of signal 11 (SIGSEGV) in step, main.c:62\n") ||
		!strings.Contains(r.out, "not replayed: MPI_Comm_dup at io.c:203, where ranks 0,2-7 waited for rank 1") ||
		r.err != "error: the recorded program crashed: rank 1 died of a signal\n" || strings.Contains(r.out+r.err, "DEADLOCK") ||
		strings.Contains(r.out+r.err, "Fix") {
		t.Errorf("%+v", r)
	}
	if r := run(t, "", "run", file); r.code != cmd.OK || strings.Contains(r.out+r.err, "DEADLOCK") {
		t.Errorf("%+v", r)
	}
}

// With --complete a recording that is taken elsewhere needs nothing besides itself: the file that a process left beside
// the archive is in it afterwards. Without that file the archive lacks rank 1.
func TestReplayCompletes(t *testing.T) {
	t.Parallel()
	whole := run(t, "", "replay", "../repl/recording/testdata/solver.tar", "--sites")
	var left []byte
	file := rewritten(t, func(name string, text []byte) []byte {
		for _, title := range []string{"commsplit record", "commsplit calls"} { // of the format that has such files
			text = bytes.Replace(text, []byte(title+"\t1"), []byte(title+"\t2"), 1)
		}
		if name != "calls/1.txt" {
			return text
		}
		left = text
		return nil
	})
	if r := run(t, "", "replay", file, "--sites"); r.out == whole.out {
		t.Fatal("rank 1 makes no difference")
	}
	parts := file + ".parts"
	if err := errors.Join(os.Mkdir(parts, 0o700), os.WriteFile(filepath.Join(parts, "1.txt"), left, 0o600)); err != nil {
		t.Fatal(err)
	}
	if r := run(t, "", "replay", file, "--sites", "--complete"); r.code != cmd.OK || r.out != whole.out {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(parts); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of parts is still there: %v", err)
	}
	if r := run(t, "", "replay", file, "--sites"); r.code != cmd.OK || r.out != whole.out {
		t.Errorf("%+v", r)
	}
}

// rewritten writes the manual's recording with other texts of its members, without those whose text is nil, and returns
// the path of the new archive.
func rewritten(t *testing.T, change func(name string, text []byte) []byte) string {
	t.Helper()
	whole, err := os.ReadFile("../repl/recording/testdata/solver.tar")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for in := tar.NewReader(bytes.NewReader(whole)); ; {
		h, err := in.Next()
		if err == io.EOF {
			break
		}
		text, err2 := io.ReadAll(in)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if text = change(h.Name, text); text == nil {
			continue
		}
		h.Size = int64(len(text))
		err = w.WriteHeader(h)
		_, err2 = w.Write(text)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "solver.tar")
	if err := errors.Join(w.Close(), os.WriteFile(file, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return file
}
