package synthetic

import (
	"fmt"

	"commsplit/hw"
)

// Limits: hwloc's on the depth of a description, and ours on the memory that
// a text can ask for.
const (
	maxLevels = 128
	maxText   = 1 << 17
)

// reader walks through a description from left to right.
type reader struct {
	*description
	pos      int
	braces   int      // open ones
	cluster  bool     // the text has machine:N
	machine  *machine // that we are in, if any
	machines int      // machine levels read
	nodes    int      // attached NUMA nodes, over all machines
}

func read(text string) (*description, error) {
	r := &reader{description: &description{text: text}}
	if len(text) > maxText {
		return nil, r.errorAt(maxText, fmt.Sprintf("more than %d characters", maxText))
	}
	r.root = &level{typ: hw.Level, depth: -1, count: 1, width: 1}
	var err error
	if r.cluster = hasMachine(text); !r.cluster {
		r.root.typ = hw.Machine
		err = r.begin(r.root, 1)
	}
	if err == nil {
		err = r.levels(r.root)
	}
	return r.description, err
}

// hasMachine reports whether machine:N stands somewhere outside of () and [].
func hasMachine(text string) bool {
	r := &reader{description: &description{text: text}}
	for depth := 0; r.pos < len(text); {
		switch word := r.word(); {
		case word != "":
			if depth == 0 && abbreviates(word, "machine", 2) && r.peek() == ':' {
				return true
			}
			continue
		case r.peek() == '(' || r.peek() == '[':
			depth++
		case r.peek() == ')' || r.peek() == ']':
			depth--
		}
		r.pos++
	}
	return false
}

// begin enters the machines of l, so many in all, and reads their attributes.
func (r *reader) begin(l *level, width int) error {
	l.typed, l.width, l.row = true, 1, 0
	l.machine = &machine{top: l, width: width, braces: r.braces}
	r.machine = l.machine
	r.machines++
	r.blanks()
	if r.peek() != '(' {
		return nil
	}
	return r.readAttrs(&attributes{level: l, indexes: &l.indexes})
}

// levels reads what each object of top holds, up to the end of the text or of
// the braces around it.
func (r *reader) levels(top *level) error {
	for l := top; ; {
		r.blanks()
		c, within := r.peek(), l != top || r.braces == 0
		switch {
		case r.pos == len(r.text), r.closing():
			return nil
		case c == '[' && !within:
			return r.errorAt(r.pos, "a numa node in brackets stands behind the level that it belongs to")
		case c == '{' && !within:
			return r.errorAt(r.pos, "braces want a level first")
		case c == '[':
			if err := r.attached(l); err != nil {
				return err
			}
		case c == '{':
			if err := r.alternatives(l); err != nil {
				return err
			}
			return r.ending("braces")
		case r.atEndWord():
			return r.ending("braces")
		default:
			next, err := r.level(l)
			if err != nil {
				return err
			}
			l = next
		}
	}
}

// closing reports whether the braces around this place go on or end here.
func (r *reader) closing() bool {
	return r.braces > 0 && (r.peek() == ';' || r.peek() == '}')
}

// alternatives reads "{ LEVELS ; LEVELS }": the different children of each
// object of l.
func (r *reader) alternatives(l *level) error {
	open, outside := r.pos, r.machine
	if outside != nil {
		outside.uneven = true
	}
	r.braces++
	for {
		r.pos++ // the brace or semicolon
		below, machines := len(l.below), r.machines
		if err := r.levels(l); err != nil {
			return err
		}
		switch c := r.peek(); {
		case !r.closing():
			return r.errorAt(open, "missing '}' of these braces")
		case len(l.below) == below:
			return r.errorAt(r.pos, "missing level in braces")
		case outside == nil && r.machines == machines:
			return r.errorAt(r.pos, "missing machine:N in braces")
		case c == '}':
			r.pos++
			r.braces--
			r.machine = outside
			return r.numberAll(l)
		}
		r.machine = outside
	}
}

// numberAll reads "(indexes=...)" behind the outermost braces of a machine.
func (r *reader) numberAll(l *level) error {
	m := l.machine
	if r.blanks(); r.peek() != '(' {
		return nil
	}
	if m == nil || m.braces != r.braces {
		return r.errorAt(r.pos, "only the outermost braces of a machine can have indexes")
	}
	return r.readAttrs(&attributes{level: &level{}, indexes: &m.puIndexes, braces: true})
}

// attached reads "[numa(attrs)]", memory of each object of l.
func (r *reader) attached(l *level) error {
	if r.machine == nil {
		return r.errorAt(r.pos, "a level above the machines has no numa nodes")
	}
	r.pos++
	at := r.pos
	if typ, _, err := levelType(r.word()); err != nil || typ != hw.NUMANode {
		return r.errorAt(at, "only a numa node can be attached in brackets")
	}
	n := &level{typ: hw.NUMANode}
	if r.peek() == '(' {
		if err := r.readAttrs(&attributes{level: n, indexes: &r.machine.nodeIndexes}); err != nil {
			return err
		}
	}
	if !r.skip("]") {
		return r.errorAt(r.pos, "missing ']' after an attached numa node")
	}
	l.nodes = append(l.nodes, node{n.bytes, n.cache, n.subtype})
	r.machine.attached += l.width
	if r.nodes += multiply(l.width, r.machine.width); r.nodes > MaxPUs {
		return r.errorAt(at, fmt.Sprintf("more than %d numa nodes in all", MaxPUs))
	}
	return nil
}
