package practice

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	explain "codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// compare compares the state after an answer with the state after the solution.
func (x *Exercise) compare(want, got *state) []Fault {
	var faults []Fault
	owners := map[int32]int32{}
	for _, name := range x.Names {
		if !slices.Contains(got.session.Variables(), name) {
			faults = append(faults, Fault{Kind: WrongGroup, Name: name, Ranks: engine.AllRanks(got.view.Snapshot.Size),
				Message: x.unset(name, want, got.session)})
		}
	}
	if len(faults) > 0 {
		return faults
	}
	for _, name := range names(want.handles, got.handles) {
		faults = append(faults, compareName(name, want, got, owners)...)
	}
	if len(faults) > 0 {
		return append(got.incomplete(faults), faults...)
	}
	faults = append(faults, x.compareCalls(want, got)...)
	if x.leaks {
		faults = append(faults, x.unfreed(got)...)
	}
	return faults
}

// incomplete returns a fault for each request that never completed, if ranks hold no communicator: the request may
// still be making it. It then removes the reasons of the given faults about these ranks.
func (st *state) incomplete(faults []Fault) []Fault {
	var list []Fault
	if slices.ContainsFunc(faults, func(f Fault) bool { return f.Found == noCommunicator }) {
		for _, u := range st.view.Unfinished {
			if u.What == "request" {
				list = append(list, Fault{Kind: Leaking, Ranks: u.Ranks, Message: u.Message})
			}
		}
	}
	for i := range faults {
		if len(list) > 0 && faults[i].Found == noCommunicator {
			faults[i].reason = nil
		}
	}
	return list
}

// names lists the names of handles, each once.
func names(lists ...[]render.Handle) []string {
	var all []string
	for _, h := range slices.Concat(lists...) {
		if !slices.Contains(all, h.Name) {
			all = append(all, h.Name)
		}
	}
	return all
}

// holds returns the ids that ranks hold in the variable of that name.
func (st *state) holds(name string) []int32 {
	for _, h := range st.handles {
		if h.Name == name {
			return h.IDs
		}
	}
	return slices.Repeat([]int32{render.Unset}, st.view.Snapshot.Size)
}

// group returns the processes of the communicator that a rank holds, and those of the remote group of an
// intercommunicator; nil for no communicator.
func (st *state) group(rank int, id int32) (group, remote []int32) {
	if id == engine.SelfID {
		return []int32{int32(rank)}, nil
	}
	if c := st.view.Snapshot.Comm(int(id)); c != nil {
		return c.Group, c.Remote
	}
	return nil, nil
}

// side describes the communicator that some ranks hold in a variable and the communicator that they should hold.
type side struct {
	expected, found, remark string
}

// compareName compares the communicators that ranks hold in a variable. owners maps each communicator found so far to
// the communicator of the solution for which it stands.
func compareName(name string, want, got *state, owners map[int32]int32) []Fault {
	wants, has := want.holds(name), got.holds(name)
	twins := map[int32]int32{} // the communicator found in place of each communicator of the solution
	var sides []side
	ranks := map[side][]int{}
	for r := range wants {
		d, differs := got.differ(want, r, wants[r], has[r])
		if !differs && wants[r] >= 0 {
			d, differs = otherOne(want, got, name, r, twins, owners)
		}
		if !differs {
			continue
		}
		if ranks[d] == nil {
			sides = append(sides, d)
		}
		ranks[d] = append(ranks[d], r)
	}
	var faults []Fault
	for _, d := range sides {
		f := Fault{Kind: WrongGroup, Name: name, Ranks: engine.RanksOf(ranks[d]...), Expected: d.expected, Found: d.found}
		f.Message = fmt.Sprintf("%s, %s: expected %s, found %s%s", name, f.Ranks.Noun(), d.expected, d.found, d.remark)
		f.reason = got.reason(name, ranks[d][0])
		faults = append(faults, f)
	}
	return faults
}

