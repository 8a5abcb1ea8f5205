package program

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
)

// Comm is a communicator as programs see it: one process' handle.
type Comm struct {
	c     *engine.Comm // nil: COMM_NULL
	apart *apart       // nil: nothing; own makes one to write to
}

// apart is what few of the handles of a large world have.
type apart struct {
	r    *Rank           // of a COMM_NULL; nil: it belongs to no rank
	came *reason.Held    // of a COMM_NULL: where it came from; nil: written as the constant
	topo engine.TopoType // of a COMM_NULL that the constructor of a virtual topology returned

	copies *copies // nil while there is one handle
}

// own is the handle's own apart.
func (v *Comm) own() *apart {
	if v.apart == nil {
		v.apart = &apart{}
	}
	return v.apart
}

// rank is the rank whose handle it is; nil for a COMM_NULL that belongs to no rank.
func (v *Comm) rank() *Rank {
	if v.c != nil {
		r, _ := v.c.Process().Local.(*Rank)
		return r
	}
	if v.apart != nil {
		return v.apart.r
	}
	return nil
}

// others are the handles of the same object; nil when there are none.
func (v *Comm) others() *copies {
	if v.apart == nil {
		return nil
	}
	return v.apart.copies
}

// nullComm is COMM_NULL where it is written as the constant.
var nullComm = &Comm{}

// wrap makes a value of a handle of this rank.
func (r *Rank) wrap(c *engine.Comm) *Comm {
	if c == nil {
		return &Comm{apart: &apart{r: r}}
	}
	return &Comm{c: c}
}

// constructed is the result of a constructor. A COMM_NULL has the class of the virtual topology that the constructor makes,
// so that its methods exist and raise MPI's error.
func (r *Rank) constructed(made *engine.Comm, by engine.Call) *Comm {
	v := r.remember(r.wrap(made))
	if t := topologyMade[by]; made == nil && t != 0 {
		v.own().topo = t
	}
	return v
}

// wrapped is the result of a constructor that is not of a row alone.
func (c *call) wrapped(made *engine.Comm, err error) (starlark.Value, error) {
	return ended(c, made, err)
}

// CommOf is the handle that v holds, nil for COMM_NULL; ok tells whether v is a communicator.
func CommOf(v starlark.Value) (c *engine.Comm, ok bool) {
	h, ok := v.(*Comm)
	if !ok {
		return nil, false
	}
	return h.c, true
}

// String is "<Intracomm 2>", or "<Cartcomm 2>", with the name when there is one.
func (v *Comm) String() string {
	switch {
	case v.others().stale(v):
		return fmt.Sprintf("<%s %d, freed>", v.Type(), v.c.ID())
	case v.c.IsNull():
		return "<" + v.Type() + " MPI_COMM_NULL>"
	case v.c.Pending():
		return "<" + v.Type() + " in the making>"
	case v.c.Outlives():
		return fmt.Sprintf("<%s %d, its session finalized>", v.Type(), v.c.ID())
	}
	if name, err := v.c.Name(); err == nil && name != "" {
		return fmt.Sprintf("<%s %d %q>", v.Type(), v.held(), name)
	}
	return fmt.Sprintf("<%s %d>", v.Type(), v.held())
}

// Type is mpi4py's name of the type.
func (v *Comm) Type() string {
	if t := v.topoClass(); t != nil {
		return t.name
	}
	if v.c.Kind() == engine.Inter {
		return "Intercomm"
	}
	return "Intracomm"
}

func (v *Comm) Freeze()              {}
func (v *Comm) Truth() starlark.Bool { return starlark.Bool(!v.c.IsNull() || v.others().stale(v)) }

// Hash must not change when a communicator is completed or freed.
func (v *Comm) Hash() (uint32, error) { return 0, nil }

func (v *Comm) Attr(name string) (starlark.Value, error) {
	return v.classWith(name).attr(v.rank(), v, name)
}
func (v *Comm) AttrNames() []string { return slices.Concat(v.topoNames(), commClass.listed(v.rank())) }

// SetField implements assignable attributes: comm.name = "rows".
func (v *Comm) SetField(name string, to starlark.Value) error {
	return v.classWith(name).setField(v.rank(), v, name, to)
}

// CompareSameType compares handles, not what they stand for: that is what Compare is for.
func (v *Comm) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	w := other.(*Comm)
	if v.others().stale(v) || w.others().stale(w) {
		return sameHandle(op, v.c == w.c && v.others().stale(v) == w.others().stale(w), "communicators")
	}
	return sameHandle(op, v.c == w.c || v.c.IsNull() && w.c.IsNull(), "communicators")
}

