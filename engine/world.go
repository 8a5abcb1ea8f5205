package engine

import (
	"cmp"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"codeberg.org/commsplit/commsplit/hw"
)

// MaxSize is the largest world, in ranks.
const MaxSize = 1 << 24

// Config describes a world. The zero value of every field except Size is a usable default.
type Config struct {
	Size     int           // how many ranks, 1 to MaxSize; 0: as many as bindings
	Topology *hw.Topology  // nil: one machine with a PU per rank
	Bindings []*hw.Binding // a binding for each rank; nil: rank i on PU i
	Std      Std           // version of the standard; 0: StdLatest
	Contexts int           // how many context ids a process has, with that of MPI_COMM_WORLD; 0: MaxContexts
	Psets    []Pset        // process sets besides mpi://WORLD and mpi://SELF
	Trace    bool          // keep a trace, for Snapshot

	// Synchronous makes standard sends wait until their message is being received, as in a library without buffers for
	// them (§3.4). A program that then deadlocks relies on buffering: it is unsafe (§3.5).
	Synchronous bool

	// Orders, if not nil, makes receives and probes from MPI_ANY_SOURCE wait until no rank can go on, so that all
	// possible messages are there, and chooses among their senders: the i-th receive that has a choice takes message
	// Orders[i] of its [Choice], or the first sender's where Orders is too short.
	Orders []int

	// Output gets the lines that ranks print, merged over ranks, while the world runs: at the end of each superstep,
	// and earlier from Stream and Ahead. Calls are in order and never concurrent; ranks that print wait until a call
	// returns. Nil: lines are only kept (when Trace is set).
	Output func([]Line)

	// News is called after every superstep that did something, with what the superstep added to the trace, while all
	// ranks wait. Calls are in order and never concurrent. It is never called without Trace.
	News func(*News)

	// Crashed, if not nil, gets the value of a panic in a rank's task, or in the work at the end of a superstep, on the
	// goroutine that panics. The rank or the world then fails with the error that Crashed returns. If Crashed is nil, a
	// panic ends the process.
	Crashed func(value any) error
}

// World is N ranks placed on a topology, and what they have done so far. Its methods are for one controlling goroutine;
// programs act on the world through the [Process] of their rank.
type World struct {
	size     int
	topology *hw.Topology
	bindings []*hw.Binding // where each rank runs now; only the rank itself changes its own
	started  []*hw.Binding // where each rank ran at the beginning
	std      Std
	trace    bool

	synchronous bool  // see Config.Synchronous
	taking      []int // see Config.Orders
	choices     []Choice
	output      func([]Line)
	news        func(*News)
	crashed     func(any) error
	placing     sync.Once

	procs  []Process
	shards []shard
	world  *core // MPI_COMM_WORLD
	psets  []pset
	tasks  []task

	orders chan func()   // to the conductor: what the user of the world wants; nil before the first order
	root   chan *shard   // to the conductor: shards whose ranks have all contributed
	quiet  chan struct{} // from the conductor: no rank can go on

	printing printing // what ranks print in this superstep

	withheld atomic.Pointer[error] // the error of tasks that begin now; nil: they may begin

	dead   bool  // ranks that wake leave at once
	broken error // the work at the end of a superstep has panicked: no rank ever goes on
	locate bool  // ranks that wake note where they wait, and wait on

	// The fields from here on are the conductor's: only touched while every rank waits.
	waking    []*shard // with ranks that go on in the next superstep
	arrived   []*shard // with ranks that have contributed to this superstep
	ready     []*operation
	halves    map[int32]*half // that wait for the other group's half, by leader
	partial   map[signature][]*rendezvous
	latest    *rendezvous // the rendezvous that a process came to last
	nextID    int
	contexts  contexts
	steps     []Step
	comms     []*CommInfo
	moves     []Move
	lines     []Line // the latest lines of output
	linesSize int    // bytes of lines
	forgot    int    // how many lines before these the trace had
	spoken    int    // lines of output at the end of the latest superstep
	raised    []Raised
	turns     int      // supersteps so far
	steady    int      // steps before the present superstep
	told      progress // what News has told so far
	failed    []*Error
	program   []error // errors that are not MPI errors, of the ranks in failedBy
	failedBy  []int32
	localAt   map[callOn]int // steps of local calls in this superstep
	talked    []*Process     // ranks with messages or output in this superstep
	sorter    sorter

	lingering     []*core      // freed communicators with communication under way
	disconnecting []*operation // MPI_Comm_disconnect that waits for communication
}

type task struct {
	ranks Ranks
	run   func(*Process) error
}

