package practice_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/practice"
)

// A dialog answers lines and words with values, whatever face shows them: a line under another name with both names, a
// wrong one with its grade, a right one with what solves; hints one after the other, the solution when asked twice.
func TestDialog(t *testing.T) {
	t.Parallel()
	x := read(t, halves)
	c, err := console.NewConsole(t.Context(), x.Worlds[0].Config, io.Discard, io.Discard, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Session.Close()
	var notices []string
	d, err := x.Begin(t.Context(), c, func(text string) { notices = append(notices, text) })
	if err != nil {
		t.Fatal(err)
	}
	says := func(line string) practice.Reply {
		t.Helper()
		chunks, err := repl.ParseLines("<input>", []string{line})
		if err != nil {
			t.Fatal(err)
		}
		if ran, err := d.Run(t.Context(), chunks[0]); !ran || err != nil {
			t.Fatalf("%s: %v, %v", line, ran, err)
		}
		r, err := d.After(t.Context(), chunks[0])
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := says("other = split world color=rank%2"); r.Grade != nil || !strings.HasSuffix(r.Text, "a communicator named half; you made other.") {
		t.Errorf("another name: %+v", r)
	}
	if r := says("half = split world color=0"); r.Grade == nil || r.Grade.Right || r.Grade.Rows(80)[0] != (practice.Row{Kind: practice.HeadRow, Text: "wrong with 4 ranks:"}) {
		t.Errorf("wrong: %+v", r)
	}
	hints := []string{d.Hint(), d.Hint(), d.Hint()}
	if want := []string{"Hint 1 of 2: One.", "Hint 2 of 2: Two, going on.", "There are no more hints. solution shows an answer."}; !slices.Equal(hints, want) {
		t.Errorf("hints: %q", hints)
	}
	if _, lines := d.Solution(); lines != "" {
		t.Errorf("the solution shows at once: %q", lines)
	}
	if _, lines := d.Solution(); lines != "    half = split world color=rank%2" {
		t.Errorf("the solution: %q", lines)
	}
	if r := says("half = split world color=rank%2"); r.Grade == nil || !r.Grade.Right || !d.Solved || len(d.Own()) != 1 {
		t.Errorf("right: %+v, %d lines", r, len(d.Own()))
	}
	if err := d.Again(t.Context()); err != nil || d.Solved || len(d.Own()) != 0 || !slices.Equal(notices, []string{"You begin again: 1 line taken back."}) {
		t.Errorf("again: %v, solved %v, %q", err, d.Solved, notices)
	}
	for line, want := range map[string]practice.Word{" Hint": practice.Hint, ".quit": practice.Leave, "goal": practice.Task, "half": practice.None, "": practice.None} {
		if got := practice.WordOf(line); got != want {
			t.Errorf("%q is word %d, want %d", line, got, want)
		}
	}
}
