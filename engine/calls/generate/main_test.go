package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The generated files are those of the table: go generate ./engine/calls writes them.
func TestFilesAreCurrent(t *testing.T) {
	for file, want := range files() {
		got, err := os.ReadFile(filepath.Join("..", "..", "..", file))
		if err != nil || string(got) != want {
			t.Errorf("%s is not what the table says (%v): run go generate ./engine/calls", file, err)
		}
	}
}
