package render

import (
	"slices"
	"strconv"
	"strings"

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

// Run is the arithmetic progression First, First+Step, ... of N numbers.
type Run struct{ First, Step, N int }

// Runs cuts a list into progressions; from the left, each is as long as possible. A progression of two numbers
// must have step 1.
func Runs(list []int32) []Run {
	var runs []Run
	for len(list) > 0 {
		r := firstRun(list)
		runs = append(runs, r)
		list = list[r.N:]
	}
	return runs
}

// firstRun returns the longest progression at the beginning of a list that is not empty.
func firstRun(list []int32) Run {
	if len(list) > 1 {
		step := list[1] - list[0]
		n := 2
		for n < len(list) && list[n]-list[n-1] == step {
			n++
		}
		if n > 2 || step == 1 {
			return Run{int(list[0]), int(step), n}
		}
	}
	return Run{int(list[0]), 1, 1}
}

// String writes a run as "7", "0-3", "0,2,4" or "0,2,..,62".
func (r Run) String() string {
	at := func(i int) string { return strconv.Itoa(r.First + i*r.Step) }
	switch {
	case r.N == 1:
		return at(0)
	case r.Step == 1:
		return at(0) + "-" + at(r.N-1)
	case r.Step == 0:
		return at(0) + "×" + strconv.Itoa(r.N)
	case r.N <= 4:
		parts := make([]string, r.N)
		for i := range parts {
			parts[i] = at(i)
		}
		return strings.Join(parts, ",")
	}
	return at(0) + "," + at(1) + ",..," + at(r.N-1)
}

// Index returns the place of a number in the progression; -1 where it is not there.
func (r Run) Index(n int) int {
	at := n - r.First
	if r.Step == 0 || at%r.Step != 0 || at/r.Step < 0 || at/r.Step >= r.N {
		return -1
	}
	return at / r.Step
}

// pieces writes runs. With together, ranges of equal length at equal distances become one piece:
// "1-15,257-271,..,3841-3855".
func pieces(runs []Run, together bool) []string {
	var list []string
	for i := 0; i < len(runs); {
		n := 1
		for together && i+n < len(runs) && runs[i].N > 1 && evenly(runs[i:i+n+1]) {
			n++
		}
		if n > 3 {
			list = append(list, runs[i].String()+","+runs[i+1].String()+",..,"+runs[i+n-1].String())
			i += n
			continue
		}
		list = append(list, runs[i].String())
		i++
	}
	return list
}

// evenly reports whether the last of some runs continues the others: it has the same length and step, at the same
// distance.
func evenly(runs []Run) bool {
	first, last, before := runs[0], runs[len(runs)-1], runs[len(runs)-2]
	return last.N == first.N && last.Step == first.Step &&
		last.First-before.First == runs[1].First-first.First
}

// rankList writes a list of ranks in at most width columns: "0-3,7", "0,2,..,62", and with an ellipsis at the end
// when even that is too long. Ranks are left out from the end.
func rankList(list []int32, width int) string {
	runs := Runs(list)
	if parts := pieces(runs, true); len(parts) < len(runs) {
		if text := joinPieces(parts, width); !strings.HasSuffix(text, "…") {
			return text
		}
	}
	return joinPieces(pieces(runs, false), width)
}

func joinPieces(parts []string, width int) string {
	var b strings.Builder
	for i, text := range parts {
		need := len(text)
		if i > 0 {
			need++
		}
		if i < len(parts)-1 {
			need += 2 // room for ",…"
		}
		if b.Len()+need > width {
			if b.Len() > 0 {
				b.WriteByte(',')
			}
			return b.String() + "…"
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(text)
	}
	return b.String()
}

// wholeList is the most numbers of a list in rank order that are written one by one.
const wholeList = 16

// OrderList writes a list whose order matters, such as a group, in brackets: "[10,8,6]".
func OrderList(list []int32, width int) string {
	if len(list) <= wholeList {
		parts := make([]string, len(list))
		for i, r := range list {
			parts[i] = strconv.Itoa(int(r))
		}
		if text := "[" + strings.Join(parts, ",") + "]"; len(text) <= width {
			return text
		}
	}
	return "[" + rankList(list, width-2) + "]"
}

// RankNoun returns "rank 3" or "ranks 0-3,7" in at most width columns. If not all ranks fit, it counts them: "768
// ranks 16-63,…".
func RankNoun(list []int32, width int) string {
	if len(list) == 1 {
		return "rank " + strconv.Itoa(int(list[0]))
	}
	if text := rankList(list, width-len("ranks ")); !strings.HasSuffix(text, "…") {
		return "ranks " + text
	}
	count := strconv.Itoa(len(list)) + " ranks"
	text := rankList(list, width-len(count)-1)
	if text == "…" {
		return count
	}
	return count + " " + text
}

// unbounded is a width that cuts nothing.
const unbounded = 1 << 30
