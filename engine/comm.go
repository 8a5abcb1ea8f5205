package engine

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// Undefined is MPI_UNDEFINED: the color or split type of a process that wants no communicator,
// and the rank of a process that a group does not hold.
const Undefined = -32766

// CommInfo is what stays true of a communicator for ever. Snapshots share it; it is never changed.
type CommInfo struct {
	ID       int     // 0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF, then in order of creation
	Context  int     // context id; -1 for MPI_COMM_SELF, which is outside of the supply
	Op       Call    // the call that made it; CallNone when predefined
	Parent   int     // id of the communicator it was made from, -1 when predefined
	Group    []int32 // world ranks in rank order; the left group of an intercommunicator
	Remote   []int32 // the right group; nil for an intracommunicator
	Resource string  // hardware resource type of a hardware split: "hwloc://NUMANode"
	Instance int     // which instance of it, an index into the topology's resource; -1
	Where    string  // "demo.py:7"
	Step     int     // number of the trace step that made it; 0 when predefined
}

// core is what the processes of a communicator share.
type core struct {
	info     *CommInfo
	group    *Group
	low      int32                     // lowest world rank
	pending  atomic.Pointer[operation] // collective call that not all have made
	starting sync.Mutex                // held to start that
	done     *operation                // the latest one that all have made
	spare    *operation                // the one before
	partial  []*groupCall
}

// Comm is one process' handle of a communicator. nil is MPI_COMM_NULL, and so is a handle after
// Free.
type Comm struct {
	core  *core
	p     *Process
	ext   *extras
	rank  int32
	freed bool
}

// extras is what few handles have.
type extras struct {
	errhandler *Errhandler
	name       *string
	info       *Info
}

func (c *Comm) extras() *extras {
	if c.ext == nil {
		c.ext = &extras{}
	}
	return c.ext
}

// IsNull reports whether c is MPI_COMM_NULL: never made, or freed.
func (c *Comm) IsNull() bool { return c == nil || c.freed }

// check raises MPI_ERR_COMM when the handle is no communicator.
func (c *Comm) check(call Call) error {
	if c != nil && !c.freed {
		return nil
	}
	e := &Error{Class: ErrComm, Call: call, Comm: -1, Rule: call.Rule()}
	if c == nil {
		e.Text = "the communicator is MPI_COMM_NULL; only its members may use a communicator: guard the call with a test for MPI_COMM_NULL"
		return e
	}
	e.Comm = c.core.info.ID
	e.Text = fmt.Sprintf("communicator %d was freed before; a freed handle is MPI_COMM_NULL", e.Comm)
	return c.p.Raise(e)
}

// Rank is the rank of the process in c (MPI_Comm_rank, §7.4.1).
func (c *Comm) Rank() (int, error) {
	if err := c.check(CallRank); err != nil {
		return 0, err
	}
	return int(c.rank), nil
}

// Size is the number of processes in c (MPI_Comm_size, §7.4.1).
func (c *Comm) Size() (int, error) {
	if err := c.check(CallSize); err != nil {
		return 0, err
	}
	return len(c.core.group.members), nil
}

// Group is the group of c (MPI_Comm_group, §7.3.2). All members share its storage.
func (c *Comm) Group() (*Group, error) {
	if err := c.check(CallGroup); err != nil {
		return nil, err
	}
	return c.core.group, nil
}

// Info is what stays true of c, for display; nil for MPI_COMM_NULL.
func (c *Comm) Info() *CommInfo {
	if c.IsNull() {
		return nil
	}
	return c.core.info
}

// Process is the process whose handle this is; nil for a nil handle.
func (c *Comm) Process() *Process {
	if c == nil {
		return nil
	}
	return c.p
}

// IsInter reports whether c is an intercommunicator (MPI_Comm_test_inter, §7.6.1).
func (c *Comm) IsInter() (bool, error) {
	if err := c.check(CallSize); err != nil {
		return false, err
	}
	return c.core.info.Remote != nil, nil
}

// SetName gives this process' handle a name (MPI_Comm_set_name, §7.8). It is local: other
// processes keep theirs.
func (c *Comm) SetName(name string) error {
	if err := c.check(CallSetName); err != nil {
		return err
	}
	c.extras().name = &name
	c.p.local(CallSetName, c, textArg("comm_name", name))
	return nil
}

// Name is the name of the handle (MPI_Comm_get_name, §7.8): "" unless it was set, except for the
// predefined communicators.
func (c *Comm) Name() (string, error) {
	if c == nil || c.freed {
		return "MPI_COMM_NULL", nil
	}
	if c.ext != nil && c.ext.name != nil {
		return *c.ext.name, nil
	}
	return predefinedName(c.core.info.ID), nil
}

func predefinedName(id int) string {
	switch id {
	case 0:
		return "MPI_COMM_WORLD"
	case selfID:
		return "MPI_COMM_SELF"
	}
	return ""
}

// Free marks the communicator for deallocation (MPI_Comm_free, §7.4.3). It is collective; the
// handle becomes MPI_COMM_NULL. MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed: MPI_ERR_COMM.
func (c *Comm) Free() error {
	if err := c.check(CallFree); err != nil {
		return err
	}
	if id := c.core.info.ID; id < firstID {
		return c.fail(ErrComm, CallFree, predefinedName(id)+" is predefined and cannot be freed", "")
	}
	if _, err := c.call(CallFree, 0, 0, nil); err != nil {
		return err
	}
	c.freed = true
	return nil
}

func (op *operation) finishFree(w *World) {
	w.contexts.free(op.core.group.members, op.core.info.Context)
}

// Dup duplicates c (MPI_Comm_dup, §7.4.2): same group, new context; the error handler is copied,
// the name and the info hints are not.
func (c *Comm) Dup() (*Comm, error) {
	d, _, err := c.construct(CallDup, 0, 0, nil)
	return d, err
}

func (op *operation) finishDup(w *World) {
	part, newRank := op.grouping()
	for i := range part {
		part[i], newRank[i] = 0, int32(i)
	}
	w.make(op, []slice{{group: op.core.group, instance: -1}})
}

// slice is one communicator that an operation makes.
type slice struct {
	group    *Group
	resource string
	instance int32
}

// make turns the parts of an operation into communicators: one context id for all of them, since
// they are disjoint, and ids in order.
func (w *World) make(op *operation, parts []slice) {
	if len(parts) == 0 {
		return
	}
	ctx, ok := w.contexts.agree(parts)
	if !ok {
		op.err = &Error{Class: ErrOther, Call: op.call, Comm: op.core.info.ID, Rule: op.call.Rule(),
			Text: fmt.Sprintf("too many communicators: no context id below %d is free on all processes; free some with MPI_Comm_free", maxContexts)}
		return
	}
	cores := make([]core, len(parts))
	infos := make([]CommInfo, len(parts))
	op.made = make([]*core, len(parts))
	op.handles = make([]Comm, len(op.a))
	for i, p := range parts {
		infos[i] = CommInfo{ID: w.nextID, Context: ctx, Op: op.call, Parent: op.core.info.ID,
			Group: p.group.members, Resource: p.resource, Instance: int(p.instance), Step: len(w.steps) + 1}
		k := &cores[i]
		k.info, k.group, k.low = &infos[i], p.group, lowest(p.group.members)
		op.made[i] = k
		w.nextID++
	}
}

func lowest(ranks []int32) int32 {
	low := int32(math.MaxInt32)
	for _, r := range ranks {
		low = min(low, r)
	}
	return low
}
