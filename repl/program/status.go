package program

import (
	"fmt"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// Status is what a program asks about a message (§3.2.5): an object that a call fills in.
type Status struct {
	r *Rank
	e engine.Envelope
}

var statusClass = newClass("Status", func(v starlark.Value) bool { _, ok := v.(*Status); return ok },
	property("source", engine.CallNone, "rank of the sender", statusSource),
	property("tag", engine.CallNone, "tag of the message", statusTag),
	method("Get_source", "", engine.CallNone, "rank of the sender", calling(statusSource)),
	method("Get_tag", "", engine.CallNone, "tag of the message", calling(statusTag)),
)

// String is "<Status source=1 tag=7>".
func (v *Status) String() string {
	return fmt.Sprintf("<Status source=%d tag=%d>", v.e.Source, v.e.Tag)
}
func (v *Status) Type() string          { return "Status" }
func (v *Status) Freeze()               {}
func (v *Status) Truth() starlark.Bool  { return true }
func (v *Status) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: Status") }

func (v *Status) Attr(name string) (starlark.Value, error) { return statusClass.attr(v.r, v, name) }
func (v *Status) AttrNames() []string                      { return statusClass.listed(v.r) }

// newStatus is the status of no message: from anybody, with any tag, as in mpi4py.
func newStatus(r *Rank) *Status {
	return &Status{r, engine.Envelope{Source: engine.AnySource, Tag: engine.AnyTag}}
}

func makeStatus(c *call) (starlark.Value, error) { return newStatus(c.r), nil }

func statusSource(_ *Rank, v starlark.Value) (starlark.Value, error) {
	return starlark.MakeInt(v.(*Status).e.Source), nil
}

func statusTag(_ *Rank, v starlark.Value) (starlark.Value, error) {
	return starlark.MakeInt(v.(*Status).e.Tag), nil
}

// fill puts what is known of a message into the status; nil for None does nothing.
func (v *Status) fill(e engine.Envelope) {
	if v != nil {
		v.e = engine.Envelope{Source: e.Source, Tag: e.Tag}
	}
}

// status reads a status; nil is None.
func (c *call) status(i int) (*Status, error) {
	if c.args[i] == starlark.None {
		return nil, nil
	}
	if v, ok := c.args[i].(*Status); ok {
		return v, nil
	}
	return nil, c.wrong(i, "a status, as from MPI.Status(), or None")
}

// statuses reads a list of statuses; fill puts what is known of each message into it. As in mpi4py, a
// list that is too short grows.
func (c *call) statuses(i int) (fill func([]engine.Envelope) error, err error) {
	if c.args[i] == starlark.None {
		return func([]engine.Envelope) error { return nil }, nil
	}
	list, ok := c.args[i].(*starlark.List)
	if !ok {
		return nil, c.wrong(i, "a list of statuses, or None")
	}
	for k := range list.Len() {
		if _, ok := list.Index(k).(*Status); !ok {
			return nil, fmt.Errorf("%s: an element of %s must be a status, not %s", c.fn.name, c.fn.params[i].name, describe(list.Index(k)))
		}
	}
	r := c.r
	return func(all []engine.Envelope) error {
		for list.Len() < len(all) {
			if err := list.Append(newStatus(r)); err != nil {
				return err
			}
		}
		for k, e := range all {
			list.Index(k).(*Status).fill(e)
		}
		return nil
	}, nil
}
