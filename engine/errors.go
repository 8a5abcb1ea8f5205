package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Class is an MPI error class (§9.4). It is an error for errors.Is, which finds it in an [Error]:
//
//	if errors.Is(err, engine.ErrArg) { ...
type Class int

// The error classes that the engine raises. Programs may name others, about files, windows and other things that the
// engine does not have. They must use the names: the standard leaves the values to the implementation.
const (
	Success        Class = 0
	ErrBuffer      Class = 1
	ErrCount       Class = 2
	ErrType        Class = 3
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

	// LastCode is MPI_ERR_LASTCODE: the classes and codes that a program adds have larger numbers.
	LastCode Class = 127
)

// classes has the C name of each class, the first version of the standard with it, and its meaning (§9.4).
var classes = map[Class]struct {
	name  string
	since Std
	text  string
}{
	Success:        {"MPI_SUCCESS", 11, "no error"},
	ErrBuffer:      {"MPI_ERR_BUFFER", 11, "invalid buffer"},
	ErrCount:       {"MPI_ERR_COUNT", 11, "invalid count argument"},
	ErrType:        {"MPI_ERR_TYPE", 11, "invalid datatype argument"},
	ErrTag:         {"MPI_ERR_TAG", 11, "invalid tag argument"},
	ErrComm:        {"MPI_ERR_COMM", 11, "invalid communicator"},
	ErrRank:        {"MPI_ERR_RANK", 11, "invalid rank"},
	ErrRequest:     {"MPI_ERR_REQUEST", 11, "invalid request"},
	ErrRoot:        {"MPI_ERR_ROOT", 11, "invalid root"},
	ErrGroup:       {"MPI_ERR_GROUP", 11, "invalid group"},
	ErrOp:          {"MPI_ERR_OP", 11, "invalid operation"},
	ErrTopology:    {"MPI_ERR_TOPOLOGY", 11, "invalid topology"},
	ErrDims:        {"MPI_ERR_DIMS", 11, "invalid dimension argument"},
	ErrArg:         {"MPI_ERR_ARG", 11, "invalid argument of some other kind"},
	14:             {"MPI_ERR_UNKNOWN", 11, "unknown error"},
	ErrTruncate:    {"MPI_ERR_TRUNCATE", 11, "message truncated on receive"},
	ErrOther:       {"MPI_ERR_OTHER", 11, "known error not in this list"},
	17:             {"MPI_ERR_INTERN", 11, "internal MPI (implementation) error"},
	18:             {"MPI_ERR_IN_STATUS", 11, "error code is in status"},
	19:             {"MPI_ERR_PENDING", 11, "pending request"},
	20:             {"MPI_ERR_ACCESS", 20, "permission denied"},
	21:             {"MPI_ERR_AMODE", 20, "error related to the amode of opening a file"},
	22:             {"MPI_ERR_ASSERT", 20, "invalid assertion argument"},
	23:             {"MPI_ERR_BAD_FILE", 20, "invalid file name"},
	24:             {"MPI_ERR_BASE", 20, "invalid base of memory to free"},
	25:             {"MPI_ERR_CONVERSION", 20, "an error occurred in a data conversion function of the user"},
	26:             {"MPI_ERR_DISP", 20, "invalid displacement argument"},
	27:             {"MPI_ERR_DUP_DATAREP", 20, "the data representation is already defined"},
	28:             {"MPI_ERR_FILE_EXISTS", 20, "file exists"},
	29:             {"MPI_ERR_FILE_IN_USE", 20, "file operation could not be completed: the file is open in some process"},
	30:             {"MPI_ERR_FILE", 20, "invalid file handle"},
	ErrInfoKey:     {"MPI_ERR_INFO_KEY", 20, "key longer than MPI_MAX_INFO_KEY"},
	ErrInfoNokey:   {"MPI_ERR_INFO_NOKEY", 20, "the info object has no such key"},
	ErrInfo:        {"MPI_ERR_INFO", 20, "invalid info argument"},
	ErrInfoValue:   {"MPI_ERR_INFO_VALUE", 20, "value longer than MPI_MAX_INFO_VAL"},
	35:             {"MPI_ERR_IO", 20, "other I/O error"},
	ErrKeyval:      {"MPI_ERR_KEYVAL", 20, "invalid keyval"},
	37:             {"MPI_ERR_LOCKTYPE", 20, "invalid locktype argument"},
	38:             {"MPI_ERR_NAME", 20, "invalid service name to look up"},
	39:             {"MPI_ERR_NO_MEM", 20, "memory is exhausted"},
	40:             {"MPI_ERR_NOT_SAME", 20, "collective argument not identical on all processes"},
	41:             {"MPI_ERR_NO_SPACE", 20, "not enough space"},
	42:             {"MPI_ERR_NO_SUCH_FILE", 20, "file does not exist"},
	43:             {"MPI_ERR_PORT", 20, "invalid port name"},
	ErrUnsupported: {"MPI_ERR_UNSUPPORTED_OPERATION", 20, "unsupported operation"},
	45:             {"MPI_ERR_QUOTA", 20, "quota exceeded"},
	46:             {"MPI_ERR_READ_ONLY", 20, "read-only file or file system"},
	47:             {"MPI_ERR_RMA_CONFLICT", 20, "conflicting accesses to window"},
	48:             {"MPI_ERR_RMA_SYNC", 20, "invalid synchronization of RMA calls"},
	49:             {"MPI_ERR_SERVICE", 20, "invalid service name to unpublish"},
	50:             {"MPI_ERR_SIZE", 20, "invalid size argument"},
	51:             {"MPI_ERR_SPAWN", 20, "error in spawning processes"},
	52:             {"MPI_ERR_UNSUPPORTED_DATAREP", 20, "unsupported data representation"},
	53:             {"MPI_ERR_WIN", 20, "invalid window argument"},
	54:             {"MPI_ERR_RMA_RANGE", 30, "target memory is not part of the window"},
	55:             {"MPI_ERR_RMA_ATTACH", 30, "memory cannot be attached"},
	56:             {"MPI_ERR_RMA_SHARED", 30, "memory cannot be shared"},
	57:             {"MPI_ERR_RMA_FLAVOR", 30, "the window has the wrong flavor for the called function"},
	ErrSession:     {"MPI_ERR_SESSION", 40, "invalid session"},
	79:             {"MPI_ERR_VALUE_TOO_LARGE", 40, "value is too large to store"},
	ErrErrhandler:  {"MPI_ERR_ERRHANDLER", 41, "invalid error handler"},
	81:             {"MPI_ERR_PROC_ABORTED", 40, "operation failed because a process has aborted"},
	82:             {"MPI_ERR_ABI", 50, "error related to the ABI"},
}

