// Package deviation lists where MPICH and Open MPI are known to leave the text of the MPI standard, which the engine
// follows. Each row of its table names the calls, what the library does instead, and the versions in which somebody saw
// it. The functions of a row find the steps of a trace, the errors and the deadlocks for which the row holds, and work
// out the library's result. Nothing here changes what the engine does.
//
// The rows were observed with MPICH 4.0 and 4.2 and Open MPI 4.1 and 5.0, or read in the sources of these and of the
// development branches of 2026. Section numbers are those of MPI-5.0.
package deviation

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// Library is an implementation of MPI. The zero value is none.
type Library uint8

// The libraries.
const (
	None Library = iota
	MPICH
	OpenMPI
)

// String returns the library's own name: "Open MPI"; "" for None.
func (l Library) String() string { return [...]string{"", "MPICH", "Open MPI"}[l] }

// Word returns the name as it is typed: "openmpi"; "" for None.
func (l Library) Word() string { return [...]string{"", "mpich", "openmpi"}[l] }

// Words lists the names of libraries for error messages; [Parse] takes them.
func Words() []string { return []string{MPICH.Word(), OpenMPI.Word()} }

// Parse returns the library with this name, in upper or lower case: "mpich", "openmpi"; "ompi" and
// "open-mpi" mean Open MPI, too. Its error lists the names.
func Parse(name string) (Library, error) {
	switch strings.ToLower(name) {
	case "mpich":
		return MPICH, nil
	case "openmpi", "open-mpi", "open mpi", "ompi":
		return OpenMPI, nil
	}
	hint := ""
	if near := spell.Nearest(name, Words()); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return None, fmt.Errorf("the libraries are %s%s", strings.Join(Words(), " and "), hint)
}

// Deviation is a row of the table: a way in which a library leaves the standard.
type Deviation struct {
	Name    string // unique among the rows of the library: "negative-color"
	Library Library
	Calls   []engine.Call // the procedures that the row is about; none: any
	Rule    string        // what the library does, in words
	Source  string        // the versions where it was seen, and the issue if there is one
	Beside  bool          // the row is about attributes, names, hints or queries, not about who is with whom
	Virtual bool          // the row is about the virtual topology
	From    int           // the first release with the deviation, 50 for 5.0; 0 when all known releases have it
	Before  int           // the first release that has lost the deviation again; 0 for none

	// These functions find the deviation; nil where it does not show.
	step     stepRule
	fault    faultRule
	deadlock func(*scene, *engine.Deadlock) []finding
}

// stepRule and faultRule return what a library gives for a step or an error if the row holds there.
type (
	stepRule  func(*scene, *engine.Step) []finding
	faultRule func(*scene, *engine.Error) []finding
	condition func(*scene, *engine.Error) bool
)

// finding tells, for some ranks, how the result of the library differs.
type finding struct {
	ranks engine.Ranks
	text  string
}

// about reports whether the row is about a call.
func (d *Deviation) about(c engine.Call) bool {
	return len(d.Calls) == 0 || slices.Contains(d.Calls, c)
}

// Table lists the known deviations, the rows of MPICH first, in the order of the chapters of the
// standard.
func Table() []Deviation {
	all := slices.Concat(hardwareRows, nameRows, splitRows, createRows, createGroupRows, inheritRows,
		interRows, groupRows, topologyRows, classRows, sessionRows, attributeRows, infoRows, otherRows)
	slices.SortStableFunc(all, func(a, b Deviation) int { return int(a.Library) - int(b.Library) })
	return all
}

// of lists the rows of a library; when release is not 0, only the rows that hold for that release.
func of(l Library, release int) []Deviation {
	return slices.DeleteFunc(Table(), func(d Deviation) bool {
		return d.Library != l || release > 0 && (release < d.From || d.Before > 0 && release >= d.Before)
	})
}

// both makes two rows of a row that MPICH and Open MPI share.
func both(d Deviation) []Deviation {
	m, o := d, d
	m.Library, o.Library = MPICH, OpenMPI
	return []Deviation{m, o}
}

// always returns a rule that has the same text for all ranks of a step.
func always(text string) stepRule {
	return func(_ *scene, st *engine.Step) []finding { return []finding{{st.Ranks, text}} }
}

// raises returns a rule that has the text for the ranks of an error of one of the classes; without classes, of any
// error.
func raises(text string, classes ...engine.Class) faultRule {
	return raisesIf(func(*scene, *engine.Error) bool { return true }, text, classes...)
}

