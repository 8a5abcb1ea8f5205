C     Fortran 77: fixed form, types by letters, labels, data, and texts in messages.
      program old
      include 'mpif.h'
      parameter (N = 4, HALF = 0.5)
      integer rank, size, status(MPI_STATUS_SIZE), rowtype
      real*8 a(N,N), square
      real table(0:N-1), rest
      character*12 text, names(8)
      character note*6
      data table /1.5, 2*2.5, -1.0/, rest /3.25/
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      do 20 i = 1, N
        do 20 j = 1, N
          a(i,j) = 10 * i + j
 20   continue
      total = 0
      do 30, k = N, 1, -1
 30   total = total + HALF * k
      if (rank .eq. 0) then
        write(*,100) total, square(3.0d0), table(1),
     &               table(3), rest
        print 110, 'names', N, .true.
        write(*,'(a,$)') 'on'
        write(*,'(a)') ' one line'
        print '(*(g0,1x))', 'g', 7, 1.5, 2.5d0, .false.
        print '(e12.4,d12.3,e10.3)', 1234.5, -0.00125d0, 0.0
      endif
 100  format(1x, f6.2, f6.1, 2f6.2,
     &       f7.3)
 110  format('the ', a, i3, l2)
      call MPI_TYPE_VECTOR(N, 1, N, MPI_DOUBLE_PRECISION, rowtype, ierr)
      call MPI_TYPE_COMMIT(rowtype, ierr)
C     a row, to the next rank
      next = mod(rank + 1, size)
      last = mod(rank + size - 1, size)
      a(4,2) = rank
      call MPI_SENDRECV(a(4,1), 1, rowtype, next, 7, a(1,1), 1,
     &     rowtype, last, 7, MPI_COMM_WORLD, status, ierr)
      write(*,'(i2,4f6.1)') rank, (a(1,j), j = 1, N)
      write(text,'(a,i1)') 'rank ', rank
      call MPI_GATHER(text, 12, MPI_CHARACTER, names, 12,
     &     MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
      if (rank .eq. 0) then
        do 40 i = 1, size
          print *, names(i)
 40     continue
        note = 'from 0'
      endif
      call MPI_BCAST(note, 6, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
      print *, note, rank
      call MPI_TYPE_FREE(rowtype, ierr)
      call MPI_FINALIZE(ierr)
      end

      real*8 function square(x)
      real*8 x
      square = x * x
      end
