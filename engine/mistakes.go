package engine

import (
	"fmt"
	"regexp"
)

// Mistake is the rule that an erroneous call breaks: [Error.Mistake]. It is an error for errors.Is, so that no program
// need search a message for words:
type Mistake uint8

// The mistakes that the engine finds, by what they are about.
const (
	NoMistake Mistake = iota // the program raised the error itself, or ended itself

	// Handles of communicators.
	MistakeCommNull
	MistakeCommPending
	MistakeCommUnmade
	MistakeCommFreed
	MistakeCommPredefined
	MistakeCommLimit
	MistakeIntracomm
	MistakeIntercomm
	MistakeIntercommStd
	MistakePeerCommNull

	// MPI_Comm_split and MPI_Comm_split_type.
	MistakeNegativeColor
	MistakeNotCInt
	MistakeSplitType
	MistakeSplitTypeStd
	MistakeSplitTypesDiffer
	MistakeResourcesDiffer
	MistakePsetsDiffer
	MistakeTwoResources

	// Groups, and the constructors that take them.
	MistakeGroupNull
	MistakeGroupRank
	MistakeRankTwice
	MistakeRangeStride
	MistakeRangeEmpty
	MistakeNotSubgroup
	MistakeGroupsClash
	MistakeGroupsStd
	MistakeSideGroupsDiffer
	MistakeStringtag
	MistakeErrhandlersDiffer
	MistakeInfosDiffer

	// Intercommunicators.
	MistakeLocalLeader
	MistakeRemoteLeader
	MistakeLeadsItself
	MistakeLocalLeadersDiffer
	MistakeGroupsOverlap
	MistakeGroupsUnpaired
	MistakeHighsDiffer

	// Sessions and process sets.
	MistakeSessionNull
	MistakeSessionFinalized
	MistakeGroupFinalized
	MistakeCommOutlives
	MistakeRequestOutlives
	MistakeSessionsMixed
	MistakeThreadLevel
	MistakePsetNumber
	MistakePsetUnknown

	// Info objects and error handlers.
	MistakeInfoNull
	MistakeInfoFreed
	MistakeInfoKeyLength
	MistakeInfoValueLength
	MistakeInfoKeyMissing
	MistakeInfoKeyNumber
	MistakeErrhandlerNull
	MistakeErrhandlerKind
	MistakeErrhandlerPredefined
	MistakeInfoPredefined
	MistakeErrorCode
	MistakeErrorCodeOwn
	MistakeErrorClassUsed
	MistakeErrorText

	// Attributes.
	MistakeKeyvalNull
	MistakeKeyvalFreed
	MistakeKeyvalForeign
	MistakeKeyvalPredefined
	MistakeCallbackFailed
	MistakeCallbackFailedElsewhere

	// Messages and collective data.
	MistakePeer
	MistakeTag
	MistakeAssertedSource
	MistakeAssertedTag
	MistakeRoot
	MistakeRootsDiffer
	MistakeOpsDiffer
	MistakeOpFailed
	MistakeValueCount
	MistakeBufferSize
	MistakeBufferAttached
	MistakeBufferMissing
	MistakeBufferFull
	MistakeNotReady
	MistakeOpNull
	MistakeOpPredefined
	MistakeRequestNull
	MistakeRequestCollective
	MistakeRequestOnce
	MistakeRequestActive
	MistakeRequestInactive
	MistakeMessageNull
	MistakeDatatypeNull
	MistakeBufferChanged
	MistakeBuffersOverlap

	// Virtual topologies.
	MistakeTopologyType
	MistakeTopologyRank
	MistakeTopologiesDiffer
	MistakeWeightsDiffer
	MistakeEntryPerDimension
	MistakeCoordCount
	MistakeCoordRange
	MistakeDirection
	MistakeDimsNotPositive
	MistakeDimsNegative
	MistakeDimsProduct
	MistakeNodeCount
	MistakeGridTooLarge
	MistakeGraphTooLarge
	MistakeGraphIndex
	MistakeGraphNeighbor
	MistakeDegrees
	MistakeEdgeRank
	MistakeWeights
	MistakeEdgeOneSided
	MistakeNoTopology
	MistakeNeighborCount
	MistakeNeighborOneSided

	// Copies of handles.
	MistakeCommStale
	MistakeGroupStale
	MistakeRequestStale

	numMistakes
)

