package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// join is an associative operation that is not commutative, so the order of combining shows.
var join = engine.Op{Name: "join", Combine: func(a, b any) (any, error) {
	return a.(string) + b.(string), nil
}}

// reversed runs f on a communicator of n ranks in the reverse of the world's order, and returns the
// results by rank in that communicator.
func reversed(t tester, n int, f func(c *engine.Comm, rank int) (any, error)) []any {
	t.Helper()
	byWorld := perRank(t, ofSize(n), func(p *engine.Process) (any, error) {
		c, err := p.World().Split(0, -p.Rank())
		if err != nil {
			return nil, err
		}
		rank := c.Rank()
		return f(c, rank)
	})
	out := make([]any, n)
	for i, v := range byWorld {
		out[n-1-i] = v
	}
	return out
}

// §6.4 to §6.11: what each collective call gives by rank of the communicator; reductions combine in
// rank order. Rank r passes the letter r.
func TestCollectives(t *testing.T) {
	t.Parallel()
	letter := func(rank int) string { return string(rune('a' + rank)) }
	list := func(rank int) []any {
		return []any{letter(rank) + "0", letter(rank) + "1", letter(rank) + "2"}
	}
	all := []any{"a", "b", "c"}
	for name, c := range map[string]struct {
		call func(c *engine.Comm, rank int) (any, error)
		want []any
	}{
		"bcast": {func(c *engine.Comm, r int) (any, error) { return c.Bcast(letter(r), 1) },
			[]any{"b", "b", "b"}},
		"gather": {func(c *engine.Comm, r int) (any, error) { return c.Gather(letter(r), 2) },
			[]any{[]any(nil), []any(nil), all}},
		"allgather": {func(c *engine.Comm, r int) (any, error) { return c.Allgather(letter(r)) },
			[]any{all, all, all}},
		"scatter": {func(c *engine.Comm, r int) (any, error) {
			if r != 1 {
				return c.Scatter(nil, 1)
			}
			return c.Scatter(list(r), 1)
		}, []any{"b0", "b1", "b2"}},
		"alltoall": {func(c *engine.Comm, r int) (any, error) { return c.Alltoall(list(r)) },
			[]any{[]any{"a0", "b0", "c0"}, []any{"a1", "b1", "c1"}, []any{"a2", "b2", "c2"}}},
		"reduce": {func(c *engine.Comm, r int) (any, error) { return c.Reduce(letter(r), join, 0) },
			[]any{"abc", nil, nil}},
		"allreduce": {func(c *engine.Comm, r int) (any, error) { return c.Allreduce(letter(r), join) },
			[]any{"abc", "abc", "abc"}},
		"iallreduce, the second first": {func(c *engine.Comm, r int) (any, error) {
			small, err := c.Iallreduce(letter(r), join)
			if err != nil {
				return nil, err
			}
			large, err := c.Iallreduce(strings.ToUpper(letter(r)), join)
			if err != nil {
				return nil, err
			}
			after, err := large.Wait()
			if err != nil {
				return nil, err
			}
			before, err := small.Wait()
			return []any{before.Value, after.Value}, err
		}, []any{[]any{"abc", "ABC"}, []any{"abc", "ABC"}, []any{"abc", "ABC"}}},
		"scan": {func(c *engine.Comm, r int) (any, error) { return c.Scan(letter(r), join) },
			[]any{"a", "ab", "abc"}},
		"exscan": {func(c *engine.Comm, r int) (any, error) { return c.Exscan(letter(r), join) },
			[]any{nil, "a", "ab"}},
		"barrier": {func(c *engine.Comm, r int) (any, error) { return nil, c.Barrier() },
			[]any{nil, nil, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, reversed(t, 3, c.call)); diff != "" {
				t.Errorf("results by rank (-want +got):\n%s", diff)
			}
		})
	}
}

