package program

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// Notes are top-level statements that call note with a constant text. A call inside another statement is none, nor is a
// call with a text that the program computes.
func TestNotes(t *testing.T) {
	t.Parallel()
	text := `from commsplit import note
note("one")
x = note("a value")
note("""two
lines""")
note("made" + " here")
if True:
    note("below")
`
	want := []Note{{"one", 2, 1}, {"two\nlines", 4, 2}}
	if d := cmp.Diff(want, Notes(text)); d != "" {
		t.Error(d)
	}
	if got := Notes("note("); got != nil {
		t.Errorf("what cannot be read has %v", got)
	}
}

// The import lines that let a file run under a real MPI are accepted at its top, and line numbers stay.
func TestImports(t *testing.T) {
	t.Parallel()
	out := runChunks(t, engine.Config{Size: 1}, text(
		"#!/usr/bin/env python3",
		"# -*- coding: utf-8 -*-",
		"\"\"\"A demonstration", "of imports.\"\"\"", "",
		"from mpi4py import MPI  # the real one",
		"from commsplit import expect, note",
		"world.Split(0.5)"))
	want := "demo.py:8:12: Split: color must be an integer, not 0.5 (float): use // instead of /, as in rank//4"
	if got := programError(t, out); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
