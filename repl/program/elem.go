package program

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/repl/python"
)

// Elem is the type of the elements of a buffer: a row of elemTypes.
type Elem uint8

// The types of elements.
const (
	Bool Elem = iota
	Char
	Int8
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Int64
	Uint64
	Float32
	Float64
)

// elemType describes a type of elements.
type elemType struct {
	name          string // numpy's
	words         string // that mean it in numpy, its letter first
	datatypes     string // MPI's, as C has them; messages name the first one
	bytes         int
	float, signed bool
}

var elemTypes = [...]elemType{
	Bool:    {"bool", "? bool bool_", "C_BOOL BOOL", 1, false, false},
	Char:    {"int8", "b", "CHAR", 1, false, true},
	Int8:    {"int8", "b int8 byte i1", "SIGNED_CHAR INT8_T", 1, false, true},
	Uint8:   {"uint8", "B uint8 ubyte u1", "UNSIGNED_CHAR BYTE UINT8_T", 1, false, false},
	Int16:   {"int16", "h int16 short i2", "SHORT INT16_T", 2, false, true},
	Uint16:  {"uint16", "H uint16 u2", "UNSIGNED_SHORT UINT16_T", 2, false, false},
	Int32:   {"int32", "i int32 intc i4", "INT INT32_T INTEGER", 4, false, true},
	Uint32:  {"uint32", "I uint32 uintc u4", "UNSIGNED UINT32_T", 4, false, false},
	Int64:   {"int64", "l int64 int int_ longlong q i8", "LONG LONG_LONG INT64_T", 8, false, true},
	Uint64:  {"uint64", "L uint64 uint u8", "UNSIGNED_LONG UNSIGNED_LONG_LONG UINT64_T", 8, false, false},
	Float32: {"float32", "f float32 single f4", "FLOAT REAL", 4, true, true},
	Float64: {"float64", "d float64 float float_ double f8", "DOUBLE DOUBLE_PRECISION", 8, true, true},
}

// typeNames are the types of elements by the words of numpy.
var typeNames = func() map[string]Elem {
	all := map[string]Elem{}
	for e, t := range elemTypes {
		for word := range strings.FieldsSeq(t.words) {
			all[word] = Elem(e)
		}
	}
	return all
}()

// String returns numpy's name of the type.
func (e Elem) String() string { return elemTypes[e].name }

// Datatype returns MPI's name of the type without "MPI_".
func (e Elem) Datatype() string {
	name, _, _ := strings.Cut(elemTypes[e].datatypes, " ")
	return name
}

// Bytes returns the size of an element in bytes.
func (e Elem) Bytes() int { return elemTypes[e].bytes }

// IsFloat reports whether elements are floating-point numbers.
func (e Elem) IsFloat() bool { return elemTypes[e].float }

// cell is one element: an integer in its low bits, sign extended, or the bits of a float64.
type cell = uint64

// value converts a cell to a value of programs.
func (e Elem) value(c cell) starlark.Value {
	switch {
	case e == Bool:
		return starlark.Bool(c != 0)
	case e.IsFloat():
		return starlark.Float(math.Float64frombits(uint64(c)))
	case e == Uint64:
		return starlark.MakeUint64(uint64(c))
	}
	return starlark.MakeInt64(int64(c))
}

// cell converts a value to an element of the type.
func (e Elem) cell(v starlark.Value) (cell, error) {
	switch v := v.(type) {
	case starlark.Bool:
		return e.ofInt(asWhole(bool(v))), nil
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return e.ofInt(n), nil
		}
		if n, ok := v.Uint64(); ok && !e.IsFloat() {
			return e.ofInt(int64(n)), nil
		}
		if e.IsFloat() {
			return e.ofFloat(float64(v.Float())), nil
		}
	case starlark.Float:
		return e.ofFloat(float64(v)), nil
	case starlark.String:
		if e == Char && len(v) == 1 {
			return e.ofInt(int64(v[0])), nil
		}
	case *Buffer:
		if v.Count() == 1 {
			return e.cell(v.Get(0))
		}
	}
	return 0, fmt.Errorf("an element of an array of %s must be a number that fits, not %s", e, describe(v))
}

// ofInt converts an integer to an element, cut to the bits of the type.
func (e Elem) ofInt(n int64) cell {
	t := elemTypes[e]
	switch {
	case t.float:
		return e.ofFloat(float64(n))
	case e == Bool:
		return cell(asWhole(n != 0))
	}
	unused := 64 - 8*t.bytes
	if t.signed {
		return cell(uint64(n << unused >> unused))
	}
	return cell(uint64(n) << unused >> unused)
}

