# MPI_Info_get_nthkey: keys are numbered from 0 to nkeys - 1, the same between changes [MPI-5.0 §10]
# commsplit: -n 1 --topo core:1
from mpi4py import MPI
from commsplit import expect

info = MPI.Info.Create()
for key in ["c", "a", "b"]:
    info.Set(key, key + key)
keys = [info.Get_nthkey(i) for i in range(info.Get_nkeys())]
expect(sorted(keys) == ["a", "b", "c"], "each key once")
expect([info.Get_nthkey(i) for i in range(3)] == keys, "the same order again")
expect([info.Get(k) for k in ["a", "b", "c"]] == ["aa", "bb", "cc"], "their values")