// String returns the C name: "MPI_ERR_ARG".
func (c Class) String() string {
	if info, ok := classes[c]; ok {
		return info.name
	}
	return fmt.Sprintf("MPI error class %d", int(c))
}

// Error returns the C name, as String does.
func (c Class) Error() string { return c.String() }

// Classes lists every error class with its C name, in ascending order.
func Classes() []Class {
	return slices.Sorted(maps.Keys(classes))
}

// Since returns the first version of the standard that has the error class.
func (c Class) Since() Std { return classes[c].since }

// Text returns the meaning of the error class.
func (c Class) Text() string { return classes[c].text }

// Error is a mistake in an MPI call, of one rank or, after merging, of all ranks that made it at the same place.
type Error struct {
	Class   Class
	Mistake Mistake // what the program did wrong
	Args    []any   // for the format verbs of Mistake.Error; in MistakeCommFreed, the communicator comes first
	Call    Call
	Comm    int      // id of the communicator that the call was made on, or -1
	Named   string   // what the program calls that communicator; "" when only its id is known
	Ranks   Ranks    // world ranks that raised the error
	Where   string   // call site: "demo.py:7", "" when unknown
	Text    string   // what is wrong, and what would be right
	Got     string   // what this rank passed, which may differ between ranks: "color -1"
	Passed  Argument // the same, when it is one integer
	Rule    string   // "MPI-5.0 §7.4.2"
	Fatal   bool     // raised under MPI_ERRORS_ARE_FATAL: the error ends the world even when caught
	Depth   int      // of a failed callback: how deep calls and callbacks are nested
}

