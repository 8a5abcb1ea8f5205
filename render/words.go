package render

import (
	"strconv"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Words describes the communicators, calls, waits and explanations of a view in the words that all screens use.
type Words struct {
	view  *View
	names naming
	freed map[int]bool
	stale map[int]*reason.Stale
	args  map[int][]engine.Column // by id of a communicator, once asked for: see argumentsOf
}

// NewWords makes the words for v.
func NewWords(v *View) *Words {
	return &Words{v, newNaming(v), v.Snapshot.Freed(), reason.StaleComms(v.Snapshot), map[int][]engine.Column{}}
}

// Name returns the name of a communicator: "world", "half#2"; "#2" when no variable held it.
func (w *Words) Name(id int) string { return w.names.of(id) }

// Made returns the call that made a communicator, with the arguments of its members, in at most width columns:
// "split color=0", "split_type  hwloc://Core L#3". State returns whether it was freed since.
func (w *Words) Made(c *engine.CommInfo, width int) string { return w.how(c, leastDetail, width, "") }

// Contexts returns the context ids of communicators: "ctx 1", "ctx 1+2" for an intercommunicator, "ctx 2-5".
func (w *Words) Contexts(comms []*engine.CommInfo) string { return contexts(comms, contextWidth) }

// Stale returns why a communicator no longer reflects the hardware; nil when it does, or never did.
func (w *Words) Stale(id int) *reason.Stale { return w.stale[id] }

// Step returns "ranks 0-7 each call MPI_Comm_split on world  demo.py:7". The ranks take at most a third of width.
func (w *Words) Step(s *engine.Step, width int) string {
	text := RankNoun(s.Ranks.List(), width/3) + choose(s.Ranks.Len() == 1, " calls ", " each call ") + s.Call.String()
	text += w.On(s)
	if at := s.Site(); at != "" {
		text += "  " + at
	}
	return text
}

// Comm describes a communicator: head has its name, letter unless that is "", and size; made has the call that
// made it; stale has why it is stale, "" when it is not.
func (w *Words) Comm(c *engine.CommInfo, letter string, width int) (head, made, stale string) {
	head = w.Name(c.ID)
	if letter != "" {
		head += " (" + letter + ")"
	}
	list := []*engine.CommInfo{c}
	head += ": " + Sizes(list) + ", " + contexts(list, contextWidth)
	if state := w.State(list); state != "" {
		head += ", " + state
	}
	if c.Op == engine.CallNone {
		return head, "predefined: all processes, in the order in which they were started", ""
	}
	made = "step " + strconv.Itoa(c.Step) + ": " + w.Made(c, width-8)
	if c.Where != "" {
		made += "  " + c.Where
	}
	if c.Resource != "" {
		made += "; it stands for " + c.Resource
	}
	return head, made, w.whyStale(c.ID)
}

// whyStale returns why a communicator no longer reflects the hardware, in words; "" when it does.
func (w *Words) whyStale(id int) string {
	x := w.stale[id]
	switch {
	case x == nil:
		return ""
	case x.Original != x.Comm:
		return "stale: a duplicate of " + w.Name(x.Original)
	}
	return "stale: " + x.Why() + ". It still works [MPI-5.0 §7.4.2]"
}

// WaitWords is a wait in words: which ranks wait in which call, for which ranks, and what the latter do meanwhile.
type WaitWords struct {
	Who   string // "ranks 1-3"
	What  string // "wait in MPI_Comm_split on world"
	Site  string
	Whom  string // "rank 0", "itself"
	Doing string // ", in MPI_Barrier"
}

// Waiting puts a wait into words. Each of Who, Whom and Doing takes at most half of width.
func (w *Words) Waiting(x engine.Wait, width int) WaitWords {
	t := WaitWords{Who: RankNoun(x.Ranks.List(), width/3), Site: x.Site()}
	t.What = choose(x.Ranks.Len() == 1, "waits in ", "wait in ") + w.WaitCall(x)
	t.Whom, t.Doing = w.Whom(x, width)
	return t
}

// Whom returns for which ranks a wait is, and what these do meanwhile. Each takes at most half of width.
func (w *Words) Whom(x engine.Wait, width int) (whom, doing string) {
	if missing := x.Missing(); len(missing) > 0 {
		return RankNoun(missing.List(), width/2), paint.Cut(w.doing(missing), width/2)
	}
	return choose(x.Ranks.Len() == 1, "itself", "themselves"), ""
}

// WaitCall returns the call in which ranks wait: "MPI_Comm_split on world".
func (w *Words) WaitCall(x engine.Wait) string {
	if x.Comm < 0 {
		return x.Call.String()
	}
	return x.Call.String() + " on " + w.Name(x.Comm)
}

// doing returns the call in which the ranks are that others wait for.
func (w *Words) doing(ranks engine.Ranks) string {
	for _, o := range w.view.Snapshot.Waiting {
		if o.Ranks.Has(ranks.First()) {
			return ", in " + o.Call.String()
		}
	}
	return ", which made no such call"
}