// sameHandle is the result of == and != of two handles.
func sameHandle(op syntax.Token, same bool, what string) (bool, error) {
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s have no order: only == and != compare them", what)
}

// on is the communicator that the method is called on.
func (c *call) on() *engine.Comm { return c.self.(*Comm).c }

func isComm(v starlark.Value) bool { _, ok := v.(*Comm); return ok }

// commClass is what communicators can do. Receives take buf first, as in mpi4py; it must be None.
var commClass = newClass("Intracomm", isComm, append(slices.Concat(cachingMethods(), topoAttributes(), bufferMethods()),
	property("rank", engine.CallRank, "rank of this process in the communicator", getRank).called("Get_rank"),
	property("size", engine.CallSize, "number of processes", getSize).called("Get_size"),
	property("group", engine.CallGroup, "the group, a new handle", gives((*engine.Comm).Group)).called("Get_group"),
	property("name", engine.CallGetName, "name of the communicator on this process", getName).settable(engine.CallSetName, setName).called("Get_name"),
	property("info", engine.CallGetInfo, "info hints of this handle, a copy",
		gives((*engine.Comm).Hints)).settable(engine.CallSetInfo, setInfo).called("Get_info"),
	property("remote_size", engine.CallRemoteSize,
		"number of processes in the remote group", gives((*engine.Comm).RemoteSize)).called("Get_remote_size"),
	property("remote_group", engine.CallRemoteGroup, "the remote group, a new handle", getRemoteGroup).called("Get_remote_group"),
	property("is_inter", engine.CallTestInter,
		"whether it is an intercommunicator", gives((*engine.Comm).IsInter)).called("Is_inter"),
	property("is_intra", engine.CallTestInter, "whether it is an intracommunicator", getIntra).called("Is_intra"),

	method("Set_name", "name", engine.CallSetName, "name the communicator on this process", do1((*engine.Comm).SetName)),
	method("Set_info", "info", engine.CallSetInfo,
		"replace the info hints of this handle", commSetInfo),
	method("Compare", "comm", engine.CallCompare,
		"IDENT, CONGRUENT, SIMILAR or UNEQUAL", of1((*engine.Comm).Compare)).isDual("comm1", "comm2"),

	method("Split", "color=0, key=0", engine.CallSplit,
		"a communicator per color, ranked by (key, old rank)", of2((*engine.Comm).Split)).canBeReady(readySplit),
	method("Split_type", "split_type, key=0, info=INFO_NULL", engine.CallSplitType,
		"a communicator per shared hardware resource", of3((*engine.Comm).SplitType)).canBeReady(readySplitType),
	method("Create", "group", engine.CallCreate,
		"a communicator of a subgroup; collective over all", of1((*engine.Comm).Create)),
	method("Create_group", "group, tag=0", engine.CallCreateGroup,
		"a communicator of a subgroup; collective over the subgroup", of2((*engine.Comm).CreateGroup)),
	method("Create_from_group", `group, stringtag="org.mpi4py", info=INFO_NULL, errhandler=None`, engine.CallCreateFromGroup,
		"a communicator of a group, without a parent; collective over the group", of4((*engine.Process).CreateFromGroup)).isStatic(),
	method("Create_from_groups", `local_group, local_leader, remote_group, remote_leader, stringtag="org.mpi4py", info=INFO_NULL, errhandler=None`, engine.CallIntercommCreateFromGroups,
		"an intercommunicator of two groups, without a parent; collective over both", commFromGroups).isStatic(),
	method("Create_intercomm", "local_leader, peer_comm, remote_leader, tag=0", engine.CallIntercommCreate,
		"an intercommunicator of this group and another one", of4((*engine.Comm).CreateIntercomm)),
	method("Merge", "high=False", engine.CallMerge,
		"both groups in one intracommunicator; high=False comes first", commMerge),
	method("Dup", "info=None", engine.CallDup, "the same group in a new context",
		withInfo(of0((*engine.Comm).Dup), of1((*engine.Comm).DupWithInfo))).canBeReady(readyDup),
	method("Dup_with_info", "info", engine.CallDupWithInfo,
		"the same group in a new context with these hints", of1((*engine.Comm).DupWithInfo)),
	method("Idup", "info=None", engine.CallIdup,
		"(a duplicate, a request): the duplicate is usable once the request is complete", withInfo(commIdup, commIdupWithInfo)),
	method("Idup_with_info", "info", engine.CallIdupWithInfo,
		"(a duplicate with these hints, a request)", commIdupWithInfo),
	method("Clone", "", engine.CallDup, "the same group in a new context", of0((*engine.Comm).Dup)),
	method("Free", "", engine.CallFree,
		"free the communicator; the handle becomes COMM_NULL",
		ending((*engine.Comm).Free)).free("Free, unless it is COMM_NULL or predefined"),
	method("Get_parent", "", engine.CallNone, "the processes that spawned this process: COMM_NULL, as a world spawns no process",
		func(c *call) (starlark.Value, error) { return c.r.wrap(nil), nil }).isStatic().from(20),
	method("Disconnect", "", engine.CallDisconnect,
		"free the communicator once all communication on it has ended", ending((*engine.Comm).Disconnect)),

	method("Create_errhandler", "errhandler_fn", engine.CallCreateErrhandler,
		"an error handler for communicators: a function of (comm, errorcode)", createErrhandler).isStatic(),
	method("Set_errhandler", "errhandler", engine.CallSetErrhandler,
		"set the error handler of this communicator", do1((*engine.Comm).SetErrhandler)),
	method("Get_errhandler", "", engine.CallGetErrhandler,
		"the error handler of this communicator", of0((*engine.Comm).Errhandler)),
	method("Call_errhandler", "errorcode", engine.CallCallErrhandler,
		"invoke the error handler of this communicator", callErrhandler[*engine.Comm]),
	method("Abort", "errorcode=0", engine.CallAbort, "end the program", do1((*engine.Comm).Abort)),

	method("Barrier", "", engine.CallBarrier, "wait for all processes", do0((*engine.Comm).Barrier)).also("barrier"),
	method("Ibarrier", "", engine.CallIbarrier, "a request that completes once all processes have made the call", commIbarrier),
	method("Barrier_init", "info=INFO_NULL", engine.CallBarrierInit, "a persistent request of a barrier", commBarrierInit),
	method("bcast", "obj, root=0", engine.CallBcast, "the root's value, on all processes", commCollect),
	method("gather", "sendobj, root=0", engine.CallGather,
		"the list of all values, at root", commCollect),
	method("allgather", "sendobj", engine.CallAllgather,
		"the list of all values, on all processes", commCollect),
	method("scatter", "sendobj, root=0", engine.CallScatter,
		"one element of the root's list for each process", commCollect),
	method("alltoall", "sendobj", engine.CallAlltoall,
		"element i of the list goes to rank i", commCollect),
	method("reduce", "sendobj, op=SUM, root=0", engine.CallReduce,
		"all values combined, at root", commCollect),
	method("allreduce", "sendobj, op=SUM", engine.CallAllreduce,
		"all values combined, on all processes", commCollect),
	method("scan", "sendobj, op=SUM", engine.CallScan,
		"the values of all ranks up to this rank, combined", commCollect),
	method("exscan", "sendobj, op=SUM", engine.CallExscan,
		"the values of all ranks below this rank, combined", commCollect),

	method("send", "obj, dest, tag=0", engine.CallSend, "send a value", commSend),
	method("bsend", "obj, dest, tag=0", engine.CallBsend, "send a value through the attached buffer", commSend),
	method("ibsend", "obj, dest, tag=0", engine.CallIbsend, "send a value through the attached buffer; a request", commIsend),
	method("ssend", "obj, dest, tag=0", engine.CallSsend, "send a value; returns once the receive has started", commSend),
	method("issend", "obj, dest, tag=0", engine.CallIssend,
		"send a value; a request that completes once the receive has started", commIsend),
	method("isend", "obj, dest, tag=0", engine.CallIsend, "send a value; a request", commIsend),
	method("recv", "buf=None, source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallRecv,
		"receive a value", commRecv),
	method("irecv", "buf=None, source=ANY_SOURCE, tag=ANY_TAG", engine.CallIrecv,
		"receive a value; a request", commIrecv),
	method("sendrecv", "sendobj, dest, sendtag=0, recvbuf=None, source=ANY_SOURCE, recvtag=ANY_TAG, status=None", engine.CallSend,
		"send one value and receive another", commSendrecv),
	method("probe", "source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallProbe,
		"wait until a message has arrived", commProbe).also("Probe"),
	method("iprobe", "source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallIprobe,
		"whether a message has arrived", commIprobe).also("Iprobe"),
	method("mprobe", "source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallMprobe,
		"wait for a message, which only the returned handle can receive", commMprobe).also("Mprobe"),
	method("improbe", "source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallImprobe,
		"a message that has arrived, which only the returned handle can receive, or None", commImprobe).also("Improbe"),
)...)

