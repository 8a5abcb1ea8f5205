/* ---- All ranks ---- */

/* The processes that share memory with this one. */
static void find_host(MPI_Comm world, int world_rank, MPI_Comm *host)
{
#if MPI_VERSION >= 3
	MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, world_rank, MPI_INFO_NULL, host);
#else /* those whose host has the same name */
	struct text name = {NULL, 0, 0};
	char own[NAME_SIZE];
	host_name(own);
	add(&name, own, strlen(own));
	MPI_Comm_split(world, (int)(hash(&name) & INT_MAX), world_rank, host);
	clear(&name);
#endif
}

/*
 * Every rank of a communicator with all of MPI_COMM_WORLD's ranks tells what it knows; rank 0 adds it to the
 * archive, and learns how much there was. Gives 0 or 1, the same on all.
 */
static int probe(FILE *archive, const char *path, int sysfs, MPI_Comm world, struct summary *summary)
{
	struct text report = {NULL, 0, 0}, files = {NULL, 0, 0};
	int world_rank, world_size, rank, failed = 0;
	MPI_Comm host, firsts;
	MPI_Comm_rank(world, &world_rank);
	MPI_Comm_size(world, &world_size);
	find_host(world, world_rank, &host);
	MPI_Comm_rank(host, &rank);
	MPI_Comm_split(world, rank == 0 ? 0 : MPI_UNDEFINED, world_rank, &firsts);
	report_ranks(&report, host, world_rank);
	if (rank == 0)
		report_hardware(&report, &files, sysfs);
	if (world_rank == 0) {
		failed = gather(archive, path, &report, &files, firsts, world_size, summary);
	} else if (rank == 0) {
		send_text(&report, 0, firsts);
		give_hardware(&files, firsts);
	}
	clear(&report);
	clear(&files);
	MPI_Comm_free(&host);
	if (firsts != MPI_COMM_NULL)
		MPI_Comm_free(&firsts);
	MPI_Bcast(&failed, 1, MPI_INT, 0, world);
	return failed;
}

