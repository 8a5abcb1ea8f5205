package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// hardwareColors returns the colors by which a hardware split divides: the instance of the resource to which each
// process is restricted, Undefined for none. resource is the index of the resource among the topology's, or -1 when the
// split is by no resource.
func (op *operation) hardwareColors(w *World, t agreed) (color []int32, resource int) {
	none := filled(len(op.a), Undefined)
	var asked []int32 // slots of processes that take part
	for r := range op.a {
		if op.a[r] != Undefined {
			asked = append(asked, int32(r))
		}
	}
	if len(asked) == 0 {
		return none, -1
	}
	w.needTopology()
	switch {
	case t.kind == TypeShared, t.hardware() && t.value == ValueSharedMemory:
		return op.instances(w, w.topology.ResourceIndex("hwloc://Machine"), asked)
	case t.kind == TypeHWUnguided:
		return op.unguided(w, asked)
	case t.hardware():
		if i := w.topology.ResourceIndex(t.value); i >= 0 {
			return op.instances(w, i, asked)
		}
	}
	return none, -1 // no resource is named, or the topology does not know it
}

// instances colors the processes in asked by the instance of a resource type that they are restricted to.
func (op *operation) instances(w *World, resource int, asked []int32) ([]int32, int) {
	color := filled(len(op.a), Undefined)
	for _, r := range asked {
		if i := w.topology.Restricted(w.bindings[op.core.all[r]])[resource]; i >= 0 {
			color[r] = i
		}
	}
	return color, resource
}

// unguided colors the processes in asked by the coarsest resource type that has an instance with a strict, non-empty
// subset of the group; it skips types that are found by name only. Processes that passed MPI_UNDEFINED count, too: an
// instance that the whole group uses is no step down the hardware, even when some of the group want no communicator.
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

// strict reports whether some color holds at least one of the processes but not all of them.
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

// needTopology gives a world without a topology the default one, a PU for each rank, when a rank first asks for
// hardware. Ranks may call it at the same time.
func (w *World) needTopology() {
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

// HWResourceInfo returns an info object with a key for each hardware resource type: "true" when the process is
// restricted to a single instance of the type, else "false" (MPI_Get_hw_resource_info, §9.1.2). It is local; the
// caller frees the info object.
func (p *Process) HWResourceInfo() *Info {
	p.w.needTopology()
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

// ProcessorName returns the name of the host (MPI_Get_processor_name, §9.1.2).
func (p *Process) ProcessorName() string {
	p.w.needTopology()
	return p.w.topology.Hosts[p.w.bindings[p.rank].Host].Name
}

// HardwareIndex returns the logical index of the instance of a resource type to which the process is restricted, or
// Undefined. resource is any name of the type.
func (p *Process) HardwareIndex(resource string) int {
	p.w.needTopology()
	if i := p.w.topology.ResourceIndex(resource); i >= 0 {
		if k := p.w.topology.Restricted(p.w.bindings[p.rank])[i]; k >= 0 {
			return int(k)
		}
	}
	return Undefined
}

// Bind restricts the process to some PUs of its host from now on: a process "can be relocated (e.g., migrated or have
// its hardware restrictions changed)" (§9.1.2). It is local. MPI has no such call: in MPI the system or the process
// itself changes the restriction. Later splits and [Process.HWResourceInfo] go by the new PUs. Earlier communicators
// stay as they are, and may no longer reflect the hardware that their processes use (§7.4.2, advice to users). The
// error names a PU that the host lacks.
func (p *Process) Bind(set hw.Set) error {
	p.w.needTopology()
	at := p.w.bindings[p.rank].Host
	if set.Empty() {
		return errors.New("a process must run somewhere: the set of PUs is empty")
	}
	if err := p.w.topology.Hosts[at].CheckPUs(set); err != nil {
		return err
	}
	b := &hw.Binding{Host: at, CPUSet: set.Clone(), Given: p.w.bindings[p.rank].Given}
	p.w.bindings[p.rank] = b
	p.local(CallBind, nil, textArg("cpuset", set.String()))
	if p.w.trace {
		p.mail.events[len(p.mail.events)-1].binding = b
	}
	return nil
}

// Host returns the machine that the process runs on.
func (p *Process) Host() *hw.Object {
	p.w.needTopology()
	return p.w.topology.Hosts[p.w.bindings[p.rank].Host]
}

// MPI_Get_hwsubdomain_names, of the proposal of 2019, puts the names of the hardware resource types into an info object
// under numbered keys. Only worlds of [Draft2019] have it.

// keyHWRes is the beginning of the numbered keys: mpi_hw_res_0, mpi_hw_res_1, ... (The proposal's example leaves
// the last underscore out, against its own definition.)
const keyHWRes = "mpi_hw_res_"

// HWSubdomainNames sets the keys mpi_hw_res_0, mpi_hw_res_1, ... of info to the names of the hardware resource types
// that MPI_COMM_TYPE_HW_SUBDOMAIN takes, coarsest first, and returns how many there are (MPI_Get_hwsubdomain_names of
// 2019, variant 1). It is local. c must be an intracommunicator: else MPI_ERR_COMM.
func (c *Comm) HWSubdomainNames(info *Info) (int, error) {
	if err := c.Check(CallHWSubdomainNames); err != nil {
		return 0, err
	}
	if c.core.info.Remote != nil {
		return 0, c.fail(MistakeIntercomm.In(CallHWSubdomainNames).saying("the communicator must be an intracommunicator"))
	}
	return c.p.subdomainNames(c, info)
}

// HWSubdomainNames does the same as [Comm.HWSubdomainNames] without a communicator (the proposal's variant 2).
func (p *Process) HWSubdomainNames(info *Info) (int, error) { return p.subdomainNames(nil, info) }

func (p *Process) subdomainNames(c *Comm, info *Info) (int, error) {
	if info.IsNull() {
		return 0, p.fail(c, MistakeInfoNull.In(CallHWSubdomainNames).saying("the info object is MPI_INFO_NULL: pass an info object, which gets the names"))
	}
	p.w.needTopology()
	list := p.w.topology.Resources()
	for i, r := range list {
		_, bare, _ := strings.Cut(r.URI, "://")
		info.set(fmt.Sprint(keyHWRes, i), bare)
	}
	p.local(CallHWSubdomainNames, c)
	return len(list), nil
}

// dropSubdomainNames removes the numbered keys from a communicator's hints: the proposal forbids to set or to return
// them there.
func (i *Info) dropSubdomainNames(std Std) {
	if std != Draft2019 {
		return
	}
	i.list = slices.DeleteFunc(i.list, func(p infoPair) bool { return strings.HasPrefix(p.key, keyHWRes) })
}
