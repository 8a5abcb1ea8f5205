package render

import (
	"strings"

	"commsplit/hw"
)

// newStrip lays out the hosts with a sign for each instance of a resource.
func newStrip(t *hw.Topology, r *hw.Resource) *strip {
	d := &strip{topology: t, sign: r, hosts: make([][]sign, len(t.Hosts))}
	packages, cores := t.ResourceOf(hw.Package), t.ResourceOf(hw.Core)
	nodes := t.ResourceOf(hw.NUMANode)
	d.cores = r.Type == hw.PU && cores != nil
	if packages != nil && nodes != nil && len(nodes.Instances) > len(packages.Instances) && finer(r, nodes) {
		d.numa = true
	}
	if !d.cores {
		cores = nil
	}
	if !d.numa {
		nodes = nil
	}
	last := make([]address, len(t.Hosts))
	for _, o := range r.Instances {
		h := t.HostIndex(o)
		at := address{within(packages, h, o), within(nodes, h, o), within(cores, h, o)}
		d.hosts[h] = append(d.hosts[h], sign{at.after(last[h], len(d.hosts[h]) == 0, d.numa), o})
		last[h] = at
	}
	for h, host := range t.Hosts {
		end := "]"
		if d.numa {
			end = ">]"
		}
		d.hosts[h] = append(d.hosts[h], sign{before: end})
		if host.Details != nil {
			for range host.Details.Disallowed.Len() {
				d.hosts[h] = append(d.hosts[h], sign{before: "~"})
			}
		}
	}
	return d
}

// finer reports whether each instance of a lies in one of b, and there are more.
func finer(a, b *hw.Resource) bool { return len(a.Instances) > len(b.Instances) }

// address is the package, NUMA node and core of a sign.
type address struct{ pack, node, core int32 }

func within(r *hw.Resource, host int, o *hw.Object) int32 {
	if r == nil {
		return -1
	}
	return r.InstanceOf(host, o.CPUSet)
}

// after is what stands between two signs.
func (at address) after(last address, first, numa bool) string {
	opened, closed := "[", "]"
	if numa {
		opened, closed = "[<", ">]"
	}
	switch {
	case first:
		return opened
	case at.pack != last.pack:
		return closed + opened
	case at.node != last.node:
		return "><"
	case at.core != last.core:
		return "/"
	}
	return ""
}

// width is how wide the widest host is.
func (d *strip) width() int {
	most := 0
	for _, signs := range d.hosts {
		n := 0
		for _, s := range signs {
			n += len(s.before)
			if s.object != nil {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// free reports whether a binding is the whole host.
func (d *strip) free(b *hw.Binding) bool {
	return d.topology.Hosts[b.Host].CPUSet.SubsetOf(b.CPUSet)
}

// draw is the picture of a binding.
func (d *strip) draw(b *hw.Binding) string {
	var text strings.Builder
	for _, s := range d.hosts[b.Host] {
		text.WriteString(s.before)
		switch {
		case s.object == nil:
		case s.object.CPUSet.SubsetOf(b.CPUSet):
			text.WriteByte('B')
		case s.object.CPUSet.Intersects(b.CPUSet):
			text.WriteByte('b')
		default:
			text.WriteByte('.')
		}
	}
	return text.String()
}

// legend tells what the signs are.
func (d *strip) legend() string {
	text := "one sign per " + d.sign.Instances[0].TypeName() + ": B bound, "
	if d.sign.Type != hw.PU {
		text += "b bound in part, "
	}
	text += ". not; [] package"
	if d.topology.ResourceOf(hw.Package) == nil {
		text = strings.Replace(text, "package", "machine", 1)
	}
	if d.numa {
		text += ", <> NUMA node"
	}
	if d.cores {
		text += ", / next core"
	}
	var off []string
	for _, h := range d.topology.Hosts {
		if h.Details != nil && !h.Details.Disallowed.Empty() {
			off = append(off, h.Details.Disallowed.String())
		}
	}
	if len(off) > 0 {
		text += ", ~ a PU that is not allowed (" + strings.Join(off, "; ") + ")"
	}
	return text
}
