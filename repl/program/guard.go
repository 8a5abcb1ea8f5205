package program

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/hw/detect"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl/python"
)

// A single step of Starlark can take any memory and any time, and cannot be stopped: list(range(10**10)), [0] * n,
// "%s" % x, text.join(list). For each of these steps, programs get a guard that first refuses a result too large for
// one value, or too large for the memory (see Rank.Room). Memory.Over handles steps that take no more than their
// operands already have.

// Bounds of one value: a step must end soon enough for Ctrl-C.
const (
	mostBytes    = 1 << 28 // of a text
	mostElements = 1 << 24 // of a list, tuple, set or dict, or of what a function goes through
	mostSorted   = 1 << 21 // elements
	mostBits     = 1 << 23 // of an integer that is a product
	mostDigits   = 1 << 20 // of a text that int reads
)

// few is the number of elements up to which no guard looks at a step.
const few = 1 << 12

// Names of guards that no program can write: the rewriter does.
const (
	timesName  = "(*)"
	plusName   = "(+)"
	formatName = "(%)"
	methodName = "(method)"
)

// guards are the guarded functions, by name.
var guards = guardTable()

func guardTable() map[string]starlark.Value {
	table := functions(pythonFunctions, nil)
	for _, guards := range []map[string]method{attemptGuards, pythonGuards, {
		timesName: operator(syntax.STAR), plusName: operator(syntax.PLUS), formatName: operator(syntax.PERCENT), python.Power: operator(syntax.STARSTAR),
		methodName: guardMethod, "int": guardInt, "fail": guardFail, "getattr": guardGetattr,
	}} {
		for name, run := range guards {
			table[name] = pythonFunction(name, "*args", run)
		}
	}
	for name, each := range map[string]uint64{ // what each element of the result takes, in bytes
		"list": 16, "tuple": 16, "reversed": 16, "sorted": 48, "enumerate": 72, "zip": 72, "set": 120, "dict": 120, "bytes": 1,
		"min": 0, "max": 0, "any": 0, "all": 0,
	} {
		table[name] = pythonFunction(name, "*args", func(c *call) (starlark.Value, error) {
			if err := c.r.roomForElements(name, each, c.pos); err != nil {
				return nil, err
			}
			if name == "zip" || name == "enumerate" { // Starlark takes no texts there
				c.pos = slices.Clone(c.pos)
				for i, a := range c.pos {
					if s, ok := a.(starlark.String); ok {
						c.pos[i] = characters(string(s))
					}
				}
			}
			return c.starlarks()
		})
	}
	return table
}

// starlarks calls Starlark's own function of the name of the call.
func (c *call) starlarks() (starlark.Value, error) {
	return starlark.Call(c.thread, starlark.Universe[c.fn.name], c.pos, c.kw)
}

// characters returns the list of the characters of a text.
func characters(s string) *starlark.List {
	var list []starlark.Value
	for _, c := range s {
		list = append(list, starlark.String(c))
	}
	return starlark.NewList(list)
}

// operator makes the guard of an operator.
func operator(op syntax.Token) method {
	return func(c *call) (starlark.Value, error) { return c.r.operate(op, c.pos[0], c.pos[1]) }
}

// guardedMethods are the methods of texts, lists, dicts and sets whose result can be much larger than the value, or
// that take long. The functions look at the arguments first.
var guardedMethods = map[string]func(r *Rank, of starlark.Value, args starlark.Tuple) error{
	"join": (*Rank).roomToJoin, "replace": (*Rank).roomToReplace,
	"extend": (*Rank).roomToGrow, "update": (*Rank).roomToGrow, "union": (*Rank).roomToGrow,
	"split": (*Rank).roomToSplit, "rsplit": (*Rank).roomToSplit, "splitlines": (*Rank).roomToSplit,
}

// size returns n times each, or a size beyond all memories when that does not fit.
func size(n, each uint64) uint64 {
	if n > 0 && each > (1<<62)/n {
		return 1 << 62
	}
	return n * each
}

// roomForText refuses a text of n bytes for which there is no room.
func (r *Rank) roomForText(n uint64) error {
	if n > mostBytes {
		return &Limit{fmt.Sprintf("a text of %s is too long: at most %s are possible", Bytes(n), Bytes(mostBytes))}
	}
	return r.Room(n, "a text of "+Bytes(n))
}

// roomForMany refuses n elements of so many bytes each for which there is no room. what names the value that has them.
func (r *Rank) roomForMany(what string, n, each uint64) error {
	if n <= few {
		return nil
	}
	most := uint64(mostElements)
	if what == "sorted" {
		most = mostSorted
	}
	what = fmt.Sprintf("%s of %d elements", what, n)
	if n > most {
		return &Limit{fmt.Sprintf("%s is too much for one step, which handles %d at most", what, most)}
	}
	return r.Room(n*each, what)
}

