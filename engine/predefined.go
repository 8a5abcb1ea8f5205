package engine

import "fmt"

// The keyvals of the predefined attributes (§9.1.2 and, for those since MPI-2.0, §11.10.1, §11.10.3
// and §9.5). Their values are ints that never change.
var (
	KeyvalTagUB         = predefined("MPI_TAG_UB", 11, func(*Process) int { return TagUB })
	KeyvalHost          = predefined("MPI_HOST", 11, func(*Process) int { return ProcNull })
	KeyvalIO            = predefined("MPI_IO", 11, func(*Process) int { return AnySource })
	KeyvalWtimeIsGlobal = predefined("MPI_WTIME_IS_GLOBAL", 11, func(*Process) int { return 1 })
	KeyvalUniverseSize  = predefined("MPI_UNIVERSE_SIZE", 20, func(p *Process) int { return p.w.size })
	KeyvalAppnum        = predefined("MPI_APPNUM", 20, func(*Process) int { return 0 })
	KeyvalLastUsedCode  = predefined("MPI_LASTUSEDCODE", 20, func(*Process) int { return int(lastClass) })
)

// predefinedKeyvals lists them by id.
var predefinedKeyvals = [...]*Keyval{KeyvalTagUB, KeyvalHost, KeyvalIO, KeyvalWtimeIsGlobal,
	KeyvalUniverseSize, KeyvalAppnum, KeyvalLastUsedCode}

func init() {
	for i, k := range predefinedKeyvals {
		k.id = i
	}
}

// environmental is what only the keyval of a predefined attribute has.
type environmental struct {
	name  string
	since Std
	value func(*Process) int
}

func predefined(name string, since Std, value func(*Process) int) *Keyval {
	return &Keyval{environmental: environmental{name, since, value}}
}

// PredefinedKeyvals lists the keyvals of the predefined attributes in order of their ids.
func PredefinedKeyvals() []*Keyval { return predefinedKeyvals[:] }

// Name is the C name of a predefined keyval: "MPI_TAG_UB"; "" for others.
func (k *Keyval) Name() string { return k.name }

// Since is the first version of the standard that has the predefined keyval.
func (k *Keyval) Since() Std { return k.since }

// permanent is the error of an attempt to change what is predefined.
func (k *Keyval) permanent(call Call, comm int) *Error {
	return &Error{Class: ErrKeyval, Call: call, Comm: comm, Rule: "MPI-5.0 §9.1.2",
		Text: fmt.Sprintf("%s is predefined: its value cannot be changed or deleted, nor its keyval freed", k.name)}
}

// surroundings says which predefined attributes a communicator has.
type surroundings uint8

const (
	noSurroundings  surroundings = iota
	inWorldModel                 // MPI_COMM_WORLD and its duplicates: all
	inSessionsModel              // communicators made from a group alone, and their duplicates: MPI_TAG_UB
)

// predefinedAttr is the value of a predefined attribute of c, and whether c has it.
func (c *Comm) predefinedAttr(k *Keyval) (value any, ok bool) {
	has := k == KeyvalTagUB
	switch c.core.surroundings {
	case noSurroundings:
		has = false
	case inWorldModel:
		has = k.since <= c.p.w.std
	}
	if !has {
		return nil, false
	}
	return k.value(c.p), true
}

// surroundings are those of the communicators that the operation makes: a duplicate has those of its
// parent (§7.4.2), what is made from a group alone has MPI_TAG_UB (§9.1.2), all others have none.
func (op *operation) surroundings() surroundings {
	switch op.call {
	case CallDup, CallDupWithInfo, CallIdup, CallIdupWithInfo:
		return op.core.surroundings
	case CallCreateFromGroup, CallIntercommCreateFromGroups:
		return inSessionsModel
	}
	return noSurroundings
}
