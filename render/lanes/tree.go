package lanes

import (
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/render"
)

// Around returns what surrounds the lane of a row of lineage; with signs, also whether rows below it show.
func Around(k *render.Kin, signs bool) Setting {
	at := Setting{Branch: k.Branch, Under: k.Under, Indent: 3, Below: k.Fold == render.Open || k.Gathered}
	switch {
	case !signs:
		at.Indent = 1
	case k.Branch == "" || k.Fold != render.Bare:
		at.Fold = k.Fold.Sign()
	default:
		at.Branch, at.Fold = strings.TrimSuffix(k.Branch, " ")+"──", " "
	}
	return at
}

// Pair is the rooms of two kinds of lanes: those that a picture is about, which get room first, and the others.
type Pair [2]Room

// Choose returns the roomiest rooms of a list in which lanes take at most most lines: the others have as much, or a row of
// cells each, or a line each. kinds tells which room a lane gets, and high how many lines a lane takes in it.
func Choose(list []Room, kinds []int, most int, high func(i int, r Room) int) Pair {
	dense := list[len(list)-1]
	if len(kinds) > most {
		return Pair{dense, dense}
	}
	for _, r := range list {
		more := []Room{r, {Rows: 1}, dense}
		if !slices.Contains(kinds, 1) {
			more = more[:1]
		}
		for _, others := range more {
			if r.Big && others.Dense {
				continue // big letters take no cells from others
			}
			rooms, used := Pair{r, others}, 0
			for i := 0; i < len(kinds) && used <= most; i++ {
				used += high(i, rooms[kinds[i]])
			}
			if used <= most {
				return rooms
			}
		}
	}
	return Pair{dense, dense}
}
