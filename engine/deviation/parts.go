package deviation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
)

// What notes spell out before they count: communicators, members of one in rank order, and ranges.
const (
	mostParts   = 8
	mostMembers = 16
	mostRanges  = 4
)

// groupText is a group in rank order: "[2,0]"; a long one that ascends as ranges, "[0-31,64-95]".
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

// partsText is several communicators: "[0,1] [3,4] [6,7]".
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

// union is the ranks of either set.
func union(a, b engine.Ranks) engine.Ranks {
	if len(b) == 0 || slices.Equal(a, b) {
		return a
	}
	return engine.RanksOf(append(a.Slice(), b.Slice()...)...)
}

// joinPlaces adds a place to a list of them.
func joinPlaces(list, place string) string {
	switch {
	case place == "" || slices.Contains(strings.Split(list, ", "), place):
		return list
	case list == "":
		return place
	}
	return list + ", " + place
}
