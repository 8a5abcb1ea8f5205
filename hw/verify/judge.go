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
	name    string
	usable  bool
	said    account.Account
	counts  map[account.Kind]int // of a witness that tells numbers and no sets
	model   account.Model        // of the answers of one who knows no cgroup, on the whole machine
	obeys   bool                 // it knows cgroups: the model is of the machine that they leave
	aside   string               // what was left out of said, so that none of it fully agrees
	notes   []string
	skipped string // why it was not asked
	err     error  // why it does not answer
	follows string // what in the machine's files makes it fail; "" when nothing does
}

// judge holds a testimony against what we read.
func (m *machine) judge(t testimony) Witness {
	w := Witness{Name: t.name, Usable: t.usable, Notes: t.notes, Verdicts: map[account.Kind]Verdict{}}
	switch {
	case t.skipped != "":
		w.State, w.Why = Skipped, t.skipped
		return w
	case t.err != nil && t.follows != "":
		w.State, w.Why = Skipped, t.follows
		return w
	case t.err != nil:
		w.State, w.Why = Failed, t.err.Error()
		return w
	}
	for k, said := range t.said {
		w.Verdicts[k] = m.verdict(t, k, said)
	}
	for k, n := range t.counts {
		w.Verdicts[k] = m.countVerdict(t, k, n)
	}
	return w
}

func (m *machine) verdict(t testimony, k account.Kind, said []account.Thing) Verdict {
	v := Verdict{State: Agrees, Said: said, Count: len(said)}
	if t.aside != "" {
		v.State, v.Why = Explained, []string{t.aside}
	}
	if account.Same(said, m.said[k]) {
		return v
	}
	if !slices.Contains(readable, k) && len(m.said[k]) == 0 {
		v.State, v.Why = Explained, []string{"tells objects that commsplit does not read: not compared"}
		return v
	}
	v.State = Explained
	limits, ok := t.explain(k, said)
	restricted := !t.obeys && m.restricted(k)
	if ok && len(limits) == 0 && !restricted {
		ok = false // the plain reading of the files is what the witness says, and not what we say
	}
	if ok {
		for _, l := range limits {
			v.Why = append(v.Why, l.Words)
		}
		if restricted {
			v.Why = append(v.Why, m.cgroupWords())
		}
		return v
	}
	v.State = Unexplained
	v.Why = []string{difference(said, m.said[k])}
	return v
}

// explain asks the model. One that predicts nothing explains nothing.
func (t testimony) explain(k account.Kind, said []account.Thing) ([]*account.Limit, bool) {
	if t.model.Predict == nil {
		return nil, false
	}
	return t.model.Explain(k, said)
}

// countVerdict judges a number: that of the things, or of what a prediction gives.
func (m *machine) countVerdict(t testimony, k account.Kind, n int) Verdict {
	v := Verdict{State: Agrees, Count: n}
	if n == len(m.said[k]) {
		return v
	}
	for _, l := range t.model.Limits {
		if slices.Contains(l.Kinds, k) && len(t.model.Predict(k, account.On{l: true})) == n {
			v.State, v.Why = Explained, []string{l.Words}
			return v
		}
	}
	v.State = Unexplained
	v.Why = []string{fmt.Sprintf("counts %d, sysfs %d", n, len(m.said[k]))}
	return v
}

// shown is how many things a difference names on each side.
const shown = 3

// difference tells what only one side says.
func difference(said, ours []account.Thing) string {
	theirs, mine := without(said, ours), without(ours, said)
	var parts []string
	if len(theirs) > 0 {
		parts = append(parts, "says beyond sysfs: "+list(theirs, mine))
	}
	if len(mine) > 0 {
		parts = append(parts, "lacks: "+list(mine, theirs))
	}
	return strings.Join(parts, ". ")
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

// list names things by their PUs, and by size where the other side has the same PUs.
func list(things, others []account.Thing) string {
	var words []string
	for i, t := range things {
		if i == shown {
			words = append(words, fmt.Sprintf("and %d more", len(things)-shown))
			break
		}
		words = append(words, word(t, others))
	}
	return strings.Join(words, "; ")
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
