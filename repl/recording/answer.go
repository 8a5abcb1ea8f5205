package recording

import (
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
)

// Seat is the place of a process in a communicator.
type Seat struct {
	Null                 bool // it has MPI_COMM_NULL
	Leader, Rank, Size   int  // of its own group; Leader is a world rank
	Inter                bool
	RemoteLeader, Remote int // world rank, and size
}

// Answer is what the library gave a process that called a constructor.
type Answer struct {
	Told bool // false: it wrote nothing of that, or never got an answer
	Seat
	Site *Site
	Call string
	Free string // why the library may give something else than the engine; "" for other calls
}

// Calls has the answers of the library to the calls that one step of a replay makes again.
type Calls struct {
	Step    *engine.Step
	Site    *Site    // of the first of them
	Call    string   // its procedure as the program called it; the replay may make another one
	Answers []Answer // by rank, in the order of Step.Ranks
}

// Follow visits the constructors of a replay, step by step, with the answers of the library in the run. The session
// may have made fewer calls than the recording has.
func (r *Recording) Follow(s *engine.Snapshot, visit func(*Calls)) {
	answers := r.answers()
	next := make([]int, len(r.Processes))
	constructor := map[engine.Call]bool{}
	for _, o := range ops {
		constructor[o.call] = o.makes() && o.call != engine.CallNone
	}
	for i := range s.Steps {
		st := &s.Steps[i]
		if !constructor[st.Call] {
			continue
		}
		c := &Calls{Step: st}
		for w := range st.Ranks.All {
			a := Answer{}
			if k := next[w]; k < len(answers[w]) {
				a = answers[w][k]
				next[w]++
			}
			if c.Call == "" {
				c.Site, c.Call = a.Site, a.Call
			}
			c.Answers = append(c.Answers, a)
		}
		visit(c)
	}
}

// answers returns what each process got from the library, in the order in which the script makes its calls.
func (r *Recording) answers() [][]Answer {
	list := make([][]Answer, len(r.Processes))
	for _, st := range r.statements() {
		if !st.op.makes() {
			continue
		}
		for _, m := range st.meetings {
			if m.refused {
				continue
			}
			free := r.free(m)
			for _, c := range m.callers {
				list[c.rank] = append(list[c.rank], r.answer(m, c, free))
			}
			if !m.blocked {
				for _, w := range m.absent {
					list[w] = append(list[w], Answer{Site: st.site, Call: st.op.Name})
				}
			}
		}
	}
	return list
}

// answer returns what a process got from the library in a meeting.
func (r *Recording) answer(m *meeting, c caller, free string) Answer {
	k := r.callOf(c)
	a := Answer{Site: k.site, Call: k.op.Name, Free: free}
	switch g := &k.result; {
	case g.kind == gotNull:
		a.Told, a.Null = true, true
	case g.kind == gotComm && (len(m.absent) == 0 || whole(child(m, c.rank))): // else not all of its processes told of it
		a.Told, a.Leader, a.Rank, a.Size = true, int(g.leader), int(g.rank), int(g.size)
		a.Inter, a.RemoteLeader, a.Remote = g.remote > 0, int(max(g.remoteLeader, 0)), int(max(g.remote, 0))
	}
	return a
}

// whole reports whether all members of a communicator are known.
func whole(c *comm, _ int) bool {
	return c != nil && !c.guessed && !slices.Contains(c.members, -1) && !slices.Contains(c.remote, -1)
}

// free returns why the library may answer otherwise than the engine; "" where it may not.
func (r *Recording) free(m *meeting) string {
	c := r.callOf(m.callers[0])
	switch m.op.call {
	case engine.CallCartCreate, engine.CallGraphCreate, engine.CallDistGraphCreate, engine.CallDistGraphCreateAdjacent:
		if n, _ := c.number("reorder"); n != 0 {
			return "With reorder the library may give the ranks another order [" + m.op.call.Rule() + "]."
		}
	case engine.CallSplitType:
		if word, _ := c.arg("type"); word == "hw_unguided" {
			return "The library chooses the hardware that it divides by [" + m.op.call.Rule() + "]."
		}
	case engine.CallMerge:
		for _, o := range m.callers {
			a, _ := r.callOf(o).arg("high")
			if b, _ := c.arg("high"); a != b {
				return ""
			}
		}
		return "When both groups pass the same high, the library chooses the order [" + m.op.call.Rule() + "]."
	}
	return ""
}
