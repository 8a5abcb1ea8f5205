# A hierarchy by splits of splits, as for multigrid [MPI-5.0 §7.4.2]
# commsplit: -n 8 --topo core:8
from mpi4py import MPI
from commsplit import expect, expect_parts, note, world

note("Each coarser grid has every second rank of the finer one; the others wait with MPI_COMM_NULL.")
levels = [world]
while levels[-1] != MPI.COMM_NULL and levels[-1].Get_size() > 1:
    fine = levels[-1]
    levels.append(fine.Split(0 if fine.Get_rank() % 2 == 0 else MPI.UNDEFINED, fine.Get_rank()))

def level(k):
    return levels[k] if k < len(levels) else MPI.COMM_NULL

expect_parts(level(0), [[0, 1, 2, 3, 4, 5, 6, 7]])
expect_parts(level(1), [[0, 2, 4, 6]])
expect_parts(level(2), [[0, 4]])
expect_parts(level(3), [[0]])
expect(len(levels) == [4, 2, 3, 2, 4, 2, 3, 2][world.Get_rank()], "how far each rank comes")
