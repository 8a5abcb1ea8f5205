package program

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// The classes and types are mpi4py's: a communicator with a topology is a Cartcomm, Graphcomm or Distgraphcomm, and so
// are its duplicates and the COMM_NULL of its constructor, whose methods raise MPI's error. The result of a split is
// not.
func TestTopologyClasses(t *testing.T) {
	t.Parallel()
	out := mustRun(t, 3, text(
		"cart = world.Create_cart(dims=[1, 2], periods=[0, 1], reorder=True)",
		"graph = world.Create_graph(index=[1, 2], edges=[1, 0])",
		"dist = world.Create_dist_graph_adjacent(sources=None, destinations=[], info=MPI.INFO_NULL, reorder=False)",
		"print([type(c) for c in (world, cart, graph, dist)])",
		"print(cart, graph, dist, cart == MPI.COMM_NULL)",
		"if cart:",
		"    print(type(cart.Dup()), type(cart.Split(0)), type(cart.Sub([0, 1])), hasattr(cart.Split(0), \"Sub\"))",
		"    print(MPI.Cartcomm.Get_coords(cart, 1), MPI.Cartcomm.Sub(cart, [False, True]).dims, cart.size)",
		"else:",
		"    expect_error(MPI.ERR_COMM, cart.Get_coords, 0)",
		"    expect_error(MPI.ERR_COMM, lambda: graph.neighbors)",
		"cart2 = world.Create_cart([3])",
		"cart2.name = \"line\"",
		"print(cart2)",
		"cart2.Free()",
		"print(type(cart2), cart2 == MPI.COMM_NULL)",
	))
	want := []string{
		"0-2: ['Intracomm', 'Cartcomm', 'Graphcomm', 'Distgraphcomm']",
		"0-1: <Cartcomm 2> <Graphcomm 3> <Distgraphcomm 4> False",
		"2: <Cartcomm MPI_COMM_NULL> <Graphcomm MPI_COMM_NULL> <Distgraphcomm 4> True",
		"0-1: Cartcomm Intracomm Cartcomm False",
		"0-1: [0, 1] [2] 2",
		"0-2: <Cartcomm 10 \"line\">",
		"0-2: Cartcomm True",
	}
	out.prints(t, want)
}

// MPI_Dist_graph_create as in mpi4py (§8.5.4): weights are a list, None or UNWEIGHTED without weights, and
// WEIGHTS_EMPTY without edges.
func TestDistGraphProgram(t *testing.T) {
	t.Parallel()
	out := mustRun(t, 3, text(
		"if world.rank == 0:",
		"    c = world.Create_dist_graph([0, 1, 0], [1, 0, 2], [1, 2, 2], [5, 6, 7])",
		"else:",
		"    c = world.Create_dist_graph([], [], [], weights=MPI.WEIGHTS_EMPTY)",
		"print(c.Get_dist_neighbors_count(), c.Get_dist_neighbors())",
		"d = world.Create_dist_graph([world.rank], [1], [0], MPI.UNWEIGHTED)",
		"print(d.Get_dist_neighbors(), c.topology == MPI.DIST_GRAPH, d.is_topo)",
	))
	want := []string{
		"0: (0, 3, True) ([], [1, 2, 2], ([], [5, 6, 7]))",
		"1: (1, 0, True) ([0], [], ([5], []))",
		"2: (2, 0, True) ([0, 0], [], ([6, 7], []))",
		"0: ([0, 1, 2], [0], None) True True",
		"1-2: ([], [0], None) True True",
	}
	out.prints(t, want)
}

// A wrong argument gives an error of one line: with MPI's class, or as an error of the program where the type
// is wrong.
func TestTopologyArguments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"world.Create_cart([3])", "MPI_ERR_ARG in MPI_Cart_create on world (demo.py:1), ranks 0-1: the grid must not be larger"},
		{"world.Create_cart([2], [True, False])", "MPI_ERR_ARG in MPI_Cart_create on world (demo.py:1), ranks 0-1: periods needs one entry"},
		{"MPI.Compute_dims(6, [4, 0])", "MPI_ERR_DIMS in MPI_Dims_create (demo.py:1), ranks 0-1: the sizes given in dims (4,0) must divide"},
		{"world.Create_cart([2]).Get_cart_rank([2])", "MPI_ERR_ARG in MPI_Cart_rank on communicator 2 (demo.py:1), ranks 0-1: dimension 0 is not periodic"},
		{"world.Create_graph([1, 2], [0, 5]).dims", "MPI_ERR_ARG in MPI_Graph_create on world (demo.py:1), ranks 0-1: a neighbor must be a node"},
		{"world.Create_dist_graph_adjacent([4], [])", "MPI_ERR_RANK in MPI_Dist_graph_create_adjacent on world (demo.py:1), ranks 0-1: sources must be ranks"},
		{"world.Create_cart(2)", "demo.py:1:18: Create_cart: dims must be a list of integers, not 2 (int)"},
		{"world.Create_cart([2], 1)", "demo.py:1:18: Create_cart: periods must be a list of True and False, not 1 (int)"},
		{"world.Create_cart([2], reorder=None)", "demo.py:1:18: Create_cart: reorder must be True or False, not None"},
		{"MPI.Compute_dims(6, -1)", "demo.py:1:17: Compute_dims: dims must be a list, or a number of dimensions up to 65536, not -1"},
		{"world.Create_dist_graph([0], [1], [0], 7)", "demo.py:1:24: Create_dist_graph: weights must be a list of integers, None, MPI.UNWEIGHTED or MPI.WEIGHTS_EMPTY, not 7 (int)"},
		{"MPI.Cartcomm.Get_coords(world, 0)", "demo.py:1:24: Get_coords: the first argument must be of type Cartcomm"},
		{"world.Create_cart([2]).dims = [1]", "demo.py:1:23: Cartcomm.dims cannot be assigned"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			out := runChunks(t, engine.Config{Size: 2}, tt.text+"\n")
			got := ""
			if f := out.status.Failure; f != nil && len(f.Errors) == 1 {
				got = f.Errors[0].Error()
			} else {
				got = programError(t, out)
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Distributed graphs came with MPI-2.2, WEIGHTS_EMPTY with MPI-3.0.
func TestTopologyVersions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"world.Create_dist_graph([], [], [])": "MPI_Dist_graph_create does not exist in MPI-2.1 (it came with MPI-2.2)",
		"MPI.WEIGHTS_EMPTY":                   "MPI_WEIGHTS_EMPTY does not exist in MPI-2.1 (it came with MPI-3.0)",
	} {
		out := runChunks(t, engine.Config{Size: 1, Std: 21}, text+"\n")
		if got := programError(t, out); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// In mpi4py cart.periods is [1, 0], which equals [True, False] in Python: a bool is an integer there, also in lists and
// tuples (library reference, Boolean Type).
func TestPeriodsAndTruths(t *testing.T) {
	out := mustRun(t, 2, text("grid = world.Create_cart([2], [True])", "expect(grid.periods == [True])", "expect(grid.periods == [1])",
		"expect(grid.topo[1:] != ([False], [0]))", "expect([(True, 2)] == [(1, 2)])", "expect([1] == (True,))"))
	for i, k := range out.ranks[0].Checks {
		if want := i < 4; k.OK != want {
			t.Errorf("expectation %d holds: %v, want %v (%s)", i, k.OK, want, k.Found)
		}
	}
	if n := len(out.ranks[0].Checks); n != 5 {
		t.Errorf("%d expectations were checked, want 5", n)
	}
}
