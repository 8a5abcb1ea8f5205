/* Persistent requests, modes of sends, and collective calls with a count for each of four processes; MPICH runs it, too. */
#include <stdio.h>
#include <stdlib.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    /* persistent collective operations, started in another order on rank 1 */
    int root = 0, sum = 0;
    MPI_Request reqs[3];
    MPI_Bcast_init(&root, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &reqs[0]);
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &reqs[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &reqs[2]);
    for (int round = 1; round <= 2; round++) {
        if (rank == 0)
            root = 10 * round;
        if (rank == 1) {
            for (int i = 2; i >= 0; i--)
                MPI_Start(&reqs[i]);
        } else {
            MPI_Startall(3, reqs);
        }
        MPI_Waitall(3, reqs, MPI_STATUSES_IGNORE);
        printf("round %d: rank %d has %d and %d\n", round, rank, root, sum);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&reqs[i]);

    /* persistent messages around a ring */
    int mine, got;
    MPI_Send_init(&mine, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, &reqs[0]);
    MPI_Recv_init(&got, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &reqs[1]);
    for (int round = 1; round <= 2; round++) {
        mine = 100 * round + rank;
        MPI_Startall(2, reqs);
        MPI_Waitall(2, reqs, MPI_STATUSES_IGNORE);
    }
    printf("rank %d got %d\n", rank, got);
    MPI_Request_free(&reqs[0]);
    MPI_Request_free(&reqs[1]);

    /* a buffered send through the buffer of the process, then a ready one */
    int bytes;
    MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &bytes);
    bytes += MPI_BSEND_OVERHEAD;
    char *buffer = malloc(bytes);
    MPI_Buffer_attach(buffer, bytes);
    MPI_Bsend(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    MPI_Request ready;
    if (rank == 0)
        MPI_Irecv(&got, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD, &ready);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        MPI_Rsend(&size, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Wait(&ready, MPI_STATUS_IGNORE);
        printf("ready: %d\n", got);
    }

    /* nonblocking calls with a count for each process, and a scattered reduction */
    int counts[4] = {1, 2, 1, 2}, places[4] = {5, 3, 2, 0}, all[6], part[2] = {rank, rank};
    for (int i = 0; i < 6; i++)
        all[i] = -1;
    MPI_Request request;
    MPI_Iallgatherv(part, counts[rank], MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 2)
        printf("gathered: %d %d %d %d %d %d\n", all[0], all[1], all[2], all[3], all[4], all[5]);
    int ones[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    MPI_Ireduce_scatter(ones, part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("rank %d: first of its part is %d\n", rank, part[0]);
    int block[2];
    MPI_Reduce_scatter_block(ones, block, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    printf("rank %d: block %d %d\n", rank, block[0], block[1]);
    MPI_Finalize();
    return 0;
}
