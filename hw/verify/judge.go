package verify

import (
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
	"codeberg.org/commsplit/commsplit/hw/verify/cpuinfo"
	"codeberg.org/commsplit/commsplit/hw/verify/rules"
)

// testimony is the answer of a witness, with how to judge it.
type testimony struct {
	name   string
	usable bool // it tells what this process may use: compared with what the cgroup leaves
	plain  bool
	said   account.Account
	counts map[account.Kind]int // of a witness that gives numbers and no sets
	bound  hw.Set               // the PUs that this process is bound to; empty where it is not known
	limits []limit              // kinds that the witness is known to get wrong here
	notes  []string
	state  State // Skipped or Unable where the witness was not asked: why has the reason
	why    string
	err    error // why the witness does not answer
}

// judge compares a testimony with our reading. broken tells that the files break rules: then differences follow from
// that.
func (m *machine) judge(t testimony, broken bool) Witness {
	w := Witness{Name: t.name, Usable: t.usable, Plain: t.plain, Notes: t.notes, State: t.state, Why: t.why}
	if t.err != nil && t.state == "" {
		w.State, w.Why = Failed, t.err.Error()
	}
	if w.State != "" {
		return w
	}
	w.Verdicts = map[account.Kind]Verdict{}
	for k, said := range t.said {
		if ours, known := m.right(t)[k]; known {
			v := Verdict{State: Agrees, Said: said, Count: len(said)}
			if !account.Same(said, ours) {
				v.State, v.Why = t.excuse(k, broken, m, difference(t.name, said, m.against, ours))
			}
			w.Verdicts[k] = v
		}
	}
	for k, n := range t.counts {
		v := Verdict{State: Agrees, Count: n}
		if ours := len(m.right(t)[k]); n != ours {
			v.State, v.Why = t.excuse(k, broken, m, fmt.Sprintf("%s counts %d, %s %d", t.name, n, m.against, ours))
		}
		w.Verdicts[k] = v
	}
	return w
}

// right returns the account that a witness is compared with.
func (m *machine) right(t testimony) account.Account {
	if t.usable {
		return m.left
	}
	return m.full
}

// excuse returns the state of a difference, with the known reason or else the difference itself.
func (t testimony) excuse(k account.Kind, broken bool, m *machine, differs string) (State, string) {
	usable := account.Union(m.left[account.Of(hw.PU)])
	i := slices.IndexFunc(t.limits, func(l limit) bool { return slices.Contains(l.kinds, k) })
	n, counted := t.counts[k]
	switch {
	case t.plain:
		return Differs, differs
	case i >= 0:
		return Explained, t.limits[i].why
	case m.merged(k, t.said[k]):
		return Explained, "each is also another object, and the tree has one object for both"
	case k == account.Of(hw.PU) && !t.bound.Empty() && t.bound.SubsetOf(usable) && (!counted || n == t.bound.Len()):
		return Explained, fmt.Sprintf("this process is bound to %s (affinity), as by taskset or mpirun", pus(t.bound))
	case broken:
		return Differs, differs
	}
	return Unexplained, differs
}

// merged reports whether all Groups that a witness has beyond ours have the PUs of another object of the tree: as in
// hwloc, the tree has no object of its own for such a book or drawer.
func (m *machine) merged(k account.Kind, said []account.Thing) bool {
	has := func(t account.Thing) bool {
		for o := range m.whole.Root.All() {
			if o.Type != hw.PU && o.Type != hw.Core && o.CPUSet.Equal(t.CPUSet) {
				return true
			}
		}
		return false
	}
	more := without(said, m.full[k])
	return k.Type == hw.Group && len(more) > 0 && len(without(m.full[k], said)) == 0 &&
		!slices.ContainsFunc(more, func(t account.Thing) bool { return !has(t) })
}

// shown is the largest number of things that a difference names on each side.
const shown = 3

// difference describes the things that only one side has.
func difference(who string, said []account.Thing, against string, ours []account.Thing) string {
	theirs, mine := without(said, ours), without(ours, said)
	var parts []string
	if len(theirs) > 0 {
		parts = append(parts, "only "+who+" has "+list(theirs, mine))
	}
	if len(mine) > 0 {
		parts = append(parts, "only "+against+" has "+list(mine, theirs))
	}
	return strings.Join(parts, "; ")
}

// without lists the things of a that are not in b. A thing that a has more often than b is listed as often as it is
// missing.
func without(a, b []account.Thing) []account.Thing {
	rest := slices.Clone(b)
	var only []account.Thing
	for _, t := range a {
		same := func(u account.Thing) bool { return account.Same([]account.Thing{t}, []account.Thing{u}) }
		if i := slices.IndexFunc(rest, same); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else {
			only = append(only, t)
		}
	}
	return only
}

