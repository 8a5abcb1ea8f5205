/* What C means where it differs from other languages: integers wrap and divide towards zero, pointers move, and so on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <mpi.h>

#define N 4
#define SQUARE(x) ((x) * (x))
#define WORD(x) #x
#define TIMES SQUARE(N)
#define SAY(form, ...) printf("%d: " form "\n", N, ##__VA_ARGS__)
#define WRITE(form, values...) printf(form, values)
#define FIRST(a, ...) (a) - (__VA_ARGS__)

static int calls(void)
{
    static int n = 0;
    return ++n;
}

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static int descending(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

int main(int argc, char *argv[])
{
    int rank, i, j;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        MPI_Finalize();
        return 0;
    }
    int big = 2147483647;
    unsigned int u = 0;
    big += 1;
    u--;
    printf("%d %u %d %d %d %d\n", big, u, -7 / 2, -7 % 2, 7 >> 1, (char)200);

    int grid[2][3] = {{1, 2, 3}, {4, 5}};
    int sum = 0;
    for (i = 0; i < 2; i++)
        for (j = 0; j < 3; j++)
            sum += grid[i][j] * (i + 1);
    printf("%d %d %d\n", sum, (int)sizeof(grid), *(grid[1] + 1));

    int a[N] = {3, 1}, *p = a, x = 5, y = 6;
    *p++ = 9;
    p[2] = SQUARE(x + 1);
    swap(&x, &y);
    qsort(a, N, sizeof(int), descending);
    printf("%d %d %d %d %d %d %d\n", a[0], a[1], a[2], a[3], (int)(p - a), x, y);

    switch (a[1]) {
    case 9:
        printf("nine");
    case 10:
        printf(" and on\n");
        break;
    default:
        printf("else\n");
    }
    i = 0;
    do {
        if (i == 2)
            continue;
        if (i == 4)
            break;
    } while (++i < 10);
    char word[16];
    strcpy(word, "rank");
    sprintf(word + strlen(word), "-%02d", atoi("7x"));
    printf("%s|%8s|%-8s|%.2s|%c|%5.2f|%e|%g|%x|%+d|%%\n", word, "ab", "cd", "efg", 'A' + 1, 3.14159, 12345.678, 0.0001, 255, 3);
    double *d = (double *)malloc(3 * sizeof(double));
    for (i = 0; i < 3; i++)
        d[i] = sqrt(i * 4.0);
    float f = 0.1f;
    printf("%f %f %d %d %.3f\n", d[1], d[2], f == 0.1, f == 0.1f, pow(2, 0.5));
    free(d);
    calls();
    printf("%d %d %d\n", calls(), fib(10), (1, 2) + (x > 5 && y == 5 || 0));
    int (*of)(int) = fib;
    printf("%d %d\n", of(7), argc);
    _Bool b = 2, half = 0.5;
    b += 1;
    printf("%d %d %d %d\n", b, half, b + half, (_Bool)3);
    printf("%d %d %s\n", SQUARE(SQUARE(2)), TIMES, WORD(N));
    SAY("none");
    SAY("%d %s", fib(5), WORD(a b));
    WRITE("%d %d\n", FIRST(9, 2), FIRST(9, 1, 4));
    printf("%#.0f %#.0e|%.0d|%+.d|%#o %#.3o %#x %#X|%-6d|%06.1f|%#g\n", 2.0, 5e10, 0, 0, 0, 8, 0, 255, -42, -2.25, 1.5);
    MPI_Finalize();
    return 0;
}
