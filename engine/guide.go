package engine

import "fmt"

// The info keys and the value that the standard reserves for split_type, and the key of the proposal
// of 2019.
const (
	KeyHWResourceType = "mpi_hw_resource_type"
	KeyHWDomainType   = "mpi_hw_domain_type"
	KeyPsetName       = "mpi_pset_name"
	ValueSharedMemory = "mpi_shared_memory"
)

const freedInfo = "the info object was freed before"

// checkInfo raises MPI_ERR_INFO when the info argument of a call on c, which may be nil, was freed.
func (c *Comm) checkInfo(call Call, info *Info) error {
	if info == nil || !info.freed {
		return nil
	}
	return c.fail(ErrInfo, call, freedInfo, "")
}

// guide is what the info argument of one process asks for: at most one of the keys.
type guide struct{ key, value string }

// hardware reports whether a hardware resource is named.
func (g guide) hardware() bool { return g.key == KeyHWResourceType || g.key == KeyHWDomainType }

func (g guide) String() string {
	if g.key == "" {
		return "no resource"
	}
	return fmt.Sprintf("%s=%q", g.key, g.value)
}

// guideOf reads the keys that the split type looks at. text says what is erroneous.
func guideOf(t SplitType, info *Info) (g guide, text string) {
	switch {
	case info == nil:
		return guide{}, ""
	case t == TypeHWSubdomain:
		if v, ok := info.get(KeyHWDomainType); ok {
			return guide{KeyHWDomainType, v}, ""
		}
		return guide{}, ""
	case t != TypeHWGuided && t != TypeResourceGuided:
		return guide{}, ""
	}
	hw, hasHW := info.get(KeyHWResourceType)
	pset, hasPset := info.get(KeyPsetName)
	switch {
	case t == TypeResourceGuided && hasHW && hasPset:
		return guide{}, "only one of the info keys mpi_hw_resource_type and mpi_pset_name may be used in one call: delete one of them"
	case hasHW:
		return guide{KeyHWResourceType, hw}, ""
	case hasPset && t == TypeResourceGuided:
		return guide{KeyPsetName, pset}, ""
	}
	return guide{}, ""
}

// guide is what the process of rank r asks for.
func (op *operation) guide(r int) guide {
	if op.x == nil || op.x[r] == nil {
		return guide{}
	}
	return *op.x[r].(*guide)
}

// hints are the pairs of the info argument that become hints of the new communicator: all but those
// that say how to split. nil when there are none.
func (i *Info) hints() *Info {
	if i == nil {
		return nil
	}
	var h *Info
	for _, k := range i.keys {
		if k == KeyHWResourceType || k == KeyPsetName || k == KeyHWDomainType {
			continue
		}
		if h == nil {
			h = NewInfo()
		}
		h.set(k, i.values[k])
	}
	return h
}
