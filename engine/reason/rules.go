package reason

// The rules in the house's words. Where they stand in the standard is the section of the call.
const (
	undefinedRule = "A process that passes MPI_UNDEFINED gets MPI_COMM_NULL."

	splitRule = "Processes with the same color form a communicator, ranked by key; " +
		"equal keys by the rank in the old group."
	splitInterRule = "Processes of both groups with the same color form an intercommunicator; " +
		"each side is ranked by key, equal keys by the rank in the old group."
	oneSideRule = "A color that only one group passes makes no intercommunicator: " +
		"its processes get MPI_COMM_NULL."

	guidedRule = "A communicator holds the processes that use one instance of the resource and no other " +
		"of its type; the others get MPI_COMM_NULL."
	noKeyRule    = "Without an info key that names the resource a process gets MPI_COMM_NULL."
	unknownRule  = "A value that is not recognized gives MPI_COMM_NULL on every process."
	sharedRule   = "Processes that can share memory form a communicator: here, those of one host."
	unguidedRule = "A communicator is a strict subset of the group: all the processes that use one instance " +
		"of a resource type and no other of it. Here, of the coarsest type that has such an instance."
	psetRule = "The processes of a process set form a communicator. The set must be valid in the session that " +
		"the communicator split derives from; if it derives from none, all get MPI_COMM_NULL."

	dupRule   = "The duplicate has the same group or groups in the same order, and a context of its own."
	groupRule = "The members of a group form a communicator in the order of the group; " +
		"a process that is not in the group it passes gets MPI_COMM_NULL."
	localRule = "Only the members of the group meet; for the others the call is local and gives MPI_COMM_NULL."
	gridRule  = "Processes for which the topology has no place get MPI_COMM_NULL."

	mergeRule = "The group that passes high=false comes first; when both pass the same, the order is left open: " +
		"here the group with the lowest world rank comes first. Each group keeps its order."
	bridgeRule = "The local groups of the two leaders become the groups of the intercommunicator, " +
		"each in its own order."

	freeRule       = "MPI_Comm_free sets the handle to MPI_COMM_NULL."
	disconnectRule = "MPI_Comm_disconnect sets the handle to MPI_COMM_NULL."
	predefinedRule = "MPI_COMM_WORLD and MPI_COMM_SELF are predefined."
	membersRule    = "Only the processes of a communicator may use it."
)
