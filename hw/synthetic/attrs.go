package synthetic

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hostlist"
)

// indexes is an indexes= attribute: its text and its offset in the description;
// the offset is 0 when there is no such attribute.
type indexes struct {
	text string
	at   int
}

// attributes is the target of the attributes in one pair of parentheses.
type attributes struct {
	*level
	indexes *indexes // where the indexes of the level, or of all attached nodes or PUs, go
	braces  bool     // of braces: there are only indexes
}

// readAttrs reads "(attr attr ...)", with one blank between attributes.
func (r *reader) readAttrs(a *attributes) error {
	open := r.pos
	if !strings.Contains(r.text[open:], ")") {
		return r.errorAt(open, "missing ')' of the attributes")
	}
	r.pos++
	for !r.skip(")") {
		if err := r.attr(a); err != nil {
			return err
		}
		if !r.skip(" ") && r.peek() != ')' {
			return r.errorAt(r.pos, "missing blank or ')' after an attribute")
		}
	}
	return nil
}

// attr reads one attribute; it returns an error for an attribute that the
// object cannot have.
func (r *reader) attr(a *attributes) (err error) {
	at := r.pos
	node, cores := a.typ == hw.NUMANode, a.typ != hw.NUMANode && a.typ != hw.Machine
	switch {
	case r.skip("indexes="):
		*a.indexes = indexes{r.value(), at + len("indexes=")}
	case a.braces:
		return r.errorAt(at, "unknown attribute of braces: want indexes=")
	case a.typ.IsCache() && r.skip("size="), !a.typ.IsCache() && r.skip("memory="):
		a.bytes, err = r.size()
	case node && r.skip("memorysidecachesize="):
		a.cache, err = r.size()
	case (node || a.typ == hw.Group) && r.skip("subtype="):
		err = r.readSubtype(a.level)
	case a.typ == hw.Machine && r.skip("name="):
		err = r.hostNames(a.machine)
	case cores && r.skip("kind="):
		a.kind.at = r.pos
		a.kind.name, err = r.name("kind")
	case cores && r.skip("efficiency="):
		err = r.efficiency(&a.kind)
	default:
		return r.errorAt(at, "unknown attribute"+attrHint(a))
	}
	return err
}

func attrHint(a *attributes) string {
	switch typ := a.typ; {
	case typ.IsCache():
		return " of a cache: want size=, kind=, efficiency= or indexes="
	case typ == hw.NUMANode:
		return " of a numa node: want memory=, subtype=, memorysidecachesize= or indexes="
	case typ == hw.Machine:
		return " of a machine: want name=, memory= or indexes="
	case typ == hw.Group:
		return " of a group: want subtype=, kind=, efficiency=, memory= or indexes="
	}
	return ": want kind=, efficiency=, memory= or indexes="
}

// value reads up to the next blank or the end of the attributes.
func (r *reader) value() string {
	n := strings.IndexAny(r.text[r.pos:], " )")
	text := r.text[r.pos : r.pos+n]
	r.pos += n
	return text
}

// name reads a word: a letter, then letters, digits, dashes and underscores.
func (r *reader) name(of string) (string, error) {
	at := r.pos
	word := r.word()
	if c := r.peek(); word == "" || c != ' ' && c != ')' {
		return "", r.errorAt(at,
			"want a "+of+" of letters, digits, '-' and '_', a letter first")
	}
	return word, nil
}

// readSubtype reads the subtype of l. A Group with the name of a level above the machines
// is an error: both would be one resource type.
func (r *reader) readSubtype(l *level) (err error) {
	l.subtype, err = r.name("subtype")
	if err != nil || l.typ != hw.Group {
		return err
	}
	r.subtypes = append(r.subtypes, l.subtype)
	if slices.ContainsFunc(r.names, func(name string) bool { return strings.EqualFold(name, l.subtype) }) {
		return r.errorAt(l.at, l.subtype+" is a level above the machines: want another subtype")
	}
	return nil
}

// efficiency reads the rank of a kind of core; 0 is the kind that needs the
// least power.
func (r *reader) efficiency(k *kind) error {
	at := r.pos
	n, ok := r.number()
	if !ok || n > maxEfficiency {
		return r.errorAt(at, fmt.Sprintf("want an efficiency of 0 (the least power) to %d", maxEfficiency))
	}
	k.rank, k.rankAt = int(n), at
	return nil
}

const maxEfficiency = 1000

// hostNames reads the names of all machines of a level.
func (r *reader) hostNames(m *machine) error {
	at := r.pos
	names, err := hostlist.Expand(r.value(), MaxPUs)
	var e *hostlist.Error
	switch {
	case errors.As(err, &e):
		return r.errorAt(at+e.Offset, e.Message)
	case len(names) != m.width:
		return r.errorAt(at, fmt.Sprintf("%d names for %d machines", len(names), m.width))
	}
	m.names, m.namesAt = names, at
	return nil
}

// units are the suffixes of sizes. The longer ones come first.
var units = []struct {
	name  string
	bytes uint64
}{
	{"tib", 1 << 40}, {"gib", 1 << 30}, {"mib", 1 << 20}, {"kib", 1 << 10},
	{"tb", 1e12}, {"gb", 1e9}, {"mb", 1e6}, {"kb", 1e3},
}

// size reads a number of bytes with an optional unit.
func (r *reader) size() (uint64, error) {
	at := r.pos
	n, ok := r.number()
	if !ok {
		return 0, r.errorAt(at, "missing size such as 64GB")
	}
	for _, u := range units {
		rest := r.text[r.pos:]
		if len(rest) >= len(u.name) && strings.EqualFold(rest[:len(u.name)], u.name) {
			r.pos += len(u.name)
			if n > 1<<63/u.bytes {
				return 0, r.errorAt(at, fmt.Sprintf("size above %d bytes", uint64(1<<63)))
			}
			return n * u.bytes, nil
		}
	}
	return n, nil
}