// §6.4 to §6.9: root is a rank of the communicator, the same on all processes; so is the operation;
// and scatter and alltoall need a value for every process.
func TestCollectiveErrors(t *testing.T) {
	t.Parallel()
	other := engine.Op{Name: "other", Combine: join.Combine}
	fails := engine.Op{Name: "fails", Combine: func(a, b any) (any, error) {
		return nil, fmt.Errorf("no sum of %v and %v", a, b)
	}}
	for name, c := range map[string]struct {
		call  func(c *engine.Comm, rank int) error
		class engine.Class
		text  []string
	}{
		"root too large": {func(c *engine.Comm, _ int) error { _, err := c.Bcast(1, 3); return err },
			engine.ErrRoot, []string{"0 to 2", "root 3"}},
		"root negative": {func(c *engine.Comm, _ int) error { _, err := c.Gather(1, -1); return err },
			engine.ErrRoot, []string{"root -1"}},
		"different roots": {func(c *engine.Comm, r int) error { _, err := c.Bcast(1, r/2); return err },
			engine.ErrRoot, []string{"ranks 0-1 pass root 0; rank 2 passes root 1"}},
		"different operations": {func(c *engine.Comm, r int) error {
			_, err := c.Allreduce("x", []engine.Op{join, other, other}[r])
			return err
		}, engine.ErrOp, []string{"rank 0 passes join; ranks 1-2 pass other"}},
		"different operations of nonblocking calls": {func(c *engine.Comm, r int) error {
			q, err := c.Iallreduce("x", []engine.Op{join, other, other}[r])
			if err != nil {
				return err
			}
			_, err = q.Wait()
			return err
		}, engine.ErrOp, []string{"rank 0 passes join; ranks 1-2 pass other"}},
		"failing operation": {func(c *engine.Comm, r int) error {
			_, err := c.Scan(r, fails)
			return err
		}, engine.ErrOp, []string{"no sum of 0 and 1"}},
		"scatter of too few": {func(c *engine.Comm, r int) error {
			_, err := c.Scatter([]any{1, 2}, 1)
			return err
		}, engine.ErrArg, []string{"has 3", "rank 1 passes 2"}},
		"alltoall of too many": {func(c *engine.Comm, r int) error {
			_, err := c.Alltoall(make([]any, 3+r/2))
			return err
		}, engine.ErrArg, []string{"has 3", "rank 2 passes 4"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := try(t, ofSize(3), func(p *engine.Process) error {
				return c.call(p.World(), p.Rank())
			})
			e := wantClass(t, err, c.class)
			wantText(t, e.Error(), c.text...)
			if e.Ranks.String() != "0-2" {
				t.Errorf("raised on %s, want on all ranks", e.Ranks)
			}
		})
	}
}

// §6.1: processes that make different collective calls on one communicator never meet: a deadlock,
// not an answer, also when the calls look alike.
func TestCollectivesDoNotMix(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(2), func(p *engine.Process) error {
		if p.Rank() == 0 {
			_, err := p.World().Reduce("x", join, 0)
			return err
		}
		_, err := p.World().Allreduce("x", join)
		return err
	})
	var d *engine.Deadlock
	if !errors.As(err, &d) {
		t.Fatalf("got %v, want a deadlock", err)
	}
	wantText(t, d.Error(), "rank 0 waits in MPI_Reduce", "rank 1 is in MPI_Allreduce")
}

// A communicator that is used again, with nothing kept of the call before, gives fresh results.
func TestCollectivesRepeat(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(5), func(p *engine.Process) (any, error) {
		for i := range 20 {
			v, err := p.World().Bcast(100*i+p.Rank(), i%5)
			if err != nil || v != 100*i+i%5 {
				return nil, fmt.Errorf("round %d: %v (%v)", i, v, err)
			}
			c, err := p.World().Split(p.Rank()%(i%3+1), -i*p.Rank())
			if err != nil {
				return nil, err
			}
			n := (5-p.Rank()%(i%3+1)-1)/(i%3+1) + 1 // ranks below 5 with this color
			if size := c.Size(); size != n {
				return nil, fmt.Errorf("round %d: size %d, want %d", i, size, n)
			}
		}
		return nil, nil
	})
}

// §6.2.3: on an intercommunicator the root passes MPI_ROOT. When no process does, the call is erroneous, also where all
// others pass what they would with the first process as the root.
func TestInterWithoutRoot(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(4), func(p *engine.Process) error {
		inter, err := bridge(p, 2)
		if err != nil {
			return err
		}
		root := engine.ProcNull
		if p.Rank() >= 2 {
			root = 0
		}
		_, err = inter.Bcast(1, root)
		return err
	})
	wantClass(t, err, engine.ErrRoot)
}
