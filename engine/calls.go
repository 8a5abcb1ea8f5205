package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"codeberg.org/commsplit/commsplit/engine/calls"
)

// Call is one MPI procedure that the engine carries out: a row of the table in engine/calls, from which the constants
// of callnames.go are generated.
type Call uint8

// callInfo has a row of the table, and answers to what the engine asks of a call often.
type callInfo struct {
	*calls.Procedure
	overCommunicator bool // it waits for all processes of a communicator
	overGroups       bool // see Call.overGroups
	nonblocking      bool // see [Call.Nonblocking]

	plain  Call // see [Call.Plain]
	starts Call // see [Call.Starts]
}

var callTable = rows()

// rows makes the table of callInfo: for each call its row of procedures.txt.
func rows() [numCalls]callInfo {
	all := [numCalls]callInfo{CallNone: {Procedure: &calls.Procedure{Name: "no call", Since: 11, Party: calls.Local}}}
	next := CallNone + 1
	for _, p := range calls.All {
		if p.Constant == "" {
			continue
		}
		gives := p.Gives("MPI_Request") != nil
		nonblocking := p.Party != calls.Local && gives && !strings.HasSuffix(p.Name, "_init")
		all[next] = callInfo{p,
			(p.Party == calls.Communicator || p.Party == calls.TwoCommunicators) && !nonblocking,
			p.Party == calls.Group || p.Party == calls.TwoGroups, nonblocking, next, CallNone}
		next++
	}
	named := func(name string) Call {
		return Call(max(0, slices.IndexFunc(all[:], func(b callInfo) bool { return b.Procedure != nil && strings.EqualFold(b.Name, "MPI_"+name) })))
	}
	for i := range all {
		row := &all[i]
		name := strings.TrimPrefix(row.Name, "MPI_")
		if rest, ok := strings.CutSuffix(name, "_init"); ok && row.Gives("MPI_Request") != nil {
			row.starts = named("I" + rest)
		}
		if k := named(row.plainName(name)); k != CallNone {
			row.plain = k
		}
	}
	return all
}

// plainName returns the name of the blocking call that moves data as the call with this name does, in parts of one size.
func (i *callInfo) plainName(name string) string {
	if rest, ok := strings.CutSuffix(name, "_init"); ok && i.Gives("MPI_Request") != nil {
		name = rest
	} else if rest, ok := strings.CutPrefix(name, "I"); ok && i.nonblocking {
		name = rest
	}
	if i.Party == calls.Communicator && i.MovesData() {
		name = strings.TrimSuffix(name, "v")
	}
	return name
}

// Calls lists all calls, in the order of the table.
func Calls() []Call {
	list := make([]Call, 0, numCalls-1)
	for c := CallNone + 1; c < numCalls; c++ {
		list = append(list, c)
	}
	return list
}

// CallNamed returns the call with a name in C, "MPI_Comm_split". ok is false when the engine has no such call.
func CallNamed(name string) (c Call, ok bool) {
	c, ok = callsByName()[name]
	return c, ok
}

var callsByName = sync.OnceValue(func() map[string]Call {
	all := make(map[string]Call, numCalls)
	for _, c := range Calls() {
		all[c.String()] = c
	}
	return all
})

// CallOf returns the call that carries out a procedure of the table; CallNone when the engine has none.
func CallOf(p *calls.Procedure) Call {
	return Call(max(0, slices.IndexFunc(callTable[:], func(i callInfo) bool { return i.Procedure == p })))
}

// Procedure returns the row of the call in the table.
func (c Call) Procedure() *calls.Procedure { return callTable[c].Procedure }

// String returns the C name of the procedure: "MPI_Comm_split".
func (c Call) String() string { return callTable[c].Name }

// Rule returns the section of the standard that defines the call: "MPI-5.0 §7.4.2".
func (c Call) Rule() string {
	if c.Since() == Draft2019 {
		return "proposal of 2019"
	}
	return "MPI-5.0 §" + callTable[c].Section
}

// Since returns the first version of the standard that has the call.
func (c Call) Since() Std { return Std(callTable[c].Since) }