// differ compares the processes of g, which a rank holds, with those of w, which the rank holds after the solution. It
// reports whether they differ, and how.
func (got *state) differ(want *state, rank int, w, g int32) (side, bool) {
	if w < 0 && g < 0 {
		return side{}, false
	}
	group, remote := want.group(rank, w)
	found, other := got.group(rank, g)
	d := side{expected: partOf(w, group, remote), found: partOf(g, found, other)}
	same := slices.Equal(group, found) && slices.Equal(remote, other) ||
		remote != nil && slices.Equal(group, other) && slices.Equal(remote, found)
	switch {
	case w < 0 || g < 0, (remote == nil) != (other == nil):
		return d, true
	case !same && remote == nil && len(group) == len(found) && sameMembers(group, found):
		d.remark = ": the same processes, in another order"
	}
	return d, !same
}

func sameMembers(a, b []int32) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// otherOne reports whether a rank holds a wrong communicator although its processes are right: not the same one as
// the other ranks, one in place of two, an old one in place of a new one or the other way round, or one with another
// virtual topology.
func otherOne(want, got *state, name string, r int, twins, owners map[int32]int32) (side, bool) {
	w, g := want.holds(name)[r], got.holds(name)[r]
	group, remote := want.group(r, w)
	d := side{expected: partOf(w, group, remote), found: partOf(g, group, remote)}
	isOld, wasOld := int(g) < got.before, int(w) < want.before
	twin, known := twins[w]
	owner, owned := owners[g]
	switch {
	case isOld != wasOld || isOld && g != w:
		d.found = got.called(g)
		if d.expected = "a communicator of its own"; wasOld {
			d.expected = want.called(w)
		}
	case known && twin != g:
		d.remark = ", but not one communicator for all of them"
	case owned && owner != w:
		d.remark = ", but one communicator instead of two"
	case want.grids[name] != nil && got.gridAt(name, r) != want.grids[name][r]:
		d.expected, d.found = want.grids[name][r], got.gridAt(name, r)
	default:
		twins[w], owners[g] = g, w
		return d, false
	}
	return d, true
}

// called names a communicator that existed before the answer; others are "a communicator of its own".
func (st *state) called(id int32) string {
	if id == 0 {
		return "MPI_COMM_WORLD itself"
	}
	if id == engine.SelfID {
		return "MPI_COMM_SELF itself"
	}
	if name := st.view.Called(int(id)); name != "" && int(id) < st.before {
		return name + " itself"
	}
	return "a communicator of its own"
}

func (st *state) gridAt(name string, rank int) string {
	if list := st.grids[name]; list != nil && list[rank] != "" {
		return list[rank]
	}
	return "no virtual topology"
}

// noCommunicator describes a variable that has another value, or whose communicator is not made yet.
const noCommunicator = "no communicator"

// partOf describes the value of a rank: "[0,2,4]", "MPI_COMM_NULL", "no communicator".
func partOf(id int32, group, remote []int32) string {
	switch {
	case id == render.Unset:
		return noCommunicator
	case id < 0:
		return "MPI_COMM_NULL"
	case remote != nil:
		return "(" + listOf(group) + "," + listOf(remote) + ")"
	}
	return listOf(group)
}

// mostMembers is how many processes of a communicator a fault lists.
const mostMembers = 24

func listOf(ranks []int32) string {
	var words []string
	for i, r := range ranks {
		if i == mostMembers {
			words = append(words, fmt.Sprintf("... %d in all", len(ranks)))
			break
		}
		words = append(words, strconv.Itoa(int(r)))
	}
	return "[" + strings.Join(words, ",") + "]"
}

// reason is why a rank holds its communicator, as .explain tells it.
type reason struct {
	view *render.View
	list []explain.Explanation
}

// reason returns the reason for the communicator of a rank in a variable; nil where no line sets the variable.
func (st *state) reason(name string, rank int) *reason {
	list, _, err := st.session.Explain(st.view, name, engine.RanksOf(rank), 1)
	if err != nil {
		return nil
	}
	return &reason{st.view, list}
}

