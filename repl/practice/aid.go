package practice

import "fmt"

// Aid is the help that a person asks for while solving an exercise: hints one after the other, and the solution, which
// a person who has not solved the exercise must ask for twice.
type Aid struct {
	Exercise *Exercise
	hints    int // that were told
	asked    bool
}

// Hint is the next hint, or that there is none.
func (a *Aid) Hint() string {
	switch n := len(a.Exercise.Hints); {
	case a.hints < n:
		a.hints++
		return fmt.Sprintf("Hint %d of %d: %s", a.hints, n, a.Exercise.Hints[a.hints-1])
	case n == 0:
		return "There are no hints for this exercise."
	}
	return "There are no more hints. solution shows an answer."
}

// Solution is a sentence about the solution, and its lines, "" while they are not shown yet.
func (a *Aid) Solution(solved bool) (about, lines string) {
	if !solved && !a.asked {
		a.asked = true
		return "You have not solved it yet. Ask for the solution once more to see an answer; hint shows a hint instead.", ""
	}
	return "One answer of several that are right:", indented(a.Exercise.Solution(), "    ")
}
