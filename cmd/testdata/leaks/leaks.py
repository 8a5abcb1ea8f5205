# A method makes communicators for two functions, one of which does not free them.
from mpi4py import MPI


class Halo:
    def exchange(self, comm):
        return comm.Dup()


def good(halo):
    comm = halo.exchange(MPI.COMM_WORLD)
    comm.Free()


def bad(halo):
    return halo.exchange(MPI.COMM_WORLD)  # leak: Comm_dup


halo = Halo()
for _ in range(15):
    good(halo)
    bad(halo)