// raisesIf returns a rule like that of raises, for errors that also meet a condition.
func raisesIf(holds condition, text string, classes ...engine.Class) faultRule {
	return func(s *scene, e *engine.Error) []finding {
		if len(classes) > 0 && !slices.Contains(classes, e.Class) || !holds(s, e) {
			return nil
		}
		return []finding{{e.Ranks, text}}
	}
}

// mistaken returns a rule that has the text for the ranks of an error with one of the mistakes.
func mistaken(text string, mistakes ...engine.Mistake) faultRule {
	return func(_ *scene, e *engine.Error) []finding {
		if !slices.Contains(mistakes, e.Mistake) {
			return nil
		}
		return []finding{{e.Ranks, text}}
	}
}

// Note is a difference between what a library would give and what the engine gave.
type Note struct {
	Deviation string       // name of the row of the table
	Step      int          // number of the trace step; for an error or a deadlock the last step before it
	Call      engine.Call  // CallNone when the note is not about a single call
	Where     string       // call site: "demo.py:7", several with commas, "" when unknown
	Ranks     engine.Ranks // world ranks that see the difference
	Text      string       // what the library gives them
	Rule      string       // what the library does, in words
	Source    string       // where the deviation was seen
	Beside    bool         // see Deviation.Beside
	Virtual   bool         // see Deviation.Virtual
}

// Report lists where a library would give another result in a run.
type Report struct {
	Library Library
	Notes   []Note // in order of the trace
}

// Compare compares a whole run with what library l would give. failed are the errors that ended the program, merged over
// ranks, if any; d is the deadlock in which it ended, or nil. Each step is judged by itself, as if everything before it
// had gone as in the engine. The same difference at several places or on several ranks makes one note.
func Compare(l Library, s *engine.Snapshot, failed []*engine.Error, d *engine.Deadlock) *Report {
	return &Report{l, collect(of(l, 0), l, s, failed, d, false)}
}

// Each lists notes for one release of the library, 41 for 4.1, or 0 for any release, and does not join those of
// different steps.
func Each(l Library, release int, s *engine.Snapshot, failed []*engine.Error, d *engine.Deadlock) []Note {
	return collect(of(l, release), l, s, failed, d, true)
}

func collect(rows []Deviation, l Library, s *engine.Snapshot, failed []*engine.Error, d *engine.Deadlock, apart bool) []Note {
	c := collector{scene: newScene(l, s), rows: rows, at: map[noteKey]int{}, apart: apart}
	raised := withFailure(s.Errors(), failed, len(s.Steps))
	for i := 0; ; i++ {
		for len(raised) > 0 && raised[0].Step <= i {
			c.fault(raised[0])
			raised = raised[1:]
		}
		if i == len(s.Steps) {
			break
		}
		c.step(&s.Steps[i])
	}
	if d != nil {
		c.stuck(d, len(s.Steps))
	}
	slices.SortStableFunc(c.notes, func(a, b Note) int { return cmp.Compare(a.Step, b.Step) })
	return c.notes
}

// withFailure appends the errors that ended the program, unless raised has them already.
func withFailure(raised []engine.Raised, failed []*engine.Error, steps int) []engine.Raised {
	for _, e := range failed {
		known := slices.ContainsFunc(raised, func(r engine.Raised) bool {
			return r.Class == e.Class && r.Call == e.Call && r.Comm == e.Comm && r.Text == e.Text
		})
		if !known {
			raised = append(raised, engine.Raised{Step: steps, Error: e})
		}
	}
	return raised
}

// collector gathers the notes of a run.
type collector struct {
	scene *scene
	rows  []Deviation
	notes []Note
	at    map[noteKey]int
	apart bool // the same difference at several steps makes several notes
}

// noteKey identifies a note without its place.
type noteKey struct {
	deviation, text string
	call            engine.Call
	step            int // 0 unless the collector keeps steps apart
}

func (c *collector) step(st *engine.Step) {
	c.scene.enter(st)
	for i := range c.rows {
		if d := &c.rows[i]; d.step != nil && d.about(st.Call) {
			c.add(d, st.Number, st.Call, st.Site(), d.step(c.scene, st))
		}
	}
	c.scene.leave(st)
}

