# Attributes: who gets copies, when values are deleted, and in which order.
from mpi4py import MPI

world = MPI.COMM_WORLD
me = world.Get_rank()


def copied(comm, keyval, value):
    print("copy", value, "size", comm.Get_size(), comm == parent[0])
    return value + [comm.Get_size()]


def refused(comm, keyval, value):
    print("refuse", value)
    return NotImplemented


def deleted(comm, keyval, value):
    print("delete", value, "size", comm.Get_size())


parent = [MPI.COMM_NULL]
first = MPI.Comm.Create_keyval(copied, deleted)
same = MPI.Comm.Create_keyval(True, deleted)
none = MPI.Comm.Create_keyval(None, deleted)
refuse = MPI.Comm.Create_keyval(refused)
plain = MPI.Comm.Create_keyval(copy_fn=True, nopython=True)
print("valid", MPI.KEYVAL_INVALID not in [first, same, none, refuse, plain])

row = world.Split(me % 2, me)
parent[0] = row
print("nothing yet", row.Get_attr(first), world.Get_attr(first))
shared = ["shared", me]
row.Set_attr(first, ["first", me])
row.Set_attr(same, shared)
row.Set_attr(none, "not copied")
row.Set_attr(refuse, "kept")
row.Set_attr(plain, 1000 + me)
print("set", row.Get_attr(first), row.Get_attr(same), row.Get_attr(none), row.Get_attr(refuse), row.Get_attr(plain))

copy = row.Dup()
shared.append("changed")
print("copy", copy.Get_attr(first), copy.Get_attr(same), copy.Get_attr(none), copy.Get_attr(refuse), copy.Get_attr(plain))
print("original", row.Get_attr(first))

group = row.Get_group()
for other in [row.Split(0, -me), row.Create(group), row.Split_type(MPI.COMM_TYPE_SHARED)]:
    print("dropped", other.Get_attr(first), other.Get_attr(same), other.Get_attr(plain))
    other.Free()
group.Free()

row.Set_attr(first, ["again"])
row.Delete_attr(none)
print("deleted", row.Get_attr(none), row.Get_attr(first))
if me > 2:
    copy.Delete_attr(same)
copy.Set_attr(none, "late")

print("freed", MPI.Comm.Free_keyval(first) == MPI.KEYVAL_INVALID)
copy.Free()
row.Free()
print("null", copy == MPI.COMM_NULL, row == MPI.COMM_NULL)

twin = world.Dup()
part = world.Split(0, 0)
for comm in [world, twin]:
    print("tags", comm.Get_attr(MPI.TAG_UB) >= 32767, "host", comm.Get_attr(MPI.HOST) == MPI.PROC_NULL)
    print("io", comm.Get_attr(MPI.IO) == MPI.ANY_SOURCE, "appnum", comm.Get_attr(MPI.APPNUM))
print("last code", world.Get_attr(MPI.LASTUSEDCODE) > 0)
for comm in [part, MPI.COMM_SELF]:
    print("none", comm.Get_attr(MPI.TAG_UB), comm.Get_attr(MPI.IO), comm.Get_attr(MPI.APPNUM))
