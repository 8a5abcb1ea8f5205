/* ---- Texts between ranks, in pieces whose size an int holds ---- */

enum { PIECE = 1 << 20 };

static void send_text(const struct text *t, int to, MPI_Comm comm)
{
	unsigned long long size = t->size;
	MPI_Send(&size, 1, MPI_UNSIGNED_LONG_LONG, to, 0, comm);
	for (size_t at = 0; at < t->size; at += PIECE) {
		size_t n = t->size - at;
		MPI_Send(t->bytes + at, n < PIECE ? (int)n : PIECE, MPI_CHAR, to, 0, comm);
	}
}

static void receive_text(struct text *t, int from, MPI_Comm comm)
{
	unsigned long long size;
	MPI_Recv(&size, 1, MPI_UNSIGNED_LONG_LONG, from, 0, comm, MPI_STATUS_IGNORE);
	char *piece = malloc(PIECE);
	if (piece == NULL) {
		fprintf(stderr, ME ": out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	while (t->size < size) {
		size_t n = size - t->size;
		n = n < PIECE ? n : PIECE;
		MPI_Recv(piece, (int)n, MPI_CHAR, from, 0, comm, MPI_STATUS_IGNORE);
		add(t, piece, n);
	}
	free(piece);
}

