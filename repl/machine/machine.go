// Package machine carries whole programs of C and Fortran out on the ranks of a world: the tree of package syntax becomes
// functions of Go, whose integers wrap and divide as C's do, whose pointers point into memory that knows its type and its
// length, and which call MPI by the table of calls. A program that C lets go wrong unseen ends here with a message at its
// line: an entry beyond an array, memory that was freed, a variable without a value.
//
// It is no second way to write programs: calls of MPI are those of package program, made at the line of the file, so that
// pictures, the trace, the diagnosis of a deadlock and the report on what was not freed are the same. Variables that hold
// handles of MPI, of the main program, are the session's variables.
//
// Not carried out: unions, files, more than one file, C++, modules. See package syntax for what is refused.
package machine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// memory is what a pointer points into: elements of one type, each a cell, or, of a structure, several cells.
type memory struct {
	kind    syntax.Kind // of the elements; Void: nobody has given the memory a type yet
	cells   []uint64    // integers, sign extended, or the bits of a float64
	any     []any       // handles, pointers, texts
	rec     *record     // of structures, their layout
	bytes   int64       // that were asked for, where the type is open
	freed   bool
	unset   bool   // it stands for what a pointer without a value points to
	address int64  // the number of its first byte; 0: nobody asked for it
	named   string // for messages: the name of the array
	first   int    // for messages: the number of its first entry
}

func (m *memory) len() int { return max(len(m.cells), len(m.any)) }

// ref is a pointer; without memory, NULL.
type ref struct {
	m   *memory
	off int // cells; bytes where the type is open
}

// slot is a variable of a running function. One of its parts is used.
type slot struct {
	set bool
	i   int64
	f   float64
	p   ref
	v   any
}

// frame is a running call of a function.
type frame struct {
	*process
	slots []slot
	ret   slot
	label string // of the loop that a jump of Fortran leaves
}

// process is a rank that runs a program. An operation of the program runs on a process without a rank.
type process struct {
	r         *program.Rank
	globals   []slot
	steps     int
	turns     int
	depth     int
	line      strings.Builder // printed without the end of the line so far
	random    random
	drawn     uint64   // the state of drand48
	args      []string // the program's name and arguments
	begun     bool     // MPI_Init was called
	over      bool     // MPI_Finalize was called
	sessions  bool     // the program has made a session
	known     []any    // handles that Fortran keeps as integers
	input     *reader  // standard input; nil: nothing has been read
	reading   *reader  // where the statement read of Fortran reads
	texts     []received
	fills     []func() // what a call of MPI tells in a status of Fortran that is an array
	addresses int64    // numbers that memory got
	thrown    any      // the panic of a function that a call of MPI called
	handles   bool     // the program chose an error handler: before that, errors end it, as C's handler does
}

// fault is the panic that ends a program with a message.
type fault struct {
	at   syntax.Pos
	text string
}

func wrong(at syntax.Pos, format string, args ...any) {
	panic(&fault{at, fmt.Sprintf(format, args...)})
}

// failed is the panic that ends a program with the error of a call of MPI.
type failed struct{ err error }

// ended is the panic that ends a program by exit.
type ended struct {
	at   syntax.Pos
	code int64
}

// turnSteps is how many steps a rank runs before it asks for a turn, as the interpreter of package program does. A
// call counts as one step.
const turnSteps = 20_000

// mostTurns is how many turns an operation of the program may take.
const mostTurns = 5000

// mostDepth is how many calls of functions may be nested.
const mostDepth = 1000

// step counts a turn of a loop, or a call.
func (p *process) step() {
	if p.steps++; p.steps >= turnSteps {
		p.steps = 0
		if p.turns++; p.r == nil {
			if p.turns > mostTurns {
				panic(failed{errors.New("the operation computes without an end")})
			}
			return
		}
		if err := p.r.Turn(p.turns); err != nil {
			panic(failed{err})
		}
	}
}

// newMemory returns memory of n cells, which are 0.
func (p *process) newMemory(at syntax.Pos, t *typ, n int64) *memory {
	const most = 1 << 26
	if n < 0 || n > most {
		wrong(at, "an array of %d elements is too large: at most %d are possible", n, most)
	}
	p.room(uint64(n)*8, fmt.Sprintf("an array of %d elements", n))
	m := &memory{}
	m.shape(t, int(n))
	return m
}

