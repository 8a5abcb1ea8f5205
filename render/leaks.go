package render

import (
	"io"

	"commsplit/engine"
)

// Leak is what a program made and did not end: where, and on which ranks.
type Leak struct {
	What  string // "communicator half#2", "2 groups"
	Made  string // the call that made it; "" when the kind says it
	Where string // "demo.py:7"; "" when unknown
	Ranks engine.Ranks
}

// Leaks prints the table of what a program never freed or completed.
func Leaks(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	if len(v.Leaks) == 0 {
		p.line(plain("nothing leaked: all that was made was freed or completed"))
		return p.writeTo(w)
	}
	g := newGrid(column{flexible: true}, column{}, column{}, column{flexible: true})
	g.below = 2
	g.row(head("Never freed"), head("Made by"), head("Where"), head("On"))
	for _, l := range v.Leaks {
		ranks := listOf(l.Ranks)
		g.row(text(l.What), text(orDash(l.Made)), text(orDash(l.Where)),
			fitted(func(width int) string { return rankNoun(ranks, width) }))
	}
	g.drawTo(p)
	return p.writeTo(w)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// engineLeaks describes what the engine found, with the names that variables give communicators.
func (v *View) engineLeaks(list []engine.Leak) []Leak {
	names := newNaming(v)
	out := make([]Leak, len(list))
	for i, l := range list {
		d := Leak{Made: l.Call.String(), Where: l.Where, Ranks: l.Ranks}
		about := names.of(l.Comms[0])
		switch l.Kind {
		case engine.LeakedComm:
			d.What = "communicator " + about
			if len(l.Comms) > 1 {
				d.What = itoa(len(l.Comms)) + " communicators " + about + " to " + names.of(l.Comms[len(l.Comms)-1])
			}
		case engine.LeakedContext:
			d.What = about + ", freed, kept by " + plural(l.Count, "operation")
		case engine.LeakedReceive:
			d.What = plural(l.Count, "receive") + " on " + about + " without a message"
		case engine.LeakedMessage:
			d.What = plural(l.Count, "message") + " on " + about + " that nobody received"
		case engine.LeakedDup:
			d.What = plural(l.Count, "duplication") + " of " + about + " not complete"
		}
		out[i] = d
	}
	return out
}

// Unfinished is communication that had not completed when the program ended.
type Unfinished struct {
	What    string       // "message" or "request"
	Ranks   engine.Ranks // that made the call
	Call    engine.Call
	Where   string // "demo.py:7"; "" when unknown
	Message string // the whole sentence
}

// TellUnfinished gives the view what the engine found that never completed.
func (v *View) TellUnfinished(found []engine.Leak) {
	name := Called(v)
	for _, l := range found {
		u := Unfinished{What: "request", Ranks: l.Ranks, Call: l.Call, Where: l.Where}
		on, at, tag := name(l.Comms[0]), "", ""
		if l.Where != "" {
			at = " (" + l.Where + ")"
		}
		if l.Tag >= 0 {
			tag = " with tag " + itoa(l.Tag)
		}
		switch l.Kind {
		case engine.LeakedMessage:
			u.What, u.Ranks = "message", l.Peers
			u.Message = "nobody received " + several(l.Count, "the message", "messages") + tag + " that " + l.Peers.Noun() +
				" sent to " + l.Ranks.Noun() + " on " + on + at
		case engine.LeakedReceive:
			u.Message = "no message" + tag + " came for " + several(l.Count, "the receive", "receives") + " that " + l.Ranks.Noun() +
				" started on " + on + at
		case engine.LeakedDup:
			u.Message = several(l.Count, "the duplication", "duplications") + " of " + on + " that " + l.Ranks.Noun() + " started" + at +
				choose(l.Count == 1, " is", " are") + " not complete"
			if len(l.Peers) > 0 {
				u.Message += ": " + l.Peers.Noun() + " did not call " + l.Call.String()
			}
		}
		v.Unfinished = append(v.Unfinished, u)
	}
}

// several is "the message", or "2 messages".
func several(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return itoa(n) + " " + many
}

// UncompletedRequest is requests that the program completed with no call.
func UncompletedRequest(call engine.Call, count int, ranks engine.Ranks, where string) Unfinished {
	text := ranks.Noun() + " never completed " + several(count, "the request", "requests") + " of " + call.String()
	if where != "" {
		text += " (" + where + ")"
	}
	return Unfinished{"request", ranks, call, where, text + ": call Wait or Test on " + choose(count == 1, "it", "each")}
}

// TellLeaks gives the view its leaks: what the engine found, and handles of other kinds.
func (v *View) TellLeaks(found []engine.Leak, handles []Leak) {
	v.Leaks = append(v.engineLeaks(found), handles...)
}
