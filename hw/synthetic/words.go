package synthetic

import (
	"fmt"
	"strings"

	"commsplit/hw"
)

// atEndWord reports whether one of the words that end a machine comes next.
func (r *reader) atEndWord() bool {
	for _, w := range endWords {
		if strings.HasPrefix(r.text[r.pos:], w+"=") {
			return true
		}
	}
	return false
}

// ending reads the words that end a machine, after which nothing else comes.
func (r *reader) ending(last string) error {
	for {
		r.blanks()
		if r.pos == len(r.text) || r.closing() {
			return nil
		}
		at := r.pos
		if !r.atEndWord() {
			return r.errorAt(at, "nothing but restrict=, offline= and disallow= can follow "+last)
		}
		if r.machine == nil || r.machine.braces != r.braces {
			return r.errorAt(at, "restrict=, offline= and disallow= stand at the end of a machine, "+
				"not of part of one or of several")
		}
		if err := r.endWord(); err != nil {
			return err
		}
		last = "them"
	}
}

// maxList bounds the time that a list of overlapping ranges can take.
const maxList = 4096

// endWord reads "restrict=LIST".
func (r *reader) endWord() error {
	for i, w := range endWords {
		at := r.pos
		if !r.skip(w + "=") {
			continue
		}
		if r.machine.words[i].at > 0 {
			return r.errorAt(at, w+"= is given twice")
		}
		start := r.pos
		for r.pos < len(r.text) && !isBlank(r.peek()) && !r.closing() {
			r.pos++
		}
		if r.pos-start > maxList {
			return r.errorAt(start, fmt.Sprintf("a list of more than %d characters", maxList))
		}
		set, err := hw.ParseList(r.text[start:r.pos])
		if err != nil {
			return r.errorAt(start, err.Error())
		}
		if set.Empty() {
			return r.errorAt(start, "missing list of PUs such as 0-3,8")
		}
		r.machine.words[i] = list{set, start}
	}
	return nil
}

// limit takes away from the machine what its last words say, and notes it.
func (d *description) limit(m *machine, root *hw.Object) error {
	all := root.CPUSet
	have := all
	for i, w := range m.words {
		if w.at == 0 {
			continue
		}
		if missing := w.set.Minus(have); !missing.Empty() {
			return d.errorAt(w.at, fmt.Sprintf("PUs %s do not exist here: the machine has %s",
				clip(missing), clip(have)))
		}
		if i == restricted {
			have = w.set
		} else {
			have = have.Minus(w.set)
		}
		if have.Empty() {
			return d.errorAt(w.at, "no PU is left: the machine wants at least one")
		}
		restrict(root, have, absences[i])
	}
	if !have.Equal(all) {
		simplify(root)
	}
	return nil
}

// absences are what the words say of the PUs that go.
var absences = [...]hw.Absence{restricted: hw.Unheard, offline: hw.SwitchedOff, disallowed: hw.NotAllowed}

// restrict is hwloc's: NUMA nodes that lose their CPUs stay, unless these were
// never there.
func restrict(root *hw.Object, cpus hw.Set, why hw.Absence) {
	nodes := root.NodeSet
	if why == hw.Unheard {
		nodes = hw.Set{}
		for o := range root.All() {
			if o.Type == hw.NUMANode && o.CPUSet.Intersects(cpus) {
				nodes.Add(o.OSIndex)
			}
		}
	}
	hw.Restrict(root, cpus, nodes, why)
}

// Notes are lines about what a tree's machines do not have for us: PUs that
// are offline or not allowed.
func Notes(root *hw.Object) []string {
	var notes []string
	seen := map[string]bool{}
	add := func(what string, set hw.Set) {
		note := what + ": PUs " + clip(set)
		if !set.Empty() && !seen[note] {
			seen[note] = true
			notes = append(notes, note)
		}
	}
	for o := range root.All() {
		if o.Type == hw.Machine && o.Details != nil {
			add("offline", o.Details.Offline)
			add("disallowed", o.Details.Disallowed)
		}
	}
	return notes
}

// clip writes a set that may be long.
func clip(s hw.Set) string {
	if text := s.String(); len(text) <= 60 {
		return text
	}
	return s.String()[:57] + "..."
}
