# MPI_Get_hwsubdomain_names: its keys pass neither MPI_Comm_set_info nor MPI_Comm_get_info [proposal of 2019]
# commsplit: -n 2 --topo core:2 --std draft2019
from mpi4py import MPI
from commsplit import expect

world = MPI.COMM_WORLD
me = world.Get_rank()
part = world.Split(0, me)
info = MPI.Info.Create()
MPI.Get_hwsubdomain_names(info)
expect(info.Get("mpi_hw_res_0") != None, "there is a name")
part.Set_info(info)
expect(part.Get_info().Get("mpi_hw_res_0") == None, "it did not become a hint")
