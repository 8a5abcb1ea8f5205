package moment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// acts returns the cell of each world rank in a stage: its text, with * for an argument and ! for MPI_COMM_NULL;
// "." for a rank that does not make the calls, "?" for a rank whose turn has not come.
func acts(m *moment.Moment, at moment.At) string {
	var list []string
	for r := range m.Size() {
		c, ok := at.Cell(r)
		text := c.Text
		switch {
		case !ok:
			text = "."
		case c.State == paint.Null:
			text += "!"
		case c.Slot == paint.NoSlot:
			text += "*"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// The stages of each constructor, worked out by hand: what the ranks pass, which ranks share a bucket, the place
// of each. A new communicator has its ranks by key and then by old rank (§7.4.2, MPI_Comm_split), in the order of
// the group (MPI_Comm_create and MPI_Comm_create_group), or as they were (MPI_Comm_dup); the left group of an
// intercommunicator is A, the right group A' (§7.6.2), and ranks that pass high come last in its merge. A grid of
// two has no place for a third rank (§8.5.1).
func TestMotion(t *testing.T) {
	t.Parallel()
	const leaders = "inter = intercomm_create half remote_leader=1-world.rank%2"
	for _, c := range []struct {
		line   string
		before []string
		want   []string // in the stages that differ in cells
	}{
		{"half = split world color=rank%2 key=-rank", nil, []string{"0* 1* 0* 1*", "A B A B", "A1 B1 A0 B0"}},
		{"some = split world color=(0 if rank<3 else MPI.UNDEFINED)", nil, []string{"0* 0* 0* –*", "A A A ○!", "A0 A1 A2 ○!"}},
		{`pack = split_type world HW_GUIDED resource="hwloc://Package"`, nil, []string{"•* •* •* •*", "A A B B", "A0 A1 B0 B1"}},
		{"pair = split half color=rank", []string{"half = split world color=rank%2"}, []string{"0* 0* 1* 1*", "C E D F", "C0 E0 D0 F0"}}, // A and B are of half
		{"few = create world group=[2,0]", nil, []string{"•* –* •* –*", "A ○! A ○!", "A1 ○! A0 ○!"}},
		{"own = create_group world group=[2,0]", nil, []string{"•* . •* .", "A1 . A0 ."}},
		{"lib = dup world", nil, []string{"•* •* •* •*", "A0 A1 A2 A3"}},
		{leaders, []string{"half = split world color=rank%2"}, []string{"•* •* •* •*", "★C ★C' •* •*", "C0 C'0 C1 C'1"}},
		{"all = merge inter high=(world.rank%2==0)", []string{"half = split world color=rank%2", leaders}, []string{"true* false* true* false*", "D2 D0 D3 D1"}},
		{"grid = cart world dims=[2]", nil, []string{"•* •* •* •*", "A0 A1 ○! ○!"}},
	} {
		m := after(t, repl.Config{Topo: "pack:2 core:2", Size: 4}, append(c.before, c.line)...)
		since := after(t, repl.Config{Topo: "pack:2 core:2", Size: 4}, c.before...).Last
		x := m.LastMotion(since, len(m.Handles)-1)
		if x == nil {
			t.Fatalf("%s: nothing moves", c.line)
		}
		var got []string
		for _, stage := range x.Stages {
			if text := acts(m, moment.At{Motion: x, Stage: stage, Share: 1}); len(got) == 0 || got[len(got)-1] != text {
				got = append(got, text)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.line, got, c.want)
		}
	}
}

// A loop plays its last call alone, which is made on both halves at once: four ranks that are halved twice are
// single ranks.
func TestMotionOfLoop(t *testing.T) {
	t.Parallel()
	m := after(t, repl.Config{Topo: "core:4", Size: 4}, "c = world\nfor i in range(2):\n    c = c.Split(c.rank % 2, 0)\n")
	x := m.LastMotion(0, m.Handle("c"))
	if n := len(x.Calls); n != 2 {
		t.Errorf("%d calls move, want the two of the second round", n)
	}
	if got := acts(m, moment.At{Motion: x, Stage: reason.Sort, Share: 1}); got != "A0 C0 B0 D0" {
		t.Errorf("in the end %q", got)
	}
	if m.LastMotion(m.Last, m.Handle("c")) != nil {
		t.Error("a call of an earlier line plays")
	}
}

// stood returns which world ranks stand at the places of a communicator, or on their way from world, in a picture where
// its place k is in column 10k, a right group's in line 1, and world's places are in line 2.
func stood(m *moment.Moment, at moment.At, id int) string {
	c, s := m.View.Snapshot.Comm(id), &scene.Scene{}
	add := func(line int, ranks []int32, in, from int) {
		for k, r := range ranks {
			of := scene.Rank(int(r), nil)
			of.In = in + 1
			s.Add(scene.Thing{Kind: scene.Cell, X: 10 * k, Y: line, W: 4, H: 1, Of: of, From: from + 1})
		}
	}
	add(0, c.Group, id, 0)
	add(1, c.Remote, id, 0)
	add(2, m.View.Snapshot.Comm(0).Group, 0, -1)
	var list []string
	for _, t := range at.Scene(s).Things {
		if t.Of.In == id+1 {
			list = append(list, fmt.Sprintf("%d@%d,%d", t.Of.First, t.X, t.Y))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// The leaders of an intercommunicator that is being made come first (§7.6.2): of the even ranks 0, 2, 4, rank 2,
// which is world rank 4; of the odd ranks 1, 3, 5, rank 0, which is world rank 1. Each stands at its place in the lane, and
// the others follow with the result.
func TestMotionOfLeaders(t *testing.T) {
	t.Parallel()
	m := after(t, repl.Config{Topo: "core:6", Size: 6}, "half = split world color=rank%2",
		"inter = intercomm_create half local_leader=(2 if world.rank%2==0 else 0) remote_leader=(1 if world.rank%2==0 else 4)")
	x := m.LastMotion(1, m.Handle("inter"))
	id := m.Parting(m.Handle("inter")).Comm(0)
	for _, c := range []struct {
		stage       reason.Stage
		cells, lane string
	}{
		{reason.Contribute, "•* •* •* •* •* •*", ""},
		{reason.Lead, "•* ★C' •* •* ★C •*", "1@0,1 4@20,0"},
		{reason.Reply, "C0 C'0 C1 C'1 C2 C'2", "0@0,0 1@0,1 2@10,0 3@10,1 4@20,0 5@20,1"},
	} {
		at := moment.At{Motion: x, Stage: c.stage, Share: 1}
		if cells, lane := acts(m, at), stood(m, at, id); cells != c.cells || lane != c.lane {
			t.Errorf("%s: cells %q, lanes %s; want %q, %s", c.stage, cells, lane, c.cells, c.lane)
		}
	}
}

// Ranks come from their places in world, and then go to those in the order of keys: keys of -rank reverse the ranks of a
// half: 0, 2 become 2, 0. In the middle of a stage they are half way; cells whose order changes stand beside each other.
func TestMotionShare(t *testing.T) {
	t.Parallel()
	m := after(t, repl.Config{Topo: "core:4", Size: 4}, "half = split world color=rank%2 key=-rank")
	x := m.LastMotion(0, 1)
	id := m.Parting(1).Comm(0)
	for _, c := range []struct {
		stage       reason.Stage
		share       float64
		cells, lane string
	}{
		{reason.Contribute, 0.5, "0* 1* 0* 1*", ""},
		{reason.Divide, 0.5, "A B A B", "0@0,1 2@15,1"},
		{reason.Divide, 1, "A B A B", "0@0,0 2@10,0"},
		{reason.Sort, 0.5, "A1 B1 A0 B0", "0@0,0 2@10,0"},
		{reason.Sort, 1, "A1 B1 A0 B0", "0@10,0 2@0,0"},
		{reason.Reply, 0.5, "A1 B1 A0 B0", "0@10,0 2@0,0"},
	} {
		at := moment.At{Motion: x, Stage: c.stage, Share: c.share}
		if cells, lane := acts(m, at), stood(m, at, id); cells != c.cells || lane != c.lane {
			t.Errorf("%s, %v: cells %q, lane %v; want %q, %s", c.stage, c.share, cells, lane, c.cells, c.lane)
		}
	}
	if got := []string{x.Passed("color", 3), x.Passed("key", 3)}; got[0] != "1" || got[1] != "-3" {
		t.Errorf("rank 3 passed %v", got)
	}
}