// Why returns the text of .explain for the lowest of the ranks, in lines of at most width columns; "" without a reason.
func (f *Fault) Why(width int) string {
	var b strings.Builder
	if f.reason == nil || render.Explain(&b, f.reason.view, f.reason.list, nil, render.Style{Width: width}) != nil {
		return ""
	}
	return strings.TrimRight(b.String(), "\n")
}

// Reason returns the same as values: the explanations, and the view that they are about; nil without a reason.
func (f *Fault) Reason() (*render.View, []explain.Explanation) {
	if f.reason == nil {
		return nil, nil
	}
	return f.reason.view, f.reason.list
}

// compareCalls compares which ranks made the calls that the exercise is about.
func (x *Exercise) compareCalls(want, got *state) []Fault {
	var faults []Fault
	none := make([]int, got.view.Snapshot.Size)
	times := func(st *state, c engine.Call) []int {
		if n := st.calls[c]; n != nil {
			return n
		}
		return none
	}
	add := func(who engine.Ranks, what string, takes []int) {
		if len(who) > 0 {
			text := fmt.Sprintf("%s %s %s; it takes: %s", who.Noun(), spell.Agreeing(who.Len(), "calls", "call"), what, byTimes(takes))
			faults = append(faults, Fault{Kind: WrongCalls, Ranks: who, Message: text})
		}
	}
	for _, c := range x.calls {
		more, fewer := differing(times(want, c), times(got, c))
		add(more, c.String()+" too often", times(want, c))
		add(fewer, c.String()+" too rarely", times(want, c))
	}
	if x.constructors {
		more, _ := differing(want.made, got.made)
		add(more, "constructors of communicators too often", want.made)
	}
	return faults
}

// differing lists the ranks with more calls than wanted, and the ranks with fewer.
func differing(want, got []int) (more, fewer engine.Ranks) {
	for r := range want {
		switch {
		case got[r] > want[r]:
			more.Append(int32(r))
		case got[r] < want[r]:
			fewer.Append(int32(r))
		}
	}
	return more, fewer
}

// byTimes returns "ranks 0-3 once, ranks 4-7 never".
func byTimes(times []int) string {
	by := map[int][]int{}
	for r, n := range times {
		by[n] = append(by[n], r)
	}
	var parts []string
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(by))) {
		often := fmt.Sprintf("%d times", n)
		switch n {
		case 0:
			often = "never"
		case 1:
			often = "once"
		}
		parts = append(parts, engine.RanksOf(by[n]...).Noun()+" "+often)
	}
	return strings.Join(parts, ", ")
}

// unfreed returns a fault for everything that lines left behind: communicators that no name of the answer holds, other
// objects, and communication that never completed.
func (x *Exercise) unfreed(st *state) []Fault {
	held := map[int]bool{}
	for _, h := range st.handles {
		for _, id := range h.IDs {
			held[int(id)] = true
		}
	}
	var faults []Fault
	add := func(who engine.Ranks, what, where string) {
		text := fmt.Sprintf("%s never %s %s (%s)", who.Noun(), spell.Agreeing(who.Len(), "frees", "free"), what, where)
		faults = append(faults, Fault{Kind: Leaking, Ranks: who, Message: text})
	}
	s := st.view.Snapshot
	freed := s.Freed()
	last := -1
	for _, c := range s.Comms {
		if c.ID < st.before || c.Op == engine.CallNone || held[c.ID] || freed[c.ID] || c.Step == last {
			continue
		}
		last = c.Step // one fault for all communicators of a call
		add(engine.RanksOf(slices.Concat(c.Group, c.Remote)...), fmt.Sprintf("a communicator that %s made", c.Op), c.Where)
	}
	for _, o := range st.open {
		what := "a " + o.Kind
		if o.Count > o.Ranks.Len() {
			what = spell.Plural(o.Count, o.Kind)
		}
		add(o.Ranks, what, o.Where)
	}
	for _, u := range st.view.Unfinished {
		if u.What == "message" {
			faults = append(faults, Fault{Kind: Leaking, Ranks: u.Ranks, Message: u.Message})
		}
	}
	return faults
}

