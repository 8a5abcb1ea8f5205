/* ---- All ranks ---- */

/* Every rank tells what it knows. Gives 0 or 1, the same on all. */
static int probe(FILE *archive, const char *path, int sysfs)
{
	struct text report = {NULL, 0, 0}, files = {NULL, 0, 0};
	int world_rank, rank, failed = 0;
	MPI_Comm host, firsts;
	MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world_rank, MPI_INFO_NULL, &host);
	MPI_Comm_rank(host, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, world_rank, &firsts);
	report_ranks(&report, host);
	if (rank == 0)
		report_hardware(&report, &files, sysfs);
	if (world_rank == 0) {
		failed = gather(archive, path, &report, &files, firsts);
	} else if (rank == 0) {
		send_text(&report, 0, firsts);
		give_hardware(&files, firsts);
	}
	clear(&report);
	clear(&files);
	MPI_Comm_free(&host);
	if (firsts != MPI_COMM_NULL)
		MPI_Comm_free(&firsts);
	MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return failed;
}

int main(int argc, char **argv)
{
	int rank, failed = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	int sysfs = argc > 1 && strcmp(argv[1], "--sysfs") == 0;
	const char *path = argc == sysfs + 2 ? argv[sysfs + 1] : "-";
	if (path[0] == '-') {
		if (rank == 0)
			fprintf(stderr, "usage: probe [--sysfs] FILE.tar\n");
		MPI_Finalize();
		return 1;
	}
	FILE *archive = NULL;
	if (rank == 0) {
		archive = fopen(path, "wx"); /* not over a file that is there */
		failed = archive == NULL;
		if (failed)
			fprintf(stderr, "probe: cannot write %s: %s\n", path, strerror(errno));
	}
	MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (!failed)
		failed = probe(archive, path, sysfs);
	MPI_Finalize();
	return failed;
}
