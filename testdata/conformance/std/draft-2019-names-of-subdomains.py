# MPI_Get_hwsubdomain_names: puts the names into info under mpi_hw_res_0, ..., with and without comm [proposal of 2019]
# commsplit: -n 4 --topo "pack:2 l3:1 core:2" --std draft2019
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
info = MPI.Info.Create()
n = MPI.Get_hwsubdomain_names(world, info)
names = [info.Get("mpi_hw_res_%d" % i) for i in range(n)]
expect("Package" in names and "L3Cache" in names and "Core" in names, "bare names of types")
expect(info.Get("mpi_hw_res_%d" % n) == None, "numbered from 0 to nresources - 1")
other = MPI.Info.Create()
expect(MPI.Get_hwsubdomain_names(other) == n, "variant 2 has no communicator")
expect([other.Get("mpi_hw_res_%d" % i) for i in range(n)] == names, "the same names")
