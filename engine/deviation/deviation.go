package deviation

import (
	"slices"

	"commsplit/engine"
)

// Deviation is one row of the table: a way in which a library leaves the standard.
type Deviation struct {
	Name    string // of the row, unique for its library: "negative-color"
	Library Library
	Calls   []engine.Call // the procedures that it is about; none: any
	Rule    string        // what the library does, in words
	Source  string        // the versions where it was seen, and the issue if there is one
	Beside  bool          // it is not about who is with whom: attributes, names, hints, questions
	From    int           // the first release that has it, 50 for 5.0; 0 where other releases are not known to lack it
	Before  int           // the first release that has it no more, likewise

	// What finds it; nil where the row has nothing of the kind to look at.
	step     stepRule
	fault    faultRule
	deadlock func(*scene, *engine.Deadlock) []finding
}

// stepRule and faultRule tell what a library gives where a row holds for a step or for an error.
type (
	stepRule  func(*scene, *engine.Step) []finding
	faultRule func(*scene, *engine.Error) []finding
	condition func(*scene, *engine.Error) bool
)

// finding is what the library gives some ranks.
type finding struct {
	ranks engine.Ranks
	text  string
}

// about reports whether the row is about a call.
func (d *Deviation) about(c engine.Call) bool {
	return len(d.Calls) == 0 || slices.Contains(d.Calls, c)
}

// Table lists the known deviations, those of MPICH first, in the order of the chapters.
func Table() []Deviation {
	all := slices.Concat(hardwareRows, nameRows, splitRows, createRows, createGroupRows, inheritRows,
		interRows, groupRows, sessionRows, attributeRows, infoRows, otherRows)
	slices.SortStableFunc(all, func(a, b Deviation) int { return int(a.Library) - int(b.Library) })
	return all
}

// of lists the rows of one library; those of one release when that is not 0.
func of(l Library, release int) []Deviation {
	return slices.DeleteFunc(Table(), func(d Deviation) bool {
		return d.Library != l || release > 0 && (release < d.From || d.Before > 0 && release >= d.Before)
	})
}

// both makes a row of each library from one that they share.
func both(d Deviation) []Deviation {
	m, o := d, d
	m.Library, o.Library = MPICH, OpenMPI
	return []Deviation{m, o}
}

// always is a row's function that gives all ranks of a step or an error the same text.
func always(text string) stepRule {
	return func(_ *scene, st *engine.Step) []finding { return []finding{{st.Ranks, text}} }
}

// raises is a row's function for the errors of the classes given, of any class when none is.
func raises(text string, classes ...engine.Class) faultRule {
	return raisesIf(func(*scene, *engine.Error) bool { return true }, text, classes...)
}

// raisesIf is raises for the errors that also meet a condition.
func raisesIf(holds condition, text string, classes ...engine.Class) faultRule {
	return func(s *scene, e *engine.Error) []finding {
		if len(classes) > 0 && !slices.Contains(classes, e.Class) || !holds(s, e) {
			return nil
		}
		return []finding{{e.Ranks, text}}
	}
}
