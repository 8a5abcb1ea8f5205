package repl

import (
	"slices"
	"strings"
)

// Verbs is the table of all verbs, in the order of the help.
var Verbs = slices.Concat(constructors, interVerbs, handleVerbs, []*Verb{rebinding}, checkVerbs)

// FindVerb finds a verb by name, with "-" or "_"; nil when there is none.
func FindVerb(name string) *Verb {
	name = strings.ReplaceAll(name, "-", "_")
	if i := slices.IndexFunc(Verbs, func(v *Verb) bool { return v.Name == name }); i >= 0 {
		return Verbs[i]
	}
	return nil
}

func isVerb(word string) bool { return FindVerb(word) != nil }

func verbNames() []string {
	names := make([]string, len(Verbs))
	for i, v := range Verbs {
		names[i] = v.Name
	}
	return names
}
