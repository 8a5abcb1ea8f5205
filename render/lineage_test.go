package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
)

// fromSets is a world of n ranks in which each makes a communicator of a process set, without a
// parent: of the even or the odd ranks below four, or of itself. The former are split again.
func fromSets(t testing.TB, n int) *session {
	t.Helper()
	topo := worlds.Synthesized(t, "pack:2 core:64")
	b := worlds.Place(t, topo, n, placement.Policy{})
	s := newSession(t, topo, b,
		engine.Pset{Name: "app://even", Ranks: engine.RanksOf(0, 2)}, engine.Pset{Name: "app://odd", Ranks: engine.RanksOf(1, 3)})
	s.Assign("c", 1, func(p *engine.Process) (*engine.Comm, error) {
		set := []string{"app://even", "app://odd"}[p.Rank()%2]
		if p.Rank() > 3 {
			set = "mpi://SELF"
		}
		return fromSet(p, set)
	})
	s.AssignOn(engine.RanksOf(0, 2), "d", 2, func(p *engine.Process) (*engine.Comm, error) {
		info := engine.NewInfo()
		if err := info.Set(engine.KeyPsetName, "app://even"); err != nil {
			return nil, err
		}
		return worlds.Local(p)["c"].SplitType(engine.TypeResourceGuided, 0, info)
	})
	return s
}

func fromSet(p *engine.Process, set string) (*engine.Comm, error) {
	s, err := p.SessionInit(nil, engine.ErrorsReturn)
	if err != nil {
		return nil, err
	}
	g, err := s.Group(set)
	if err != nil {
		return nil, err
	}
	return p.CreateFromGroup(g, set, nil, engine.ErrorsReturn)
}

// What has no parent stands beside MPI_COMM_WORLD, with what was made of it below; a split by process
// set shows the set.
func TestLineageWithoutParent(t *testing.T) {
	t.Parallel()
	v := fromSets(t, 4).view()
	want := []string{
		"world 4 ranks ctx 0 MPI_COMM_WORLD",
		"c#2 2 ranks ctx 1 MPI_Comm_create_from_group stringtag=app://even demo.py:1",
		"└─ d#4 2 ranks ctx 2 MPI_Comm_split_type RESOURCE_GUIDED info=mpi_pset_name=app://even app://even demo.py:2",
		"c#3 2 ranks ctx 1 MPI_Comm_create_from_group stringtag=app://odd demo.py:1",
	}
	var got []string
	for _, l := range lines(t, 140, func(b *strings.Builder, st Style) error { return Lineage(b, v, st) }) {
		got = append(got, strings.Join(strings.Fields(l), " "))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// When they are too many, those that one line of the program made share a line.
func TestLineageOfManyWithoutParent(t *testing.T) {
	t.Parallel()
	v := fromSets(t, 100).view()
	got := lines(t, 140, func(b *strings.Builder, st Style) error { return Lineage(b, v, st) })
	if len(got) != 3 || !strings.HasPrefix(got[1], "c#2..99 ") || !strings.Contains(got[1], "98 communicators of 1-2 ranks") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// Siblings that one call made are folded, those below them together; names and freed marks show.
func TestLineage(t *testing.T) {
	t.Parallel()
	v := family4(t)
	want := []string{
		"world                4096 ranks                     ctx 0  MPI_COMM_WORLD",
		"├─ block#2..65       64 communicators of 64 ranks   ctx 1  MPI_Comm_split                   demo.py:1",
		"│  └─ half#66..193   128 communicators of 32 ranks  ctx 2  MPI_Comm_split                   demo.py:2",
		`├─ even#194          2048 ranks                     ctx 3  MPI_Comm_split color=0  "evens"  demo.py:3`,
		"└─ even#195          2048 ranks                     ctx 3  MPI_Comm_split color=1  freed    demo.py:3",
	}
	got := lines(t, 120, func(b *strings.Builder, st Style) error { return Lineage(b, v, st) })
	squeeze := func(list []string) (r []string) {
		for _, l := range list {
			r = append(r, strings.Join(strings.Fields(l), " "))
		}
		return r
	}
	if d := cmp.Diff(squeeze(want), squeeze(got)); d != "" {
		t.Error(d)
	}
}
