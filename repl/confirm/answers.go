package confirm

import (
	"slices"
	"strings"

	"commsplit/engine"
)

// answer is what a process got of an erroneous call.
func answer(out *outcome, p progress, at int) string {
	switch {
	case p.class != "":
		return p.class
	case p.passed:
		return "no error"
	case p.at < at:
		return "it does not come to the call"
	case out.err != nil:
		return "the program ends"
	}
	return "hangs"
}

// tellAnswers is "no error on ranks 0-2, hangs on rank 3".
func tellAnswers(answers map[string][]int) string {
	var list []string
	for text, ranks := range answers {
		list = append(list, text+" on "+engine.RanksOf(ranks...).Noun())
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// at is "MPI_Comm_split (demo.py:7)".
func at(c engine.Call, where string) string {
	if where == "" {
		return c.String()
	}
	return c.String() + " (" + where + ")"
}

// inTrace is the number of a step, 0 for a call that the trace does not have.
func (j *job) inTrace(number int) int {
	if number > len(j.view.Snapshot.Steps) {
		return 0
	}
	return number
}

// place is where a call is written; one that the trace does not have is known by its error.
func place(st *engine.Step, e *engine.Error) string {
	if site := st.Site(); site != "" {
		return site
	}
	return e.Where
}
