package synthetic

import (
	"fmt"
	"strings"

	"commsplit/hw"
)

// level reads "type:count(attrs)" or "count(attrs)" below l.
func (r *reader) level(above *level) (*level, error) {
	l := &level{at: r.pos, depth: -1}
	if c := r.peek(); c == ';' || c == '}' {
		return nil, r.errorAt(l.at, "no braces are open here")
	}
	if r.machine == nil {
		return l, r.outer(above, l)
	}
	if c := r.peek(); c < '0' || c > '9' {
		word := r.word()
		typ, depth, err := levelType(word)
		switch {
		case err == nil:
		case r.cluster && abbreviates(word, "machine", 2) && r.peek() == ':':
			return nil, r.errorAt(l.at, "there are several machine levels")
		default:
			return nil, r.errorAt(l.at, err.Error())
		}
		l.typ, l.depth, l.typed = typ, depth, true
		if !r.skip(":") {
			return nil, r.errorAt(r.pos, fmt.Sprintf("missing ':' and a count after %s", word))
		}
	}
	if err := r.count(above, l); err != nil {
		return nil, err
	}
	if r.peek() == '(' {
		return l, r.readAttrs(&attributes{level: l, indexes: &l.indexes})
	}
	return l, nil
}

// outer reads a level above the machines, or machine:N itself.
func (r *reader) outer(above, l *level) error {
	l.typ = hw.Level
	word := r.word()
	machine := abbreviates(word, "machine", 2)
	switch _, _, err := levelType(word); {
	case word == "":
		return r.errorAt(l.at, "missing name of a level above the machines")
	case machine:
		l.typ = hw.Machine
	case err == nil || forbidden(word):
		return r.errorAt(l.at, word+" is in a machine: want another name for a level above machine:N")
	}
	if !r.skip(":") {
		return r.errorAt(r.pos, fmt.Sprintf("missing ':' and a count after %s", word))
	}
	l.name = title(word)
	for o := above; o != nil; o = o.parent {
		if strings.EqualFold(o.name, l.name) {
			return r.errorAt(l.at, "there are several "+strings.ToLower(word)+" levels")
		}
	}
	if err := r.count(above, l); err != nil {
		return err
	}
	if machine {
		return r.begin(l, l.width)
	}
	if r.peek() == '(' {
		return r.errorAt(r.pos, "a level above the machines has no attributes")
	}
	return nil
}

// count reads the number of objects of l and hangs it below above, unless it
// makes the whole too large.
func (r *reader) count(above, l *level) error {
	l.countAt = r.pos
	count, ok := r.number()
	switch {
	case !ok:
		return r.errorAt(l.countAt, "missing number of objects")
	case count == 0:
		return r.errorAt(l.countAt, "0 objects: want at least 1")
	case above.row+1 >= maxLevels:
		return r.errorAt(l.at, fmt.Sprintf("too many levels: want at most %d", maxLevels))
	}
	l.count, l.width = count, multiply(above.width, count)
	l.add(above)
	hosts := 1
	if r.machine != nil {
		hosts = r.machine.width
	}
	all := multiply(l.width, hosts)
	if all > MaxPUs {
		if r.machine == nil {
			return r.errorAt(l.countAt, fmt.Sprintf("too many machines: want at most %d", MaxPUs))
		}
		return r.errorAt(l.countAt, fmt.Sprintf("more than %d PUs in all", MaxPUs))
	}
	if r.objects += all; r.objects > MaxObjects {
		return r.errorAt(l.countAt, fmt.Sprintf("more than %d objects in all", MaxObjects))
	}
	return nil
}