func getRank(_ *Rank, v starlark.Value) (starlark.Value, error) {
	c := v.(*Comm).c
	return starlark.MakeInt(c.Rank()), c.Check(engine.CallRank)
}

func getSize(_ *Rank, v starlark.Value) (starlark.Value, error) {
	c := v.(*Comm).c
	return starlark.MakeInt(c.Size()), c.Check(engine.CallSize)
}

func number(n int, err error) (starlark.Value, error) { return starlark.MakeInt(n), err }

func getName(r *Rank, v starlark.Value) (starlark.Value, error) {
	if c := v.(*Comm).c; c.IsNull() && r != nil && r.P.Std() < 41 { // MPI_COMM_NULL has a name since MPI-4.1
		return nil, c.Check(engine.CallGetName)
	}
	name, err := v.(*Comm).c.Name()
	return starlark.String(name), err
}

func getRemoteGroup(r *Rank, v starlark.Value) (starlark.Value, error) {
	g, err := v.(*Comm).c.RemoteGroup()
	return &Group{r: r, g: g}, err
}

func getIntra(_ *Rank, v starlark.Value) (starlark.Value, error) {
	inter, err := v.(*Comm).c.IsInter()
	return starlark.Bool(!inter), err
}

func setName(_ *Rank, v, to starlark.Value) error {
	name, ok := starlark.AsString(to)
	if !ok {
		return fmt.Errorf("name must be a string, not %s", describe(to))
	}
	return v.(*Comm).c.SetName(name)
}

