package engine

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// Process is one MPI process: a goroutine with a world rank. Its methods, and those of its
// communicators, may only be called by that goroutine.
type Process struct {
	// What every call touches comes first: it fits two cache lines, and the rest a third one.
	w       *World
	wake    chan struct{} // from its shard: the rank goes on; nil before its goroutine begins
	mail    *traffic      // messages and lines; nil until the first one
	rank    int32
	behind  int32 // step of the trace that it has come to
	next    int32 // index of the first task not yet looked at
	state   state
	current post // what it waits with, or waited with last
	world   Comm

	site  Site
	reply *operation // the latest that has ended of those that are not collective over a communicator

	origin *Origin // of the latest MPI_COMM_NULL

	// Local is for the layer above: a language keeps its rank's variables here.
	Local any
}

// state is what a rank is doing. Others may only look at it while all ranks wait.
type state uint8

const (
	idle    state = iota // no task left
	running              // between calls
	blocked              // in a call
	gone                 // its goroutine has ended
)

// Site is a place in a program.
type Site struct {
	File string
	Line int32
}

// String is "demo.py:7", or "" for the zero Site.
func (s Site) String() string {
	if s.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// Rank is the rank in MPI_COMM_WORLD.
func (p *Process) Rank() int { return int(p.rank) }

// Size is the size of MPI_COMM_WORLD.
func (p *Process) Size() int { return p.w.size }

// World returns this process' handle of MPI_COMM_WORLD.
func (p *Process) World() *Comm { return &p.world }

// Self returns this process' handle of MPI_COMM_SELF.
func (p *Process) Self() *Comm {
	t := p.traffic()
	if t.self == nil {
		members := []int32{p.rank}
		info := &CommInfo{ID: SelfID, Context: selfContext, Parent: -1, Group: members}
		t.self = &Comm{core: &core{info: info, group: &Group{members: members}, all: members, low: p.rank}, p: p}
	}
	return t.self
}

// SelfID is the id of every process' MPI_COMM_SELF. Each has its own, which Snapshot.Comms does not hold.
const SelfID = 1

// Std is the version of the standard that the world follows.
func (p *Process) Std() Std { return p.w.std }

// Traced reports whether the world keeps what happened.
func (p *Process) Traced() bool { return p.w.trace }

// Behind is how far a process has come in the trace: the step that it is behind, or a local call whose
// step has no number yet. Process.StepOf tells which step that is.
type Behind int32

// Behind is the place behind the latest call of the process, however far other processes are: whatever the process
// does now, it does after the step of that call. After a call that made no step, it is the place behind all steps
// that the trace had at that time.
func (p *Process) Behind() Behind {
	if p.mail != nil && len(p.mail.events) > 0 {
		return -Behind(len(p.mail.steps) + len(p.mail.events))
	}
	return Behind(p.behind)
}

// BehindNext is behind the next step of the trace that anybody makes.
func (p *Process) BehindNext() Behind { return Behind(len(p.w.steps) + 1) }

// StepOf is the step of the trace that the process was behind, no later than the last one.
// The world must be quiet.
func (p *Process) StepOf(b Behind) int {
	switch k := int(-b) - 1; {
	case b >= 0:
		return min(int(b), len(p.w.steps))
	case k < len(p.mail.steps):
		return int(p.mail.steps[k])
	}
	return len(p.w.steps)
}

// At tells where in the program the next calls are written. A Go program need not call it: the
// engine then finds the line by itself when it reports an error or a deadlock.
func (p *Process) At(s Site) { p.site = s }

// traffic is what a process has said and heard apart from collective calls.
type traffic struct {
	self     *Comm
	sessions int    // opened so far
	raised   *Error // the latest error that a call gave it
	talk     talk
	events   []localStep
	steps    []int32    // of its local calls, but for those in events
	earlier  int        // how many of them before the latest superstep
	errors   []mark     // raised since the last superstep
	marks    []mark     // asked for since the last superstep
	out      []*message // sent since the last superstep
	receives []*Request // posted since the last superstep
	pending  []*Request // posted earlier, not matched
	started  []*Request // nonblocking collective calls since the last superstep
	building []*Request // such calls that have not ended
	inbox    []*message // arrived, not matched
	wild     []wild     // what receives from any rank took, the latest last

	withdrawn []*Request // to be cancelled, since the last superstep
	taken     []*message // of synchronous sends, received after a matching probe since the last superstep

	codes    map[Class]*errorCode // error classes and codes that the process added
	lastCode Class                // the latest of these
	handlers int                  // error handlers made so far
	left     []leftBehind         // when it finalized sessions
	keyvals  int                  // attribute keys made so far
}

func (p *Process) traffic() *traffic {
	if p.mail == nil {
		p.mail = &traffic{}
	}
	return p.mail
}

// live is the goroutine of a rank: tasks one after the other, and waiting for more.
func (p *Process) live() {
	defer p.end()
	p.state, p.behind = running, int32(len(p.w.steps))
	for run := p.nextTask(nil); run != nil; run = p.nextTask(run(p)) {
	}
	p.state = gone
}

// end is deferred by the goroutine of a rank, which may end from inside. The rank contributes as the last thing that it
// does, unless its panic ends the process: then the others must not go on meanwhile.
func (p *Process) end() {
	switch v := recover(); {
	case v != nil && p.w.crashed == nil:
		panic(fmt.Sprintf("rank %d: %v", p.rank, v))
	case v != nil:
		p.leave(p.w.crashed(v))
	case p.state != gone && !p.w.dead:
		p.leave(fmt.Errorf("rank %d: its goroutine was ended from inside", p.rank))
	}
	p.contribute()
}

// nextTask waits until there is a task for the rank; nil in a closed world. err is what the task before ended with.
func (p *Process) nextTask(err error) func(*Process) error {
	if err != nil {
		p.rest(err)
	}
	for !p.w.dead {
		for int(p.next) < len(p.w.tasks) {
			t := &p.w.tasks[p.next]
			p.next++
			if !t.ranks.Has(int(p.rank)) {
				continue
			}
			if err := p.w.withheld.Load(); err != nil {
				p.rest(*err)
				continue
			}
			return t.run
		}
		p.rest(nil)
	}
	return nil
}

// rest leaves what the rank ended its task with, and waits to go on. It returns in a closed world, too.
func (p *Process) rest(err error) {
	p.current = post{x: err}
	p.suspend()
}

// leave reports err as the last thing that this rank does, without waiting for a reply.
func (p *Process) leave(err error) {
	p.current = post{x: departure{err}}
	p.endTalk()
}

// departure marks the error of a rank whose goroutine ends with it.
type departure struct{ error }

// die ends the whole world with err, even where the program would catch it: MPI_ERRORS_ARE_FATAL.
func (p *Process) die(err *Error) {
	p.rest(err)
	runtime.Goexit()
}

// block leaves the contribution and waits until the conductor lets this rank go on. In a closed world, where
// deferred functions of the program may still make calls, nobody would.
func (p *Process) block(c post) {
	p.current = c
	p.suspend()
}

// suspend contributes, and waits until the conductor lets this rank go on.
func (p *Process) suspend() {
	if p.w.dead {
		p.giveUp()
		return
	}
	p.state = blocked
	if p.mail != nil && p.mail.talk.on {
		p.endTalk()
	}
	p.contribute()
	<-p.wake
	for p.w.locate {
		if p.site == (Site{}) {
			p.site = callSite()
		}
		p.contribute()
		<-p.wake
	}
	if p.w.dead {
		p.giveUp()
		return
	}
	p.state = running
	p.behind = int32(len(p.w.steps)) // nobody adds to them while a process runs
}

// contribute tells the shard of the rank that its contribution is there.
func (p *Process) contribute() { p.w.shards[p.rank/shardSize].in <- p }

// giveUp leaves a call that will not return. A rank that has nothing to do just ends.
func (p *Process) giveUp() {
	if p.current.call != CallNone {
		runtime.Goexit()
	}
}

// ownPrefix begins the names of this package's functions, wherever the module is imported from.
var ownPrefix = strings.TrimSuffix(runtime.FuncForPC(reflect.ValueOf(New).Pointer()).Name(), "New")

// callSite finds the innermost caller outside this package.
func callSite() Site {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, ownPrefix) {
			return Site{File: f.File[strings.LastIndexByte(f.File, '/')+1:], Line: int32(f.Line)}
		}
		if !more {
			return Site{}
		}
	}
}
