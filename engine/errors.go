package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Class is an MPI error class (§9.4).
type Class int

// The error classes that the engine raises. Programs must use the names: the standard leaves the
// values to the implementation.
const (
	Success        Class = 0
	ErrBuffer      Class = 1
	ErrTag         Class = 4
	ErrComm        Class = 5
	ErrRank        Class = 6
	ErrRequest     Class = 7
	ErrRoot        Class = 8
	ErrGroup       Class = 9
	ErrOp          Class = 10
	ErrTopology    Class = 11
	ErrDims        Class = 12
	ErrArg         Class = 13
	ErrTruncate    Class = 15
	ErrOther       Class = 16
	ErrInfoKey     Class = 31
	ErrInfoNokey   Class = 32
	ErrInfo        Class = 33
	ErrInfoValue   Class = 34
	ErrKeyval      Class = 36
	ErrUnsupported Class = 44
	ErrSession     Class = 78
	ErrErrhandler  Class = 80

	lastClass = ErrErrhandler
)

var classNames = map[Class]string{
	Success: "MPI_SUCCESS", ErrBuffer: "MPI_ERR_BUFFER", ErrTag: "MPI_ERR_TAG", ErrComm: "MPI_ERR_COMM",
	ErrRank: "MPI_ERR_RANK", ErrRequest: "MPI_ERR_REQUEST", ErrRoot: "MPI_ERR_ROOT", ErrGroup: "MPI_ERR_GROUP",
	ErrOp: "MPI_ERR_OP", ErrTopology: "MPI_ERR_TOPOLOGY", ErrDims: "MPI_ERR_DIMS", ErrArg: "MPI_ERR_ARG",
	ErrTruncate: "MPI_ERR_TRUNCATE", ErrOther: "MPI_ERR_OTHER", ErrInfoKey: "MPI_ERR_INFO_KEY",
	ErrInfoNokey: "MPI_ERR_INFO_NOKEY", ErrInfo: "MPI_ERR_INFO", ErrInfoValue: "MPI_ERR_INFO_VALUE",
	ErrKeyval: "MPI_ERR_KEYVAL", ErrUnsupported: "MPI_ERR_UNSUPPORTED_OPERATION",
	ErrSession: "MPI_ERR_SESSION", ErrErrhandler: "MPI_ERR_ERRHANDLER",
}

// String is the C name: "MPI_ERR_ARG".
func (c Class) String() string {
	if name, ok := classNames[c]; ok {
		return name
	}
	return fmt.Sprintf("MPI error class %d", int(c))
}

// Classes lists every error class with its C name, in ascending order.
func Classes() []Class {
	list := make([]Class, 0, len(classNames))
	for c := range classNames {
		list = append(list, c)
	}
	slices.Sort(list)
	return list
}

// Error is an erroneous MPI call, as one rank sees it or, after merging, as all ranks do that made
// the same mistake at the same place.
type Error struct {
	Class Class
	Call  Call
	Comm  int    // id of the communicator acted on, or -1
	Ranks Ranks  // world ranks that raised it
	Where string // "demo.py:7", "" when unknown
	Text  string // what is wrong, and what would be right
	Got   string // what this rank passed, when it differs between ranks: "color -1"
	Rule  string // "MPI-5.0 §7.4.2"
	Fatal bool   // raised under MPI_ERRORS_ARE_FATAL: it ends the world even when caught
	Depth int    // of the failure of a callback: how many calls of callbacks are inside of each other
}

// Error is one line: class, call, place, ranks, what is wrong, and the rule.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s", e.Class, e.Call)
	if e.Where != "" {
		fmt.Fprintf(&b, " (%s)", e.Where)
	}
	if len(e.Ranks) > 0 {
		fmt.Fprintf(&b, " on %s", e.Ranks.Noun())
	}
	fmt.Fprintf(&b, ": %s", e.Message())
	if e.Rule != "" {
		fmt.Fprintf(&b, " [%s]", e.Rule)
	}
	return b.String()
}

// Message is what is wrong without the class, the place and the rule.
func (e *Error) Message() string {
	text := e.Text
	if e.Got != "" {
		text += ": " + e.Got
	}
	if e.Depth > 1 {
		text += fmt.Sprintf(" (%d levels deep)", e.Depth)
	}
	return text
}

// MergeErrors joins the errors of several ranks that differ only in who made them and what each
// passed, in rank order of their first rank.
func MergeErrors(list []*Error) []*Error {
	type key struct {
		class       Class
		call        Call
		comm        int
		where, text string
		fatal       bool
		depth       int
	}
	byKey := map[key][]*Error{}
	var order []key
	for _, e := range list {
		k := key{e.Class, e.Call, e.Comm, e.Where, e.Text, e.Fatal, e.Depth}
		if byKey[k] == nil {
			order = append(order, k)
		}
		byKey[k] = append(byKey[k], e)
	}
	merged := make([]*Error, 0, len(order))
	for _, k := range order {
		merged = append(merged, mergeSame(byKey[k]))
	}
	slices.SortStableFunc(merged, func(a, b *Error) int { return cmp.Compare(a.Ranks.First(), b.Ranks.First()) })
	return merged
}

func mergeSame(list []*Error) *Error {
	m := *list[0]
	var all []int
	byGot := map[string][]int{}
	var gots []string
	for _, e := range list {
		ranks := e.Ranks.Slice()
		all = append(all, ranks...)
		if byGot[e.Got] == nil {
			gots = append(gots, e.Got)
		}
		byGot[e.Got] = append(byGot[e.Got], ranks...)
	}
	m.Ranks = RanksOf(all...)
	if len(gots) > 1 {
		parts := make([]string, 0, len(gots))
		for i, g := range gots {
			if i == maxSides && len(gots) > maxSides+1 {
				parts = append(parts, fmt.Sprintf("and %d more values", len(gots)-i))
				break
			}
			parts = append(parts, RanksOf(byGot[g]...).Noun()+": "+g)
		}
		m.Got = strings.Join(parts, "; ")
	}
	return &m
}

// maxSides bounds how many differing sides one message spells out.
const maxSides = 6