// Collective reports whether several processes take part in the call and wait for each other.
func (c Call) Collective() bool {
	return callTable[c].overCommunicator || callTable[c].overGroups || callTable[c].nonblocking
}

// overGroups reports whether the processes of a group make the call together; the other processes of a communicator
// that it names take no part.
func (c Call) overGroups() bool { return callTable[c].overGroups }

// Nonblocking reports whether the call is collective and returns a request at once.
func (c Call) Nonblocking() bool { return callTable[c].nonblocking }

// Plain returns the blocking call that moves data in the same way with parts of one size: MPI_Gather for MPI_Igatherv
// and MPI_Gather_init. For a call that has no such form, it returns the call itself.
func (c Call) Plain() Call { return callTable[c].plain }

// Starts returns the nonblocking call that MPI_Start makes for a request of the persistent call c: MPI_Ibcast for
// MPI_Bcast_init. It returns CallNone for other calls.
func (c Call) Starts() Call { return callTable[c].starts }

// MakesComm reports whether the call makes communicators.
func (c Call) MakesComm() bool { return callTable[c].Gives("MPI_Comm") != nil }

// Duplicates reports whether the call makes a duplicate, which has the attributes and the topology of its parent.
func (c Call) Duplicates() bool {
	return c == CallDup || c == CallDupWithInfo || c == CallIdup || c == CallIdupWithInfo
}

// MakesTopology reports whether the call makes a communicator with a new virtual topology.
func (c Call) MakesTopology() bool {
	return c.MakesComm() && strings.HasPrefix(callTable[c].Section, "8.")
}

// Started names the operation that a nonblocking collective call starts: "barrier", "duplicate".
func (c Call) Started() string {
	if c.MakesComm() {
		return "duplicate"
	}
	return strings.TrimPrefix(c.String(), "MPI_I")
}

// varies reports whether c is the nonblocking form of the blocking call, or both duplicate.
func (c Call) varies(blocking Call) bool {
	return c.Duplicates() && blocking.Duplicates() || strings.EqualFold("MPI_"+c.Started(), blocking.String())
}

// polls reports whether the call returns at the end of the superstep in any case, so that a program may ask again until
// communication has moved.
func (c Call) polls() bool {
	switch c {
	case CallTest, CallTestall, CallTestany, CallTestsome, CallIprobe, CallImprobe,
		CallRequestStatus, CallRequestStatusAll, CallRequestStatusAny, CallRequestStatusSome:
		return true
	}
	return false
}

// Std is a version of the MPI standard, major*10+minor: 22 is MPI-2.2.
type Std int

const (
	// StdLatest is the newest version of the standard that the engine follows, and the default.
	StdLatest Std = 50

	// Draft2019 is StdLatest with the proposal of 2019 for a query function of the guided mode:
	// MPI_Get_hwsubdomain_names, MPI_COMM_TYPE_HW_SUBDOMAIN and the info key mpi_hw_domain_type.
	// MPI_Get_hw_resource_info came of it, in another form.
	Draft2019 Std = 2019
)

// String returns the version as the standard writes it: "2.2"; for the proposal "draft2019".
func (s Std) String() string {
	if s == Draft2019 {
		return "draft2019"
	}
	return fmt.Sprintf("%d.%d", s/10, s%10)
}

// Version returns the version as MPI_Get_version does; for the proposal, the version of StdLatest.
func (s Std) Version() (major, minor int) {
	if s == Draft2019 {
		s = StdLatest
	}
	return int(s / 10), int(s % 10)
}

// Title returns "MPI-5.0", for the proposal "MPI-5.0 with the proposal of 2019".
func (s Std) Title() string {
	if s == Draft2019 {
		return "MPI-" + StdLatest.String() + " with the proposal of 2019"
	}
	return "MPI-" + s.String()
}

// Lacks writes that version s does not have name, which came with version came.
func (s Std) Lacks(name string, came Std) string {
	if came == Draft2019 {
		return fmt.Sprintf("%s was proposed in 2019 and did not become part of the standard: --std draft2019 has it", name)
	}
	return fmt.Sprintf("%s does not exist in MPI-%s (it came with MPI-%s)", name, s, came)
}
