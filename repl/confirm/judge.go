package confirm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/render/source"
)

// result is the communicators that some processes got, in a handle or from a call.
type result struct {
	handle string         // "" for a call
	steps  []int          // of a call
	want   map[int]int32  // by world rank: id of a communicator, -1 for MPI_COMM_NULL
	told   func(int) held // the communicator that a process told; the zero value when it told nothing

	membersOnly bool // only members and their order were told
}

// compare compares the communicators of the processes with those of the engine: call by call, then handle by
// handle. A handle that differs because a call already returned another communicator is not a new finding.
func (j *job) compare(out *outcome) {
	for _, m := range j.coverage.Made {
		if j.lost(m.Since, m.Absent) == "" && j.compareResult(j.callResult(out, m)) {
			j.report.Calls++
		}
	}
	for i := range j.view.Handles {
		h := &j.view.Handles[i]
		e := result{handle: h.Name, want: map[int]int32{}, told: func(r int) held { return out.holds[key{i, r}] }}
		predefined := true
		for r, id := range h.IDs {
			e.want[r] = id
			predefined = predefined && id <= 1
		}
		if !predefined && j.compareResult(e) {
			j.report.Handles++
		}
	}
	j.callGaps()
	j.attributeGap()
	j.gather()
}

// attributeGap notes each call that sets an attribute: the program sets none.
func (j *job) attributeGap() {
	for i := range j.view.Snapshot.Steps {
		if st := &j.view.Snapshot.Steps[i]; st.Call == engine.CallSetAttr {
			j.report.gap(at(st.Call, st.Site()), "attributes are set in the session only; run --as tells what is known of them")
		}
	}
}

// gather orders the findings by step, and counts a finding that follows from an earlier finding there: a call on a
// communicator that differs, or whose ancestor differs, returns another communicator as well, which says nothing new.
func (j *job) gather() {
	list := j.report.Findings
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Compare(a.Step, b.Step) })
	var first []Finding
	at := map[int][]int{} // indexes in first, by step
	for i := range list {
		f := &list[i]
		if k := j.cause(f, first, at); k >= 0 {
			first[k].Follows++
			continue
		}
		at[f.Step] = append(at[f.Step], len(first))
		first = append(first, *f)
	}
	j.report.Findings = first
}

// cause looks in first for the finding that explains f, and returns its index; -1 if there is none, or if f has a
// reason of its own.
func (j *job) cause(f *Finding, first []Finding, at map[int][]int) int {
	if f.Step == 0 || f.reason == f.Step {
		return -1
	}
	s := j.view.Snapshot
	for k := s.Comm(s.Steps[f.Step-1].Comm); k != nil && k.Step > 0; k = s.Comm(s.Steps[k.Step-1].Comm) {
		for _, i := range at[k.Step] {
			if g := &first[i]; g.Kind >= f.Kind && slices.ContainsFunc(f.Ranks.Slice(), g.Ranks.Has) {
				return i
			}
		}
	}
	return -1
}

// callGaps notes the calls that are not compared. A call whose communicator a handle holds is left out, because
// compareResult notes the handle.
func (j *job) callGaps() {
	s := j.view.Snapshot
	shown := map[int]bool{}
	for i := range j.view.Handles {
		for _, id := range j.view.Handles[i].IDs {
			if k := s.Comm(int(id)); id >= 0 && k != nil {
				shown[k.Step] = true
			}
		}
	}
	for _, m := range j.coverage.Made {
		if why := j.lost(m.Since, m.Absent); why != "" && !slices.ContainsFunc(m.Steps, func(n int) bool { return shown[n] }) {
			st := &s.Steps[m.Steps[0]-1]
			j.report.gap(at(st.Call, st.Site()), why)
		}
	}
}

// callResult returns the communicators that a call gave its processes.
func (j *job) callResult(out *outcome, m source.Made) result {
	s := j.view.Snapshot
	e := result{steps: m.Steps, want: map[int]int32{}, told: func(r int) held { return out.got[key{m.Steps[0], r}] }}
	for _, n := range m.Steps {
		for r := range s.Steps[n-1].Ranks.All {
			e.want[r] = -1
		}
		for _, id := range s.Steps[n-1].Made {
			k := s.Comm(id)
			for _, r := range slices.Concat(k.Group, k.Remote) {
				e.want[int(r)] = int32(id)
			}
		}
	}
	return e
}

