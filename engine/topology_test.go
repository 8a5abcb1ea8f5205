package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
)

// topoConstructors makes the calls that need an intracommunicator of any kind, and returns their
// errors by name.
func topoConstructors(c *engine.Comm) map[string]error {
	_, cart := c.CreateCart([]int{1}, nil, false)
	_, graph := c.CreateGraph([]int{0}, nil, false)
	_, adjacent := c.CreateDistGraphAdjacent(nil, nil, nil, nil, nil, false)
	_, dist := c.CreateDistGraph(nil, nil, nil, nil, nil, false)
	_, cartMap := c.CartMap([]int{1}, nil)
	_, graphMap := c.GraphMap([]int{0}, nil)
	return map[string]error{"cart": cart, "graph": graph, "adjacent": adjacent, "dist": dist, "cart map": cartMap, "graph map": graphMap}
}

// cartQueries makes the calls that need a Cartesian topology; graphQueries and distQueries make
// those that need another topology.
func cartQueries(c *engine.Comm) map[string]error {
	_, _, _, get := c.CartGet()
	_, rank := c.CartRank([]int{0})
	_, coords := c.CartCoords(0)
	_, _, shift := c.CartShift(0, 1)
	_, sub := c.CartSub([]bool{true})
	return map[string]error{"get": get, "rank": rank, "coords": coords, "shift": shift, "sub": sub}
}

func graphQueries(c *engine.Comm) map[string]error {
	_, _, get := c.GraphGet()
	_, neighbors := c.GraphNeighbors(0)
	return map[string]error{"graph get": get, "graph neighbors": neighbors}
}

func distQueries(c *engine.Comm) map[string]error {
	_, neighbors := c.DistGraphNeighbors()
	return map[string]error{"dist graph neighbors": neighbors}
}

// refused checks that all calls raised an error of the class.
func refused(t tester, class engine.Class, calls ...map[string]error) {
	t.Helper()
	for _, list := range calls {
		for name, err := range list {
			if wrong := isClass(err, class); wrong != nil {
				t.Errorf("%s: %v", name, wrong)
			}
		}
	}
}

// §8.5.5: inquiry functions need a communicator with a topology of their type: else
// MPI_ERR_TOPOLOGY. MPI_Topo_test returns the type.
func TestTopologyMustMatch(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		cart, err := p.World().CreateCart([]int{1}, nil, false)
		if err != nil {
			return nil, err
		}
		graph, err := p.World().CreateGraph([]int{1}, []int{0}, false)
		if err != nil {
			return nil, err
		}
		dist, err := p.World().CreateDistGraph(nil, nil, nil, nil, nil, false)
		if err != nil {
			return nil, err
		}
		refused(t, engine.ErrTopology, cartQueries(p.World()), graphQueries(p.World()), distQueries(p.World()))
		refused(t, engine.ErrTopology, graphQueries(cart), distQueries(cart))
		refused(t, engine.ErrTopology, cartQueries(graph), distQueries(graph))
		refused(t, engine.ErrTopology, cartQueries(dist), graphQueries(dist))
		for c, want := range map[*engine.Comm]string{p.World(): "MPI_UNDEFINED", cart: "MPI_CART", graph: "MPI_GRAPH", dist: "MPI_DIST_GRAPH"} {
			if got, err := c.TopoTest(); got.String() != want || err != nil {
				t.Errorf("topology %s, %v, want %s", got, err, want)
			}
		}
		_, _, err = graph.CartShift(0, 1)
		wantText(t, wantClass(t, err, engine.ErrTopology).Text, "a Cartesian topology", "this one has a graph topology")
		return nil, nil
	})
}

// §7.2.4: MPI_COMM_NULL and a freed handle are invalid communicators: MPI_ERR_COMM.
func TestTopologyOfCommNull(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(1), func(p *engine.Process) (any, error) {
		freed, err := p.World().CreateCart([]int{1}, nil, false)
		if err != nil {
			return nil, err
		}
		if err := freed.Free(); err != nil {
			return nil, err
		}
		for _, c := range []*engine.Comm{nil, freed} {
			_, test := c.TopoTest()
			refused(t, engine.ErrComm, cartQueries(c), graphQueries(c), distQueries(c), topoConstructors(c), map[string]error{"test": test})
		}
		return nil, nil
	})
}

