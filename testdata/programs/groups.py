# Groups: every operation, in the order that the standard gives.
from mpi4py import MPI

world = MPI.COMM_WORLD
everybody = world.Get_group()
n = everybody.Get_size()
names = {MPI.IDENT: "ident", MPI.SIMILAR: "similar", MPI.UNEQUAL: "unequal"}


def members(group):
    return list(MPI.Group.Translate_ranks(group, list(range(group.Get_size())), everybody))


def show(what, group):
    mine = group.Get_rank()
    print(what, members(group), "undefined" if mine == MPI.UNDEFINED else mine)


a = everybody.Incl([4, 2, 0])
b = everybody.Excl([0, 5])
show("incl", a)
show("excl", b)
show("excl nobody", everybody.Excl([]))
show("union", MPI.Group.Union(a, b))
show("union, other way", MPI.Group.Union(b, a))
show("intersection", MPI.Group.Intersection(a, b))
show("intersection, other way", MPI.Group.Intersection(b, a))
show("difference", MPI.Group.Difference(a, b))
show("difference, other way", MPI.Group.Difference(b, a))
show("range incl", everybody.Range_incl([(5, 1, -2), (0, 4, 2)]))
show("range excl", everybody.Range_excl([(0, 5, 3)]))
show("range of one", everybody.Range_incl([(3, 3, 1)]))

print("compare", names[MPI.Group.Compare(a, a)], names[MPI.Group.Compare(a, everybody.Incl([0, 2, 4]))], names[MPI.Group.Compare(a, b)])
none = MPI.Group.Difference(a, a)
print("empty", none.Get_size(), none.Get_rank() == MPI.UNDEFINED, names[MPI.Group.Compare(none, MPI.GROUP_EMPTY)])
translated = MPI.Group.Translate_ranks(b, [0, 1, 2, 3], a)
print("translate", [-1 if r == MPI.UNDEFINED else r for r in translated])
a.Free()
print("freed", a == MPI.GROUP_NULL)