// missing returns why the program does not make a communicator; "" when it does.
func (j *job) missing(id int32) string {
	if id < 0 {
		return ""
	}
	return j.lost(j.coverage.Since[int(id)], j.coverage.Absent[int(id)])
}

// lost returns why a communicator is not compared, given the version of the standard that it takes and the reason why
// the program does not make it; "" when it is compared.
func (j *job) lost(since engine.Std, absent string) string {
	switch {
	case source.ByHardware(absent) && j.Placed:
		return "the session binds its ranks elsewhere, as no launcher does meanwhile"
	case source.ByHardware(absent):
		return "the hardware where it runs decides; with --launcher it is compared"
	case absent != "":
		return absent
	case j.lacks(since):
		return j.tooOld(since)
	}
	return ""
}

func (j *job) tooOld(since engine.Std) string {
	return fmt.Sprintf("it takes MPI-%s, and this library is of MPI-%s", since, j.report.Library.standard)
}

// compareResult notes the processes that hold another communicator than they should, and those whose
// communicators cannot be compared. It reports whether anything was compared.
func (j *job) compareResult(e result) bool {
	by := map[difference][]int{}
	gaps := map[string][]int{}
	some := len(e.steps) > 0
	for _, r := range slices.Sorted(maps.Keys(e.want)) {
		id := e.want[r]
		if why := j.missing(id); why != "" {
			gaps[why] = append(gaps[why], r)
			continue
		}
		some = some || id >= 0
		if a := differing(j.holding(e, r), e.told(r), e.handle != ""); a < noAspects {
			d := difference{j.maker(e, id), a}
			by[d] = append(by[d], r)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(gaps)) {
		what := e.handle
		if some {
			what += " on " + engine.RanksOf(gaps[why]...).Noun()
		}
		j.report.gap(what, why)
	}
	for _, d := range slices.SortedFunc(maps.Keys(by), func(a, b difference) int {
		return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(a.in, b.in))
	}) {
		if some && !j.found(d, by[d]) {
			j.note(e, d, by[d])
		}
	}
	return some
}

// difference is how communicators of ranks differ: the step that made the communicator that the ranks should hold, and
// the aspect that differs.
type difference struct {
	step int
	in   aspect
}

// holding returns the communicator that a rank should hold in a result.
func (j *job) holding(e result, rank int) held {
	id := e.want[rank]
	h := holding(j.view.Snapshot, id, rank)
	if h.name = j.names[key{int(id), rank}]; e.membersOnly {
		h = h.who()
	}
	return h
}

// found reports whether a finding already tells this difference for these ranks.
func (j *job) found(d difference, ranks []int) bool {
	return slices.ContainsFunc(j.report.Findings, func(f Finding) bool {
		return f.Step == d.step && f.in == d.in && !slices.ContainsFunc(ranks, func(r int) bool { return !f.Ranks.Has(r) })
	})
}

func (j *job) note(e result, d difference, ranks []int) {
	f := Finding{Kind: Different, Handle: e.handle, Ranks: engine.RanksOf(ranks...), Step: d.step, in: d.in}
	if d.step > 0 {
		st := &j.view.Snapshot.Steps[d.step-1]
		f.Call, f.Where = st.Call, st.Site()
	}
	here, there := map[int]held{}, map[int]held{}
	for r := range e.want {
		here[r], there[r] = j.holding(e, r), e.told(r)
	}
	f.Expected, f.Found = d.in.told(ranks, here), d.in.told(ranks, there)
	if f.Why = j.explain(e, ranks, d.in); len(f.Why) > 0 {
		f.Kind, f.reason = Known, f.Why[0].Step
	}
	j.report.Findings = append(j.report.Findings, f)
}

