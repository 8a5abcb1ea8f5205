/* Functions that MPI calls: operations, attributes, an error handler. Parameters in C's first form. */
#include <mpi.h> // MPI
#include <stdio.h>

typedef struct {
	double value;
	int rank;
} pair;

/* the last n of all values: not commutative, but associative */
void last(void *in, void *inout, int *n, MPI_Datatype *type)
{
	int i, *a = (int *)in, *b = (int *)inout;
	for (i = 0; i < *n; i++)
		b[i] = b[i] ? b[i] : a[i];
}

void best(pair *in, pair *inout, int *n, MPI_Datatype *type)
{
	for (int i = 0; i < *n; i++)
		if (in[i].value > inout[i].value)
			inout[i] = in[i];
}

int copied(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
	*(void **)out = in;
	*flag = ++*(int *)extra < 2;
	return MPI_SUCCESS;
}

int deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
	*(int *)value += 1;
	return MPI_SUCCESS;
}

void handler(MPI_Comm *comm, int *code, ...)
{
	int class;
	MPI_Error_class(*code, &class);
	printf("handler %d\n", class == MPI_ERR_RANK);
}

int twice(a, b)
int a, *b;
{
	return 2 * (a + *b);
}

main(argc, argv)
char **argv;
{
	int rank, x[2], y[2], keyval, flag, copies = 0, value = 7, *got, *most, class, code, length;
	int from[1], to[1], weight[2], in, out, weighted;
	char text[MPI_MAX_ERROR_STRING];
	pair mine, all;
	MPI_Op op;
	MPI_Comm one, two, ring;
	MPI_Errhandler errhandler;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	x[0] = rank == 3 ? 0 : rank;
	x[1] = rank == 1;
	MPI_Op_create(last, 0, &op);
	MPI_Reduce(x, y, 2, MPI_INT, op, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d %d, %d\n", y[0], y[1], twice(argc, &y[0]));
	MPI_Op_free(&op);
	mine.value = rank * 7 % 5;
	mine.rank = rank;
	MPI_Op_create((MPI_User_function *)best, 1, &op);
	MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, op, MPI_COMM_WORLD);
	MPI_Op_free(&op);
	printf("%g of %d, %d\n", all.value, all.rank, op == MPI_OP_NULL);

	MPI_Comm_create_keyval(copied, deleted, &keyval, &copies);
	MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &value);
	MPI_Comm_dup(MPI_COMM_WORLD, &one);
	MPI_Comm_dup(MPI_COMM_WORLD, &two);
	MPI_Comm_get_attr(one, keyval, &got, &flag);
	printf("%d %d\n", flag, *got);
	MPI_Comm_get_attr(two, keyval, &got, &flag);
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &in);
	printf("%d %d %d\n", flag, in, *most >= 32767);
	MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
	MPI_Comm_free(&one);
	MPI_Comm_free(&two);
	MPI_Comm_free_keyval(&keyval);
	printf("%d %d %d\n", copies, value, keyval == MPI_KEYVAL_INVALID);

	MPI_Comm_create_errhandler(handler, &errhandler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
	MPI_Errhandler_free(&errhandler);
	code = MPI_Send(&rank, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
	printf("%d\n", code != MPI_SUCCESS);
	MPI_Add_error_class(&class);
	MPI_Add_error_code(class, &code);
	MPI_Add_error_string(code, "too warm");
	MPI_Error_string(code, text, &length);
	printf("%s, %d\n", text, length);

	from[0] = (rank + 3) % 4;
	to[0] = (rank + 1) % 4;
	weight[0] = weight[1] = 5;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, weight, 1, to, weight + 1, MPI_INFO_NULL, 0, &ring);
	from[0] = to[0] = weight[0] = weight[1] = -1;
	MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted);
	MPI_Dist_graph_neighbors(ring, 1, from, weight, 1, to, weight + 1);
	printf("%d: %d %d %d, %d %d %d %d\n", rank, in, out, weighted != 0, from[0], to[0], weight[0], weight[1]);
	MPI_Comm_free(&ring);
	MPI_Finalize();
	return 0;
}
