package program

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// The expected output of each program follows from the text of the standard and from mpi4py's names; before each
// line stand the ranks that print it.
var programs = []struct {
	name  string
	ranks int
	text  string
	want  []string
}{
	{"split by parity, key reverses", 6, text(
		"from mpi4py import MPI",
		"comm = MPI.COMM_WORLD",
		"half = comm.Split(comm.rank % 2, -comm.rank)",
		"print(half.Get_size(), half.Get_rank())"),
		[]string{"0-1: 3 2", "2-3: 3 1", "4-5: 3 0"}},
	{"undefined color gives COMM_NULL, which is false", 3, text(
		"c = world.Split(MPI.UNDEFINED if world.rank == 0 else 1)",
		"print(c == MPI.COMM_NULL, bool(c), c != MPI.COMM_NULL)"),
		[]string{"0: True False False", "1-2: False True True"}},
	{"a bool is a color", 4, text("print(world.Split(color=world.rank < 1).size)"),
		[]string{"0: 1", "1-3: 3"}},
	{"split_type on one host", 4, text("print(world.Split_type(MPI.COMM_TYPE_SHARED).size)"), []string{"0-3: 4"}},
	{"split_type guided, each rank its PU", 2, text(
		"info = MPI.Info.Create()",
		"info[\"mpi_hw_resource_type\"] = \"hwloc://PU\"",
		"print(world.Split_type(MPI.COMM_TYPE_HW_GUIDED, info=info).size)"), []string{"0-1: 1"}},
	{"create and create_group", 4, text(
		"g = world.Get_group().Incl([2, 0])",
		"a = world.Create(g)",
		"print(a.rank if a else -1)",
		"b = world.Create_group(g, tag=3) if g.rank != MPI.UNDEFINED else MPI.COMM_NULL",
		"print(b.rank if b != MPI.COMM_NULL else \"none\")"),
		[]string{"0: 1", "1,3: -1", "2: 0", "1,3: none", "0: 1", "2: 0"}},
	{"comparison of communicators, static and method", 2, text(
		"d = world.Dup()",
		"e = world.Split(0, -world.rank)",
		"print(MPI.Comm.Compare(world, world) == MPI.IDENT, world.Compare(d) == MPI.CONGRUENT)",
		"print(d.Compare(d, e) == MPI.SIMILAR, MPI.Intracomm.Compare(world, MPI.COMM_SELF) == MPI.UNEQUAL)"),
		[]string{"0-1: True True", "0-1: True True"}},
	{"functions of a class that are methods, too, with mpi4py's names of their parameters", 4, text(
		"d = world.Split(0, -world.rank)",
		"print(MPI.Comm.Compare(comm1=world, comm2=d) == MPI.SIMILAR, MPI.Comm.Compare(comm2=world, comm1=world) == MPI.IDENT)",
		"a, b = world.group.Incl([3, 1]), world.group.Incl([1, 2])",
		"print(MPI.Group.Compare(group1=a, group2=b) == MPI.UNEQUAL, MPI.Group.Translate_ranks(group2=b, ranks1=[1], group1=a))"),
		[]string{"0-3: True True", "0-3: True [0]"}},
	{"names, and a freed handle is COMM_NULL", 1, text(
		"d = world.Clone()",
		"d.name = \"rows\"",
		"print(d.Get_name(), d, world.name)",
		"d.Free()",
		"print(d == MPI.COMM_NULL, d.name, d)"),
		[]string{"0: rows <Intracomm 2 \"rows\"> MPI_COMM_WORLD", "0: True MPI_COMM_NULL <Intracomm MPI_COMM_NULL>"}},
	{"groups", 6, text(
		"w = world.group",
		"a, b = w.Incl([0, 1, 2]), w.Range_incl([(2, 4, 1)])",
		"print(MPI.Group.Union(a, b), MPI.Group.Intersection(a, b), MPI.Group.Difference(a, b))",
		"print(MPI.Group.Translate_ranks(b, [0, 1], a) == [2, MPI.UNDEFINED], a.Translate_ranks([2], b))",
		"print(w.Excl([0, 5]), w.Range_excl([[5, 1, -2]]), a.size, w == world.Get_group(), a == b)",
		"print(MPI.Group.Compare(a, w.Incl([2, 1, 0])) == MPI.SIMILAR, a.Compare(a, b) == MPI.UNEQUAL)",
		"a.Free()",
		"print(a, a == MPI.GROUP_NULL, MPI.GROUP_EMPTY.size)"),
		[]string{"0-5: <Group [0, 1, 2, 3, 4]> <Group [2]> <Group [0, 1]>", "0-5: True [0]",
			"0-5: <Group [1, 2, 3, 4]> <Group [0, 2, 4]> 3 True False", "0-5: True True",
			"0-5: <Group MPI_GROUP_NULL> True 0"}},
	{"info behaves like a dict of strings", 1, text(
		"i = MPI.Info.Create({\"a\": \"1\"})",
		"i.Set(\"b\", \"2\")",
		"print(i.Get(\"a\"), i.Get(\"x\"), i[\"b\"], \"a\" in i, \"x\" in i, len(i), list(i))",
		"j = i.Dup()",
		"i.Delete(\"a\")",
		"print(i.keys(), i.values(), j.items(), j.Get_nkeys(), j.Get_nthkey(1), i)",
		"i.Free()",
		"print(i == MPI.INFO_NULL, bool(i))"),
		[]string{"0: 1 None 2 True False 2 ['a', 'b']",
			"0: ['b'] ['2'] [('a', '1'), ('b', '2')] 2 b <Info {\"b\": \"2\"}>", "0: True False"}},
	{"info is made of what mpi4py 4 makes one of", 1, text(
		"i = MPI.Info.Create([(\"a\", \"1\"), [\"b\", \"2\"]])",
		"j = MPI.Info.Create(i)",
		"j[\"c\"] = \"3\"",
		"print(i.items(), j.keys(), MPI.Info.Create(None).items(), i.Get(\"a\", maxlen=0))"),
		[]string{"0: [('a', '1'), ('b', '2')] ['a', 'b', 'c'] [] None"}},
	{"hints of a communicator", 1, text(
		"i = MPI.Info.Create({\"k\": \"v\"})",
		"world.info = i",
		"print(world.Get_info(), world.info.Get(\"k\"))"), []string{"0: <Info {\"k\": \"v\"}> v"}},
	{"collectives move copies", 3, text(
		"v = world.bcast([1, {\"a\": (2, None)}] if world.rank == 1 else None, root=1)",
		"v[1][\"a\"] = world.rank",
		"print(v)",
		"print(world.gather(world.rank * 10))",
		"print(world.allgather(world.rank), world.scatter([5, 6, 7] if world.rank == 0 else None))",
		"print(world.alltoall([world.rank * 10 + i for i in range(3)]))"),
		[]string{"0: [1, {'a': 0}]", "1: [1, {'a': 1}]", "2: [1, {'a': 2}]",
			"0: [0, 10, 20]", "1-2: None", "0: [0, 1, 2] 5", "1: [0, 1, 2] 6", "2: [0, 1, 2] 7",
			"0: [0, 10, 20]", "1: [1, 11, 21]", "2: [2, 12, 22]"}},
	{"reductions", 4, text(
		"r = world.rank",
		"print(world.allreduce(r), world.allreduce(r + 1, op=MPI.PROD), world.allreduce([r]), world.allreduce(str(r)))",
		"print(world.allreduce(r, MPI.MAX), world.allreduce(r, MPI.MIN), world.allreduce(r < 3, MPI.LAND), world.allreduce(r < 1, MPI.LOR))",
		"print(world.allreduce(r < 3, MPI.LXOR), world.allreduce(r | 4, MPI.BAND), world.allreduce(r, MPI.BOR), world.allreduce(1 << r, MPI.BXOR))",
		"print(world.allreduce((r % 2, r), MPI.MAXLOC), world.allreduce((r % 2, r), MPI.MINLOC), world.allreduce(r < 2), world.allreduce(r * 0.5))",
		"print(world.reduce(r, root=2), world.scan(r), world.exscan(r))"),
		[]string{"0-3: 6 24 [0, 1, 2, 3] 0123", "0-3: 3 0 False True", "0-3: True 4 3 15", "0-3: (1, 1) (0, 0) 2 3.0",
			"0: None 0 None", "1: None 1 0", "2: 6 3 1", "3: None 6 3"}},
	{"messages", 2, text(
		"other = 1 - world.rank",
		"print(world.sendrecv([world.rank], other))",
		"q = world.irecv(source=other, tag=7)",
		"world.isend(\"hi\", other, tag=7).wait()",
		"print(q.wait(), q == MPI.REQUEST_NULL, q.test())",
		"list = [world.irecv(source=other), world.isend(1, other)]",
		"print(MPI.Request.Waitall(list), bool(list[0]), MPI.Request.Testall(list))",
		"world.send({1: 2}, dest=other, tag=4)",
		"print(world.probe(tag=4), world.iprobe(tag=5), world.recv(source=MPI.ANY_SOURCE, tag=4))"),
		[]string{"0: [1]", "1: [0]", "0-1: hi True (True, None)", "0-1: True False True", "0-1: True False {1: 2}"}},
	{"error handlers", 1, text(
		"world.Set_errhandler(MPI.ERRORS_RETURN)",
		"print(world.Get_errhandler() == MPI.ERRORS_RETURN, world.Get_errhandler() == MPI.ERRORS_ARE_FATAL)",
		"print(world.Call_errhandler(MPI.ERR_TAG))"), []string{"0: True False", "0: None"}},
	{"print joins, splits lines and takes flush", 1, text(
		"print(\"a\", 1, [\"b\"], sep=\"-\", flush=True)",
		"print(\"x\\ny\")",
		"note(\"n\")", "print()"), []string{"0: a-1-['b']", "0: x", "0: y", "0: n", "0: "}},
	{"versions, and the process is its own", 1, text(
		"print(MPI.Get_version(), MPI.COMM_SELF.size, MPI.Get_hw_resource_info()[\"hwloc://PU\"], MPI.Wtime() >= 0)"),
		[]string{"0: (5, 0) 1 true True"}},
	{"a communicator is a key by identity", 1, text(
		"d = {world: 1}",
		"e = world.Dup()",
		"d[e] = 2",
		"print(d[MPI.COMM_WORLD], d[e], world in [e], e in [e])"), []string{"0: 1 2 False True"}},
}

