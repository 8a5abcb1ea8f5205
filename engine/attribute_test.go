package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// diary makes keyvals whose functions note that they were called.
type diary struct {
	p     *engine.Process
	lines []string
}

// key makes a keyval whose copy function returns the value plus one.
func (d *diary) key(name string) *engine.Keyval {
	return d.p.CreateKeyval(
		func(_ *engine.Comm, _ *engine.Keyval, v any) (any, bool, error) {
			d.lines = append(d.lines, fmt.Sprintf("copy %s %v", name, v))
			return v.(int) + 1, true, nil
		},
		func(_ *engine.Comm, _ *engine.Keyval, v any) error {
			d.lines = append(d.lines, fmt.Sprintf("delete %s %v", name, v))
			return nil
		})
}

// wants compares the notes since its last call with lines.
func (d *diary) wants(t tester, when string, lines ...string) {
	t.Helper()
	if diff := cmp.Diff(lines, d.lines); diff != "" {
		t.Errorf("%s (-want +got):\n%s", when, diff)
	}
	d.lines = nil
}

// wantAttr checks one attribute; a nil want means no attribute.
func wantAttr(t tester, c *engine.Comm, k *engine.Keyval, want any) {
	t.Helper()
	v, ok, err := c.Attr(k)
	if err != nil || ok != (want != nil) || v != want {
		t.Errorf("keyval %d: got %v, %t (%v), want %v", k.ID(), v, ok, err, want)
	}
}

// must ends the test when a call that has to work returned an error.
func must(t tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// §7.7.2: attributes are local: each process stores and retrieves its own; an attribute that was not set is no
// error.
func TestAttributesAreLocal(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
		k := p.CreateKeyval(nil, nil)
		wantAttr(t, p.World(), k, nil)
		if p.Rank() == 1 {
			return nil, nil
		}
		must(t, p.World().SetAttr(k, p.Rank()))
		wantAttr(t, p.World(), k, p.Rank())
		wantAttr(t, p.Self(), k, nil)
		must(t, p.World().DeleteAttr(k))
		wantAttr(t, p.World(), k, nil)
		return nil, p.World().DeleteAttr(k)
	})
}

// §7.7.2, MPI_COMM_SET_ATTR: when a value is present, it is as if MPI_COMM_DELETE_ATTR came first, with its
// callback, and then the new value were stored: as the latest. Copies are made in the order in which
// attributes were set, deletions in the reverse order (our choice).
func TestAttributeOrder(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		d := &diary{p: p}
		a, b, c := d.key("a"), d.key("b"), d.key("c")
		x, err := p.World().Split(0, 0)
		must(t, err)
		must(t, x.SetAttr(c, 10))
		must(t, x.SetAttr(a, 20))
		must(t, x.SetAttr(b, 30))
		d.wants(t, "set")
		must(t, x.SetAttr(c, 40))
		d.wants(t, "set again", "delete c 10")
		y, err := x.Dup()
		must(t, err)
		d.wants(t, "dup", "copy a 20", "copy b 30", "copy c 40")
		wantAttr(t, y, a, 21)
		wantAttr(t, y, c, 41)
		wantAttr(t, x, c, 40)
		must(t, y.DeleteAttr(b))
		d.wants(t, "delete", "delete b 31")
		must(t, y.Free())
		d.wants(t, "free the duplicate", "delete c 41", "delete a 21")
		must(t, x.Free())
		d.wants(t, "free", "delete c 40", "delete b 30", "delete a 20")
		return nil, nil
	})
}

// §7.7.2: MPI_COMM_NULL_COPY_FN copies nothing, MPI_COMM_DUP_FN copies the value, and any copy function may
// return that the duplicate gets no value.
func TestCopyFunctions(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		null, dup := p.CreateKeyval(nil, nil), p.CreateKeyval(engine.DupCopy, nil)
		refuse := p.CreateKeyval(func(_ *engine.Comm, _ *engine.Keyval, v any) (any, bool, error) {
			return v, false, nil
		}, nil)
		c := p.World()
		for _, k := range []*engine.Keyval{null, dup, refuse} {
			must(t, c.SetAttr(k, 7))
		}
		d, err := c.Dup()
		must(t, err)
		wantAttr(t, d, null, nil)
		wantAttr(t, d, dup, 7)
		wantAttr(t, d, refuse, nil)
		return nil, nil
	})
}

// §7.4.2: "No cached information propagates" to communicators of MPI_Comm_create, create_group, split and
// split_type.
func TestOnlyDupCopiesAttributes(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		d := &diary{p: p}
		k := d.key("k")
		c := p.World()
		must(t, c.SetAttr(k, 1))
		g, err := c.Group()
		must(t, err)
		for _, made := range []func() (*engine.Comm, error){
			func() (*engine.Comm, error) { return c.Split(0, 0) },
			func() (*engine.Comm, error) { return c.SplitType(engine.TypeShared, 0, nil) },
			func() (*engine.Comm, error) { return c.Create(g) },
			func() (*engine.Comm, error) { return c.CreateGroup(g, 0) },
		} {
			n, err := made()
			must(t, err)
			wantAttr(t, n, k, nil)
			must(t, n.Free())
		}
		d.wants(t, "constructors")
		return nil, nil
	})
}

