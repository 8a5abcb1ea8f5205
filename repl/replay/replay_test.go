package replay_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"commsplit/render"
	"commsplit/repl"
	"commsplit/repl/recording"
	"commsplit/repl/replay"
)

// changed is the recording of the manual in which the file of one process is changed.
func changed(t *testing.T, name string, change func(string) string) string {
	t.Helper()
	whole, err := os.ReadFile("../recording/testdata/solver.tar")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for r := tar.NewReader(bytes.NewReader(whole)); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		text, err2 := io.ReadAll(r)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if h.Name == name {
			text = []byte(change(string(text)))
			h.Size = int64(len(text))
		}
		err = w.WriteHeader(h)
		_, err2 = w.Write(text)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "app.tar")
	if err := errors.Join(w.Close(), os.WriteFile(path, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// opened opens a recording in a session, as .open does.
func opened(t *testing.T, path string) (*recording.Recording, *repl.Session) {
	t.Helper()
	rec, err := recording.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := repl.NewConsole(t.Context(), repl.Config{Size: 2, Topo: "core:2"}, io.Discard, io.Discard, render.Style{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Session.Close() })
	c.AllowFiles = true
	lines, err := repl.ParseLines("<test>", []string{".open " + path})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Script(t.Context(), lines); err != nil {
		t.Fatal(err)
	}
	return rec, c.Session
}

// replayed is the report of a recording.
func replayed(t *testing.T, path string) *replay.Report {
	t.Helper()
	rec, s := opened(t, path)
	r, err := replay.New(t.Context(), s, rec, false)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What other people get of a recording has its name, and nothing of the folder that it lies in.
func TestNoFolders(t *testing.T) {
	t.Parallel()
	path := changed(t, "", nil)
	_, s := opened(t, path)
	folder := filepath.Base(filepath.Dir(path))
	formats, _ := repl.ExportFormats()
	for _, to := range formats {
		var b bytes.Buffer
		if err := s.Export(&b, repl.Export{To: to, Title: "app.tar"}); err != nil {
			t.Errorf("%s: %v", to, err)
		}
		if strings.Contains(b.String(), filepath.ToSlash(filepath.Dir(path))) || strings.Contains(b.String(), folder+"/") {
			t.Errorf("%s has the folder", to)
		}
	}
}

// What the library gave is what the engine gives, and .open begins the world of the run. The eight ranks of the duplicate
// run on both hosts, which have two packages each; the communicator of a host runs on one, and both its packages.
func TestEqual(t *testing.T) {
	t.Parallel()
	r := replayed(t, "../recording/testdata/solver.tar")
	if r.Verdict() != "equal" || r.Held.Calls != 26 || r.Held.Ranks != 8 {
		t.Errorf("%s, %+v", r.Verdict(), r.Held)
	}
	one, two, four := render.Range{Low: 1, High: 1}, render.Range{Low: 2, High: 2}, render.Range{Low: 4, High: 4}
	for _, s := range r.Sites {
		switch want := (render.Spans{Hosts: two, Packages: four, NUMA: four}); s.Site.String() {
		case "nodes.c:14":
			want = render.Spans{Hosts: one, Packages: two, NUMA: two}
			fallthrough
		case "io.c:203":
			if s.Spans != want {
				t.Errorf("%s spans %+v, not %+v", s.Site, s.Spans, want)
			}
		}
	}
}

// A library that orders ranks of equal color against their keys differs (MPI-5.0 §7.4.2): of the even ranks, rank 2 has
// the least key and is rank 0, whatever the library gave.
func TestDifference(t *testing.T) {
	t.Parallel()
	const row = "MPI_Comm_split\t0\tcolor=0\tkey=0\t=>\tnew=4\t"
	r := replayed(t, changed(t, "calls/2.txt", func(text string) string {
		if strings.Count(text, row) != 1 {
			t.Fatalf("%q is not once in the file", row)
		}
		return strings.Replace(text, row, strings.Replace(row, "key=0", "key=-5", 1), 1)
	}))
	if r.Verdict() != "difference" || len(r.Held.Findings) != 1 {
		t.Fatalf("%s, %+v", r.Verdict(), r.Held.Findings)
	}
	if f := r.Held.Findings[0]; f.Expected != "[2,0,4,6]" || f.Found != "[0,2,4,6]" || f.Where != "grid.c:47" || f.Ranks.String() != "0,2,4,6" {
		t.Errorf("%+v", f)
	}
}
