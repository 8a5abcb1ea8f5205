package tui

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"commsplit/hw/hwlocxml"
	"commsplit/hw/source"
	"commsplit/repl"
)

// jobFile is the file of a job of four ranks, which share the two cores of a host: 0, 0-1, 1, 1.
func jobFile(t *testing.T) string {
	t.Helper()
	top, err := source.Load(t.Context(), "core:2 pu:1")
	if err != nil {
		t.Fatal(err)
	}
	var machine, archive bytes.Buffer
	if err := hwlocxml.Write(&machine, top); err != nil {
		t.Fatal(err)
	}
	list := "commsplit job 1\nhost\tcn5\tm.xml\nrank\t0\tcn5\t0\nrank\t1\tcn5\t0-1\nrank\t2\tcn5\t1\nrank\t3\tcn5\t1\n"
	w := tar.NewWriter(&archive)
	for name, text := range map[string]string{"job.txt": list, "m.xml": machine.String()} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "job.tar")
	if err := os.WriteFile(path, archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A job on the screen: its ranks where they ran; another placement of them, although they are more than
// the cores; and back.
func TestJob(t *testing.T) {
	t.Parallel()
	path := jobFile(t)
	m := opened(t, repl.Config{Topo: "job:" + path}, 120, 40, `own = split_type world HW_GUIDED resource="hwloc://Core"`)
	own := func() string {
		var names []string
		for _, id := range m.moment.Handles[m.handle].IDs {
			names = append(names, string(rune('a'+id)))
		}
		return strings.Join(names, "")
	}
	// Rank 1 may use both cores; 2 and 3 share one.
	ran := own()
	if m.moment.Size() != 4 || ran[0] == ran[2] || ran[2] != ran[3] || ran[1] == ran[0] || ran[1] == ran[2] {
		t.Errorf("as the job ran: %s", ran)
	}
	press(t, m, "esc", "C")
	for _, c := range m.over.(*compareView).columns {
		if c.err != nil {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
	press(t, m, "esc", "b", "t", "o", " ", "c", "o", "r", "e", "enter")
	// Ranks go round the two cores.
	if got := own(); got[0] != got[2] || got[1] != got[3] || got[0] == got[1] {
		t.Errorf("bound to cores: %s\n%s", got, plain(m))
	}
	press(t, m, "b", "j", "o", "b", "enter")
	if got := own(); got != ran {
		t.Errorf("back: %s, not %s\n%s", got, ran, plain(m))
	}
}
