package program

import (
	"slices"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// commClass is what communicators can do. Receives take buf first, as in mpi4py; it must be None.
var commClass = newClass("Intracomm", isComm, append(slices.Concat(cachingMethods(), topoAttributes()),
	property("rank", engine.CallRank, "rank of this process in the communicator", getRank),
	property("size", engine.CallSize, "number of processes", getSize),
	property("group", engine.CallGroup, "the group, a new handle", getGroup),
	property("name", engine.CallGetName,
		"name of this handle; can be assigned", getName).settable(engine.CallSetName, setName),
	property("info", engine.CallGetInfo,
		"info hints of this handle, a copy; can be assigned", getInfo).settable(engine.CallSetInfo, setInfo),
	property("remote_size", engine.CallRemoteSize, "number of processes in the remote group", getRemoteSize),
	property("remote_group", engine.CallRemoteGroup, "the remote group, a new handle", getRemoteGroup),
	property("is_inter", engine.CallTestInter, "whether it is an intercommunicator", getInter),
	property("is_intra", engine.CallTestInter, "whether it is an intracommunicator", getIntra),

	method("Get_rank", "", engine.CallRank,
		"rank of this process in the communicator", calling(getRank)),
	method("Get_size", "", engine.CallSize, "number of processes", calling(getSize)),
	method("Get_group", "", engine.CallGroup, "the group, a new handle", calling(getGroup)),
	method("Get_name", "", engine.CallGetName, "name of this handle", calling(getName)),
	method("Get_info", "", engine.CallGetInfo,
		"info hints of this handle, a copy", calling(getInfo)),
	method("Get_remote_size", "", engine.CallRemoteSize,
		"number of processes in the remote group", calling(getRemoteSize)),
	method("Get_remote_group", "", engine.CallRemoteGroup,
		"the remote group, a new handle", calling(getRemoteGroup)),
	method("Is_inter", "", engine.CallTestInter,
		"whether it is an intercommunicator", calling(getInter)),
	method("Is_intra", "", engine.CallTestInter,
		"whether it is an intracommunicator", calling(getIntra)),
	method("Set_name", "name", engine.CallSetName, "name this process' handle", commSetName),
	method("Set_info", "info", engine.CallSetInfo,
		"replace the info hints of this handle", commSetInfo),
	method("Compare", "comm", engine.CallCompare,
		"IDENT, CONGRUENT, SIMILAR or UNEQUAL", commCompare).isDual("comm1", "comm2"),

	method("Split", "color=0, key=0", engine.CallSplit,
		"a communicator per color, ranked by (key, old rank)", commSplit),
	method("Split_type", "split_type, key=0, info=INFO_NULL", engine.CallSplitType,
		"a communicator per shared hardware resource", commSplitType),
	method("Create", "group", engine.CallCreate,
		"a communicator of a subgroup; collective over all", commCreate),
	method("Create_group", "group, tag=0", engine.CallCreateGroup,
		"a communicator of a subgroup; collective over the subgroup", commCreateGroup),
	method("Create_from_group", `group, stringtag="org.mpi4py", info=INFO_NULL, errhandler=None`, engine.CallCreateFromGroup,
		"a communicator of a group, without a parent; collective over the group", commFromGroup).isStatic(),
	method("Create_from_groups", `local_group, local_leader, remote_group, remote_leader, stringtag="org.mpi4py", info=INFO_NULL, errhandler=None`, engine.CallIntercommCreateFromGroups,
		"an intercommunicator of two groups, without a parent; collective over both", commFromGroups).isStatic(),
	method("Create_intercomm", "local_leader, peer_comm, remote_leader, tag=0", engine.CallIntercommCreate,
		"an intercommunicator of this group and another one", commCreateIntercomm),
	method("Merge", "high=False", engine.CallMerge,
		"both groups in one intracommunicator; high=False comes first", commMerge),
	method("Dup", "info=None", engine.CallDup, "the same group in a new context", commDup),
	method("Dup_with_info", "info", engine.CallDupWithInfo,
		"the same group in a new context with these hints", commDupWithInfo),
	method("Idup", "info=None", engine.CallIdup,
		"(a duplicate, a request): usable when the request is complete", commIdup),
	method("Idup_with_info", "info", engine.CallIdupWithInfo,
		"(a duplicate with these hints, a request)", commIdupWithInfo),
	method("Clone", "", engine.CallDup, "the same group in a new context", commClone),
	method("Free", "", engine.CallFree,
		"give the communicator back; the handle becomes COMM_NULL", commFree),

	method("Disconnect", "", engine.CallDisconnect,
		"free it once all communication on it has ended", commDisconnect),

	method("Set_errhandler", "errhandler", engine.CallSetErrhandler,
		"choose what an error on this handle does", commSetErrhandler),
	method("Get_errhandler", "", engine.CallGetErrhandler,
		"what an error on this handle does", commGetErrhandler),
	method("Call_errhandler", "errorcode", engine.CallCallErrhandler,
		"invoke this handle's error handler", commCallErrhandler),
	method("Abort", "errorcode=0", engine.CallAbort, "end the program", commAbort),

	method("Barrier", "", engine.CallBarrier, "wait for all processes", commBarrier),
	method("barrier", "", engine.CallBarrier, "wait for all processes", commBarrier),
	method("bcast", "obj, root=0", engine.CallBcast, "root's value, everywhere", commBcast),
	method("gather", "sendobj, root=0", engine.CallGather,
		"the list of all values, at root", commGather),
	method("allgather", "sendobj", engine.CallAllgather,
		"the list of all values, everywhere", commAllgather),
	method("scatter", "sendobj, root=0", engine.CallScatter,
		"one element of root's list for each process", commScatter),
	method("alltoall", "sendobj", engine.CallAlltoall,
		"element i of the list goes to rank i", commAlltoall),
	method("reduce", "sendobj, op=SUM, root=0", engine.CallReduce,
		"all values combined, at root", commReduce),
	method("allreduce", "sendobj, op=SUM", engine.CallAllreduce,
		"all values combined, everywhere", commAllreduce),
	method("scan", "sendobj, op=SUM", engine.CallScan,
		"the values of ranks up to this one combined", commScan),
	method("exscan", "sendobj, op=SUM", engine.CallExscan,
		"the values of ranks below this one combined", commExscan),

	method("send", "obj, dest, tag=0", engine.CallSend, "send a value", commSend),
	method("isend", "obj, dest, tag=0", engine.CallIsend, "send a value; a request", commIsend),
	method("recv", "buf=None, source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallRecv,
		"receive a value", commRecv),
	method("irecv", "buf=None, source=ANY_SOURCE, tag=ANY_TAG", engine.CallIrecv,
		"receive a value; a request", commIrecv),
	method("sendrecv", "sendobj, dest, sendtag=0, recvbuf=None, source=ANY_SOURCE, recvtag=ANY_TAG, status=None", engine.CallSend,
		"send one value and receive another", commSendrecv),
	method("probe", "source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallProbe,
		"wait until a message is there", commProbe),
	method("iprobe", "source=ANY_SOURCE, tag=ANY_TAG, status=None", engine.CallIprobe,
		"whether a message is there", commIprobe),
)...)

// calling makes a method of a property.
func calling(get func(*Rank, starlark.Value) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) { return get(c.r, c.self) }
}

func nothing(err error) (starlark.Value, error) { return starlark.None, err }