func setInfo(_ *Rank, v, to starlark.Value) error {
	info, ok := to.(*Info)
	if !ok {
		return fmt.Errorf("info must be an info object, not %s", describe(to))
	}
	return v.(*Comm).c.SetInfo(info.info)
}

func commSetInfo(c *call) (starlark.Value, error) { return nothing(setInfo(c.r, c.self, c.args[0])) }

func commIbarrier(c *call) (starlark.Value, error) { return c.request(c.on().Ibarrier()) }

func commBarrierInit(c *call) (starlark.Value, error) {
	if _, err := c.info(0); err != nil {
		return nil, err
	}
	return c.request(c.on().Init(engine.CallBarrierInit, engine.Data{}, nil))
}

// withInfo makes mpi4py's Dup and Idup, which take hints from version 4 on, of the calls without and with hints.
func withInfo(plain, hinted func(*call) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		if c.args[0] == starlark.None {
			return plain(c)
		}
		return hinted(c)
	}
}

func commIdup(c *call) (starlark.Value, error) { return c.started(c.on().Idup()) }

func commIdupWithInfo(c *call) (starlark.Value, error) {
	info, err := c.info(0)
	if err != nil {
		return nil, err
	}
	return c.started(c.on().IdupWithInfo(info))
}

// started is what Idup gives: a pair of the communicator in the making and its request.
func (c *call) started(made *engine.Comm, req *engine.Request, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return starlark.Tuple{c.r.wrap(made), c.r.newRequest(req)}, nil
}

// IsStarted reports whether v is such a pair.
func IsStarted(v starlark.Value) bool {
	pair, ok := v.(starlark.Tuple)
	if !ok || len(pair) != 2 || !isComm(pair[0]) {
		return false
	}
	_, ok = pair[1].(*Request)
	return ok
}

// ending frees the communicator: other handles of it are stale then.
func ending(free func(*engine.Comm) error) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		err := free(c.on())
		if v := c.self.(*Comm); err == nil {
			v.others().ended(v, c.r)
		}
		return nothing(err)
	}
}

// commMerge takes any value for high, as C does: what is not zero is true.
func commMerge(c *call) (starlark.Value, error) {
	return c.wrapped(c.on().Merge(bool(c.args[0].Truth())))
}

func commFromGroups(c *call) (starlark.Value, error) {
	var groups [2]*engine.Group
	var leaders [2]int
	var tag string
	var info *engine.Info
	var h *engine.Errhandler
	if err := c.read(0, &groups[0], &leaders[0], &groups[1], &leaders[1], &tag, &info, &h); err != nil {
		return nil, err
	}
	return c.wrapped(c.r.P.CreateIntercommFromGroups(groups[0], leaders[0], groups[1], leaders[1], tag, info, h))
}
