package program

import (
	"math"
	"math/big"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// What programs of another language than Starlark need of a rank: package machine carries out C and Fortran.

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

// MPI is MPI.name on this rank.
func (r *Rank) MPI(name string) (starlark.Value, error) {
	v, err := (&module{r, mpi, "MPI"}).Attr(name)
	return v, r.callFailed(err)
}

// Call calls a method of a value, or a function of MPI where of is nil.
func (r *Rank) Call(of starlark.Value, name string, args ...starlark.Value) (starlark.Value, error) {
	if of == nil {
		of = &module{r, mpi, "MPI"}
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

// Count is how many elements the message had that a status tells of, and how large each is in bytes; -1 for no message.
func (v *Status) Count() (n, bytes int) { return v.count, v.bytes }

// Number is an integer or a float as a conversion of C's printf writes it. A precision of -1 is none.
func Number(flags string, width, precision int, verb byte, n int64, x float64) string {
	s := spec{fill: ' ', sign: '-', width: width, precision: precision, verb: verb, alternate: strings.Contains(flags, "#"),
		zero: strings.Contains(flags, "0") && !strings.Contains(flags, "-")}
	switch {
	case strings.Contains(flags, "+"):
		s.sign = '+'
	case strings.Contains(flags, " "):
		s.sign = ' '
	}
	if strings.Contains(flags, "-") {
		s.align = '<'
	}
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
	if s.alternate = s.alternate && n != 0; s.alternate && verb == 'o' { // C writes 017, Python 0o17
		s.alternate, s.precision = false, max(precision, len(value.Text(8))+1)
	}
	text, _ := s.integer(value) //nolint:errcheck // the conversion is an integer's
	return text
}

// Ends is an MPI error that the error handler of the program leaves to the program, as a code: MPI_ERRORS_RETURN.
func Ends(err error) (code engine.Class, returned bool) {
	e, ok := err.(*engine.Error)
	if !ok || e.Fatal {
		return 0, false
	}
	return e.Class, true
}