// roomForElements refuses the elements of arguments for which there is no room.
func (r *Rank) roomForElements(name string, each uint64, args starlark.Tuple) error {
	var n uint64
	for _, a := range args {
		n += uint64(max(starlark.Len(a), 0))
	}
	return r.roomForMany(name, n, each)
}

// operate computes x op y within the bounds for operations of programs.
func (r *Rank) operate(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		holds, err := comparison(op, x, y)
		return starlark.Bool(holds), err
	case syntax.STAR:
		return r.times(x, y)
	case syntax.PLUS:
		return r.plus(x, y)
	case syntax.STARSTAR:
		return power(x, y)
	case syntax.PERCENT:
		if format, ok := x.(starlark.String); ok {
			text, err := r.interpolate(string(format), y)
			return starlark.String(text), err
		}
	}
	return starlark.Binary(op, x, y)
}

// times computes x * y.
func (r *Rank) times(x, y starlark.Value) (starlark.Value, error) {
	of, by := x, y
	if n, ok := x.(starlark.Int); ok {
		if m, ok := y.(starlark.Int); ok {
			return product(n, m)
		}
		of, by = y, x
	}
	if n, ok := by.(starlark.Int); ok {
		var err error
		times, _ := n.Int64()
		all := size(uint64(max(starlark.Len(of), 0)), uint64(max(times, 0)))
		switch of.(type) {
		case *starlark.List:
			err = r.roomForMany("a list", all, 16)
		case starlark.Tuple:
			err = r.roomForMany("a tuple", all, 16)
		case starlark.String, starlark.Bytes:
			err = r.roomForText(all)
		}
		if err != nil {
			return nil, err
		}
	}
	return starlark.Binary(syntax.STAR, x, y)
}

// product computes x * y. Beyond mostBits one step would take minutes.
func product(x, y starlark.Int) (starlark.Value, error) {
	if _, small := x.Int64(); !small {
		if _, small := y.Int64(); !small && x.BigInt().BitLen()+y.BigInt().BitLen() > mostBits {
			return nil, &Limit{fmt.Sprintf("the product would have more than %d bits, the most that an integer can have", mostBits)}
		}
	}
	return x.Mul(y), nil
}

// plus computes x + y.
func (r *Rank) plus(x, y starlark.Value) (starlark.Value, error) {
	var err error
	n := uint64(max(starlark.Len(x), 0) + max(starlark.Len(y), 0))
	switch x.(type) {
	case starlark.String, starlark.Bytes:
		err = r.roomForText(n)
	case *starlark.List, starlark.Tuple:
		err = r.roomForMany("the sum", n, 16)
	}
	if err != nil {
		return nil, err
	}
	return starlark.Binary(syntax.PLUS, x, y)
}

// grow carries out list += y.
func (r *Rank) grow(t *starlark.Thread, list *starlark.List, y starlark.Value) (starlark.Value, error) {
	if !isA[starlark.Iterable](y) {
		return r.plus(list, y)
	}
	extend, err := methodNamed(list, "extend")
	if err == nil {
		_, err = starlark.Call(t, extend, starlark.Tuple{y}, nil)
	}
	return list, err
}

// guardInt carries out int(x).
func guardInt(c *call) (starlark.Value, error) {
	if len(c.pos) > 0 && starlark.Len(c.pos[0]) > mostDigits {
		return nil, &Limit{fmt.Sprintf("int: a text of more than %d digits is not an integer here", mostDigits)}
	}
	return c.starlarks()
}

// guardFail carries out fail(...), which ends the program with its arguments as print writes them.
func guardFail(c *call) (starlark.Value, error) {
	c.pos = slices.Clone(c.pos)
	for i, v := range c.pos {
		text, err := c.r.text(v)
		if err != nil {
			return nil, err
		}
		c.pos[i] = starlark.String(text)
	}
	return c.starlarks()
}

// guardMethod returns the method of a value, its first argument, with the name that comes second.
func guardMethod(c *call) (starlark.Value, error) {
	return methodNamed(c.pos[0], string(c.pos[1].(starlark.String)))
}

// methodNamed returns the method x.name, guarded if it has to be.
func methodNamed(x starlark.Value, name string) (starlark.Value, error) {
	h, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil, fmt.Errorf("%s has no .%s field or method", x.Type(), name)
	}
	v, err := h.Attr(name)
	switch {
	case err != nil:
		return nil, err
	case v == nil && pythonMethods[name] != nil && pythonMethods[name](x) != nil:
		return pythonMethods[name](x), nil
	case v == nil:
		hint := ""
		if near := spell.Nearest(name, h.AttrNames()); near != "" {
			hint = " (did you mean ." + near + "?)"
		}
		return nil, fmt.Errorf("%s has no .%s field or method%s", x.Type(), name, hint)
	}
	return guardedMethod(v, name), nil
}