// ofFloat converts a float to an element.
func (e Elem) ofFloat(f float64) cell {
	switch {
	case e == Float32:
		return cell(math.Float64bits(float64(float32(f))))
	case e == Float64:
		return cell(math.Float64bits(f))
	case e == Bool:
		return e.ofInt(int64(min(math.Abs(math.Ceil(f)), 1)))
	case math.IsNaN(f) || math.Abs(f) >= 1<<63:
		return e.ofInt(math.MinInt64) // as x86 converts
	}
	return e.ofInt(int64(f))
}

// float converts an element to a float.
func (e Elem) float(c cell) float64 {
	switch {
	case e.IsFloat():
		return math.Float64frombits(uint64(c))
	case e == Uint64:
		return float64(uint64(c))
	}
	return float64(int64(c))
}

// convert converts an element from one type to another.
func convert(from, to Elem, c cell) cell {
	switch {
	case from == to:
		return c
	case from.IsFloat() || from == Uint64 && to.IsFloat():
		return to.ofFloat(from.float(c))
	}
	return to.ofInt(int64(c))
}

// promoted returns the type that an operation of two types gives.
func promoted(a, b Elem) Elem {
	switch {
	case a == b:
		return a
	case a == Bool:
		return b
	case b == Bool:
		return a
	case a.IsFloat() != b.IsFloat():
		f, i := a, b
		if b.IsFloat() {
			f, i = b, a
		}
		if f == Float32 && i.Bytes() > 2 {
			return Float64
		}
		return f
	case a.IsFloat():
		return Float64
	}
	s, t := elemTypes[a], elemTypes[b]
	switch {
	case s.signed == t.signed:
		if s.bytes >= t.bytes {
			return a
		}
		return b
	case s.signed && s.bytes > t.bytes:
		return a
	case t.signed && t.bytes > s.bytes:
		return b
	}
	return map[int]Elem{1: Int16, 2: Int32, 4: Int64, 8: Float64}[max(s.bytes, t.bytes)]
}

// floored divides two integers and rounds as Python does, towards minus infinity; it also returns the rest.
func floored(a, b int64) (quotient, rest int64) {
	quotient, rest = a/b, a%b
	if rest != 0 && (rest < 0) != (b < 0) {
		quotient, rest = quotient-1, rest+b
	}
	return quotient, rest
}

// apply computes p op q for two elements of the type. A comparison gives an element of Bool.
func (e Elem) apply(op syntax.Token, p, q cell) (cell, error) {
	if python.Compares[op] {
		return Bool.ofInt(asWhole(e.compare(op, p, q))), nil
	}
	if f := floatOperators[op]; f != nil && e.IsFloat() {
		return e.ofFloat(f(e.float(p), e.float(q))), nil
	}
	a, b := int64(p), int64(q)
	switch f := wholeOperators[op]; {
	case e.IsFloat():
		return 0, fmt.Errorf("arrays of %s have no operation %s", e, op)
	case f != nil:
		return e.ofInt(f(a, b)), nil
	}
	switch op {
	case syntax.SLASHSLASH, syntax.PERCENT:
		if b == 0 {
			return 0, nil // as numpy does, with a warning
		}
		quotient, rest := floored(a, b)
		if op == syntax.PERCENT {
			return e.ofInt(rest), nil
		}
		return e.ofInt(quotient), nil
	case syntax.STARSTAR:
		if b < 0 {
			return 0, errors.New("integers to negative integer powers are not allowed")
		}
		r := int64(1)
		for ; b > 0; b >>= 1 {
			if b&1 == 1 {
				r *= a
			}
			a *= a
		}
		return e.ofInt(r), nil
	}
	return 0, fmt.Errorf("arrays of %s have no operation %s", e, op)
}

// wholeOperators are the operators on integers that work as in C.
var wholeOperators = map[syntax.Token]func(a, b int64) int64{
	syntax.PLUS:       func(a, b int64) int64 { return a + b },
	syntax.MINUS:      func(a, b int64) int64 { return a - b },
	syntax.STAR:       func(a, b int64) int64 { return a * b },
	syntax.AMP:        func(a, b int64) int64 { return a & b },
	syntax.PIPE:       func(a, b int64) int64 { return a | b },
	syntax.CIRCUMFLEX: func(a, b int64) int64 { return a ^ b },
	syntax.LTLT:       func(a, b int64) int64 { return a << min(uint64(b), 64) },
	syntax.GTGT:       func(a, b int64) int64 { return a >> min(uint64(b), 63) },
}

// floatOperators are the operators on floats.
var floatOperators = map[syntax.Token]func(a, b float64) float64{
	syntax.PLUS:       func(a, b float64) float64 { return a + b },
	syntax.MINUS:      func(a, b float64) float64 { return a - b },
	syntax.STAR:       func(a, b float64) float64 { return a * b },
	syntax.SLASH:      func(a, b float64) float64 { return a / b },
	syntax.SLASHSLASH: func(a, b float64) float64 { return math.Floor(a / b) },
	syntax.STARSTAR:   math.Pow,
	syntax.PERCENT: func(a, b float64) float64 {
		f := math.Mod(a, b)
		if f != 0 && (f < 0) != (b < 0) {
			f += b
		}
		return f
	},
}

