package confirm

import (
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
)

// aspect is a property of a communicator that is compared. Where an aspect differs, those after it are not compared.
type aspect uint8

const (
	members   aspect = iota // and their order
	virtual                 // the virtual topology
	ownName                 // the name that the session gave
	noAspects               // all of them are equal
)

// differing returns the first aspect in which the communicator that a process told differs from the wanted
// communicator. names says to compare names too, of which only those that the session gave count: a library may name
// other communicators as it likes.
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

// names returns the names that the session gives communicators, by id and world rank. As in the program, a question
// mark stands for each control character.
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
			all[key{st.Comm, r}] = strings.Map(func(c rune) rune {
				if c < ' ' || c == 0x7f {
					return '?'
				}
				return c
			}, text)
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

// byRank joins the texts that say returns for ranks: "no name", or where ranks differ "no name on rank 0, the name x on
// ranks 1-3".
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
