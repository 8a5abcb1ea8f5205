package verify

import (
	"fmt"
	"slices"
	"strings"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// testimony is what a witness says, and how it is to be taken.
type testimony struct {
	name   string
	usable bool // it tells what this process may use: held against what the cgroup leaves
	plain  bool
	said   account.Account
	counts map[account.Kind]int // of a witness that tells numbers and no sets
	bound  hw.Set               // the PUs that this process is bound to; empty where it is not known
	limits []limit              // kinds that it is known to tell wrong here
	notes  []string
	state  State // Skipped or Unable where it was not asked: why says the reason
	why    string
	err    error // why it does not answer
}

// judge holds a testimony against what we read. Where rules on the files are broken, differences follow.
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

// right is what a witness is held against.
func (m *machine) right(t testimony) account.Account {
	if t.usable {
		return m.left
	}
	return m.full
}

// excuse is how a difference is to be taken. What differs is said, but where it is known why.
func (t testimony) excuse(k account.Kind, broken bool, m *machine, differs string) (State, string) {
	usable := account.Union(m.left[account.Of(hw.PU)])
	i := slices.IndexFunc(t.limits, func(l limit) bool { return slices.Contains(l.kinds, k) })
	n, counted := t.counts[k]
	switch {
	case t.plain:
		return Differs, differs
	case i >= 0:
		return Explained, t.limits[i].why
	case k == account.Of(hw.PU) && !t.bound.Empty() && t.bound.SubsetOf(usable) && (!counted || n == t.bound.Len()):
		return Explained, fmt.Sprintf("this process is bound to %s (affinity), as taskset and mpirun do it", pus(t.bound))
	case broken:
		return Differs, differs
	}
	return Unexplained, differs
}

// shown is how many things a difference names on each side.
const shown = 3

// difference tells what only one side says.
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

// without lists the things of a that are not in b, each as often as it is missing there.
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

// list names things by their PUs, and by size or number where the other side has the same PUs.
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

// singles are the things of a set of PUs.
func singles(s hw.Set) []account.Thing {
	list := []account.Thing{}
	for pu := s.First(); pu >= 0; pu = s.Next(pu + 1) {
		list = append(list, account.Thing{OSIndex: pu, CPUSet: hw.SetOf(pu)})
	}
	return list
}
