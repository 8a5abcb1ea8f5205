package render

import (
	"slices"
	"strconv"

	"commsplit/engine"
	"commsplit/render/paint"
)

// naming gives communicators the names by which the user knows them.
type naming struct {
	handles map[int][]string   // variables that hold a communicator
	held    map[string][]int32 // what these variables hold, ascending
	called  func(int) string   // the first variable of a communicator that no variable holds any longer
	given   map[int]string     // what MPI_Comm_set_name set
	short   bool               // names of given are cut for a picture
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

// of is "world", "half#2", or "#2" for a communicator that no variable ever held.
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

// step is the communicator that a call was made on, "half#2, half#3" where the two groups called on one each.
func (n naming) step(s *engine.Step) string {
	if s.Comm2 > 0 {
		return n.of(s.Comm) + ", " + n.of(s.Comm2)
	}
	return n.of(s.Comm)
}

// Called gives the names that messages use: "half" for the communicator that the variable half holds, "half#2"
// where half holds another one on other ranks, or else the name that the program set, or "communicator 2".
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

// longestName is how much of a name that a program set a picture shows, in columns.
const longestName = 40

// set is the name that a program gave the communicator, in quotes, or "". The names of predefined communicators
// are left out: they say nothing new.
func (n naming) set(id int) string {
	if name := n.given[id]; id > engine.SelfID && name != "" {
		if n.short {
			name = paint.Cut(paint.OneLine(name), longestName)
		}
		return `"` + name + `"`
	}
	return ""
}

// contextOf is the context id, "1", or the context ids of the two groups of an intercommunicator, "1+2".
func contextOf(c *engine.CommInfo) string {
	if c.Remote == nil {
		return strconv.Itoa(c.Context)
	}
	return strconv.Itoa(c.Context) + "+" + strconv.Itoa(c.Context2)
}

// contextWidth is how many columns context ids take where space is short.
const contextWidth = 20

// contexts is the context ids: "ctx 1", "ctx 2-5", as far as they fit into width.
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
