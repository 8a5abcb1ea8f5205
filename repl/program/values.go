package program

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// Repr writes a value as Python's prompt does, with strings in quotes. A text longer than mostShown bytes is cut and
// ends in three dots.
func Repr(v starlark.Value) string { return beginning(v, mostShown) }

// Text writes a value as Python's print does, so that a program prints the same here and under a real MPI: strings
// bare, but in single quotes inside lists and the like. It ends where Repr does.
func Text(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return Repr(v)
}

// mostShown is how much of a value is shown to a person, in bytes.
const mostShown = 1 << 20

// beginning writes as Repr does, and stops after about so many bytes.
func beginning(v starlark.Value, most int) string {
	w := reprWriter{step: most}
	w.more = func() error { return errLong }
	if w.write(v) != nil {
		return w.b.String() + "..."
	}
	return w.b.String()
}

var errLong = errors.New("long enough")

// text writes as Text does, without an end. It can be stopped, and fails when the memory does not do.
func (r *Rank) text(v starlark.Value) (string, error) {
	if s, ok := starlark.AsString(v); ok {
		return s, nil
	}
	if e, ok := v.(*exception); ok {
		return e.text(), nil
	}
	return r.repr(v)
}

// repr writes as Repr does, without an end, and fails as text does.
func (r *Rank) repr(v starlark.Value) (string, error) {
	const step = 1 << 16
	w := reprWriter{step: step}
	w.more = func() error {
		w.step += step
		return errors.Join(r.pause(), r.Room(uint64(2*w.b.Len()), "the text of this value"))
	}
	err := w.write(v)
	return w.b.String(), err
}

// reprWriter writes values. It keeps a stack of its own: a value may be nested deeper than calls can be.
type reprWriter struct {
	b     strings.Builder
	step  int          // bytes after which more is asked
	more  func() error // whether to go on
	open  []container
	inner map[any]bool // the lists and dicts of open
}

// container is a list, tuple, dict or set that is being written.
type container struct {
	v     starlark.Value
	items []starlark.Value // of a dict or set: keys and values in turn, or elements
	list  starlark.Indexable
	n, at int
	pairs bool
	end   string
}

func (w *reprWriter) write(v starlark.Value) error {
	w.enter(v)
	for len(w.open) > 0 {
		if w.b.Len()+8*len(w.open) > w.step {
			if err := w.more(); err != nil {
				return err
			}
			w.step = max(w.step, w.b.Len()+8*len(w.open))
		}
		top := &w.open[len(w.open)-1]
		if top.at == top.n {
			w.b.WriteString(top.end)
			delete(w.inner, top.v)
			w.open = w.open[:len(w.open)-1]
			continue
		}
		switch {
		case top.pairs && top.at%2 == 1:
			w.b.WriteString(": ")
		case top.at > 0:
			w.b.WriteString(", ")
		}
		top.at++
		if top.list != nil {
			w.enter(top.list.Index(top.at - 1))
		} else {
			w.enter(top.items[top.at-1])
		}
	}
	return nil
}

// enter writes a value, or the beginning of a container. A container inside itself is written as Python and Starlark
// write it.
func (w *reprWriter) enter(v starlark.Value) {
	switch v := v.(type) {
	case starlark.String:
		w.b.WriteString(quoted(string(v)))
	case starlark.Float:
		w.b.WriteString(floatText(float64(v)))
	case *starlark.List:
		w.begin(container{v: v, list: v, n: v.Len(), end: "]"}, "[")
	case starlark.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		w.begin(container{list: v, n: len(v), end: end}, "(")
	case *starlark.Dict:
		items := make([]starlark.Value, 0, 2*v.Len())
		for key, value := range v.Entries() {
			items = append(items, key, value)
		}
		w.begin(container{v: v, items: items, n: len(items), pairs: true, end: "}"}, "{")
	case *starlark.Set:
		if v.Len() == 0 {
			w.b.WriteString("set()")
			return
		}
		items := slices.Collect(v.Elements())
		w.begin(container{items: items, n: len(items), end: "}"}, "{")
	default:
		w.b.WriteString(v.String())
	}
}

func (w *reprWriter) begin(c container, start string) {
	w.b.WriteString(start)
	if c.v == nil {
		w.open = append(w.open, c)
		return
	}
	if w.inner[c.v] {
		w.b.WriteString("..." + c.end)
		return
	}
	if w.inner == nil {
		w.inner = map[any]bool{}
	}
	w.inner[c.v] = true
	w.open = append(w.open, c)
}

// quoted puts a string into Python's quotes: single ones, unless only these occur in it.
func quoted(s string) string {
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		return strconv.Quote(s)
	}
	inner := strconv.Quote(s)
	inner = strings.ReplaceAll(inner[1:len(inner)-1], `\"`, `"`)
	return "'" + strings.ReplaceAll(inner, "'", `\'`) + "'"
}

