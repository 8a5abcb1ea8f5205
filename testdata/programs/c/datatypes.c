/* Datatypes that a program makes of others (MPI-5.0, §5.1.2, §5.1.3): columns, a triangle, a part of a table, rows. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, bytes, n, t[4][5], into[24], row[5];
    MPI_Aint lower, extent;
    MPI_Datatype column, narrow, triangle, part, five;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            t[i][j] = 100 * rank + 10 * i + j;

    /* the last column but one becomes the first column of the process to the right */
    MPI_Type_vector(4, 1, 5, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_size(column, &bytes);
    MPI_Type_get_extent(column, &lower, &extent);
    MPI_Sendrecv(&t[0][3], 1, column, right, 0, &t[0][0], 1, column, left, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    printf("column %d: %d %d, %d bytes of %ld, %d\n", rank, t[0][0], t[3][0], bytes, (long)extent, n);

    /* two columns, from a buffer and a datatype that is narrow enough for that */
    MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    if (rank == 0)
        MPI_Send(&t[0][1], 2, narrow, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv(into, 8, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
        printf("narrow: %d %d %d %d\n", into[0], into[3], into[4], into[7]);
    }

    /* row i of a triangle has i + 1 entries */
    int lengths[3] = {1, 2, 3}, begins[3] = {0, 5, 10};
    MPI_Type_indexed(3, lengths, begins, MPI_INT, &triangle);
    MPI_Type_commit(&triangle);
    for (int i = 0; i < 20; i++)
        into[i] = -1;
    MPI_Gather(t, 1, triangle, into, 6, MPI_INT, 2, MPI_COMM_WORLD);
    if (rank == 3) {
        MPI_Send(&t[0][0], 1, triangle, 2, 2, MPI_COMM_WORLD);
    } else if (rank == 2) {
        int few[20];
        for (int i = 0; i < 20; i++)
            few[i] = 0;
        MPI_Recv(few, 1, triangle, 3, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("triangle: %d %d %d, %d %d %d %d\n", into[1], into[5], into[6], few[5], few[6], few[7], few[12]);
    }

    int sizes[2] = {4, 5}, parts[2] = {2, 3}, starts[2] = {1, 2};
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &part);
    MPI_Type_commit(&part);
    MPI_Bcast(t, 1, part, 1, MPI_COMM_WORLD);
    printf("part %d: %d %d %d %d\n", rank, t[1][1], t[1][2], t[2][4], t[3][4]);

    MPI_Type_contiguous(5, MPI_INT, &five);
    MPI_Type_commit(&five);
    MPI_Scatter(t, 1, five, row, 5, MPI_INT, 3, MPI_COMM_WORLD);
    printf("row %d: %d to %d\n", rank, row[1], row[4]);
    MPI_Type_free(&column);
    MPI_Type_free(&narrow);
    MPI_Type_free(&triangle);
    MPI_Type_free(&part);
    MPI_Type_free(&five);
    printf("%d\n", five == MPI_DATATYPE_NULL);
    MPI_Finalize();
    return 0;
}
