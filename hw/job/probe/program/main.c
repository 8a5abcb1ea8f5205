/* ---- The program ---- */

/* Ends the archive, or removes it where something failed, and says what became of it. Gives 0 or 1. */
static int end_archive(FILE *archive, const char *path, int failed, const struct summary *s)
{
	static const char end[1024]; /* two empty blocks */
	if (!failed && fwrite(end, sizeof end, 1, archive) != 1) {
		fprintf(stderr, ME ": %s: cannot write: %s\n", path, strerror(errno));
		failed = 1;
	}
	if (fclose(archive) != 0 && !failed) {
		fprintf(stderr, ME ": %s: cannot write: %s\n", path, strerror(errno));
		failed = 1;
	}
	if (failed) {
		remove(path);
		fprintf(stderr, ME ": %s is not written\n", path);
	} else {
		printf("%s: %d rank%s on %d host%s, the hardware of %d from hwloc and of %d from /proc and /sys\n", path,
		       s->ranks, s->ranks == 1 ? "" : "s", s->hosts, s->hosts == 1 ? "" : "s", s->by_hwloc,
		       s->hosts - s->by_hwloc);
	}
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
			fprintf(stderr, ME ": cannot write %s: %s\n", path, strerror(errno));
	}
	MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (!failed) {
		struct summary summary;
		failed = probe(archive, path, sysfs, MPI_COMM_WORLD, &summary);
		if (rank == 0)
			failed = end_archive(archive, path, failed, &summary);
		MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return failed;
}
