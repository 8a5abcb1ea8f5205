package reason_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
)

// told is an explanation as a test writes it.
type told struct {
	ranks string
	comm  int
	facts []string
	order []reason.Seat
	rule  string // part of the rule
}

func check(t *testing.T, e reason.Explanation, want told) {
	t.Helper()
	got := told{e.Ranks.String(), e.Comm, facts(e), nil, want.rule}
	if e.Order != nil {
		got.order = e.Order.Seats
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(told{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if !strings.Contains(e.Rule+" ["+e.In+"]", want.rule) {
		t.Errorf("rule %q [%s] lacks %q", e.Rule, e.In, want.rule)
	}
}

func checkAll(t *testing.T, s *engine.Snapshot, held []reason.Held, want ...told) {
	t.Helper()
	list, rest := reason.NewReader(s).Handle(func(r int) reason.Held { return held[r] }, engine.AllRanks(s.Size), 10)
	if len(list) != len(want) || len(rest) > 0 {
		t.Fatalf("%d reasons, rest %v, want %d: %+v", len(list), rest, len(want), list)
	}
	for i := range list {
		check(t, list[i], want[i])
	}
}

// §7.4.2, MPI_Comm_split: ranks with the same color are together, sorted by (key, old rank): of
// colors 0,1,0,- and keys 2,7,2,1 color 0 ties in key 2. MPI_UNDEFINED gives MPI_COMM_NULL.
func TestSplitReasons(t *testing.T) {
	t.Parallel()
	color, key := []int{0, 1, 0, engine.Undefined}, []int{2, 7, 2, 1}
	s, held := holding(t, engine.Config{Size: 4}, func(p *engine.Process) (*engine.Comm, error) {
		return p.World().Split(color[p.Rank()], key[p.Rank()])
	})
	together := []reason.Seat{{Key: 2, Old: 0, World: 0, Tie: true}, {Key: 2, Old: 2, World: 2, Tie: true}}
	checkAll(t, s, held,
		told{"0,2", 2, []string{"color: 0, passed by 2 of the 4 ranks"}, together, "ties go by the rank in the old group. [MPI-5.0 §7.4.2]"},
		told{"1", 3, []string{"color: 1, passed by 1 of the 4 ranks"}, []reason.Seat{{Key: 7, Old: 1, World: 1}}, "same color"},
		told{"3", -1, []string{"color: MPI_UNDEFINED"}, nil, "MPI_UNDEFINED gets MPI_COMM_NULL"})
	e := reason.NewReader(s).Rank(held[2], 2)
	check(t, e, told{"2", 2, []string{"color: 0, passed by 2 of the 4 ranks", "key: 2"}, together, "same color"})
	if e.Rank != 1 || e.Order.Focus != 1 || e.Step.Number != 1 {
		t.Errorf("rank %d, focus %d, step %d", e.Rank, e.Order.Focus, e.Step.Number)
	}
}

// Handle returns no more reasons than asked for; the ranks with other reasons are the rest.
func TestRestOfReasons(t *testing.T) {
	t.Parallel()
	s, held := holding(t, engine.Config{Size: 9}, func(p *engine.Process) (*engine.Comm, error) {
		return p.World().Split(p.Rank()%4, 0)
	})
	list, rest := reason.NewReader(s).Handle(func(r int) reason.Held { return held[r] }, engine.AllRanks(9), 2)
	if len(list) != 2 || list[0].Ranks.String() != "0,4,8" || rest.String() != "2-3,6-7" {
		t.Errorf("%+v, rest %s", list, rest)
	}
}

// §7.4.2, MPI_Comm_create: the position in the group passed is the rank; a process that is not in
// its group, or passes MPI_GROUP_EMPTY, gets MPI_COMM_NULL.
func TestCreateReasons(t *testing.T) {
	t.Parallel()
	s, held := holding(t, engine.Config{Size: 4}, func(p *engine.Process) (*engine.Comm, error) {
		all, _ := p.World().Group()
		g, _ := all.Incl([]int{3, 1})
		if p.Rank() == 0 {
			g = engine.EmptyGroup
		}
		return p.World().Create(g)
	})
	const rule = "[MPI-5.0 §7.4.2]"
	checkAll(t, s, held,
		told{"0", -1, []string{"group: MPI_GROUP_EMPTY: no process is in it"}, nil, rule},
		told{"1,3", 2, []string{"group: {3,1}, as world ranks"}, nil, rule},
		told{"2", -1, []string{"group: {3,1}, as world ranks: this process is not in it"}, nil, rule})
	check(t, reason.NewReader(s).Rank(held[1], 1), told{"1", 2, []string{"group: {3,1}, as world ranks",
		"position: world rank 1 is at position 1 of the group passed"}, nil, "in the order of the group"})
}

// §7.4.2, MPI_Comm_create_group: for a process outside the group the call is local and leaves no
// step in the trace. Only the process itself knows the call.
func TestLocalNullReasons(t *testing.T) {
	t.Parallel()
	s, held := holding(t, engine.Config{Size: 4}, func(p *engine.Process) (*engine.Comm, error) {
		all, _ := p.World().Group()
		g, _ := all.Incl([]int{2, 0})
		return p.World().CreateGroup(g, 7)
	})
	checkAll(t, s, held,
		told{"0,2", 2, []string{"group: {2,0}, as world ranks", "tag: 7"}, nil, "group"},
		told{"1,3", -1, []string{"call: MPI_Comm_create_group, which was local here: no other rank took part",
			"group: {2,0}, as world ranks: this process is not in it"}, nil, "Only the members of the group take part"})
}

// A dup keeps all ranks; a freed handle is MPI_COMM_NULL by the step that freed it (§7.4.3); for a
// line that acts on MPI_COMM_NULL, the explanation goes on with the reason for that MPI_COMM_NULL.
func TestOtherReasons(t *testing.T) {
	t.Parallel()
	cfg := engine.Config{Size: 2}
	s, held := holding(t, cfg, func(p *engine.Process) (*engine.Comm, error) { return p.World().Dup() })
	check(t, reason.NewReader(s).Rank(held[1], 1), told{"1", 2,
		[]string{"position: rank 1, as in the communicator that was duplicated"}, nil, "its own context. [MPI-5.0 §7.4.2]"})

	s = played(t, cfg, func(p *engine.Process) error {
		c, err := p.World().Dup()
		if err != nil {
			return err
		}
		return c.Free()
	})
	e := reason.NewReader(s).Rank(reason.Held{Comm: 2}, 0)
	check(t, e, told{"0", 2, []string{"freed: the handle held the communicator until this call"}, nil,
		"MPI_Comm_free sets the handle to MPI_COMM_NULL. [MPI-5.0 §7.4.3]"})
	if !e.Freed || e.Step.Number != 2 {
		t.Errorf("freed %v, step %d", e.Freed, e.Step.Number)
	}

	s, held = holding(t, cfg, func(p *engine.Process) (*engine.Comm, error) {
		return p.World().Split(engine.Undefined, 0)
	})
	sat := reason.Held{Comm: -1, Skipped: &reason.Skipped{Where: "<input>:2", Handle: "half", Of: &held[0]}}
	e = reason.NewReader(s).Rank(sat, 0)
	check(t, e, told{"0", -1, []string{"line: <input>:2 acts on half, which was MPI_COMM_NULL here: the rank sat out"}, nil, "§7.2.3"})
	check(t, *e.Of, told{"0", -1, []string{"color: MPI_UNDEFINED"}, nil, "MPI_UNDEFINED"})
}