// New makes a world whose ranks wait for their first task. It returns an error when the configuration contradicts
// itself.
func New(cfg Config) (*World, error) {
	if cfg.Size == 0 {
		cfg.Size = len(cfg.Bindings)
	}
	if cfg.Size < 1 || cfg.Size > MaxSize {
		return nil, fmt.Errorf("a world has 1 to %d ranks, not %d", MaxSize, cfg.Size)
	}
	if cfg.Bindings != nil && len(cfg.Bindings) != cfg.Size {
		return nil, fmt.Errorf("%d bindings for %d ranks", len(cfg.Bindings), cfg.Size)
	}
	if cfg.Contexts == 0 {
		cfg.Contexts = MaxContexts
	}
	if cfg.Contexts < 1 || cfg.Contexts > MaxContexts {
		return nil, fmt.Errorf("a process has 1 to %d context ids, not %d", MaxContexts, cfg.Contexts)
	}
	if cfg.Std == 0 {
		cfg.Std = StdLatest
	}
	w := &World{
		size: cfg.Size, topology: cfg.Topology, std: cfg.Std,
		bindings: slices.Clone(cfg.Bindings), started: cfg.Bindings,
		trace: cfg.Trace, synchronous: cfg.Synchronous, taking: cfg.Orders, output: cfg.Output, news: cfg.News, crashed: cfg.Crashed,
		quiet: make(chan struct{}, 1), nextID: firstID, localAt: map[callOn]int{}, partial: map[signature][]*rendezvous{},
		halves: map[int32]*half{},
	}
	w.printing.bound = usualBound
	w.contexts = contexts{w.size, cfg.Contexts, [][]uint64{slices.Repeat([]uint64{1}, w.size)}} // MPI_COMM_WORLD has id 0
	w.makeRanks()
	if err := w.makePsets(cfg.Psets); err != nil {
		return nil, err
	}
	return w, nil
}

// firstID is the id of the first communicator that a program makes.
const firstID = 2

// makeRanks makes MPI_COMM_WORLD with its processes, and their shards.
func (w *World) makeRanks() {
	members := make([]int32, w.size)
	w.world = &core{info: &CommInfo{ID: 0, Parent: -1, Group: members}, group: &Group{members: members}, all: members}
	w.world.surroundings = inWorldModel
	if w.trace {
		w.comms = append(w.comms, w.world.info)
	}
	w.procs = make([]Process, w.size)
	for i := range w.procs {
		members[i] = int32(i)
		p := &w.procs[i]
		p.w, p.rank = w, int32(i)
		p.world = Comm{core: w.world, p: p, rank: int32(i)}
	}
	w.shards = make([]shard, (w.size+shardSize-1)/shardSize)
	for i := range w.shards {
		w.shards[i].base = int32(i * shardSize)
	}
}

// order gives the conductor an order. The first order starts the goroutines of the conductor and of the shards.
func (w *World) order(do func()) {
	if w.orders == nil {
		w.orders, w.root = make(chan func()), make(chan *shard, len(w.shards))
		go w.conduct()
		for i := range w.shards {
			s := &w.shards[i]
			s.going, s.in = make(chan uint64, 1), make(chan *Process, shardSize)
			go s.run(w)
		}
	}
	w.orders <- do
}

// Size returns the number of ranks.
func (w *World) Size() int { return w.size }

// Topology returns the hardware that the ranks are placed on, or nil.
func (w *World) Topology() *hw.Topology { return w.topology }

// Std returns the version of the standard that the world follows.
func (w *World) Std() Std { return w.std }

// Submit gives ranks a task, after the tasks that they were given before. A rank that still waits in a call begins the
// task after that call has returned. The world must be quiet: new, or [World.Wait] has returned.
func (w *World) Submit(ranks Ranks, run func(*Process) error) {
	w.order(func() {
		w.tasks = append(w.tasks, task{ranks, run})
		for r := range ranks.All {
			if p := &w.procs[r]; p.state == idle {
				w.release(p.rank)
			}
		}
	})
}

// Withhold keeps ranks from beginning tasks: a task that a rank comes to ends with err at once, until Withhold is
// called with nil. Tasks that ranks have begun go on. Any goroutine may call it, at any time.
func (w *World) Withhold(err error) {
	if err == nil {
		w.withheld.Store(nil)
		return
	}
	w.withheld.Store(&err)
}

// Wait blocks until no rank can go on: each has finished its tasks or waits in a call that cannot return now. Each
// Submit must be followed by a Wait.
func (w *World) Wait() Status {
	<-w.quiet
	if w.broken != nil {
		return Status{Failure: &Failure{Program: []error{w.broken}, By: []int32{0}}}
	}
	if len(w.partial) > 0 && len(w.failed)+len(w.program) == 0 {
		if e := w.clashingGroups(); e != nil {
			w.failed = append(w.failed, e)
		}
	}
	st := Status{Waiting: w.waits()}
	if len(w.failed)+len(w.program) > 0 {
		st.Failure = &Failure{MergeErrors(w.failed), w.program, w.failedBy, st.Waiting}
	}
	return st
}

