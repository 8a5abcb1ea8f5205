package repl

import (
	"fmt"
	"maps"
	"slices"

	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// variables are the names to which the text of a world gave a value, and what they held.
type variables struct {
	order   []string        // names that the text gives to variables, in order of their first place in it
	names   map[string]bool // variables that some rank has
	scope   tongue.Scope    // variables that lines of C and Fortran declared or set
	past    *past           // what the variables held
	numbers map[string]int  // by verb: the names with numbers up to this one are taken, see autoName
}

func newVariables(size int) variables {
	return variables{names: map[string]bool{}, scope: tongue.Scope{}, past: newPast(size), numbers: map[string]int{}}
}

// known reports whether a variable of that name exists on some rank.
func (v *variables) known(name string) bool { return v.names[name] }

// autoName returns the variable for the result of a line that names none: split1, split2, ... A name that was given
// stays taken, so the search goes on where the last one ended.
func (v *variables) autoName(verb *Verb) string {
	for n := v.numbers[verb.Name] + 1; ; n++ {
		if name := fmt.Sprintf("%s%d", verb.Name, n); !v.names[name] {
			v.numbers[verb.Name] = n - 1 // a line that fails leaves its name to the next one
			return name
		}
	}
}

// mention gives the variables that a text is about to set their place in the order.
func (v *variables) mention(names ...string) {
	for _, name := range names {
		if _, ok := v.past.positions[name]; !ok {
			v.past.positions[name] = len(v.order)
			v.order = append(v.order, name)
		}
	}
}

// Handles lists the variables that hold communicators, in the order in which the text first names them.
func (v *variables) Handles() []string {
	var list []string
	for _, c := range v.past.columns {
		if n := len(list); c.holding > 0 && !c.isLocal() && (n == 0 || list[n-1] != c.name) {
			list = append(list, c.name)
		}
	}
	return list
}

// Order lists the names that the text gives to variables, in order of their first place in it.
func (v *variables) Order() []string { return v.order }

// EverHeld lists the variables, and the elements of lists, that ever held a communicator.
func (v *variables) EverHeld() []string {
	var list []string
	for _, c := range v.past.columns {
		if len(c.versions) > 0 {
			list = append(list, c.String())
		}
	}
	return list
}

// Variables lists all variables.
func (v *variables) Variables() []string {
	return slices.Sorted(maps.Keys(v.names))
}

// declared reports whether a line of C or Fortran means a variable by a name that is otherwise the number of each rank.
func (v *variables) declared(c *lang.Chunk, name string) bool {
	return c.Foreign && isLocal(name) && v.declares(name)
}

// declares reports whether lines gave a meaning to a name of C or Fortran: rank and size keep theirs until they are set.
func (v *variables) declares(name string) bool {
	_, declared := v.scope[name]
	return v.known(name) || declared && !slices.Contains(rankNames[:3], name)
}