// §7.7.2: MPI_KEYVAL_INVALID, the value of a freed keyval, raises MPI_ERR_KEYVAL.
func TestInvalidKeyval(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		freed := p.CreateKeyval(nil, nil)
		must(t, freed.Free())
		for text, k := range map[string]*engine.Keyval{
			"is MPI_KEYVAL_INVALID":                             nil,
			fmt.Sprintf("keyval %d has been freed", freed.ID()): freed,
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

// §7.7.2: freeing a keyval that is in use is not erroneous: the keyval is freed when no attribute refers to it
// any more. Until then copies and deletions call its functions.
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

// §7.7.2: calls on attributes raise MPI_ERR_COMM for MPI_COMM_NULL, before any delete function is called.
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

// §11.2.4: MPI_FINALIZE first deletes the attributes of MPI_COMM_SELF, in the reverse order in which they were
// set, and of no other communicator. An error of a delete function is an error of MPI_Finalize.
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

// §7.7.2: a copy function that duplicates its communicator calls itself. When it fails in the end, the error
// has the cause once, with the number of levels.
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

// §9.1.2: MPI_COMM_WORLD has the predefined attributes; MPI_TAG_UB is at least 32767; MPI_IO is
// MPI_ANY_SOURCE where every process can do input and output; MPI_HOST is MPI_PROC_NULL where there is
// no host process; one clock is synchronized.
func TestPredefinedAttributes(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
		w := p.World()
		v, ok, err := w.Attr(engine.KeyvalTagUB)
		if err != nil || !ok || v.(int) < 32767 {
			t.Errorf("MPI_TAG_UB: %v %t (%v)", v, ok, err)
		}
		wantAttr(t, w, engine.KeyvalHost, engine.ProcNull)
		wantAttr(t, w, engine.KeyvalIO, engine.AnySource)
		wantAttr(t, w, engine.KeyvalWtimeIsGlobal, 1)
		wantAttr(t, w, engine.KeyvalUniverseSize, 3)
		wantAttr(t, w, engine.KeyvalAppnum, 0)
		wantAttr(t, w, engine.KeyvalLastUsedCode, int(engine.LastCode))
		return nil, nil
	})
}

// §7.4.2: a duplicate has the predefined attributes of its parent, over generations; §9.1.2: they are attached
// to MPI_COMM_WORLD, so other communicators do not have them.
func TestWhoHasPredefinedAttributes(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		w := p.World()
		d, err := w.Dup()
		must(t, err)
		dd, err := d.Dup()
		must(t, err)
		s, err := d.Split(0, 0)
		must(t, err)
		sd, err := s.Dup()
		must(t, err)
		g, err := w.Group()
		must(t, err)
		cg, err := w.CreateGroup(g, 0)
		must(t, err)
		for _, k := range engine.PredefinedKeyvals() {
			if _, ok, err := dd.Attr(k); !ok || err != nil {
				t.Errorf("%s of a duplicate of a duplicate: %t (%v)", k.Name(), ok, err)
			}
			for _, c := range []*engine.Comm{p.Self(), s, sd, cg} {
				wantAttr(t, c, k, nil)
			}
		}
		return nil, nil
	})
}

// §9.1.2: "It is erroneous to delete these attributes, free their keys, or change their values."
func TestPredefinedAttributesArePermanent(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		for _, k := range engine.PredefinedKeyvals() {
			for _, err := range []error{p.World().SetAttr(k, 1), p.Self().SetAttr(k, 1), p.World().DeleteAttr(k), k.Free()} {
				e := wantClass(t, err, engine.ErrKeyval)
				wantText(t, e.Error(), k.Name()+" is predefined", "[MPI-5.0 §9.1.2]")
			}
		}
		return nil, nil
	})
}

// MPI_UNIVERSE_SIZE, MPI_APPNUM and MPI_LASTUSEDCODE came with MPI-2.0.
func TestPredefinedAttributesOfMPI1(t *testing.T) {
	t.Parallel()
	perRank(t, engine.Config{Size: 1, Std: 11}, func(p *engine.Process) (any, error) {
		for _, k := range engine.PredefinedKeyvals() {
			if _, ok, err := p.World().Attr(k); ok != (k.Since() == 11) || err != nil {
				t.Errorf("%s: %t (%v)", k.Name(), ok, err)
			}
		}
		return nil, nil
	})
}

