package synthetic

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// loop is one step of an interleaving: of every step*nb objects in a row, the
// first step get number 0, the next step number 1, and so on.
type loop struct{ step, nb int }

// osIndexes reads the os indexes of total objects. line holds the levels that
// the text may name, outermost first.
func (d *description) osIndexes(ix indexes, total int, line []*level) ([]int, error) {
	var loops []loop
	var err error
	switch {
	case ix.text == "":
		return nil, d.errorAt(ix.at, "missing indexes")
	case strings.Trim(ix.text, "0123456789,-") == "":
		return d.listed(ix, total)
	case ix.text[0] >= '0' && ix.text[0] <= '9':
		loops, err = d.numericLoops(ix)
	default:
		loops, err = d.typedLoops(ix, total, line)
	}
	if err != nil {
		return nil, err
	}
	return d.interleave(ix, loops, total)
}

// listed reads "3,5" or "0-3,8": one index per object.
func (d *description) listed(ix indexes, total int) ([]int, error) {
	array := make([]int, 0, total)
	at, count := ix.at, 0
	for field := range strings.SplitSeq(ix.text, ",") {
		lo, hi, err := hw.ParseRange(field, "index")
		if err != nil || hi > hw.MaxIndex {
			return nil, d.errorAt(at, fmt.Sprintf("want an index of 0 to %d, or a range of them", hw.MaxIndex))
		}
		count += hi - lo + 1
		for n := lo; n <= hi && len(array) < total; n++ {
			array = append(array, n)
		}
		at += len(field) + 1
	}
	if count != total {
		return nil, d.errorAt(ix.at, fmt.Sprintf("%d indexes for %d objects", count, total))
	}
	return array, nil
}

// numericLoops reads "2*16:1*2": step*number of each loop.
func (d *description) numericLoops(ix indexes) ([]loop, error) {
	if strings.Count(ix.text, ":") >= maxLevels {
		return nil, d.errorAt(ix.at, fmt.Sprintf("want at most %d loops of indexes", maxLevels))
	}
	var loops []loop
	at := ix.at
	for _, field := range strings.Split(ix.text, ":") {
		r := &reader{description: &description{text: field}}
		step, okStep := r.number()
		star := r.skip("*")
		nb, okNb := r.number()
		switch {
		case !okStep || !star || !okNb || r.pos != len(field):
			return nil, d.errorAt(at, "want STEP*NUMBER in interleaved indexes")
		case step == 0 || nb == 0:
			return nil, d.errorAt(at, "step and number of interleaved indexes must not be 0")
		}
		loops = append(loops, loop{int(min(step, math.MaxInt32)), int(min(nb, math.MaxInt32))})
		at += len(field) + 1
	}
	return loops, nil
}

// typedLoops reads "numa:core": indexes go round the objects of the first type,
// then inside each of them round those of the second, and so on.
func (d *description) typedLoops(ix indexes, total int, line []*level) ([]loop, error) {
	fields := strings.Split(ix.text, ":")
	depths := make([]int, len(fields))
	at := ix.at
	for i, field := range fields {
		depth := levelOf(line, field)
		if depth < 0 {
			return nil, d.errorAt(at, "indexes name no level of this description")
		}
		if slices.Contains(depths[:i], depth) {
			return nil, d.errorAt(at, "indexes name the same level twice")
		}
		depths[i] = depth
		at += len(field) + 1
	}
	loops := make([]loop, len(fields))
	for i, depth := range depths {
		outer := 0
		for _, other := range depths {
			if other < depth {
				outer = max(outer, other)
			}
		}
		loops[i] = loop{total / line[depth].width, line[depth].width / line[outer].width}
		if loops[i].step == 0 {
			return nil, d.errorAt(ix.at, "indexes name a level inside the one they are for")
		}
	}
	return loops, nil
}

// levelOf returns the index of the level with a type above the PUs, or -1. Groups
// have the number that the text gives them, or hwloc's: the innermost is 1.
func levelOf(line []*level, word string) int {
	if abbreviates(word, "machine", 2) {
		return 0
	}
	typ, depth, err := levelType(word)
	if err != nil {
		return -1
	}
	groups := line[0].groups()
	for i, l := range line {
		number := l.depth
		if l.typ == hw.Group && number < 0 {
			number = groups
			groups--
		}
		if l.typ == typ && (typ != hw.Group || depth < 0 || depth == number) {
			return i
		}
	}
	return -1
}