// list names things by their PUs, and by size or number where the other side has things with the same PUs.
func list(things, others []account.Thing) string {
	var words []string
	for _, t := range things {
		words = append(words, word(t, others))
	}
	return first(words, ", ")
}

func word(t account.Thing, others []account.Thing) string {
	text := pus(t.CPUSet)
	for _, o := range others {
		if o.CPUSet.Equal(t.CPUSet) && o.Bytes != t.Bytes {
			return fmt.Sprintf("%s with %d KiB", text, t.Bytes>>10)
		}
		if o.CPUSet.Equal(t.CPUSet) && o.OSIndex != t.OSIndex && t.OSIndex != hw.Unknown {
			return fmt.Sprintf("%s as P#%d", text, t.OSIndex)
		}
	}
	return text
}

// pus names a set of PUs.
func pus(s hw.Set) string {
	switch s.Len() {
	case 0:
		return "one without PUs"
	case 1:
		return "PU " + s.String()
	}
	return "PUs " + s.String()
}

// singles returns a thing for each PU of a set.
func singles(s hw.Set) []account.Thing {
	list := []account.Thing{}
	for pu := s.First(); pu >= 0; pu = s.Next(pu + 1) {
		list = append(list, account.Thing{OSIndex: pu, CPUSet: hw.SetOf(pu)})
	}
	return list
}

// limit is a kind of object that a witness is known to get wrong, or to define in another way, on some machines.
type limit struct {
	witness string
	kinds   []account.Kind
	when    func(*machine) bool // looks at the kind of machine: never at contradictions between files
	why     string              // a sentence's part with the witness as its subject
}

// limits lists all limits. An entry excuses differences, and also hides real faults of that kind from that witness:
// keep the list short.
var limits = []limit{
	{"cpuinfo", kinds(hw.Core), (*machine).computeUnits, "counts a compute unit of AMD's family 15h, two cores, as one core"},
	{"lscpu", kinds(hw.Core), (*machine).computeUnits, "treats a compute unit of AMD's family 15h, two cores, as one core"},
	{"lscpu", kinds(hw.Core, hw.Package), (*machine).manyParts, "numbers cores and packages anew for each model of CPU in /proc/cpuinfo"},
	{"lstopo", []account.Kind{{Type: hw.Group, Subtype: "Cluster"}}, (*machine).knightsLanding,
		"calls the Groups of NUMA nodes of a Xeon Phi Clusters"},
	{"lstopo", kinds(hw.Core), func(m *machine) bool { return m.computeUnits() && m.nameless() },
		"looks for AMD's compute units only on x86, and " + unnamed},
	{"lstopo", []account.Kind{{Type: hw.Group, Subtype: "Book"}, {Type: hw.Group, Subtype: "Drawer"}}, (*machine).nameless,
		"looks for books and drawers only on s390, and " + unnamed},
	{"lstopo", kinds(hw.L1Cache, hw.L1iCache, hw.L2Cache), (*machine).sparc, "does not read the caches of SPARC"},
}

// unnamed is the reason in limits that hold where nameless does.
const unnamed = "does not know the architecture of this copy, which has no proc/hwloc-nofile-info"

// nameless reports whether this is a copy without the architecture, for which lstopo asks a live kernel.
func (m *machine) nameless() bool {
	_, lost := m.text("proc/hwloc-nofile-info")
	return !m.live && lost
}

// sparc reports whether the machine is a SPARC, whose kernel has the caches in other files.
func (m *machine) sparc() bool { return m.is("type", "sun4u", "sun4v") }

func kinds(types ...hw.Type) (list []account.Kind) {
	for _, t := range types {
		list = append(list, account.Of(t))
	}
	return list
}

// limitsOf returns the limits of a witness that hold on this machine.
func (m *machine) limitsOf(witness string) (list []limit) {
	for _, l := range limits {
		if l.witness == witness && l.when(m) {
			list = append(list, l)
		}
	}
	return list
}

// values lists the values in lines of /proc/cpuinfo with a name, each once.
func (m *machine) values(name string) []string {
	text, _ := m.text(cpuinfo.File)
	return cpuinfo.Values(text, name)
}

// is reports whether a line of /proc/cpuinfo with that name has one of the values.
func (m *machine) is(name string, values ...string) bool {
	return slices.ContainsFunc(m.values(name), func(v string) bool { return slices.Contains(values, v) })
}

func (m *machine) computeUnits() bool {
	return m.is("vendor_id", "AuthenticAMD") && m.is("cpu family", "21", "22")
}

func (m *machine) knightsLanding() bool {
	return m.is("vendor_id", "GenuineIntel") && m.is("cpu family", "6") && m.is("model", "87", "133")
}

func (m *machine) manyParts() bool {
	return len(m.values("CPU part")) > 1 || len(m.values("CPU variant")) > 1
}

