! What Fortran has beside MPI, on the first of four ranks, and a ring of messages.
program language
  use mpi
  implicit none
  integer, parameter :: n = 3
  integer :: rank, ntasks, ierr, comm, got, i, j, status(MPI_STATUS_SIZE)
  integer :: a(n) = (/ 5, 6, 7 /), low(-1:1)
  integer, allocatable :: m(:,:)
  real(8) :: x(n), total
  character(len=6) :: word

  call MPI_Init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, Rank, ierr)
  CALL MPI_COMM_SIZE(mpi_comm_world, ntasks, ierr)
  call mpi_comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, comm, ierr)
  call mpi_sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, ntasks), 4, got, 1, MPI_INTEGER, &
       & mod(rank + ntasks - 1, ntasks), 4, MPI_COMM_WORLD, status, ierr)
  print *, 'rank', rank, 'got', got, 'from', status(MPI_SOURCE)
  x = 2 * rank
  call mpi_reduce(x(2), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, comm, ierr)
  if (rank == 0) then
    allocate(m(2, n))
    do j = 1, n
      m(:, j) = j
    end do
    m(2, 1) = 9
    word = 'abc'
    print *, m
    print *, size(m), size(m, 2), sum(a), maxval(m), -7 / 2, mod(-7, 2), 2**5
    print *, modulo(-7, 2), modulo(-5.5, 2.0), modulo(5.5d0, -2.0d0), max(2, 7, 3), abs(-4)
    print *, total, 1.5, 0.01, .true. .and. .not. .false., '|'//trim(word)//'|'
    low = 0
    low(-1) = 4
    call twice(low, a(2))
    write(*, '(A, I4, I3.2, F7.2, 3I2)') 'low', low(-1), 7, 2.5d0, low
    print *, a(2), mean(a(1:2))
    outer: do i = 1, 3
      do j = 1, 3
        if (j == 2) cycle outer
        if (i == 3) exit outer
        select case (i)
        case (1)
          print *, 'one'
        case (2:4)
          print *, 'more'
        case default
          print *, 'none'
        end select
      enddo
    end do outer
    print *, i, j
    deallocate(m)
  end if
  call mpi_comm_free(comm, ierr)
  call mpi_finalize(ierr)

contains

  subroutine twice(list, one)
    integer, intent(inout) :: list(:), one
    integer :: k
    do k = 1, size(list)
      list(k) = 2 * list(k)
    end do
    one = one + 10
  end subroutine twice

  real(8) function mean(list)
    integer, intent(in) :: list(:)
    mean = sum(list) / dble(size(list))
  end function mean
end program language