// Programs mean the same as under mpi4py: names, parameters, defaults and results.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, tt := range programs {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := mustRun(t, tt.ranks, tt.text)
			out.prints(t, tt.want)
		})
	}
}

// An MPI error that a program does not catch ends it as a *engine.Error that says where.
func TestMPIErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{text("", "world.Split(-1)"), "MPI_ERR_ARG in MPI_Comm_split on world (demo.py:2), ranks 0-1"},
		{text("c = MPI.COMM_NULL", "c.Barrier()"), "MPI_ERR_COMM in MPI_Barrier (demo.py:2), ranks 0-1"},
		{text("c = MPI.COMM_NULL", "", "print(c.rank)"), "MPI_ERR_COMM in MPI_Comm_rank (demo.py:3), ranks 0-1"},
		{text("c = MPI.COMM_NULL", "c.bcast(1)"), "MPI_ERR_COMM in MPI_Bcast (demo.py:2), ranks 0-1"},
		{text("g = world.group", "g.Incl([0, 0])"), "MPI_ERR_RANK in MPI_Group_incl (demo.py:2), ranks 0-1"},
		{text("i = MPI.Info.Create()", "i.Delete(\"k\")"), "MPI_ERR_INFO_NOKEY in MPI_Info_delete (demo.py:2), ranks 0-1"},
		{text("def f():", "    world.bcast(1, root=2)", "f()"), "MPI_ERR_ROOT in MPI_Bcast on world (demo.py:2), ranks 0-1"},
		{text("world.Set_errhandler(MPI.ERRORS_ARE_FATAL)", "expect_error(MPI.ERR_ARG, world.Split, -1)"),
			"MPI_ERR_ARG in MPI_Comm_split on world (demo.py:2), ranks 0-1"},
		{text("world.allreduce(1 if world.rank else \"a\")"), "MPI_ERR_OP in MPI_Allreduce on world (demo.py:1), ranks 0-1"},
		{text("world.Abort(3)"), "MPI_ERR_OTHER in MPI_Abort on world (demo.py:1), ranks 0-1"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			out := runChunks(t, engine.Config{Size: 2}, tt.text)
			if f := out.status.Failure; f == nil || len(f.Errors) != 1 || !strings.HasPrefix(f.Errors[0].Error(), tt.want) {
				t.Errorf("got %v, want %s", f, tt.want)
			}
		})
	}
}

// Names that came with a later version of the standard do not exist in an earlier one.
func TestStandardVersions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		std        engine.Std
		text, want string
	}{
		{22, "world.Split_type(1)", "demo.py:1:6: MPI_Comm_split_type does not exist in MPI-2.2 (it came with MPI-3.0)"},
		{30, "MPI.COMM_TYPE_HW_GUIDED", "demo.py:1:4: MPI_COMM_TYPE_HW_GUIDED does not exist in MPI-3.0 (it came with MPI-4.0)"},
		{40, "MPI.Get_hw_resource_info()", "demo.py:1:4: MPI_Get_hw_resource_info does not exist in MPI-4.0 (it came with MPI-4.1)"},
		{11, "world.name = \"a\"", "demo.py:1:6: MPI_Comm_set_name does not exist in MPI-1.1 (it came with MPI-2.0)"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			out := runChunks(t, engine.Config{Size: 1, Std: tt.std}, tt.text)
			if got := programError(t, out); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
