/* Structures: as values, in arrays, behind pointers, in messages; and datatypes of several types (MPI-5.0, §5.1.2, §6.9.4). */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

typedef struct {
    char name[6];
    short kind;
    double x[3];
    int n, more;
} Particle;

struct node {
    int value;
    struct node *next;
};

typedef struct grid *Grid;
struct grid {
    MPI_Comm comm;
    MPI_Status status;
    struct { int row, col; } at;
};

struct pair { double value; int rank; };
struct close { float value; int rank; };

static Particle moved(Particle p, double by)
{
    p.x[0] += by;
    p.n++;
    return p;
}

static int by_value(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;
    return (p->value > q->value) - (p->value < q->value);
}

static void place(Grid g, int rank)
{
    g->at.row = rank / 2;
    g->at.col = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, g->at.row, g->at.col, &g->comm);
}

int main(int argc, char **argv)
{
    int rank, size, n, bytes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    Particle a[3] = {{"one", 1, {1, 2, 3}, 4}, {.n = 7, .x = {0.5}}}, b, *p = &a[1];
    b = moved(a[0], rank);
    if (rank == 1)
        printf("%s %d %.1f %.1f %d %d, %.1f %d, %.1f\n", b.name, b.kind, b.x[0], b.x[2], b.n, b.more, p->x[0], (*p).n, (p + 1)->x[0]);
    if (rank == 0)
        printf("%zu %zu %zu %zu %zu\n", sizeof(Particle), offsetof(Particle, x), offsetof(Particle, more), sizeof a, sizeof(struct pair));

    /* a list */
    struct node *head = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *e = malloc(sizeof *e);
        e->value = i * rank;
        e->next = head;
        head = e;
    }
    n = 0;
    for (struct node *e = head; e; ) {
        struct node *next = e->next;
        n = 10 * n + e->value;
        free(e);
        e = next;
    }
    printf("list %d: %d\n", rank, n);

    /* a datatype for the structure, by displacements and by addresses */
    MPI_Datatype type, same, parts[4] = {MPI_CHAR, MPI_SHORT, MPI_DOUBLE, MPI_INT};
    int lengths[4] = {6, 1, 3, 2};
    MPI_Aint at[4] = {offsetof(Particle, name), offsetof(Particle, kind), offsetof(Particle, x), offsetof(Particle, n)}, base, lb, extent;
    MPI_Type_create_struct(4, lengths, at, parts, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &bytes);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Get_address(&a[0], &base);
    MPI_Get_address(&a[0].name, &at[0]);
    MPI_Get_address(&a[0].kind, &at[1]);
    MPI_Get_address(&a[0].x, &at[2]);
    MPI_Get_address(&a[0].n, &at[3]);
    for (int i = 3; i >= 0; i--)
        at[i] -= base;
    MPI_Type_create_struct(4, lengths, at, parts, &same);
    MPI_Type_commit(&same);
    MPI_Status status;
    Particle *all = malloc(size * sizeof(Particle));
    strcpy(b.name, "rank");
    b.name[4] = '0' + rank;
    MPI_Gather(&b, 1, type, all, 1, same, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < size; i++)
            printf("%s %.1f %d\n", all[i].name, all[i].x[0], all[i].n);
    if (rank == 0)
        MPI_Send(a, 3, type, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        memset(all, 0, size * sizeof(Particle));
        MPI_Recv(all, 3, same, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, type, &n);
        printf("%d of %d bytes, extent %ld: %s %.1f %d\n", n, bytes, (long)extent, all[0].name, all[1].x[0], all[1].n);
    }

    /* as bytes */
    MPI_Bcast(&b, sizeof(Particle), MPI_BYTE, size - 1, MPI_COMM_WORLD);
    printf("last is %s\n", b.name);

    /* one column of an array of structures: the field x[1] of all */
    MPI_Datatype column;
    MPI_Type_create_hvector(3, 1, sizeof(Particle), MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double ys[3];
    MPI_Sendrecv(&a[0].x[1], 1, column, rank, 1, ys, 3, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%.1f %.1f %.1f\n", ys[0], ys[1], ys[2]);

    /* who has most, who has least */
    struct pair mine[2] = {{rank % 3, rank}, {-rank * 0.5, rank}}, best[2];
    struct close f = {10.0f - rank, rank}, g;
    MPI_Allreduce(mine, best, 2, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Reduce(&f, &g, 1, MPI_FLOAT_INT, MPI_MINLOC, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.1f %d, %.1f %d, %.1f %d\n", best[0].value, best[0].rank, best[1].value, best[1].rank, g.value, g.rank);
    struct pair order[4] = {{3, 0}, {1, 1}, {2, 2}, {1, 3}};
    qsort(order, 4, sizeof(struct pair), by_value);
    if (rank == 0)
        printf("%d %d %d %d\n", order[0].rank, order[1].rank, order[2].rank, order[3].rank);

    struct grid grid;
    place(&grid, rank);
    MPI_Comm_size(grid.comm, &n);
    MPI_Sendrecv(&rank, 1, MPI_INT, rank, 5, &bytes, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &grid.status);
    printf("%d %d: %d, from %d\n", grid.at.row, grid.at.col, n, grid.status.MPI_SOURCE);
    struct timeval t;
    gettimeofday(&t, NULL);
    if (t.tv_usec < 0 || t.tv_usec > 999999 || t.tv_sec < 1000000000)
        printf("wrong time\n");
    int table[][2] = {1, 2, 3, 4, 5}, square[2][3] = {{1}, {2, 3}};
    if (rank == 0)
        printf("%d %zu %d %d\n", table[2][0], sizeof table, square[1][1], square[0][2]);
    MPI_Comm_free(&grid.comm);
    MPI_Type_free(&type);
    MPI_Type_free(&same);
    MPI_Type_free(&column);
    free(all);
    MPI_Finalize();
    return 0;
}
