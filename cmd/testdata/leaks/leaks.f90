! A module procedure that frees what it makes, and one that does not.
module halos
  use mpi_f08
contains
  subroutine good(comm)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Comm) :: mine
    call MPI_Comm_dup(comm, mine)
    call MPI_Comm_free(mine)
  end subroutine
  subroutine bad(comm)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Comm) :: mine
    call MPI_Comm_dup(comm, mine) ! leak: Comm_dup
  end subroutine
end module

program leaks
  use halos
  integer :: i
  call MPI_Init()
  do i = 1, 15
    call good(MPI_COMM_WORLD)
    call bad(MPI_COMM_WORLD)
  end do
  call MPI_Finalize()
end program