// interleave numbers the objects by the loops, the first varying fastest. It
// adds a missing innermost loop.
func (d *description) interleave(ix indexes, loops []loop, total int) ([]int, error) {
	product, least := 1, total
	for _, l := range loops {
		product = multiply(product, l.nb)
		least = min(least, l.step)
	}
	if product != total {
		if product > total || least != total/product {
			return nil, d.errorAt(ix.at, fmt.Sprintf("these indexes number %d objects, not %d",
				product, total))
		}
		loops = append(loops, loop{1, total / product})
	}
	array, seen := make([]int, total), make([]bool, total)
	for j := range array {
		n := numberAt(loops, j)
		if n >= total || seen[n] {
			return nil, d.errorAt(ix.at, "these indexes do not number every object once")
		}
		array[j], seen[n] = n, true
	}
	return array, nil
}

// numberAt returns the number of object j, the first loop varying fastest.
func numberAt(loops []loop, j int) int {
	n, factor := 0, 1
	for _, l := range loops {
		n += j / l.step % l.nb * factor
		factor *= l.nb
	}
	return n
}

// plan is a machine being built. Its os indexes are in the order of the tree: the
// indexes in the text, else numbers from 0 for each type. Nodes in brackets are
// counted after everything inside their object, as hwloc does.
type plan struct {
	*description
	given   map[*level]*[]int // in the text; those of nodes in brackets are of no level
	pusAt   int               // where the text gives indexes of PUs, or 0
	nodesAt int               // likewise, of NUMA nodes
	counted [hw.PU + 1]int
	pus     []int // in the order of the tree, so those of each object are consecutive
	nodes   []int
	words   int         // of all cpusets
	slab    []hw.Object // to hand out
	kinds   []*kindOf
}

// maxWords bounds the size of all cpusets of one machine, in words of 8 bytes:
// os indexes can spread every object over the whole machine.
const maxWords = 1 << 26

// plan reads all indexes of the machine m.
func (d *description) plan(m *level) (*plan, error) {
	p := &plan{description: d, given: map[*level]*[]int{}}
	var pus []*level
	objects, total := m.machine.attached, 0 // attached nodes may need a Group
	err := m.each(func(l *level) error {
		objects += l.width
		if l.typ == hw.PU {
			pus, total = append(pus, l), total+l.width
		}
		if l.indexes.at == 0 {
			return nil
		}
		array, err := d.osIndexes(l.indexes, l.width, l.line())
		switch p.given[l] = &array; l.typ {
		case hw.PU:
			p.pusAt = l.indexes.at
		case hw.NUMANode:
			p.nodesAt = l.indexes.at
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	p.slab, p.pus = make([]hw.Object, objects), make([]int, 0, total)
	if ix := m.machine.nodeIndexes; ix.at > 0 {
		p.nodesAt = ix.at
		array, err := d.osIndexes(ix, m.machine.attached, m.line())
		if err != nil {
			return nil, err
		}
		p.given[nil] = &array
	}
	if ix := m.machine.puIndexes; ix.at > 0 {
		if p.pusAt > 0 {
			return nil, d.errorAt(ix.at, "the PUs have indexes inside the braces")
		}
		p.pusAt = ix.at
		array, err := d.osIndexes(ix, total, m.line())
		if err != nil {
			return nil, err
		}
		for _, l := range pus {
			p.given[l] = &array
		}
	}
	return p, nil
}

// index returns the os index of the next object of a type; of is its level, nil for a node in brackets.
func (p *plan) index(typ hw.Type, of *level) int {
	i := p.counted[typ]
	p.counted[typ]++
	if array := p.given[of]; array != nil {
		i, *array = (*array)[0], (*array)[1:]
	}
	return i
}

// check returns an error for indexes in the text that are wrong for the machine, which was built with them.
func (p *plan) check() error {
	if err := p.distinct(p.pus, p.pusAt); err != nil {
		return err
	}
	if p.words > maxWords {
		return p.errorAt(p.pusAt, "these indexes spread the objects of a large machine too widely")
	}
	return p.distinct(p.nodes, p.nodesAt)
}

// distinct returns an error for numbers that occur twice; the text gives them at
// the offset at, or nowhere if at is 0.
func (p *plan) distinct(array []int, at int) error {
	if at == 0 {
		return nil
	}
	seen := make(map[int]bool, len(array))
	for _, i := range array {
		if seen[i] {
			return p.errorAt(at, fmt.Sprintf("index %d is given twice", i))
		}
		seen[i] = true
	}
	return nil
}

// line lists the levels from the machine to l, and further down as long as
// there is only one level below, without the PUs.
func (l *level) line() []*level {
	var line []*level
	for o := l; o.typ != hw.Machine; o = o.parent {
		line = append(line, o)
	}
	line = append(line, l.machine.top)
	slices.Reverse(line)
	for len(l.below) == 1 {
		l = l.below[0]
		line = append(line, l)
	}
	return slices.DeleteFunc(line, func(o *level) bool { return o.typ == hw.PU })
}