// room refuses memory for which there is no room.
func (p *process) room(bytes uint64, what string) {
	if p.r == nil {
		return
	}
	if err := p.r.Room(bytes, what); err != nil {
		panic(failed{err})
	}
}

// shape gives the memory so many cells of a type, which are 0.
func (m *memory) shape(t *typ, n int) {
	m.kind, m.rec = t.kind, t.rec
	number := func(p part) bool { return isNumber(p.kind) }
	if isNumber(m.kind) || m.rec != nil && slices.ContainsFunc(m.rec.parts, number) {
		m.cells = make([]uint64, n)
	}
	if m.cells == nil || m.rec != nil && slices.ContainsFunc(m.rec.parts, func(p part) bool { return !number(p) }) {
		m.any = make([]any, n)
	}
}

// inMemory returns a pointer to values in memory of their own.
func inMemory(t *typ, values ...slot) ref {
	m := &memory{}
	m.shape(t, len(values)*int(t.width()))
	for i, s := range values {
		m.put(i*int(t.width()), t, s)
	}
	return ref{m, 0}
}

// check returns the place in the memory of the i-th element behind the pointer.
func (r ref) check(at syntax.Pos, i int64) int {
	k := int64(r.off) + i
	if r.m == nil {
		wrong(at, "the pointer is NULL")
	}
	if r.m.freed {
		wrong(at, "the memory has been freed")
	}
	if n := int64(r.m.len()); k < 0 || k >= n {
		name := r.m.named
		if name == "" {
			name = "the array"
		}
		wrong(at, "there is no entry %d: %s has %d entries", k+int64(r.m.first), name, n)
	}
	return int(k)
}

// run runs the program on a rank.
func (c *Program) run(r *program.Rank) (err error) {
	p := &process{r: r, args: c.args, random: seeded(1)}
	p.globals = make([]slot, len(c.globals))
	defer func() {
		p.flush()
		v, at := recover(), c.main.pos
		e, exits := v.(ended)
		if exits {
			at = e.at
		}
		if v == nil || exits && e.code == 0 {
			v = p.unfinalized(at)
		}
		err = c.errorOf(v)
	}()
	main := &frame{process: p}
	for _, init := range c.init {
		init(main)
	}
	if n := c.main.call(main, c.main.pos, c.mainArgs()); n.i != 0 {
		panic(ended{c.main.pos, n.i})
	}
	return nil
}

// unfinalized returns a fault if MPI_Finalize is missing where the program ends: each process must call it before it exits,
// unless MPI_Abort was called (MPI-5.0 §11.2.2). A program that only has sessions need not.
func (p *process) unfinalized(at syntax.Pos) any {
	if !p.begun || p.over {
		return nil
	}
	return &fault{at, "MPI_Finalize is missing: a process that has called MPI_Init calls it before it ends (MPI-5.0 §11.2.2)"}
}

// errorOf returns the error of a panic that ends a program; nil for a good end.
func (c *Program) errorOf(v any) error {
	switch v := v.(type) {
	case nil:
	case *fault:
		return &program.Error{File: c.file, Line: v.at.Line, Col: v.at.Col, Message: v.text}
	case failed:
		return v.err
	case ended:
		if v.code != 0 {
			return &program.Error{File: c.file, Line: v.at.Line, Col: v.at.Col, Message: fmt.Sprintf("the program ended itself with exit code %d", v.code)}
		}
	default:
		panic(v)
	}
	return nil
}

// print takes printed text, and shows the lines that are complete.
func (p *process) print(text string) {
	for {
		line, rest, whole := strings.Cut(text, "\n")
		p.line.WriteString(line)
		if !whole {
			return
		}
		p.r.Say(p.line.String())
		p.line.Reset()
		text = rest
	}
}

// flush shows printed text that has no end of a line.
func (p *process) flush() {
	if p.line.Len() > 0 {
		p.r.Say(p.line.String())
		p.line.Reset()
	}
}
