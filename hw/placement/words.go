package placement

import (
	"fmt"
	"slices"
	"strings"

	"commsplit/hw"
	"commsplit/hw/spell"
)

// objectWords are the words for object types, finest first.
var objectWords = []struct {
	word    string
	typ     hw.Type
	aliases []string
}{
	{"hwthread", hw.PU, []string{"pu", "cpu"}},
	{"core", hw.Core, nil},
	{"l1cache", hw.L1Cache, nil},
	{"l2cache", hw.L2Cache, nil},
	{"l3cache", hw.L3Cache, nil},
	{"l4cache", hw.L4Cache, nil},
	{"l5cache", hw.L5Cache, nil},
	{"numa", hw.NUMANode, []string{"numanode"}},
	{"die", hw.Die, nil},
	{"package", hw.Package, []string{"socket"}},
	{"machine", hw.Machine, []string{"node", "host"}},
}

// directive is the first part of what a flag says, the rest of which is
// modifiers: numa in "numa:pe=2:span".
type directive struct {
	flag  string // "--map-by"
	text  string // all of it, as written
	word  string // the first part, in lower case
	parts []string
}

func newDirective(flag, text string) directive {
	parts := strings.Split(strings.ToLower(text), ":")
	return directive{flag, text, parts[0], parts[1:]}
}

// resolve finds the resource that the word names. Where it is one of the extra
// words, that is given instead, and no resource. The error for a level that
// the topology lacks is a *missing.
func (d directive) resolve(t *hw.Topology, extra ...string) (word string, r *hw.Resource, err error) {
	word, err = d.complete(extra)
	if err != nil || slices.Contains(extra, word) {
		return word, nil, err
	}
	for _, w := range objectWords {
		if w.word == word {
			if r := t.ResourceOf(w.typ); r != nil {
				return word, r, nil
			}
			return "", nil, &missing{fmt.Errorf("%s %s: there is no %s level here; there are %s",
				d.flag, word, w.typ, levelNames(t))}
		}
	}
	if r, _ := t.Lookup(d.word); r != nil {
		return d.word, r, nil
	}
	name, _, _ := strings.Cut(d.word, "=")
	for _, e := range otherWords {
		if e.Flag == name {
			return "", nil, fmt.Errorf("%s %s is %s's; here write %s", d.flag, d.text, e.Launcher, e.Instead)
		}
	}
	words := append(extra, levelWords(t)...)
	hint := ""
	if near := spell.Nearest(d.word, append(allAliases(), words...)); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	if d.flag == "--map-by" && len(extra) > 0 {
		words = append(words, "ppr:N:OBJECT")
	}
	return "", nil, fmt.Errorf("%s %q is unknown%s: use %s", d.flag, d.word, hint, strings.Join(words, ", "))
}

// missing is the error for a level that the topology lacks.
type missing struct{ error }

// complete is the word that d's word is, is an alias of or begins; "" when
// there is none.
func (d directive) complete(extra []string) (string, error) {
	var hits []string
	exact := ""
	try := func(spelling, word string) {
		if spelling == d.word {
			exact = word
		}
		if strings.HasPrefix(spelling, d.word) && !slices.Contains(hits, word) {
			hits = append(hits, word)
		}
	}
	for _, w := range extra {
		try(w, w)
	}
	for _, w := range objectWords {
		try(w.word, w.word)
		for _, a := range w.aliases {
			try(a, w.word)
		}
	}
	switch {
	case exact != "":
		return exact, nil
	case len(hits) == 0:
		return "", nil
	case len(hits) == 1:
		return hits[0], nil
	}
	return "", fmt.Errorf("%s %q is ambiguous: %s", d.flag, d.word, strings.Join(hits, ", "))
}

// levelWords are the words for all types of objects, and for the topology's own.
func levelWords(t *hw.Topology) []string {
	var words []string
	for _, w := range objectWords {
		words = append(words, w.word)
	}
	for _, r := range t.Resources() {
		if r.Subtype != "" {
			words = append(words, strings.ToLower(r.Subtype))
		}
	}
	return words
}

// allAliases are the other spellings of objects.
func allAliases() []string {
	var list []string
	for _, w := range objectWords {
		list = append(list, w.aliases...)
	}
	return list
}

// levelNames lists the levels that the topology has, by their own names.
func levelNames(t *hw.Topology) string {
	var names []string
	for _, r := range t.Resources() {
		_, bare, _ := strings.Cut(r.URI, "://")
		names = append(names, bare)
	}
	return strings.Join(names, ", ")
}