// guardedMethod returns an attribute; a method that has to be guarded, guarded.
func guardedMethod(v starlark.Value, name string) starlark.Value {
	m, builtin := v.(*starlark.Builtin)
	if of, text := receiver(m).(starlark.String); text && name == "format" {
		return pythonFunction(name, "*args", func(c *call) (starlark.Value, error) {
			text, err := c.r.fill(string(of), c.pos, c.kw)
			return starlark.String(text), err
		})
	}
	look := guardedMethods[name]
	if !builtin || look == nil || m.Receiver() == nil {
		return v
	}
	return pythonFunction(name, "*args", func(c *call) (starlark.Value, error) {
		if err := look(c.r, m.Receiver(), c.pos); err != nil {
			return nil, err
		}
		return starlark.Call(c.thread, m, c.pos, c.kw)
	})
}

// receiver returns the value that method m belongs to; nil for none.
func receiver(m *starlark.Builtin) starlark.Value {
	if m == nil {
		return nil
	}
	return m.Receiver()
}

// guardGetattr carries out getattr(x, name), with guarded methods.
func guardGetattr(c *call) (starlark.Value, error) {
	v, err := c.starlarks()
	if err != nil || len(c.pos) < 2 {
		return v, err
	}
	name, _ := starlark.AsString(c.pos[1])
	return guardedMethod(v, name), nil
}

// roomToJoin refuses text.join(iterable) when there is no room for the result.
func (r *Rank) roomToJoin(of starlark.Value, args starlark.Tuple) error {
	if err := r.roomForElements("join", 0, args); err != nil || len(args) != 1 {
		return err
	}
	it := starlark.Iterate(args[0])
	if it == nil {
		return nil
	}
	defer it.Done()
	var n uint64
	for v := starlark.Value(nil); it.Next(&v); {
		n += uint64(starlark.Len(of)) + uint64(max(starlark.Len(v), 0))
	}
	return r.roomForText(n)
}

// roomToReplace refuses text.replace(old, new) when there is no room for the result.
func (r *Rank) roomToReplace(of starlark.Value, args starlark.Tuple) error {
	if len(args) < 2 {
		return nil
	}
	text, _ := starlark.AsString(of)
	was, _ := starlark.AsString(args[0])
	now, _ := starlark.AsString(args[1])
	return r.roomForText(uint64(len(text)) + size(uint64(strings.Count(text, was)), uint64(len(now))))
}

// roomToGrow refuses list.extend, and update and union of dicts and sets, when there is no room for the result.
func (r *Rank) roomToGrow(of starlark.Value, args starlark.Tuple) error {
	switch _, ok := of.(*starlark.List); {
	case !ok:
		return r.roomForElements("the dict or set", 120, args)
	case len(args) == 1 && starlark.Len(args[0]) > few: // the list is copied, with a quarter more
		return r.roomForElements("extend", 20, starlark.Tuple{of, args[0]})
	}
	return nil
}

// roomToSplit refuses text.split(), rsplit and splitlines when there is no room for the pieces.
func (r *Rank) roomToSplit(of starlark.Value, _ starlark.Tuple) error {
	n := uint64(starlark.Len(of))
	return r.Room(16*n, "the pieces of a text of "+Bytes(n))
}

// Memory bounds what the programs of a world take, in bytes. Ranks may ask at once.
type Memory struct {
	Most   uint64 // the bound
	Why    string // who set it, in the message for a program that takes more
	Shares bool   // other sessions are in the process, which have bounds of their own
	others uint64 // what they have, as far as can be told
	own    uint64 // what this one had when its latest line ended

	looking sync.Mutex // of Over, Begin and End
	objects uint64     // in use at the latest look
}

// used subtracts from all that the process has in use what other sessions have.
func (m *Memory) used(all uint64) uint64 { return all - min(m.others, all) }

// Limit says that a program reached a limit of the session. Its text has no mistake.
type Limit struct{ Message string }

func (l *Limit) Error() string { return l.Message }

// Up to small bytes are allowed without a look at the memory: Over sees their sum. Before much is allocated, the machine is
// asked, too.
const (
	small = 1 << 20
	much  = 1 << 26
)

