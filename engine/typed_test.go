package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// word joins texts: an associative operation that is not commutative, so the order of combining shows.
func word(a, b string) string { return a + b }

// §6.4 to §6.11: the functions give what the methods give, by rank of the communicator, with its type.
func TestTypedCollectives(t *testing.T) {
	t.Parallel()
	letter := func(rank int) string { return string(rune('a' + rank)) }
	list := func(rank int) []string { return []string{letter(rank) + "0", letter(rank) + "1", letter(rank) + "2"} }
	all := []string{"a", "b", "c"}
	for name, c := range map[string]struct {
		call func(c *engine.Comm, rank int) (any, error)
		want []any
	}{
		"bcast":   {func(c *engine.Comm, r int) (any, error) { return engine.Bcast(c, letter(r), 1) }, []any{"b", "b", "b"}},
		"gather":  {func(c *engine.Comm, r int) (any, error) { return engine.Gather(c, letter(r), 2) }, []any{[]string(nil), []string(nil), all}},
		"scatter": {func(c *engine.Comm, r int) (any, error) { return engine.Scatter(c, list(r)[:max(r, 3*(r%2))], 1) }, []any{"b0", "b1", "b2"}},
		"allgather": {func(c *engine.Comm, r int) (any, error) { return engine.Allgather(c, letter(r)) },
			[]any{all, all, all}},
		"alltoall": {func(c *engine.Comm, r int) (any, error) { return engine.Alltoall(c, list(r)) },
			[]any{[]string{"a0", "b0", "c0"}, []string{"a1", "b1", "c1"}, []string{"a2", "b2", "c2"}}},
		"reduce":    {func(c *engine.Comm, r int) (any, error) { return engine.Reduce(c, letter(r), word, 0) }, []any{"abc", "", ""}},
		"allreduce": {func(c *engine.Comm, r int) (any, error) { return engine.Allreduce(c, letter(r), word) }, []any{"abc", "abc", "abc"}},
		"scan":      {func(c *engine.Comm, r int) (any, error) { return engine.Scan(c, letter(r), word) }, []any{"a", "ab", "abc"}},
		"exscan":    {func(c *engine.Comm, r int) (any, error) { return engine.Exscan(c, letter(r), word) }, []any{"", "a", "ab"}},
		"sum":       {func(c *engine.Comm, r int) (any, error) { return engine.Allreduce(c, r+2, engine.Sum) }, []any{9, 9, 9}},
		"prod":      {func(c *engine.Comm, r int) (any, error) { return engine.Allreduce(c, float64(r+2), engine.Prod) }, []any{24., 24., 24.}},
		"max":       {func(c *engine.Comm, r int) (any, error) { return engine.Allreduce(c, letter(r), engine.Max) }, []any{"c", "c", "c"}},
		"min":       {func(c *engine.Comm, r int) (any, error) { return engine.Allreduce(c, -r, engine.Min) }, []any{-2, -2, -2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, reversed(t, 3, c.call)); diff != "" {
				t.Errorf("results by rank (-want +got):\n%s", diff)
			}
		})
	}
}

// parcel has all kinds of parts that can be copied.
type parcel struct {
	Name  string
	Rows  [][]int
	By    map[string][]int
	Pair  [2][]int
	Any   any
	Inner struct{ List []int }
	own   int
}

func packed(v int) parcel {
	p := parcel{Name: "p", Rows: [][]int{{v}}, By: map[string][]int{"k": {v}}, Pair: [2][]int{{v}, {v}}, Any: []any{[]int{v}, nil}, own: v}
	p.Inner.List = []int{v}
	return p
}

// scribble modifies all that a parcel refers to.
func (p parcel) scribble() {
	p.Rows[0][0], p.By["k"][0], p.Pair[1][0], p.Inner.List[0] = -1, -1, -1, -1
	p.By["new"] = nil
	p.Any.([]any)[0].([]int)[0] = -1
}

