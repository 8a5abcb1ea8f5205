package machine

import (
	"strings"

	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// typ is a type with the lengths of its arrays.
type typ struct {
	kind syntax.Kind
	name string
	elem *typ
	n    int64 // of an array of C, its length; -1: slot has it
	slot *variable
	rec  *record // of a structure
}

var (
	intType    = &typ{kind: syntax.Int}
	longType   = &typ{kind: syntax.Long}
	sizeType   = &typ{kind: syntax.ULong}
	doubleType = &typ{kind: syntax.Double}
	floatType  = &typ{kind: syntax.Float}
	charType   = &typ{kind: syntax.Char}
	voidType   = &typ{kind: syntax.Void}
	truthType  = &typ{kind: syntax.Logical}
	textType   = &typ{kind: syntax.Text}
	voidPtr    = &typ{kind: syntax.Pointer, elem: voidType}
	charPtr    = &typ{kind: syntax.Pointer, elem: charType}
)

func pointerTo(t *typ) *typ { return &typ{kind: syntax.Pointer, elem: t} }

func handleType(name string) *typ { return &typ{kind: syntax.Handle, name: name} }

// class tells which part of a slot has the values of a type.
type class uint8

const (
	none class = iota
	ints
	reals
	refs
	values
	records
)

func (t *typ) class() class {
	switch {
	case t == nil || t.kind == syntax.Void:
		return none
	case t.kind <= syntax.ULong:
		return ints
	case t.kind <= syntax.Double:
		return reals
	case t.kind == syntax.Pointer || t.kind == syntax.Array:
		return refs
	case t.kind == syntax.Record:
		return records
	}
	return values
}

func isNumber(k syntax.Kind) bool { return k > syntax.Void && k <= syntax.Double }

func isReal(k syntax.Kind) bool { return k == syntax.Float || k == syntax.Double }

func (t *typ) isArray() bool { return t.kind == syntax.Array }

func (t *typ) isStatus() bool { return t.kind == syntax.Handle && t.name == "MPI_Status" }

// base returns the type of the elements in memory of an array of arrays.
func (t *typ) base() *typ {
	for t.kind == syntax.Array {
		t = t.elem
	}
	return t
}

// size returns what C's sizeof gives for a type whose length is known.
func (t *typ) size() int64 {
	switch t.kind {
	case syntax.Void, syntax.Char, syntax.UChar:
		return 1
	case syntax.Short, syntax.UShort:
		return 2
	case syntax.Logical, syntax.Int, syntax.UInt, syntax.Float:
		return 4
	case syntax.Array:
		return t.n * t.elem.size()
	case syntax.Record:
		return t.rec.bytes
	}
	if t.isStatus() {
		return 24
	}
	return 8
}

var kindNames = map[syntax.Kind]string{
	syntax.Void: "void", syntax.Logical: "logical", syntax.Char: "char", syntax.UChar: "unsigned char", syntax.Short: "short",
	syntax.UShort: "unsigned short", syntax.Int: "int", syntax.UInt: "unsigned int", syntax.Long: "long", syntax.ULong: "unsigned long",
	syntax.Float: "float", syntax.Double: "double", syntax.Function: "a function", syntax.Text: "character",
	syntax.Record: "a structure", syntax.Pointer: "pointers", syntax.Handle: "handles",
}

// String returns the type as C writes it.
func (t *typ) String() string {
	switch t.kind {
	case syntax.Handle:
		return t.name
	case syntax.Record:
		return strings.TrimSpace("struct " + t.rec.name)
	case syntax.Pointer:
		return strings.TrimSpace(t.elem.String() + " *")
	case syntax.Array:
		return t.elem.String() + "[]"
	}
	return kindNames[t.kind]
}

// wrap returns an integer as a variable of the kind holds it.
func wrap(k syntax.Kind, n int64) int64 {
	switch k {
	case syntax.Char:
		return int64(int8(n))
	case syntax.UChar:
		return int64(uint8(n))
	case syntax.Short:
		return int64(int16(n))
	case syntax.UShort:
		return int64(uint16(n))
	case syntax.Int:
		return int64(int32(n))
	case syntax.UInt:
		return int64(uint32(n))
	}
	return n
}

func round(k syntax.Kind, x float64) float64 {
	if k == syntax.Float {
		return float64(float32(x))
	}
	return x
}

// usual returns the type in which C computes with two numbers.
func usual(a, b *typ) *typ {
	switch k := max(a.kind, b.kind); {
	case k <= syntax.Int:
		return intType
	case a.kind == k:
		return a
	}
	return b
}