// Room refuses an operation that takes n bytes for which there is no room. what names the result in the message.
func (r *Rank) Room(n uint64, what string) error {
	m := r.all.memory
	if m == nil || n < small {
		return nil
	}
	r.nextTurn() // no more ranks than have turns allocate at once
	if n <= m.Most && !m.fits(n) {
		r.endTurn()
		runtime.GC()
		r.nextTurn()
	}
	var free uint64
	if n >= much {
		free = detect.Available()
	}
	switch {
	case n > m.Most:
		return &Limit{fmt.Sprintf("%s would take %s, and the session may have %s in all: %s", what, Bytes(n), Bytes(m.Most), m.Why)}
	case !m.fits(n):
		return &Limit{fmt.Sprintf("%s would take %s beside what the session has already, and the session may have %s in all: %s",
			what, Bytes(n), Bytes(m.Most), m.Why)}
	case free > 0 && n > free:
		return &Limit{fmt.Sprintf("%s would take %s, and the machine has %s left", what, Bytes(n), Bytes(free))}
	}
	return nil
}

// fits reports whether there is room for n bytes more, beside what is in use and what is garbage.
func (m *Memory) fits(n uint64) bool { return m.used(inUse())+n <= m.Most }

// await waits while the programs take more than they may, until somebody looks at the memory, and collects the garbage
// or stops the programs. So ranks that allocate in steps do not come far beyond their bound.
func (m *Memory) await(stopped *atomic.Bool) {
	const looks, pause = 50, 10 * time.Millisecond
	for range looks {
		if m.fits(0) || stopped.Load() {
			return
		}
		time.Sleep(pause)
	}
}

// Holds refuses what needs at least n bytes in all. what names it in the message.
func (m *Memory) Holds(n uint64, what string) error {
	if n <= m.Most {
		return nil
	}
	return &Limit{fmt.Sprintf("%s takes about %s, and the session may have %s: %s", what, Bytes(n), Bytes(m.Most), m.Why)}
}

// Over reports whether the programs take more than they may, or soon would. It is to be called every few milliseconds.
func (m *Memory) Over() *Limit {
	if m == nil {
		return nil
	}
	m.looking.Lock()
	defer m.looking.Unlock()
	objects, stacks := inUseOf()
	next := m.growth(objects)
	m.objects = objects
	if m.used(objects+stacks)+next <= m.Most && (next == 0 || next <= cmp.Or(detect.Available(), m.Most)) {
		return nil
	}
	runtime.GC()
	m.objects, stacks = inUseOf()
	next = min(next, 2*m.objects)
	used := m.used(m.objects + stacks)
	switch free := cmp.Or(detect.Available(), m.Most); {
	case used > m.Most:
		return &Limit{fmt.Sprintf("the session takes %s and grows, and it may have %s: %s", Bytes(used), Bytes(m.Most), m.Why)}
	case used+next > m.Most:
		return &Limit{fmt.Sprintf("the session takes %s, grew by %s at once, and may have %s: %s", Bytes(used), Bytes(next/2), Bytes(m.Most), m.Why)}
	case next > free:
		return &Limit{fmt.Sprintf("the session takes %s and grows: the machine has %s left", Bytes(used), Bytes(free))}
	}
	return nil
}

// growth estimates what programs are about to take, if objects, in bytes, are in use now. What took a good part of the
// memory since the latest look is a list or dict that grew, and it takes twice as much the next time. Stacks do not
// count: those of all ranks of a large world come at once.
func (m *Memory) growth(objects uint64) uint64 {
	if grown := objects - min(objects, m.objects); grown > max(4*much, m.Most/16) {
		return 2 * grown
	}
	return 0
}

// Begin lets Over look for growth from now on.
func (m *Memory) Begin() {
	if m != nil {
		m.looking.Lock()
		defer m.looking.Unlock()
		if m.Shares {
			all := settled()
			m.others = all - min(m.own, all)
		}
		m.objects, _ = inUseOf()
	}
}

// End notes what the session has in use, before other sessions go on.
func (m *Memory) End() {
	if m != nil && m.Shares {
		m.looking.Lock()
		defer m.looking.Unlock()
		m.own = m.used(settled())
	}
}

// settled returns what is in use without much garbage: nobody knows whose garbage it is.
func settled() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if objects, _ := inUseOf(); objects > live[0].Value.Uint64()+2*much {
		runtime.GC()
	}
	return inUse()
}

// inUse returns what the process has in use, with the stacks of ranks and with garbage that is not yet collected.
func inUse() uint64 {
	objects, stacks := inUseOf()
	return objects + stacks
}

// inUseOf returns the two parts of inUse.
func inUseOf() (objects, stacks uint64) {
	s := [2]metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(s[:])
	return s[0].Value.Uint64(), s[1].Value.Uint64()
}

// Bytes writes a size for people: "512 MB", "17 GB", in powers of 1024.
func Bytes(n uint64) string {
	units := []string{"bytes", "KB", "MB", "GB", "TB", "PB"}
	k := 0
	f := float64(n)
	for ; f >= 1024 && k+1 < len(units); k++ {
		f /= 1024
	}
	if f < 10 && k > 0 {
		return fmt.Sprintf("%.1f %s", f, units[k])
	}
	return fmt.Sprintf("%.0f %s", f, units[k])
}
