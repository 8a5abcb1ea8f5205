package engine

import (
	"slices"

	"commsplit/hw"
)

// hardwareColors turns a hardware split into colors: the instance of the resource that each
// process is restricted to, Undefined for none. resource indexes the topology's resources, or is
// -1 when the split is not by one of them.
func (op *operation) hardwareColors(w *World, t agreed) (color []int32, resource int) {
	none := filled(len(op.a), Undefined)
	var asked []int32 // rows of processes that take part
	for r := range op.a {
		if op.a[r] != Undefined {
			asked = append(asked, int32(r))
		}
	}
	if len(asked) == 0 {
		return none, -1
	}
	w.place()
	switch {
	case t.kind == TypeShared, t.hardware() && t.value == ValueSharedMemory:
		return op.instances(w, w.resourceOf("hwloc://Machine"), asked)
	case t.kind == TypeHWUnguided:
		return op.unguided(w, asked)
	case t.hardware():
		if i := w.resourceOf(t.value); i >= 0 {
			return op.instances(w, i, asked)
		}
	}
	return none, -1 // no resource named, or one that is not known
}

// resourceOf is the index of a resource type by any of its names, or -1.
func (w *World) resourceOf(name string) int {
	r, _ := w.topology.Lookup(name)
	list := w.topology.Resources()
	for i := range list {
		if r == &list[i] {
			return i
		}
	}
	return -1
}

// instances colors the asked processes by the instance of one resource type.
func (op *operation) instances(w *World, resource int, asked []int32) ([]int32, int) {
	color := filled(len(op.a), Undefined)
	members := op.members()
	for _, r := range asked {
		if i := w.topology.Restricted(w.bindings[members[r]])[resource]; i >= 0 {
			color[r] = i
		}
	}
	return color, resource
}

// unguided finds, from the coarsest to the finest, the first resource type of which at least one
// instance holds a strict, non-empty subset of the group. Types that are found by name only are
// passed over. That goes by where the processes of the
// group run, also those that passed MPI_UNDEFINED: an instance that all of them use is no step down
// the hardware because some do not want a communicator.
func (op *operation) unguided(w *World, asked []int32) ([]int32, int) {
	all := make([]int32, len(op.a))
	for r := range all {
		all[r] = int32(r)
	}
	for i, r := range w.topology.Resources() {
		if r.ByNameOnly {
			continue
		}
		if color, _ := op.instances(w, i, all); strict(color) {
			return op.instances(w, i, asked)
		}
	}
	return filled(len(op.a), Undefined), -1
}

// strict reports whether some color holds a non-empty part of the processes but not all of them.
func strict(color []int32) bool {
	seen := int32(Undefined)
	all := true
	for _, c := range color {
		switch {
		case c == Undefined:
			all = false
		case seen == Undefined:
			seen = c
		case c != seen:
			return true
		}
	}
	return seen != Undefined && !all
}

// place gives a world that was made without a topology the default one, a PU per rank, when
// somebody first asks for hardware. Ranks may call it at the same time.
func (w *World) place() {
	w.placing.Do(func() {
		if w.topology == nil {
			w.topology, w.started = flatMachine(w.size)
			w.bindings = slices.Clone(w.started)
		}
	})
}

func flatMachine(n int) (*hw.Topology, []*hw.Binding) {
	machine := &hw.Object{Type: hw.Machine, OSIndex: 0, CPUSet: hw.SetRange(0, n-1), NodeSet: hw.SetOf(0)}
	bindings := make([]*hw.Binding, n)
	for i := range n {
		pu := &hw.Object{Type: hw.PU, OSIndex: i, CPUSet: hw.SetOf(i), NodeSet: machine.NodeSet}
		machine.Children = append(machine.Children, pu)
		bindings[i] = &hw.Binding{CPUSet: pu.CPUSet}
	}
	return hw.New("flat", machine), bindings
}

// HWResourceInfo tells, for each hardware resource type, whether the process is restricted to a
// single instance of it: "true" or "false" (MPI_Get_hw_resource_info, §9.1.2). It is local; the
// caller frees the info object.
func (p *Process) HWResourceInfo() *Info {
	p.w.place()
	info := NewInfo()
	restricted := p.w.topology.Restricted(p.w.bindings[p.rank])
	for i, r := range p.w.topology.Resources() {
		value := "false"
		if restricted[i] >= 0 {
			value = "true"
		}
		info.set(r.URI, value)
	}
	p.local(CallHWInfo, nil)
	return info
}

// ProcessorName is the name of the host (MPI_Get_processor_name, §9.1.2).
func (p *Process) ProcessorName() string {
	p.w.place()
	return p.w.topology.Hosts[p.w.bindings[p.rank].Host].Name
}

// HardwareIndex is the logical index of the one instance of a resource type, by any of its names,
// that the process is restricted to; Undefined when there is none.
func (p *Process) HardwareIndex(resource string) int {
	p.w.place()
	i := p.w.resourceOf(resource)
	if i < 0 {
		return Undefined
	}
	k := p.w.topology.Restricted(p.w.bindings[p.rank])[i]
	if k < 0 {
		return Undefined
	}
	return int(k)
}
