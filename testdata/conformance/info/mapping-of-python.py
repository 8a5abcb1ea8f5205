# MPI_Info_get_string: an info object is also a mapping of Python, with the calls behind it [MPI-5.0 §10]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
info = MPI.Info.Create()
info.update({"a": "1", "b": "2"}, c="3")
info.update([("d", "4")])
expect(info.get("a") == "1")
expect(info.get("x") == None)
expect(info.get("x", "none") == "none")
expect(info.pop("b") == "2")
expect(info.pop("b", "gone") == "gone")
expect(sorted(info.keys()) == ["a", "c", "d"])
copy = info.copy()
last = info.popitem()
expect([len(info), len(copy)] == [2, 3])
expect(copy.get(last[0]) == last[1])
info.clear()
expect(info.Get_nkeys() == 0)
expect(len(copy) == 3)
info.Free()
copy.Free()
