package repl

import (
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/repl/lang"
	"commsplit/repl/program"
)

// Outcome is what running one chunk came to.
type Outcome struct {
	Chunk   *lang.Chunk
	Verb    *Verb           // of a command
	Handle  string          // variable that got communicators; "" for none
	Values  []ValueGroup    // what a command or an expression came to, when it is no communicator
	Callers engine.Ranks    // ranks that issued the command's call
	Echo    string          // the command in SPMD words
	From    int             // steps of the trace before the chunk
	Caught  []*engine.Error // errors that expect_error met, merged over ranks
	clears  int             // of expect_deadlock: the first entry that it takes back; -1
	result  string          // variable that got what the command made
	groups  bool            // its group argument is a group object
	bare    engine.Ranks    // see entry
	hidden  []string        // see entry
}

// describe fills in what the command made.
func (s *Session) describe(o *Outcome, cmd *command, ranks engine.Ranks) {
	var later engine.Ranks // blocked before they come to the call
	for r, called := range s.called {
		switch {
		case called:
			o.Callers.Append(int32(r))
		case s.blocked >= 0 && !s.world.Idle(r) && ranks.Has(r):
			later.Append(int32(r))
		}
	}
	o.Echo = cmd.echo(o.Callers, later)
	if cmd.verb.namesRanks() {
		o.Echo = strings.TrimPrefix(s.moves(o.From)+cmd.stillToMove(later), "\n")
	}
	switch cmd.verb.Makes {
	case MakesComm:
		o.Handle = cmd.target
		o.bare = s.bare(cmd.target, ranks)
		s.fillNull(cmd.target, cmd.site().String(), ranks, o.From)
	}
	if cmd.verb.Makes == MakesValue || cmd.verb.tells != "" {
		show := cmd.verb.show
		if show == nil {
			show = program.Text
		}
		o.Values = groupValues(s.values, show)
	}
	if cmd.verb.Name == "expect_error" {
		o.Caught = s.caught()
	}
}

// caught merges the errors that the ranks which issued an expect_error met.
func (s *Session) caught() []*engine.Error {
	var list []*engine.Error
	for r, called := range s.called {
		if e := s.ranks[r]; called && e != nil && e.Caught != nil {
			list = append(list, e.Caught)
		}
	}
	return engine.MergeErrors(list)
}

// ValueGroup is a value as text and the ranks that have it.
type ValueGroup struct {
	Ranks engine.Ranks
	Text  string
}

// groupValues merges equal values over ranks, in order of the lowest rank. None says nothing.
func groupValues(values []starlark.Value, show func(starlark.Value) string) []ValueGroup {
	at := map[string]int{}
	var list []ValueGroup
	for r, v := range values {
		if v == nil || v == starlark.None {
			continue
		}
		text := show(v)
		i, ok := at[text]
		if !ok {
			i = len(list)
			at[text] = i
			list = append(list, ValueGroup{Text: text})
		}
		list[i].Ranks.Append(int32(r))
	}
	return list
}
