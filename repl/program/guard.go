package program

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/hw/spell"
)

// What Starlark computes in one step can take any memory, and nothing can stop it: list(range(10**10)),
// [0] * n, "%s" % x, text.join(list). Programs get a guard for each of these instead, which asks for the
// memory first and, where the work is long, looks now and then whether the program is to go on. Steps that
// take no more than what their operands have already are left to Memory.Over.

// errStopped ends the step of a program that was cancelled; the interpreter says why.
var errStopped = errors.New("interrupted")

// guard is a guarded function of one rank.
type guard struct {
	r    *Rank
	name string
	run  func(r *Rank, t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)
}

// Name and the other methods make it a function as Starlark's own are.
func (g *guard) Name() string          { return g.name }
func (g *guard) String() string        { return "<built-in function " + g.name + ">" }
func (g *guard) Type() string          { return "builtin_function_or_method" }
func (g *guard) Freeze()               {}
func (g *guard) Truth() starlark.Bool  { return true }
func (g *guard) Hash() (uint32, error) { return starlark.String(g.name).Hash() }

// CallInternal calls it.
func (g *guard) CallInternal(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return g.run(g.r, t, args, kwargs)
}

// Names of guards that no program can write: the rewriter does.
const (
	timesName  = "(*)"
	plusName   = "(+)"
	growName   = "(+=)"
	formatName = "(%)"
	methodName = "(method)"
)

// guardTable is all guards, by name; a rank has its own of each.
var guardTable = guardList()

// guardIndex finds a guard in the table.
var guardIndex = func() map[string]int {
	index := map[string]int{}
	for i, g := range guardTable {
		index[g.name] = i
	}
	return index
}()

func guardList() []guard {
	list := []guard{
		{name: timesName, run: guardTimes}, {name: plusName, run: guardPlus}, {name: growName, run: guardGrow},
		{name: formatName, run: guardPercent}, {name: methodName, run: guardMethod},
		{name: "int", run: guardInt}, {name: "fail", run: guardFail}, {name: "sorted", run: guardSorted},
		{name: "getattr", run: guardGetattr},
	}
	// What each element of the result takes, in bytes.
	for name, each := range map[string]uint64{
		"list": 16, "tuple": 16, "reversed": 16, "enumerate": 72, "zip": 72, "set": 120, "dict": 120, "bytes": 1,
		"min": 0, "max": 0, "any": 0, "all": 0,
	} {
		fn := starlark.Universe[name]
		list = append(list, guard{name: name, run: func(r *Rank, t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return r.watched(t, fn, name, each, args, kwargs)
		}})
	}
	return list
}

// isGuarded reports whether a name of Starlark's own stands for a guard.
func isGuarded(name string) bool {
	_, ok := guardIndex[name]
	return ok
}

// guarded is the guard of that name; nil when there is none.
func (r *Rank) guarded(name string) *guard {
	i, ok := guardIndex[name]
	if !ok {
		return nil
	}
	if r.guards == nil {
		r.rarely().guards = make([]guard, len(guardTable))
		copy(r.guards, guardTable)
		for i := range r.guards {
			r.guards[i].r = r
		}
	}
	return &r.guards[i]
}

// few is how many elements a step may handle before it is watched.
const few = 1 << 12

// watched calls a function of Starlark. Arguments with many elements are counted, and can be stopped.
func (r *Rank) watched(t *starlark.Thread, fn starlark.Value, name string, each uint64, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var n uint64
	long := false
	for _, a := range args {
		if k := starlark.Len(a); k > few {
			n, long = n+uint64(k), true
		}
	}
	if !long {
		return starlark.Call(t, fn, args, kwargs)
	}
	g, err := r.take(size(n, each), name+" of "+fmt.Sprint(n)+" elements")
	if err != nil {
		return nil, err
	}
	defer g.done()
	r.nextTurn()
	args = append(starlark.Tuple(nil), args...)
	for i, a := range args {
		if it, ok := a.(starlark.Iterable); ok && starlark.Len(a) > few && !asWhole(name, a, len(args)) {
			args[i] = &watch{Iterable: it, r: r, g: g}
		}
	}
	v, err := starlark.Call(t, fn, args, kwargs)
	if stop := r.pause(g); stop != nil {
		return nil, stop
	}
	return v, err
}

