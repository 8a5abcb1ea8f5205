package engine

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Undefined is MPI_UNDEFINED: the color or split type of a process that wants no communicator, and the rank of a
// process that is not in a group.
const Undefined = -32766

// CommInfo has the properties of a communicator that never change. Snapshots share it.
type CommInfo struct {
	ID       int     // 0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF, then in order of creation
	Context  int     // context id; -1 for MPI_COMM_SELF, which takes none from the supply
	Context2 int     // context id of the right group of an intercommunicator
	Op       Call    // the call that made the communicator; CallNone when predefined
	Parent   int     // id of the communicator that it was made from, -1 for none
	Parent2  int     // of MPI_Intercomm_create: id of the communicator on which the right group called; else 0
	Group    []int32 // world ranks in rank order; the left group of an intercommunicator
	Remote   []int32 // the right group; nil for an intracommunicator
	Resource string  // hardware resource type of a hardware split: "hwloc://NUMANode"
	Instance int     // index of the instance of Resource among the topology's; -1 for none
	Pset     string  // process set of a split by mpi_pset_name: "app://ocean"
	Where    string  // call site of the constructor: "demo.py:7"
	Step     int     // number of the trace step that made the communicator; 0 when predefined

	virtual virtual // virtual topology; nil when there is none
}

// core is the part of a communicator that all its processes share.
type core struct {
	info     *CommInfo
	group    *Group       // the left group of an intercommunicator
	remote   *Group       // the right group; nil for an intracommunicator
	all      []int32      // world ranks of all processes: of group, then of remote
	low      int32        // lowest world rank
	set      Ranks        // of the ranks in all, which all steps share; nil until the first step
	line     []*operation // collective calls that some processes have not made yet, in order; all but the last are nonblocking
	begun    int32        // number of operations so far
	underway int32        // receives that are not matched, duplicates that are not complete
	arrived  int32        // messages that arrived and were not received
	done     *operation   // the latest operation that all processes have called
	spare    *operation   // an operation whose storage may serve again
	sessions *derivation  // nil: derived from no session
	of       *core        // the communicator whose persistent operation has this line of calls; nil for communicators
	surroundings
}

// Comm is a process' handle of a communicator. A nil handle is MPI_COMM_NULL, and a freed handle counts as
// MPI_COMM_NULL.
type Comm struct {
	core  *core
	p     *Process
	ext   *extras
	rank  int32
	right bool // the process is in the right group of an intercommunicator
	freed bool
}

// extras holds the fields of a handle that few handles need.
type extras struct {
	errhandler *Errhandler
	name       *string
	info       *Info
	attributes []attribute // in the order in which they were set
	buffer     *sendBuffer // attached for buffered sends; nil: none

	making      *Request // the nonblocking constructor: the communicator is not there before it has completed
	outstanding int      // nonblocking calls on the communicator that the process started and that have not ended
}

func (c *Comm) extras() *extras {
	if c.ext == nil {
		c.ext = &extras{}
	}
	return c.ext
}

// IsNull reports whether c is MPI_COMM_NULL: nil or freed.
func (c *Comm) IsNull() bool { return c == nil || c.freed }

// Pending reports whether a nonblocking call is making c and the process has not completed the call.
func (c *Comm) Pending() bool { return !c.IsNull() && c.ext != nil && c.ext.making != nil }

// session returns the session that the communicator derives from in this process; nil for none.
func (c *Comm) session() *Session { return c.core.sessions.of(c.p) }

// Outlives reports whether the process has finalized the session that c derives from: then no call may be made on c
// any more, not even to free it (§11.3.1).
func (c *Comm) Outlives() bool { return !c.IsNull() && !c.Pending() && c.session().ended() }