func (c *collector) fault(e engine.Raised) {
	for i := range c.rows {
		if d := &c.rows[i]; d.fault != nil && d.about(e.Call) {
			c.add(d, e.Step, e.Call, e.Where, d.fault(c.scene, e.Error))
		}
	}
}

func (c *collector) stuck(lock *engine.Deadlock, step int) {
	for i := range c.rows {
		if d := &c.rows[i]; d.deadlock != nil {
			c.add(d, step, engine.CallNone, "", d.deadlock(c.scene, lock))
		}
	}
}

func (c *collector) add(d *Deviation, step int, call engine.Call, where string, found []finding) {
	for _, f := range found {
		k := noteKey{d.Name, f.text, call, 0}
		if c.apart {
			k.step = step
		}
		if i, ok := c.at[k]; ok {
			c.notes[i].join(f.ranks, where)
			continue
		}
		c.at[k] = len(c.notes)
		c.notes = append(c.notes, Note{d.Name, step, call, where, f.ranks, f.text, d.Rule, d.Source, d.Beside, d.Virtual})
	}
}

// join adds ranks and a place where the same difference shows.
func (n *Note) join(ranks engine.Ranks, where string) {
	n.Ranks = union(n.Ranks, ranks)
	n.Where = joinPlaces(n.Where, where)
}

// Limits of what notes spell out: communicators, members of a communicator in rank order, and ranges.
// The rest is counted.
const (
	mostParts   = 8
	mostMembers = 16
	mostRanges  = 4
)

// groupText writes a group in rank order, "[2,0]", and a long group that ascends as ranges: "[0-31,64-95]".
func groupText(members []int32) string {
	if len(members) > mostMembers && slices.IsSorted(members) {
		ranges := engine.RanksOf(members...)
		if len(ranges) > mostRanges {
			return fmt.Sprintf("[%s,...] of %d ranks", ranges[:mostRanges], len(members))
		}
		return "[" + ranges.String() + "]"
	}
	if len(members) > mostMembers {
		return fmt.Sprintf("[%d,%d,...] of %d ranks", members[0], members[1], len(members))
	}
	words := make([]string, len(members))
	for i, m := range members {
		words[i] = strconv.Itoa(int(m))
	}
	return "[" + strings.Join(words, ",") + "]"
}

// partsText writes several groups: "[0,1] [3,4] [6,7]".
func partsText(parts [][]int32) string {
	var words []string
	for i, p := range parts {
		if i == mostParts && len(parts) > mostParts+1 {
			words = append(words, fmt.Sprintf("and %d more", len(parts)-i))
			break
		}
		words = append(words, groupText(p))
	}
	return strings.Join(words, " ")
}

// union returns the ranks that are in a or b.
func union(a, b engine.Ranks) engine.Ranks {
	if len(b) == 0 || slices.Equal(a, b) {
		return a
	}
	return engine.RanksOf(append(a.Slice(), b.Slice()...)...)
}

// joinPlaces appends a place to a list with commas, unless the list has the place.
func joinPlaces(list, place string) string {
	switch {
	case place == "" || slices.Contains(strings.Split(list, ", "), place):
		return list
	case list == "":
		return place
	}
	return list + ", " + place
}

// Release is a library and its version, as the library names itself.
type Release struct {
	Name   string  // "Open MPI 4.1.4"
	Known  Library // None: no deviations of the library are known
	Number int     // 41 for 4.1, 0 when unknown
}

// releases has patterns for the text of MPI_Get_library_version that find the name and the version.
var releases = []struct {
	known Library
	says  *regexp.Regexp
	name  string
}{
	{OpenMPI, regexp.MustCompile(`^Open MPI v([0-9][^, ]*)`), "Open MPI "},
	{MPICH, regexp.MustCompile(`^MPICH Version:\s*([0-9]\S*)`), "MPICH "},
	{None, regexp.MustCompile(`^(.{1,60})`), ""},
}

// Identify finds the release in the text of MPI_Get_library_version.
func Identify(text string) Release {
	for _, v := range releases {
		if m := v.says.FindStringSubmatch(text); m != nil {
			return Release{v.name + strings.TrimSpace(m[1]), v.known, number(m[1])}
		}
	}
	return Release{Name: "an MPI without a name"}
}

// number returns major and minor version as a number: 41 for "4.1.4"; 0 for a version that does not
// begin with two numbers.
func number(version string) int {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n < 2 {
		return 0
	}
	return major*10 + min(minor, 9)
}
