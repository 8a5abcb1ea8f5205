package program

import (
	"fmt"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// MPI.Comm(c) makes a second handle of the object of c, as an assignment in C does: when the object is freed through
// one handle, the other handle is stale and does not become null. Variables of programs share one handle.

// copies is the state that all handles of an object share which were copied from each other.
type copies struct {
	endedBy any    // the handle through which the object was freed or ended; nil while it lives
	where   string // the call site of that, " (demo.py:7)", or ""
}

// ended notes that the object was freed through a handle.
func (k *copies) ended(by any, r *Rank) {
	if k == nil || k.endedBy != nil {
		return
	}
	k.endedBy = by
	if at := r.position().String(); at != "" {
		k.where = " (" + at + ")"
	}
}

// copied returns the shared state of the handles of an object, and makes it when it is nil.
func copied(k **copies) *copies {
	if *k == nil {
		*k = &copies{}
	}
	return *k
}

// stale reports whether the object was freed or ended through another handle than the given handle.
func (k *copies) stale(handle any) bool { return k != nil && k.endedBy != nil && k.endedBy != handle }

// handle is a value that may be a stale copy, or the handle of an object that outlives its session.
type handle interface {
	// staleIn returns the error of a call that gets the value; nil when the call may use it.
	staleIn(call engine.Call) error
}

func (v *Comm) staleIn(call engine.Call) error {
	if !v.others().stale(v) {
		if v.c.Outlives() {
			return v.c.Check(call)
		}
		return nil
	}
	e := engine.MistakeCommStale.In(call, v.apart.copies.where)
	e.Comm = v.c.ID()
	return e
}

func (v *Group) staleIn(call engine.Call) error {
	if !v.copies.stale(v) {
		if v.g == nil {
			return nil
		}
		return v.g.Check(call)
	}
	return engine.MistakeGroupStale.In(call, v.copies.where)
}

func (v *Request) staleIn(call engine.Call) error {
	if !v.copies.stale(v) {
		return v.req.Check(call)
	}
	return engine.MistakeRequestStale.In(call, v.copies.where)
}

// checkHandles returns an error when the call acts on a stale handle or has one among its arguments.
func (c *call) checkHandles() error {
	if !c.r.wary {
		return nil
	}
	for _, v := range append(c.args[:], c.self) {
		if h, ok := v.(handle); ok {
			if err := h.staleIn(c.fn.call); err != nil {
				return err
			}
		}
	}
	return nil
}

// Name implements starlark.Callable.
func (m *module) Name() string { return m.name }

// CallInternal makes a handle: without an argument a null handle, else a second handle of the argument's object.
func (m *module) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if m.class.is == nil || m.class == hereClass {
		return nil, fmt.Errorf("%s is not called: it has names, as in %s.%s", m.name, m.name, m.class.names[0])
	}
	for _, kw := range kwargs {
		args = append(args, kw[1])
	}
	if len(args) > 1 {
		return nil, fmt.Errorf("%s takes 1 argument, a handle to copy, or none, not %d", m.name, len(args))
	}
	of := starlark.Value(starlark.None)
	if len(args) == 1 {
		of = args[0]
	}
	if of != starlark.None && !m.class.is(of) {
		if _, isComm := of.(*Comm); !isComm || m.class.is(nullComm) == commClass.is(of) {
			return nil, fmt.Errorf("%s copies a handle of its kind, not %s", m.name, describe(of))
		}
	}
	m.r.wary = true
	return m.handle(of)
}

// handle copies a handle; for None it makes a null handle.
func (m *module) handle(of starlark.Value) (starlark.Value, error) {
	if of == starlark.None {
		of = nulls[m.class]
	}
	switch v := of.(type) {
	case nil:
		null := m.r.wrap(nil)
		null.own().topo = m.topology()
		return null, nil
	case *Comm:
		return m.comm(v)
	}
	return m.r.own(of), nil
}

// nulls are the null handles of the classes, but for those of communicators.
var nulls = map[*class]starlark.Value{groupClass: &Group{}, requestClass: &Request{}, infoClass: &Info{}, sessionClass: &Session{},
	errhandlerClass: &Errhandler{}, messageClass: &Message{}, opClass: &Op{}}

// own returns a second handle, which belongs to r: constants such as MPI.INFO_NULL belong to no rank, and a call on a
// constant would not know its rank. It returns other values, and handles that never change, unchanged.
func (r *Rank) own(of starlark.Value) starlark.Value {
	switch v := of.(type) {
	case *Group:
		if v.g == nil || v.g == engine.EmptyGroup {
			return &Group{r: r, g: v.g}
		}
		return &Group{r: r, g: v.g, open: v.open, copies: copied(&v.copies)}
	case *Request:
		if v.req == nil {
			return &Request{r: r}
		}
		return &Request{r: r, req: v.req, transfer: v.transfer, open: v.open, copies: copied(&v.copies)}
	case *Info:
		return &Info{r: r, info: v.info, open: v.open, predefined: v.predefined}
	case *Session:
		return &Session{r: r, s: v.s, open: v.open}
	case *Errhandler:
		return &Errhandler{r: r, h: v.h, constant: v.constant}
	case *Message:
		return &Message{r: r, m: v.m, open: v.open, constant: v.constant}
	}
	return of
}

// topology returns the virtual topology that communicators of the class have; 0 for any or none.
func (m *module) topology() engine.TopoType {
	switch m.class {
	case cartClass:
		return engine.TopoCart
	case graphClass:
		return engine.TopoGraph
	case distGraphClass:
		return engine.TopoDistGraph
	}
	return 0
}

// comm returns a second handle of a communicator, which must be of the class.
func (m *module) comm(v *Comm) (starlark.Value, error) {
	d := &Comm{c: v.c, apart: &apart{r: m.r}}
	if v.apart != nil {
		d.apart.topo, d.apart.came = v.apart.topo, v.apart.came
	}
	if v.c.IsNull() {
		return d, nil
	}
	inter := v.c.Kind() == engine.Inter
	want := ""
	switch t := m.topology(); {
	case m.name == "Intracomm" && inter:
		want = "an intracommunicator"
	case m.name == "Intercomm" && !inter:
		want = "an intercommunicator"
	case t != 0 && v.topology() != t:
		want = "a communicator with that virtual topology"
	}
	if want != "" {
		return nil, fmt.Errorf("%s copies the handle of %s, not %s", m.name, want, describe(v))
	}
	d.apart.copies = copied(&v.own().copies)
	return d, nil
}

// freeing makes mpi4py's free: it does as Free, and nothing for null handles and predefined objects.
func freeing(free func(*call) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		if !bool(c.self.Truth()) || isPredefined(c.self) {
			return starlark.None, nil
		}
		return free(c)
	}
}

// isPredefined reports whether the object of a handle is predefined by MPI.
func isPredefined(v starlark.Value) bool {
	switch v := v.(type) {
	case *Comm:
		p := v.c.Process()
		return v.c == p.World() || v.c == p.Self()
	case *Group:
		return v.g == engine.EmptyGroup
	case *Errhandler:
		return v.constant
	case *Info:
		return v.predefined
	case *Message:
		return v.constant
	case *Op:
		return true
	}
	return false
}
