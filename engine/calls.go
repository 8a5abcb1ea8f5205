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
	CallNeighborAllgather
	CallNeighborAlltoall

	// Collective over the processes of one or two groups.
	CallCreateGroup
	CallCreateFromGroup
	CallIntercommCreateFromGroups

	// Collective over a communicator, nonblocking.
	CallIbarrier
	CallIdup
	CallIdupWithInfo

	// Between two processes, and completion.
	CallSend
	CallSsend
	CallRecv
	CallIsend
	CallIssend
	CallIrecv
	CallWait
	CallWaitall
	CallWaitany
	CallWaitsome
	CallTest
	CallTestall
	CallTestany
	CallTestsome
	CallRequestStatus
	CallRequestStatusAll
	CallRequestStatusAny
	CallRequestStatusSome
	CallRequestFree
	CallCancel
	CallProbe
	CallIprobe
	CallMprobe
	CallImprobe
	CallMrecv
	CallImrecv

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
	CallCreateErrhandler
	CallErrhandlerFree
	CallErrorClass
	CallErrorString
	CallAddErrorClass
	CallAddErrorCode
	CallAddErrorString
	CallRemoveErrorClass
	CallRemoveErrorCode
	CallRemoveErrorString
	CallOpFree
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
	CallSessionCreateErrhandler
	CallSessionSetErrhandler
	CallSessionGetErrhandler
	CallSessionCallErrhandler
	CallGroupFromPset

	// Local: info objects (§10).
	CallInfoCreate
	CallInfoCreateEnv
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
const lastCollective = CallNeighborAlltoall

// nonblocking reports whether a collective call returns a request.
func (c Call) nonblocking() bool { return c >= CallIbarrier && c <= CallIdupWithInfo }

// polls reports whether a call that waits for nothing ends the superstep, so that communication moves.
func (c Call) polls() bool {
	switch c {
	case CallTest, CallTestall, CallTestany, CallTestsome, CallIprobe, CallImprobe,
		CallRequestStatus, CallRequestStatusAll, CallRequestStatusAny, CallRequestStatusSome:
		return true
	}
	return false
}

// String is the C name of the procedure: "MPI_Comm_split".
func (c Call) String() string { return callTable[c].name }

// Calls lists all calls, in the order of the table.
func Calls() []Call {
	list := make([]Call, 0, len(callTable)-1)
	for c := CallNone + 1; int(c) < len(callTable); c++ {
		list = append(list, c)
	}
	return list
}

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

type callInfo struct {
	name    string
	section string // of MPI-5.0; "" for what no version of the standard has
	since   Std
}

