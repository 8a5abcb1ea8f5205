package engine

// Call is one MPI procedure that the engine carries out.
type Call uint8

// The calls, in groups by who takes part.
const (
	CallNone Call = iota

	// Collective over a communicator, blocking: up to lastCollective.
	CallDup
	CallDupWithInfo
	CallCreate
	CallSplit
	CallSplitType
	CallIntercommCreate
	CallMerge
	CallCartCreate
	CallCartSub
	CallGraphCreate
	CallDistGraphCreate
	CallDistGraphCreateAdjacent
	CallFree
	CallDisconnect
	CallBarrier
	CallBcast
	CallGather
	CallAllgather
	CallScatter
	CallAlltoall
	CallReduce
	CallAllreduce
	CallScan
	CallExscan

	// Collective over the processes of one or two groups.
	CallCreateGroup
	CallCreateFromGroup
	CallIntercommCreateFromGroups

	// Collective over a communicator, nonblocking.
	CallIdup
	CallIdupWithInfo

	// Between two processes, and completion.
	CallSend
	CallRecv
	CallIsend
	CallIrecv
	CallWait
	CallWaitall
	CallWaitany
	CallTest
	CallTestall
	CallTestany
	CallProbe
	CallIprobe

	// Local: communicators.
	CallRank
	CallSize
	CallCompare
	CallGroup
	CallTestInter
	CallRemoteSize
	CallRemoteGroup
	CallSetName
	CallGetName
	CallSetInfo
	CallGetInfo
	CallAttachBuffer
	CallDetachBuffer

	// Local: attributes (§7.7).
	CallCreateKeyval
	CallFreeKeyval
	CallSetAttr
	CallGetAttr
	CallDeleteAttr

	// Local: virtual topologies (§8).
	CallTopoTest
	CallCartGet
	CallCartRank
	CallCartCoords
	CallCartShift
	CallCartMap
	CallGraphGet
	CallGraphNeighbors
	CallGraphMap
	CallDistGraphNeighbors
	CallDimsCreate

	// Local: errors (§9.3), and the end.
	CallSetErrhandler
	CallGetErrhandler
	CallCallErrhandler
	CallAbort
	CallFinalize

	// Local: groups (§7.3).
	CallGroupSize
	CallGroupIncl
	CallGroupExcl
	CallGroupRangeIncl
	CallGroupRangeExcl
	CallGroupUnion
	CallGroupIntersection
	CallGroupDifference
	CallGroupCompare
	CallGroupTranslate
	CallGroupFree

	// Local: sessions (§11.3).
	CallSessionInit
	CallSessionFinalize
	CallSessionNumPsets
	CallSessionNthPset
	CallSessionPsetInfo
	CallSessionInfo
	CallGroupFromPset

	// Local: info objects (§10).
	CallInfoCreate
	CallInfoSet
	CallInfoGet
	CallInfoDelete
	CallInfoDup
	CallInfoNkeys
	CallInfoNthkey
	CallInfoFree

	// Local: the environment (§9.1).
	CallHWInfo
	CallHWSubdomainNames
	CallProcessorName
	CallBind // none of MPI's: a process goes to other PUs

	numCalls
)

// lastCollective is the last of the calls that are collective over a communicator and blocking.
const lastCollective = CallExscan

// nonblocking reports whether a collective call returns a request.
func (c Call) nonblocking() bool { return c == CallIdup || c == CallIdupWithInfo }

// String is the C name of the procedure: "MPI_Comm_split".
func (c Call) String() string { return callTable[c].name }

// Rule is the section of the standard that defines the call: "MPI-5.0 §7.4.2".
func (c Call) Rule() string {
	if callTable[c].since == Draft2019 {
		return "proposal of 2019"
	}
	return "MPI-5.0 §" + callTable[c].section
}

// Since is the first version of the standard that has the call.
func (c Call) Since() Std { return callTable[c].since }

// Collective reports whether several processes take part in the call and wait for each other.
func (c Call) Collective() bool { return c > CallNone && c <= CallIdupWithInfo }
