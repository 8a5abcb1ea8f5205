package boxes

import (
	"strconv"
	"strings"

	"commsplit/hw"
	"commsplit/render/outline"
	"commsplit/render/paint"
)

// named is an object with how it is written, and what stands before it.
type named struct {
	object     *hw.Object
	text, lead string
}

// names are the objects of a node, its memory among them, as briefly as plan has to write those of its type.
func (p *Plan) names(n *outline.Node) []named {
	return p.variants(n)[p.brevity[brevityKey(n)]]
}

// variants are the ways to name a node: in full, without sizes, without what covers the same PUs, and briefly.
func (p *Plan) variants(n *outline.Node) [][]named {
	t := p.board.Topology
	objects := n.Objects
	if n.Leaf() {
		objects = []*hw.Object{core(n)}
	}
	memory, _ := n.Parts()
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
	for _, m := range memory {
		o := m.First()
		name := outline.Name(t, o)
		short, _, _ := strings.Cut(name, " (")
		full, plain = append(full, named{o, name, "  "}), append(plain, named{o, short, "  "})
		few, brief = append(few, named{o, short, "  "}), append(brief, named{o, p.short(o), "  "})
	}
	return [][]named{full, plain, few, brief, {{p.brief(n), p.briefly(n), ""}}}
}

// brevityKey tells nodes apart that may be named in different ways.
func brevityKey(n *outline.Node) hw.Type { return core(n).Type }

// shorten finds the longest names that all nodes of a type have room for.
func (p *Plan) shorten() {
	p.brevity = map[hw.Type]int{}
	p.each(p.top, func(b *block) {
		if b.node == nil || b.style > headed {
			return
		}
		k := brevityKey(b.node)
		for list := p.variants(b.node); p.brevity[k] < len(list)-1 && width(list[p.brevity[k]]) > nameWidth(b); {
			p.brevity[k]++
		}
	})
}

// aroundName is the columns of a frame beside its name.
const aroundName = 6

// nameWidth is the columns for the name of a block.
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

// briefly names a node in few columns: a host by its name, else by type and number.
func (p *Plan) briefly(n *outline.Node) string { return p.short(p.brief(n)) }

// brief is the object that names a node alone.
func (p *Plan) brief(n *outline.Node) *hw.Object {
	if forMemory(n) {
		memory, _ := n.Parts()
		return memory[0].First()
	}
	return core(n)
}

// short names an object in few columns.
func (p *Plan) short(o *hw.Object) string {
	if o.Type == hw.Machine && o.Name != "" && p.board.hosts > 1 {
		return o.Name
	}
	kind := outline.Kind(p.board.Topology, o)
	switch {
	case o.Type == hw.NUMANode:
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

// forMemory reports whether a node is a group that is there because of its memory alone.
func forMemory(n *outline.Node) bool {
	memory, _ := n.Parts()
	o := n.First()
	return len(n.Objects) == 1 && o.Type == hw.Group && o.Subtype == "" && len(memory) == 1
}