// floatText writes a float as Python does: with the fewest digits that mean it, and with an exponent only if it is very
// large or very small.
func floatText(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// literal writes a value as a program does; "" when no program can write it.
func literal(v starlark.Value) string {
	if text := Repr(v); IsLiteral(text) {
		return text
	}
	return ""
}

// maxNesting bounds how deep a value that travels may be nested; a list that contains itself is
// deeper than any.
const maxNesting = 200

// pack copies v deeply into a value that nobody modifies any more, so that other ranks may read it. The text of its
// error follows a name, such as "sendobj".
func pack(v starlark.Value) (any, error) {
	p, err := copyValue(v, 0)
	if err != nil {
		return nil, err
	}
	p.Freeze()
	return p, nil
}

// unpack copies a packed value deeply into one that this rank may modify. nil is None.
func unpack(v any) starlark.Value {
	if v == nil {
		return starlark.None
	}
	c, err := copyValue(v.(starlark.Value), 0)
	if err != nil {
		panic("program: a value arrived that cannot travel: " + err.Error())
	}
	return c
}

// unpackAll unpacks a list of values.
func unpackAll(list []any) *starlark.List {
	values := make([]starlark.Value, len(list))
	for i, v := range list {
		values[i] = unpack(v)
	}
	return starlark.NewList(values)
}

// copyValue copies what can be modified, and shares what cannot. It never iterates over v with Starlark's iterators,
// which would write to v.
func copyValue(v starlark.Value, depth int) (starlark.Value, error) {
	if depth > maxNesting {
		return nil, errors.New("is nested too deeply to be sent; does a list contain itself?")
	}
	switch v := v.(type) {
	case starlark.NoneType, starlark.Bool, starlark.Int, starlark.Float, starlark.String, starlark.Bytes:
		return v, nil
	case *Buffer:
		return v.Copy(), nil
	case dtype:
		return v, nil
	case *starlark.List:
		list, err := copyElements(v, depth)
		return starlark.NewList(list), err
	case starlark.Tuple:
		list, err := copyElements(v, depth)
		return starlark.Tuple(list), err
	case *starlark.Dict:
		return copyDict(v, depth)
	case *starlark.Set:
		return copySet(v)
	}
	if v.Type() == "range" { // Starlark does not export this type; its values cannot be modified
		return v, nil
	}
	return nil, fmt.Errorf("cannot be sent: %s is neither None, bool, int, float, string, bytes, list, tuple, range, dict, set nor array", describe(v))
}

func copyElements(v starlark.Indexable, depth int) ([]starlark.Value, error) {
	list := make([]starlark.Value, v.Len())
	for i := range list {
		e, err := copyValue(v.Index(i), depth+1)
		if err != nil {
			return nil, err
		}
		list[i] = e
	}
	return list, nil
}

func copyDict(v *starlark.Dict, depth int) (starlark.Value, error) {
	d := starlark.NewDict(v.Len())
	for _, item := range v.Items() {
		key, err := copyValue(item[0], depth+1)
		if err != nil {
			return nil, err
		}
		value, err := copyValue(item[1], depth+1)
		if err != nil {
			return nil, err
		}
		if err := d.SetKey(key, value); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// copySet copies a set. Its elements are hashable, so only their types need checking.
func copySet(v *starlark.Set) (starlark.Value, error) {
	s := starlark.NewSet(v.Len())
	it := v.Iterate() // writes only to a set that is not frozen, which is this rank's own
	defer it.Done()
	var e starlark.Value
	for it.Next(&e) {
		c, err := copyValue(e, 1)
		if err != nil {
			return nil, err
		}
		if err := s.Insert(c); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// KindInC returns the type in C of a value: "MPI_Comm", "int"; "" for a value without a type in C.
func KindInC(v starlark.Value) string {
	switch v.(type) {
	case *Comm:
		return "MPI_Comm"
	case *Group:
		return "MPI_Group"
	case *Info:
		return "MPI_Info"
	case *Session:
		return "MPI_Session"
	case *Request:
		return "MPI_Request"
	case *Errhandler:
		return "MPI_Errhandler"
	case starlark.Int, starlark.Bool:
		return "int"
	case starlark.String:
		return "char[]"
	}
	return ""
}

// How numpy prints arrays.
const (
	lineWidth = 75   // of a line
	mostAll   = 1000 // elements that are all shown
	edgeItems = 3    // shown at each end of a longer array
	digits    = 8    // behind the point, at most
)

// text writes the array as numpy prints it: all elements equally wide, and of long arrays only the ends.
func (b *Buffer) text() string {
	short := b.Count() > mostAll
	return b.rows("", short, b.formatter(short))
}

// shownAt lists the indices of n elements that are shown; -1 stands for the dots.
func shownAt(n int, short bool) []int {
	var list []int
	for i := range n {
		switch {
		case !short || n <= 2*edgeItems || i < edgeItems || i >= n-edgeItems:
			list = append(list, i)
		case i == edgeItems:
			list = append(list, -1)
		}
	}
	return list
}

// rows writes an array, whose lines but the first begin with indent.
func (b *Buffer) rows(indent string, short bool, format func(cell) string) string {
	if len(b.shape) == 0 {
		return format(b.cells[b.offset])
	}
	if len(b.shape) == 1 {
		return b.line(indent+" ", short, format)
	}
	var s strings.Builder
	s.WriteString("[")
	for k, i := range shownAt(b.shape[0], short) {
		if k > 0 {
			s.WriteString(strings.Repeat("\n", len(b.shape)-1) + indent + " ")
		}
		if i < 0 {
			s.WriteString("...")
			continue
		}
		s.WriteString(b.row(i).(*Buffer).rows(indent+" ", short, format))
	}
	return s.String() + "]"
}

// line writes the elements of one direction, in lines of which all but the first begin with indent.
func (b *Buffer) line(indent string, short bool, format func(cell) string) string {
	var s strings.Builder
	s.WriteString("[")
	width := len(indent)
	for k, i := range shownAt(b.shape[0], short) {
		word := "..."
		if i >= 0 {
			word = format(b.cells[b.at(i)])
		}
		if k > 0 {
			if width+1+len(word) > lineWidth-len(indent) {
				s.WriteString("\n" + indent)
				width = len(indent)
			} else {
				s.WriteString(" ")
				width++
			}
		}
		s.WriteString(word)
		width += len(word)
	}
	return s.String() + "]"
}

// shownCells lists the elements that are shown.
func (b *Buffer) shownCells(short bool) []cell {
	if len(b.shape) == 0 {
		return []cell{b.cells[b.offset]}
	}
	var list []cell
	for _, i := range shownAt(b.shape[0], short) {
		switch {
		case i < 0:
		case len(b.shape) == 1:
			list = append(list, b.cells[b.at(i)])
		default:
			list = append(list, b.row(i).(*Buffer).shownCells(short)...)
		}
	}
	return list
}

// formatter writes elements so that all are equally wide.
func (b *Buffer) formatter(short bool) func(cell) string {
	shown := b.shownCells(short)
	if b.elem.IsFloat() {
		return floatFormatter(b.elem, shown)
	}
	write := func(c cell) string {
		if b.elem == Bool {
			return map[bool]string{true: "True", false: "False"}[c != 0]
		}
		return b.elem.value(c).String()
	}
	width := 0
	for _, c := range shown {
		width = max(width, len(write(c)))
	}
	return func(c cell) string { return padLeft(write(c), width) }
}

func padLeft(s string, width int) string { return strings.Repeat(" ", max(width-len(s), 0)) + s }

// floatFormatter writes floats: with as many digits as tell them apart, eight behind the point at most, and points below each
// other; with exponents where the numbers are very large, small or different.
func floatFormatter(e Elem, shown []cell) func(cell) string {
	bits, verb := 8*e.Bytes(), byte('f')
	least, most := math.Inf(1), 0.0
	for _, c := range shown {
		if f := math.Abs(e.float(c)); f != 0 && !special(f) {
			least, most = min(least, f), max(most, f)
		}
	}
	if most >= 1e8 || most > 0 && (least < 1e-4 || most/least > 1000) {
		verb = 'e'
	}
	left, right, words := 0, 0, 0
	for _, c := range shown {
		if f := e.float(c); special(f) {
			words = max(words, len(floatText(f)))
		} else {
			l, r, _ := cutFloat(f, verb, bits)
			left, right = max(left, len(l)), max(right, len(r))
		}
	}
	_, _, exponent := cutFloat(most, verb, bits)
	behind := 1 + right + len(exponent)
	left = max(left, words-behind)
	fill := map[byte]string{'e': "0", 'f': " "}[verb]
	return func(c cell) string {
		f := e.float(c)
		if special(f) {
			return padLeft(floatText(f), left+behind)
		}
		l, r, exponent := cutFloat(f, verb, bits)
		return padLeft(l, left) + "." + r + strings.Repeat(fill, right-len(r)) + exponent
	}
}

// special reports whether a float is infinite, or no number.
func special(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

// cutFloat writes a float in parts: the digits before the point, those behind it, and the exponent ("e+10"), which only
// the verb e writes.
func cutFloat(f float64, verb byte, bits int) (left, right, exponent string) {
	cut := func(precision int) {
		text := strconv.FormatFloat(f, verb, precision, bits)
		if i := strings.IndexByte(text, 'e'); i >= 0 {
			text, exponent = text[:i], text[i:]
		}
		left, right, _ = strings.Cut(text, ".")
	}
	if cut(-1); len(right) > digits {
		if cut(digits); verb == 'f' {
			right = strings.TrimRight(right, "0")
		}
	}
	return left, right, exponent
}
