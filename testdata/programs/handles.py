# Duplicates, comparison, names and freeing.
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()
names = {MPI.IDENT: "ident", MPI.CONGRUENT: "congruent", MPI.SIMILAR: "similar", MPI.UNEQUAL: "unequal"}


def compare(what, a, b):
    print(what, names[MPI.Comm.Compare(a, b)])


same = world
copy = world.Dup()
compare("itself", world, same)
compare("a duplicate", world, copy)
compare("reversed", world, world.Split(0, -me))
compare("in order", world, world.Split(0, me))
compare("a part", world, world.Split(me % 2, 0))
compare("self", MPI.COMM_SELF, MPI.COMM_SELF.Dup())
compare("alone", MPI.COMM_SELF, world.Split(me, 0))

world.Set_name("everybody")
later = world.Dup()
print("name", world.Get_name(), "| duplicate", later.Get_name() == "everybody", "| self", MPI.COMM_SELF.Get_name())
print("equal", world == same, world == copy, copy == later, MPI.COMM_NULL == MPI.COMM_NULL)

part = world.Split(me // 2, 0)
copy_of_part = part.Dup()
part.Free()
print("freed", part == MPI.COMM_NULL, copy_of_part.Get_size(), copy_of_part.allgather(me))
print("inter", world.Is_inter(), world.Is_intra(), copy_of_part.Is_inter())
