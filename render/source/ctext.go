package source

// The parts of a C program that are always the same. SIZE is the number of processes.
const cHead = `/* The calls of a commsplit session that make communicators or move data, with the arguments that
 * each process passed. Calls that only ask, as for a rank or a group, are not among them.
 *
 *     mpicc -std=c11 -Wall program.c -o program && mpirun -n %d ./program
 *
 * It prints a line for each process and communicator: the world rank of the process that leads the
 * communicator (its rank 0), this process' rank in it, and its size.
%s */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = %d, LINE = 200 };

/* The leader's world rank of a group, which is freed. */
static int leader_of(MPI_Group group)
{
    int first = 0, leader;
    MPI_Group world_group;
    MPI_Comm_group(MPI_COMM_WORLD, &world_group);
    MPI_Group_translate_ranks(group, 1, &first, world_group, &leader);
    MPI_Group_free(&world_group);
    MPI_Group_free(&group);
    return leader;
}
`

// cReport prints for a reader. It is no format: the percent signs are single.
const cReport = `
/* Process 0 prints what every process holds. Collective over MPI_COMM_WORLD. */
static void report(const char *name, MPI_Comm comm)
{
    static char lines[SIZE][LINE];
    char line[LINE];
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (comm == MPI_COMM_NULL) {
        snprintf(line, LINE, "world rank %d -> %.60s: MPI_COMM_NULL", me, name);
    } else {
        int rank, size, inter;
        MPI_Group group;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        MPI_Comm_test_inter(comm, &inter);
        MPI_Comm_group(comm, &group);
        int used = snprintf(line, LINE, "world rank %d -> %.60s led by %d, rank %d, size %d",
                            me, name, leader_of(group), rank, size);
        if (inter) {
            MPI_Comm_remote_size(comm, &size);
            MPI_Comm_remote_group(comm, &group);
            snprintf(line + used, LINE - used, "; remote led by %d, size %d", leader_of(group), size);
        }
    }
    MPI_Gather(line, LINE, MPI_CHAR, lines, LINE, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int r = 0; me == 0 && r < SIZE; r++)
        puts(lines[r]);
}
`

const cGroupOf = `
/* The group of some world ranks. */
static inline void group_of(int n, const int ranks[], MPI_Group *group)
{
    MPI_Group world_group;
    MPI_Comm_group(MPI_COMM_WORLD, &world_group);
    MPI_Group_incl(world_group, n, ranks, group);
    MPI_Group_free(&world_group);
}
`

const cSessionGroupOf = `
#if MPI_VERSION >= 4
static MPI_Session session = MPI_SESSION_NULL;

/* The group of some ranks of the process set mpi://WORLD, in a session of this program. */
static inline void session_group_of(int n, const int ranks[], MPI_Group *group)
{
    MPI_Group world_group;
    if (session == MPI_SESSION_NULL)
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world_group);
    MPI_Group_incl(world_group, n, ranks, group);
    MPI_Group_free(&world_group);
}
#endif
`

const cMain = `
int main(int argc, char *argv[])
{
    int me, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != SIZE) {
        fprintf(stderr, "this program is for %d processes, not %d\n", SIZE, size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
`
