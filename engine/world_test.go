package engine_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// tester has the methods of *testing.T and *rapid.T that tests use.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(f func())
}

// ofSize returns the configuration of a world without hardware.
func ofSize(n int) engine.Config { return engine.Config{Size: n} }

// try runs f on every rank of a new world and returns the error of the run.
func try(t tester, cfg engine.Config, f func(p *engine.Process) error) error {
	t.Helper()
	w, err := engine.New(cfg)
	if err != nil {
		t.Fatalf("world: %v", err)
	}
	return engine.Run(w, f)
}

// perRank runs f on every rank of a new world, which must end without an error, and returns what each
// rank returned.
func perRank[T any](t tester, cfg engine.Config, f func(p *engine.Process) (T, error)) []T {
	t.Helper()
	out := make([]T, max(cfg.Size, len(cfg.Bindings)))
	err := try(t, cfg, func(p *engine.Process) (err error) {
		out[p.Rank()], err = f(p)
		return err
	})
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	return out
}

// view is what a rank sees of a communicator; the zero view is MPI_COMM_NULL.
type view struct {
	ID, Rank, Size int
	Group          []int32
	Resource       string
}

// look returns what the queries of a handle return.
func look(c *engine.Comm) (view, error) {
	if c.IsNull() {
		return view{}, nil
	}
	rank := c.Rank()
	size := c.Size()
	g, err := c.Group()
	if err != nil {
		return view{}, err
	}
	return view{c.Info().ID, rank, size, g.WorldRanks(), c.Info().Resource}, nil
}

// looking returns a view of the handle that a constructor returned.
func looking(c *engine.Comm, err error) (view, error) {
	if err != nil {
		return view{}, err
	}
	return look(c)
}

// wantParts compares views with the communicators, which are lists of world ranks in rank order, by
// ascending id; ranks in none of the lists must see MPI_COMM_NULL.
func wantParts(t tester, views []view, want [][]int32) {
	t.Helper()
	expected := make([]view, len(views))
	ids := idsOf(views)
	if len(ids) != len(want) {
		t.Fatalf("%d communicators, want %d: %+v", len(ids), len(want), views)
	}
	for i, group := range want {
		for rank, world := range group {
			expected[world] = view{ID: ids[i], Rank: rank, Size: len(group), Group: group,
				Resource: views[world].Resource}
		}
	}
	if diff := cmp.Diff(expected, views); diff != "" {
		t.Errorf("views by world rank (-want +got):\n%s", diff)
	}
}

func idsOf(views []view) []int {
	var ids []int
	for _, v := range views {
		if v.ID != 0 && !slices.Contains(ids, v.ID) {
			ids = append(ids, v.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// want returns an error unless ok. Ranks return it: they must not fail the test themselves.
func want(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// isClass returns an error unless err is an MPI error of a class whose text has all the words.
func isClass(err error, class engine.Class, words ...string) error {
	var e *engine.Error
	if !errors.As(err, &e) || e.Class != class {
		return fmt.Errorf("got %v, want %s", err, class)
	}
	if !errors.Is(err, class) || e.Mistake != engine.NoMistake && !errors.Is(err, e.Mistake) {
		return fmt.Errorf("%v: errors.Is does not find %s and %v", err, class, e.Mistake)
	}
	if e.Mistake == engine.NoMistake && e.Text != "" && e.Call != engine.CallAbort && e.Call != engine.CallCallErrhandler {
		return fmt.Errorf("%v: the mistake has no name", err)
	}
	for _, w := range words {
		if !strings.Contains(e.Error(), w) {
			return fmt.Errorf("%q lacks %q", e.Error(), w)
		}
	}
	return nil
}

// wantClass returns the MPI error when err is an error of the class; otherwise it ends the test.
func wantClass(t tester, err error, class engine.Class) *engine.Error {
	t.Helper()
	if wrong := isClass(err, class); wrong != nil {
		t.Fatalf("%v", wrong)
	}
	e, _ := errors.AsType[*engine.Error](err)
	return e
}

// wantText checks that a text has all the pieces.
func wantText(t tester, text string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if !strings.Contains(text, p) {
			t.Errorf("message %q\nlacks %q", text, p)
		}
	}
}

// below returns the place n lines below the call.
func below(n int) string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", file[strings.LastIndexByte(file, '/')+1:], line+n)
}

// incl makes the group of the named ranks of c.
func incl(c *engine.Comm, ranks ...int) (*engine.Group, error) {
	g, err := c.Group()
	if err != nil {
		return nil, err
	}
	return g.Incl(ranks)
}

// groups returns the group {0,...,n-1} to a test, which makes other groups of it.
func groups(t tester, n int) *engine.Group {
	t.Helper()
	return perRank(t, ofSize(n), func(p *engine.Process) (*engine.Group, error) {
		return p.World().Group()
	})[0]
}

// A world has between one and MaxSize ranks, and a binding for each rank or no bindings.
func TestNewRefusesContradictions(t *testing.T) {
	t.Parallel()
	_, bindings := twoNodes()
	for _, cfg := range []engine.Config{
		{}, {Size: -1}, {Size: engine.MaxSize + 1}, {Size: 3, Bindings: bindings},
	} {
		if w, err := engine.New(cfg); err == nil {
			w.Close()
			t.Errorf("size %d with %d bindings: no error", cfg.Size, len(cfg.Bindings))
		}
	}
}