func (e Elem) compare(op syntax.Token, p, q cell) bool {
	var sign int
	switch a, b := e.float(p), e.float(q); {
	case !e.IsFloat():
		if p != q {
			sign = 1
			if e == Uint64 && p < q || e != Uint64 && int64(p) < int64(q) {
				sign = -1
			}
		}
	case math.IsNaN(a) || math.IsNaN(b):
		return op == syntax.NEQ
	case a < b:
		sign = -1
	case a > b:
		sign = 1
	}
	return holds[op][sign+1]
}

// holds tells of each comparison whether it holds if the first value is less than the second, equal, or more.
var holds = map[syntax.Token][3]bool{syntax.EQL: {1: true}, syntax.NEQ: {0: true, 2: true},
	syntax.LT: {0: true}, syntax.LE: {0: true, 1: true}, syntax.GT: {2: true}, syntax.GE: {1: true, 2: true}}

// pairwise adds or multiplies as numpy does: in eight lanes, and long arrays in halves.
func pairwise(e Elem, op syntax.Token, start cell, cells []cell) cell {
	add := func(a, b cell) cell {
		c, _ := e.apply(op, a, b)
		return c
	}
	n := len(cells)
	if n < 8 || op != syntax.PLUS {
		for _, c := range cells {
			start = add(start, c)
		}
		return start
	}
	if n <= 128 {
		lanes := slices.Clone(cells[:8])
		i := 8
		for ; i+8 <= n; i += 8 {
			for k := range lanes {
				lanes[k] = add(lanes[k], cells[i+k])
			}
		}
		sum := add(add(add(lanes[0], lanes[1]), add(lanes[2], lanes[3])), add(add(lanes[4], lanes[5]), add(lanes[6], lanes[7])))
		for _, c := range cells[i:] {
			sum = add(sum, c)
		}
		return sum
	}
	half := n / 2
	half -= half % 8
	return add(pairwise(e, op, start, cells[:half]), pairwise(e, op, start, cells[half:]))
}

// dtype is a type of elements as programs see it.
type dtype Elem

func (d dtype) String() string        { return Elem(d).String() }
func (d dtype) Type() string          { return "dtype" }
func (d dtype) Freeze()               {}
func (d dtype) Truth() starlark.Bool  { return true }
func (d dtype) Hash() (uint32, error) { return uint32(d), nil }

// Name implements starlark.Callable.
func (d dtype) Name() string { return Elem(d).String() }

// CallInternal converts a number: numpy.float64(3).
func (d dtype) CallInternal(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return Elem(d).value(0), nil
	}
	c, err := Elem(d).cell(args[0])
	return Elem(d).value(c), err
}

// CompareSameType compares types.
func (d dtype) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return sameHandle(op, Elem(d).String() == Elem(y.(dtype)).String(), "types")
}

// fields are the attributes of the type.
func (d dtype) fields() map[string]starlark.Value {
	t := elemTypes[d]
	return map[string]starlark.Value{"itemsize": starlark.MakeInt(t.bytes), "name": starlark.String(t.name), "char": starlark.String(t.words[:1])}
}

// Attr implements starlark.HasAttrs.
func (d dtype) Attr(name string) (starlark.Value, error) { return d.fields()[name], nil }

// AttrNames implements starlark.HasAttrs.
func (d dtype) AttrNames() []string { return slices.Sorted(maps.Keys(d.fields())) }

// elemNamed returns the type that an argument dtype names.
func elemNamed(v starlark.Value) (Elem, error) {
	switch v := v.(type) {
	case dtype:
		return Elem(v), nil
	case *Datatype:
		return v.elem, nil
	case starlark.String:
		if e, ok := typeNames[strings.TrimLeft(string(v), "<=|")]; ok {
			return e, nil
		}
	case starlark.Callable: // int, float, bool
		if e, ok := typeNames[v.Name()]; ok {
			return e, nil
		}
	}
	return 0, fmt.Errorf("dtype must be a known type of numbers, such as float, int or numpy.int32, not %s", describe(v))
}

// elemOf returns the type that numpy gives an array of the elements of v.
func elemOf(v starlark.Value) Elem {
	switch v := v.(type) {
	case *Buffer:
		return v.elem
	case starlark.Float:
		return Float64
	case starlark.Bool:
		return Bool
	case starlark.String:
		return Int64
	case starlark.Indexable:
		if v.Len() == 0 {
			return Float64
		}
		e := elemOf(v.Index(0))
		for i := range v.Len() {
			e = promoted(e, elemOf(v.Index(i)))
		}
		return e
	}
	return Int64
}