// Argument is an integer that a process passed, with the name of its parameter: "color", -1.
type Argument struct {
	Name  string
	Value int
}

// Is reports, for errors.Is, whether target is the error's class or mistake.
func (e *Error) Is(target error) bool {
	switch t := target.(type) {
	case Class:
		return e.Class == t
	case Mistake:
		return e.Mistake == t && t != NoMistake
	}
	return false
}

// Error returns the error as a line: class, call, communicator, place, ranks, what is wrong, and the rule.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s", e.Class, e.Call)
	if e.Comm >= 0 {
		fmt.Fprintf(&b, " on %s", cmp.Or(e.Named, commName(e.Comm)))
	}
	if e.Where != "" {
		fmt.Fprintf(&b, " (%s)", e.Where)
	}
	if len(e.Ranks) > 0 {
		fmt.Fprintf(&b, ", %s", e.Ranks.Noun())
	}
	fmt.Fprintf(&b, ": %s", e.Message())
	if e.Rule != "" {
		fmt.Fprintf(&b, " [%s]", e.Rule)
	}
	return b.String()
}

// Message returns what is wrong, without the class, the place and the rule.
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

// MergeErrors joins errors that differ only in their ranks and in what each rank passed, in order of the first rank of
// each error.
func MergeErrors(list []*Error) []*Error {
	type key struct {
		class       Class
		mistake     Mistake
		call        Call
		comm        int
		where, text string
		fatal       bool
		depth       int
	}
	merged := make([]*Error, 0, len(list))
	for _, same := range ByKey(list, func(e *Error) key {
		return key{e.Class, e.Mistake, e.Call, e.Comm, e.Where, e.Text, e.Fatal, e.Depth}
	}) {
		merged = append(merged, mergeSame(same))
	}
	slices.SortStableFunc(merged, func(a, b *Error) int { return cmp.Compare(a.Ranks.First(), b.Ranks.First()) })
	return merged
}

func mergeSame(list []*Error) *Error {
	m := *list[0]
	m.Ranks = ranksOfErrors(list)
	gots := ByKey(list, func(e *Error) string { return e.Got })
	if len(gots) == 1 {
		return &m
	}
	var parts []string
	for i, same := range gots {
		if i == maxSides && len(gots) > maxSides+1 {
			parts = append(parts, fmt.Sprintf("and %d more values", len(gots)-i))
			break
		}
		parts = append(parts, ranksOfErrors(same).Noun()+": "+same[0].Got)
	}
	m.Got = strings.Join(parts, "; ")
	return &m
}

func ranksOfErrors(list []*Error) Ranks {
	var all Ranks
	for _, e := range list {
		all = append(all, e.Ranks...)
	}
	return all.merged()
}

// maxSides is how many different arguments a message spells out at most.
const maxSides = 6

// passing writes who passed an argument: "ranks 0-3 pass A".
func passing(who []int32, what string) string {
	ranks := RanksOf(who...)
	return ranks.Noun() + " " + plural(ranks, "passes", "pass") + " " + what
}

// sides writes which processes passed what: "ranks 0-3 pass A; rank 4 passes B". It leaves out processes of
// MPI_Comm_split_type that passed MPI_UNDEFINED, which agree with all.
func (op *operation) sides(what func(r int) string) string {
	return op.sidesOf(func(r int) bool { return op.call != CallSplitType || op.a[r] != Undefined }, what)
}