// mistakeInfo is a row of the table of mistakes.
type mistakeInfo struct {
	class   Class
	text    string // a format of fmt.Sprintf; some calls have other words, by Error.saying
	section string // the section of MPI-5.0 with the broken rule; "": that of the call
}

var mistakes = [numMistakes]mistakeInfo{
	MistakeCommNull:       {class: ErrComm, text: "the communicator is MPI_COMM_NULL; only its members may use a communicator: guard the call with a test for MPI_COMM_NULL"},
	MistakeCommPending:    {class: ErrComm, text: "the communicator is not ready: it may be used only after the request of %s has completed; wait for the request first"},
	MistakeCommUnmade:     {class: ErrComm, text: "the communicator is MPI_COMM_NULL: the call that should have made it failed; look at the error code of that call first"},
	MistakeCommFreed:      {class: ErrComm, text: "%s has been freed%s; a freed handle is MPI_COMM_NULL: free a communicator after its last use"},
	MistakeCommPredefined: {class: ErrComm, text: "%s is predefined and cannot be freed; free only communicators that the program made"},
	MistakeCommLimit:      {class: ErrOther, text: "too many communicators: a process has %d context ids, and %s; free communicators with MPI_Comm_free"},
	MistakeIntracomm:      {class: ErrComm, text: "the communicator is an intracommunicator, which has no remote group; MPI_Intercomm_create makes an intercommunicator"},
	MistakeIntercomm:      {class: ErrComm, text: "the communicator is an intercommunicator, and this call is for intracommunicators; MPI_Intercomm_merge makes one"},
	MistakeIntercommStd:   {class: ErrComm, text: "%s is for intracommunicators in MPI-%s (intercommunicators came with MPI-2.0)"},
	MistakePeerCommNull:   {class: ErrComm, text: "peer_comm is MPI_COMM_NULL at the local leader, which must be a member of peer_comm"},

	MistakeNegativeColor:    {class: ErrArg, text: "color must be nonnegative or MPI_UNDEFINED"},
	MistakeNotCInt:          {class: ErrArg, text: "%s of 32 bits"},
	MistakeSplitType:        {class: ErrArg, text: "split_type must be MPI_COMM_TYPE_SHARED, _HW_GUIDED, _RESOURCE_GUIDED, _HW_UNGUIDED or MPI_UNDEFINED"},
	MistakeSplitTypeStd:     {class: ErrArg, text: "this version of the standard does not have the split_type"},
	MistakeSplitTypesDiffer: {class: ErrArg, text: "all processes must pass the same split_type, or MPI_UNDEFINED: %s"},
	MistakeResourcesDiffer:  {class: ErrArg, text: "all processes must give the same info key and value: %s"},
	MistakePsetsDiffer:      {class: ErrArg, text: "all processes of the communicator that are in the process set %q must give the same info key and value: %s"},
	MistakeTwoResources:     {class: ErrArg, text: "only one of the info keys mpi_hw_resource_type and mpi_pset_name may be used in one call: delete one of them"},

	MistakeGroupNull:         {class: ErrGroup, text: "the group is MPI_GROUP_NULL; a group without processes is MPI_GROUP_EMPTY"},
	MistakeGroupRank:         {class: ErrRank, text: "rank %d is not in the group, which has ranks 0-%d"},
	MistakeRankTwice:         {class: ErrRank, text: "rank %d is named twice: the ranks must be distinct"},
	MistakeRangeStride:       {class: ErrArg, text: "the range (%d, %d, 0) has stride 0: a stride must not be zero"},
	MistakeRangeEmpty:        {class: ErrRank, text: "the range (%d, %d, %d) is empty: its stride leads away from its last rank"},
	MistakeNotSubgroup:       {class: ErrGroup, text: "the group must be a subgroup of %s, but world rank %d is not in it%s"},
	MistakeGroupsClash:       {class: ErrGroup, text: "all members of a group must pass that group, the same members in the same order: %s; %s"},
	MistakeGroupsStd:         {class: ErrGroup, text: "MPI-%s wants the same group on all processes (several disjoint groups came with MPI-2.2): %s; %s"},
	MistakeSideGroupsDiffer:  {class: ErrGroup, text: "all processes of the same local group must pass the same group, the same members in the same order: %s; %s"},
	MistakeStringtag:         {class: ErrArg, text: "a stringtag has at most MPI_MAX_STRINGTAG_LEN-1 (%d) characters"},
	MistakeErrhandlersDiffer: {class: ErrArg, text: "all processes of the group must provide the same error handler: %s"},
	MistakeInfosDiffer:       {class: ErrArg, text: "all processes of the group must provide the same info: %s"},

	MistakeLocalLeader:        {class: ErrRank, text: "local_leader must be a rank of the local communicator, 0 to %d"},
	MistakeRemoteLeader:       {class: ErrRank, text: "remote_leader must be a rank of the peer communicator, 0 to %d"},
	MistakeLeadsItself:        {class: ErrRank, text: "remote_leader must be the leader of the other group, not the local leader itself"},
	MistakeLocalLeadersDiffer: {class: ErrArg, text: "all processes of a group must name the same local_leader: %s"},
	MistakeGroupsOverlap:      {class: ErrGroup, text: "the two groups of an intercommunicator must be disjoint%s"},
	MistakeGroupsUnpaired:     {class: ErrGroup, text: "each leader's remote group must be the other one's local group: %s; %s"},
	MistakeHighsDiffer:        {class: ErrArg, text: "all processes of a group must pass the same high: %s"},

	MistakeSessionNull:      {class: ErrSession, text: "the session is MPI_SESSION_NULL; open a session with MPI_Session_init"},
	MistakeSessionFinalized: {class: ErrSession, text: "session %d has been finalized; a finalized handle is MPI_SESSION_NULL: finalize a session after its last use"},
	MistakeGroupFinalized:   {class: ErrSession, text: "the group derives from session %d, which has been finalized; no call may use the group any more, not even to free it: finalize the session last"},
	MistakeCommOutlives:     {class: ErrSession, text: "the communicator derives from session %d, which has been finalized; no call may use the communicator any more, not even to free it: finalize the session last"},
	MistakeRequestOutlives:  {class: ErrSession, text: "the %s belongs to a communicator that derives from session %d, which has been finalized; complete it before MPI_Session_finalize"},
	MistakeSessionsMixed:    {class: ErrSession, text: "objects of different sessions, or of a session and the World Model, must not be mixed in one call [§11.3]: %s derives from %s, %s from %s"},
	MistakeThreadLevel:      {class: ErrInfoValue, text: "thread_level must be MPI_THREAD_SINGLE, _FUNNELED, _SERIALIZED or _MULTIPLE, not %q"},
	MistakePsetNumber:       {class: ErrArg, text: "the process is in %d process sets, counted from 0: there is no set %d"},
	MistakePsetUnknown:      {class: ErrArg, text: "there is no process set %q; MPI_Session_get_nth_pset gives the names"},

	MistakeInfoNull:             {class: ErrInfo, text: "the info object is MPI_INFO_NULL; MPI_Info_create makes an info object"},
	MistakeInfoFreed:            {class: ErrInfo, text: "the info object has been freed; free it after its last use"},
	MistakeInfoKeyLength:        {class: ErrInfoKey, text: "an info key has 1 to %d characters, not %d"},
	MistakeInfoValueLength:      {class: ErrInfoValue, text: "an info value has at most %d characters, not %d"},
	MistakeInfoKeyMissing:       {class: ErrInfoNokey, text: "the info object has no key %q; MPI_Info_get_nthkey gives the keys"},
	MistakeInfoKeyNumber:        {class: ErrArg, text: "the info object has %d keys, counted from 0: there is no key %d"},
	MistakeErrhandlerNull:       {class: ErrErrhandler, text: "the error handler is MPI_ERRHANDLER_NULL; pass an error handler such as MPI_ERRORS_RETURN"},
	MistakeErrhandlerKind:       {class: ErrErrhandler, text: "the error handler is for %s, and cannot be attached to %s"},
	MistakeErrhandlerPredefined: {ErrErrhandler, "%s is predefined and cannot be freed", "2.5.1"},
	MistakeInfoPredefined:       {ErrInfo, "MPI_INFO_ENV is predefined: it cannot be changed or freed; a duplicate can", "2.5.1"},
	MistakeErrorCode:            {class: ErrArg, text: "%d is neither an error code or class of MPI nor one that this process added"},
	MistakeErrorCodeOwn:         {class: ErrArg, text: "%s is not an error %s that this process has added"},
	MistakeErrorClassUsed:       {class: ErrArg, text: "error class %d still has error code %d: remove the code first"},
	MistakeErrorText:            {class: ErrArg, text: "the text of an error has at most MPI_MAX_ERROR_STRING-1 (%d) characters, not %d"},

	MistakeKeyvalNull:              {class: ErrKeyval, text: "the keyval is MPI_KEYVAL_INVALID, or no call created it; MPI_Comm_create_keyval creates a keyval"},
	MistakeKeyvalFreed:             {class: ErrKeyval, text: "keyval %d has been freed; a freed keyval is MPI_KEYVAL_INVALID: free a keyval after its last use"},
	MistakeKeyvalForeign:           {class: ErrKeyval, text: "the keyval belongs to rank %d: only the process that created a keyval may use it"},
	MistakeKeyvalPredefined:        {ErrKeyval, "%s is predefined: its value cannot be changed or deleted, nor its keyval freed", "9.1.2"},
	MistakeCallbackFailed:          {ErrOther, "the %s function of keyval %d failed", "7.7.2"},
	MistakeCallbackFailedElsewhere: {ErrOther, "the %s function of an attribute failed on %s: %s", "7.7.2"},

	MistakePeer:              {class: ErrRank, text: "the peer must be a rank of the communicator, 0 to %d, or MPI_PROC_NULL"},
	MistakeAssertedSource:    {class: ErrRank, text: "the program set the info key mpi_assert_no_any_source on the communicator, so it must not pass MPI_ANY_SOURCE"},
	MistakeAssertedTag:       {class: ErrTag, text: "the program set the info key mpi_assert_no_any_tag on the communicator, so it must not pass MPI_ANY_TAG"},
	MistakeTag:               {class: ErrTag, text: "a tag must be from 0 to MPI_TAG_UB (%d)%s"},
	MistakeRoot:              {class: ErrRoot, text: "the root must be a rank of the communicator, 0 to %d"},
	MistakeRootsDiffer:       {class: ErrRoot, text: "all processes must name the same root: %s"},
	MistakeOpsDiffer:         {class: ErrOp, text: "all processes must name the same operation: %s"},
	MistakeOpFailed:          {class: ErrOp, text: "%s cannot combine the values of ranks 0-%d and %d: %v"},
	MistakeValueCount:        {class: ErrArg, text: "one value per process is needed: the %s has %d, but %s"},
	MistakeBufferSize:        {class: ErrArg, text: "the size of a buffer must not be negative"},
	MistakeBufferAttached:    {class: ErrBuffer, text: "a buffer of %d bytes is already attached; a communicator or process has at most one buffer: detach it first"},
	MistakeBufferMissing:     {ErrBuffer, "no buffer is attached to %s; attach one with MPI_Buffer_attach", "3.6"},
	MistakeBufferFull:        {ErrBuffer, "the attached buffer has %d bytes, %d of them taken by messages not yet received; this message needs %d, including MPI_BSEND_OVERHEAD (%d): attach a larger buffer", "3.6"},
	MistakeNotReady:          {ErrOther, "a ready send may start only after the matching receive is posted, and %s had not posted it; use MPI_Send, or let the receiver tell the sender that it is ready", "3.4"},
	MistakeOpNull:            {class: ErrOp, text: "the operation is MPI_OP_NULL; pass an operation such as MPI_SUM"},
	MistakeOpPredefined:      {ErrOp, "%s is predefined and cannot be freed", "2.5.1"},
	MistakeRequestNull:       {class: ErrRequest, text: "the request is MPI_REQUEST_NULL: it has completed, or no call has made it"},
	MistakeRequestCollective: {ErrRequest, "the request belongs to a nonblocking collective call (%s), which cannot be %s: wait for it", "6.12"},
	MistakeRequestOnce:       {class: ErrRequest, text: "only a persistent request can be started, and this request belongs to %s"},
	MistakeRequestActive:     {class: ErrRequest, text: "the request of %s is active: complete it before you start it again"},
	MistakeRequestInactive:   {class: ErrRequest, text: "the request of %s is inactive: there is nothing to cancel"},
	MistakeMessageNull:       {class: ErrRequest, text: "the message is MPI_MESSAGE_NULL: MPI_Mprobe returns a message, which can be received once"},
	MistakeDatatypeNull:      {ErrType, "the datatype is MPI_DATATYPE_NULL; pass a datatype such as MPI_INT", "3.2.2"},
	MistakeBufferChanged:     {ErrBuffer, "the program changed a buffer of %s%s while that was not complete: until this call the buffer belongs to MPI", "3.7.2"},
	MistakeBuffersOverlap:    {ErrBuffer, "the send buffer and the receive buffer overlap: pass two buffers%s", "2.3"},

	MistakeTopologyType:      {class: ErrTopology, text: "the call needs a communicator with %s, but this one has %s"},
	MistakeTopologyRank:      {class: ErrRank, text: "the rank must be a rank of the communicator, 0 to %d"},
	MistakeTopologiesDiffer:  {class: ErrArg, text: "all processes must pass the same %s: %s"},
	MistakeWeightsDiffer:     {class: ErrArg, text: "either all processes pass weights or all pass MPI_UNWEIGHTED (without edges: MPI_WEIGHTS_EMPTY): %s"},
	MistakeEntryPerDimension: {class: ErrArg, text: "%s needs one entry per dimension"},
	MistakeCoordCount:        {class: ErrArg, text: "one coordinate per dimension is needed, %d in all"},
	MistakeCoordRange:        {class: ErrArg, text: "dimension %d is not periodic, so its coordinate must be 0 to %d"},
	MistakeDirection:         {class: ErrDims, text: "the direction must be a dimension of the grid, 0 to %d"},
	MistakeDimsNotPositive:   {class: ErrDims, text: "dims must be positive, but dims[%d] is %d; MPI_Dims_create chooses a size for each 0"},
	MistakeDimsNegative:      {class: ErrDims, text: "dims must not be negative (0 asks for a size), but dims[%d] is %d"},
	MistakeDimsProduct:       {class: ErrDims, text: "the sizes given in dims %s must divide nnodes, %d"},
	MistakeNodeCount:         {class: ErrDims, text: "nnodes must be a positive C int, not %d"},
	MistakeGridTooLarge:      {class: ErrArg, text: "the grid must not be larger than the group: dims %s need more than its %d processes"},
	MistakeGraphTooLarge:     {class: ErrArg, text: "the graph must not be larger than the group: it has %d nodes, the group %d processes"},
	MistakeGraphIndex:        {class: ErrArg, text: "index counts the neighbors of all nodes so far and must not decrease: index[%d] is %d after %d"},
	MistakeGraphNeighbor:     {class: ErrArg, text: "a neighbor must be a node of the graph, 0 to %d: edges[%d] is %d"},
	MistakeDegrees:           {class: ErrArg, text: "degrees needs one entry per source"},
	MistakeEdgeRank:          {class: ErrRank, text: "%s must be ranks of the communicator, 0 to %d"},
	MistakeWeights:           {class: ErrArg, text: "%s needs one entry per edge"},
	MistakeEdgeOneSided:      {class: ErrArg, text: "both ends of an edge must describe it, equally often and with the same weight: in this communicator %s"},
	MistakeNoTopology:        {class: ErrTopology, text: "the call needs a communicator with a virtual topology, and this one has none; MPI_Cart_create and MPI_Graph_create make one"},
	MistakeNeighborCount:     {class: ErrArg, text: "each process passes one value for each destination: %s has %d destinations and passes %d values"},
	MistakeNeighborOneSided:  {class: ErrTopology, text: "rank %d has rank %d as a neighbor %s, and rank %d has rank %d %s: two neighbors must have each other equally often"},

	MistakeCommStale:    {class: ErrComm, text: "the handle is a copy: the communicator was freed through another handle%s, so this copy is invalid; MPI could not set it to MPI_COMM_NULL"},
	MistakeGroupStale:   {class: ErrGroup, text: "the handle is a copy: the group was freed through another handle%s, so this copy is invalid; MPI could not set it to MPI_GROUP_NULL"},
	MistakeRequestStale: {class: ErrRequest, text: "the handle is a copy: the request was completed or freed through another handle%s, so this copy is invalid; MPI could not set it to MPI_REQUEST_NULL"},
}

