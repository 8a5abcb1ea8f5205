/* Messages and collective calls with C's buffers, on 4 processes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    assert(size == 4);
    int right = (rank + 1) % size, left = (rank - 1 + size) % size;

    int token = rank * 10, got;
    MPI_Status status;
    MPI_Sendrecv(&token, 1, MPI_INT, right, 3, &got, 1, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    printf("ring %d: %d from %d tag %d\n", rank, got, status.MPI_SOURCE, status.MPI_TAG);

    double out[3] = {rank, rank + 0.5, -rank}, in[2][3];
    MPI_Request req[4];
    MPI_Irecv(in[0], 3, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &req[0]);
    MPI_Irecv(&in[1][0], 3, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, req + 1);
    MPI_Isend(out, 3, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &req[2]);
    MPI_Isend(out, 3, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &req[3]);
    MPI_Waitall(4, req, MPI_STATUSES_IGNORE);
    printf("halo %d: %.1f %.1f\n", rank, in[0][1], in[1][2]);

    if (rank == 0) {
        int *some = malloc((size_t)size * sizeof(int));
        for (int i = 1; i < size; i++) {
            int n;
            MPI_Probe(i, 7, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &n);
            MPI_Recv(some, n, MPI_INT, status.MPI_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("probe %d: %d, last %d\n", i, n, some[n - 1]);
        }
        free(some);
    } else {
        int mine[4] = {1, 20, 300, 4000};
        MPI_Send(mine, rank, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }

    int counts[4] = {1, 2, 3, 4}, displs[4] = {0, 1, 3, 6}, all[10], part[4];
    if (rank == 0)
        for (int i = 0; i < 10; i++)
            all[i] = i * i;
    MPI_Scatterv(all, counts, displs, MPI_INT, part, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i <= rank; i++)
        part[i] += 1;
    MPI_Gatherv(part, rank + 1, MPI_INT, all, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("gatherv %d %d %d\n", all[0], all[5], all[9]);

    int to[4], from[4], biggest[2] = {rank % 3, -rank}, most[2];
    for (int i = 0; i < size; i++)
        to[i] = 10 * rank + i;
    MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce(biggest, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Scan(&rank, &token, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("all %d: %d %d, max %d %d, scan %d\n", rank, from[0], from[3], most[0], most[1], token);

    MPI_Comm half;
    float one = 1.5f, total = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &half);
    MPI_Reduce(&one, &total, 1, MPI_FLOAT, MPI_SUM, 0, half);
    MPI_Comm_rank(half, &got);
    printf("half %d: rank %d, %.2f\n", rank, got, total);
    MPI_Comm_free(&half);
    if (half == MPI_COMM_NULL && rank == 0)
        printf("freed\n");
    char name[20] = "";
    if (rank == 2)
        sprintf(name, "from %d", rank);
    MPI_Bcast(name, 20, MPI_CHAR, 2, MPI_COMM_WORLD);
    printf("%s\n", name);
    MPI_Allreduce(MPI_IN_PLACE, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("in place %d\n", got);

    int give[6], into[6], n = 0;
    for (int i = 0; i < size; i++) { /* one number where both ranks are even or odd, else two */
        displs[i] = n;
        counts[i] = 1 + (rank + i) % 2;
        for (int k = 0; k < counts[i]; k++, n++)
            give[n] = 10 * rank + n;
    }
    MPI_Alltoallv(give, counts, displs, MPI_INT, into, counts, displs, MPI_INT, MPI_COMM_WORLD);
    printf("parts %d: %d %d %d %d %d %d\n", rank, into[0], into[1], into[2], into[3], into[4], into[5]);
    MPI_Ialltoallv(into, counts, displs, MPI_INT, give, counts, displs, MPI_INT, MPI_COMM_WORLD, &req[0]);
    MPI_Wait(&req[0], MPI_STATUS_IGNORE);
    printf("back %d: %d to %d\n", rank, give[0], give[5]);
    MPI_Finalize();
    return 0;
}
