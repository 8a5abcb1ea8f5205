package render

import (
	"commsplit/engine"
	"commsplit/engine/reason"
)

// Telling is an explanation in words, before it is laid out.
type Telling struct {
	Head  string        // "world rank 3 is rank 2 of 4 in half#3"
	Facts []reason.Fact // the call first
	Tried []reason.Fact
	Order *reason.Order // nil when nothing is to be seen in it
	Rule  string        // with its section: "Processes with ... [MPI-5.0 §7.4.2]", "" for none
	Of    *Telling
}

// teller puts explanations into words.
type teller struct {
	view  *View
	names naming
}

// tell is an explanation in words. who is "world rank 3", rank its rank in the communicator.
func (x *teller) tell(e *reason.Explanation, who, rank string) *Telling {
	t := &Telling{Head: x.head(e, who, rank), Tried: e.Tried}
	if e.Step != nil {
		t.Facts = append(t.Facts, reason.Fact{Name: "call", Text: x.call(e.Step)})
	}
	t.Facts = append(t.Facts, e.Facts...)
	if e.Order != nil && (e.Full || len(e.Order.Seats) > 1) {
		t.Order = e.Order
	}
	if e.Rule != "" {
		t.Rule = e.Rule + " [" + e.In + "]"
	}
	if e.Of != nil {
		t.Of = x.tell(e.Of, who, rank)
	}
	return t
}

// head says who holds what.
func (x *teller) head(e *reason.Explanation, who, rank string) string {
	one := e.Ranks.Len() == 1
	switch {
	case e.Unset:
		return who + choose(one, " holds no communicator", " hold no communicator")
	case e.Comm < 0 || e.Freed:
		return who + choose(one, " holds MPI_COMM_NULL", " hold MPI_COMM_NULL")
	case e.Rank >= 0:
		return who + " is rank " + rank + " of " + itoa(x.size(e)) + " in " + x.names.of(e.Comm)
	}
	return who + choose(one, " is in ", " are in ") + x.names.of(e.Comm)
}

func choose(one bool, single, several string) string {
	if one {
		return single
	}
	return several
}

// size is the size of the communicator, of the rank's own side of an intercommunicator.
func (x *teller) size(e *reason.Explanation) int {
	info := x.view.Snapshot.Comm(e.Comm)
	if info == nil {
		return 1
	}
	w := int32(e.Ranks.First())
	if e.Rank < len(info.Group) && info.Group[e.Rank] == w {
		return len(info.Group)
	}
	return len(info.Remote)
}

// call is "step 1, MPI_Comm_split on world, demo.py:7".
func (x *teller) call(s *engine.Step) string {
	text := "step " + itoa(s.Number) + ", " + s.Call.String()
	if s.Comm >= 0 {
		text += " on " + x.names.of(s.Comm)
	}
	if at := s.Site(); at != "" {
		text += ", " + at
	}
	return text
}
