// Package engine runs MPI communicator calls on N ranks inside one process. Each rank is a goroutine, which blocks in a
// call until the call returns in MPI, too. The engine implements the text of the MPI standard: groups, communicator
// constructors, intercommunicators, hardware splits, virtual topologies, attributes, sessions, info, error handlers,
// and enough communication to check results. It is not a fast message-passing library, moves no bytes between machines,
// and knows nothing of terminals.
//
// The model is a sequence of supersteps. Ranks run freely until every rank waits in a call or has nothing left to do.
// Only then do the contributions meet: messages are delivered, collective calls that all their processes have made are
// carried out, and the ranks that got their reply run on. Every arrow is a channel, and everything between two arrows is
// a goroutine:
//
//	rank 0  ◀─┐ Process.wake: go on             ┌─────────────────────────────────────────┐
//	  ...     ├───── shard 0 ◀── shard.going ───┤ conductor                               │
//	rank 63 ──┘▶     64 ranks ──── World.root ─▶│  1 delivers messages                    │◀── World.orders ── whoever
//	  shard.in: contributed                     │  2 meets the contributions by rank      │                    uses the
//	rank 64 ◀─┐                                 │  3 carries out the calls that are       │                    World
//	  ...     ├───── shard 1 ◀── shard.going ───┤    complete: results, ids, trace        │──▶ World.quiet ──▶
//	rank 127 ─┘▶     64 ranks ──── World.root ─▶│  4 releases the ranks of those          │
//	                                            └─────────────────────────────────────────┘
//
// A contribution is a post: the call, the communicator and the arguments, which the rank writes into its own [Process]
// before it tells its shard. A shard tells the conductor once all of its ranks that went on have contributed. Only the
// conductor decides anything, while every rank waits, so nothing needs a lock: a goroutine owns what it received until
// it sends that on. The conductor computes each operation once, for all its ranks, as a simulator would: no data goes
// from rank to rank, and the results are columns that all ranks of the call read.
//
// Since ranks are plain goroutines, they may wait for each other by other means, too, such as channels of the program.
//
// Nothing depends on the order in which ranks arrived, so every run of a program gives the same communicators, numbers,
// trace and messages. When a superstep lets no rank go on, none ever will: so the engine finds deadlocks exactly and
// without a clock. The price is that all communicators progress in lock-step: while one rank computes, no call of any
// other rank returns, not even on a communicator without the computing rank.
//
// The arguments and results of a call are columns over the ranks of the communicator. In an intercommunicator they
// are columns over slots: its two groups are the left and the right one, and the ranks of the right group follow
// those of the left. For a process, one of them is the local group.
//
// Most collective calls meet on their communicator. Calls over a group (MPI_Comm_create_group, and constructors without
// a communicator) meet at a rendezvous: the same call with the same group and tag. An intercommunicator in the making
// has two halves: each half is complete when its own group has called, and waits for the half that its leader names.
// Nonblocking calls wait in the line of their communicator: the n-th call of every process belongs to the n-th
// operation, also when some processes are far ahead of others. Opening a session is local; groups, and communicators made
// of them, remember the session from which they derive: no call may mix sessions, and nothing may be used after its own.
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
// A nil *Comm is MPI_COMM_NULL. The methods that move data, such as [Comm.Bcast], take any Go value and copy none: a
// language on top of the engine has values of its own, and copies them as it sees fit.
//
// Errors are [*Error]; errors.Is finds the class (ErrType) and the [Mistake] in it. Section numbers are those of
// MPI-5.0.
package engine
