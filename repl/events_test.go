package repl_test

import (
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
)

// brief describes an event by its kind and the beginning of its text.
func brief(e render.Event) string {
	kind, text := "", ""
	switch {
	case e.Line != nil && e.Question != nil:
		kind, text = "ask", e.Line.Text
	case e.Line != nil && e.Line.Note:
		kind, text = "note", e.Line.Text
	case e.Line != nil:
		kind, text = "out", e.Line.Text
	case e.Caught != nil:
		kind, text = "caught", e.Caught.Class.String()+" on "+e.Caught.Ranks.Noun()
	case e.Failure != nil:
		kind, text = "failed", e.Failure.Message
	case e.Drawn != "":
		kind, text = "drawn", e.Typed
	case e.Typed != "":
		kind, text = "typed", e.Typed
	case e.Called != "":
		kind, text = "called", strings.Fields(e.Called)[4]
	case e.Locked != nil:
		kind, text = "locked", e.Locked.Snapshot.Waiting[0].Ranks.Noun()
	}
	return string(rune('0'+e.Step)) + " " + kind + " " + text
}

func story(s *repl.Session) []string {
	var list []string
	for _, e := range s.Events() {
		list = append(list, brief(e))
	}
	return list
}

// One list has all events in the order in which they happened, also inside one statement in which no rank waits:
// notes, output of ranks, errors that they catch, failed expectations, local calls between them.
func TestEventsInAProgram(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 2, `def f():
    note("one")
    expect_error(MPI.ERR_RANK, lambda: world.send(1, dest=9))
    note("two")
    expect(world.size == 3, "three")
    expect_error(MPI.ERR_TAG, lambda: world.send(1, dest=0, tag=-9))
    expect(world.size == 4, "four")
    note("three")
    world.Set_name("all")
    print("rank %d" % world.rank)
    expect(world.size == 5, "five")
    note("four")
`, "f()")
	want := []string{
		"0 note one", "0 caught MPI_ERR_RANK on ranks 0-1", "0 note two", "0 failed three: expected a true value, found False (bool)",
		"0 caught MPI_ERR_TAG on ranks 0-1", "0 failed four: expected a true value, found False (bool)", "0 note three",
		"1 out rank 0", "1 out rank 1", "1 failed five: expected a true value, found False (bool)", "1 note four",
	}
	if got := story(s); !slices.Equal(got, want) {
		t.Errorf("it is\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The events that a deadlock took back come before the deadlock: lines, calls, notes and caught errors. They stay
// after .undo and .redo, and later events keep their places.
func TestEventsOfADeadlock(t *testing.T) {
	t.Parallel()
	s := sessions.New(t, 3, `note "before"`, "a = dup world", "@0 barrier a", `@1-2 note "meanwhile"`, "@1-2 b = create_group a group=[1,2]",
		"@1 expect_error MPI.ERR_RANK (lambda: a.send(1,dest=9))", "expect_deadlock", `note "behind"`, "c = split a color=0",
		`ask "How many?" c.size answer=3`, `ask "And now?" c.size answer=3`)
	want := []string{
		"0 note before", "1 typed @0 barrier a", "1 note meanwhile", "1 typed @1-2 b = create_group a group=[1,2]", "1 called MPI_Comm_create_group",
		"1 caught MPI_ERR_RANK on rank 1", "1 locked rank 0", "1 note behind", "2 ask How many?", "2 ask And now?",
	}
	same := func(when string) {
		t.Helper()
		if got := story(s); !slices.Equal(got, want) {
			t.Errorf("%s it is\n%s\nnot\n%s", when, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	same("at first")
	undo(t, s, 5)
	for range 5 {
		redo(t, s)
	}
	same("done again")
	for _, e := range s.Events() {
		if e.Question != nil && e.Line.Text == "How many?" && !slices.Equal(e.Question.Lines, []string{"c = split a color=0"}) {
			t.Errorf("the question is about %q", e.Question.Lines)
		}
	}
}

// The drawing of a line that shows the session stands behind the line before it, as plain text.
func TestEventsDrawn(t *testing.T) {
	t.Parallel()
	c, _, _ := sessions.Console(t)
	c.Style.Colors = paint.Colors256
	for _, line := range []string{".show tree", `note "one"`, "half = split world color=0", ".show half", ".explain half @1", ".undo", ".show table"} {
		sessions.Tell(t, c, line)
	}
	if got, want := story(c.Session), []string{"0 drawn .show tree", "0 note one", "0 drawn .show table"}; !slices.Equal(got, want) {
		t.Errorf("it is %q, not %q", got, want)
	}
	if drawn := c.Session.Events()[0].Drawn; !strings.Contains(drawn, "Core L#0") || strings.Contains(drawn, "\x1b") {
		t.Errorf(".show tree drew %q", drawn)
	}
}
