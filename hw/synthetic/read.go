package synthetic

import (
	"fmt"
	"strings"

	"commsplit/hw"
)

// Limits: hwloc's on the depth of a description, and ours on the memory that
// a short text can ask for.
const (
	maxLevels  = 128
	maxObjects = 1 << 24
)

// reader walks through a description from left to right.
type reader struct {
	*description
	pos int
}

func read(text string) (*description, error) {
	d := &description{text: text, machines: 1}
	r := &reader{description: d}
	d.levels = []level{{typ: hw.Machine, typed: true, depth: -1, count: 1, width: 1}}
	if err := r.readAbove(); err != nil {
		return nil, err
	}
	r.blanks()
	if r.peek() == '(' {
		if err := r.readAttrs(&d.levels[0].indexes, hw.Machine, &d.levels[0].bytes, nil); err != nil {
			return nil, err
		}
	}
	for {
		r.blanks()
		var err error
		switch {
		case r.pos == len(text):
			return d, nil
		case r.peek() == '[':
			err = r.readAttached()
		default:
			err = r.readLevel()
		}
		if err != nil {
			return nil, err
		}
	}
}

// readAbove reads "rack:2 machine:4" when the text starts like that, else
// nothing.
func (r *reader) readAbove() error {
	var above []outer
	total := 1
	for {
		r.blanks()
		start := r.pos
		word := r.word()
		count, ok := 0, word != "" && r.skip(":")
		if ok {
			count, ok = r.number()
		}
		if !ok {
			r.pos = 0
			return nil
		}
		machine := abbreviates(word, "machine", 2)
		if !machine && r.pos < len(r.text) && !isBlank(r.text[r.pos]) {
			r.pos = 0
			return nil
		}
		above = append(above, outer{title(word), count})
		if total = multiply(total, count); machine {
			return r.setAbove(above, total, start)
		}
	}
}

func (r *reader) setAbove(above []outer, total, at int) error {
	last := len(above) - 1
	seen := map[string]bool{}
	for _, o := range above[:last] {
		if seen[o.name] {
			return r.errorAt(0, "there are several "+strings.ToLower(o.name)+" levels")
		}
		seen[o.name] = true
	}
	switch {
	case total == 0:
		return r.errorAt(0, "a level above the machines has 0 objects: want at least 1")
	case total > MaxPUs:
		return r.errorAt(at, fmt.Sprintf("too many machines: want at most %d", MaxPUs))
	case last > maxLevels:
		return r.errorAt(at, fmt.Sprintf("too many levels: want at most %d", maxLevels))
	}
	r.above, r.machines = above[:last], above[last].count
	return nil
}

// readLevel reads "type:count(attrs)" or "count(attrs)".
func (r *reader) readLevel() error {
	l := level{at: r.pos, depth: -1}
	if c := r.peek(); c < '0' || c > '9' {
		word := r.word()
		typ, depth, err := levelType(word)
		if err != nil {
			return r.errorAt(l.at, err.Error())
		}
		l.typ, l.depth, l.typed = typ, depth, true
		if !r.skip(":") {
			return r.errorAt(r.pos, fmt.Sprintf("missing ':' and a count after %s", word))
		}
	}
	at := r.pos
	count, ok := r.number()
	switch {
	case !ok:
		return r.errorAt(at, "missing number of objects")
	case count == 0:
		return r.errorAt(at, "0 objects: want at least 1")
	}
	above := r.levels[len(r.levels)-1].width
	l.count, l.width = count, multiply(above, count)
	if multiply(l.width, r.hostCount()) > MaxPUs {
		return r.errorAt(at, fmt.Sprintf("more than %d PUs in all", MaxPUs))
	}
	if r.objects += l.width; multiply(r.objects, r.hostCount()) > maxObjects {
		return r.errorAt(at, fmt.Sprintf("more than %d objects in all", maxObjects))
	}
	if len(r.levels) >= maxLevels {
		return r.errorAt(l.at, fmt.Sprintf("too many levels: want at most %d", maxLevels))
	}
	if r.peek() == '(' {
		if err := r.readAttrs(&l.indexes, l.typ, &l.bytes, &l.cache); err != nil {
			return err
		}
	}
	r.levels = append(r.levels, l)
	return nil
}

// readAttached reads "[numa(attrs)]".
func (r *reader) readAttached() error {
	r.pos++
	at := r.pos
	if typ, _, err := levelType(r.word()); err != nil || typ != hw.NUMANode {
		return r.errorAt(at, "only a numa node can be attached in brackets")
	}
	var n node
	if r.peek() == '(' {
		if err := r.readAttrs(&r.nodeIndexes, hw.NUMANode, &n.bytes, &n.cache); err != nil {
			return err
		}
	}
	if !r.skip("]") {
		return r.errorAt(r.pos, "missing ']' after an attached numa node")
	}
	l := &r.levels[len(r.levels)-1]
	l.nodes = append(l.nodes, n)
	r.attached += l.width
	if multiply(r.attached, r.hostCount()) > MaxPUs {
		return r.errorAt(at, fmt.Sprintf("more than %d numa nodes in all", MaxPUs))
	}
	return nil
}
