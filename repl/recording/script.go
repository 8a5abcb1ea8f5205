package recording

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// Line is a statement of the script that makes the recorded calls again.
type Line struct {
	Text   string        // one line, or a loop
	Places []engine.Site // where the program made the calls of each line of Text
}

// variable is a variable of the script, which holds communicators.
type variable struct {
	name  string
	holds []*comm // by world rank; nil: MPI_COMM_NULL, or nothing
	until []int   // by world rank: the level of the last call that names what the rank holds
}

// needed reports whether a call at this level or a later one names the communicator that the rank holds.
func (v *variable) needed(rank int32, level int) bool {
	return v.holds[rank] != nil && v.until[rank] >= level
}

// scripting turns meetings into statements.
type scripting struct {
	*Recording
	bySite map[string][]*variable // by the name that variables of a place begin with
	names  map[string]int         // numbers that are taken
	inHand []int                  // by world rank, of scratch
	stamp  int
	notes  map[string]int // what is not as recorded, and how often
	order  []string
	spent  func() string // why the library refused calls, see exhausted
}

// statement has the meetings that become one line: of the same call at the same place, on the communicators of one
// variable.
type statement struct {
	op       *op
	site     *Site
	level    int
	blocked  bool
	meetings []*meeting
}

// line is a statement as a command, and as a line of a program for all of its ranks; the latter is "" for a statement
// that has no such form.
type line struct {
	text    string
	program string
	ranks   string // of "@ranks", "" for all
	place   engine.Site
}

// Script returns the statements that make the recorded calls again, in an order that is right for each process. notes
// tell what cannot be made as it was.
func (r *Recording) Script() (lines []Line, notes []string) {
	if r.script == nil {
		r.script, r.told = r.write()
	}
	return r.script, r.told
}

func (r *Recording) write() (lines []Line, notes []string) {
	s := &scripting{Recording: r, bySite: map[string][]*variable{}, names: map[string]int{}, inHand: make([]int, len(r.Processes)), notes: map[string]int{},
		spent: sync.OnceValue(r.exhausted)}
	var all []line
	for _, st := range r.statements() {
		all = append(all, s.write(st)...)
	}
	s.tellEnd()
	notes = slices.Clone(r.notes)
	for _, n := range s.order {
		if k := s.notes[n]; k > 1 {
			n += fmt.Sprintf(" (%d calls)", k)
		}
		notes = append(notes, n)
	}
	return fold(all), notes
}

func (s *scripting) note(format string, args ...any) {
	n := fmt.Sprintf(format, args...)
	if s.notes[n] == 0 {
		s.order = append(s.order, n)
	}
	s.notes[n]++
}

// tellEnd notes calls that had not returned although all processes had come, and communicators whose members are not
// all recorded.
func (s *scripting) tellEnd() {
	unknown := 0
	for _, m := range s.meetings {
		if m.blocked && m.op.kind != joining && len(m.absent) == 0 && len(m.callers) >= m.expected {
			s.note("%s at %s had not returned when the program ended, and all of its ranks had come: the library gave no answer%s",
				m.op.Name, s.siteOf(m), s.spent())
		}
		for _, c := range m.children {
			if !whole(c, 0) {
				unknown++
			}
		}
	}
	if unknown > 0 {
		s.note("not compared: %s that not all of their ranks recorded", spell.Plural(unknown, "communicator"))
	}
}

// exhausted returns a text that names a process which had taken almost all context ids of the library; "" where none
// had.
func (r *Recording) exhausted() string {
	t := r.Timeline()
	most := int64(0)
	for _, n := range t.Columns(1)[0] {
		most += n
	}
	if t.Room == 0 || most < t.Room*9/10 {
		return ""
	}
	return fmt.Sprintf(", most likely because rank %d had taken %s of the %s context ids that a process of %s has by default",
		t.Rank, spell.Number(most), spell.Number(t.Room), t.Whose)
}

// statements orders the meetings by level and place, and puts meetings of one call, place and level together.
// Meetings that nobody left come last.
func (r *Recording) statements() []*statement {
	if r.ordered == nil {
		r.ordered = r.order()
	}
	return r.ordered
}

func (r *Recording) order() []*statement {
	list := slices.Clone(r.meetings)
	site := func(m *meeting) int {
		if at := r.siteOf(m); at != nil {
			return at.index
		}
		return len(r.sites)
	}
	slices.SortStableFunc(list, func(a, b *meeting) int {
		return cmp.Or(last(a.blocked, b.blocked), cmp.Compare(a.level, b.level), last(a.op.kind == local, b.op.kind == local),
			cmp.Compare(site(a), site(b)), cmp.Compare(a.op.Name, b.op.Name), cmp.Compare(a.callers[0].rank, b.callers[0].rank))
	})
	var all []*statement
	for _, m := range list {
		at := r.siteOf(m)
		if n := len(all); n > 0 && all[n-1].op == m.op && all[n-1].site == at && all[n-1].level == m.level && all[n-1].blocked == m.blocked &&
			(m.op.kind != local || r.sameName(all[n-1], m)) {
			all[n-1].meetings = append(all[n-1].meetings, m)
			continue
		}
		all = append(all, &statement{m.op, at, m.level, m.blocked, []*meeting{m}})
	}
	return all
}

