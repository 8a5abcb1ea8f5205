package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/repl/lang"
	"commsplit/repl/program"
)

// Failed is a chunk that ended in errors. The session must be rolled back before it goes on.
type Failed struct {
	MPI         []*engine.Error // errors of the standard, merged over ranks
	Program     []*ProgramError // other errors of the program, merged over ranks
	Interrupted bool
	Limit       *Limit        // what stopped it, when that is a limit of time or memory
	Waiting     []engine.Wait // ranks that were left waiting
}

// ProgramError is an error of the program that is not MPI's, as its first rank tells it, and the
// ranks that made it at that place.
type ProgramError struct {
	*lang.Error
	Ranks  engine.Ranks
	Limit  bool // it reached a limit of the session's
	Differ bool // the other ranks tell it with other values
}

// who is "ranks 0-7", or "rank 0; ranks 1-7 likewise" when the message is the first rank's own.
func (e *ProgramError) who() string {
	if !e.Differ {
		return e.Ranks.Noun()
	}
	all := e.Ranks.Slice()
	return fmt.Sprintf("rank %d; %s likewise", all[0], engine.RanksOf(all[1:]...).Noun())
}

// Limit is a bound of the session's that was reached: of time, of memory, of the size of a number.
type Limit = program.Limit

// Limited reports whether a limit of the session's ended the chunk.
func (f *Failed) Limited() bool {
	return f.Limit != nil || slices.ContainsFunc(f.Program, func(e *ProgramError) bool { return e.Limit })
}

// Error is all errors, a line each.
func (f *Failed) Error() string {
	var lines []string
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

func (s *Session) failed(ctx context.Context, f *engine.Failure, c *lang.Chunk) error {
	out := &Failed{MPI: f.Errors, Waiting: f.Waiting, Interrupted: ctx.Err() != nil}
	if errors.As(context.Cause(ctx), &out.Limit) {
		out.Interrupted = false
		return out
	}
	if out.Interrupted {
		return out
	}
	if out.Limit = s.over; out.Limit != nil {
		return out
	}
	at := map[string]*ProgramError{}
	for i, err := range f.Program {
		e := s.position(err, c)
		place := fmt.Sprint(e.File, e.Line, ":", e.Col)
		p := at[place]
		if p == nil {
			p = &ProgramError{Error: e}
			var by *program.Error
			p.Limit = errors.As(err, &by) && by.Limit
			at[place] = p
			out.Program = append(out.Program, p)
		}
		p.Differ = p.Differ || p.Message != e.Message
		p.Ranks = engine.RanksOf(append(p.Ranks.Slice(), int(f.By[i]))...)
	}
	return out
}

// nameFreed calls a communicator that an error is about, because it was freed, what the rank's variable that
// held it is called. The engine knows its number only.
func (s *Session) nameFreed(err error) {
	var f *Failed
	if !errors.As(err, &f) {
		return
	}
	for _, e := range f.MPI {
		rest, about := strings.CutPrefix(e.Text, fmt.Sprintf("communicator %d ", e.Comm))
		if !about || len(e.Ranks) == 0 {
			continue
		}
		r := s.ranks[e.Ranks.First()]
		if i := slices.IndexFunc(s.order, func(name string) bool { return r != nil && program.HeldBy(r.Vars[name]).Comm == e.Comm }); i >= 0 {
			e.Text = s.order[i] + " " + rest
		}
	}
}

// position adds the source line to a program's error.
func (s *Session) position(err error, c *lang.Chunk) *lang.Error {
	var e *program.Error
	if !errors.As(err, &e) {
		return &lang.Error{File: c.File, Line: c.Line, Col: 1, Message: err.Error()}
	}
	source := ""
	if e.File == c.File {
		source = c.LineText(e.Line)
	}
	return &lang.Error{File: e.File, Line: e.Line, Col: e.Col, Source: source, Message: e.Message + notProgram(e.Message)}
}

// notProgram says of a name that a program does not know what it is elsewhere: a verb, or a meta command.
func notProgram(message string) string {
	name, ok := strings.CutSuffix(message, " is not defined")
	v := FindVerb(name)
	switch {
	case !ok:
		return ""
	case v != nil:
		return ": it is the verb of a command, which has no brackets: " + v.Signature()
	case slices.Contains(metaNames(), name):
		return "; did you mean ." + name + "?"
	}
	return ""
}
