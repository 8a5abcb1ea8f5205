package engine

// Call is one MPI procedure that the engine carries out.
type Call uint8

// The calls. Those up to CallAlltoall are collective over a communicator.
const (
	CallNone Call = iota
	CallDup
	CallCreate
	CallSplit
	CallSplitType
	CallFree
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
	CallCreateGroup
	CallSend
	CallRecv
	CallIsend
	CallIrecv
	CallWait
	CallTest
	CallProbe
	CallIprobe
	CallRank
	CallSize
	CallCompare
	CallGroup
	CallSetName
	CallGetName
	CallSetInfo
	CallGetInfo
	CallSetErrhandler
	CallGetErrhandler
	CallCallErrhandler
	CallAbort
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
	CallInfoCreate
	CallInfoSet
	CallInfoGet
	CallInfoDelete
	CallInfoDup
	CallInfoNkeys
	CallInfoNthkey
	CallInfoFree
	CallHWInfo
	CallProcessorName
	numCalls
)

// Std is a version of the MPI standard, major*10+minor: 22 is MPI-2.2.
type Std int

// The newest version of the standard that the engine follows, and its default.
const StdLatest Std = 50

// String is the version as the standard writes it: "2.2".
func (s Std) String() string { return string(rune('0'+s/10)) + "." + string(rune('0'+s%10)) }

type callInfo struct {
	name    string
	section string // of MPI-5.0
	since   Std
}

var callTable = [numCalls]callInfo{
	CallNone:              {"no call", "", 11},
	CallDup:               {"MPI_Comm_dup", "7.4.2", 11},
	CallCreate:            {"MPI_Comm_create", "7.4.2", 11},
	CallSplit:             {"MPI_Comm_split", "7.4.2", 11},
	CallSplitType:         {"MPI_Comm_split_type", "7.4.2", 30},
	CallFree:              {"MPI_Comm_free", "7.4.3", 11},
	CallBarrier:           {"MPI_Barrier", "6.3", 11},
	CallBcast:             {"MPI_Bcast", "6.4", 11},
	CallGather:            {"MPI_Gather", "6.5", 11},
	CallScatter:           {"MPI_Scatter", "6.6", 11},
	CallAllgather:         {"MPI_Allgather", "6.7", 11},
	CallAlltoall:          {"MPI_Alltoall", "6.8", 11},
	CallReduce:            {"MPI_Reduce", "6.9.1", 11},
	CallAllreduce:         {"MPI_Allreduce", "6.9.6", 11},
	CallScan:              {"MPI_Scan", "6.11.1", 11},
	CallExscan:            {"MPI_Exscan", "6.11.2", 20},
	CallCreateGroup:       {"MPI_Comm_create_group", "7.4.2", 30},
	CallSend:              {"MPI_Send", "3.2.1", 11},
	CallRecv:              {"MPI_Recv", "3.2.4", 11},
	CallIsend:             {"MPI_Isend", "3.7.2", 11},
	CallIrecv:             {"MPI_Irecv", "3.7.2", 11},
	CallWait:              {"MPI_Wait", "3.7.3", 11},
	CallTest:              {"MPI_Test", "3.7.3", 11},
	CallProbe:             {"MPI_Probe", "3.8.1", 11},
	CallIprobe:            {"MPI_Iprobe", "3.8.1", 11},
	CallRank:              {"MPI_Comm_rank", "7.4.1", 11},
	CallSize:              {"MPI_Comm_size", "7.4.1", 11},
	CallCompare:           {"MPI_Comm_compare", "7.4.1", 11},
	CallGroup:             {"MPI_Comm_group", "7.3.2", 11},
	CallSetName:           {"MPI_Comm_set_name", "7.8", 20},
	CallGetName:           {"MPI_Comm_get_name", "7.8", 20},
	CallSetInfo:           {"MPI_Comm_set_info", "7.4.4", 30},
	CallGetInfo:           {"MPI_Comm_get_info", "7.4.4", 30},
	CallSetErrhandler:     {"MPI_Comm_set_errhandler", "9.3.1", 11},
	CallGetErrhandler:     {"MPI_Comm_get_errhandler", "9.3.1", 11},
	CallCallErrhandler:    {"MPI_Comm_call_errhandler", "9.5", 20},
	CallAbort:             {"MPI_Abort", "11.2.2", 11},
	CallGroupSize:         {"MPI_Group_size", "7.3.1", 11},
	CallGroupIncl:         {"MPI_Group_incl", "7.3.2", 11},
	CallGroupExcl:         {"MPI_Group_excl", "7.3.2", 11},
	CallGroupRangeIncl:    {"MPI_Group_range_incl", "7.3.2", 11},
	CallGroupRangeExcl:    {"MPI_Group_range_excl", "7.3.2", 11},
	CallGroupUnion:        {"MPI_Group_union", "7.3.2", 11},
	CallGroupIntersection: {"MPI_Group_intersection", "7.3.2", 11},
	CallGroupDifference:   {"MPI_Group_difference", "7.3.2", 11},
	CallGroupCompare:      {"MPI_Group_compare", "7.3.1", 11},
	CallGroupTranslate:    {"MPI_Group_translate_ranks", "7.3.1", 11},
	CallGroupFree:         {"MPI_Group_free", "7.3.3", 11},
	CallInfoCreate:        {"MPI_Info_create", "10", 20},
	CallInfoSet:           {"MPI_Info_set", "10", 20},
	CallInfoGet:           {"MPI_Info_get_string", "10", 20},
	CallInfoDelete:        {"MPI_Info_delete", "10", 20},
	CallInfoDup:           {"MPI_Info_dup", "10", 20},
	CallInfoNkeys:         {"MPI_Info_get_nkeys", "10", 20},
	CallInfoNthkey:        {"MPI_Info_get_nthkey", "10", 20},
	CallInfoFree:          {"MPI_Info_free", "10", 20},
	CallHWInfo:            {"MPI_Get_hw_resource_info", "9.1.2", 41},
	CallProcessorName:     {"MPI_Get_processor_name", "9.1.2", 11},
}

// String is the C name of the procedure: "MPI_Comm_split".
func (c Call) String() string { return callTable[c].name }

// Rule is the section of the standard that defines the call: "MPI-5.0 §7.4.2".
func (c Call) Rule() string { return "MPI-5.0 §" + callTable[c].section }

// Since is the first version of the standard that has the call.
func (c Call) Since() Std { return callTable[c].since }
