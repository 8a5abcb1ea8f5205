package repl_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"commsplit/render"
	"commsplit/repl"
	"commsplit/repl/lang"
)

// background is the context of runs that nobody interrupts.
var background = context.Background()

// tester is what tests and properties have in common.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// open makes a session of n ranks on a machine of two packages with four cores each.
func open(t tester, n int) *repl.Session {
	t.Helper()
	s, err := repl.Open(background, repl.Config{Size: n, Topo: "pack:2 core:4"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// session is open for a test, which closes it.
func session(t *testing.T, n int, lines ...string) *repl.Session {
	t.Helper()
	s := open(t, n)
	t.Cleanup(s.Close)
	for _, l := range lines {
		must(t, s, l)
	}
	return s
}

// chunks cuts a text into chunks; the name of its file is always the same.
func chunks(t tester, text string) []*lang.Chunk {
	t.Helper()
	list, err := repl.NewScript("test.mpi", text).Chunks()
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return list
}

// do runs one chunk. When ranks fail, it rolls back.
func do(t tester, s *repl.Session, text string) (*repl.Outcome, error) {
	t.Helper()
	list := chunks(t, text)
	if len(list) != 1 {
		t.Fatalf("%q is %d chunks", text, len(list))
	}
	o, err := s.Run(background, list[0])
	var failed *repl.Failed
	if errors.As(err, &failed) {
		if undo := s.Rollback(background); undo != nil {
			t.Fatal(undo)
		}
	}
	return o, err
}

func must(t tester, s *repl.Session, text string) *repl.Outcome {
	t.Helper()
	o, err := do(t, s, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// state is all that can be seen of a session.
func state(t tester, s *repl.Session) string {
	t.Helper()
	var b bytes.Buffer
	if err := render.JSON(&b, s.View()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// partition is the group that each world rank's own communicator has; nil for MPI_COMM_NULL.
type partition [][]int32

// partitionOf is the partition that a variable holds.
func partitionOf(s *repl.Session, name string) partition {
	v := s.View()
	p := make(partition, s.Size())
	for r, id := range s.Handle(name).IDs {
		if id >= 0 {
			p[r] = v.Snapshot.Comm(int(id)).Group
		}
	}
	return p
}

// partitions are those of all variables that hold communicators.
func partitions(s *repl.Session) map[string]partition {
	all := map[string]partition{}
	for _, name := range s.Handles() {
		all[name] = partitionOf(s, name)
	}
	return all
}
