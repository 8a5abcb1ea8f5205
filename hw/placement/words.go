package placement

import (
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

// Elsewhere is a flag of a launcher that does not exist here, or a word that a launcher writes behind a flag, and what
// to write here for the same effect.
type Elsewhere struct{ Flag, Launcher, Instead string }

// Others are the flags that people who are used to a launcher try first. Sources: mpirun(1) of Open MPI 4.1, PRRTE 3's
// help texts, mpiexec -help of Hydra 4, srun(1) of Slurm 23.11.
var Others = []Elsewhere{
	{"cpu-set", "mpirun", "--bind LIST, which gives each rank its PUs"},
	{"cpu-list", "mpirun", "--bind LIST, which gives each rank its PUs"},
	{"use-hwthread-cpus", "mpirun", "--map-by :hwtcpus"},
	{"npernode", "mpirun", "--map-by ppr:N:node"},
	{"N", "mpirun or srun", "--map-by ppr:N:node for mpirun's, --topo 'SPEC*N' for srun's"},
	{"npersocket", "mpirun", "--map-by ppr:N:package"},
	{"pernode", "mpirun", "--map-by ppr:1:node"},
	{"cpus-per-proc", "mpirun", "--map-by slot:pe=N"},
	{"cpus-per-rank", "mpirun", "--map-by slot:pe=N"},
	{"bind-to-core", "mpirun", "--bind-to core"},
	{"bind-to-socket", "mpirun", "--bind-to package"},
	{"bycore", "mpirun", "--map-by core"},
	{"bysocket", "mpirun", "--map-by package"},
	{"bynode", "mpirun", "--map-by node"},
	{"oversubscribe", "mpirun", "nothing: ranks may share CPUs unless --map-by has :nooversubscribe"},
	{"report-bindings", "mpirun", "commsplit hw map"},
	{"display-map", "mpirun", "commsplit hw map"},
	{"display", "mpirun", "commsplit hw map"},
	{"host", "mpirun", "--topo 'machine:N pack:2 core:8', a machine with N hosts"},
	{"hostfile", "mpirun", "--topo 'machine:N pack:2 core:8', a machine with N hosts"},
	{"machinefile", "mpirun", "--topo 'machine:N pack:2 core:8', a machine with N hosts"},
	{"ppn", "Hydra", "--map-by ppr:N:node"},
	{"hosts", "Hydra", "--topo 'machine:N pack:2 core:8', a machine with N hosts"},
	{"nodes", "srun", "--topo 'machine:N pack:2 core:8', a machine with N hosts"},
	{"ntasks-per-core", "srun", "--map-by ppr:N:core"},
	{"ntasks-per-socket", "srun", "--map-by ppr:N:package"},
	{"c", "srun", "--cpus-per-task N"},
	{"O", "srun", "nothing: without srun's flags ranks may share CPUs"},
	{"S", "srun", "--core-spec N"},
	{"G", "srun", "--gpus N"},
	{"overcommit", "srun", "nothing: without srun's flags ranks may share CPUs"},
	{"exclusive", "srun", "nothing: ranks have whole hosts"},
	{"cpus-per-gpu", "srun", "--map-by device=gpu:pe=N"},
	{"mem-bind", "srun", "nothing: where memory is allocated is not modelled"},
	{"mca", "mpirun", "--map-by, --rank-by and --bind-to, which replace its placement parameters"},
	{"mapby", "PRRTE", "--map-by"},
	{"rankby", "PRRTE", "--rank-by"},
	{"bindto", "PRRTE", "--bind-to"},
	{"cpu_bind", "srun", "--cpu-bind, as srun is written today"},
	{"cpu-bind rank", "srun", "--cpu-bind map_cpu:LIST"},
	{"cpu-bind rank_ldom", "srun", "--map-by numa --bind-to numa"},
	{"cpu-bind map_ldom", "srun", "--cpu-bind mask_cpu:LIST"},
	{"cpu-bind mask_ldom", "srun", "--cpu-bind mask_cpu:LIST"},
	{"map-by pe-list", "PRRTE", "--bind LIST, which gives each rank its PUs"},
	{"map-by rankfile", "PRRTE", "--rankfile FILE, or --map-by rankfile:file=FILE"},
	{"map-by seq", "mpirun", "--rankfile FILE, which places each rank"},
	{"map-by dist", "mpirun", "--map-by device=NAME, which places ranks near that device"},
	{"map-by device", "PRRTE", "--map-by device=gpu, device=network or device=NAME"},
	{"map-by ib", "Hydra", "--map-by device=network"},
	{"map-by pci", "Hydra", "--map-by device=NAME, which places ranks near that device"},
	{"bind-to gpu", "Hydra", "--map-by device=gpu, and --bind-to core or numa: a process is not bound to a device"},
	{"bind-to ib", "Hydra", "--map-by device=network, and --bind-to core or numa: a process is not bound to a device"},
}

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
	var words []string
	for _, w := range objectWords {
		words = append(words, w.word)
	}
	switch flag {
	case "map-by":
		return append(append([]string{"slot", "ppr:N:OBJECT"}, words...), "device=NAME")
	case "rank-by":
		return append([]string{"slot", "fill", "span"}, words...)
	case "bind-to":
		return append([]string{"none"}, words...)
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
