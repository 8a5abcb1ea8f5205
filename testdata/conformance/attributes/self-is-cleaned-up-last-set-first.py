# MPI_Finalize: attributes on MPI_COMM_SELF are deleted in the reverse order of setting [MPI-5.0 §11.2.4]
# commsplit: -n 2 --topo core:2
from mpi4py import MPI
from commsplit import expect

deleted = []


def delete_fn(comm, keyval, value):
    deleted.append(value)
    expect(deleted == ["third", "second", "first"][:len(deleted)], "last set, first deleted")


for value in ["first", "second", "third"]:
    MPI.COMM_SELF.Set_attr(MPI.Comm.Create_keyval(delete_fn=delete_fn), value)
expect(deleted == [], "nothing is deleted before the end")
