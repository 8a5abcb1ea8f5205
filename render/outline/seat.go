package outline

import (
	"cmp"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// Seat holds ranks with the same binding, at the smallest object that has the PUs of the binding.
type Seat struct {
	PUs   string  // the PUs of the binding; "" when they are all PUs of the object
	Ranks []int32 // world ranks, ascending
}

// Seats holds the seats of each object. Most seats are those of PUs; the zero Seats has none.
type Seats struct {
	topology *hw.Topology
	pus      [][][]Seat // by host and by the kernel's number
	other    map[*hw.Object][]Seat
}

// SeatsOf finds, for every rank of a world with hardware, the smallest object that has the PUs of its binding.
func SeatsOf(s *engine.Snapshot) *Seats {
	pus := PUs(s.Topology)
	seats := &Seats{s.Topology, make([][][]Seat, len(pus)), map[*hw.Object][]Seat{}}
	for host := range pus {
		seats.pus[host] = make([][]Seat, len(pus[host]))
	}
	alone, ranks := make([]Seat, len(s.Bindings)), make([]int32, len(s.Bindings)) // of PUs with a rank each
	for r, b := range s.Bindings {
		on := home(s.Topology.Hosts[b.Host], pus[b.Host], b.CPUSet)
		outside := ""
		if !on.CPUSet.Equal(b.CPUSet) {
			outside = b.CPUSet.String()
		}
		list := seats.Of(on)
		if i := slices.IndexFunc(list, func(t Seat) bool { return t.PUs == outside }); i >= 0 { // bindings with equal PUs
			list[i].Ranks = append(list[i].Ranks, int32(r))
			continue
		}
		ranks[r] = int32(r)
		if alone[r] = (Seat{outside, ranks[r : r+1 : r+1]}); len(list) == 0 {
			list = alone[r : r+1 : r+1]
		} else {
			list = append(list, alone[r])
		}
		if at := seats.place(on); at != nil {
			*at = list
		} else {
			seats.other[on] = list
		}
	}
	return seats
}

// Of returns the seats of an object, in the order of their lowest ranks.
func (s *Seats) Of(o *hw.Object) []Seat {
	if at := s.place(o); at != nil {
		return *at
	}
	return s.other[o]
}

// place returns where the seats of a PU are; nil for other objects.
func (s *Seats) place(o *hw.Object) *[]Seat {
	if o.Type != hw.PU || s.topology == nil {
		return nil
	}
	list := s.pus[s.topology.HostIndex(o)]
	if o.OSIndex < 0 || o.OSIndex >= len(list) {
		return nil
	}
	return &list[o.OSIndex]
}

// PUs returns the PUs of each host by the kernel's number; nil where the host has no PU with that number.
func PUs(t *hw.Topology) [][]*hw.Object {
	list := make([][]*hw.Object, len(t.Hosts))
	for i, h := range t.Hosts {
		list[i] = make([]*hw.Object, h.CPUSet.Last()+1)
	}
	for _, pu := range t.Objects(hw.PU) {
		if of := list[t.HostIndex(pu)]; pu.OSIndex >= 0 && pu.OSIndex < len(of) {
			of[pu.OSIndex] = pu
		}
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
