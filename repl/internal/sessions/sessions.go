// Package sessions opens sessions for the tests of repl and its console, and runs lines in them.
package sessions

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// Background is the context of runs that nobody interrupts.
var Background = context.Background()

// Tester is the methods that tests and property checks share.
type Tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// Open makes a session of n ranks on a machine of two packages with four cores each.
func Open(t Tester, n int) *repl.Session {
	t.Helper()
	s, err := repl.Open(Background, repl.Config{Size: n, Topo: "pack:2 core:4"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// New opens a session for a test and runs lines in it; the end of the test closes the session.
func New(t *testing.T, n int, lines ...string) *repl.Session {
	t.Helper()
	s := Open(t, n)
	t.Cleanup(s.Close)
	for _, l := range lines {
		Must(t, s, l)
	}
	return s
}

// Chunks cuts a text into chunks, as of a file test.mpi.
func Chunks(t Tester, text string) []*lang.Chunk {
	t.Helper()
	list, err := stories.NewScript("test.mpi", text).Chunks()
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return list
}

// Do runs one chunk. When ranks fail, it rolls back.
func Do(t Tester, s *repl.Session, text string) (*repl.Outcome, error) {
	t.Helper()
	list := Chunks(t, text)
	if len(list) != 1 {
		t.Fatalf("%q is %d chunks", text, len(list))
	}
	o, err := s.Run(Background, list[0])
	var failed *repl.Failed
	if errors.As(err, &failed) {
		if undo := s.Rollback(Background); undo != nil {
			t.Fatal(undo)
		}
	}
	return o, err
}

// Must runs one chunk, which succeeds.
func Must(t Tester, s *repl.Session, text string) *repl.Outcome {
	t.Helper()
	o, err := Do(t, s, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// Console returns a console with a session of 8 ranks, and its streams.
func Console(t *testing.T) (c *console.Console, out, errs *bytes.Buffer) {
	t.Helper()
	out, errs = new(bytes.Buffer), new(bytes.Buffer)
	c, err := console.NewConsole(Background, repl.Config{Size: 8, Topo: "pack:2 core:4"}, out, errs, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	c.Prompt = true
	t.Cleanup(c.Session.Close)
	return c, out, errs
}

// Tell runs lines as a person types them.
func Tell(t *testing.T, c *console.Console, lines ...string) {
	t.Helper()
	for _, l := range lines {
		typed, err := repl.ParseLines("test.mpi", []string{l})
		if err != nil {
			t.Fatal(err)
		}
		for _, chunk := range typed {
			if err := c.Do(Background, chunk); err != nil {
				t.Fatalf("%s: %v", l, err)
			}
		}
	}
}

// Prelude is the line that the examples of the verbs build on.
const Prelude = "half = split world color=rank%2"

// Partition is, for each world rank, the group of its communicator; nil for MPI_COMM_NULL.
type Partition [][]int32

// PartitionOf returns the Partition that a variable holds.
func PartitionOf(s *repl.Session, name string) Partition {
	v := s.View()
	p := make(Partition, s.Size())
	for r, id := range s.Handle(name).IDs {
		if id >= 0 {
			p[r] = v.Snapshot.Comm(int(id)).Group
		}
	}
	return p
}

// Partitions returns the partitions of all variables that hold communicators.
func Partitions(s *repl.Session) map[string]Partition {
	all := map[string]Partition{}
	for _, name := range s.Handles() {
		all[name] = PartitionOf(s, name)
	}
	return all
}