// maker returns the step that made a communicator; for MPI_COMM_NULL, the step that made other communicators of the
// result.
func (j *job) maker(e result, id int32) int {
	if id < 0 && len(e.steps) > 0 {
		return e.steps[0]
	}
	if id < 0 {
		id = slices.Max(slices.Collect(maps.Values(e.want)))
	}
	if k := j.view.Snapshot.Comm(int(id)); id >= 0 && k != nil {
		return k.Step
	}
	return 0
}

// explain finds a known deviation in the calls that made the communicators of a result, or in the calls that made
// their ancestors. The oldest such call counts: its descendants differ because it does.
func (j *job) explain(e result, ranks []int, in aspect) []deviation.Note {
	steps := map[int]bool{}
	for _, n := range e.steps {
		j.lineage(steps, n)
	}
	for _, id := range e.want {
		if k := j.view.Snapshot.Comm(int(id)); id >= 0 && k != nil {
			j.lineage(steps, k.Step)
		}
	}
	return j.knownIn(steps, ranks, in)
}

// lineage adds a step, and the steps that made its communicator and the ancestors of that communicator.
func (j *job) lineage(steps map[int]bool, step int) {
	s := j.view.Snapshot
	for step > 0 && !steps[step] {
		steps[step] = true
		k := s.Comm(s.Steps[step-1].Comm)
		if k == nil {
			return
		}
		step = k.Step
	}
}

// knownIn returns the first known deviation in some steps that can change an aspect of the communicators that ranks
// get; nil for none.
func (j *job) knownIn(steps map[int]bool, ranks []int, in aspect) []deviation.Note {
	s := j.view.Snapshot
	for _, n := range j.notesOf(in) {
		if steps[n.Step] && slices.ContainsFunc(ranks, func(r int) bool { return s.Steps[n.Step-1].Ranks.Has(r) }) {
			return []deviation.Note{n}
		}
	}
	return nil
}

// mostParts is how many communicators are spelled out.
const mostParts = 8

// parts lists the communicators that ranks hold, members in rank order: "[0,2] [3,1], ranks 4-5 MPI_COMM_NULL".
// Where members do not agree, the list has what each member told.
func parts(ranks []int, all map[int]held) string {
	var words []string
	var null, silent []int
	seen := map[string]bool{}
	for _, r := range ranks {
		h := all[r]
		switch {
		case h == held{}:
			silent = append(silent, r)
			continue
		case h.Null:
			null = append(null, r)
			continue
		}
		text := group(h.Leader, h.Size, all)
		if text == "?" {
			text = fmt.Sprintf("(rank %d is %d of %d, led by %d)", r, h.Rank, h.Size, h.Leader)
		}
		if h.Inter {
			remote := group(h.RemoteLeader, h.Remote, all)
			if remote == "?" {
				remote = fmt.Sprintf("(%d, led by %d)", h.Remote, h.RemoteLeader)
			}
			text += "|" + remote
		}
		if !seen[text] {
			seen[text] = true
			words = append(words, text)
		}
	}
	if n := len(words); n > mostParts+1 {
		words = append(words[:mostParts], fmt.Sprintf("and %d more", n-mostParts))
	}
	text := strings.Join(words, " ")
	list := slices.DeleteFunc([]string{text}, func(t string) bool { return t == "" })
	if len(null) > 0 {
		list = append(list, engine.RanksOf(null...).Noun()+" MPI_COMM_NULL")
	}
	if len(silent) > 0 {
		list = append(list, "nothing printed by "+engine.RanksOf(silent...).Noun())
	}
	return strings.Join(list, ", ")
}

// group lists the members of a group in rank order: the ranks that told this leader and this size, each at the rank
// that it told; "?" where they do not make a group.
func group(leader, size int, all map[int]held) string {
	if size < 1 || size > len(all) {
		return "?"
	}
	list := make([]int, size)
	for i := range list {
		list[i] = -1
	}
	for r, h := range all {
		if h.Null || h.Leader != leader || h.Size != size {
			continue
		}
		if h.Rank < 0 || h.Rank >= size || list[h.Rank] >= 0 {
			return "?"
		}
		list[h.Rank] = r
	}
	if slices.Contains(list, -1) || list[0] != leader {
		return "?"
	}
	if set := engine.RanksOf(list...); size > 16 && slices.IsSorted(list) && len(set) <= 4 {
		return "[" + set.String() + "]"
	}
	words := make([]string, size)
	for i, r := range list {
		words[i] = strconv.Itoa(r)
	}
	return "[" + strings.Join(words, ",") + "]"
}

