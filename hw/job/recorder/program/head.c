/*
 * recorder: which communicators an MPI program makes, where, and of whom, in one file.
 *
 *     mpicc -shared -fPIC recorder.c -o librecorder.so -ldl
 *     mpirun -x LD_PRELOAD=$PWD/librecorder.so -x COMMSPLIT_RECORD=app.tar ./app     Open MPI
 *     mpiexec -env LD_PRELOAD $PWD/librecorder.so -env COMMSPLIT_RECORD app.tar ./app      MPICH
 *     commsplit replay app.tar    anywhere, later
 *
 * Or compile it into the program, as one of its files. It needs Linux, C11 and MPI 2.0; it is for programs in C, C++
 * and Fortran (mpif.h, use mpi, use mpi_f08), with threads and sessions. It should be loaded into all processes of a
 * job: see "Who has the recorder". Without COMMSPLIT_RECORD it records nothing.
 *
 * It wraps each call that makes, names or gives up a communicator, and those that make the groups and sessions for
 * them; and those that carry messages, to note once of a communicator that it was used. In a call it notes the return
 * addresses, the arguments and what the library gave, as lines in the pages of a file: no symbols are looked up, and no
 * call of the system is made. MPI_Init gathers the hosts and where the ranks are bound, and makes one communicator that
 * MPI_Finalize writes the file over. A process that ends otherwise adds what it knows to the file by itself, and so does
 * one that has sessions alone: see "From MPI_Init or MPI_Session_init to the end".
 *
 * Only names of hosts and the paths of the program and its libraries tell whose run it was.
 */
#define _GNU_SOURCE
#ifndef __linux__
#error "the recorder asks Linux for CPUs and signals: other systems are not supported"
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#define ME "commsplit record"

#ifndef STANDARD
#define STANDARD (MPI_VERSION * 10 + MPI_SUBVERSION) /* calls of newer standards are not wrapped */
#endif
#if MPI_VERSION >= 3
#define CONST const
#else
#define CONST /* MPI 2 has none */
#endif

#ifndef ROOT
#define ROOT "" /* another folder with proc and sys, for tests */
#endif

