package source

import (
	"archive/tar"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeJob makes the file of a job of two ranks on two hosts of a core each.
func writeJob(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := tar.NewWriter(f)
	for name, text := range map[string]string{
		"job.txt": "commsplit job 1\nhost\tcn07\tm.xml\nhost\tcn03\tm.xml\nrank\t0\tcn07\t0\nrank\t1\tcn03\t0\n",
		"m.xml":   oneCore,
	} {
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
}

// A job is its hosts below a level, in its order and by its names, with its ranks. A '+' or '*' in
// the name of an existing file is part of the name.
func TestLoadJob(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"job.tar", "a+b.tar", "a*2", "cn=x.tar"} {
		path := filepath.Join(t.TempDir(), name)
		writeJob(t, path)
		top, err := Load(context.Background(), " job:"+path+" ")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := hosts(top); got != "Cluster{cn07=0 cn03=0}" || top.Name != "job:"+filepath.Base(path) {
			t.Errorf("%s: %s", top.Name, got)
		}
		if len(top.Ranks) != 2 || top.Ranks[0].Host != 0 || top.Ranks[1].Host != 1 {
			t.Errorf("ranks %v", top.Ranks)
		}
	}
}

// A job stands alone. When its file is missing or damaged, the text is not a mistake.
func TestLoadJobErrors(t *testing.T) {
	t.Parallel()
	alone := "a job has its own hosts: write job:x.tar without +, *N or NAMES="
	for _, c := range []struct {
		text, want string
		outside    bool
	}{
		{"job:", `hardware "job:" has no path: give job:FILE, the file that the program of "commsplit probe" wrote on a cluster`, false},
		{"job:x.tar*2", `hardware "job:x.tar*2": ` + alone, false},
		{"core:2+job:x.tar", `hardware "core:2+job:x.tar": ` + alone, false},
		{"a,b=job:x.tar", `hardware "a,b=job:x.tar": ` + alone, false},
		{"job:nowhere/x.tar", "job:nowhere/x.tar: no such file or directory", true},
	} {
		_, err := Load(context.Background(), c.text)
		var gone *Unavailable
		if err == nil || err.Error() != c.want || errors.As(err, &gone) != c.outside {
			t.Errorf("%q:\n got %v\nwant %s, outside %v", c.text, err, c.want, c.outside)
		}
	}
}

// Complete proposes words, and files of the kind that the prefix asks for.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"job.tar", "job.tgz", "jo.txt", "m.xml"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for text, want := range map[string]string{
		"fug": "fugaku", "fs": "fsroot:", "jo": "job: jobs/", "job:jo": "job:job.tar job:job.tgz job:jobs/",
		"fsroot:./j": "fsroot:./job.tar fsroot:./job.tgz fsroot:./jobs/", "m": "marenostrum5-acc marenostrum5-gpp m.xml", "job:x": "", "x/": "",
	} {
		if got := strings.Join(Complete(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
