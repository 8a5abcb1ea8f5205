! Communicators with processes of another world, in Fortran, for four processes. Two processes are started, and the
! processes of even rank accept those of odd rank.
program dynamic
#ifdef F08
  use mpi_f08
  implicit none
  type(MPI_Comm) :: parent, both, all, half
  type(MPI_Info) :: infos(2)
#else
#ifdef MPIFH
  implicit none
  include 'mpif.h'
#else
  use mpi
  implicit none
#endif
  integer :: parent, both, all, half, infos(2)
#endif
  character(len=256) :: program_name, commands(2)
  character(len=MPI_MAX_PORT_NAME) :: port = ''
  integer :: ierr, rank, errors(2), counts(2) = (/ 1, 1 /)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_get_parent(parent, ierr)
  both = parent
  call get_command_argument(0, program_name)
  commands = program_name
  infos = MPI_INFO_NULL
  if (parent == MPI_COMM_NULL) call MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 1, &
    MPI_COMM_WORLD, both, errors, ierr)
  call MPI_Intercomm_merge(both, parent /= MPI_COMM_NULL, all, ierr)
  call MPI_Comm_free(all, ierr)
  call MPI_Comm_disconnect(both, ierr)
  if (parent == MPI_COMM_NULL) then
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), 0, half, ierr)
    if (rank == 0) call MPI_Open_port(MPI_INFO_NULL, port, ierr)
    call MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
    if (mod(rank, 2) == 0) then
      call MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, both, ierr)
    else
      call MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, both, ierr)
    end if
    call MPI_Comm_disconnect(both, ierr)
    if (rank == 0) call MPI_Close_port(port, ierr)
  end if
  call MPI_Finalize(ierr)
end program
