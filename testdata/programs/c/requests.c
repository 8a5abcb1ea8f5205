/* Which of several requests have completed: MPI-5.0, §3.7.5. All messages have arrived where rank 0 asks. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, x[3], i, turn, done, flag, which[3];
    MPI_Request q[3];
    MPI_Status one, all[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (turn = 0; turn < 5; turn++) {
        int mine = rank * 10 + turn;
        for (i = 0; i < 3 && rank == 0; i++)
            MPI_Irecv(&x[i], 1, MPI_INT, i + 1, turn, MPI_COMM_WORLD, &q[i]);
        if (rank > 0)
            MPI_Send(&mine, 1, MPI_INT, 0, turn, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank > 0)
            continue;
        switch (turn) {
        case 0:
            for (i = 0; i < 3; i++) {
                MPI_Waitany(3, q, &done, &one);
                printf("any %d of rank %d\n", done, one.MPI_SOURCE);
            }
            MPI_Waitany(3, q, &done, &one);
            printf("none %d\n", done == MPI_UNDEFINED);
            break;
        case 1:
            MPI_Testall(3, q, &flag, all);
            printf("all %d, the last of rank %d\n", flag, all[2].MPI_SOURCE);
            break;
        case 2:
            MPI_Testany(3, q, &done, &flag, MPI_STATUS_IGNORE);
            printf("one %d %d\n", done, flag);
            MPI_Waitall(3, q, all);
            printf("with tag %d\n", all[1].MPI_TAG);
            break;
        case 3:
            MPI_Waitsome(3, q, &done, which, all);
            printf("some %d: %d %d %d\n", done, which[0], which[1], which[2]);
            MPI_Waitsome(3, q, &done, which, all);
            printf("none %d\n", done == MPI_UNDEFINED);
            break;
        case 4:
            MPI_Testsome(3, q, &done, which, MPI_STATUSES_IGNORE);
            printf("tested %d\n", done);
        }
        printf("%d %d %d\n", x[0], x[1], x[2]);
    }
    /* One request is a list of one, and an argument is computed once. */
    int got, tag = 5;
    MPI_Request request;
    MPI_Comm half;
    MPI_Irecv(&got, 1, MPI_INT, 0, tag++, MPI_COMM_SELF, &request);
    MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    MPI_Waitall(1, &request, &one);
    MPI_Comm_split(MPI_COMM_WORLD, tag++, 0, &half);
    if (rank == 0)
        printf("tag %d, then %d\n", one.MPI_TAG, tag);
    MPI_Comm_free(&half);
    MPI_Irecv(&got, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &one);
    MPI_Test_cancelled(&one, &flag);
    if (rank == 0)
        printf("cancelled %d\n", flag);
    MPI_Finalize();
    return 0;
}
