package render

import (
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// naming finds the names that the user knows for communicators.
type naming struct {
	handles map[int][]string   // variables that hold a communicator
	held    map[string][]int32 // the communicators that each variable holds, ascending
	called  func(int) string   // the first variable that held a communicator, for communicators that no variable holds now
	given   map[int]string     // names set with MPI_Comm_set_name
	short   bool               // given names are cut for a picture
}

func newNaming(v *View) naming {
	n := naming{handles: map[int][]string{}, held: map[string][]int32{}, called: v.Called, given: v.Snapshot.Names()}
	for i := range v.Handles {
		h := &v.Handles[i]
		last := int32(-1)
		for _, id := range h.IDs {
			if id == last || id < 0 {
				continue
			}
			last = id
			if !slices.Contains(n.handles[int(id)], h.Name) {
				n.handles[int(id)] = append(n.handles[int(id)], h.Name)
				n.held[h.Name] = append(n.held[h.Name], id)
			}
		}
		slices.Sort(n.held[h.Name])
	}
	return n
}

// of returns "world", "half#2", or "#2" for a communicator that no variable ever held.
func (n naming) of(id int) string {
	switch id {
	case -1:
		return "-"
	case 0:
		return "world"
	case engine.SelfID:
		return "self"
	}
	name := ""
	if list := n.handles[id]; len(list) > 0 {
		name = list[0]
	} else if n.called != nil {
		name = n.called(id)
	}
	return name + "#" + strconv.Itoa(id)
}

// step returns the name of the communicator that a call was made on; "half#2, half#3" where two groups called on a
// communicator each.
func (n naming) step(s *engine.Step) string {
	if s.Comm2 > 0 {
		return n.of(s.Comm) + ", " + n.of(s.Comm2)
	}
	return n.of(s.Comm)
}

// Called returns the function that names communicators in messages: "half" for the communicator that the variable
// half holds, "half#2" where half holds another communicator on other ranks, or else the name that the program
// set, or "communicator 2".
func Called(v *View) func(id int) string {
	n := newNaming(v)
	return func(id int) string {
		switch list := n.handles[id]; {
		case id <= engine.SelfID:
			return n.of(id)
		case len(list) > 0 && len(n.held[list[0]]) == 1:
			return list[0]
		case len(list) > 0:
			return n.of(id)
		case n.set(id) != "":
			return "communicator " + paint.OneLine(n.set(id))
		}
		return "communicator " + strconv.Itoa(id)
	}
}

// longestName is the most columns of a name set by a program in a picture.
const longestName = 40

// set returns the name that a program set for the communicator, in quotes, or "". It leaves out the names of
// predefined communicators, which are always the same.
func (n naming) set(id int) string {
	if name := n.given[id]; id > engine.SelfID && name != "" {
		if n.short {
			name = paint.Cut(paint.OneLine(name), longestName)
		}
		return `"` + name + `"`
	}
	return ""
}

// contextOf returns the context id, "1", or the context ids of the two groups of an intercommunicator, "1+2".
func contextOf(c *engine.CommInfo) string {
	if c.Remote == nil {
		return strconv.Itoa(c.Context)
	}
	return strconv.Itoa(c.Context) + "+" + strconv.Itoa(c.Context2)
}

// contextWidth is the columns of context ids where space is short.
const contextWidth = 20

// contexts returns the context ids: "ctx 1", "ctx 2-5", shortened to width.
func contexts(comms []*engine.CommInfo, width int) string {
	if len(comms) == 1 {
		return "ctx " + contextOf(comms[0])
	}
	var list []int32
	for _, c := range comms {
		list = append(list, int32(c.Context))
	}
	slices.Sort(list)
	return "ctx " + rankList(slices.Compact(list), width-len("ctx "))
}
