C     Fortran 77: common, functions of one expression, names of functions of one type, texts that go on.
      program shared
      implicit double precision (a-h), integer (i-n)
      include 'mpif.h'
      integer ierr, rank, n, a(3), stats(MPI_STATUS_SIZE, 2), reqs(2)
      double precision dx, d
      external least
      common /block/ n, dx, a
      f(d) = 4.d0 / (1.d0 + d * d)
      g(x, i) = x * i + f(dble(x))
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      n = rank
      dx = dsqrt(4.d0)
      a(1) = 1
      a(2) = max0(2, 7)
      a(3) = iabs(-3)
      a(:) = a(:) * 2
      call change
      print *, f(1.d0), g(2.0, 3), alog(1.0), iargc(), 'a text that goe
     +s on'
      print *, n, dx, a
      print *, nint(1000 * f(f(.5d0)))
      call MPI_IRECV(i, 1, MPI_INTEGER, mod(rank + 3, 4), 0,
     +               MPI_COMM_WORLD, reqs(1), ierr)
      call MPI_ISEND(rank, 1, MPI_INTEGER, mod(rank + 1, 4), 0,
     +               MPI_COMM_WORLD, reqs(2), ierr)
      call MPI_WAIT(reqs(1), stats(1, 1), ierr)
      call MPI_WAIT(reqs(2), stats(1, 2), ierr)
      print *, i, stats(MPI_SOURCE, 1)
      call MPI_OP_CREATE(least, .true., iop, ierr)
      call MPI_REDUCE(a, a(1), 0, MPI_INTEGER, iop, 0,
     +                MPI_COMM_WORLD, ierr)
      call sum(n, MPI_INTEGER, iop)
      call MPI_OP_FREE(iop, ierr)
      call MPI_FINALIZE(ierr)
      end

      subroutine change
      integer m, b(3)
      double precision dy
      common /block/ m, dy, b
      m = m + 100
      dy = dy / 8
      b(1) = b(1) + 5
      end

      subroutine sum(n, type, op)
      include 'mpif.h'
      integer n, type, op, k, ierr
      call MPI_ALLREDUCE(n, k, 1, type, op, MPI_COMM_WORLD, ierr)
      print *, k
      end

      subroutine least(in, inout, len, type)
      integer len, type, in(len), inout(len)
      do 10 i = 1, len
         inout(i) = min0(in(i), inout(i))
   10 continue
      end
