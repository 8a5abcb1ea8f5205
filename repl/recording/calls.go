package recording

import (
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/repl/recording/traces"
)

// op is a procedure that a recording names.
type op struct {
	*calls.Procedure
	call engine.Call // that makes it again; CallNone: the engine has none
	kind opKind
}

// opKind tells who takes part in a call, and so which calls of several processes belong together.
type opKind uint8

const (
	foreign    opKind = iota // gives a communicator with processes of another world, or one that nobody here knows
	collective               // over a communicator
	byGroup                  // over the members of a group
	joining                  // over two local communicators
	local                    // on a communicator, with effect
	grouping                 // makes a group
	beside                   // local, and without effect on communicators
	holding                  // gives a window or a file, which takes a context id, too
)

// kinds has the kinds of calls by who takes part.
var kinds = map[calls.Party]opKind{calls.Communicator: collective, calls.Group: byGroup, calls.TwoCommunicators: joining,
	calls.TwoGroups: joining, calls.OtherWorlds: foreign}

// ops has the procedures that the recorder wraps, by name.
var ops = wrapped()

func wrapped() map[string]*op {
	all := map[string]*op{}
	for _, p := range calls.All {
		if !p.Recorded() {
			continue
		}
		o := &op{p, engine.CallOf(p), kinds[p.Party]}
		switch {
		case o.call == engine.CallSetName:
			o.kind = local
		case p.Party == calls.Local && p.Gives("MPI_Group") != nil:
			o.kind = grouping
		case p.Party == calls.Local:
			o.kind = beside
		case o.call.Duplicates():
			o.call = engine.CallDup
		}
		all[p.Name] = o
	}
	group := all["MPI_Comm_create_group"]
	for _, p := range calls.All {
		if o := all[p.Name]; o != nil && o.makes() && o.kind != foreign {
			as := *group.Procedure
			as.Name = p.Name
			all[p.Name+traces.ByGroup] = &op{&as, group.call, byGroup}
		}
	}
	return all
}

// opOf returns the procedure of a name. A procedure that only the recorder of another release knows is foreign.
func opOf(name string) *op {
	if o := ops[name]; o != nil {
		return o
	}
	if strings.HasSuffix(name, traces.ByGroup) {
		return ops["MPI_Comm_create_group"]
	}
	return &op{Procedure: &calls.Procedure{Name: hw.Clip(name)}}
}

// returnsAtOnce reports whether the procedure waits for no other process. Its request completes later, at a time that
// is not recorded.
func (o *op) returnsAtOnce() bool { return o.Gives("MPI_Request") != nil }

// makes reports whether the procedure gives communicators.
func (o *op) makes() bool { return o.kind == foreign || o.Gives("MPI_Comm") != nil }

// These are the numbers of communicators that no call of the process made.
const (
	noComm   = -2 // the call is made on none
	nullComm = -1
	worldID  = 0
	selfID   = 1
)

// call is a call of a process.
type call struct {
	seq    int32
	line   int32 // of the file
	site   *Site // nil: beyond those that the recorder kept
	op     *op
	thread int32
	comm   int32  // number of the communicator that it is made on, for the process
	nth    int32  // how many collective calls the process began on it before
	args   string // as written, each with a tab before it
	result result
	begin  int64 // nanoseconds since the processes left the barrier of MPI_Init
	took   int64 // nanoseconds; -1: it had not returned
}

// resultKind tells what a call returned.
type resultKind uint8

const (
	nothing resultKind = iota
	gotComm
	gotNull
	gotGroup
	gotSession
	failed
	pending
)

type result struct {
	kind resultKind
	id   int32
	membership
	class string
	again int32 // of a group: the number before of the same handle; 0: none
}

// membership tells the groups of a communicator and where the process is in them; of a group the size only.
type membership struct {
	size, rank, leader   int32 // leader is -1 in another world
	remote, remoteLeader int32 // remote is 0 of an intracommunicator
}

// arg returns an argument of the call; ok is false where the call has no argument of that name.
func (c *call) arg(name string) (value string, ok bool) {
	for rest := c.args; rest != ""; {
		one := rest[1:] // behind the tab
		if i := strings.IndexByte(one, '\t'); i >= 0 {
			one, rest = one[:i], one[i:]
		} else {
			rest = ""
		}
		if n := len(name); len(one) > n && one[n] == '=' && one[:n] == name {
			return one[n+1:], true
		}
	}
	return "", false
}

// number returns an argument that is a number or undefined; ok is false for others.
func (c *call) number(name string) (n int32, ok bool) {
	text, ok := c.arg(name)
	if !ok {
		return 0, false
	}
	if text == "undefined" {
		return engine.Undefined, true
	}
	v, err := strconv.ParseInt(text, 10, 32)
	return int32(v), err == nil
}

// count is what a process counted at one place.
type count struct {
	site                            *Site
	op                              *op
	calls, made, freed, alive, peak int64
	took                            int64 // nanoseconds
}

// growth is how many communicators of a place were alive on a process, in order of time.
type growth struct {
	site   *Site
	op     *op // nil where nobody told
	points []Point
}

// Point is how many communicators of a place were alive on a process at a time.
type Point struct {
	At    int64 // nanoseconds since the processes left the barrier of MPI_Init
	Alive int64
}