// Check raises an error of the call when c cannot be used: MPI_ERR_COMM when the handle is MPI_COMM_NULL or the
// communicator is not made yet, and MPI_ERR_SESSION when c outlives its session. All calls that return an error make
// this check themselves.
func (c *Comm) Check(call Call) error {
	switch {
	case c == nil:
		return MistakeCommNull.In(call)
	case c.freed && c.core == nil:
		return c.p.Raise(MistakeCommUnmade.In(call))
	case c.freed:
		return c.p.Raise(c.wasFreed(call))
	case c.ext != nil && c.ext.making != nil:
		by := c.ext.making.build.call
		return c.p.Raise(MistakeCommPending.In(call, by).under(by))
	case c.core.sessions != nil && c.session().ended():
		return c.p.Raise(MistakeCommOutlives.In(call, c.session().number).on(c.core).under(CallSessionFinalize))
	}
	return nil
}

// wasFreed returns the error of a call on a handle that was freed.
func (c *Comm) wasFreed(call Call) *Error {
	where := ""
	if at := c.p.w.freedAt(c.core.info.ID); at != "" {
		where = " (" + at + ")"
	}
	return MistakeCommFreed.In(call, commName(c.core.info.ID), where).on(c.core)
}

// Rank returns the rank of the process in c (MPI_Comm_rank, §7.4.1); Undefined for MPI_COMM_NULL and for a communicator
// that is not made yet. [Comm.Check] tells the two apart.
func (c *Comm) Rank() int {
	if c.IsNull() || c.Pending() {
		return Undefined
	}
	return int(c.rank)
}

// Size returns the number of processes in c's group; of an intercommunicator, in the local group (MPI_Comm_size,
// §7.4.1). It returns 0 for MPI_COMM_NULL and for a communicator that is not made yet.
func (c *Comm) Size() int {
	if c.IsNull() || c.Pending() {
		return 0
	}
	return len(c.local().members)
}

// Group returns the group of c; of an intercommunicator, the local group (MPI_Comm_group, §7.3.2). It derives from the
// session that c derives from. The groups of all members share their storage.
func (c *Comm) Group() (*Group, error) {
	if err := c.Check(CallGroup); err != nil {
		return nil, err
	}
	return c.local().of(c.session()), nil
}

// Info returns the properties of c that never change; nil for MPI_COMM_NULL.
func (c *Comm) Info() *CommInfo {
	if c.IsNull() || c.core == nil {
		return nil
	}
	return c.core.info
}

// ID returns the id of the communicator, even after the handle has freed it; -1 for a handle that never held a
// communicator.
func (c *Comm) ID() int {
	if c == nil || c.core == nil {
		return -1
	}
	return c.core.info.ID
}

// Process returns the process that owns the handle; nil for a nil handle.
func (c *Comm) Process() *Process {
	if c == nil {
		return nil
	}
	return c.p
}

// MaxObjectName is MPI_MAX_OBJECT_NAME, the longest name in bytes, including C's null character.
const MaxObjectName = 128

// SetName gives this process' handle a name (MPI_Comm_set_name, §7.8). It is local: the handles of other processes keep
// their names. A name that is too long is cut between two characters.
func (c *Comm) SetName(name string) error {
	if err := c.Check(CallSetName); err != nil {
		return err
	}
	if len(name) >= MaxObjectName {
		end := MaxObjectName - 1
		for ; !utf8.RuneStart(name[end]); end-- { // inside a character
		}
		name = strings.Clone(name[:end])
	}
	c.p.local(CallSetName, c, textArg("comm_name", name))
	c.extras().name = &name
	return nil
}

// Name returns the name of the handle (MPI_Comm_get_name, §7.8): "" unless a name was set or the communicator is
// predefined.
func (c *Comm) Name() (string, error) {
	if c == nil || c.freed {
		return "MPI_COMM_NULL", nil
	}
	if err := c.Check(CallGetName); err != nil {
		return "", err
	}
	if c.ext != nil && c.ext.name != nil {
		return *c.ext.name, nil
	}
	return predefinedNames[c.core.info.ID], nil
}

// predefinedNames are the names of predefined communicators by id.
var predefinedNames = map[int]string{0: "MPI_COMM_WORLD", SelfID: "MPI_COMM_SELF"}

// Comparison is the result of comparing two groups or communicators.
type Comparison int

// The results of comparisons. Groups are never Congruent: they have no context.
const (
	Ident     Comparison = iota // the same group in the same order; the same communicator
	Congruent                   // communicators of identical groups that differ by context
	Similar                     // the same members in a different order
	Unequal
)

