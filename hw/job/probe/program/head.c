/*
 * probe: where the ranks of an MPI job run, and on what hardware, in one file.
 *
 *     mpicc probe.c -o probe -ldl
 *     mpirun ./probe job.tar          with the launcher and the options of the job
 *     commsplit --topo job:job.tar    anywhere, later
 *
 * It needs Linux, C11 and MPI 3.0. The file is a tar archive: job.txt says which rank ran on which host and
 * CPUs; below hosts/ is the hardware, as hwloc 2 or newer describes it or, where that library is not found
 * when the program runs (or with --sysfs), as the files of /proc and /sys that the table below lists. Hosts
 * with the same hardware share one description. Only names of hosts tell whose machines these are: nothing
 * of users, processes, serial numbers, UUIDs and network addresses is written. Nothing is changed, but that
 * one process of each host lifts its own binding for a moment (see allowed_cpus).
 *
 * Ranks that can share memory, by what MPI_COMM_TYPE_SHARED says, are on one host, whatever its names.
 * It writes a complete file or none; all ranks exit with 0 or with 1.
 */
#define _GNU_SOURCE
#ifndef __linux__
#error "the probe asks Linux for CPUs: other systems have no sched_getaffinity"
#endif
#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if MPI_VERSION < 3
#error "the probe needs MPI 3.0 or newer"
#endif

#define ME "probe" /* who speaks */

#ifndef ROOT
#define ROOT "" /* another folder with proc and sys, for tests */
#endif

