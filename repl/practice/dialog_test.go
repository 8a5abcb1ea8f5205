package practice_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/practice"
)

// begun is a dialog about an exercise, and what it answers to lines.
func begun(t *testing.T, x *practice.Exercise, notice func(string)) (*practice.Dialog, func(line string) practice.Reply) {
	t.Helper()
	c, err := console.NewConsole(t.Context(), x.Worlds[0].Config, io.Discard, io.Discard, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Session.Close)
	d, err := x.Begin(t.Context(), c, notice)
	if err != nil {
		t.Fatal(err)
	}
	return d, func(line string) practice.Reply {
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
}

// At the ends of a list of exercises, a person is told so: back stays at the first, and next leaves the last.
func TestEndsOfTheList(t *testing.T) {
	t.Parallel()
	x := read(t, halves)
	for words, want := range map[string][3]int{ // how often an exercise, the first and the last are told
		"next next":           {2, 0, 1},
		"back next next":      {3, 1, 1},
		"next back back next": {5, 1, 0},
		"next":                {2, 0, 0},
	} {
		var out strings.Builder
		lines := strings.Fields(words)
		p := &practice.Player{Out: &out, Style: render.Style{Width: 80}, Line: func(string, string) (string, error) {
			if len(lines) == 0 {
				return "", io.EOF
			}
			line := lines[0]
			lines = lines[1:]
			return line, nil
		}, Open: func(ctx context.Context, w practice.World) (*console.Console, error) {
			return console.NewConsole(ctx, w.Config, &out, &out, render.Style{Width: 80})
		}}
		solved, err := p.Play(t.Context(), []*practice.Exercise{x, x}, 0)
		if head := "\nThe goal, with 4 ranks:\n"; strings.Count(out.String(), head) != want[0] {
			t.Errorf("%s: without a head of each goal:\n%s", words, &out)
		}
		got := [3]int{strings.Count(out.String(), "of 2: Halves"), strings.Count(out.String(), "This is the first exercise."),
			strings.Count(out.String(), "That was the last exercise.")}
		if solved || err != nil || got != want {
			t.Errorf("%s: %v, want %v; %v, %v", words, got, want, solved, err)
		}
	}
}

// Of an exercise whose answer is right or wrong only as a whole, here because it must not leak, a line is told to be wrong
// where ranks hold the wrong communicator, and not where more lines may still mend it.
func TestWrongBeforeTheEnd(t *testing.T) {
	t.Parallel()
	x := read(t, strings.Replace(halves, "# hint: One.", "# leaks: none\n# hint: One.", 1))
	for line, told := range map[string]bool{
		"half = split world color=0": true,
		"half = 5":                   false,
		"half = world.Dup().Split(world.rank % 2)": false,
	} {
		if _, says := begun(t, x, func(string) {}); (says(line).Grade != nil) != told {
			t.Errorf("%s: told %v, want %v", line, !told, told)
		}
	}
}

// Of two names that are asked for, the one that is not set yet is told, or the one that fits what has another name; and a
// line that sets a name again takes the place of the one before, while those in front of it stay.
func TestNamesOfSeveral(t *testing.T) {
	t.Parallel()
	x := read(t, "# A library\n# commsplit: -n 3 --topo core:4\n# answer: lib, log\nnote \"Two.\"\n# solution:\nlib = dup world\nlog = split world color=0\n# goal:\n")
	d, says := begun(t, x, func(string) {})
	says("lib = dup world")
	if r := says("other = split world color=0"); !strings.HasSuffix(r.Text, "a communicator named log; you made other.") {
		t.Errorf("%+v", r)
	}
	for _, line := range []string{"log = split world color=rank", "log = split world color=0"} {
		says(line)
	}
	var own []string
	for _, c := range d.Own() {
		own = append(own, c.Text)
	}
	if want := []string{"lib = dup world", "log = split world color=0"}; !slices.Equal(own, want) || !d.Solved {
		t.Errorf("%q, solved %v", own, d.Solved)
	}
	const upper = " = split world color=(0 if rank>1 else UNDEFINED)"
	x = read(t, "# Ends\n# commsplit: -n 4 --topo core:4\n# answer: low, high\nnote \"Two.\"\n# solution:\n"+
		"low = split world color=(0 if rank<2 else UNDEFINED)\nhigh"+upper+"\n# goal:\n")
	_, says = begun(t, x, func(string) {})
	if r := says("mine" + upper); !strings.HasSuffix(r.Text, "a communicator named high; you made mine.") {
		t.Errorf("%+v", r)
	}
}

// A dialog answers lines and words with values, whatever face shows them: a line under another name with both names, a
// wrong one with its grade, a right one with what solves; hints one after the other, the solution when asked twice.
func TestDialog(t *testing.T) {
	t.Parallel()
	var notices []string
	d, says := begun(t, read(t, halves), func(text string) { notices = append(notices, text) })
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
	if err := d.Again(t.Context()); err != nil || d.Solved || len(d.Own()) != 0 || !slices.Equal(notices, []string{"You start again: 1 line taken back."}) {
		t.Errorf("again: %v, solved %v, %q", err, d.Solved, notices)
	}
	for line, want := range map[string]practice.Word{" Hint": practice.Hint, ".quit": practice.Leave, "goal": practice.Task, "half": practice.None, "": practice.None} {
		if got := practice.WordOf(line); got != want {
			t.Errorf("%q is word %d, want %d", line, got, want)
		}
	}
}

// The rows tell hints and verdicts in the order in which they were told, and which came last.
func TestRowsInOrder(t *testing.T) {
	t.Parallel()
	d, says := begun(t, read(t, halves), func(string) {})
	check := func(when string, want ...practice.RowKind) {
		t.Helper()
		rows, fresh := d.Rows(80)
		var told []practice.RowKind
		for _, r := range rows[len(d.Opening()):] {
			if r.Kind == practice.HeadRow || r.Kind == practice.HintRow || r.Kind == practice.RightRow {
				told = append(told, r.Kind)
			}
		}
		if !slices.Equal(told, want) {
			t.Errorf("%s: rows of kinds %v, want %v", when, told, want)
		}
		switch {
		case len(want) == 0 && fresh != 0:
			t.Errorf("%s: row %d came last", when, fresh)
		case len(want) > 0 && rows[fresh].Kind != want[len(want)-1]:
			t.Errorf("%s: %+v came last", when, rows[fresh])
		}
	}
	check("at the beginning")
	d.Hint()
	check("a hint", practice.HintRow)
	says("half = split world color=0")
	check("a wrong line behind it", practice.HintRow, practice.HeadRow)
	says("other = dup world")
	check("a line that is no answer", practice.HintRow, practice.HeadRow)
	says("half = split world color=rank%2")
	check("a right line", practice.HintRow, practice.RightRow)
	if err := d.Again(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("again", practice.HintRow)
}
