package lanes

import "codeberg.org/commsplit/commsplit/engine"

// mostSiblings is the most siblings with lanes of their own; more siblings are shown in chunks.
const mostSiblings = 32

// ChunkOf returns how many of n siblings share a lane: a power of ten.
func ChunkOf(n int) int {
	size := 1
	for n > size*mostSiblings {
		size *= 10
	}
	return size
}

// MostAlone returns how many siblings of a call may have a lane each where there is room for so many lines.
func MostAlone(room int) int { return min(max(alone, room*2/3), mostSiblings) }

// alone is the most siblings of a call that always have a lane each, even with little room.
const alone = 8

// Families groups communicators that were made from the same one: more siblings of a call than may be alone share a lane.
func Families(kids []*engine.CommInfo, alone int) [][]*engine.CommInfo {
	var list [][]*engine.CommInfo
	for lo := 0; lo < len(kids); {
		hi := lo + 1
		for hi < len(kids) && kids[hi].Step == kids[lo].Step && kids[hi].Op == kids[lo].Op {
			hi++
		}
		if hi-lo > alone {
			list = append(list, kids[lo:hi])
		} else {
			for i := lo; i < hi; i++ {
				list = append(list, kids[i:i+1])
			}
		}
		lo = hi
	}
	return list
}

// Chunks divides siblings that share a lane: a lane for each, or for several when there are very many.
func Chunks(comms []*engine.CommInfo) [][]*engine.CommInfo {
	size := ChunkOf(len(comms))
	var list [][]*engine.CommInfo
	for lo := 0; lo < len(comms); lo += size {
		list = append(list, comms[lo:min(lo+size, len(comms))])
	}
	return list
}

// Roomy reports whether lineage is open by default in a world of so many communicators.
func Roomy(comms int) bool { return comms <= 200 }

// Bare makes the lane of a communicator without words: its members, in cells that have room for a letter. viewer is as for
// Source.Lane.
func Bare(c *engine.CommInfo, letter string, viewer int) *Lane {
	return &Lane{Letter: letter, Slot: -1, Sides: sidesOf(c, letter, viewer)}
}

// BareOf makes the lane of several communicators without words.
func BareOf(comms []*engine.CommInfo) *Lane { return &Lane{Slot: -1, Comms: comms} }