var callTable = [numCalls]callInfo{
	CallNone:                      {"no call", "", 11},
	CallDup:                       {"MPI_Comm_dup", "7.4.2", 11},
	CallDupWithInfo:               {"MPI_Comm_dup_with_info", "7.4.2", 30},
	CallCreate:                    {"MPI_Comm_create", "7.4.2", 11},
	CallSplit:                     {"MPI_Comm_split", "7.4.2", 11},
	CallSplitType:                 {"MPI_Comm_split_type", "7.4.2", 30},
	CallIntercommCreate:           {"MPI_Intercomm_create", "7.6.2", 11},
	CallMerge:                     {"MPI_Intercomm_merge", "7.6.2", 11},
	CallCartCreate:                {"MPI_Cart_create", "8.5.1", 11},
	CallCartSub:                   {"MPI_Cart_sub", "8.5.7", 11},
	CallGraphCreate:               {"MPI_Graph_create", "8.5.3", 11},
	CallDistGraphCreate:           {"MPI_Dist_graph_create", "8.5.4", 22},
	CallDistGraphCreateAdjacent:   {"MPI_Dist_graph_create_adjacent", "8.5.4", 22},
	CallFree:                      {"MPI_Comm_free", "7.4.3", 11},
	CallDisconnect:                {"MPI_Comm_disconnect", "11.10.4", 20},
	CallBarrier:                   {"MPI_Barrier", "6.3", 11},
	CallBcast:                     {"MPI_Bcast", "6.4", 11},
	CallGather:                    {"MPI_Gather", "6.5", 11},
	CallAllgather:                 {"MPI_Allgather", "6.7", 11},
	CallScatter:                   {"MPI_Scatter", "6.6", 11},
	CallAlltoall:                  {"MPI_Alltoall", "6.8", 11},
	CallReduce:                    {"MPI_Reduce", "6.9.1", 11},
	CallAllreduce:                 {"MPI_Allreduce", "6.9.6", 11},
	CallScan:                      {"MPI_Scan", "6.11.1", 11},
	CallExscan:                    {"MPI_Exscan", "6.11.2", 20},
	CallNeighborAllgather:         {"MPI_Neighbor_allgather", "8.6.1", 30},
	CallNeighborAlltoall:          {"MPI_Neighbor_alltoall", "8.6.2", 30},
	CallCreateGroup:               {"MPI_Comm_create_group", "7.4.2", 30},
	CallCreateFromGroup:           {"MPI_Comm_create_from_group", "7.4.2", 40},
	CallIntercommCreateFromGroups: {"MPI_Intercomm_create_from_groups", "7.6.2", 40},
	CallIbarrier:                  {"MPI_Ibarrier", "6.12.1", 30},
	CallIdup:                      {"MPI_Comm_idup", "7.4.2", 30},
	CallIdupWithInfo:              {"MPI_Comm_idup_with_info", "7.4.2", 40},
	CallSend:                      {"MPI_Send", "3.2.1", 11},
	CallSsend:                     {"MPI_Ssend", "3.4", 11},
	CallRecv:                      {"MPI_Recv", "3.2.4", 11},
	CallIsend:                     {"MPI_Isend", "3.7.2", 11},
	CallIssend:                    {"MPI_Issend", "3.7.2", 11},
	CallIrecv:                     {"MPI_Irecv", "3.7.2", 11},
	CallWait:                      {"MPI_Wait", "3.7.3", 11},
	CallWaitall:                   {"MPI_Waitall", "3.7.5", 11},
	CallWaitany:                   {"MPI_Waitany", "3.7.5", 11},
	CallWaitsome:                  {"MPI_Waitsome", "3.7.5", 11},
	CallTest:                      {"MPI_Test", "3.7.3", 11},
	CallTestall:                   {"MPI_Testall", "3.7.5", 11},
	CallTestany:                   {"MPI_Testany", "3.7.5", 11},
	CallTestsome:                  {"MPI_Testsome", "3.7.5", 11},
	CallRequestStatus:             {"MPI_Request_get_status", "3.7.6", 20},
	CallRequestStatusAll:          {"MPI_Request_get_status_all", "3.7.6", 41},
	CallRequestStatusAny:          {"MPI_Request_get_status_any", "3.7.6", 41},
	CallRequestStatusSome:         {"MPI_Request_get_status_some", "3.7.6", 41},
	CallRequestFree:               {"MPI_Request_free", "3.7.3", 11},
	CallCancel:                    {"MPI_Cancel", "3.8.4", 11},
	CallProbe:                     {"MPI_Probe", "3.8.1", 11},
	CallIprobe:                    {"MPI_Iprobe", "3.8.1", 11},
	CallMprobe:                    {"MPI_Mprobe", "3.8.2", 30},
	CallImprobe:                   {"MPI_Improbe", "3.8.2", 30},
	CallMrecv:                     {"MPI_Mrecv", "3.8.3", 30},
	CallImrecv:                    {"MPI_Imrecv", "3.8.3", 30},
	CallRank:                      {"MPI_Comm_rank", "7.4.1", 11},
	CallSize:                      {"MPI_Comm_size", "7.4.1", 11},
	CallCompare:                   {"MPI_Comm_compare", "7.4.1", 11},
	CallGroup:                     {"MPI_Comm_group", "7.3.2", 11},
	CallTestInter:                 {"MPI_Comm_test_inter", "7.6.1", 11},
	CallRemoteSize:                {"MPI_Comm_remote_size", "7.6.1", 11},
	CallRemoteGroup:               {"MPI_Comm_remote_group", "7.6.1", 11},
	CallSetName:                   {"MPI_Comm_set_name", "7.8", 20},
	CallGetName:                   {"MPI_Comm_get_name", "7.8", 20},
	CallSetInfo:                   {"MPI_Comm_set_info", "7.4.4", 30},
	CallGetInfo:                   {"MPI_Comm_get_info", "7.4.4", 30},
	CallAttachBuffer:              {"MPI_Comm_attach_buffer", "3.6", 41},
	CallDetachBuffer:              {"MPI_Comm_detach_buffer", "3.6", 41},
	CallCreateKeyval:              {"MPI_Comm_create_keyval", "7.7.2", 20},
	CallFreeKeyval:                {"MPI_Comm_free_keyval", "7.7.2", 20},
	CallSetAttr:                   {"MPI_Comm_set_attr", "7.7.2", 20},
	CallGetAttr:                   {"MPI_Comm_get_attr", "7.7.2", 20},
	CallDeleteAttr:                {"MPI_Comm_delete_attr", "7.7.2", 20},
	CallTopoTest:                  {"MPI_Topo_test", "8.5.5", 11},
	CallCartGet:                   {"MPI_Cart_get", "8.5.5", 11},
	CallCartRank:                  {"MPI_Cart_rank", "8.5.5", 11},
	CallCartCoords:                {"MPI_Cart_coords", "8.5.5", 11},
	CallCartShift:                 {"MPI_Cart_shift", "8.5.6", 11},
	CallCartMap:                   {"MPI_Cart_map", "8.5.8", 11},
	CallGraphGet:                  {"MPI_Graph_get", "8.5.5", 11},
	CallGraphNeighbors:            {"MPI_Graph_neighbors", "8.5.5", 11},
	CallGraphMap:                  {"MPI_Graph_map", "8.5.8", 11},
	CallDistGraphNeighbors:        {"MPI_Dist_graph_neighbors", "8.5.5", 22},
	CallDimsCreate:                {"MPI_Dims_create", "8.5.2", 11},
	CallSetErrhandler:             {"MPI_Comm_set_errhandler", "9.3.1", 11},
	CallGetErrhandler:             {"MPI_Comm_get_errhandler", "9.3.1", 11},
	CallCallErrhandler:            {"MPI_Comm_call_errhandler", "9.5", 20},
	CallCreateErrhandler:          {"MPI_Comm_create_errhandler", "9.3.1", 20},
	CallErrhandlerFree:            {"MPI_Errhandler_free", "9.3.5", 11},
	CallErrorClass:                {"MPI_Error_class", "9.4", 11},
	CallErrorString:               {"MPI_Error_string", "9.3.5", 11},
	CallAddErrorClass:             {"MPI_Add_error_class", "9.5", 20},
	CallAddErrorCode:              {"MPI_Add_error_code", "9.5", 20},
	CallAddErrorString:            {"MPI_Add_error_string", "9.5", 20},
	CallRemoveErrorClass:          {"MPI_Remove_error_class", "9.5", 41},
	CallRemoveErrorCode:           {"MPI_Remove_error_code", "9.5", 41},
	CallRemoveErrorString:         {"MPI_Remove_error_string", "9.5", 41},
	CallOpFree:                    {"MPI_Op_free", "6.9.5", 11},
	CallAbort:                     {"MPI_Abort", "11.4.2", 11},
	CallFinalize:                  {"MPI_Finalize", "11.2.2", 11},
	CallGroupSize:                 {"MPI_Group_size", "7.3.1", 11},
	CallGroupIncl:                 {"MPI_Group_incl", "7.3.2", 11},
	CallGroupExcl:                 {"MPI_Group_excl", "7.3.2", 11},
	CallGroupRangeIncl:            {"MPI_Group_range_incl", "7.3.2", 11},
	CallGroupRangeExcl:            {"MPI_Group_range_excl", "7.3.2", 11},
	CallGroupUnion:                {"MPI_Group_union", "7.3.2", 11},
	CallGroupIntersection:         {"MPI_Group_intersection", "7.3.2", 11},
	CallGroupDifference:           {"MPI_Group_difference", "7.3.2", 11},
	CallGroupCompare:              {"MPI_Group_compare", "7.3.1", 11},
	CallGroupTranslate:            {"MPI_Group_translate_ranks", "7.3.1", 11},
	CallGroupFree:                 {"MPI_Group_free", "7.3.3", 11},
	CallSessionInit:               {"MPI_Session_init", "11.3.1", 40},
	CallSessionFinalize:           {"MPI_Session_finalize", "11.3.1", 40},
	CallSessionNumPsets:           {"MPI_Session_get_num_psets", "11.3.3", 40},
	CallSessionNthPset:            {"MPI_Session_get_nth_pset", "11.3.3", 40},
	CallSessionPsetInfo:           {"MPI_Session_get_pset_info", "11.3.3", 40},
	CallSessionInfo:               {"MPI_Session_get_info", "11.3.3", 40},
	CallSessionCreateErrhandler:   {"MPI_Session_create_errhandler", "9.3.4", 40},
	CallSessionSetErrhandler:      {"MPI_Session_set_errhandler", "9.3.4", 40},
	CallSessionGetErrhandler:      {"MPI_Session_get_errhandler", "9.3.4", 40},
	CallSessionCallErrhandler:     {"MPI_Session_call_errhandler", "9.5", 40},
	CallGroupFromPset:             {"MPI_Group_from_session_pset", "7.3.2", 40},
	CallInfoCreate:                {"MPI_Info_create", "10", 20},
	CallInfoCreateEnv:             {"MPI_Info_create_env", "10", 40},
	CallInfoSet:                   {"MPI_Info_set", "10", 20},
	CallInfoGet:                   {"MPI_Info_get_string", "10", 20},
	CallInfoDelete:                {"MPI_Info_delete", "10", 20},
	CallInfoDup:                   {"MPI_Info_dup", "10", 20},
	CallInfoNkeys:                 {"MPI_Info_get_nkeys", "10", 20},
	CallInfoNthkey:                {"MPI_Info_get_nthkey", "10", 20},
	CallInfoFree:                  {"MPI_Info_free", "10", 20},
	CallHWInfo:                    {"MPI_Get_hw_resource_info", "9.1.2", 41},
	CallHWSubdomainNames:          {"MPI_Get_hwsubdomain_names", "", Draft2019},
	CallProcessorName:             {"MPI_Get_processor_name", "9.1.2", 11},
	CallBind:                      {"bind", "9.1.2", 11},
}