// treeRule checks our tree against the files. Files that contradict each other may break this rule, too: then it shows
// no fault of the tree.
func (m *machine) treeRule() rules.Rule {
	r := rules.Rule{Name: "tree", Says: "the tree has each object that the files describe, within the object above it"}
	add := func(pu int, said ...rules.Said) { r.Breaches = append(r.Breaches, rules.Breach{PU: pu, Said: said}) }
	for _, o := range m.ours.Dropped {
		add(o.CPUSet.First(), rules.Said{File: "left out", Value: o.Title() + " with " + pus(o.CPUSet)})
	}
	var walk func(o *hw.Object)
	walk = func(o *hw.Object) {
		for _, c := range slices.Concat(o.Memory, o.Children) {
			if !c.CPUSet.SubsetOf(o.CPUSet) {
				add(c.CPUSet.First(), rules.Said{File: c.Title(), Value: pus(c.CPUSet)}, rules.Said{File: o.Title(), Value: pus(o.CPUSet)})
			}
			walk(c)
		}
	}
	walk(m.ours.Root)
	for _, k := range []account.Kind{account.Of(hw.Package), account.Of(hw.PU)} {
		there := account.Union(m.full[k])
		if rest := m.ours.Online.Minus(there); !rest.Empty() && (!there.Empty() || k.Type == hw.PU) {
			add(rest.First(), rules.Said{File: fmt.Sprintf("in no %v", k), Value: pus(rest)})
		}
	}
	return r
}

// follows describes in a line the consequences of broken rules: what the tree lacks, and which witnesses differ.
func (m *machine) follows(r *Report) string {
	var parts, lost []string
	for _, o := range m.ours.Dropped {
		lost = append(lost, o.Title())
	}
	if out := m.leftOut(m.ours.Online.Intersects); !out.Empty() {
		lost = append(lost, fmt.Sprintf("NUMANode P#%v", out))
	}
	if bare := m.ours.Online.Minus(account.Union(m.full[account.Of(hw.PU)])); !bare.Empty() {
		lost = append(lost, pus(bare))
	}
	if odd := inCore(m.ours.Root, false); odd != nil {
		parts = append(parts, fmt.Sprintf("the tree has an %s of %s within a Core", odd.TypeName(), pus(odd.CPUSet)))
	}
	if len(lost) > 0 {
		parts = append(parts, "the tree leaves out "+first(lost, ", "))
	}
	var differ []string
	for _, k := range r.Kinds {
		var who []string
		for _, w := range r.Witnesses {
			if v := w.Verdicts[k]; v.State == Differs && !w.Plain {
				who = append(who, w.Name+" "+m.otherwise(k, v))
			}
		}
		if len(who) > 0 {
			differ = append(differ, fmt.Sprintf("%v (we %d, %s)", k, len(m.full[k]), strings.Join(who, ", ")))
		}
	}
	switch len(differ) {
	case 0:
		if m.unformed {
			parts = append(parts, "lscpu and lstopo were not asked, because such files mislead them; no other witness differs from the tree")
			break
		}
		parts = append(parts, "no witness differs from the tree, because they read the same files")
	case 1:
		parts = append(parts, "1 type differs because of it: "+differ[0])
	default:
		parts = append(parts, fmt.Sprintf("%d types differ because of it: %s", len(differ), first(differ, ", ")))
	}
	return strings.Join(parts, "; ")
}

// otherwise describes in a word or two how a witness differs from us: another number of things, or the same number with
// other PUs, sizes or numbers.
func (m *machine) otherwise(k account.Kind, v Verdict) string {
	sets := func(list []account.Thing) (bare []account.Thing) {
		for _, t := range list {
			bare = append(bare, account.Thing{OSIndex: hw.Unknown, CPUSet: t.CPUSet})
		}
		return bare
	}
	switch {
	case v.Count != len(m.full[k]):
		return fmt.Sprint(v.Count)
	case !account.Same(sets(v.Said), sets(m.full[k])):
		return "with other PUs"
	case k.Type.IsCache():
		return "with other sizes"
	}
	return "with other numbers"
}

// inCore returns a cache of level 3 or more inside a core; nil when there is none.
func inCore(o *hw.Object, within bool) *hw.Object {
	if within && (o.Type == hw.L3Cache || o.Type == hw.L4Cache || o.Type == hw.L5Cache) {
		return o
	}
	for _, c := range o.Children {
		if odd := inCore(c, within || o.Type == hw.Core); odd != nil {
			return odd
		}
	}
	return nil
}

// first joins the first words of a list, and counts the rest.
func first(list []string, sep string) string {
	if len(list) > shown {
		list = append(list[:shown:shown], fmt.Sprintf("and %d more", len(list)-shown))
	}
	return strings.Join(list, sep)
}
