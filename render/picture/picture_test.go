package picture_test

import (
	"strings"
	"testing"

	"commsplit/render"
	"commsplit/render/paint"
	"commsplit/render/picture"
	"commsplit/render/worlds"
)

// Twelve ranks on Figure 7.3, even and odd ones apart, the highest first, without rank 11: rank 10 is rank 0 of A,
// rank 9 of B. The lane of A begins with world rank 10. No line is wider than the page,
// and without color the letters tell all.
func TestPartition(t *testing.T) {
	t.Parallel()
	topo, b := worlds.Figure73(t)
	s := worlds.New(t, topo, b)
	s.ReversedHalves()
	v := &render.View{Snapshot: s.World.Snapshot()}
	h := &render.Handle{Name: s.Variables[0].Name, IDs: s.Variables[0].IDs}
	for _, c := range []struct {
		as   render.Picture
		has  []string
		lack []string
	}{
		{render.AsBoxes, []string{"A0", "B0", "Rack", "NUMA"}, []string{"w10"}},
		{render.AsLanes, []string{"A0 A1", "w10 w8 w6 w4 w2 w0", "w9 w7", "MPI_COMM_NULL 1 rank"}, []string{"Rack"}},
		{render.AsSplit, []string{"Rack", "w10"}, nil},
	} {
		for _, width := range []int{60, 80, 120} {
			var out strings.Builder
			if err := picture.Partition(&out, v, h, render.Style{Width: width, Picture: c.as}); err != nil {
				t.Fatal(err)
			}
			text := out.String()
			for _, want := range c.has {
				if width > 60 && !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
					t.Errorf("%d columns, %s: no %q:\n%s", width, render.Pictures[c.as], want, text)
				}
			}
			for _, bad := range c.lack {
				if strings.Contains(text, bad) {
					t.Errorf("%d columns, %s has %q:\n%s", width, render.Pictures[c.as], bad, text)
				}
			}
			for line := range strings.Lines(text) {
				if line = strings.TrimSuffix(line, "\n"); paint.Width(line) > width || strings.TrimRight(line, " ") != line || strings.Contains(line, "\x1b") {
					t.Errorf("%d columns, %s: %q", width, render.Pictures[c.as], line)
				}
			}
		}
	}
}
