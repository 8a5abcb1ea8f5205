# MPI_Ssend: a receive with another tag does not complete it [MPI-5.0 §3.5]
# commsplit: -n 2 --topo core:2
# ends: 4 tag 1
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
if me == 0:
    world.ssend("tagged", 1, tag=1)
else:
    world.recv(source=0, tag=2)