// last orders what is false before what is true.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// sameName reports whether a call gives the same name as the last call of a statement, and comes from a higher rank.
func (r *Recording) sameName(st *statement, m *meeting) bool {
	last := st.meetings[len(st.meetings)-1]
	a, _ := r.callOf(last.callers[0]).arg("name")
	b, _ := r.callOf(m.callers[0]).arg("name")
	return a == b && last.callers[0].rank < m.callers[0].rank
}

// siteOf returns the place of a meeting's first caller.
func (r *Recording) siteOf(m *meeting) *Site { return r.callOf(m.callers[0]).site }

func (r *Recording) callOf(c caller) *call { return &r.Processes[c.rank].calls[c.call] }

// write returns a statement as lines: one for each variable with communicators on which its processes call.
func (s *scripting) write(st *statement) []line {
	var list []line
	var keys []string
	parts := map[string][]*meeting{}
	for _, m := range st.meetings {
		if m.refused {
			s.refused(m)
			continue
		}
		key := s.held(m.parent) + "\t" + s.held(m.other)
		if parts[key] == nil {
			keys = append(keys, key)
		}
		parts[key] = append(parts[key], m)
	}
	for _, key := range keys {
		part := &statement{st.op, st.site, st.level, st.blocked, parts[key]}
		list = append(list, s.makes(part)...)
	}
	return list
}

// refused notes a call that the library refused.
func (s *scripting) refused(m *meeting) {
	c := s.callOf(m.callers[0])
	s.note("not replayed: %s at %s, which the library refused with %s%s", m.op.Name, c.site, c.result.class, s.spent())
}

// held returns the variable that holds a communicator.
func (s *scripting) held(c *comm) string {
	switch {
	case c == nil:
		return ""
	case c.kind == predefinedWorld:
		return "world"
	case c.kind == predefinedSelf:
		return "MPI.COMM_SELF"
	case c.variable == nil:
		return "MPI.COMM_NULL" // of another world
	}
	return c.variable.name
}

// variableFor finds a variable for the results of a statement, in which none of its ranks holds what later calls
// need. A name from the program is preferred to that of the function.
func (s *scripting) variableFor(st *statement, world []int32) *variable {
	base := s.base(st)
	for _, v := range s.bySite[base] {
		if !slices.ContainsFunc(world, func(r int32) bool { return v.needed(r, st.level) }) {
			return v
		}
	}
	s.names[base]++
	v := &variable{name: base + "_" + strconv.Itoa(s.names[base]), holds: make([]*comm, len(s.Processes)), until: make([]int, len(s.Processes))}
	s.bySite[base] = append(s.bySite[base], v)
	return v
}

// base returns the name of a place's variables, without their number.
func (s *scripting) base(st *statement) string {
	for _, m := range st.meetings {
		for _, c := range m.children {
			if name := identifier(c.name); name != "" {
				return name
			}
		}
	}
	if f := st.site.Function(); f != "main" {
		if name := identifier(lastName(f)); name != "" {
			return name
		}
	}
	return strings.TrimPrefix(strings.ToLower(strings.TrimPrefix(st.op.Name, "MPI_")), "comm_")
}

// identifier returns an ASCII name made of a text; "" when nothing is left of the text.
func identifier(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c < 128 && (unicode.IsLetter(c) || unicode.IsDigit(c)):
			b.WriteRune(unicode.ToLower(c))
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' || len(name) > 40 {
		return ""
	}
	return name
}

// makes returns a statement as lines, on the communicators of one variable.
func (s *scripting) makes(st *statement) []line {
	args := s.argumentsOf(st)
	world := args.world
	if st.op.returnsAtOnce() {
		for range st.meetings {
			s.note("%s is replayed as MPI_Comm_dup where the last of its processes called it: a recording does not say when a request completed", st.op.Name)
		}
	}
	text, program := args.write()
	if text == "" && program == "" {
		return nil
	}
	target, everybody := s.give(st, world)
	l := line{place: st.site.Place()}
	if everybody = everybody && !st.blocked; !everybody {
		l.ranks = engine.RanksOf(world...).String()
	}
	if text != "" {
		l.text = target + inCommand.Replace(text)
	}
	if program != "" {
		l.program = target + inProgram(program, args.comm1())
		if l.text == "" { // ranks that hold nothing cannot call
			if l.text = l.program; len(world) < len(s.Processes) {
				l.ranks = engine.RanksOf(world...).String()
			}
		} else if len(world) < len(s.Processes) && l.ranks == "" {
			l.program = ""
		}
	}
	return s.sides(st, l)
}