// sidesOf writes the same for the processes that count.
func (op *operation) sidesOf(counts func(r int) bool, what func(r int) string) string {
	var slots []int
	for r := range op.core.all {
		if counts(r) {
			slots = append(slots, r)
		}
	}
	sides := ByKey(slots, what)
	var parts []string
	for i, side := range sides {
		if i == maxSides {
			parts = append(parts, fmt.Sprintf("and %d more", len(sides)-i))
			break
		}
		who := make([]int32, len(side))
		for k, r := range side {
			who[k] = op.core.all[r]
		}
		parts = append(parts, passing(who, what(side[0])))
	}
	return strings.Join(parts, "; ")
}

// side writes which processes passed group g, which has number i: "ranks 0-3 pass {0,1,2,3}", as world ranks.
func (op *operation) side(g *Group, which []int32, i int32) string {
	text := g.braces()
	return op.sidesOf(func(r int) bool { return which[r] == i }, func(int) string { return text })
}

// Abort ends the program (MPI_Abort, §11.4.2). It does not return.
func (c *Comm) Abort(code int) error {
	if err := c.Check(CallAbort); err != nil {
		return err
	}
	e := &Error{Class: ErrOther, Call: CallAbort, Comm: c.core.info.ID, Fatal: true,
		Text: fmt.Sprintf("the program called MPI_Abort with error code %d", code), Rule: CallAbort.Rule()}
	c.p.die(c.p.sign(e))
	return nil
}

// fail raises an error of a call on c.
func (c *Comm) fail(e *Error) error { return c.raise(e.on(c.core)) }

// fail raises an error of a call that may have a communicator: nil for none.
func (p *Process) fail(c *Comm, e *Error) error {
	if c == nil {
		return p.Raise(e)
	}
	return c.fail(e)
}

// wrong returns the error of a mistake in a collective call, for all its processes.
func (op *operation) wrong(m Mistake, args ...any) *Error { return m.In(op.call, args...).on(op.core) }

// raise calls c's error handler with err. It returns err, or ends the world.
func (c *Comm) raise(err *Error) error {
	return c.p.invoke(c.handler(), handled{comm: c}, err)
}

// Raise calls the error handler of MPI_COMM_SELF (before MPI-4.0, of MPI_COMM_WORLD) with an error that belongs to no
// communicator (§9.3), and notes in the error that this process raised it.
func (p *Process) Raise(err *Error) error {
	if p.w.std >= 40 {
		return p.Self().raise(err)
	}
	return p.world.raise(err)
}

// invoke calls an error handler with an error, and returns the error. When a handler of the program returns an error
// itself, invoke returns that error instead.
func (p *Process) invoke(h *Errhandler, on handled, err *Error) error {
	p.sign(err)
	p.noteRaised(err)
	switch {
	case h.fatal:
		err.Fatal = true
		p.die(err)
	case h.comm != nil:
		if failed := h.comm(on.comm, err); failed != nil {
			return failed
		}
	case h.session != nil:
		if failed := h.session(on.session, err); failed != nil {
			return failed
		}
	}
	return err
}

// claim returns the error with which the program of the process failed. Where no process has raised it, such as that of
// a call on MPI_COMM_NULL, it returns a copy signed by the process.
func (p *Process) claim(err *Error) *Error {
	if len(err.Ranks) > 0 {
		return err
	}
	own := *err
	own.Ranks, own.Where = Ranks{{p.rank, p.rank}}, p.site.String()
	return &own
}

// sign sets the rank and the call site of an error.
func (p *Process) sign(err *Error) *Error {
	err.Ranks = Ranks{{p.rank, p.rank}}
	site := p.site
	if site == (Site{}) {
		site = callSite()
	}
	err.Where = site.String()
	return err
}

// Moment returns the present moment of the process. When the process has had local calls, output or errors in this
// superstep, their places are not known yet: then late is not nil, and *late is set to the right moment before the
// world is quiet.
func (p *Process) Moment() (now Moment, late *Moment) {
	now = Moment{len(p.w.steps), p.w.spoken, p.w.turns + 1, 0} // the numbers do not change while a process runs
	if t := p.mail; t == nil || len(t.events)+int(t.talk.count)+len(t.errors) == 0 {
		return now, nil
	}
	late = &Moment{}
	p.mail.marks = append(p.mail.marks, p.mark(nil, late))
	return now, late
}

