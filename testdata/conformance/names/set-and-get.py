# MPI_Comm_set_name: gives a name, which MPI_Comm_get_name returns; before, it is empty [MPI-5.0 §7.8]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
expect(part.Get_name() == "", "no name yet")
part.Set_name("solver")
expect(part.Get_name() == "solver", "the name")
part.Set_name("ocean model")
expect(part.Get_name() == "ocean model", "the last one")
part.Set_name("")
expect(part.Get_name() == "", "it can be taken away")