// Computing returns how many ranks compute now: they have neither come to a call that waits nor to the end of their
// tasks. Any goroutine may call it, at any time; the number may have changed when Computing returns.
func (w *World) Computing() int {
	n := 0
	for i := range w.shards {
		n += int(w.shards[i].computing.Load())
	}
	return n
}

// Close ends the ranks, wherever they wait, and returns when they have left. The world must be quiet. Snapshots taken
// before stay valid. Closing a closed world does nothing.
func (w *World) Close() {
	if w.dead {
		return
	}
	w.dead = true
	if w.orders == nil {
		return
	}
	w.order(func() {
		for i := range w.procs {
			if p := &w.procs[i]; p.wake != nil && p.state != gone {
				w.release(p.rank)
			}
		}
	})
	<-w.quiet
	close(w.orders)
	for i := range w.shards {
		close(w.shards[i].going)
	}
}

// Run gives every rank of w the task run, waits for the end and closes the world. It returns nil when all ranks
// returned nil; otherwise a *Failure with the errors that ended the program, or a *Deadlock.
func Run(w *World, run func(*Process) error) error {
	defer w.Close()
	w.Submit(AllRanks(w.size), run)
	st := w.Wait()
	if st.Failure != nil {
		return st.Failure
	}
	if len(st.Waiting) > 0 {
		w.locateCalls()
		return w.Deadlock(nil)
	}
	return nil
}

// Process returns the process of a rank, for a controller that prepares its Local state while the world is quiet.
func (w *World) Process(rank int) *Process { return &w.procs[rank] }

// Idle reports whether a rank has nothing to do: it waits in no call. The world must be quiet.
func (w *World) Idle(rank int) bool { return w.procs[rank].state == idle }

// shardSize is how many ranks hand their contributions over together: one bit each in a word.
const shardSize = 64

// shard gathers the contributions of 64 neighboring ranks. The conductor tells its goroutine which of them go on; the
// goroutine wakes them, waits until each has contributed, and sends the shard over the root. Between these two moments
// the shard's fields belong to its goroutine, at all other times to the conductor.
type shard struct {
	base    int32         // world rank of bit 0
	going   chan uint64   // from the conductor: the ranks that go on
	in      chan *Process // from the ranks: who has contributed
	went    uint64        // ranks that went on in this superstep, and have contributed
	talked  uint64        // ranks of went with messages or output
	calling uint64        // ranks whose latest contribution is a call
	waking  uint64        // ranks that the conductor lets go on next

	computing atomic.Int32 // ranks that have yet to contribute; [World.Computing] asks
}

// post is one contribution: a call, its communicator, and its arguments. Two integers have fields of their own because
// most calls have no more; x holds any others.
type post struct {
	comm *Comm
	x    any
	a, b int32
	call Call

	behind bool // the process has nonblocking calls on the communicator that have not ended
}

// run is the goroutine of the shard: it lets ranks go on and gathers their contributions.
func (s *shard) run(w *World) {
	for going := range s.going {
		s.went, s.talked = going, 0
		s.calling &^= going
		left := s.wake(w, going)
		for s.computing.Store(left); left > 0; s.computing.Store(left) {
			p := <-s.in
			bit := uint64(1) << (p.rank - s.base)
			if p.mail != nil {
				s.talked |= bit
			}
			if p.current.call != CallNone {
				s.calling |= bit
			}
			left--
		}
		w.root <- s
	}
}

// wake lets ranks go on, and returns how many will contribute. A rank's first task starts its goroutine; a rank whose
// first task is withheld needs none, and ends at once.
func (s *shard) wake(w *World, going uint64) (running int32) {
	withheld := w.withheld.Load()
	for ; going != 0; going &= going - 1 {
		switch p := &w.procs[int(s.base)+bits.TrailingZeros64(going)]; {
		case p.wake != nil:
			p.wake <- struct{}{}
			running++
		case withheld != nil:
			p.current, p.next = post{x: *withheld}, int32(len(w.tasks))
		default:
			p.wake = make(chan struct{}, 1)
			go p.live()
			running++
		}
	}
	return running
}

// release lets a rank go on when the conductor resumes. It does not touch the process: for a large
// world that would be a cache miss a rank.
func (w *World) release(rank int32) {
	s := &w.shards[rank/shardSize]
	if s.waking == 0 {
		w.waking = append(w.waking, s)
	}
	s.waking |= 1 << (rank % shardSize)
}

// conduct is the goroutine of the conductor: it carries out orders. From an order until the world is quiet again,
// nothing else touches what the world decides.
func (w *World) conduct() {
	for order := range w.orders {
		w.obey(order)
		w.quiet <- struct{}{}
	}
}