// Whoever modifies what it passed or got modifies nothing of another process, whatever the call.
func TestTypedValuesAreCopies(t *testing.T) {
	t.Parallel()
	first := func(list []parcel, err error) (parcel, error) {
		if list == nil {
			return packed(7), err
		}
		return list[0], err
	}
	one := func(a, _ parcel) parcel { return a }
	for name, call := range map[string]func(c *engine.Comm, mine parcel) (parcel, error){
		"bcast":  func(c *engine.Comm, mine parcel) (parcel, error) { return engine.Bcast(c, mine, 0) },
		"gather": func(c *engine.Comm, mine parcel) (parcel, error) { return first(engine.Gather(c, mine, 1)) },
		"scatter": func(c *engine.Comm, mine parcel) (parcel, error) {
			return engine.Scatter(c, []parcel{mine, mine, mine}, 2)
		},
		"allgather": func(c *engine.Comm, mine parcel) (parcel, error) { return first(engine.Allgather(c, mine)) },
		"alltoall": func(c *engine.Comm, mine parcel) (parcel, error) {
			return first(engine.Alltoall(c, []parcel{mine, mine, mine}))
		},
		"allreduce": func(c *engine.Comm, mine parcel) (parcel, error) { return engine.Allreduce(c, mine, one) },
		"scan":      func(c *engine.Comm, mine parcel) (parcel, error) { return engine.Scan(c, mine, one) },
		"send": func(c *engine.Comm, mine parcel) (parcel, error) {
			if err := engine.Send(c, mine, (c.Rank()+1)%3, 0); err != nil {
				return mine, err
			}
			got, _, err := engine.Recv[parcel](c, engine.AnySource, 0)
			return got, err
		},
		"isend": func(c *engine.Comm, mine parcel) (parcel, error) {
			r, err := c.Irecv(engine.AnySource, 0)
			if err != nil {
				return mine, err
			}
			if _, err := engine.Isend(c, mine, (c.Rank()+1)%3, 0); err != nil {
				return mine, err
			}
			e, err := r.Wait()
			if err != nil {
				return mine, err
			}
			return engine.Value[parcel](e)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := perRank(t, ofSize(3), func(p *engine.Process) (parcel, error) {
				mine := packed(7)
				got, err := call(p.World(), mine)
				mine.scribble()
				if p.Rank() > 0 {
					got.scribble()
				}
				return got, errors.Join(err, p.World().Barrier())
			})
			if diff := cmp.Diff(packed(7), got[0], cmp.AllowUnexported(parcel{})); diff != "" {
				t.Errorf("rank 0 got (-want +got):\n%s", diff)
			}
		})
	}
}

