package engine_test

import (
	"testing"

	"commsplit/engine"
)

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
		classes := engine.Classes()
		wantAttr(t, w, engine.KeyvalLastUsedCode, int(classes[len(classes)-1]))
		return nil, nil
	})
}

// §7.4.2: a duplicate has the predefined attributes of its parent, over generations; §9.1.2: they are
// attached to MPI_COMM_WORLD, so others have none.
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
		wantText(t, wantClass(t, w.AttachBuffer(7), engine.ErrBuffer).Error(), "100 bytes", "attached already")
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