// obey carries out an order, and lets ranks go on until none can. A panic fails the world.
func (w *World) obey(order func()) {
	defer func() {
		if v := recover(); v != nil {
			if w.crashed == nil {
				panic(v)
			}
			w.broken = w.crashed(v)
		}
	}()
	order()
	for w.resume() {
		if w.dead || w.locate {
			continue // the ranks have left, or have told where they wait
		}
		if w.superstep(); len(w.failed)+len(w.program) > 0 {
			break
		}
	}
}

// shardsAtOnce is how many shards the conductor lets go on before it lets all other goroutines run. Otherwise a
// person's Ctrl-C would wait behind the ranks of a large world, which all want a processor by then.
const shardsAtOnce = 64

// resume lets the ranks that were released go on, and waits for their shards, which it puts into rank order. While there
// are none, it lets a receive with a choice of messages take one. It returns false when no rank goes on then either.
func (w *World) resume() bool {
	for len(w.waking) == 0 {
		if w.taking == nil || !w.choose() {
			return false
		}
	}
	for _, s := range w.waking { // before the first rank goes on: what it prints waits for all that compute
		s.computing.Store(int32(bits.OnesCount64(s.waking)))
	}
	for i, s := range w.waking {
		if i%shardsAtOnce == shardsAtOnce-1 {
			runtime.Gosched()
		}
		s.going <- s.waking
		s.waking = 0
	}
	w.arrived = w.arrived[:0]
	for range w.waking {
		w.arrived = append(w.arrived, <-w.root)
	}
	slices.SortFunc(w.arrived, func(a, b *shard) int { return cmp.Compare(a.base, b.base) })
	w.waking = w.waking[:0]
	return true
}

// superstep meets the contributions of all ranks, carries out the calls that are complete, and releases their ranks.
func (w *World) superstep() {
	w.turns++
	w.steady = len(w.steps)
	for _, s := range w.arrived {
		for talked := s.talked; talked != 0; talked &= talked - 1 {
			w.talked = append(w.talked, &w.procs[int(s.base)+bits.TrailingZeros64(talked)])
		}
	}
	if len(w.talked) > 0 {
		w.deliver()
	}
	for _, s := range w.arrived {
		for went := s.went; went != 0; went &= went - 1 {
			w.meet(&w.procs[int(s.base)+bits.TrailingZeros64(went)])
		}
	}
	if len(w.talked) > 0 {
		w.endOutput()
		w.takeRaised()
		w.takeMarks()
		w.endTalks()
		w.talked = w.talked[:0]
		clear(w.localAt)
	}
	w.carryOut()
	if w.taking != nil && w.polling() {
		w.choose()
	}
	if w.news != nil {
		w.tellNews()
	}
}

// meet takes up the contribution of one rank.
func (w *World) meet(p *Process) {
	switch c := p.current.call; {
	case c == CallNone:
		w.meetEnd(p)
	case callTable[c].overCommunicator:
		w.meetCollective(p)
	case callTable[c].overGroups:
		w.meetGroups(p)
	default:
		w.meetMessage(p)
	}
}

// meetEnd notes that a rank has finished a task, well or not. A failed rank never goes on: its failure ends the program
// at the end of the superstep.
func (w *World) meetEnd(p *Process) {
	err := p.current.x
	if d, ok := err.(departure); ok {
		p.state = gone
		err = d.error
	}
	switch err := err.(type) {
	case nil:
		p.state = idle
		if int(p.next) < len(w.tasks) {
			w.release(p.rank)
		}
	case *Error:
		w.failed = append(w.failed, p.claim(err))
	case error:
		w.program = append(w.program, err)
		w.failedBy = append(w.failedBy, p.rank)
	}
}

// carryOut carries out the calls that all their processes have made, those of the lowest ranks
// first. Communicators made by one superstep get their numbers in this order. A call that has to wait for more than its
// own processes is not finished here.
func (w *World) carryOut() {
	slices.SortFunc(w.ready, func(a, b *operation) int {
		return cmp.Or(cmp.Compare(a.core.low, b.core.low), cmp.Compare(a.core.info.ID, b.core.info.ID), cmp.Compare(a.number, b.number))
	})
	for _, op := range w.ready {
		switch {
		case op.call == CallIntercommCreate:
			op.finishIntercommCreate(w)
		case op.call == CallIntercommCreateFromGroups:
			op.finishIntercommFromGroups(w)
		case op.call == CallDisconnect && op.core.active():
			w.disconnecting = append(w.disconnecting, op)
		default:
			op.finish(w)
		}
	}
	w.ready = w.ready[:0]
	if len(w.lingering)+len(w.disconnecting) > 0 {
		w.finishLingering()
	}
}
