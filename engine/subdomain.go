package engine

import (
	"fmt"
	"slices"
	"strings"
)

// The proposal of 2019 for a query function of the guided mode, from which MPI_Get_hw_resource_info
// came: MPI_Get_hwsubdomain_names puts the names of the hardware resource types into an info object
// under numbered keys. It exists in worlds of [Draft2019].

// keyHWRes is the beginning of these keys: mpi_hw_res_0, mpi_hw_res_1, ... (The proposal's example
// leaves the last underscore out, against its own definition.)
const keyHWRes = "mpi_hw_res_"

// HWSubdomainNames sets the keys mpi_hw_res_0, mpi_hw_res_1, ... of info to the names of the hardware
// resource types, coarsest first, as MPI_COMM_TYPE_HW_SUBDOMAIN takes them, and returns how many there
// are (MPI_Get_hwsubdomain_names of 2019, variant 1). It is local. c must be an intracommunicator:
// else MPI_ERR_COMM.
func (c *Comm) HWSubdomainNames(info *Info) (int, error) {
	if err := c.check(CallHWSubdomainNames); err != nil {
		return 0, err
	}
	if c.core.info.Remote != nil {
		return 0, c.fail(ErrComm, CallHWSubdomainNames, "the communicator must be an intracommunicator", "")
	}
	n, err := c.p.subdomainNames(c, info)
	if err != nil {
		return 0, c.raise(err)
	}
	return n, nil
}

// HWSubdomainNames is that of the proposal's variant 2, which names no communicator.
func (p *Process) HWSubdomainNames(info *Info) (int, error) {
	n, err := p.subdomainNames(nil, info)
	if err != nil {
		return 0, p.Raise(err)
	}
	return n, nil
}

func (p *Process) subdomainNames(c *Comm, info *Info) (int, *Error) {
	if info.IsNull() {
		return 0, &Error{Class: ErrInfo, Call: CallHWSubdomainNames, Comm: c.id(), Rule: CallHWSubdomainNames.Rule(),
			Text: "the info object is MPI_INFO_NULL, and cannot take the names"}
	}
	p.w.place()
	list := p.w.topology.Resources()
	for i, r := range list {
		_, bare, _ := strings.Cut(r.URI, "://")
		info.set(fmt.Sprint(keyHWRes, i), bare)
	}
	p.local(CallHWSubdomainNames, c)
	return len(list), nil
}

// id is the number of the communicator; -1 for MPI_COMM_NULL.
func (c *Comm) id() int {
	if c == nil {
		return -1
	}
	return c.core.info.ID
}

// dropSubdomainNames takes out of hints for a communicator the keys that the proposal lets neither
// be set on one nor come back from one.
func (i *Info) dropSubdomainNames(std Std) {
	if std != Draft2019 {
		return
	}
	for _, k := range slices.Clone(i.keys) {
		if strings.HasPrefix(k, keyHWRes) {
			delete(i.values, k)
			i.keys = slices.DeleteFunc(i.keys, func(o string) bool { return o == k })
		}
	}
}
