package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"commsplit/hw/job/recorder"
)

// The recorder comes as a file, not over one that is there, or on standard output.
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
	if r := run(t, "", "record"); r.code != 0 || r.out != recorder.C() {
		t.Errorf("%d, %s", r.code, r.err)
	}
}

// What the recorder wrote under both libraries, of the program hw/job/recorder/testdata/all.c, is read, and the engine
// makes the same groups. By the program's text there are 19 communicators, and 3 more of sessions, which Open MPI
// 4.1 has not.
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
