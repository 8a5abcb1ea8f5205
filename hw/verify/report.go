// Package verify holds what commsplit reads of a machine against what others say of it:
// ghw, /proc/cpuinfo, the kernel's view of this process, cgroups, the Go runtime, lscpu and
// lstopo. Each witness gives PU sets for each kind of object; where it says something else, the
// difference is explained by a known limit of the witness, or remains unexplained.
//
// Model: our sysfs reader is what is on trial. Its tree is compared as it is, after the cgroup
// was applied; witnesses that know no cgroup are held against the tree before. An
// explanation is a prediction of the exact answer (package account), never an excuse for any
// difference. Invariants of hardware are checked, too.
//
// It does not compare distances, devices, clock rates or names.
package verify

import (
	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// State is how one kind of object came out with a witness, or a whole witness.
type State string

// The states.
const (
	Agrees      State = "agrees"
	Explained   State = "explained"   // differs, for a reason that follows from the machine's files
	Unexplained State = "unexplained" // differs, and nobody knows why
	Skipped     State = "skipped"     // of a witness: not installed, or it cannot know this machine
	Failed      State = "failed"      // of a witness: it gave an error instead of an answer
)

// Report is the outcome.
type Report struct {
	Machine    string // "this" or "fsroot:PATH"
	Kinds      []account.Kind
	Ours       account.Account // what we read
	Witnesses  []Witness
	Memory     []Memory
	Invariants []Invariant
	Notes      []string // what our reader noted: what is offline, or not allowed
	Pins       []Pinned // of Pin
}

// Witness is one who was asked.
type Witness struct {
	Name     string
	Usable   bool  // it tells what this process may use, and nothing of how the machine is built
	State    State // Skipped or Failed; else ""
	Why      string
	Verdicts map[account.Kind]Verdict
	Notes    []string
}

// Verdict is what came out for one kind of object.
type Verdict struct {
	State State
	Said  []account.Thing
	Count int      // of things said; for a witness that tells no sets, all that it says
	Why   []string // what explains it, or what differs
}

// Memory is an amount of memory that somebody tells.
type Memory struct {
	Witness         string
	Bytes, Expected uint64
	State           State
	Why             string
}

// Invariant is a rule that every machine follows.
type Invariant struct {
	Rule   string
	Broken []string // where it does not hold; none where it holds
}

// Count is how much remains unexplained: verdicts, failures, broken invariants, PUs that no thread runs on.
func (r *Report) Count() int {
	n := 0
	for _, w := range r.Witnesses {
		if w.State == Failed {
			n++
		}
		for _, v := range w.Verdicts {
			if v.State == Unexplained {
				n++
			}
		}
	}
	for _, m := range r.Memory {
		if m.State == Unexplained {
			n++
		}
	}
	for _, i := range r.Invariants {
		n += len(i.Broken)
	}
	for _, p := range r.Pins {
		if p.Err != nil {
			n++
		}
	}
	return n
}

// readable are the kinds that our reader makes where a machine has them. What a witness
// tells beyond is not compared.
var readable = []account.Kind{
	{Type: hw.Group}, {Type: hw.Group, Subtype: "Cluster"}, {Type: hw.Group, Subtype: "Book"},
	{Type: hw.Group, Subtype: "Drawer"}, account.Of(hw.NUMANode), account.Of(hw.Package),
	account.Of(hw.Die), account.Of(hw.L5Cache), account.Of(hw.L4Cache), account.Of(hw.L3Cache),
	account.Of(hw.L3iCache), account.Of(hw.L2Cache), account.Of(hw.L2iCache),
	account.Of(hw.L1Cache), account.Of(hw.L1iCache), account.Of(hw.Core), account.Of(hw.PU),
}
