package boxes

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// named is an object with its name, and the text that separates it from the name before.
type named struct {
	object     *hw.Object
	text, lead string
}

// names returns the names of a node's objects, memory included, in the variant that the plan uses for nodes of its
// type.
func (p *Plan) names(n *outline.Node) []named {
	return p.variants(n)[p.brevity[core(n).Type]]
}

// variants returns the ways to name a node: in full; without sizes; only the first object and memory; these with short
// names. Each stands first with the devices that are near, of which at least the first is named, and then without. Last
// is a single short name.
func (p *Plan) variants(n *outline.Node) [][]named {
	if n.Around != nil {
		name := []named{{nil, strings.Join(n.Around.Names, ", "), ""}}
		return [][]named{name, name, name, name, name, name, name, name, name}
	}
	t := p.board.Topology
	objects := n.Objects
	if n.Leaf {
		objects = []*hw.Object{core(n)}
	}
	var full, plain, few, brief []named
	for i, o := range objects {
		name := outline.Name(t, o)
		short, _, _ := strings.Cut(name, " (")
		full, plain = append(full, named{o, name, " + "}), append(plain, named{o, short, " + "})
		if i == 0 && !forMemory(n) {
			few = append(few, named{o, short, ""})
			brief = append(brief, named{o, p.short(o), ""})
		}
	}
	for _, o := range memoryOf(n) {
		name := outline.Name(t, o)
		short, _, _ := strings.Cut(name, " (")
		full, plain = append(full, named{o, name, "  "}), append(plain, named{o, short, "  "})
		few, brief = append(few, named{o, short, "  "}), append(brief, named{o, p.short(o), "  "})
	}
	if kind := p.kindOf(n); kind != "" {
		for _, list := range []*[]named{&full, &plain, &few} {
			*list = append(*list, named{nil, kind, "  "})
		}
	}
	one, all := p.devices(n)
	with := func(list, more []named) []named { return slices.Concat(list, more) }
	return [][]named{with(full, all), with(plain, all), with(few, all), with(brief, all), with(brief, one),
		plain, few, brief, {{p.brief(n), p.briefly(n), ""}}}
}

// memoryOf returns the memory of a node, each before the memory that is behind it.
func memoryOf(n *outline.Node) (list []*hw.Object) {
	for _, m := range n.Objects[len(n.Objects)-1].Memory {
		list = slices.AppendSeq(list, m.All())
	}
	return list
}

// devices returns the first device that is near to a node, and all of them.
func (p *Plan) devices(n *outline.Node) (one, all []named) {
	for _, o := range n.Objects {
		for _, name := range p.nearTo(o) {
			all = append(all, named{o, name, " "})
		}
	}
	return all[:min(len(all), 1)], all
}

// nearTo returns the names of the devices that a process works with, near to an object. Parts of a device, and a second
// name of one device, are left out.
func (p *Plan) nearTo(o *hw.Object) []string {
	host := p.board.Topology.HostIndex(o)
	if _, ok := p.near[host]; !ok {
		list, located := map[*hw.Object][]string{}, p.board.Topology.LocatedOn(host)
		known := map[string]bool{}
		for _, sort := range [][]string{{"GPU", "CoProcessor"}, {"OpenFabrics", "Network"}} {
			for _, d := range located {
				at := cmp.Or(d.BusID(), d.Name)
				whole, _, part := strings.Cut(d.Name, ".")
				if !slices.Contains(sort, d.Kind()) || known[at] || part && slices.Contains(list[d.Object], whole) {
					continue
				}
				known[at] = true
				list[d.Object] = append(list[d.Object], d.Name)
			}
		}
		p.near[host] = list
	}
	return p.near[host][o]
}

// kindOf names the kind of a node's cores, where the node around it has cores of several kinds.
func (p *Plan) kindOf(n *outline.Node) string {
	if o := n.First(); o != nil && o.Parent != nil && o.Parent.KindOfCores() == nil {
		if k := o.KindOfCores(); k != nil {
			return k.Name()
		}
	}
	return ""
}

// shorten finds, for each type of node, the longest variant of names that all its nodes have room for.
func (p *Plan) shorten() {
	p.brevity = map[hw.Type]int{}
	p.each(p.top, func(b *block) {
		if b.node == nil || b.style > headed {
			return
		}
		k := core(b.node).Type
		for list := p.variants(b.node); p.brevity[k] < len(list)-1 && width(list[p.brevity[k]]) > nameWidth(b); {
			p.brevity[k]++
		}
	})
}

// aroundName is the columns of a frame's upper edge that its name cannot use.
const aroundName = 6

// nameWidth returns the columns for the name of a block.
func nameWidth(b *block) int {
	if b.style == framed {
		return b.w - aroundName
	}
	return b.w - 2
}

func width(list []named) int {
	sum := 0
	for i, x := range list {
		sum += paint.Width(x.text)
		if i > 0 {
			sum += len(x.lead)
		}
	}
	return sum
}

// briefly names a node in few columns: a host by its name, other nodes by type and number.
func (p *Plan) briefly(n *outline.Node) string {
	if n.Around != nil {
		return n.Around.Names[0]
	}
	return p.short(p.brief(n))
}

// brief returns the object that stands for a node in its shortest name.
func (p *Plan) brief(n *outline.Node) *hw.Object {
	if forMemory(n) {
		return n.First().Memory[0]
	}
	return core(n)
}

// short names an object in few columns.
func (p *Plan) short(o *hw.Object) string {
	if o.Type == hw.Machine && o.Name != "" && len(p.board.Topology.Hosts) > 1 {
		return o.Name
	}
	kind := outline.Kind(p.board.Topology, o)
	switch {
	case o.Type == hw.NUMANode && o.Subtype == "":
		kind = "NUMA"
	case o.Type == hw.Package:
		kind = "Pkg"
	case o.Subtype != "":
		kind = o.Subtype
	}
	if o == p.board.Topology.Root {
		return kind
	}
	return kind + " " + strconv.Itoa(o.LogicalIndex)
}

// forMemory reports whether a node is a group that exists only for its memory.
func forMemory(n *outline.Node) bool {
	o := n.First()
	return len(n.Objects) == 1 && o.Type == hw.Group && o.Subtype == "" && len(o.Memory) == 1
}
