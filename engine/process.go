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
	// The fields that every call uses come first: they fit two cache lines, and the rest a third one.
	w       *World
	wake    chan struct{} // from its shard: the rank may go on; nil before its goroutine begins
	mail    *traffic      // messages and lines; nil until the process has any
	rank    int32
	behind  int32 // the latest step of the trace that the process has passed
	next    int32 // index of the first task not yet looked at
	state   state
	current post // the call that the process waits in, or waited in last
	world   Comm

	site  Site
	reply *operation // the latest ended call over a group

	origin *Origin // see Process.Origin

	// Local is for the layer above: a language keeps the variables of its rank here.
	Local any
}

// state tells whether a rank is idle, runs, waits or has ended. Other goroutines may read it only while all ranks
// wait.
type state uint8

const (
	idle    state = iota // no task left
	running              // between calls
	blocked              // in a call
	gone                 // its goroutine has ended
)

// Site is a line of a program.
type Site struct {
	File string
	Line int32
}

// String returns "demo.py:7", or the file alone without a line; "" for the zero Site.
func (s Site) String() string {
	if s.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// Rank returns the rank in MPI_COMM_WORLD.
func (p *Process) Rank() int { return int(p.rank) }

// Size returns the size of MPI_COMM_WORLD.
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

// SelfID is the id of MPI_COMM_SELF. Each process has its own MPI_COMM_SELF; Snapshot.Comms has none of them.
const SelfID = 1

// Std returns the version of the standard that the world follows.
func (p *Process) Std() Std { return p.w.std }

// Traced reports whether the world keeps what happened.
func (p *Process) Traced() bool { return p.w.trace }

// Behind is a place in the trace: after a step or, for a negative number, after a local call of one process whose step
// has no number yet. Process.StepOf returns the step.
type Behind int32

// Behind returns the place right after the latest call of the process: everything that the process does now comes after
// this step, however far other processes are. After a call that made no step, it is the place after all steps that the
// trace had at that time.
func (p *Process) Behind() Behind {
	if p.mail != nil && len(p.mail.events) > 0 {
		return -Behind(len(p.mail.steps) + len(p.mail.events))
	}
	return Behind(p.behind)
}

// BehindNext returns the place after the next step of the trace, whichever process makes the step.
func (p *Process) BehindNext() Behind { return Behind(len(p.w.steps) + 1) }

// StepOf returns the step before the place b, at most the last step. The world must be quiet.
func (p *Process) StepOf(b Behind) int {
	switch k := int(-b) - 1; {
	case b >= 0:
		return min(int(b), len(p.w.steps))
	case k < len(p.mail.steps):
		return int(p.mail.steps[k])
	}
	return len(p.w.steps)
}

// At sets the line of the program where the next calls stand. A Go program need not call it: the engine then finds the
// line itself when it reports an error or a deadlock.
func (p *Process) At(s Site) { p.site = s }

// traffic has what a process leaves for the conductor, such as messages, lines, errors and requests, and what few
// processes need.
type traffic struct {
	self     *Comm
	sessions int    // sessions opened so far
	raised   *Error // the latest error that a call raised in the process
	talk     talk
	events   []localStep
	steps    []int32     // steps of its local calls, except those in events
	earlier  int         // how many entries of steps are older than the latest superstep
	errors   []mark      // raised since the last superstep
	marks    []mark      // for Process.Moment, since the last superstep
	out      []*message  // sent since the last superstep
	receives []*Request  // posted since the last superstep
	pending  []*Request  // posted earlier, not matched
	buffer   *sendBuffer // of the process, for buffered sends; nil: none
	started  []*Request  // nonblocking collective calls since the last superstep
	building []*Request  // nonblocking collective calls that have not ended
	inbox    []*message  // arrived, not matched
	wild     []wild      // messages that receives from any rank took, the latest last

	withdrawn []*Request // requests to cancel, since the last superstep
	taken     []*message // messages of synchronous sends, received after a matching probe since the last superstep

	codes    map[Class]*errorCode // error classes and codes that the process added
	lastCode Class                // the latest error class or code that the process added
	handlers int                  // error handlers made so far
	left     []leftBehind         // see leftBehind
	keyvals  int                  // attribute keys made so far
}

func (p *Process) traffic() *traffic {
	if p.mail == nil {
		p.mail = &traffic{}
	}
	return p.mail
}

// live runs the tasks of a rank one after the other, and waits for more. It is the rank's goroutine.
func (p *Process) live() {
	defer p.end()
	p.state, p.behind = running, int32(len(p.w.steps))
	for run := p.nextTask(nil); run != nil; run = p.nextTask(run(p)) {
	}
	p.state = gone
}

// end ends the goroutine of a rank, which a task may end, too. The rank contributes as the last thing that it does.
// When its panic ends the process, it does not, so that the other ranks do not go on.
func (p *Process) end() {
	switch v := recover(); {
	case v != nil && p.w.crashed == nil:
		panic(fmt.Sprintf("rank %d: %v", p.rank, v))
	case v != nil:
		p.leave(p.w.crashed(v))
	case p.state != gone && !p.w.dead:
		p.leave(fmt.Errorf("rank %d: the program ended its goroutine (runtime.Goexit)", p.rank))
	}
	p.contribute()
}

// nextTask waits for a task of the rank and returns it; nil in a closed world. err is the error of the previous task.
func (p *Process) nextTask(err error) func(*Process) error {
	if err != nil {
		p.block(post{x: err})
	}
	for !p.w.dead {
		for int(p.next) < len(p.w.tasks) {
			t := &p.w.tasks[p.next]
			p.next++
			if !t.ranks.Has(int(p.rank)) {
				continue
			}
			if err := p.w.withheld.Load(); err != nil {
				p.block(post{x: *err})
				continue
			}
			return t.run
		}
		p.block(post{})
	}
	return nil
}

// leave contributes err as the last thing that this rank does.
func (p *Process) leave(err error) {
	p.current = post{x: departure{err}}
	p.endTalk()
}

// departure marks the error of a rank whose goroutine ends with it.
type departure struct{ error }

// die ends the whole world with err, which the program cannot catch: MPI_ERRORS_ARE_FATAL.
func (p *Process) die(err *Error) {
	p.block(post{x: err})
	runtime.Goexit()
}

// block contributes the post c and waits until the conductor lets this rank go on. Between tasks the post is no call, but
// the error that ended the rank's task, or nil; then block returns in a closed world, too. There no conductor lets calls
// go on, but deferred functions of the program may still make some: block ends the goroutine.
func (p *Process) block(c post) {
	p.current = c
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
	p.behind = int32(len(p.w.steps)) // the number does not change while a process runs
}

// contribute tells the shard of the rank that the rank's contribution is there.
func (p *Process) contribute() { p.w.shards[p.rank/shardSize].in <- p }

// giveUp ends the goroutine of a rank whose call will not return. It does nothing for a rank without a call.
func (p *Process) giveUp() {
	if p.current.call != CallNone {
		runtime.Goexit()
	}
}

// ownPrefix begins the names of this package's functions, by whatever path a program imports the module.
var ownPrefix = strings.TrimSuffix(runtime.FuncForPC(reflect.ValueOf(New).Pointer()).Name(), "New")

// callSite returns the place of the innermost caller outside this package.
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
