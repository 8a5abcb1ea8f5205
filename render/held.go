package render

import (
	"strconv"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// Held draws what ranks hold of a partition, as cells.
type Held struct {
	Parting *Parting // nil: cells are world ranks
	Waiting []bool   // by world rank: whether it is blocked; nil: no rank is
	Worlds  bool     // cells name world ranks: "3A"
}

// Cell returns the cell of a rank: "A2".
func (h *Held) Cell(rank int32) paint.Cell {
	c := h.Share(rank)
	switch {
	case c.State == paint.Null || c.State == paint.NotYet:
	case h.Parting == nil:
		c.Text = h.World(rank)
	case h.Worlds:
		c.Text = h.World(rank) + c.Text
	default:
		c.Text = h.Parting.Cell(rank)
	}
	return c
}

// Says returns what a rank holds in words: "rank 2 of communicator A", "MPI_COMM_NULL, blocked".
func (h *Held) Says(rank int32) string {
	text := ""
	if p := h.Parting; p != nil {
		switch k, at, _ := p.Place(int(rank)); {
		case k >= 0:
			text = "rank " + strconv.Itoa(at) + " of communicator " + p.Name(rank)
		case k == Unset:
			text = UnsetWords
		default:
			text = NullWords
		}
	}
	if h.Waiting != nil && h.Waiting[rank] {
		if text != "" {
			text += ", "
		}
		text += "blocked"
	}
	return text
}

// World returns a world rank as text.
func (h *Held) World(rank int32) string { return strconv.Itoa(int(rank)) }

// Share returns a cell for all ranks that hold the same communicator: "A", "A'".
func (h *Held) Share(rank int32) paint.Cell {
	c := paint.Cell{Slot: paint.NoSlot}
	if h.Parting != nil {
		k, _, right := h.Parting.Place(int(rank))
		switch {
		case k == Unset:
			c.State = paint.NotYet
		case k < 0:
			c.State = paint.Null
		default:
			c.Slot, c.Text, c.Right = h.Parting.Slot(k), h.Parting.Name(rank), right
		}
	}
	if h.Waiting != nil && h.Waiting[rank] {
		if c.State = paint.Blocked; h.Parting != nil && c.Slot == paint.NoSlot {
			c.Text = ""
		}
	}
	return c
}

// Width returns the columns of the longest text of a cell, in a world of size ranks.
func (h *Held) Width(size int) int {
	letters, rank := 0, 0
	if p := h.Parting; p != nil {
		for k, q := range p.list {
			w, n := len(p.Letter(k)), 1
			if q.info != nil {
				n = max(len(q.info.Group), len(q.info.Remote))
				if q.info.Remote != nil {
					w++
				}
			}
			letters, rank = max(letters, w), max(rank, len(strconv.Itoa(n-1)))
		}
	}
	if h.Parting == nil || h.Worlds {
		rank = len(strconv.Itoa(size - 1))
	}
	wide := max(letters+rank, 1)
	if h.Waiting != nil {
		wide++
	}
	return wide
}