// asWhole reports whether a function looks at what an argument is: min and max compare several, a dict
// takes the values of another, and a list may be extended by itself.
func asWhole(name string, a starlark.Value, args int) bool {
	switch a.(type) {
	case starlark.IterableMapping:
		return name == "dict" || name == "update"
	case *starlark.List:
		return name == "extend" || args > 1 && (name == "min" || name == "max")
	case starlark.Tuple:
		return args > 1 && (name == "min" || name == "max")
	}
	return false
}

// watch is an iterable whose iteration ends when the program was cancelled.
type watch struct {
	starlark.Iterable
	r *Rank
	g *grant
}

// Len implements starlark.Sequence: list and tuple allocate that much at once.
func (w *watch) Len() int { return starlark.Len(w.Iterable) }

// Iterate implements starlark.Iterable.
func (w *watch) Iterate() starlark.Iterator {
	return &watchIterator{Iterator: w.Iterable.Iterate(), r: w.r, g: w.g}
}

type watchIterator struct {
	starlark.Iterator
	r *Rank
	g *grant
	n int
}

// Next implements starlark.Iterator.
func (w *watchIterator) Next(p *starlark.Value) bool {
	if w.n++; w.n%few == 0 {
		if w.n == few {
			w.g.allocated()
		}
		if w.r.pause(w.g) != nil {
			return false
		}
	}
	return w.Iterator.Next(p)
}

// guardTimes is x * y.
func guardTimes(r *Rank, _ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return r.times(args[0], args[1])
}

func (r *Rank) times(left, right starlark.Value) (starlark.Value, error) {
	x, y := left, right
	if n, ok := x.(starlark.Int); ok {
		if m, ok := y.(starlark.Int); ok {
			return r.product(n, m)
		}
		x, y = y, x
	}
	n, ok := y.(starlark.Int)
	times, small := n.Int64()
	if !ok || !small || times < 2 {
		return starlark.Binary(syntax.STAR, left, right)
	}
	switch x := x.(type) {
	case *starlark.List:
		elems, err := r.repeat(x, x.Len(), times, "a list")
		if err != nil {
			return nil, err
		}
		return starlark.NewList(elems), nil
	case starlark.Tuple:
		elems, err := r.repeat(x, len(x), times, "a tuple")
		return starlark.Tuple(elems), err
	case starlark.String:
		text, err := r.repeatText(string(x), times)
		return starlark.String(text), err
	case starlark.Bytes:
		text, err := r.repeatText(string(x), times)
		return starlark.Bytes(text), err
	}
	return starlark.Binary(syntax.STAR, left, right)
}

// mostBits is how large an integer may become in a product: beyond it one step would take minutes.
const mostBits = 1 << 23

func (r *Rank) product(x, y starlark.Int) (starlark.Value, error) {
	if _, small := x.Int64(); !small {
		if _, small := y.Int64(); !small && x.BigInt().BitLen()+y.BigInt().BitLen() > mostBits {
			return nil, &Limit{fmt.Sprintf("the product would have more than %d bits, and an integer has no more", mostBits)}
		}
	}
	return x.Mul(y), nil
}

// size is n times each, or as much as there is not.
func size(n, each uint64) uint64 {
	if n > 0 && each > (1<<62)/n {
		return 1 << 62
	}
	return n * each
}

// repeat is the elements of a sequence, so many times.
func (r *Rank) repeat(x starlark.Indexable, n int, times int64, what string) ([]starlark.Value, error) {
	all := size(uint64(n), uint64(times))
	g, err := r.take(size(all, 16), fmt.Sprintf("%s of %d elements", what, all))
	if err != nil {
		return nil, err
	}
	defer g.done()
	if all > few {
		r.nextTurn()
	}
	elems := make([]starlark.Value, 0, all)
	g.allocated()
	for i := range n {
		elems = append(elems, x.Index(i))
	}
	for n > 0 && len(elems) < cap(elems) {
		if err := r.pause(g); err != nil {
			return nil, err
		}
		block := elems[:min(len(elems)/n*n, max(few/n, 1)*n, cap(elems)-len(elems))]
		elems = append(elems, block...)
	}
	return elems, nil
}

