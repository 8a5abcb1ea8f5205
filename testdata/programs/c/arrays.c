/* A call reads as many entries of an array as its other arguments say; the array may have more. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, size, i, m = 0, index[16], edges[64], count, peer, left;
    int dims[3] = {2, 2, 0}, periods[3] = {0, 0, 0}, remain[3] = {1, 0, 0}, coords[3] = {1, 0, 7};
    MPI_Comm graph, grid, row;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < size; i++) {
        edges[m++] = (i + 1) % size;
        if (i > 0) edges[m++] = i - 1;
        index[i] = m;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
    MPI_Graph_neighbors_count(graph, rank, &count);
    int sources[2] = {rank, 0}, degrees[2] = {1, 9}, destinations[4] = {(rank + 1) % size, 0, 0, 0};
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, sources, degrees, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_rank(grid, coords, &peer);
    MPI_Cart_sub(grid, remain, &row);
    MPI_Comm_size(row, &left);
    printf("rank %d: %d neighbors, (1,0) is rank %d, %d in its row\n", rank, count, peer, left);
    MPI_Finalize();
    return 0;
}
