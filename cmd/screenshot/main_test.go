package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The command writes a picture of the session on the world that the flags ask for; what it cannot understand, it tells.
func TestScreenshot(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "half.svg")
	if err := run([]string{"--light", "--colors", "16", "80x24", out, "-n 4 --topo 'pack:2 core:2'", "F2", "Escape", "3"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(picture), "4 ranks on pack:2 core:2") || !strings.Contains(string(picture), `fill="#ffffff"`) {
		t.Errorf("the picture: %v\n%s", err, picture)
	}
	for args, want := range map[string]string{
		"80x24|x.svg":                  "write a size",
		"80|x.svg|-n 4":                "WIDTHxHEIGHT",
		"80x24|x.png|-n 4":             "SVG",
		"80x24|x.svg|-n 4 --tpo x":     "tpo",
		"80x24|x.svg|-n 4|Entr":        `"Entr"`,
		"--colors|7|80x24|x.svg|-n 4|": "none, 16 and 256",
	} {
		if err := run(strings.Split(args, "|"), io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// The pictures of the manual are what the program draws now: go run ./cmd/screenshot --manual makes them anew.
func TestManualPictures(t *testing.T) {
	t.Parallel()
	for _, p := range inManual() {
		want, err := p.draw()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join("../..", p.out)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is stale (%v): go run ./cmd/screenshot --manual makes it anew; look at it", p.out, err)
		}
	}
}
