# MPI_Comm_dup applies to intercommunicators, too: the same two groups in a new context [MPI-5.0 §7.4.2]
# commsplit: -n 5 --topo core:5
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Ranks 0 and 1 face ranks 2-4.")
me = world.Get_rank()
first = me < 2
inter = world.Split(0 if first else 1, -me).Create_intercomm(0, world, 4 if first else 1, 0)
copy = inter.Dup()
expect_parts(copy, [([1, 0], [4, 3, 2])])
expect(MPI.Comm.Compare(inter, copy) == MPI.CONGRUENT, "the same groups, another context")

note("A message on one communicator is not received on the other.")
if first:
    inter.send("original", dest=me, tag=0)
    copy.send("copy", dest=me, tag=0)
elif me != 2:
    there = 4 - me
    expect(copy.recv(source=1 - there, tag=0) == "copy", "the copy's")
    expect(inter.recv(source=1 - there, tag=0) == "original", "the original's")