// repeatText is a text, so many times.
func (r *Rank) repeatText(x string, times int64) (string, error) {
	all := size(uint64(len(x)), uint64(times))
	g, err := r.take(all, "a text of "+Bytes(all))
	if err != nil || x == "" {
		return "", err
	}
	defer g.done()
	if all > small {
		r.nextTurn()
	}
	var b strings.Builder
	b.Grow(int(all))
	g.allocated()
	block := strings.Repeat(x, int(min(times, int64(max(small/len(x), 1)))))
	for b.Len() < int(all) {
		if err := r.pause(g); err != nil {
			return "", err
		}
		b.WriteString(block[:min(len(block), int(all)-b.Len())])
	}
	return b.String(), nil
}

// guardPlus is x + y.
func guardPlus(r *Rank, _ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return r.plus(args[0], args[1])
}

func (r *Rank) plus(x, y starlark.Value) (starlark.Value, error) {
	var n uint64
	switch x := x.(type) {
	case starlark.Int, starlark.Float:
		return starlark.Binary(syntax.PLUS, x, y)
	case starlark.String, starlark.Bytes:
		n = uint64(starlark.Len(x) + max(starlark.Len(y), 0))
	case *starlark.List, starlark.Tuple:
		n = 16 * uint64(starlark.Len(x)+max(starlark.Len(y), 0))
	}
	g, err := r.take(n, "the sum")
	if err != nil {
		return nil, err
	}
	defer g.done()
	return starlark.Binary(syntax.PLUS, x, y)
}

// guardGrow is x += y, which extends a list and otherwise is a sum.
func guardGrow(r *Rank, t *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	list, ok := args[0].(*starlark.List)
	if _, iterable := args[1].(starlark.Iterable); !ok || !iterable {
		return r.plus(args[0], args[1])
	}
	extend, err := list.Attr("extend")
	if err == nil {
		_, err = r.grow(t, extend.(*starlark.Builtin), args[1:], nil)
	}
	return list, err
}

// guardPercent is x % y, of a number or of a text.
func guardPercent(r *Rank, _ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return r.percent(args[0], args[1])
}

func (r *Rank) percent(left, values starlark.Value) (starlark.Value, error) {
	format, ok := left.(starlark.String)
	if !ok {
		return starlark.Binary(syntax.PERCENT, left, values)
	}
	var longest uint64
	switch v := values.(type) {
	case starlark.Tuple:
		shown, n, err := r.shown(v)
		if err != nil {
			return nil, err
		}
		values, longest = shown, n
	case *starlark.Dict:
		named := starlark.NewDict(v.Len())
		for key, value := range v.Entries() {
			text, n, err := r.shown(starlark.Tuple{value})
			if err != nil {
				return nil, err
			}
			if err := named.SetKey(key, text[0]); err != nil {
				return nil, err
			}
			longest = max(longest, n)
		}
		if !strings.Contains(string(format), "%(") { // the dict itself is shown
			text, n, err := r.shown(starlark.Tuple{v})
			if err != nil {
				return nil, err
			}
			values, longest = text[0], n
			break
		}
		values = named
	default:
		shown, n, err := r.shown(starlark.Tuple{v})
		if err != nil {
			return nil, err
		}
		values, longest = shown[0], n
	}
	n := uint64(len(format)) + size(uint64(strings.Count(string(format), "%")), longest)
	if err := r.room(n, "a text of "+Bytes(n)); err != nil {
		return nil, err
	}
	v, err := starlark.Binary(syntax.PERCENT, format, values)
	return v, conversion(err)
}

// conversion says of a format that nobody knows what is right.
func conversion(err error) error {
	if err != nil && strings.HasPrefix(err.Error(), "unknown conversion") {
		return fmt.Errorf("%w: a %% in the text is followed by s, r, d, i, o, x, X, e, f, g or c, and a sign of its own is %%%%", err)
	}
	return err
}

// shown are values that lists, tuples, dicts and sets stand for as their texts, as Python writes them: one
// may contain itself. longest is the length of the longest text among all.
func (r *Rank) shown(values starlark.Tuple) (texts starlark.Tuple, longest uint64, err error) {
	texts = append(texts, values...)
	for i, v := range values {
		switch v := v.(type) {
		case *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set:
			text, err := r.repr(v)
			if err != nil {
				return nil, 0, err
			}
			texts[i], longest = shownValue{v, text}, max(longest, uint64(len(text)))
		case starlark.String:
			longest = max(longest, uint64(len(v)))
		default:
			longest = max(longest, 64)
		}
	}
	return texts, longest, nil
}

