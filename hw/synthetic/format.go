package synthetic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// Format describes a topology as lstopo does: sizes are those of the first object
// of each level, and it leaves out what a description cannot express (subtypes,
// devices, indexes of objects other than PUs and NUMA nodes). Memory-side caches
// are written as hwloc 2.10 does. Our levels above hosts are written as Parse
// reads them. The error names the objects that are not symmetric.
func Format(t *hw.Topology) (string, error) {
	above, err := hostsText(t)
	if err != nil {
		return "", err
	}
	for _, h := range t.Hosts[1:] {
		if !sameShape(h, t.Hosts[0]) {
			return "", fmt.Errorf("not symmetric: machine %s differs from %s",
				h.Name, t.Hosts[0].Name)
		}
	}
	one := t
	if t.Root.Type != hw.Machine {
		one = t.Alone(t.Hosts[0])
	}
	first, err := machineText(one)
	if err != nil {
		return "", err
	}
	return strings.Join(append(above, first), " "), nil
}

// sameShape reports whether two machines have the same description, sizes aside.
func sameShape(a, b *hw.Object) bool {
	indexed := a.Type == hw.PU || a.Type == hw.NUMANode
	return a.Type == b.Type && (!indexed || a.OSIndex == b.OSIndex) &&
		slices.EqualFunc(a.Memory, b.Memory, sameShape) && slices.EqualFunc(a.Children, b.Children, sameShape)
}

// hostsText returns a word for each level down to the hosts; nil for a single
// machine.
func hostsText(t *hw.Topology) ([]string, error) {
	if t.Root.Type == hw.Machine {
		return nil, nil
	}
	var words []string
	if len(t.Root.Children) == 1 || t.Root.Subtype != "Cluster" && t.Root.Subtype != "System" {
		words = append(words, t.Root.Subtype+":1") // else Parse makes it
	}
	front := []*hw.Object{t.Root}
	for front[0].Type == hw.Level {
		if err := checkAlike(t, front); err != nil {
			return nil, err
		}
		count := strconv.Itoa(len(front[0].Children))
		front = childrenOf(front)
		words = append(words, front[0].TypeName()+":"+count)
	}
	return words, checkAlike(t, front)
}

// machineText describes one machine, level by level.
func machineText(t *hw.Topology) (string, error) {
	var words []string
	front := []*hw.Object{t.Root}
	for {
		if err := checkAlike(t, front); err != nil {
			return "", err
		}
		first := front[0]
		for _, m := range first.Memory {
			words = append(words, "["+nodeText(t, m)+"]")
		}
		if len(first.Children) == 0 {
			return strings.Join(words, " "), nil
		}
		front = childrenOf(front)
		count := strconv.Itoa(len(first.Children))
		words = append(words, typeText(front[0])+":"+count+attrsText(t, front[0]))
	}
}

func childrenOf(front []*hw.Object) []*hw.Object {
	var next []*hw.Object
	for _, o := range front {
		next = append(next, o.Children...)
	}
	return next
}

// checkAlike returns an error for an object of a row that differs from the first
// object, in its type, its number of children or its memory.
func checkAlike(t *hw.Topology, front []*hw.Object) error {
	first := front[0]
	for _, o := range front[1:] {
		switch {
		case o.TypeName() != first.TypeName() || t.GroupDepth(o) != t.GroupDepth(first):
			return fmt.Errorf("not symmetric: %s stands beside %s", name(t, o), name(t, first))
		case len(o.Children) != len(first.Children):
			return fmt.Errorf("not symmetric: %s has %s in it, %s has %d", name(t, o), spell.Plural(len(o.Children), "object"),
				name(t, first), len(first.Children))
		case !slices.EqualFunc(o.Memory, first.Memory, likeMemory):
			return fmt.Errorf("not symmetric: %s has other memory than %s", name(t, o), name(t, first))
		}
	}
	return nil
}

func likeMemory(a, b *hw.Object) bool {
	return a.Type == b.Type && slices.EqualFunc(a.Memory, b.Memory, likeMemory)
}

// name returns "Core L#1", "Group0(Rack) L#1".
func name(t *hw.Topology, o *hw.Object) string {
	text := o.TypeName()
	if o.Type == hw.Group {
		text += strconv.Itoa(t.GroupDepth(o))
		if o.Subtype != "" {
			text += "(" + o.Subtype + ")"
		}
	}
	return fmt.Sprintf("%s L#%d", text, o.LogicalIndex)
}

// typeText returns hwloc's long name, which distinguishes data caches from others.
func typeText(o *hw.Object) string {
	if o.Type == hw.L1Cache {
		return "L1dCache"
	}
	return o.Type.String()
}

// nodeText describes a NUMA node with its memory-side caches.
func nodeText(t *hw.Topology, m *hw.Object) string {
	cache := uint64(0)
	for m.Type == hw.MemCache && len(m.Memory) > 0 {
		cache += m.Bytes
		m = m.Memory[0]
	}
	var list []string
	if m.Bytes > 0 {
		list = append(list, fmt.Sprintf("memory=%d", m.Bytes))
	}
	if cache > 0 {
		list = append(list, fmt.Sprintf("memorysidecachesize=%d", cache))
	}
	return m.Type.String() + inBrackets(append(list, indexesText(t, m)...))
}

// attrsText returns the attributes of a level, taken from its first object.
func attrsText(t *hw.Topology, o *hw.Object) string {
	var list []string
	if o.Type.IsCache() && o.Bytes > 0 {
		list = append(list, fmt.Sprintf("size=%d", o.Bytes))
	}
	return inBrackets(append(list, indexesText(t, o)...))
}

func inBrackets(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, " ") + ")"
}

// indexesText returns the os indexes of all PUs or NUMA nodes, at the first of
// them, when they differ from the logical indexes: as loops, such as 2*16:1*2, or
// else as a list.
func indexesText(t *hw.Topology, o *hw.Object) []string {
	if o.LogicalIndex != 0 || o.Type != hw.PU && o.Type != hw.NUMANode {
		return nil
	}
	objects := t.Objects(o.Type)
	index := make([]int, len(objects))
	all := make([]string, len(objects))
	needed := false
	for i, o := range objects {
		index[i], all[i] = o.OSIndex, strconv.Itoa(o.OSIndex)
		needed = needed || o.OSIndex != i
	}
	if !needed {
		return nil
	}
	if loops := interleaving(index); loops != nil {
		return []string{"indexes=" + loopsText(loops)}
	}
	return []string{"indexes=" + strings.Join(all, ",")}
}

// interleaving returns loops that give the indexes, or nil when there are none.
func interleaving(index []int) []loop {
	at := make(map[int]int, len(index))
	for i, n := range index {
		at[n] = i
	}
	var loops []loop
	for next := 1; next != len(index); {
		i, ok := at[next]
		if index[0] != 0 || !ok || i == 0 || len(index)%next != 0 {
			return nil
		}
		nb := 2
		for nb < len(index)/i && index[i*nb] == next*nb {
			nb++
		}
		loops = append(loops, loop{i, nb})
		next *= nb
	}
	for i, want := range index {
		if numberAt(loops, i) != want {
			return nil
		}
	}
	return loops
}

func loopsText(loops []loop) string {
	words := make([]string, len(loops))
	for i, l := range loops {
		words[i] = fmt.Sprintf("%d*%d", l.step, l.nb)
	}
	return strings.Join(words, ":")
}
