package render

import (
	"math"
	"slices"

	"commsplit/engine"
)

// parts is a partition: the communicators that one handle holds across the ranks.
type parts struct {
	list []part
	of   []int32 // by world rank: index into list; -1 for MPI_COMM_NULL, Unset for neither
	rank []int32 // by world rank: its rank in that communicator, in its own group
	side []bool  // by world rank: in the right group of an intercommunicator
	null []int32 // the world ranks with MPI_COMM_NULL
	none []int32 // those that hold not even that
}

// part is one communicator of a partition.
type part struct {
	id     int
	letter string
	info   *engine.CommInfo // nil for MPI_COMM_SELF, of which every rank has its own
	held   int              // how many ranks hold it
}

// partsOf finds the partition of h. Ids that the snapshot does not know, because they belong to a
// later step, count as MPI_COMM_NULL.
func partsOf(s *engine.Snapshot, h *Handle) *parts {
	p := &parts{of: make([]int32, s.Size), rank: make([]int32, s.Size), side: make([]bool, s.Size)}
	p.list = heldParts(s, h)
	for r := range p.of {
		if p.of[r] = -1; r < len(h.IDs) && h.IDs[r] == Unset {
			p.of[r] = Unset
		}
	}
	for i := range p.list {
		p.seat(h, i)
	}
	for r, k := range p.of {
		switch {
		case k == Unset:
			p.none = append(p.none, int32(r))
		case k < 0:
			p.null = append(p.null, int32(r))
		}
	}
	return p
}

// since is the step that made the oldest communicator of p: nothing became of any of them before it.
func (p *parts) since() int {
	first := math.MaxInt
	for _, q := range p.list {
		if q.info == nil {
			return 0
		}
		first = min(first, q.info.Step)
	}
	return first
}

// heldParts lists the communicators that h holds, by id, with their letters.
func heldParts(s *engine.Snapshot, h *Handle) []part {
	seen := map[int32]bool{}
	var ids []int32
	last := int32(-1)
	for _, id := range h.IDs {
		if id == last || id < 0 || seen[id] {
			continue
		}
		last, seen[id] = id, true
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var list []part
	for _, id := range ids {
		if info := s.Comm(int(id)); info != nil || id == engine.SelfID {
			list = append(list, part{id: int(id), letter: letter(len(list)), info: info})
		}
	}
	return list
}

// seat gives the ranks that hold the i-th communicator their places in it.
func (p *parts) seat(h *Handle, i int) {
	q := &p.list[i]
	if q.info == nil {
		for r, id := range h.IDs {
			if id == engine.SelfID {
				p.of[r] = int32(i)
				q.held++
			}
		}
		return
	}
	for side, group := range [][]int32{q.info.Group, q.info.Remote} {
		for rank, r := range group {
			if int(r) < len(h.IDs) && int(h.IDs[r]) == q.id {
				p.of[r], p.rank[r], p.side[r] = int32(i), int32(rank), side == 1
				q.held++
			}
		}
	}
}

// name is how a rank's communicator is written: the letter, with a prime for the right group of an
// intercommunicator, or a sign that there is none.
func (p *parts) name(r int32) string {
	k := p.of[r]
	switch {
	case k == Unset:
		return notYet
	case k < 0:
		return hollow
	case p.side[r]:
		return p.list[k].letter + "'"
	}
	return p.list[k].letter
}

// ink is the color of a rank's communicator.
func (p *parts) ink(r int32) ink {
	if k := p.of[r]; k >= 0 {
		return inkPart + ink(k)
	}
	return inkFaint
}

// cell is a rank as the picture shows it: "A2", or a sign that there is none.
func (p *parts) cell(r int32) span {
	if p.of[r] < 0 {
		return span{p.name(r), inkFaint}
	}
	return span{p.name(r) + itoa(int(p.rank[r])), p.ink(r)}
}

// share is how many of some ranks one communicator has.
type share struct {
	of int32 // a rank that stands for the communicator, and its side
	n  int
}

// shares counts ranks by communicator and side, in the order of the letters, ranks without one last.
func (p *parts) shares(ranks []int32) []share {
	count := map[int32]*share{}
	var keys []int32
	for _, r := range ranks {
		k := p.key(r)
		s := count[k]
		if s == nil {
			s = &share{of: r}
			count[k] = s
			keys = append(keys, k)
		}
		s.n++
	}
	slices.Sort(keys)
	list := make([]share, len(keys))
	for i, k := range keys {
		list[i] = *count[k]
	}
	return list
}

// key tells communicators and sides apart and sorts them; none is the largest.
func (p *parts) key(r int32) int32 {
	if k := p.of[r]; k < 0 {
		return math.MaxInt32 - 2 - k // MPI_COMM_NULL before Unset
	}
	k := p.of[r] * 2
	if p.side[r] {
		k++
	}
	return k
}