// shownValue is a value with the text that it has in others.
type shownValue struct {
	starlark.Value
	text string
}

func (s shownValue) String() string { return s.text }

// guardInt is int(x).
func guardInt(_ *Rank, t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	const most = 1 << 20
	if len(args) > 0 && starlark.Len(args[0]) > most {
		return nil, &Limit{fmt.Sprintf("int: a text of more than %d digits is no integer here", most)}
	}
	return starlark.Call(t, starlark.Universe["int"], args, kwargs)
}

// guardFail is fail(...), which ends the program with its arguments as print writes them.
func guardFail(r *Rank, t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	texts := append(starlark.Tuple(nil), args...)
	for i, v := range args {
		text, err := r.text(v)
		if err != nil {
			return nil, err
		}
		texts[i] = starlark.String(text)
	}
	return starlark.Call(t, starlark.Universe["fail"], texts, kwargs)
}

// guardSorted is sorted(iterable, key=None, reverse=False). Starlark's own sorts a few.
func guardSorted(r *Rank, t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (_ starlark.Value, err error) {
	sorted := starlark.Universe["sorted"]
	if len(args) == 0 || starlark.Len(args[0]) <= few {
		return starlark.Call(t, sorted, args, kwargs)
	}
	var iterable starlark.Iterable
	var key starlark.Callable
	var reverse bool
	if err := starlark.UnpackArgs("sorted", args, kwargs, "iterable", &iterable, "key?", &key, "reverse?", &reverse); err != nil {
		return nil, err
	}
	all, err := r.watched(t, starlark.Universe["list"], "sorted", 32, args[:1], nil)
	if err != nil {
		return nil, err
	}
	list := all.(*starlark.List)
	s := &sorting{r: r, values: make([]starlark.Value, list.Len()), reverse: reverse}
	for i := range s.values {
		s.values[i] = list.Index(i)
	}
	if s.keys = s.values; key != nil {
		s.keys = make([]starlark.Value, len(s.values))
		for i, v := range s.values {
			if s.keys[i], err = starlark.Call(t, key, starlark.Tuple{v}, nil); err != nil {
				return nil, err
			}
		}
	}
	defer func() {
		if v := recover(); v != nil {
			e, ok := v.(sortError)
			if !ok {
				panic(v)
			}
			err = e.error
		}
	}()
	sort.Stable(s)
	return starlark.NewList(s.values), nil
}

// sorting sorts values by their keys. What ends it is a panic with a sortError.
type sorting struct {
	r            *Rank
	values, keys []starlark.Value
	reverse      bool
	compared     int
}

type sortError struct{ error }

func (s *sorting) Len() int { return len(s.values) }

func (s *sorting) Less(i, j int) bool {
	if s.compared++; s.compared%few == 0 {
		if err := s.r.pause(nil); err != nil {
			panic(sortError{err})
		}
	}
	if s.reverse {
		i, j = j, i
	}
	less, err := starlark.Compare(syntax.LT, s.keys[i], s.keys[j])
	if err != nil {
		panic(sortError{err})
	}
	return less
}

func (s *sorting) Swap(i, j int) {
	s.values[i], s.values[j] = s.values[j], s.values[i]
	if &s.keys[0] != &s.values[0] {
		s.keys[i], s.keys[j] = s.keys[j], s.keys[i]
	}
}

// guardedMethods are the methods of texts, lists, dicts and sets whose result can be much more than the
// value itself, or that take long, with what runs in their place.
var guardedMethods map[string]func(r *Rank, t *starlark.Thread, m *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

func init() { // they lead back to the table of guards
	guardedMethods = map[string]func(*Rank, *starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error){
		"join": (*Rank).join, "replace": (*Rank).replace, "format": (*Rank).format, "extend": (*Rank).grow,
		"update": (*Rank).grow, "union": (*Rank).grow, "split": (*Rank).pieces, "rsplit": (*Rank).pieces, "splitlines": (*Rank).pieces,
	}
}

// guardMethod is the method x.name, guarded.
func guardMethod(r *Rank, _ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	x, name := args[0], string(args[1].(starlark.String))
	h, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil, fmt.Errorf("%s has no .%s field or method", x.Type(), name)
	}
	v, err := h.Attr(name)
	switch {
	case err != nil:
		return nil, err
	case v == nil:
		hint := ""
		if near := spell.Nearest(name, h.AttrNames()); near != "" {
			hint = " (did you mean ." + near + "?)"
		}
		return nil, fmt.Errorf("%s has no .%s field or method%s", x.Type(), name, hint)
	}
	return r.method(v, name), nil
}

// method is an attribute, guarded where it is a method that has to be.
func (r *Rank) method(v starlark.Value, name string) starlark.Value {
	m, builtin := v.(*starlark.Builtin)
	run := guardedMethods[name]
	if !builtin || run == nil || m.Receiver() == nil {
		return v
	}
	return &guard{r: r, name: name, run: func(r *Rank, t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return run(r, t, m, args, kwargs)
	}}
}

// guardGetattr is getattr(x, name), whose methods are guarded, too.
func guardGetattr(r *Rank, t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := starlark.Call(t, starlark.Universe["getattr"], args, kwargs)
	if err != nil || len(args) < 2 {
		return v, err
	}
	name, _ := starlark.AsString(args[1])
	return r.method(v, name), nil
}

// join is text.join(iterable).
func (r *Rank) join(t *starlark.Thread, m *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var n uint64
	if len(args) == 1 {
		if it := starlark.Iterate(args[0]); it != nil {
			each := uint64(starlark.Len(m.Receiver()))
			defer it.Done()
			var v starlark.Value
			for i := 1; it.Next(&v); i++ {
				if s, ok := v.(starlark.String); ok {
					n += uint64(len(s))
				}
				n += each
				if i%few == 0 {
					if err := r.pause(nil); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	if err := r.room(2*n, "a text of "+Bytes(n)); err != nil {
		return nil, err
	}
	return r.watched(t, m, "join", 0, args, kwargs)
}

// replace is text.replace(old, new).
func (r *Rank) replace(t *starlark.Thread, m *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) >= 2 {
		text, _ := starlark.AsString(m.Receiver())
		was, _ := starlark.AsString(args[0])
		now, _ := starlark.AsString(args[1])
		n := uint64(len(text)) + size(uint64(strings.Count(text, was)), uint64(len(now)))
		if err := r.room(n, "a text of "+Bytes(n)); err != nil {
			return nil, err
		}
	}
	return starlark.Call(t, m, args, kwargs)
}

// format is text.format(values).
func (r *Rank) format(t *starlark.Thread, m *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	shown, longest, err := r.shown(args)
	if err != nil {
		return nil, err
	}
	named := make([]starlark.Tuple, len(kwargs))
	for i, kw := range kwargs {
		text, n, err := r.shown(starlark.Tuple{kw[1]})
		if err != nil {
			return nil, err
		}
		named[i], longest = starlark.Tuple{kw[0], text[0]}, max(longest, n)
	}
	text, _ := starlark.AsString(m.Receiver())
	n := uint64(len(text)) + size(uint64(strings.Count(text, "{")), longest)
	if err := r.room(n, "a text of "+Bytes(n)); err != nil {
		return nil, err
	}
	return starlark.Call(t, m, shown, named)
}

// grow is list.extend, and update and union of dicts and sets.
func (r *Rank) grow(t *starlark.Thread, m *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	each := uint64(120)
	if list, ok := m.Receiver().(*starlark.List); ok {
		each = 20 // the list is copied, with a quarter more
		if len(args) == 1 && starlark.Len(args[0]) > few {
			if err := r.room(size(uint64(list.Len()), each), "a longer list"); err != nil {
				return nil, err
			}
		}
	}
	return r.watched(t, m, m.Name(), each, args, kwargs)
}

// pieces is text.split(), rsplit and splitlines.
func (r *Rank) pieces(t *starlark.Thread, m *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if n := uint64(starlark.Len(m.Receiver())); n > small {
		if err := r.room(16*n, "the pieces of a text of "+Bytes(n)); err != nil {
			return nil, err
		}
	}
	return starlark.Call(t, m, args, kwargs)
}
