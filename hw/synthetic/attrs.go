package synthetic

import (
	"fmt"
	"strings"

	"commsplit/hw"
)

// indexes is an indexes= attribute: its text and where it stands.
type indexes struct {
	text string
	at   int
}

// units are the suffixes of sizes. The longer ones come first.
var units = []struct {
	name  string
	bytes uint64
}{
	{"tib", 1 << 40}, {"gib", 1 << 30}, {"mib", 1 << 20}, {"kib", 1 << 10},
	{"tb", 1e12}, {"gb", 1e9}, {"mb", 1e6}, {"kb", 1e3},
}

// readAttrs reads "(attr attr ...)" of an object of type typ, with one blank
// between attributes. cache is nil where no memory-side cache can be.
func (r *reader) readAttrs(ix *indexes, typ hw.Type, bytes, cache *uint64) error {
	open := r.pos
	if !strings.Contains(r.text[open:], ")") {
		return r.errorAt(open, "missing ')' of the attributes")
	}
	r.pos++
	for !r.skip(")") {
		at := r.pos
		var err error
		switch {
		case typ.IsCache() && r.skip("size="), !typ.IsCache() && r.skip("memory="):
			*bytes, err = r.size()
		case typ == hw.NUMANode && cache != nil && r.skip("memorysidecachesize="):
			*cache, err = r.size()
		case r.skip("indexes="):
			n := strings.IndexAny(r.text[r.pos:], " )")
			*ix = indexes{r.text[r.pos : r.pos+n], r.pos}
			r.pos += n
		default:
			return r.errorAt(at, "unknown attribute"+attrHint(typ))
		}
		if err != nil {
			return err
		}
		if !r.skip(" ") && r.peek() != ')' {
			return r.errorAt(r.pos, "missing blank or ')' after an attribute")
		}
	}
	return nil
}

func attrHint(typ hw.Type) string {
	switch {
	case typ.IsCache():
		return " of a cache: want size= or indexes="
	case typ == hw.NUMANode:
		return " of a numa node: want memory=, memorysidecachesize= or indexes="
	}
	return ": want memory= or indexes="
}

// size takes a number of bytes with an optional unit.
func (r *reader) size() (uint64, error) {
	at := r.pos
	n, ok := r.number64()
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
