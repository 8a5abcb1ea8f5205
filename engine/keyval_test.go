package engine_test

import (
	"fmt"
	"testing"

	"commsplit/engine"
)

// §7.7.2: MPI_KEYVAL_INVALID, which a freed keyval is, is no keyval: MPI_ERR_KEYVAL.
func TestInvalidKeyval(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		freed := p.CreateKeyval(nil, nil)
		must(t, freed.Free())
		for text, k := range map[string]*engine.Keyval{
			"is MPI_KEYVAL_INVALID":                               nil,
			fmt.Sprintf("keyval %d was freed before", freed.ID()): freed,
		} {
			if !k.IsNull() {
				t.Errorf("%s: not null", text)
			}
			_, _, err := p.World().Attr(k)
			wantText(t, wantClass(t, err, engine.ErrKeyval).Error(), "MPI_Comm_get_attr", text)
			wantText(t, wantClass(t, p.World().SetAttr(k, 1), engine.ErrKeyval).Error(), "MPI_Comm_set_attr", text)
			wantText(t, wantClass(t, p.World().DeleteAttr(k), engine.ErrKeyval).Error(), "MPI_Comm_delete_attr", text)
			wantText(t, wantClass(t, k.Free(), engine.ErrKeyval).Error(), "MPI_Comm_free_keyval", text)
		}
		return nil, nil
	})
}

// §7.7.2: freeing a keyval that is in use is not erroneous: the actual free comes when nothing refers
// to it any more. Until then copies and deletions call its functions.
func TestFreedKeyvalInUse(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		d := &diary{p: p}
		k := d.key("k")
		c, err := p.World().Split(0, 0)
		must(t, err)
		must(t, c.SetAttr(k, 5))
		must(t, k.Free())
		e, err := c.Dup()
		must(t, err)
		must(t, c.Free())
		must(t, e.Free())
		d.wants(t, "after the keyval was freed", "copy k 5", "delete k 5", "delete k 6")
		return nil, nil
	})
}

// A keyval belongs to the process that made it.
func TestKeyvalOfAnotherProcess(t *testing.T) {
	t.Parallel()
	shared := make(chan *engine.Keyval, 1)
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		if p.Rank() == 1 {
			shared <- p.CreateKeyval(nil, nil)
			return nil, nil
		}
		wantText(t, wantClass(t, p.World().SetAttr(<-shared, 1), engine.ErrKeyval).Error(), "rank 1")
		return nil, nil
	})
}

// §7.7.2: the communicator must be one: MPI_ERR_COMM for MPI_COMM_NULL, also before what a delete
// function would say.
func TestAttributesOfNull(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		k := p.CreateKeyval(nil, nil)
		freed, err := p.World().Dup()
		must(t, err)
		must(t, freed.Free())
		for _, c := range []*engine.Comm{nil, freed} {
			_, _, err := c.Attr(k)
			wantClass(t, err, engine.ErrComm)
			wantClass(t, c.SetAttr(k, 1), engine.ErrComm)
			wantClass(t, c.DeleteAttr(k), engine.ErrComm)
			_, err = c.Dup()
			wantClass(t, err, engine.ErrComm)
			wantClass(t, c.AttachBuffer(1), engine.ErrComm)
		}
		return nil, nil
	})
}

// §11.2.4: MPI_FINALIZE first deletes the attributes of MPI_COMM_SELF, in the reverse order in which
// they were set, and of no other communicator. A failure is one of MPI_Finalize.
func TestFinalizeDeletesAttributesOfSelf(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		must(t, p.Finalize())
		d := &diary{p: p}
		a, b, c := d.key("a"), d.key("b"), d.key("c")
		must(t, p.Self().SetAttr(b, 1))
		must(t, p.Self().SetAttr(c, 2))
		must(t, p.Self().SetAttr(a, 3))
		must(t, p.World().SetAttr(a, 4))
		must(t, p.Finalize())
		d.wants(t, "finalize", "delete a 3", "delete c 2", "delete b 1")
		must(t, p.Self().SetAttr(p.CreateKeyval(nil, func(*engine.Comm, *engine.Keyval, any) error {
			return &engine.Error{Class: engine.ErrArg}
		}), 1))
		wantText(t, wantClass(t, p.Finalize(), engine.ErrArg).Error(), "MPI_Finalize")
		return nil, nil
	})
}

// §7.7.2: a callback may use the communicator and its attributes, also while they are deleted.
func TestCallbackChangesAttributes(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		d := &diary{p: p}
		other := d.key("other")
		k := p.CreateKeyval(nil, func(c *engine.Comm, k *engine.Keyval, v any) error {
			wantAttr(t, c, k, v)
			return c.DeleteAttr(other)
		})
		c, err := p.World().Split(0, 0)
		must(t, err)
		must(t, c.SetAttr(other, 1))
		must(t, c.SetAttr(k, 2))
		must(t, c.Free())
		d.wants(t, "free", "delete other 1")
		return nil, nil
	})
}

// §7.7.2: a copy function that duplicates its communicator calls itself. When it fails in the end the cause is
// told once, and how deep it is.
func TestRecursiveCallbackTellsItsCauseOnce(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		left := 500
		k := p.CreateKeyval(func(c *engine.Comm, _ *engine.Keyval, value any) (any, bool, error) {
			if left--; left == 0 {
				return nil, false, fmt.Errorf("enough")
			}
			_, err := c.Dup()
			return value, true, err
		}, nil)
		c, err := p.World().Dup()
		must(t, err)
		must(t, c.SetAttr(k, 1))
		_, err = c.Dup()
		want := fmt.Sprintf("the copy function of keyval %d failed: enough (500 levels deep)", k.ID())
		if got := wantClass(t, err, engine.ErrOther).Message(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		return nil, nil
	})
}
