package program

import (
	"math"
	"math/big"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// The interface of a rank for programs of other languages than Starlark: package machine runs C and Fortran through
// it.

// Native is code that a function carries out on each rank. assigns are the session's variables that it gives values.
func Native(run func(*Rank) error, assigns []string) *Code {
	c := &Code{native: func(r *Rank) error {
		defer r.endTurn() // the ranks that still compute need it
		return run(r)
	}}
	for _, name := range assigns {
		c.Assigns = append(c.Assigns, Assigned{Name: name})
	}
	return c
}

// Constant is the value of MPI.name where all ranks have the same; ok is false where they do not, or MPI has no
// such name.
func Constant(name string) (v starlark.Value, ok bool) {
	a := mpi.attrs[name]
	if a == nil || a.value == nil {
		return nil, false
	}
	return a.value, true
}

// Has reports whether MPI has a name, which is not a class.
func Has(name string) bool { return mpi.attrs[name] != nil && mpi.attrs[name].inside == nil }

// MPI returns the value of MPI.name on this rank.
func (r *Rank) MPI(name string) (starlark.Value, error) {
	v, err := (&module{r: r, class: mpi, name: "MPI"}).Attr(name)
	return v, r.callFailed(err)
}

// Call calls a method of a value, or a function of MPI where of is nil.
func (r *Rank) Call(of starlark.Value, name string, args ...starlark.Value) (starlark.Value, error) {
	if of == nil {
		of = &module{r: r, class: mpi, name: "MPI"}
	}
	defer r.endTurn()
	v, err := r.attr(of, name)
	if f, ok := v.(*function); ok && err == nil {
		v, err = f.CallInternal(nil, args, nil)
	}
	return v, r.callFailed(err)
}

// Say prints a line.
func (r *Rank) Say(line string) {
	r.P.Print(line)
	r.keepPace()
}

// Turn lets other ranks compute, after n of these calls in all.
func (r *Rank) Turn(n int) error {
	r.endLap(n)
	r.nextTurn()
	if r.stopped.Load() {
		return errStopped
	}
	return nil
}

// Room refuses what takes n bytes for which there is no room. what names it.
func (r *Rank) Room(n uint64, what string) error { return r.room(n, what) }

// Over is a buffer of elements that lie in cells: integers with their sign extended, or the bits of a float64.
func Over(e Elem, cells []uint64) *Buffer {
	return &Buffer{elem: e, cells: cells, shape: []int{len(cells)}, stride: []int{1}}
}

// Placed is a buffer of n parts of such cells, from one on, which are extent apart: where its elements are is counted from the
// beginning of the part.
func Placed(e Elem, cells []uint64, begin, n int, places []int, extent int) *Buffer {
	return &Buffer{elem: e, cells: cells, offset: begin, shape: []int{n * len(places)}, stride: []int{1}, places: places, extent: extent}
}

// Opened notes that the rank made an object that the program should free; or, of one that it noted, that it is freed.
func (r *Rank) Opened(kind string, freed *Open) *Open {
	if freed != nil {
		freed.closed()
		return nil
	}
	return r.opened(kind)
}

// Count is how many elements the message had that a status tells of, and how large each is in bytes; -1 for no message.
func (v *Status) Count() (n, bytes int) { return v.count, v.bytes }

// Number is an integer or a float as a conversion of C's printf writes it. A precision of -1 is none.
func Number(flags string, width, precision int, verb byte, n int64, x float64) string {
	s := spec{fill: ' ', sign: '-', width: width, precision: precision, verb: verb}
	for _, c := range []byte(flags) {
		s.flag(c)
	}
	s.zero = s.zero && s.align != '<'
	if strings.IndexByte("fFeEgG", verb) >= 0 {
		s.zero = s.zero && !math.IsInf(x, 0) && !math.IsNaN(x)
		text, _ := s.float(x) //nolint:errcheck // the conversion is a float's
		return text
	}
	value := big.NewInt(n)
	if verb != 'd' && verb != 'i' {
		value.SetUint64(uint64(n))
		s.sign = '-'
	}
	s.zero = s.zero && precision < 0
	if s.alternate && verb == 'o' { // C writes 017, Python 0o17
		s.precision = max(precision, len(strings.TrimLeft(value.Text(8), "0"))+1)
	}
	s.alternate = s.alternate && n != 0 && verb != 'o'
	if n == 0 && s.precision == 0 { // C writes no digit
		return s.pad(s.signOf(false), "", '>')
	}
	text, _ := s.integer(value) //nolint:errcheck // the conversion is an integer's
	return text
}

// Copy is what an assignment of C makes of a handle: a second one of the object, which is stale when the object is freed
// through the first one. Of a status it is another status.
func (r *Rank) Copy(of starlark.Value) starlark.Value {
	switch v := of.(type) {
	case *Status:
		c := *v
		return &c
	case *Comm:
		if v.c.IsNull() || isPredefined(v) {
			return v
		}
		r.wary = true
		return &Comm{c: v.c, apart: &apart{r: r, topo: v.own().topo, came: v.own().came, copies: copied(&v.own().copies)}}
	case *Group, *Request:
		r.wary = true
		return r.own(v)
	}
	return of
}

// Ends is an MPI error that the error handler of the program leaves to the program, as a code: MPI_ERRORS_RETURN.
func Ends(err error) (code engine.Class, returned bool) {
	e, ok := err.(*engine.Error)
	if !ok || e.Fatal {
		return 0, false
	}
	return e.Class, true
}
