package placement

import (
	_ "embed" // of the flags of launchers
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
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

// directive is the value of a flag, cut into its first word and its modifiers: numa in "numa:pe=2:span".
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

// resolve finds the resource that the word names. For one of the extra words it returns that word, and no resource. The
// error for a level that the topology lacks is a *missing.
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
	for _, flag := range []string{strings.TrimPrefix(d.flag, "--"), "map-by"} {
		e, known := InsteadOf(flag + " " + d.word)
		if !known {
			continue
		}
		return "", nil, fmt.Errorf("%s %s is a word of %s; here write %s", d.flag, d.text, e.Launcher, e.Instead)
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

// complete returns the full word for d's word, which may be that word, an alias, or a unique beginning of either; ""
// when there is none.
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

// levelWords returns the words for all types of objects, and for the topology's own types.
func levelWords(t *hw.Topology) []string {
	words := typeWords()
	for _, r := range t.Resources() {
		if r.Subtype != "" {
			words = append(words, strings.ToLower(r.Subtype))
		}
	}
	return words
}

// typeWords returns the words for all types of objects.
func typeWords() (words []string) {
	for _, w := range objectWords {
		words = append(words, w.word)
	}
	return words
}

// allAliases returns the other spellings of object types.
func allAliases() []string {
	var list []string
	for _, w := range objectWords {
		list = append(list, w.aliases...)
	}
	return list
}

// levelNames lists the levels of the topology by their own names.
func levelNames(t *hw.Topology) string {
	var names []string
	for _, r := range t.Resources() {
		_, bare, _ := strings.Cut(r.URI, "://")
		names = append(names, bare)
	}
	return strings.Join(names, ", ")
}

// The modifiers of each flag, as completion and messages list them.
var (
	mapModifiers = []string{"pe=N", "span", "oversubscribe", "nooversubscribe", "hwtcpus", "corecpus"}
	// of MapBy device=
	deviceModifiers = []string{"shared", "interleave", "ndev=N"}
	rankModifiers   = []string{"span", "fill"}
	bindModifiers   = []string{"overload-allowed", "no-overload", "if-supported"}
)

// contrary are the modifiers that exclude each other.
var contrary = [][2]string{
	{"oversubscribe", "nooversubscribe"}, {"hwtcpus", "corecpus"},
	{"overload-allowed", "no-overload"}, {"span", "fill"},
}

// modifiers are the modifiers of a directive; the value of pe is its number, the value of the others is 1.
type modifiers map[string]int

// modifiers reads the parts of the directive after its word.
func (d directive) modifiers(known []string) (modifiers, error) {
	set := modifiers{}
	for _, part := range d.parts {
		name, value, valued := strings.Cut(part, "=")
		full, err := d.modifier(name, known)
		if err != nil {
			return nil, err
		}
		number, bare := 1, strings.TrimSuffix(full, "=N")
		switch {
		case full != bare:
			if number, err = strconv.Atoi(value); err != nil || number < 1 || number > hw.MaxIndex {
				return nil, fmt.Errorf("%s %q: %s needs a number of CPUs of at least 1, such as %s=2",
					d.flag, d.text, bare, bare)
			}
		case valued:
			return nil, fmt.Errorf("%s %q: %s takes no value", d.flag, d.text, bare)
		}
		if old, ok := set[bare]; ok && old != number {
			return nil, fmt.Errorf("%s %q: %s is given twice", d.flag, d.text, bare)
		}
		set[bare] = number
	}
	for _, c := range contrary {
		if set[c[0]] > 0 && set[c[1]] > 0 {
			return nil, fmt.Errorf("%s %q: %s and %s contradict each other", d.flag, d.text, c[0], c[1])
		}
	}
	return set, nil
}

// modifier returns the modifier that has this name or is the only one to begin with it.
func (d directive) modifier(name string, known []string) (string, error) {
	var hits []string
	for _, full := range known {
		if bare := strings.TrimSuffix(full, "=N"); bare == name {
			return full, nil
		} else if name != "" && strings.HasPrefix(bare, name) {
			hits = append(hits, full)
		}
	}
	switch {
	case len(hits) == 1:
		return hits[0], nil
	case len(hits) > 1:
		return "", fmt.Errorf("%s %q: modifier %q is ambiguous: %s", d.flag, d.text, name,
			strings.Join(hits, ", "))
	case name == "":
		return "", fmt.Errorf("%s %q: a modifier is missing after the colon: %s", d.flag, d.text,
			strings.Join(known, ", "))
	}
	return "", fmt.Errorf("%s %q: there is no modifier %q: use %s", d.flag, d.text, name,
		strings.Join(known, ", "))
}

// has reports whether a modifier was given.
func (m modifiers) has(name string) bool { return m[name] > 0 }

// first returns the first of the names that was given, or "".
func (m modifiers) first(names ...string) string {
	if i := slices.IndexFunc(names, m.has); i >= 0 {
		return names[i]
	}
	return ""
}

// Elsewhere is a launcher's flag, or a flag with a word behind it, that does not exist here, with the words that have the
// same effect here.
type Elsewhere struct{ Flag, Launcher, Instead string }

//go:embed others.txt
var othersText string

// Others are the flags that people who are used to a launcher try first: a line each of others.txt.
var Others = func() (list []Elsewhere) {
	for line := range strings.Lines(othersText) {
		if column := strings.SplitN(strings.TrimSpace(line), "|", 3); len(column) == 3 {
			list = append(list, Elsewhere{strings.TrimSpace(column[0]), strings.TrimSpace(column[1]), strings.TrimSpace(column[2])})
		}
	}
	return list
}()

// InsteadOf looks a flag up in Others; the flag may have dashes and a value.
func InsteadOf(flag string) (Elsewhere, bool) {
	name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	i := slices.IndexFunc(Others, func(e Elsewhere) bool { return e.Flag == name })
	if i < 0 {
		return Elsewhere{}, false
	}
	return Others[i], true
}

// OneDash returns the first argument, up to a "--", that is a launcher's flag with one dash and does not exist here:
// cobra would read the letters of -hosts as -h, -o and so on.
func OneDash(args []string) (flag string, e Elsewhere, found bool) {
	for _, a := range args {
		switch {
		case a == "--":
			return "", e, false
		case len(a) > 2 && a[0] == '-' && a[1] != '-':
			if e, found = InsteadOf(a); found && len(e.Flag) > 1 {
				return "-" + e.Flag, e, true
			}
		}
	}
	return "", e, false
}

// oneDash are flags that mpirun and Hydra take with one dash.
var oneDash = []string{"np", "map-by", "rank-by", "bind-to", "rankfile"}

// TwoDashes returns the arguments with two dashes for flags that launchers take with one dash, up to a "--".
func TwoDashes(args []string) []string {
	var list []string
	for i, a := range args {
		if a == "--" {
			return append(list, args[i:]...)
		}
		for _, flag := range oneDash {
			if rest, ok := strings.CutPrefix(a, "-"+flag); ok && (rest == "" || rest[0] == '=') {
				a = "-" + a
				break
			}
		}
		list = append(list, a)
	}
	return list
}

// srunWords are the values of srun's flags; a value that needs a number or a list ends with = or :.
var srunWords = map[string][]string{
	"distribution": {"block:block", "block:cyclic", "block:fcyclic", "cyclic:block", "cyclic:cyclic", "cyclic:fcyclic", "plane="},
	"cpu-bind":     {"none", "threads", "cores", "sockets", "ldoms", "map_cpu:", "mask_cpu:"},
	"hint":         {"nomultithread", "multithread"},
	"gpu-bind":     {"closest", "single:", "per_task:", "map_gpu:", "mask_gpu:", "none"},
}

// Words returns the values that the flags map-by, rank-by and bind-to take on any topology, without modifiers; nil for
// another flag.
func Words(flag string) []string {
	switch flag {
	case "map-by":
		return append(append([]string{"slot", "ppr:N:OBJECT"}, typeWords()...), "device=NAME")
	case "rank-by":
		return append([]string{"slot", "fill", "span"}, typeWords()...)
	case "bind-to":
		return append([]string{"none"}, typeWords()...)
	}
	return nil
}

// Modifiers returns the modifiers that may follow the words of those flags after a colon.
func Modifiers(flag string) []string {
	return map[string][]string{
		"map-by": mapModifiers, "rank-by": rankModifiers, "bind-to": bindModifiers,
	}[flag]
}

// Complete lists the possible completions of text as a value of a flag: words, or after a colon modifiers that are not
// there yet.
func Complete(flag, text string) []string {
	if words := srunWords[flag]; words != nil {
		return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, text) })
	}
	at := strings.LastIndexByte(text, ':') + 1
	options := Words(flag)
	switch parts := strings.Split(strings.ToLower(text), ":"); {
	case parts[0] == "ppr" && len(parts) == 2:
		options = []string{"1:", "2:"}
	case parts[0] == "ppr" && len(parts) == 3:
		options = strings.Fields(strings.ReplaceAll(strings.Join(Words(flag)[2:], " "), "=NAME", "=")) // objects only
	case at > 0:
		options = Modifiers(flag)
	default:
		for i, w := range options {
			options[i] = strings.TrimSuffix(strings.TrimSuffix(w, "N:OBJECT"), "NAME")
		}
	}
	var list []string
	for _, o := range options {
		o = strings.TrimSuffix(o, "N") // the number of pe=N is the user's
		there := strings.Contains(strings.ToLower(text[:at]), ":"+o)
		if strings.HasPrefix(o, strings.ToLower(text[at:])) && !there {
			list = append(list, text[:at]+o)
		}
	}
	return list
}
