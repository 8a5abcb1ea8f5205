package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// some is a small version, whose program is a text.
func some() (*build, []file) {
	b := &build{version: "1.2.0-snapshot", module: "example.org/commsplit", when: time.Unix(1e9, 0).UTC()}
	return b, installed([]file{{"README.md", 0o644, []byte("read me")}, {"LICENSE", 0o644, []byte("license")},
		{"man/man1/commsplit.1", 0o644, []byte(".TH")}, {"completions/_commsplit", 0o644, []byte("#compdef")},
		{"completions/commsplit.ps1", 0o644, []byte("x")}, {"commsplit", 0o755, []byte("#!/bin/sh\n")}})
}

// Each package has the same bytes when it is built again.
func TestReproducible(t *testing.T) {
	for name, pack := range packers() {
		var made [2][]byte
		for i := range made {
			b, files := some()
			data, err := pack(b, "amd64", files)
			if err != nil {
				t.Fatal(err)
			}
			made[i] = data
		}
		if !bytes.Equal(made[0], made[1]) {
			t.Errorf("%s differs", name)
		}
	}
}

func packers() map[string]func(*build, string, []file) ([]byte, error) {
	return map[string]func(*build, string, []file) ([]byte, error){"deb": (*build).deb, "rpm": (*build).rpm, "image.tar": (*build).image}
}

// The programs that install packages read them, where they are installed: the files are in their places.
func TestRead(t *testing.T) {
	for name, ask := range map[string][]string{
		"deb":       {"dpkg-deb", "--contents"},
		"rpm":       {"rpm", "-qlvp"},
		"image.tar": {"tar", "-tvf"},
	} {
		if _, err := exec.LookPath(ask[0]); err != nil {
			t.Logf("no %s", ask[0])
			continue
		}
		b, files := some()
		data, err := packers()[name](b, "amd64", files)
		at := filepath.Join(t.TempDir(), "commsplit."+name)
		if err == nil {
			err = os.WriteFile(at, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(ask[0], append(ask[1:], at)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		want := []string{"/usr/bin/commsplit", "/usr/share/man/man1/commsplit.1", "/usr/share/doc/commsplit/copyright"}
		if name == "image.tar" {
			want = []string{"oci-layout", "index.json", "manifest.json", "blobs/sha256/"}
		}
		for _, w := range want {
			if !strings.Contains(string(out), w) {
				t.Errorf("%s lacks %s:\n%s", name, w, out)
			}
		}
		if strings.Contains(string(out), ".ps1") {
			t.Errorf("%s has completions for a shell that Linux has no folder for:\n%s", name, out)
		}
	}
}

// A version with a hyphen comes before the one without, for dpkg and rpm; recipes name the files that were built.
func TestRecipes(t *testing.T) {
	b, _ := some()
	if b.sortable() != "1.2.0~snapshot" {
		t.Error(b.sortable())
	}
	for _, system := range systems {
		b.sums = append(b.sums, sum{"commsplit-1.2.0-snapshot-" + strings.ReplaceAll(system, "/", "-") + ".tar.gz", "hash of " + system})
	}
	for name, text := range map[string][]byte{"formula": b.formula(), "recipe": b.recipe()} {
		for _, system := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"} {
			address := `https://example.org/commsplit/releases/download/v1.2.0-snapshot/commsplit-1.2.0-snapshot-` + strings.ReplaceAll(system, "/", "-") + ".tar.gz"
			if !bytes.Contains(text, []byte(`"hash of `+system+`"`)) || !bytes.Contains(text, []byte(`"`+address+`"`)) {
				t.Errorf("%s lacks %s:\n%s", name, system, text)
			}
		}
	}
}

// Licenses want to be passed on with the program: those of Go and of all modules that are in it, also where only one system
// links the module, and of none that only tests import.
func TestLicenses(t *testing.T) {
	t.Chdir("../..")
	text, err := licenses()
	if err != nil {
		t.Fatal(err)
	}
	for want, n := range map[string]int{
		"\n==== Go, its runtime and standard library: LICENSE\n\nCopyright 2009 The Go Authors.": 1,
		"\n==== github.com/spf13/cobra v": 1, "\n==== go.starlark.net v": 1, "\n==== github.com/jaypipes/ghw v": 1,
		"\n==== github.com/inconshreveable/mousetrap v":                                   1, // cobra imports it on Windows
		"README.md\n\nLicense\n\nMIT\n\n## Author\n\nYasuhiro Matsumoto (a.k.a. mattn)\n": 1, // go-localereader, on Windows
		"\n==== github.com/chromedp/":                                                     0,
		"\n==== codeberg.org/commsplit/":                                                  0,
	} {
		if got := bytes.Count(text, []byte(want)); got != n {
			t.Errorf("%q is there %d times, not %d", want, got, n)
		}
	}
}
