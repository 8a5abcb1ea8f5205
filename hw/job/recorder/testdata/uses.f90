! Makes communicators 2 to 5 and uses 2, 3 and 5; -DF08 or -DMPIFH: another binding.
#ifdef F08
#define COMM type(MPI_Comm)
#define REQUEST type(MPI_Request)
#else
#define COMM integer
#define REQUEST integer
#endif
program uses
#ifdef F08
  use mpi_f08
#elif !defined(MPIFH)
  use mpi
#endif
  implicit none
#ifdef MPIFH
  include 'mpif.h'
#endif
  integer :: error, rank, x(1), y(1)
  COMM :: made(4)
  REQUEST :: request
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, made(1), error)
  call MPI_Comm_dup(MPI_COMM_WORLD, made(2), error)
  call MPI_Comm_dup(MPI_COMM_WORLD, made(3), error)
  call MPI_Comm_dup(MPI_COMM_WORLD, made(4), error)
  x = rank
  if (rank == 0) call MPI_Send(x, 1, MPI_INTEGER, 1, 0, made(1), error)
  if (rank == 1) call MPI_Recv(x, 1, MPI_INTEGER, 0, 0, made(1), MPI_STATUS_IGNORE, error)
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, made(2), error)
  if (x(1) /= 5) stop 9
  call MPI_Iallreduce(x, y, 1, MPI_INTEGER, MPI_SUM, made(4), request, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  if (y(1) /= 20) stop 9
  call MPI_Finalize(error)
end program
