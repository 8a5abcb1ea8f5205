package confirm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
)

// mostParts is how many communicators are spelled out.
const mostParts = 8

// parts tells what ranks hold, as the communicators that these are in, members in rank order: "[0,2] [3,1],
// ranks 4-5 MPI_COMM_NULL". Where the members do not agree, each tells what it sees.
func parts(ranks []int, all map[int]held) string {
	var words []string
	var null, silent []int
	seen := map[string]bool{}
	for _, r := range ranks {
		h := all[r]
		switch {
		case h == held{}:
			silent = append(silent, r)
			continue
		case h.null:
			null = append(null, r)
			continue
		}
		text := group(h.leader, h.size, all)
		if text == "?" {
			text = fmt.Sprintf("(rank %d is %d of %d, led by %d)", r, h.rank, h.size, h.leader)
		}
		if h.inter {
			remote := group(h.remoteLeader, h.remoteSize, all)
			if remote == "?" {
				remote = fmt.Sprintf("(%d, led by %d)", h.remoteSize, h.remoteLeader)
			}
			text += "|" + remote
		}
		if !seen[text] {
			seen[text] = true
			words = append(words, text)
		}
	}
	if n := len(words); n > mostParts+1 {
		words = append(words[:mostParts], fmt.Sprintf("and %d more", n-mostParts))
	}
	text := strings.Join(words, " ")
	list := slices.DeleteFunc([]string{text}, func(t string) bool { return t == "" })
	if len(null) > 0 {
		list = append(list, engine.RanksOf(null...).Noun()+" MPI_COMM_NULL")
	}
	if len(silent) > 0 {
		list = append(list, "nothing told by "+engine.RanksOf(silent...).Noun())
	}
	return strings.Join(list, ", ")
}

// group is the members of a group in rank order, found by their leader and what they say of themselves;
// "?" where they do not make a group.
func group(leader, size int, all map[int]held) string {
	if size < 1 || size > len(all) {
		return "?"
	}
	list := make([]int, size)
	for i := range list {
		list[i] = -1
	}
	for r, h := range all {
		if h.null || h.leader != leader || h.size != size {
			continue
		}
		if h.rank < 0 || h.rank >= size || list[h.rank] >= 0 {
			return "?"
		}
		list[h.rank] = r
	}
	if slices.Contains(list, -1) || list[0] != leader {
		return "?"
	}
	if set := engine.RanksOf(list...); size > 16 && slices.IsSorted(list) && len(set) <= 4 {
		return "[" + set.String() + "]"
	}
	words := make([]string, size)
	for i, r := range list {
		words[i] = strconv.Itoa(r)
	}
	return "[" + strings.Join(words, ",") + "]"
}