// String returns the C name: "MPI_SIMILAR".
func (c Comparison) String() string {
	return [...]string{"MPI_IDENT", "MPI_CONGRUENT", "MPI_SIMILAR", "MPI_UNEQUAL"}[c]
}

// Compare compares two groups (MPI_Group_compare, §7.3.1): Ident for the same members in the same order, Similar when
// only the order differs, else Unequal.
func (g *Group) Compare(h *Group) (Comparison, error) {
	if err := inquiry(CallGroupCompare, g, h); err != nil {
		return Unequal, err
	}
	return g.compare(h), nil
}

func (g *Group) compare(h *Group) Comparison {
	if g.same(h) {
		return Ident
	}
	if len(g.members) != len(h.members) {
		return Unequal
	}
	for _, m := range g.members {
		if !h.has(m) {
			return Unequal
		}
	}
	return Similar
}

// Compare compares two communicators (MPI_Comm_compare, §7.4.1): Ident for the same communicator, Congruent when only
// the context differs, Similar when the rank order differs, too. For two intercommunicators, both groups are compared;
// an intercommunicator and an intracommunicator are Unequal.
func (c *Comm) Compare(d *Comm) (Comparison, error) {
	if err := c.Check(CallCompare); err != nil {
		return Unequal, err
	}
	if err := d.Check(CallCompare); err != nil {
		return Unequal, err
	}
	if c.core == d.core {
		return Ident, nil
	}
	if (c.core.remote == nil) != (d.core.remote == nil) {
		return Unequal, nil
	}
	r := c.local().compare(d.local())
	if c.core.remote != nil {
		r = max(r, c.peers().compare(d.peers()))
	}
	if r == Ident {
		return Congruent, nil
	}
	return r, nil
}

// Free marks the communicator for deallocation (MPI_Comm_free, §7.4.3). It is collective; the handle becomes
// MPI_COMM_NULL. Attributes are deleted first; when a delete function fails, no process frees the communicator.
// Operations under way on the communicator end normally, and the processes get its context id back after the last of
// them. MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed: MPI_ERR_COMM.
func (c *Comm) Free() error { return c.free(CallFree) }

// Disconnect waits for all communication under way on the communicator to end, then frees it as Free does
// (MPI_Comm_disconnect, §11.10.4).
func (c *Comm) Disconnect() error { return c.free(CallDisconnect) }

func (c *Comm) free(call Call) error {
	if err := c.Check(call); err != nil {
		return err
	}
	if id := c.core.info.ID; id < firstID {
		return c.fail(MistakeCommPredefined.In(call, predefinedNames[id]))
	}
	if _, err := c.call(call, 0, 0, c.deleteAttributes(call)); err != nil {
		return err
	}
	c.freed = true
	return nil
}

// finishFree gives the context ids back, or keeps them until the communication under way has ended.
func (op *operation) finishFree(w *World) {
	if op.callbacksFailed("delete", "the communicator stays") {
		return
	}
	if k := op.core; k.referred() {
		w.lingering = append(w.lingering, k)
	} else {
		w.giveBack(k)
	}
}

// giveBack returns the context ids of a communicator to its processes.
func (w *World) giveBack(k *core) {
	w.contexts.free(k.group.members, k.info.Context)
	if k.remote != nil {
		w.contexts.free(k.remote.members, k.info.Context2)
	}
}

// referred reports whether communication still refers to the communicator: open receives or duplications, or messages
// that nobody received.
func (k *core) referred() bool { return k.underway+k.arrived > 0 }

// active reports whether communication is under way that can still end. A message that nobody asked for cannot end,
// since its receiver has given up the communicator.
func (k *core) active() bool { return k.underway > 0 }

// busyOn lists the processes with receives or nonblocking calls under way on k.
func (w *World) busyOn(k *core) Ranks {
	var list []int32
	on := func(r *Request) bool { return r.comm.core == k || r.comm.core.of == k }
	for _, m := range k.all {
		if t := w.procs[m].mail; t != nil && (slices.ContainsFunc(t.pending, on) || slices.ContainsFunc(t.building, on)) {
			list = append(list, m)
		}
	}
	return RanksOf(list...)
}