// aspect is a property of communicators that is compared. If an aspect differs, the aspects after it are not compared.
type aspect uint8

const (
	members   aspect = iota // and their order
	virtual                 // the virtual topology
	ownName                 // the name that the session gave
	noAspects               // all of them are equal
)

// differing returns the first aspect in which the communicator that a process told differs from the wanted communicator.
// Names are compared only if names is true, and only those that the session gave: a library may name other communicators
// as it likes.
func differing(want, told held, names bool) aspect {
	switch {
	case want.who() != told.who():
		return members
	case want.virtual != told.virtual:
		return virtual
	case names && want.name != "" && !sameName(want.name, told.name):
		return ownName
	}
	return noAspects
}

// leastObjectName is the least length at which a library may cut a name: MPI_MAX_OBJECT_NAME is at least 64
// [MPI-5.0 §7.8].
const leastObjectName = 64

func sameName(want, told string) bool {
	return want == told || len(told) >= leastObjectName-1 && strings.HasPrefix(want, told)
}

// names returns the names that the session gives communicators, by id and world rank, as the program writes them.
func names(s *engine.Snapshot) map[key]string {
	all := map[key]string{}
	for i := range s.Steps {
		st := &s.Steps[i]
		if st.Call != engine.CallSetName || st.Err != nil || len(st.Args) == 0 {
			continue
		}
		k := 0
		for r := range st.Ranks.All {
			text := st.Args[0].Texts[min(k, len(st.Args[0].Texts)-1)]
			all[key{st.Comm, r}] = source.Plain(text)
			k++
		}
	}
	return all
}

// notesOf returns the known deviations that can explain a difference in an aspect.
func (j *job) notesOf(a aspect) []deviation.Note {
	return slices.DeleteFunc(slices.Clone(j.all), func(n deviation.Note) bool {
		return a == members && n.Beside || a == virtual && !n.Virtual || a == ownName
	})
}

// told describes an aspect of the communicators that ranks hold.
func (a aspect) told(ranks []int, all map[int]held) string {
	switch a {
	case virtual:
		return shapes(ranks, all)
	case ownName:
		return byRank(ranks, func(r int) string {
			if all[r].name == "" {
				return "no name"
			}
			return "the name " + all[r].name
		})
	}
	return parts(ranks, all)
}

// shapes describes the virtual topologies, with the coordinates of each rank where all ranks are in one grid.
func shapes(ranks []int, all map[int]held) string {
	grid := func(r int) string {
		text, _, _ := strings.Cut(all[r].virtual, " at ")
		switch {
		case text == "":
			return "no virtual topology"
		case strings.HasPrefix(text, "grid "):
			return "a " + text
		}
		return "a " + text + " topology"
	}
	text := byRank(ranks, grid)
	if !strings.HasPrefix(text, "a grid") || strings.Contains(text, " on ") {
		return text
	}
	return text + ": " + byRank(ranks, func(r int) string {
		_, at, _ := strings.Cut(all[r].virtual, " at ")
		return "(" + at + ")"
	})
}

// byRank joins the texts for ranks: "no name", or where ranks differ "no name on rank 0, the name x on ranks 1-3".
func byRank(ranks []int, say func(int) string) string {
	who := map[string][]int{}
	var order []string
	for _, r := range ranks {
		text := say(r)
		if who[text] == nil {
			order = append(order, text)
		}
		who[text] = append(who[text], r)
	}
	if len(order) == 1 {
		return order[0]
	}
	for i, text := range order {
		order[i] = text + " on " + engine.RanksOf(who[text]...).Noun()
	}
	if n := len(order); n > mostParts+1 {
		order = append(order[:mostParts], "and more")
	}
	return strings.Join(order, ", ")
}