// A scan gives each process a result of its own, even of an operation that builds on its first argument.
func TestTypedScanInPlace(t *testing.T) {
	t.Parallel()
	add := func(a, b []int) []int {
		a[0] += b[0]
		return a
	}
	got := perRank(t, ofSize(4), func(p *engine.Process) ([]int, error) { return engine.Scan(p.World(), []int{p.Rank()}, add) })
	if diff := cmp.Diff([][]int{{0}, {1}, {3}, {6}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// §3.3.1: the types that both processes name must match. What cannot be copied does not travel.
func TestTypedMistakes(t *testing.T) {
	t.Parallel()
	type linked struct{ Next *linked }
	itself := []any{nil}
	itself[0] = itself
	add := func(a, b int) int { return a + b }
	for name, c := range map[string]struct {
		call func(c *engine.Comm) error
		is   error
		text string
	}{
		"another type received": {func(c *engine.Comm) error {
			if err := engine.Send(c, 1, c.Rank(), 0); err != nil {
				return err
			}
			_, _, err := engine.Recv[string](c, c.Rank(), 0)
			return err
		}, engine.MistakeValueType, "type int came, but the process asks for type string"},
		"another type broadcast": {func(c *engine.Comm) error {
			if c.Rank() == 1 {
				_, err := engine.Bcast(c, 1.5, 0)
				return err
			}
			_, err := engine.Bcast(c, 1, 0)
			return err
		}, engine.MistakeValueType, "type int came, but the process asks for type float64"},
		"another type reduced": {func(c *engine.Comm) error {
			if c.Rank() == 1 {
				_, err := engine.Allreduce(c, 1.5, engine.Sum)
				return err
			}
			_, err := engine.Allreduce(c, 1, engine.Sum)
			return err
		}, engine.MistakeValueType, "type float64 came, but the process asks for type int"},
		"nothing for a number": {func(c *engine.Comm) error {
			if err := c.Send(nil, c.Rank(), 0); err != nil {
				return err
			}
			_, _, err := engine.Recv[int](c, c.Rank(), 0)
			return err
		}, engine.MistakeValueType, "asks for type int"},
		"other operations": {func(c *engine.Comm) error {
			op := add
			if c.Rank() == 1 {
				op = engine.Sum
			}
			_, err := engine.Allreduce(c, 1, op)
			return err
		}, engine.MistakeOpsDiffer, "rank 1 passes engine.Sum[...]"},
		"a pointer": {func(c *engine.Comm) error {
			_, err := engine.Allgather(c, []linked{{}})
			return err
		}, engine.MistakeValueShared, "the *engine_test.linked in it"},
		"a channel in an interface": {func(c *engine.Comm) error {
			_, err := engine.Allgather(c, map[string]any{"c": make(chan int)})
			return err
		}, engine.MistakeValueShared, "the chan int in it"},
		"a list in itself": {func(c *engine.Comm) error {
			_, err := engine.Allgather(c, itself)
			return err
		}, engine.MistakeValueShared, "type []interface {}"},
		"too few values": {func(c *engine.Comm) error {
			_, err := engine.Scatter(c, []int{1}, 0)
			return err
		}, engine.MistakeValueCount, "has 2, but rank 0 passes 1"},
		"too few values on several": {func(c *engine.Comm) error {
			_, err := engine.Alltoall(c, []int{1})
			return err
		}, engine.MistakeValueCount, "has 2, but ranks 0-1 pass 1"},
		"too many values on one": {func(c *engine.Comm) error {
			_, err := engine.Alltoall(c, make([]int, 2+c.Rank()))
			return err
		}, engine.MistakeValueCount, "has 2, but rank 1 passes 3"},
		"MPI_COMM_NULL": {func(c *engine.Comm) error {
			_, err := engine.Bcast[int](nil, 1, 0)
			return err
		}, engine.MistakeCommNull, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := try(t, ofSize(2), func(p *engine.Process) error { return c.call(p.World()) })
			if !errors.Is(err, c.is) {
				t.Fatalf("%v is not %v", err, c.is)
			}
			wantText(t, err.Error(), c.text)
		})
	}
}

// §6.2.3: on an intercommunicator data goes from one group to the other. Ranks 0 and 1 are its left group, whose
// rank 1 is the root.
func TestTypedOnIntercomm(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(5), func(p *engine.Process) (string, error) {
		c, err := bridge(p, 2)
		if err != nil {
			return "", err
		}
		root := []int{engine.ProcNull, engine.Root, 1, 1, 1}[p.Rank()]
		said, err1 := engine.Bcast(c, []int{p.Rank()}, root)
		list, err2 := engine.Gather(c, p.Rank(), root)
		part, err3 := engine.Scatter(c, []int{10, 20, 30}, root)
		sum, err4 := engine.Reduce(c, p.Rank(), engine.Sum, root)
		all, err5 := engine.Allreduce(c, p.Rank(), engine.Max)
		return fmt.Sprint(said, list, part, sum, all), errors.Join(err1, err2, err3, err4, err5)
	})
	wantSides(t, got, "[] [] 0 0 4", "[] [2 3 4] 0 9 4", "[1] [] 10 0 1", "[1] [] 20 0 1", "[1] [] 30 0 1")
}

// From MPI_PROC_NULL a process gets the zero value (§3.10); nil is a value of an interface type.
func TestTypedNothing(t *testing.T) {
	t.Parallel()
	got := perRank(t, ofSize(1), func(p *engine.Process) (string, error) {
		v, e, err := engine.Recv[int](p.World(), engine.ProcNull, 0)
		if err != nil {
			return "", err
		}
		again, err := engine.Value[int](e)
		if err != nil {
			return "", err
		}
		list, err := engine.Allgather[error](p.World(), nil)
		return fmt.Sprint(v, again, list), err
	})
	if got[0] != "0 0 [<nil>]" {
		t.Error(got[0])
	}
}
