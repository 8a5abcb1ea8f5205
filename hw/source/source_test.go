package source

import (
	"codeberg.org/commsplit/commsplit/hw/preset"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// A name is a preset, other text may be a description, and the topology's name
// is the text.
func TestLoad(t *testing.T) {
	t.Parallel()
	for text, pus := range map[string]int{
		"figure-7.3": 12, "pack:2 core:2 pu:2": 8, "2 3": 6, "[numa] 4": 4,
		" rack:2 machine:2 core:2": 8, "core:4": 4,
	} {
		top, err := Load(context.Background(), text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if n := len(top.Objects(hw.PU)); n != pus {
			t.Errorf("%q has %d PUs, want %d", text, n, pus)
		}
	}
}

// The error for a text that cannot be loaded tells why, and what may have been
// meant.
func TestLoadErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"fronteir", `hardware "fronteir" is unknown: did you mean frontier?`},
		{"fsroot:", `hardware "fsroot:" has no path: give fsroot:PATH, a folder or tar archive ` +
			"with a Linux machine's /proc and /sys"},
		{"fsroot:/not/there", "fsroot:/not/there: no such file or directory"},
		{"machine.xml", `hardware "machine.xml": there is no such file`},
		{"quark", `hardware "quark" is unknown: use this, a file FILE.xml, fsroot:PATH or job:FILE, a description such as "pack:2 core:4 pu:2", ` +
			"or a preset: " + strings.Join(preset.Names(), ", ")},
	} {
		if _, err := Load(context.Background(), c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	var e *synthetic.Error
	if _, err := Load(context.Background(), "pack:2 foo:2"); !errors.As(err, &e) || e.Offset != 7 {
		t.Errorf("a bad description gives %v", err)
	}
}

// A text that ends in .xml is read as an hwloc file, and is the topology's
// name; an error names the file and the line.
func TestLoadFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`<topology version="2.0"><object type="Machine" cpuset="0x1" nodeset="0x1">` +
			`<object type="NUMANode" os_index="0" cpuset="0x1" nodeset="0x1"/>` +
			`<object type="PU" os_index="0" cpuset="0x1" nodeset="0x1"/></object></topology>`: "",
		"\n<html/>": "line 2: <html> where <topology> was expected: not an hwloc XML file",
	} {
		path := filepath.Join(t.TempDir(), "a:1.XML")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		top, err := Load(context.Background(), path)
		if want == "" && (err != nil || top.Name != path || len(top.Objects(hw.PU)) != 1) {
			t.Errorf("%v, %v", top, err)
		}
		if want != "" && (err == nil || err.Error() != fmt.Sprintf("hardware %q: %s", path, want)) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

// The empty text is this machine, whatever hardware it has.
func TestLoadThis(t *testing.T) {
	t.Parallel()
	top, err := Load(context.Background(), "")
	if err != nil {
		t.Skipf("this machine cannot be read: %v", err)
	}
	if len(top.Hosts) != 1 || len(top.Objects(hw.PU)) == 0 {
		t.Errorf("%d hosts, %d PUs", len(top.Hosts), len(top.Objects(hw.PU)))
	}
}

// ReadsFile finds a file wherever it stands in a spec: alone, copied, with
// names, or beside other machines.
func TestReadsFile(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]bool{
		"a.xml": true, "fsroot:/copy": true, "job:j.tar": true, "frontier+a.xml*2": true, "n[0-1]=b.XML": true,
		"a.xml slurm(threads=1)": true, "job:j.tar slurm()": true, "core:4 slurm(threads=1)": false,
		"": false, "this": false, "frontier": false, "pack:2 core:4": false, "frontier*2+core:4": false,
	} {
		if ReadsFile(spec) != want {
			t.Errorf("%q: %v, want %v", spec, !want, want)
		}
	}
}

// A failure to read something outside is an error of input; a mistake in the
// text is an error of usage.
func TestOutside(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]bool{
		"slurm()": true, "fsroot:/copy slurm(threads=1)": true, "core:4 slurm()": false,
		"": true, "this": true, " fsroot:/copy.tar": true, "fsroot:": false, "frontier": false, "core:4": false,
	} {
		if Outside(spec) != want {
			t.Errorf("%q: %v, want %v", spec, !want, want)
		}
	}
}
