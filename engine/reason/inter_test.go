package reason_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
	"commsplit/engine/reason"
)

// bridged is a world of seven whose ranks 0 to 2 and 5, 4, 3 are the groups of an
// intercommunicator, and a call on it, of ranks 0 to 5, that made some communicators.
func bridged(call engine.Call, args []engine.Column, made ...*engine.CommInfo) *engine.Snapshot {
	world := &engine.CommInfo{Parent: -1, Group: []int32{0, 1, 2, 3, 4, 5, 6}}
	inter := &engine.CommInfo{ID: 2, Context: 1, Context2: 3, Op: engine.CallIntercommCreate, Group: []int32{0, 1, 2}, Remote: []int32{5, 4, 3}, Step: 1}
	six := engine.AllRanks(6)
	column := func(v ...int32) []int32 { return v }
	s := &engine.Snapshot{Size: 7, Comms: []*engine.CommInfo{world, inter}, Steps: []engine.Step{
		{Number: 1, Call: engine.CallIntercommCreate, Ranks: six, Made: []int{2}, Args: []engine.Column{
			{Name: "local_leader", Ints: column(1, 1, 1, 0, 0, 0)},
			{Name: "remote_leader", Ints: column(9, 5, 9, 9, 9, 1)},
			{Name: "tag", Ints: column(8, 8, 8, 8, 8, 8)}}},
		{Number: 2, Call: call, Comm: 2, Ranks: six, Args: args}}}
	for i, info := range made {
		info.ID, info.Step, info.Parent, info.Op = 3+i, 2, 2, call
		s.Comms = append(s.Comms, info)
		s.Steps[1].Made = append(s.Steps[1].Made, info.ID)
	}
	return s
}

// §7.6.2, MPI_Intercomm_create: the groups of the two leaders face each other. Only what the local
// leader passes as remote_leader counts: world rank 5 is leader of the right group, rank 0 there.
func TestIntercommCreateReasons(t *testing.T) {
	t.Parallel()
	s := bridged(engine.CallBarrier, nil)
	check(t, reason.Rank(s, reason.Held{Comm: 2}, 3), told{"3", 2, []string{
		"side: the right group, 3 ranks; the left group has 3",
		"local leader: rank 0 of this group, world rank 5",
		"remote leader: rank 1 in the leader's peer_comm", "tag: 8"}, nil, "two leaders"})
	list, _ := reason.Handle(s, func(int) reason.Held { return reason.Held{Comm: 2} }, engine.AllRanks(6), 9)
	if len(list) != 2 || list[0].Ranks.String() != "0-2" || list[1].Ranks.String() != "3-5" {
		t.Errorf("the sides are not told apart: %+v", list)
	}
}

// §7.6.2, MPI_Intercomm_merge: the group that passes high=false is first; when both pass the same,
// here the one with the lowest world rank.
func TestMergeReasons(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		high   []int32
		merged []int32
		first  string
	}{
		{[]int32{1, 1, 1, 0, 0, 0}, []int32{5, 4, 3, 0, 1, 2}, "the right group: it passed high=false"},
		{[]int32{0, 0, 0, 1, 1, 1}, []int32{0, 1, 2, 5, 4, 3}, "the left group: it passed high=false"},
		{[]int32{1, 1, 1, 1, 1, 1}, []int32{0, 1, 2, 5, 4, 3}, "the left group: both passed the same, and it has the lowest world rank"},
	} {
		s := bridged(engine.CallMerge, []engine.Column{{Name: "high", Ints: tt.high}}, &engine.CommInfo{Group: tt.merged, Context: 2})
		got := facts(reason.Rank(s, reason.Held{Comm: 3}, 4))
		if got[0] != "side: the right group, rank 1 there" || got[2] != "first: "+tt.first {
			t.Errorf("high %v: %q", tt.high, got)
		}
	}
}

// §7.4.2, MPI_Comm_split of an intercommunicator: a color must be there on both sides. Left passes
// 0,1,1, right (ranks 3, 4, 5) 1,2,1: color 1 makes left [1,2], right [5,3] in the order of their
// old ranks; 0 and 2 make nothing.
func TestIntercommSplitReasons(t *testing.T) {
	t.Parallel()
	args := []engine.Column{{Name: "color", Ints: []int32{0, 1, 1, 1, 2, 1}}, {Name: "key", Ints: make([]int32, 6)}}
	made := &engine.CommInfo{Group: []int32{1, 2}, Remote: []int32{5, 3}, Context: 2}
	s := bridged(engine.CallSplit, args, made)
	check(t, reason.Rank(s, reason.Held{Comm: 3}, 3), told{"3", 3, []string{"color: 1, passed by 2 of the 3 ranks", "key: 0",
		"side: the right group; the other group passed color 1, too"},
		[]reason.Seat{{0, 0, 5, true}, {0, 2, 3, true}}, "Processes of both groups"})
	null := reason.Held{Comm: -1, Origin: &engine.Origin{Step: 2}}
	check(t, reason.Rank(s, null, 4), told{"4", -1, []string{"color: 2",
		"side: the right group; nobody in the other group passed color 2"}, nil, "makes no intercommunicator"})

	ph, err := reason.Of(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []reason.Answer{{0, -1, 0, 0}, {1, 3, 0, 2}, {2, 3, 1, 2}, {3, 3, 1, 2}, {4, -1, 0, 0}, {5, 3, 0, 2}}
	if d := cmp.Diff(want, ph.Replies); d != "" {
		t.Errorf("replies (-want +got):\n%s", d)
	}
	// Each group takes an id of its own: the left one uses 0 and 1, the right one 0 and 3.
	if l, r := ph.Context[0], ph.Context[1]; l.ID != 2 || l.All != "11000000" || r.ID != 1 || r.All != "10010000" {
		t.Errorf("contexts %+v", ph.Context)
	}
}
