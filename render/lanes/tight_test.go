package lanes_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render/lanes"
)

// A tight bucket shows new rank and world rank of each process above its key. Its name takes 7+2 columns, each of three
// cells "A0 w2" 5+2, the gaps between them 1: it fits into 32 columns, and in 31 the bucket is drawn in more lines.
func TestTightBucket(t *testing.T) {
	t.Parallel()
	b := lanes.NewBucket("color 0", "A", 0, []reason.Seat{{Key: 1, Old: 2, World: 2}, {Key: 5, Old: 0, World: 0}, {Key: 5, Old: 4, World: 4}})
	for width, want := range map[int]string{32: "color 0 A0 w2 A1 w0 A2 w4|key 1 5 5", 31: "color 0 w0 w2 w4|key 5 1 5|sorted w2 w0 w4|A0 A1 A2"} {
		var list []string
		for _, l := range b.Tight(width, 7, false, false).Draw() {
			list = append(list, strings.Join(strings.Fields(l.Plain()), " "))
		}
		if got := strings.Join(list, "|"); got != want {
			t.Errorf("%d columns: %s, want %s", width, got, want)
		}
	}
}