// §7.4.2: MPI_Comm_dup copies the topology; "no virtual topology information is added" by split,
// split_type, create and create_group. §8.4: topology constructors pass on no cached information,
// and give a topology of their own.
func TestTopologyPropagates(t *testing.T) {
	t.Parallel()
	onGrid(t, []int{3}, []bool{true}, func(g *engine.Comm) (any, error) {
		all, err := g.Group()
		if err != nil {
			return nil, err
		}
		for _, c := range []struct { // in order, since the calls are collective
			name string
			make func() (*engine.Comm, error)
			want engine.TopoType
		}{
			{"dup", g.Dup, engine.TopoCart},
			{"split", func() (*engine.Comm, error) { return g.Split(0, 0) }, engine.TopoNone},
			{"split_type", func() (*engine.Comm, error) { return g.SplitType(engine.TypeShared, 0, nil) }, engine.TopoNone},
			{"create", func() (*engine.Comm, error) { return g.Create(all) }, engine.TopoNone},
			{"create_group", func() (*engine.Comm, error) { return g.CreateGroup(all, 0) }, engine.TopoNone},
			{"graph_create", func() (*engine.Comm, error) { return g.CreateGraph([]int{0, 0, 0}, nil, false) }, engine.TopoGraph},
		} {
			made, err := c.make()
			if err != nil {
				return nil, err
			}
			if got, err := made.TopoTest(); got != c.want || err != nil {
				t.Errorf("%s of a grid: %s, %v, want %s", c.name, got, err, c.want)
			}
		}
		return nil, nil
	})
}

// A communicator has its own copy of its topology: changes to arguments of a constructor, or to
// results of a query, do not change the topology.
func TestTopologyIsImmutable(t *testing.T) {
	t.Parallel()
	perRank(t, ofSize(2), func(p *engine.Process) (any, error) {
		dims, index, edges := []int{2}, []int{1, 2}, []int{1, 0}
		c, err := p.World().CreateGraph(index, edges, false)
		if err != nil {
			return nil, err
		}
		grid, err := p.World().CreateCart(dims, nil, false)
		if err != nil {
			return nil, err
		}
		if err := p.World().Barrier(); err != nil {
			return nil, err
		}
		dims[0], index[0], edges[0] = 7, 7, 7
		for range 2 {
			d, _, _, err := grid.CartGet()
			if err != nil || !slices.Equal(d, []int{2}) {
				t.Errorf("dims %v, %v", d, err)
			}
			d[0] = 9
			i, e, err := c.GraphGet()
			if err != nil || !slices.Equal(i, []int{1, 2}) || !slices.Equal(e, []int{1, 0}) {
				t.Errorf("index %v, edges %v, %v", i, e, err)
			}
			i[0], e[0] = 9, 9
		}
		return nil, nil
	})
}

// The trace has what the processes passed: arrays as texts, without arguments that have their usual
// value.
func TestTopologyTrace(t *testing.T) {
	t.Parallel()
	s := tracing(t, 2, func(p *engine.Process) error {
		grid, err := p.World().CreateCart([]int{2, 1}, []bool{true, false}, false)
		if err != nil {
			return err
		}
		if _, err = grid.CartSub([]bool{false, true}); err != nil {
			return err
		}
		me, other := []int{p.Rank()}, []int{1 - p.Rank()}
		if _, err = grid.CreateDistGraph(me, []int{1}, other, nil, nil, true); err != nil {
			return err
		}
		_, err = grid.CreateDistGraphAdjacent(other, []int{4}, other, []int{4}, nil, false)
		return err
	})
	texts := func(name string, v ...string) engine.Column { return engine.Column{Name: name, Texts: v} }
	for i, want := range [][]engine.Column{
		{texts("dims", "(2,1)", "(2,1)"), texts("periods", "(true,false)", "(true,false)")},
		{texts("remain_dims", "(false,true)", "(false,true)")},
		{texts("sources", "(0)", "(1)"), texts("degrees", "(1)", "(1)"), texts("destinations", "(1)", "(0)"), texts("reorder", "true", "true")},
		{texts("sources", "(1)", "(0)"), texts("sourceweights", "(4)", "(4)"), texts("destinations", "(1)", "(0)"), texts("destweights", "(4)", "(4)")},
	} {
		if diff := cmp.Diff(want, s.Steps[i].Args); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.Steps[i].Call, diff)
		}
	}
}

// §8.5.1 to §8.5.4: topologies are for the group of an intracommunicator: an intercommunicator
// raises MPI_ERR_COMM.
func TestTopologyNeedsIntracommunicator(t *testing.T) {
	t.Parallel()
	err := try(t, ofSize(2), func(p *engine.Process) error {
		c, err := bridge(p, 1)
		if err != nil {
			return err
		}
		for _, err := range topoConstructors(c) {
			if err := isClass(err, engine.ErrComm); err != nil {
				return err
			}
		}
		kind, err := c.TopoTest()
		if err != nil {
			return err
		}
		return want(kind == engine.TopoNone, "topology %s", kind)
	})
	if err != nil {
		t.Error(err)
	}
}
