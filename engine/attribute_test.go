package engine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
)

// diary makes keyvals whose functions note that they were called.
type diary struct {
	p     *engine.Process
	lines []string
}

// key makes a keyval. Its copies are one more than the value.
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

// wants compares what was noted since the last time.
func (d *diary) wants(t tester, when string, lines ...string) {
	t.Helper()
	if diff := cmp.Diff(lines, d.lines); diff != "" {
		t.Errorf("%s (-want +got):\n%s", when, diff)
	}
	d.lines = nil
}

// wantAttr checks one attribute; want nil is no attribute.
func wantAttr(t tester, c *engine.Comm, k *engine.Keyval, want any) {
	t.Helper()
	v, ok, err := c.Attr(k)
	if err != nil || ok != (want != nil) || v != want {
		t.Errorf("keyval %d: got %v, %t (%v), want %v", k.ID(), v, ok, err, want)
	}
}

// must ends the test when a call that has to work did not.
func must(t tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// §7.7.2: attributes are local: each process stores and retrieves its own; one that is not there is no
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

// §7.7.2, MPI_COMM_SET_ATTR: when a value is present, it is as if MPI_COMM_DELETE_ATTR came first, with
// its callback, and then the new one were stored: as the latest. Copies are made in the order set,
// deletions in the reverse of it (our choice).
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

// §7.7.2: MPI_COMM_NULL_COPY_FN copies nothing, MPI_COMM_DUP_FN the value, and any copy function may
// say that the duplicate gets nothing.
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

// §7.4.2: "No cached information propagates" to what MPI_Comm_create, create_group, split and
// split_type make.
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
