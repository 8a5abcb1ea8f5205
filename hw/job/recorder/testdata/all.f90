! Each call that the recorder wraps and both libraries have, once; -DF08 or -DMPIFH: another binding.
#ifdef F08
#define COMM type(MPI_Comm)
#define GROUP type(MPI_Group)
#define REQUEST type(MPI_Request)
#define INFO type(MPI_Info)
#else
#define COMM integer
#define GROUP integer
#define REQUEST integer
#define INFO integer
#endif
program all
#ifdef F08
  use mpi_f08
#elif !defined(MPIFH)
  use mpi
#endif
  implicit none
#ifdef MPIFH
  include 'mpif.h'
#endif
  integer :: error, rank, size, provided
  COMM :: half, copy, whole, other, row, parent
  GROUP :: world, some, more
  REQUEST :: request
  call MPI_Init_thread(MPI_THREAD_SINGLE, provided, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call split(mod(rank, 2))
  call MPI_Comm_set_name(half, 'the half ', error)
  call MPI_Comm_dup(half, copy, error)
  call MPI_Comm_dup_with_info(half, MPI_INFO_NULL, other, error)
  call MPI_Comm_idup(half, whole, request, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  call MPI_Comm_free(copy, error)
  call MPI_Comm_disconnect(other, error)
  call MPI_Comm_group(MPI_COMM_WORLD, world, error)
  call MPI_Group_incl(world, 2, [1, 0], some, error)
  call MPI_Group_excl(world, 2, [1, 0], more, error)
  call MPI_Group_range_incl(world, 1, reshape([0, 2, 2], [3, 1]), more, error)
  call MPI_Group_range_excl(world, 1, reshape([0, 2, 2], [3, 1]), more, error)
  call MPI_Group_union(some, world, more, error)
  call MPI_Group_intersection(some, more, more, error)
  call MPI_Group_difference(world, some, more, error)
  call MPI_Comm_create(MPI_COMM_WORLD, some, other, error)
  if (rank < 2) call MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, other, error)
  call MPI_Group_free(more, error)
  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, other, error)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, size / 2], [.true., .false.], .false., other, error)
  call MPI_Cart_sub(other, [.false., .true.], row, error)
  call MPI_Graph_create(MPI_COMM_WORLD, 2, [1, 2], [1, 0], .true., other, error)
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [mod(rank + 1, size)], MPI_UNWEIGHTED, &
    MPI_INFO_NULL, .false., other, error)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(rank + size - 1, size)], MPI_UNWEIGHTED, &
    1, [mod(rank + 1, size)], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., other, error)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, size - 1 - mod(rank, 2), 3, other, error)
  call MPI_Comm_remote_group(other, more, error)
  call MPI_Intercomm_merge(other, mod(rank, 2) == 1, whole, error)
  call MPI_Comm_get_parent(parent, error)
  call MPI_Finalize(error)
contains
  subroutine split(color)
    integer, intent(in) :: color
    call MPI_Comm_split(MPI_COMM_WORLD, color, -rank, half, error)
  end subroutine
end program
