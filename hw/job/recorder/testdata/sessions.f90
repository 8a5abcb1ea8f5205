! Four processes with sessions alone, in Fortran: what sessions.c does.
program sessions
#ifdef F08
  use mpi_f08
  implicit none
  type(MPI_Session) :: session
  type(MPI_Group) :: world, self, even
  type(MPI_Comm) :: all, some, alone
#else
#ifdef MPIFH
  implicit none
  include 'mpif.h'
#else
  use mpi
  implicit none
#endif
  integer :: session, world, self, even, all, some, alone
#endif
  integer :: ierr, rank, range(3, 1) = reshape((/ 0, 2, 2 /), (/ 3, 1 /))
  call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session, ierr)
  call MPI_Group_from_session_pset(session, 'mpi://SELF', self, ierr)
  call MPI_Comm_create_from_group(self, 'alone', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, alone, ierr)
  call MPI_Group_from_session_pset(session, 'mpi://WORLD', world, ierr)
  call MPI_Group_rank(world, rank, ierr)
  call MPI_Comm_create_from_group(world, 'all', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, all, ierr)
  call MPI_Group_range_incl(world, 1, range, even, ierr)
  if (mod(rank, 2) == 0) then
    call MPI_Comm_create_from_group(even, 'even', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, some, ierr)
    call MPI_Comm_free(some, ierr)
  end if
  call MPI_Group_free(even, ierr)
  call MPI_Comm_free(all, ierr)
  call MPI_Group_free(world, ierr)
  call MPI_Comm_free(alone, ierr)
  call MPI_Group_free(self, ierr)
  call MPI_Session_finalize(session, ierr)
end program