// §3.6: at most one buffer is attached to a communicator (MPI_ERR_BUFFER); detaching gives its size.
// §7.4.2: a duplicate has no buffer.
func TestBuffer(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		w := p.World()
		_, err := w.DetachBuffer()
		wantClass(t, err, engine.ErrBuffer)
		wantClass(t, w.AttachBuffer(-1), engine.ErrArg)
		must(t, w.AttachBuffer(100))
		wantText(t, wantClass(t, w.AttachBuffer(7), engine.ErrBuffer).Error(), "100 bytes", "already attached")
		d, err := w.Dup()
		must(t, err)
		_, err = d.DetachBuffer()
		wantClass(t, err, engine.ErrBuffer)
		must(t, d.AttachBuffer(0))
		for _, want := range []int{100, 8} {
			if n, err := w.DetachBuffer(); n != want || err != nil {
				t.Errorf("got %d (%v), want %d", n, err, want)
			}
			must(t, w.AttachBuffer(8))
		}
		return nil, nil
	})
}

// §7.7.2: a delete function that fails makes set, delete and free fail with its class, and the attribute
// stays; the process' own handle stays valid.
func TestFailingDeleteFunction(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		fails := true
		k := p.CreateKeyval(nil, func(c *engine.Comm, _ *engine.Keyval, _ any) error {
			if fails {
				return c.Send(nil, 0, -5) // fails with MPI_ERR_TAG
			}
			return nil
		})
		c, err := p.World().Split(0, 0)
		must(t, err)
		must(t, c.SetAttr(k, 1))
		wantClass(t, c.SetAttr(k, 2), engine.ErrTag)
		wantClass(t, c.DeleteAttr(k), engine.ErrTag)
		e := wantClass(t, c.Free(), engine.ErrTag)
		wantText(t, e.Error(), "MPI_Comm_free", fmt.Sprintf("the delete function of keyval %d failed", k.ID()), "MPI-5.0 §7.7.2")
		wantAttr(t, c, k, 1)
		fails = false
		must(t, c.Free())
		if !c.IsNull() {
			t.Error("the handle is not MPI_COMM_NULL after MPI_Comm_free")
		}
		return nil, nil
	})
}

// A delete function that fails on some processes makes MPI_Comm_free, which is collective, fail on all: with
// its class on these processes, elsewhere with MPI_ERR_OTHER naming them, and no process waits. The
// communicator stays, also in the trace. Values that were deleted before the failure are gone.
func TestFreeFailsEverywhere(t *testing.T) {
	t.Parallel()
	s := tracing(t, 4, func(p *engine.Process) error {
		d := &diary{p: p}
		bad := p.CreateKeyval(nil, func(*engine.Comm, *engine.Keyval, any) error { return errors.New("busy") })
		first, last := d.key("first"), d.key("last")
		c, err := p.World().Split(0, -p.Rank()) // ranks in c are in reverse order
		must(t, err)
		must(t, c.SetAttr(first, 1))
		if p.Rank()%2 == 1 {
			must(t, c.SetAttr(bad, 0))
		}
		must(t, c.SetAttr(last, 2))
		err = c.Free()
		e := wantClass(t, err, engine.ErrOther)
		if p.Rank()%2 == 1 {
			wantText(t, e.Error(), "the delete function of keyval", "failed: busy")
			d.wants(t, "free", "delete last 2")
			wantAttr(t, c, first, 1)
		} else {
			wantText(t, e.Error(), "failed on ranks 1,3: the communicator stays")
		}
		return c.Barrier()
	})
	if len(s.Freed())+len(s.Waiting) > 0 {
		t.Errorf("freed: %v, waiting: %v, want none", s.Freed(), s.Waiting)
	}
}

// §7.7.2: a copy function that fails makes MPI_Comm_dup fail: with its class on that process, elsewhere with
// MPI_ERR_OTHER naming the process. No process gets a communicator or waits, and the next duplication works.
func TestDupFailsEverywhere(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(3), func(p *engine.Process) (any, error) {
		k := p.CreateKeyval(func(c *engine.Comm, _ *engine.Keyval, _ any) (any, bool, error) {
			return nil, true, &engine.Error{Class: engine.ErrTruncate, Text: "too long"}
		}, nil)
		if p.Rank() == 2 {
			must(t, p.World().SetAttr(k, 1))
		}
		d, err := p.World().Dup()
		if !d.IsNull() {
			t.Error("a communicator came of it")
		}
		if p.Rank() == 2 {
			wantText(t, wantClass(t, err, engine.ErrTruncate).Error(), "MPI_Comm_dup", "the copy function of keyval", "too long")
			must(t, p.World().DeleteAttr(k))
		} else {
			wantText(t, wantClass(t, err, engine.ErrOther).Error(), "MPI_Comm_dup", "failed on rank 2: no process gets a communicator")
		}
		d, err = p.World().Dup()
		must(t, err)
		if id := d.Info().ID; id != 2 {
			t.Errorf("id %d, want 2, the first one that a program makes", id)
		}
		return nil, nil
	})
}