// unmet returns the message that a line of the goal does not hold on some ranks.
func unmet(c *lang.Chunk, ranks engine.Ranks) string {
	said := ""
	for i, a := range c.Args {
		if text, ok := stories.TextOf(a); ok && (i == 1 || a.Name == "message") {
			said = text
		}
	}
	if said == "" && len(c.Args) > 0 {
		said = c.Args[0].Text
	}
	return fmt.Sprintf("on %s this is not true: %s", ranks.Noun(), said)
}

// with returns "with 8 ranks".
func with(size int) string { return "with " + spell.Plural(size, "rank") }

// misnamed returns a sentence about a name that the exercise asks for and that no line has set, and about the
// communicators that were made under other names; "" where all names are set, or no other communicator was made.
// The first of the exercise's goals must have been computed.
func (x *Exercise) misnamed(s *repl.Session) string {
	want := x.goals[0]
	vars := s.Variables()
	missing := slices.DeleteFunc(slices.Clone(x.Names), func(name string) bool {
		return slices.Contains(vars, name) || !want.holdsComms(name)
	})
	made := x.others(want, s)
	if len(missing) == 0 || len(made) == 0 {
		return ""
	}
	fitting := slices.IndexFunc(missing, func(name string) bool {
		return slices.ContainsFunc(made, func(other string) bool { return want.fits(name, s, other) })
	})
	return sentence(x.unset(missing[max(fitting, 0)], want, s))
}

// unset returns a text about an unset name: what the name should hold, and which communicators were made under other
// names: only those with the right processes, if there are any.
func (x *Exercise) unset(name string, want *state, s *repl.Session) string {
	if !want.holdsComms(name) {
		return fmt.Sprintf("the exercise asks for a value named %s, but no line sets it", name)
	}
	made := x.others(want, s)
	fitting := slices.DeleteFunc(slices.Clone(made), func(other string) bool { return !want.fits(name, s, other) })
	if len(fitting) > 0 {
		made = fitting
	}
	text := "the exercise asks for a communicator named " + name
	if len(made) == 0 {
		return text + ", but no line makes one"
	}
	return text + "; you made " + listed(made)
}

// others lists the variables with communicators that an answer made under names that the exercise does not ask for.
func (x *Exercise) others(want *state, s *repl.Session) []string {
	given := x.assignedByGiven(s)
	return slices.DeleteFunc(s.Handles(), func(name string) bool {
		isNew := func(id int32) bool { return id != engine.SelfID && int(id) >= want.before }
		return given[name] || slices.Contains(x.Names, name) || !slices.ContainsFunc(s.Handle(name).IDs, isNew)
	})
}

// assignedByGiven returns the variables that the given lines assign, which an answer cannot assign.
func (x *Exercise) assignedByGiven(s *repl.Session) map[string]bool {
	names := map[string]bool{}
	for _, c := range x.GivenLines {
		for _, name := range s.Assigned(c) {
			names[name] = true
		}
	}
	return names
}

// holdsComms reports whether a variable holds a communicator on some rank, also in a list.
func (st *state) holdsComms(name string) bool {
	return slices.ContainsFunc(st.handles, func(h render.Handle) bool {
		of, _, _ := strings.Cut(h.Name, "[")
		return of == name && slices.ContainsFunc(h.IDs, func(id int32) bool { return id >= 0 })
	})
}

// fits reports whether each rank has in the variable other the processes that it should have in the variable name.
func (want *state) fits(name string, s *repl.Session, other string) bool {
	got := &state{session: s, view: s.View()}
	for r, w := range want.holds(name) {
		if _, differs := got.differ(want, r, w, s.Handle(other).IDs[r]); differs {
			return false
		}
	}
	return true
}

// sentence makes a message a sentence: with a capital and a full stop.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// listed returns "a, b and c".
func listed(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
