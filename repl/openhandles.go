package repl

import (
	"cmp"
	"slices"

	"commsplit/engine"
)

// OpenHandle is handles of one kind that one place of the program made and did not free. Communicators
// are not among them: the trace knows those.
type OpenHandle struct {
	Kind  string       // "group", "info", "keyval", ...
	Call  engine.Call  // of a request, what started it; CallNone elsewhere
	Where string       // "demo.py:7"
	Ranks engine.Ranks // that have some
	Count int          // how many, over all these ranks
}

// Open lists the handles that the program made and did not free so far, in the order of where they are
// made. The session must be quiet.
func (s *Session) Open() []OpenHandle {
	type place struct {
		kind string
		call engine.Call
		site engine.Site
	}
	at := map[place]*OpenHandle{}
	var places []place
	for i, r := range s.ranks {
		if r == nil {
			continue
		}
		for _, o := range r.Open() {
			p := place{o.Kind, o.Call, o.Where}
			if at[p] == nil {
				at[p] = &OpenHandle{Kind: o.Kind, Call: o.Call, Where: o.Where.String()}
				places = append(places, p)
			}
			at[p].Ranks.Append(int32(i))
			at[p].Count += o.Count
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.site.File, b.site.File), cmp.Compare(a.site.Line, b.site.Line), cmp.Compare(a.kind, b.kind), cmp.Compare(a.call, b.call))
	})
	list := make([]OpenHandle, len(places))
	for i, p := range places {
		list[i] = *at[p]
	}
	return list
}
