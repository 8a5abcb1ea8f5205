package hw

import (
	"fmt"
	"slices"
	"strings"
)

// Policy says where ranks run, in mpirun's words. The zero value maps by core
// and binds to core, or to PUs on hardware that has no cores.
//
// MapBy and BindTo take slot (MapBy only), hwthread, core, l1cache to l5cache,
// numa, die, package, machine, none (BindTo only), their aliases (pu, cpu,
// socket, numanode, node, host), unique beginnings of these in any case, and
// the names of the topology's own types such as rack. RankBy takes slot. List
// gives each rank its PUs instead, and excludes the other three: "0,1,2-3+8"
// puts rank 2 on PUs 2, 3 and 8; it wraps round, on the next host if any.
type Policy struct {
	MapBy, RankBy, BindTo, List string
}

// placeTypes are the words for object types, finest first.
var placeTypes = []struct {
	word    string
	typ     Type
	aliases []string
}{
	{"hwthread", PU, []string{"pu", "cpu"}},
	{"core", Core, nil},
	{"l1cache", L1Cache, nil},
	{"l2cache", L2Cache, nil},
	{"l3cache", L3Cache, nil},
	{"l4cache", L4Cache, nil},
	{"l5cache", L5Cache, nil},
	{"numa", NUMANode, []string{"numanode"}},
	{"die", Die, nil},
	{"package", Package, []string{"socket"}},
	{"machine", Machine, []string{"node", "host"}},
}

// placeWord resolves what the user wrote to a word of placeTypes or extra.
// It returns "" when nothing begins like that, and an error when several do.
func placeWord(flag, text, extra string) (string, error) {
	text = strings.ToLower(text)
	var hits []string
	try := func(spelling, word string) (exact bool) {
		if strings.HasPrefix(spelling, text) && !slices.Contains(hits, word) {
			hits = append(hits, word)
		}
		return spelling == text
	}
	if try(extra, extra) {
		return extra, nil
	}
	for _, w := range placeTypes {
		if try(w.word, w.word) {
			return w.word, nil
		}
		for _, a := range w.aliases {
			if try(a, w.word) {
				return w.word, nil
			}
		}
	}
	switch len(hits) {
	case 0:
		return "", nil
	case 1:
		return hits[0], nil
	}
	return "", fmt.Errorf("%s %q is ambiguous: %s", flag, text, strings.Join(hits, ", "))
}

// placeLevel finds the resource that a word of a policy names; nil stands for
// the extra word (slot or none).
func (t *Topology) placeLevel(flag, text, extra string) (*Resource, error) {
	if text == "" {
		return t.coresOrPUs(), nil
	}
	if before, modifier, found := strings.Cut(text, ":"); found {
		return nil, fmt.Errorf("%s %q: modifiers such as %q are not supported; use %s alone",
			flag, text, modifier, before)
	}
	word, err := placeWord(flag, text, extra)
	if err != nil || word == extra {
		return nil, err
	}
	for _, w := range placeTypes {
		if w.word == word {
			if r := t.resourceOf(w.typ); r != nil {
				return r, nil
			}
			return nil, fmt.Errorf("%s %s: there is no %s level here; there are %s",
				flag, word, w.typ, t.levelNames())
		}
	}
	if r, _ := t.Lookup(text); r != nil {
		return r, nil
	}
	words := []string{extra}
	for _, w := range placeTypes {
		words = append(words, w.word)
	}
	for _, r := range t.resources {
		if r.Subtype != "" {
			words = append(words, strings.ToLower(r.Subtype))
		}
	}
	return nil, fmt.Errorf("%s %q is unknown: use %s", flag, text, strings.Join(words, ", "))
}

// coresOrPUs is the resource for one rank each: cores, or PUs without cores.
func (t *Topology) coresOrPUs() *Resource {
	if r := t.resourceOf(Core); r != nil {
		return r
	}
	return t.resourceOf(PU)
}

func (t *Topology) levelNames() string {
	var names []string
	for _, r := range t.resources {
		_, bare, _ := strings.Cut(r.URI, "://")
		names = append(names, bare)
	}
	return strings.Join(names, ", ")
}
