package preset

import (
	"fmt"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// counted are the types that a shape counts, with their names.
var counted = []struct {
	typ       hw.Type
	one, many string
}{
	{hw.Package, "package", "packages"}, {hw.NUMANode, "NUMA node", "NUMA nodes"},
	{hw.L3Cache, "L3", "L3"}, {hw.L2Cache, "L2", "L2"},
	{hw.Core, "core", "cores"}, {hw.PU, "PU", "PUs"},
}

// Shape describes in one line what the machine has: "2 packages, 8 NUMA nodes,
// 24 L3, 192 cores, 384 PUs". It counts the objects of the topology. It leaves
// out the obvious: a single package or NUMA node, an L2 or PU for each core.
func (p Preset) Shape() string {
	t := p.Topology()
	var parts []string
	parts = append(parts, groups(t)...)
	cores := len(t.Objects(hw.Core))
	for _, c := range counted {
		n := len(t.Objects(c.typ))
		switch {
		case n == 0, c.typ == hw.L2Cache && n == cores, c.typ == hw.PU && n == cores,
			n == 1 && (c.typ == hw.Package || c.typ == hw.NUMANode):
			continue
		case n == 1:
			parts = append(parts, "1 "+c.one)
			continue
		}
		text := fmt.Sprintf("%d %s", n, c.many)
		if kinds := details(t).Kinds; c.typ == hw.Core && len(kinds) > 1 {
			text += fmt.Sprintf(" of %d kinds", len(kinds))
		}
		if n := special(t); c.typ == hw.NUMANode && n != "" {
			text += n
		}
		parts = append(parts, text)
	}
	gpus := 0
	for _, d := range p.Devices {
		if d.Kind == "GPU" {
			gpus++
		}
	}
	if gpus > 0 {
		parts = append(parts, fmt.Sprintf("%d GPUs", gpus))
	}
	if n := details(t).Disallowed.Len(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d disallowed", n))
	}
	return strings.Join(parts, ", ")
}

// groups counts the Groups that have a name.
func groups(t *hw.Topology) (parts []string) {
	for _, r := range t.Resources() {
		if r.Type == hw.Group && r.Subtype != "" {
			text := fmt.Sprintf("%d %s", len(r.Instances), strings.ToLower(r.Subtype))
			if len(r.Instances) > 1 {
				text += "s"
			}
			parts = append(parts, text)
		}
	}
	return parts
}

// special counts the NUMA nodes whose memory nobody gets by default: " (4
// MCDRAM)".
func special(t *hw.Topology) string {
	n, subtype := 0, ""
	for _, o := range t.Objects(hw.NUMANode) {
		if tier := hw.MemoryTier(o); tier != "" {
			n++
			subtype = tier
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d %s)", n, subtype)
}

func details(t *hw.Topology) hw.Details {
	if d := t.Hosts[0].Details; d != nil {
		return *d
	}
	return hw.Details{}
}
