package placement

import (
	"fmt"

	"commsplit/hw"
)

// nothing is the error for an object of the mapping that has nothing to bind to.
func (b *binding) nothing(t *hw.Topology, m *mapping, k int32) error {
	o := m.by.Instances[k]
	if m.pe > 1 {
		return m.tooLow(o, cpusIn(t, m.by, m.cpus)[k])
	}
	return fmt.Errorf("cannot bind to %s: %s neither lies in one nor holds one",
		b.to.Instances[0].TypeName(), describe(o))
}

// overload is the error for more processes, with some CPUs each, than an
// object has CPUs.
func (b *binding) overload(t *hw.Topology, r *hw.Resource, k int32, processes, cpus, each int) error {
	o := r.Instances[k]
	where, need := "", ""
	if h := o.Host(); h != nil {
		where = "node " + h.Name + ", "
	}
	if each > 1 {
		need = fmt.Sprintf(" with %d cpus each", each)
	}
	return fmt.Errorf("a request was made to bind to %s that would result in binding more processes "+
		"than cpus on a resource: %s%s L#%d, %d processes%s, %s; "+
		"to allow it, write --bind-to %s:overload-allowed", b.word, where, o.TypeName(),
		o.LogicalIndex, processes, need, plural(cpus, "cpu"), b.word)
}

// describe names an object and says where it is.
func describe(o *hw.Object) string {
	text := fmt.Sprintf("%s L#%d", o.TypeName(), o.LogicalIndex)
	if h := o.Host(); h != nil {
		text += fmt.Sprintf(" (PUs %s of %s)", o.CPUSet, h.Name)
	}
	return text
}
