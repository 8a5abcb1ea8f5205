/* Each call that the recorder wraps, but those that start other processes, for four processes. */
#include <mpi.h>

static MPI_Comm half;

static void split(int rank) { MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half); }

static void groups(int rank)
{
	MPI_Group world, some, more;
	MPI_Comm made;
	int ranks[] = {1, 0}, range[1][3] = {{0, 2, 2}};
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, ranks, &some);
	MPI_Group_excl(world, 2, ranks, &more);
	MPI_Group_range_incl(world, 1, range, &more);
	MPI_Group_range_excl(world, 1, range, &more);
	MPI_Group_union(some, world, &more);
	MPI_Group_intersection(some, more, &more);
	MPI_Group_difference(world, some, &more);
	MPI_Comm_create(MPI_COMM_WORLD, some, &made);
	if (rank < 2)
		MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, &made);
	MPI_Group_free(&more);
}

static void topologies(int rank)
{
	MPI_Comm made, row;
	int dims[] = {2, 2}, periods[] = {1, 0}, remain[] = {0, 1}, index[] = {1, 2}, edges[] = {1, 0}, one = 1;
	int next = (rank + 1) % 4, last = (rank + 3) % 4;
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &made);
	MPI_Cart_sub(made, remain, &row);
	MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 1, &made);
	MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
	                               MPI_INFO_NULL, 0, &made);
}

#if MPI_VERSION >= 4
static void sessions(int rank)
{
	MPI_Session session;
	MPI_Group world, even, odd;
	MPI_Comm made, copy;
	MPI_Request request;
	int range[1][3] = {{0, 2, 2}};
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
	MPI_Group_range_incl(world, 1, range, &even);
	MPI_Group_range_excl(world, 1, range, &odd);
	MPI_Comm_create_from_group(world, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
	MPI_Comm_idup_with_info(made, MPI_INFO_NULL, &copy, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&made);
	if (rank % 2 == 0)
		MPI_Intercomm_create_from_groups(even, 0, odd, 0, "halves", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
	else
		MPI_Intercomm_create_from_groups(odd, 0, even, 0, "halves", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
	MPI_Comm_free(&made);
	MPI_Session_finalize(&session);
}
#endif

int main(int argc, char **argv)
{
	MPI_Comm copy, other, whole, parent;
	MPI_Group remote;
	MPI_Request request;
	MPI_Info info;
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	split(rank);
	MPI_Comm_set_name(half, "the half");
	MPI_Comm_dup(half, &copy);
	MPI_Comm_dup_with_info(half, MPI_INFO_NULL, &other);
	MPI_Comm_idup(half, &whole, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_free(&copy);
	MPI_Comm_disconnect(&other);
	groups(rank);
	MPI_Info_create(&info);
	MPI_Info_set(info, "mpi_hw_resource_type", "Package");
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, info, &other);
	topologies(rank);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 3 - rank % 2, 3, &other);
	MPI_Comm_remote_group(other, &remote);
	MPI_Intercomm_merge(other, rank % 2 == 1, &whole);
	MPI_Comm_get_parent(&parent);
#if MPI_VERSION >= 4
	sessions(rank);
#endif
	return MPI_Finalize();
}
