package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// Failed is a chunk that ended in errors. The session must be rolled back before it goes on.
type Failed struct {
	MPI         []*engine.Error // errors of the standard, merged over ranks
	Program     []*ProgramError // other errors of the program, merged over ranks
	Interrupted bool
	Limit       *Limit        // the limit of time or memory that stopped the chunk; nil for none
	Waiting     []engine.Wait // ranks that were left waiting
	Crash       *Crash        // a rank panicked, a defect of ours: other fields are empty; nil when no rank panicked
}

// Unwrap returns the crash; nil without a crash.
func (f *Failed) Unwrap() error {
	if f.Crash == nil {
		return nil
	}
	return f.Crash
}

// ProgramError is an error of the program that is not MPI's, in the words of the first rank that made it, and all ranks
// that made it at the same place.
type ProgramError struct {
	*lang.Error
	Ranks  engine.Ranks
	Limit  bool // the program reached a limit of the session
	Differ bool // the messages of other ranks have other values
}

// who returns "ranks 0-7", or "rank 0; ranks 1-7 likewise" when the messages of ranks differ.
func (e *ProgramError) who() string {
	if !e.Differ {
		return e.Ranks.Noun()
	}
	all := e.Ranks.Slice()
	return fmt.Sprintf("rank %d; %s likewise", all[0], engine.RanksOf(all[1:]...).Noun())
}

// Limit is a bound of the session that a program reached: of time, of memory, of the size of a number.
type Limit = program.Limit

// Limited reports whether a limit of the session ended the chunk.
func (f *Failed) Limited() bool {
	return f.Limit != nil || slices.ContainsFunc(f.Program, func(e *ProgramError) bool { return e.Limit })
}

// Error lists all errors, a line each.
func (f *Failed) Error() string {
	var lines []string
	if f.Crash != nil {
		return f.Crash.Error()
	}
	if f.Interrupted {
		lines = append(lines, "interrupted")
	}
	if f.Limit != nil {
		lines = append(lines, f.Limit.Error())
	}
	for _, e := range f.MPI {
		lines = append(lines, e.Error())
	}
	for _, e := range f.Program {
		lines = append(lines, fmt.Sprintf("%s (%s)", e.Error.Error(), e.who()))
	}
	return strings.Join(lines, "\n")
}

// position returns a program's error with its place and line of the source.
func position(err error, c *lang.Chunk) *lang.Error {
	var e *program.Error
	if !errors.As(err, &e) {
		return &lang.Error{File: c.File, Line: c.Line, Col: 1, Message: err.Error()}
	}
	source := ""
	if e.File == c.File {
		source = c.LineText(e.Line)
	}
	message := e.Message + notProgram(e.Message) + inBlock(e, source)
	if e.Beyond && strings.HasSuffix(c.File, ".py") {
		message += "; to see what it does under a real MPI: commsplit record -- mpirun -n 4 python3 " + c.File
	}
	return atBody(&lang.Error{File: e.File, Line: e.Line, Col: e.Col, Source: source, Message: message}, c)
}

// notProgram returns a hint for the message about an undefined name that is a verb or a meta command; else "".
func notProgram(message string) string {
	name, ok := strings.CutSuffix(message, " is not defined")
	v := FindVerb(name)
	switch {
	case !ok:
		return ""
	case hw.KnownResource(name):
		return resourceHint(name)
	case strings.EqualFold(strings.ReplaceAll(name, "_", ""), "hwguided"):
		return "; did you mean HW_GUIDED (MPI.COMM_TYPE_HW_GUIDED)?"
	case v != nil:
		return ": it is a verb; write the command without brackets: " + v.Signature()
	case slices.Contains(MetaNames(), name):
		return "; did you mean ." + name + "?"
	case spell.Nearest(name, VerbNames()) != "":
		return "; did you mean the verb " + spell.Nearest(name, VerbNames()) + "?"
	}
	return ""
}

// inBlock returns a hint for a command within a block or behind its colon, which ends behind the verb for a program; else "".
func inBlock(e *program.Error, source string) string {
	if !strings.HasPrefix(e.Message, "the line should end before ") {
		return ""
	}
	words := strings.Fields(string([]rune(source)[:min(max(e.Col-1, 0), utf8.RuneCountInString(source))]))
	if len(words) == 0 || FindVerb(words[len(words)-1]) == nil {
		return ""
	}
	return "; " + words[len(words)-1] + " is a verb, and a command is a line of its own, outside of blocks: @0-2 in front lets only some ranks issue it"
}

// resourceHint returns a hint for the name of a resource that was written as an expression.
func resourceHint(name string) string {
	return fmt.Sprintf("; did you mean resource=%q, as in split_type world HW_GUIDED resource=%[1]q?", name)
}