// finishLingering gives back the context ids of freed communicators whose communication has ended, and lets processes
// go on whose MPI_Comm_disconnect waited for communication.
func (w *World) finishLingering() {
	w.lingering = slices.DeleteFunc(w.lingering, func(k *core) bool {
		if !k.referred() {
			w.giveBack(k)
		}
		return !k.referred()
	})
	w.disconnecting = slices.DeleteFunc(w.disconnecting, func(op *operation) bool {
		if !op.core.active() {
			op.finish(w)
		}
		return !op.core.active()
	})
}

// isDisconnecting reports whether all processes of k have called MPI_Comm_disconnect and wait for communication to end.
func (w *World) isDisconnecting(k *core) bool {
	return slices.ContainsFunc(w.disconnecting, func(op *operation) bool { return op.core == k })
}

// freedAt returns the call site where a communicator was freed, "demo.py:7"; "" when the trace does not have the call.
func (w *World) freedAt(id int) string {
	for i := len(w.steps) - 1; i >= 0; i-- {
		s := &w.steps[i]
		if s.Comm == id && s.Frees() {
			return s.Site()
		}
	}
	return ""
}

// contexts has the context ids that each process uses. The processes of a new communicator take the lowest id that is
// free on all of them, as in MPICH, which all-reduces masks of free ids. Disjoint communicators that one call makes
// share an id.
type contexts struct {
	size  int
	limit int        // number of ids
	used  [][]uint64 // used[w][rank]: ids 64w to 64w+63 that rank uses
}

// MaxContexts is the largest number of context ids, and the default: ids have 16 bits.
const MaxContexts = 1 << 16

// selfContext stands for the context of MPI_COMM_SELF, which takes no id.
const selfContext = -1

// agree takes the lowest id that is free on every process of the groups; ok is false when no id is.
func (c *contexts) agree(groups []*Group) (id int, ok bool) {
	for w := 0; w*64 < c.limit; w++ {
		if w == len(c.used) {
			c.used = append(c.used, make([]uint64, c.size))
		}
		column := c.used[w]
		k := bits.TrailingZeros64(^taken(column, groups))
		if k == 64 {
			continue
		}
		if w*64+k >= c.limit {
			break
		}
		bit := uint64(1) << k
		for _, g := range groups {
			for _, m := range g.members {
				column[m] |= bit
			}
		}
		return w*64 + k, true
	}
	return 0, false
}

// taken returns, as bits, the ids of a column that some process of the groups uses. It stops looking when all are used.
func taken(column []uint64, groups []*Group) (ids uint64) {
	for _, g := range groups {
		for _, m := range g.members {
			if ids |= column[m]; ids == math.MaxUint64 {
				return ids
			}
		}
	}
	return ids
}

// free gives an id back on the processes of a communicator, unless it is selfContext.
func (c *contexts) free(members []int32, id int) {
	if id == selfContext {
		return
	}
	column, bit := c.used[id/64], uint64(1)<<(id%64)
	for _, m := range members {
		column[m] &^= bit
	}
}

// inUse returns the number of ids that a process uses.
func (c *contexts) inUse(rank int32) int {
	n := 0
	for _, column := range c.used {
		n += bits.OnesCount64(column[rank])
	}
	return n
}

// noContext tells why there is no context id for the groups: a process has no id left, or no id is free on all
// processes.
func (w *World) noContext(op *operation, groups []*Group) *Error {
	var full []int32
	for _, g := range groups {
		for _, m := range g.members {
			if w.contexts.inUse(m) >= w.contexts.limit {
				full = append(full, m)
			}
		}
	}
	why := "each process has free ids, but no id is free on all processes"
	if who := RanksOf(full...); len(full) > 0 {
		why = fmt.Sprintf("%s %s none left", who.Noun(), plural(who, "has", "have"))
	}
	return op.wrong(MistakeCommLimit, w.contexts.limit, why)
}
