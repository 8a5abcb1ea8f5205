! Persistent requests and a nonblocking collective call, on four ranks.
program persistent
  use mpi_f08
  implicit none
  type(MPI_Request) :: requests(2), request
  integer :: rank, ntasks, mine, got, round, total, i
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ntasks)
  call MPI_Send_init(mine, 1, MPI_INTEGER, mod(rank + 1, ntasks), 2, MPI_COMM_WORLD, requests(1))
  call MPI_Recv_init(got, 1, MPI_INTEGER, mod(rank + ntasks - 1, ntasks), 2, MPI_COMM_WORLD, requests(2))
  do round = 1, 2
    mine = 10 * round + rank
    call MPI_Startall(2, requests)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  end do
  do i = 1, 2
    call MPI_Request_free(requests(i))
  end do
  call MPI_Iallreduce(got, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  print '(a,i0,a,i0,a,i0)', 'rank ', rank, ' got ', got, ', all ', total
  call MPI_Finalize()
end program