// Stops returns the reasons of an error, apart from errors of MPI.
func Stops(err error) (list []render.Stop) {
	var f *Failed
	var at *lang.Error
	switch {
	case errors.As(err, &f) && f.Crash == nil && !f.Interrupted && f.Limit == nil:
		for _, e := range f.Program {
			list = append(list, render.Stop{Where: e.Place(), Ranks: e.Ranks, Message: e.Message})
		}
		return list
	case errors.As(err, &at):
		return []render.Stop{{Where: at.Place(), Message: at.Message}}
	}
	return []render.Stop{{Message: err.Error()}}
}

// WriteError writes a line for each error, with the line of the source and a caret where the place is known.
func WriteError(w io.Writer, err error) {
	var failed *Failed
	var at *lang.Error
	switch {
	case errors.As(err, &failed):
		writeFailed(w, failed)
	case errors.As(err, &at):
		writeAt(w, at, "")
	default:
		fmt.Fprintf(w, "error: %v\n", err)
	}
}

// mostTold is how many errors, and how many calls in which ranks were left waiting, are reported one by one. A
// call on many small communicators may fail on each communicator.
const mostTold = 12

func writeFailed(w io.Writer, f *Failed) {
	if f.Crash != nil {
		fmt.Fprintf(w, "error: %v\n", f.Crash)
		return
	}
	if f.Interrupted {
		fmt.Fprintln(w, "interrupted")
		return
	}
	if f.Limit != nil {
		fmt.Fprintf(w, "error: %v\n", f.Limit)
		return
	}
	for i, e := range f.MPI {
		if i == mostTold {
			fmt.Fprintf(w, "       and %d more errors\n", len(f.MPI)-i)
			break
		}
		fmt.Fprintf(w, "error: %s\n", e.Error())
	}
	for _, e := range f.Program {
		writeAt(w, e.Error, " ("+e.who()+")")
	}
	for i, v := range f.Waiting {
		if i == mostTold {
			fmt.Fprintf(w, "       and ranks were left waiting in %d more calls\n", len(f.Waiting)-i)
			break
		}
		fmt.Fprintf(w, "       %s %s left waiting in %s\n", v.Ranks.Noun(), spell.Agreeing(v.Ranks.Len(), "was", "were"), v.Call)
	}
}

func writeAt(w io.Writer, e *lang.Error, who string) {
	fmt.Fprintf(w, "error: %s%s\n", e.Error(), who)
	if caret := e.Caret(); caret != "" {
		fmt.Fprintln(w, caret)
	}
}

// Crash is a panic, which is a defect of commsplit: its value, where it happened, and the stack.
type Crash struct {
	Value any
	Where string // "world.go:14"
	Stack string
	Kept  string // the session's lines as a script; "" when there are none
}

// Error returns one line to report.
func (c *Crash) Error() string {
	return fmt.Sprintf("a bug in commsplit: %v, in %s; please report this line", c.Value, c.Where)
}

// NewCrash describes a panic. A deferred function calls it; the place of the panic is the innermost function of
// commsplit on the stack. A value that is already a *Crash is returned unchanged.
func NewCrash(value any) *Crash {
	if c, ok := value.(*Crash); ok {
		return c
	}
	module := strings.TrimSuffix(reflect.TypeFor[Crash]().PkgPath(), "repl")
	c := &Crash{Value: value, Where: "an unknown place", Stack: string(debug.Stack())}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more, below := true, false; more; {
		var f runtime.Frame
		f, more = frames.Next()
		below = below || f.Function == "runtime.gopanic"
		if below && strings.HasPrefix(f.Function, module) {
			c.Where = fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
			break
		}
	}
	return c
}

// Report returns a script of the kept lines, with the panic and its stack in comments.
func (c *Crash) Report(version string) string {
	text := fmt.Sprintf("commsplit %s: %v, in %s\n%s", version, c.Value, c.Where, c.Stack)
	return c.Kept + "\n# " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n# ") + "\n"
}

// Guarded returns the error that f returns, or a *Crash when f panics. A rank that panics fails with a *Crash.
func Guarded(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = NewCrash(v)
		}
	}()
	return f()
}

// Await returns the error of f, or that of ctx where ctx ends first. f then goes on: read what it sets only where Await
// returns the error of f.
func Await(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// atBody moves an error in the program of a line of C or Fortran to the beginning of that line: the error's columns are
// those of the program.
func atBody(err *lang.Error, c *lang.Chunk) *lang.Error {
	if c.Foreign && c.Kind == lang.Program {
		err.Line, err.Col = c.LineOf(err.Line), c.Body.Col
		if err.Source = c.LineText(err.Line); err.Line > c.Body.Line {
			err.Col = len(err.Source) - len(strings.TrimLeft(err.Source, " \t")) + 1
		}
	}
	return err
}