// give notes what the ranks of a statement hold afterwards. It returns the variable for the results, and reports
// whether the line may be for all ranks.
func (s *scripting) give(st *statement, world []int32) (target string, everybody bool) {
	if st.op.makes() {
		v := s.variableFor(st, world)
		return v.name + " = ", s.settle(st, v, world)
	}
	if st.op.kind == local {
		return "", len(world) == len(s.Processes)
	}
	everybody = len(world) == len(s.Processes) || s.onlyHolders(st.meetings[0].parent, world)
	for _, m := range st.meetings {
		if v := m.parent.variable; v != nil {
			for _, w := range world {
				v.holds[w] = nil
			}
		}
	}
	return "", everybody
}

// sides returns a line for each side where an intercommunicator joins two variables.
func (s *scripting) sides(st *statement, l line) []line {
	m := st.meetings[0]
	if m.op.call != engine.CallIntercommCreate || m.other == nil || s.held(m.parent) == s.held(m.other) {
		return []line{l}
	}
	var list []line
	for i, side := range []*comm{m.parent, m.other} {
		one := l
		var ranks []int32
		for _, m := range st.meetings {
			ranks = append(ranks, []*comm{m.parent, m.other}[i].members...)
		}
		one.ranks, one.program = engine.RanksOf(ranks...).String(), ""
		one.text = strings.Replace(l.text, "intercomm_create "+s.held(m.parent)+" ", "intercomm_create "+s.held(side)+" ", 1)
		list = append(list, one)
	}
	return list
}

// onlyHolders reports whether all ranks that hold something in the variable of a communicator are in the list.
func (s *scripting) onlyHolders(c *comm, world []int32) bool {
	if c == nil || c.variable == nil {
		return false
	}
	s.mark(world)
	for r, k := range c.variable.holds {
		if k != nil && s.inHand[r] != s.stamp {
			return false
		}
	}
	return true
}

func (s *scripting) mark(world []int32) {
	s.stamp++
	for _, r := range world {
		s.inHand[r] = s.stamp
	}
}

// settle notes what the ranks of a statement hold afterwards. It reports whether the line may be for all ranks: those
// that take no part then hold MPI_COMM_NULL.
func (s *scripting) settle(st *statement, v *variable, world []int32) bool {
	parent := st.meetings[0].parent
	all := len(world) == len(s.Processes)
	if !all && parent != nil && st.op.kind == collective && s.onlyHolders(parent, world) {
		all = true
		for r := range v.holds {
			all = all && (s.inHand[r] == s.stamp || !v.needed(int32(r), st.level))
		}
	}
	s.mark(world)
	for r := range v.holds {
		if all || s.inHand[r] == s.stamp {
			v.holds[r] = nil
		}
	}
	for _, m := range st.meetings {
		for _, c := range m.children {
			c.variable = v
			for _, r := range slices.Concat(c.members, c.remote) {
				if r >= 0 {
					v.holds[r], v.until[r] = c, c.used
				}
			}
		}
	}
	return all
}

// These bound loops: how often lines must come to become a loop, and how many lines it may have.
const (
	leastTurns = 3
	mostBody   = 16
)

// fold returns lines in which repeated lines have become loops.
func fold(all []line) []Line {
	var list []Line
	for i := 0; i < len(all); {
		body, turns := repeated(all[i:])
		if turns < leastTurns {
			list = append(list, all[i].alone())
			i++
			continue
		}
		text := atRanks(all[i].ranks) + "for _ in range(" + strconv.Itoa(turns) + "):"
		places := []engine.Site{all[i].place}
		for _, l := range all[i : i+body] {
			text += "\n    " + l.program
			places = append(places, l.place)
		}
		list = append(list, Line{text, places})
		i += body * turns
	}
	return list
}

// repeated finds the lines that repeat right behind themselves, and how often: those that make the longest loop.
func repeated(all []line) (body, turns int) {
	for n := 1; n <= mostBody && 2*n <= len(all); n++ {
		if l := &all[n-1]; l.program == "" || l.ranks != all[0].ranks {
			break
		}
		k := 1
		for (k+1)*n <= len(all) && slices.Equal(all[:n], all[k*n:(k+1)*n]) {
			k++
		}
		if k >= leastTurns && k*n > body*turns {
			body, turns = n, k
		}
	}
	return body, turns
}

func (l *line) alone() Line { return Line{atRanks(l.ranks) + l.text, []engine.Site{l.place}} }

// atRanks returns "@0-3 " for ranks, "" for all ranks.
func atRanks(ranks string) string {
	if ranks == "" {
		return ""
	}
	return "@" + ranks + " "
}

// Flags returns the words of a command line that make the world of the run.
func (r *Recording) Flags() []string {
	words := []string{"-n", strconv.Itoa(len(r.Processes))}
	if r.Hosts {
		words = append(words, "--topo", r.Topo())
	}
	return words
}

// Topo returns the hardware of the run, as --topo takes it.
func (r *Recording) Topo() string { return "job:" + filepath.ToSlash(r.Path) }

// About says in a line what the recording is of.
func (r *Recording) About() string {
	calls := 0
	for _, p := range r.Processes {
		calls += len(p.calls)
	}
	return fmt.Sprintf("%s of %s under %s", spell.Plural(calls, "call"), spell.Plural(len(r.Processes), "rank"), r.Library.Name)
}
