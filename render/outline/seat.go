package outline

import (
	"cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// Seat is ranks with the same binding, at the smallest object that has its PUs.
type Seat struct {
	PUs   string  // the PUs of the binding; "" when they are all PUs of the object
	Ranks []int32 // world ranks, ascending
}

// Seats finds, for every rank of a world with hardware, the smallest object that has the PUs of its binding. It
// returns the seats of each object, each list in the order of the lowest ranks.
func Seats(s *engine.Snapshot) map[*hw.Object][]Seat {
	seats, pus := make(map[*hw.Object][]Seat, len(s.Bindings)), PUs(s.Topology)
	for r, b := range s.Bindings {
		on := home(s.Topology.Hosts[b.Host], pus[b.Host], b.CPUSet)
		outside := ""
		if !on.CPUSet.Equal(b.CPUSet) {
			outside = b.CPUSet.String()
		}
		seats[on] = seated(seats[on], outside, int32(r))
	}
	return seats
}

// seated adds a rank to the seats of an object; bindings with equal PUs share a seat.
func seated(list []Seat, pus string, rank int32) []Seat {
	for i := range list {
		if list[i].PUs == pus {
			list[i].Ranks = append(list[i].Ranks, rank)
			return list
		}
	}
	return append(list, Seat{pus, []int32{rank}})
}

// PUs returns the PUs of each host by the kernel's number; nil where the host has no PU with that number.
func PUs(t *hw.Topology) [][]*hw.Object {
	list := make([][]*hw.Object, len(t.Hosts))
	for i, h := range t.Hosts {
		list[i] = make([]*hw.Object, h.CPUSet.Last()+1)
	}
	for _, pu := range t.Objects(hw.PU) {
		list[t.HostIndex(pu)][pu.OSIndex] = pu
	}
	return list
}

// FirstPU returns the first PU of a set; nil where the host has no such PU.
func FirstPU(pus []*hw.Object, set hw.Set) *hw.Object {
	if first := set.First(); first >= 0 && first < len(pus) {
		return pus[first]
	}
	return nil
}

// home returns the deepest object of a host that has all PUs of a set; the host where the set is empty.
func home(host *hw.Object, pus []*hw.Object, set hw.Set) *hw.Object {
	o := FirstPU(pus, set)
	for o != nil && o != host && !set.SubsetOf(o.CPUSet) {
		o = o.Parent
	}
	return cmp.Or(o, host)
}