// mark is a moment of a process within a superstep, by the number of local calls, lines and errors that the process had
// before.
type mark struct {
	events, lines, own int
	err                *Error  // the error that the process raised at the moment
	at                 *Moment // where to write the moment that the process asked for
}

func (p *Process) mark(err *Error, at *Moment) mark {
	t := p.mail
	p.markLine()
	own := 2 * len(t.errors)
	if err != nil {
		own++
	}
	return mark{len(t.events), int(t.talk.count), own, err, at}
}

// stepBehind returns the number of steps in the trace after the first events local calls of a process in this
// superstep.
func (w *World) stepBehind(p *Process, events int) int {
	if events == 0 || len(p.mail.steps) == p.mail.earlier {
		return w.steady
	}
	return int(p.mail.steps[p.mail.earlier+events-1])
}

// moment returns the place of a mark, once the steps and lines of the superstep have their places.
func (w *World) moment(p *Process, m mark) Moment {
	at := Moment{w.stepBehind(p, m.events), w.spoken, w.turns, m.own}
	switch t := &p.mail.talk; {
	case m.lines > 0:
		at.Lines = t.places[int32(m.lines)]
	case t.first > 0:
		at.Lines = t.first - 1
	}
	if k := at.Lines - w.forgot; k > 0 && k <= len(w.lines) {
		at.Steps = max(at.Steps, w.lines[k-1].Step)
	}
	return at
}

// takeMarks fills in the moments that processes asked for.
func (w *World) takeMarks() {
	for _, p := range w.talked {
		for _, m := range p.mail.marks {
			*m.at = w.moment(p, m)
		}
		p.mail.marks = nil
	}
}

// Raised is an error with which an error handler was called, whether or not the program caught it.
type Raised struct {
	Step int // number of steps of the trace before the error
	At   Moment
	*Error
}

// noteRaised keeps an error for diagnoses and, in a world with a trace, for snapshots of the world.
func (p *Process) noteRaised(err *Error) {
	t := p.traffic()
	t.raised = err
	if p.w.trace {
		t.errors = append(t.errors, p.mark(err, nil))
	}
}

// takeRaised adds the errors of this superstep to those of the world, in the order in which they were raised.
func (w *World) takeRaised() {
	first := len(w.raised)
	for _, p := range w.talked {
		for _, m := range p.mail.errors {
			at := w.moment(p, m)
			w.raised = append(w.raised, Raised{at.Steps, at, m.err})
		}
		p.mail.errors = nil
	}
	slices.SortStableFunc(w.raised[first:], func(a, b Raised) int { return a.At.Compare(b.At) })
}

// MergeRaised joins errors that several processes raised in the same turn and that differ only in what each process
// passed. A joined error stands at the place of the last of them. list must be in order.
func MergeRaised(list []Raised) []Raised {
	type turn struct{ turn, own int }
	var merged []Raised
	for _, same := range ByKey(list, func(r Raised) turn { return turn{r.At.Turn, r.At.Own} }) {
		errors := make([]*Error, len(same))
		for i := range same {
			errors[i] = same[i].Error
		}
		last := same[len(same)-1].At
		for _, e := range MergeErrors(errors) {
			merged = append(merged, Raised{last.Steps, last, e})
		}
	}
	slices.SortStableFunc(merged, func(a, b Raised) int { return a.At.Compare(b.At) })
	return merged
}

// Errors lists the errors that processes raised, caught errors too, in order of the trace. It joins errors at the same
// point of the trace that differ only in ranks and in what each rank passed.
func (s *Snapshot) Errors() []Raised {
	var list []Raised
	for i := 0; i < len(s.Raised); {
		at := s.Raised[i].At
		var same []*Error
		for ; i < len(s.Raised) && s.Raised[i].Step == at.Steps; i++ {
			same = append(same, s.Raised[i].Error)
		}
		for _, e := range MergeErrors(same) {
			list = append(list, Raised{at.Steps, at, e})
		}
	}
	return list
}