// Class returns the error class of the mistake. An error has another class in versions of the standard that lack this
// one.
func (m Mistake) Class() Class { return mistakes[m].class }

var verbs = regexp.MustCompile(`%[a-z]`)

// Error returns the class and the rule, with dots for what differs from call to call.
func (m Mistake) Error() string {
	if m == NoMistake {
		return "no mistake that the engine found"
	}
	return m.Class().Error() + ": " + verbs.ReplaceAllString(mistakes[m].text, "...")
}

// In makes the error of a call with this mistake, without raising it: see [Process.Raise]. args replace the dots of
// [Mistake.Error].
func (m Mistake) In(call Call, args ...any) *Error {
	t := &mistakes[m]
	e := &Error{Class: t.class, Mistake: m, Args: args, Call: call, Comm: -1, Text: t.text, Rule: call.Rule()}
	if len(args) > 0 {
		e.Text = fmt.Sprintf(t.text, args...)
	}
	if t.section != "" {
		e.Rule = "MPI-5.0 §" + t.section
	}
	return e
}

// saying replaces the text by the words of the call.
func (e *Error) saying(format string, args ...any) *Error {
	e.Text = fmt.Sprintf(format, args...)
	return e
}

// passing adds what the process passed to the error.
func (e *Error) passing(format string, args ...any) *Error {
	e.Got = fmt.Sprintf(format, args...)
	return e
}

// passingInt adds the integer that the process passed as an argument.
func (e *Error) passingInt(name string, value int) *Error {
	e.Passed = Argument{name, value}
	return e.passing("%s %d", name, value)
}

// under takes the rule from the section of another call.
func (e *Error) under(c Call) *Error {
	e.Rule = c.Rule()
	return e
}

// before22 cites an older version of the standard for a rule of its constructors that newer ones do not have.
func (e *Error) before22(s Std) *Error {
	if e.Rule = "MPI-1.1 §5.4.2"; s >= 21 {
		e.Rule = "MPI-2.1 §6.4.2"
	}
	return e
}

// on sets the communicator of the call.
func (e *Error) on(k *core) *Error {
	e.Comm = k.id()
	return e
}
