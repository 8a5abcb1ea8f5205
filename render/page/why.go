package page

import (
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
)

// mostReasons is the most reasons that are listed for one variable; every rank alone is explained anyway.
const mostReasons = 256

// variables lists the handles, world first, with the reasons why every rank holds what it holds.
func (c *collector) variables() error {
	e := &explainer{collector: c, readers: make([]*reason.Reader, c.Last+1), ordered: map[*reason.Seat]int{}}
	for _, name := range append([]string{"world"}, c.Variables...) {
		h, err := e.variable(name)
		if err != nil {
			return err
		}
		c.doc.Handles = append(c.doc.Handles, *h)
	}
	return nil
}

// variable returns what a handle holds after each step, and why.
func (e *explainer) variable(name string) (*handle, error) {
	h, before := e.goneOn(name)
	for k := e.from; k <= e.Last; k++ {
		now := e.held(name, k)
		same := len(before) > 0 && &now[0] == &before[0]
		if !same && !slices.Equal(now, before) {
			h.Held = append(h.Held, held{k, pack(now), e.lanesAt(k, now)})
		}
		some := slices.ContainsFunc(now, func(id int32) bool { return id != render.Unset })
		none := slices.ContainsFunc(now, func(id int32) bool { return id < 0 }) // at the end, more is known of the reasons
		if some && (!same || k == e.Last && none || e.news(k, now)) {
			if err := e.explain(h, name, k); err != nil {
				return nil, err
			}
		}
		before = now
	}
	return h, nil
}

// held returns what ranks hold in a variable after step k.
func (c *collector) held(name string, k int) []int32 {
	if name == "world" {
		return c.world
	}
	return heldIn(c.views[k], name, c.nothing)
}

// heldIn returns what ranks hold in a variable of a view; nothing, if the view does not have the variable.
func heldIn(v *render.View, name string, nothing []int32) []int32 {
	for i := range v.Handles {
		if h := &v.Handles[i]; h.Name == name {
			return h.IDs
		}
	}
	return nothing
}

// news reports whether step k changed the explanation of what a handle holds.
func (c *collector) news(k int, ids []int32) bool {
	return c.moves(k) || len(c.changed[k]) > 0 && slices.ContainsFunc(ids, func(id int32) bool { return c.changed[k][int(id)] })
}

// goneOn returns a handle of the document before, up to the first step that may differ, and what the handle held
// before that step.
func (e *explainer) goneOn(name string) (h *handle, before []int32) {
	h = &handle{Name: name, Held: []held{}, Why: []why{}}
	if e.from == 0 {
		return h, nil
	}
	for i := range e.before.doc.Handles {
		if old := &e.before.doc.Handles[i]; old.Name == name {
			h.Held = until(old.Held, e.from, func(x held) int { return x.From })
			h.Why = until(old.Why, e.from, func(x why) int { return x.From })
			return h, e.held(name, e.from-1)
		}
	}
	h.Held = append(h.Held, held{From: 0, IDs: pack(e.nothing)}) // the handle was set later
	return h, e.nothing
}

// explainer explains variables, moment by moment.
type explainer struct {
	*collector
	readers []*reason.Reader
	ordered map[*reason.Seat]int // numbers of orders made before
}

// explained is an existing explanation for one rank.
type explained struct {
	id   int // its telling
	step int // the step after which it was made
	turn int // turn of the collector that made it
}

// whyKey identifies an explanation for one rank: equal keys have equal explanations.
type whyKey struct {
	comm, rank    int
	said, ground  int    // number of sayings about comm, and where ranks run
	handle, unset string // for a rank without a communicator
	origin        *engine.Origin
	skipped       *reason.Skipped
	last          bool
}

func (e *explainer) reader(k int) *reason.Reader {
	if e.readers[k] == nil {
		e.readers[k] = reason.NewReader(e.views[k].Snapshot)
	}
	return e.readers[k]
}

// explain adds the explanations of what h holds from step k on, if they differ from those before.
func (e *explainer) explain(h *handle, name string, k int) error {
	x := why{From: k}
	held, err := e.Held(e.views[k], name)
	if err != nil {
		return err
	}
	ids := make([]int, e.doc.Size)
	for r := range ids {
		ids[r] = e.rank(name, held(r), r, k)
	}
	x.Ranks = pack(ids)
	list, rest := e.reader(k).Handle(held, engine.AllRanks(e.doc.Size), mostReasons)
	for i := range list {
		who := "world " + render.RankNoun(list[i].Ranks.List(), width)
		t := e.telling(e.tell[k].Telling(&list[i], who, ""))
		t.Ranks = packRanks(list[i].Ranks)
		x.Reasons = append(x.Reasons, e.tellings.written(t))
	}
	if len(rest) > 0 {
		x.Rest = e.word("... and other reasons for " + render.RankNoun(rest.List(), width))
	}
	if n := len(h.Why); n > 0 && slices.Equal(h.Why[n-1].Ranks, x.Ranks) && slices.Equal(h.Why[n-1].Reasons, x.Reasons) {
		return nil
	}
	h.Why = append(h.Why, x)
	return nil
}

// rank returns the number of the telling for one rank.
func (e *explainer) rank(handle string, h reason.Held, rank, k int) int {
	key := whyKey{comm: h.Comm, rank: rank, ground: e.ground[k]}
	if h.Comm < 0 || h.Unset != "" {
		key.handle, key.unset, key.last = handle, h.Unset, k == e.Last
		key.origin, key.skipped = h.Origin, h.Skipped
	} else {
		key.said = e.sayings(h.Comm, k)
	}
	made, ok := e.alone[key]
	if !ok || made.turn < e.turn && made.step >= e.from {
		x := e.reader(k).Rank(h, rank)
		made = explained{e.tellings.written(e.telling(e.tell[k].Telling(&x, "world rank {w}", "{r}"))), k, e.turn}
		e.alone[key] = made
	}
	return made.id
}

// sayings returns how many descriptions a communicator has had up to step k.
func (c *collector) sayings(id, k int) int {
	i, ok := slices.BinarySearchFunc(c.doc.Comms, id, func(x comm, id int) int { return x.ID - id })
	if !ok {
		return 0
	}
	n := 0
	for _, y := range c.doc.Comms[i].Said {
		if y.From <= k {
			n++
		}
	}
	return n
}

// telling converts an explanation; its texts are written once.
func (e *explainer) telling(t *render.Telling) telling {
	x := telling{Head: e.word(t.Head), Facts: e.facts(t.Facts), Tried: e.facts(t.Tried), Rule: e.word(t.Rule)}
	if t.Order != nil {
		x.Order = e.order(t.Order)
	}
	if t.Of != nil {
		x.Of = e.tellings.written(e.telling(t.Of))
	}
	return x
}

func (e *explainer) facts(list []reason.Fact) []word {
	words := []word{}
	for _, f := range list {
		words = append(words, e.word(f.Name), e.word(f.Text))
	}
	return words
}

// order returns the number of an order. Ranks of one communicator share it.
func (e *explainer) order(o *reason.Order) int {
	if len(o.Seats) == 0 {
		return 0
	}
	if id, ok := e.ordered[&o.Seats[0]]; ok {
		return id
	}
	var key, old, world []int32
	for _, s := range o.Seats {
		key, old, world = append(key, s.Key), append(old, s.Old), append(world, s.World)
	}
	id := e.orders.written(order{pack(key), pack(old), pack(world)})
	e.ordered[&o.Seats[0]] = id
	return id
}
