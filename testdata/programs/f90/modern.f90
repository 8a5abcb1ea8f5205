! Modules, pointers to arrays, loops in array constructors, do concurrent, random numbers.
module grid
  use, intrinsic :: iso_fortran_env, only: dp => real64, stderr => error_unit
  implicit none
  private
  public :: fill, cells, n, dp
  integer, parameter :: n = 4
  integer :: k
  integer :: cells(n) = [(2 * k, k = 1, n)]
contains
  subroutine fill(a, by)
    real(dp), intent(inout) :: a(:)
    real(dp), intent(in) :: by
    integer :: i
    do concurrent (i = 1:size(a))
      a(i) = by * cells(i)
    end do
  end subroutine fill
end module grid

program modern
  use :: mpi_f08
  use grid, only: fill, cells, n, dp
  implicit none
  type(MPI_Comm) :: half
  integer :: rank, size, i, j, sums(0:5)
  real(dp), allocatable, target :: a(:), b(:)
  real(dp), pointer :: old(:), new(:), swap(:)
  real, pointer :: rows(:)
  real :: x, many(3)
  integer, parameter :: wp = selected_real_kind(15, 307), i8 = selected_int_kind(15), m(2, 2) = reshape([1, 2, 3, 4], [2, 2])
  integer :: grid23(2, 3), line(6), status
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half)
  allocate(a(n), b(0:n-1))
  call fill(a, 0.5_dp * rank)
  b = 100
  old => a
  new => b
  do i = 1, 3
    new(lbound(new, 1)) = old(lbound(old, 1)) + i
    swap => old
    old => new
    new => swap
  end do
  print *, rank, a(1), b(0), associated(old)
  sums = [0, (i, i = 1, 3), (10 * i, i = 1, 4, 3)]
  call MPI_Allreduce(MPI_IN_PLACE, sums, 6, MPI_INTEGER, MPI_SUM, half)
  if (rank == 0) print *, sums
  if (rank == 0) then
    allocate(rows(size * 2))
  else
    allocate(rows(1))
  end if
  call MPI_Gather([1.0 * rank, 2.0 * rank], 2, MPI_REAL, rows, 2, MPI_REAL, 0, MPI_COMM_WORLD)
  if (rank == 0) print '(8f5.1)', rows
  deallocate(rows)
  call random_seed()
  call random_number(x)
  call random_number(many)
  if (x < 0 .or. x >= 1 .or. any(many < 0) .or. maxval(many) >= 1) print *, 'wrong'
  if (rank == 1) print *, [(i * i, i = 1, 3)], cells(2)
  if (rank == 0) then
    grid23 = reshape([((10 * i + j, i = 1, 2), j = 1, 3)], [2, 3])
    line = reshape(grid23, shape=[6])
    print '(6i4, 4(i4))', line, m(1, 2), grid23(1, :)
    print '("storage ", 3i4, &
          & " kinds ", 3i2)', storage_size(line), storage_size(1.0_wp), storage_size(1_i8), wp, i8, &
          kind(x)
    deallocate(a, stat=status)
    print *, status, allocated(a)
  end if
  call MPI_Comm_free(half)
  call MPI_Finalize()
end program modern
