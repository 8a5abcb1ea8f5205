package synthetic

import (
	"fmt"
	"strconv"
	"strings"

	"commsplit/hw"
)

// loop is one step of an interleaving: of every step*nb objects in a row, the
// first step get number 0, the next step number 1, and so on.
type loop struct{ step, nb int }

// osIndexes computes the os indexes of total objects. Without an attribute
// they are 0, 1, 2, ...
func (d *description) osIndexes(ix indexes, total int) ([]int, error) {
	switch {
	case ix.at == 0:
		array := make([]int, total)
		for i := range array {
			array[i] = i
		}
		return array, nil
	case strings.Trim(ix.text, "0123456789,") == "":
		return d.listed(ix, total)
	case ix.text[0] >= '0' && ix.text[0] <= '9':
		loops, err := d.numericLoops(ix, total)
		if err != nil {
			return nil, err
		}
		return d.interleave(ix, loops, total)
	default:
		loops, err := d.typedLoops(ix, total)
		if err != nil {
			return nil, err
		}
		return d.interleave(ix, loops, total)
	}
}

// listed reads "3,5": one index per object.
func (d *description) listed(ix indexes, total int) ([]int, error) {
	fields := strings.Split(ix.text, ",")
	if len(fields) != total {
		return nil, d.errorAt(ix.at, fmt.Sprintf("%d indexes for %d objects", len(fields), total))
	}
	array := make([]int, total)
	at := ix.at
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil || n > hw.MaxIndex {
			return nil, d.errorAt(at, fmt.Sprintf("want an index of 0 to %d", hw.MaxIndex))
		}
		array[i] = n
		at += len(f) + 1
	}
	return array, nil
}

// numericLoops reads "2*16:1*2": step*number of each loop.
func (d *description) numericLoops(ix indexes, total int) ([]loop, error) {
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
			return nil, d.errorAt(at, "neither step nor number of interleaved indexes can be 0")
		}
		loops = append(loops, loop{step, nb})
		at += len(field) + 1
	}
	return loops, nil
}

// typedLoops reads "numa:core": the objects go round the first type, then
// within it round the second, and so on.
func (d *description) typedLoops(ix indexes, total int) ([]loop, error) {
	fields := strings.Split(ix.text, ":")
	depths := make([]int, len(fields))
	at := ix.at
	for i, field := range fields {
		depth := d.levelOf(field)
		if depth < 0 {
			return nil, d.errorAt(at, "indexes name no level of this description")
		}
		for _, other := range depths[:i] {
			if other == depth {
				return nil, d.errorAt(at, "indexes name the same level twice")
			}
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
		loops[i] = loop{total / d.levels[depth].width, d.levels[depth].width / d.levels[outer].width}
		if loops[i].step == 0 {
			return nil, d.errorAt(ix.at, "indexes name a level inside the one they are for")
		}
	}
	return loops, nil
}

// levelOf finds the level of a type above the PUs, or -1.
func (d *description) levelOf(word string) int {
	if abbreviates(word, "machine", 2) {
		return 0
	}
	typ, depth, err := levelType(word)
	if err != nil {
		return -1
	}
	for i, l := range d.levels[:len(d.levels)-1] {
		if l.typ == typ && (typ != hw.Group || depth < 0 || depth == l.depth) {
			return i
		}
	}
	return -1
}

// interleave numbers the objects by the loops, the first varying fastest. A
// missing innermost loop is understood.
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

// numberAt is the number of object j, the first loop varying fastest.
func numberAt(loops []loop, j int) int {
	n, factor := 0, 1
	for _, l := range loops {
		n += j / l.step % l.nb * factor
		factor *= l.nb
	}
	return n
}
