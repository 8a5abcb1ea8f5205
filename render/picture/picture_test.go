package picture_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/picture"
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
	v.Handles = []render.Handle{*h}
	for _, c := range []struct {
		as   render.Picture
		has  []string
		lack []string
	}{
		{render.AsBoxes, []string{"A0", "B0", "Rack", "NUMA"}, []string{"w10"}},
		{render.AsLanes, []string{"A0 A1", "w10 w8 w6 w4 w2 w0", "w9 w7", "MPI_COMM_NULL 1 rank"}, []string{"Rack"}},
		{render.AsBuckets, []string{"MPI_Comm_split on world", "w0 w2 w4 w6 w8 w10", "key 0 -2 -4 -6 -8 -10 sorted w10 w8 w6 w4 w2 w0 A0 A1",
			"w11", "no communicator: MPI_COMM_NULL"}, []string{"Rack", "○"}},
		{render.AsSplit, []string{"Rack", "w10"}, nil},
		{render.AsLineage, []string{"world 12 ranks", "├─ A " + s.Variables[0].Name + "#2 6 ranks", "│ A0 A1", "└─ B ", "w9 w7"}, []string{"Rack", "MPI_COMM_NULL"}},
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

// Seven ranks, of which four on the left and three on the right are split by color: a bucket for each side of each color,
// and no communicator of color 2, which the right side alone passed [MPI-5.0 §7.4.2]. What no call sorted into buckets
// is drawn as lanes, and the two groups face each other.
func TestBucketsOfTwoGroups(t *testing.T) {
	t.Parallel()
	w, err := engine.New(engine.Config{Size: 7, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	shop, desk := &render.Handle{Name: "shop", IDs: make([]int32, 7)}, &render.Handle{Name: "desk", IDs: make([]int32, 7)}
	if err := engine.Run(w, func(p *engine.Process) error {
		me := p.World().Rank()
		left := me < 4
		team, err := p.World().Split(map[bool]int{true: 0, false: 1}[left], 0)
		if err != nil {
			return err
		}
		inter, err := team.CreateIntercomm(0, p.World(), map[bool]int{true: 4, false: 0}[left], 0)
		if err != nil {
			return err
		}
		color := inter.Rank()
		if left {
			color %= 2
		}
		part, err := inter.Split(color, 0)
		shop.IDs[me], desk.IDs[me] = int32(inter.ID()), -1
		if part != nil {
			desk.IDs[me] = int32(part.ID())
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	v := &render.View{Snapshot: w.Snapshot(), Handles: []render.Handle{*shop, *desk}}
	for _, c := range []struct {
		h    *render.Handle
		want string
	}{
		{shop, "right ░A'0░ ░A'1░ ░A'2░"},
		{desk, "right group w4 w5 w6 color 0 1 2"},
		{desk, "color 1, right group w5 B'0 color 2, right group w6 key 0 no communicator: MPI_COMM_NULL"},
	} {
		var out strings.Builder
		if err := picture.Partition(&out, v, c.h, render.Style{Width: 80, Picture: render.AsBuckets}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), c.want) {
			t.Errorf("no %q:\n%s", c.want, out.String())
		}
	}
}

// MPI_Comm_create on which every process passes an empty group makes no communicator [MPI-5.0 §7.4.2]: the picture of why
// has the processes with MPI_COMM_NULL, and no grid.
func TestWhyNothingWasCreated(t *testing.T) {
	t.Parallel()
	topo, b := worlds.Figure73(t)
	s := worlds.New(t, topo, b)
	s.Assign("none", 7, func(p *engine.Process) (*engine.Comm, error) { return p.World().Create(engine.EmptyGroup) })
	v := &render.View{Snapshot: s.World.Snapshot()}
	var out strings.Builder
	if err := picture.Why(&out, v, 0, render.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "MPI_COMM_NULL  12 ranks") || strings.Contains(text, "coordinates") {
		t.Errorf("the picture is\n%s", text)
	}
}
