// Package engine runs MPI communicator calls on N ranks inside one process: one goroutine a rank,
// which makes a call by sending its contribution over a channel and blocking until the reply wakes
// it. It implements the text of the MPI standard (groups, communicator constructors,
// intercommunicators, hardware splits, virtual topologies, attributes, sessions, info, error handlers,
// and enough communication to check results); it is not a fast message-passing library, moves no bytes
// between machines, and knows nothing of terminals.
//
// The model is a sequence of supersteps. Ranks run freely until every one of them waits in a call
// or has nothing left to do; then, and only then, the contributions meet: messages are delivered,
// collective calls that all their processes have made are carried out, and the ranks that got
// their reply run on. Nothing depends on the order in which ranks arrived, so the same program gives
// the same communicators, numbers, trace and messages on every run. When a superstep lets nobody go
// on, nobody ever will: that is how a deadlock is found, exactly and without a clock.
//
// What the processes of a call pass and get stands in columns over their ranks in the communicator.
// In an intercommunicator it stands in slots: its two groups are the left and the right one, and the
// ranks of the right group follow those of the left. To a process one of them is the local group.
//
// Most collective calls meet on their communicator. Those over a group (MPI_Comm_create_group and
// those that make communicators from groups alone) meet at a rendezvous: the same call with the same
// group and tag. An intercommunicator in the making has two halves: each is complete when its own
// group has called, and waits for the half that its leader names. A nonblocking call takes its place
// in the line of its communicator: the n-th call of every process belongs to the n-th operation, so
// who goes on stays in step with who has yet to come. Opening a session is local; groups, and what is
// made of them, remember the session that they derive from, for sessions must not be mixed.
//
// A rank sees MPI through [Process] and [Comm]:
//
//	world, err := engine.New(engine.Config{Size: 4})
//	...
//	err = engine.Run(world, func(p *engine.Process) error {
//		row, err := p.World().Split(p.Rank()/2, 0)
//		...
//	})
//
// A nil *Comm is MPI_COMM_NULL. Section numbers are those of MPI-5.0.
package engine
