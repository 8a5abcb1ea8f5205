# MPI_Comm_split: a negative color is the error of who passes it, MPI_ERR_ARG; the others cannot go on [MPI-5.0 §7.4.2]
# commsplit: -n 3 --topo core:3
# ends: 3 MPI_ERR_ARG
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
world.Split(-1 if me == 1 else 0, 0)
