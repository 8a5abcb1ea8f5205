/* Collective calls among neighbors (MPI-5.0, §8.6, §8.7): on a line of four processes, and on a ring of a graph. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, dims[1] = {4}, periods[1] = {0}, mine, got[2] = {-1, -1}, to[2], from[2] = {-1, -1};
    MPI_Comm line, ring;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
    MPI_Comm_rank(line, &rank);
    mine = 10 * rank;
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, got, 1, MPI_INT, line);
    to[0] = mine;     /* down */
    to[1] = mine + 1; /* up */
    MPI_Ineighbor_alltoall(to, 1, MPI_INT, from, 1, MPI_INT, line, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("line %d: %d %d, %d %d\n", rank, got[0], got[1], from[0], from[1]);

    int above = (rank + 1) % 4, below = (rank + 3) % 4, gives = rank + 1, gets = below + 1, zero = 0, give[4], take[5] = {0}, sum = 0;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &below, MPI_UNWEIGHTED, 1, &above, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    for (int i = 0; i < gives; i++)
        give[i] = rank;
    MPI_Neighbor_alltoallv(give, &gives, &zero, MPI_INT, take, &gets, &zero, MPI_INT, ring);
    for (int i = 0; i < 5; i++)
        sum += take[i];
    int one = 1;
    MPI_Ineighbor_allgatherv(&mine, 1, MPI_INT, take, &one, &gets, MPI_INT, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("ring %d: %d, %d\n", rank, sum, take[gets]);
    MPI_Comm_free(&line);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
