package recording

import (
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
)

// Signal returns the signal that ended the process, 0 for none.
func (p *Process) Signal() int {
	number, ok := strings.CutPrefix(p.End, "signal ")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return 0
	}
	return n
}

// signals has the signals that end a process, by their numbers on Linux. A sent signal comes from another process:
// its receiver did not die of a fault of its own, and may have waited forever.
var signals = map[int]struct {
	name string
	sent bool
}{
	1: {"SIGHUP", true}, 2: {"SIGINT", true}, 3: {"SIGQUIT", true}, 4: {"SIGILL", false}, 6: {"SIGABRT", false}, 7: {"SIGBUS", false},
	8: {"SIGFPE", false}, 9: {"SIGKILL", false}, 11: {"SIGSEGV", false}, 15: {"SIGTERM", true}, 24: {"SIGXCPU", true},
}

const mostSignal = 64 // on Linux

// SignalName returns a signal's number with its name: "signal 11 (SIGSEGV)".
func SignalName(n int) string {
	text := "signal " + strconv.Itoa(n)
	if s, ok := signals[n]; ok {
		text += " (" + s.name + ")"
	}
	return text
}

// Crashed reports whether the process died of a fault of its own, such as a segmentation fault.
func (p *Process) Crashed() bool { n := p.Signal(); return n != 0 && !signals[n].sent }

// Killed reports whether the process wrote calls and no end: a process cannot notice that it is killed.
func (p *Process) Killed() bool { return !p.Missing && p.End == "" }

// died reports whether the process ended too early, and so made no more calls.
func (p *Process) died() bool {
	return p.Missing || p.Killed() || p.Crashed() || p.End == "abort"
}

// Crashed lists the processes that died of a fault of their own.
func (r *Recording) Crashed() engine.Ranks { return r.ranks((*Process).Crashed) }

// Killed lists the processes that wrote calls and no end.
func (r *Recording) Killed() engine.Ranks { return r.ranks((*Process).Killed) }

// LastCall returns the last call of the process and its place: "MPI_Comm_split at grid.c:47"; "" where it made none.
func (p *Process) LastCall() string {
	if len(p.calls) == 0 {
		return ""
	}
	c := &p.calls[len(p.calls)-1]
	return c.op.Name + " at " + c.site.String()
}
