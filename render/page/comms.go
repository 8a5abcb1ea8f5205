package page

import (
	"commsplit/engine"
	"commsplit/render"
)

// communicators lists all of them, and what is said of each from which step on.
func (c *collector) communicators() {
	s := c.last.Snapshot
	at := map[int]int{}
	for _, info := range s.Comms {
		at[info.ID] = len(c.doc.Comms)
		x := comm{ID: info.ID, Parent: info.Parent, Step: info.Step, Group: pack(info.Group)}
		if info.Op != engine.CallNone {
			x.Op = c.word(info.Op.String())
		}
		x.Size = c.word(render.Sizes([]*engine.CommInfo{info}))
		if info.Remote != nil {
			p := pack(info.Remote)
			x.Remote = &p
		}
		c.doc.Comms = append(c.doc.Comms, x)
	}
	c.changed = make([]map[int]bool, c.Last+1)
	for k := range c.changed {
		c.changed[k] = map[int]bool{}
		for _, info := range c.views[k].Snapshot.Comms {
			x := &c.doc.Comms[at[info.ID]]
			if c.sayComm(x, info, k) {
				c.changed[k][info.ID] = true
			}
		}
	}
}

// sayComm adds what is said of a communicator after step k, if that is something else than before.
func (c *collector) sayComm(x *comm, info *engine.CommInfo, k int) bool {
	w := c.tell[k]
	state := c.word(w.State([]*engine.CommInfo{info}))
	n := len(x.Said)
	renamed := k > 0 && (c.views[k].Snapshot.Steps[k-1].Comm == info.ID || w.Name(info.ID) != c.tell[k-1].Name(info.ID))
	stale := w.Stale(info.ID) != nil && c.moves(k)
	if n > 0 && x.Said[n-1].State == state && !renamed && !stale {
		return false
	}
	head, made, old := w.Comm(info, "", width)
	y := saying{
		From: k, Name: c.word(w.Name(info.ID)), Head: c.word(head), Made: c.word(made),
		Short: c.word(w.Made(info, 60)), Stale: c.word(old), State: state,
	}
	if n > 0 {
		before := x.Said[n-1]
		if before.From = k; before == y {
			return false
		}
	}
	x.Said = append(x.Said, y)
	return true
}

// moves reports whether ranks ran elsewhere before step k.
func (c *collector) moves(k int) bool { return k > 0 && c.ground[k] != c.ground[k-1] }
