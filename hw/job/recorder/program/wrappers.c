/* ---- Calls of C and C++ ---- */

#define HERE (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0)

/* TAKE looks at arguments before the call, GIVE at what it gave. */
#define WRAP(NAME, PARAMETERS, ARGUMENTS, TAKE, GIVE) \
	int MPI_##NAME PARAMETERS \
	{ \
		struct call c; \
		if (!begin(&c, "MPI_" #NAME, HERE)) \
			return PMPI_##NAME ARGUMENTS; \
		TAKE; \
		enter(&c); \
		int error = PMPI_##NAME ARGUMENTS; \
		leave(&c, error); \
		GIVE; \
		finish(&c); \
		return error; \
	}

int MPI_Init(int *argc, char ***argv)
{
	if (inside)
		return PMPI_Init(argc, argv);
	before_init();
	inside = 1;
	int error = PMPI_Init(argc, argv);
	inside = 0;
	if (error == MPI_SUCCESS)
		start();
	return error;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	if (inside)
		return PMPI_Init_thread(argc, argv, required, provided);
	before_init();
	inside = 1;
	int error = PMPI_Init_thread(argc, argv, required, provided);
	inside = 0;
	if (error == MPI_SUCCESS)
		start();
	return error;
}

int MPI_Finalize(void)
{
	if (inside)
		return PMPI_Finalize();
	stop();
	inside = 1;
	int error = PMPI_Finalize();
	inside = 0;
	return error;
}

int MPI_Abort(MPI_Comm comm, int code)
{
	stop_alone("abort", 0);
	return PMPI_Abort(comm, code);
}

/* Communicators with the same processes */

WRAP(Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm), (comm, newcomm), take_on(&c, comm), give_same(&c, *newcomm))

/* Parts of a communicator */

WRAP(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm), (comm, group, newcomm),
     take_on(&c, comm); take_group(&c, "group", group), give_comm(&c, *newcomm))
WRAP(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm), (comm, color, key, newcomm),
     take_on(&c, comm); take_color(&c, "color", color); take_int(&c, "key", key), give_comm(&c, *newcomm))

/* Virtual topologies */

static int sizes_of(MPI_Comm comm)
{
	int type = MPI_UNDEFINED, sizes = 0;
	inside = 1;
	if (comm != MPI_COMM_NULL && PMPI_Topo_test(comm, &type) == MPI_SUCCESS && type == MPI_CART)
		PMPI_Cartdim_get(comm, &sizes);
	inside = 0;
	return sizes;
}

WRAP(Cart_create, (MPI_Comm comm, int ndims, CONST int dims[], CONST int periods[], int reorder, MPI_Comm *newcomm),
     (comm, ndims, dims, periods, reorder, newcomm),
     take_on(&c, comm); take_ints(&c, "dims", dims, ndims); take_flags(&c, "periods", periods, ndims);
     take_flag(&c, "reorder", reorder), give_comm(&c, *newcomm))
WRAP(Cart_sub, (MPI_Comm comm, CONST int remain[], MPI_Comm *newcomm), (comm, remain, newcomm),
     take_on(&c, comm); take_flags(&c, "remain", remain, sizes_of(comm)), give_comm(&c, *newcomm))
WRAP(Graph_create, (MPI_Comm comm, int nodes, CONST int index[], CONST int edges[], int reorder, MPI_Comm *newcomm),
     (comm, nodes, index, edges, reorder, newcomm),
     take_on(&c, comm); take_ints(&c, "index", index, nodes);
     take_ints(&c, "edges", edges, nodes > 0 ? index[nodes - 1] : 0); take_flag(&c, "reorder", reorder),
     give_comm(&c, *newcomm))

/* Two groups */

WRAP(Intercomm_create, (MPI_Comm comm, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *newcomm),
     (comm, leader, peer, remote, tag, newcomm),
     take_on(&c, comm); take_int(&c, "leader", leader); take_peer(&c, "peer", peer);
     take_int(&c, "remoteleader", remote); take_int(&c, "tag", tag), give_comm(&c, *newcomm))
WRAP(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *newcomm), (comm, high, newcomm),
     take_on(&c, comm); take_flag(&c, "high", high), give_comm(&c, *newcomm))

/* Processes of another world */

WRAP(Comm_spawn, (CONST char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
     MPI_Comm *newcomm, int errors[]), (command, argv, maxprocs, info, root, comm, newcomm, errors),
     take_on(&c, comm); take_command(&c, root, command, (size_t)-1); take_int(&c, "maxprocs", maxprocs);
     take_int(&c, "root", root), give_comm(&c, *newcomm))
WRAP(Comm_spawn_multiple, (int count, char *commands[], char **argvs[], CONST int maxprocs[],
     CONST MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *newcomm, int errors[]),
     (count, commands, argvs, maxprocs, infos, root, comm, newcomm, errors),
     take_on(&c, comm); int is_root = c.on.rank == root && count > 0;
     take_command(&c, root, is_root ? commands[0] : NULL, (size_t)-1);
     take_int(&c, "maxprocs", is_root ? sum(maxprocs, count) : 0); take_int(&c, "root", root),
     give_comm(&c, *newcomm))
WRAP(Comm_accept, (CONST char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm),
     (port, info, root, comm, newcomm), take_on(&c, comm); take_int(&c, "root", root), give_comm(&c, *newcomm))
WRAP(Comm_connect, (CONST char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm),
     (port, info, root, comm, newcomm), take_on(&c, comm); take_int(&c, "root", root), give_comm(&c, *newcomm))
WRAP(Comm_join, (int socket, MPI_Comm *newcomm), (socket, newcomm), , give_comm(&c, *newcomm))
WRAP(Comm_get_parent, (MPI_Comm *parent), (parent), , give_comm(&c, *parent))

/* Names, and the end */

WRAP(Comm_set_name, (MPI_Comm comm, CONST char *name), (comm, name),
     take_on(&c, comm); take_text(&c, "name", name, (size_t)-1), )
WRAP(Comm_free, (MPI_Comm *comm), (comm), take_on(&c, *comm); give_up(&c), keep_if_failed(&c))
WRAP(Comm_disconnect, (MPI_Comm *comm), (comm), take_on(&c, *comm); give_up(&c), keep_if_failed(&c))

/* Groups */

WRAP(Comm_group, (MPI_Comm comm, MPI_Group *group), (comm, group), take_on(&c, comm), give_group(&c, *group))
WRAP(Comm_remote_group, (MPI_Comm comm, MPI_Group *group), (comm, group), take_on(&c, comm), give_group(&c, *group))
WRAP(Group_incl, (MPI_Group group, int n, CONST int ranks[], MPI_Group *newgroup), (group, n, ranks, newgroup),
     take_group(&c, "group", group); take_ints(&c, "ranks", ranks, n), give_group(&c, *newgroup))
WRAP(Group_excl, (MPI_Group group, int n, CONST int ranks[], MPI_Group *newgroup), (group, n, ranks, newgroup),
     take_group(&c, "group", group); take_ints(&c, "ranks", ranks, n), give_group(&c, *newgroup))
WRAP(Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup), (group, n, ranges, newgroup),
     take_group(&c, "group", group); take_ints(&c, "ranges", ranges, 3 * n), give_group(&c, *newgroup))
WRAP(Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup), (group, n, ranges, newgroup),
     take_group(&c, "group", group); take_ints(&c, "ranges", ranges, 3 * n), give_group(&c, *newgroup))
WRAP(Group_union, (MPI_Group group, MPI_Group group2, MPI_Group *newgroup), (group, group2, newgroup),
     take_group(&c, "group", group); take_group(&c, "group2", group2), give_group(&c, *newgroup))
WRAP(Group_intersection, (MPI_Group group, MPI_Group group2, MPI_Group *newgroup), (group, group2, newgroup),
     take_group(&c, "group", group); take_group(&c, "group2", group2), give_group(&c, *newgroup))
WRAP(Group_difference, (MPI_Group group, MPI_Group group2, MPI_Group *newgroup), (group, group2, newgroup),
     take_group(&c, "group", group); take_group(&c, "group2", group2), give_group(&c, *newgroup))
WRAP(Group_free, (MPI_Group *group), (group), take_group(&c, "group", *group); give_up_group(&c, *group), )

#if STANDARD >= 22
WRAP(Dist_graph_create, (MPI_Comm comm, int n, CONST int sources[], CONST int degrees[], CONST int destinations[],
     CONST int weights[], MPI_Info info, int reorder, MPI_Comm *newcomm),
     (comm, n, sources, degrees, destinations, weights, info, reorder, newcomm),
     take_on(&c, comm); take_ints(&c, "sources", sources, n); take_ints(&c, "degrees", degrees, n);
     take_ints(&c, "destinations", destinations, sum(degrees, n)); take_flag(&c, "reorder", reorder),
     give_comm(&c, *newcomm))
WRAP(Dist_graph_create_adjacent, (MPI_Comm comm, int indegree, CONST int sources[], CONST int in_weights[],
     int outdegree, CONST int destinations[], CONST int out_weights[], MPI_Info info, int reorder, MPI_Comm *newcomm),
     (comm, indegree, sources, in_weights, outdegree, destinations, out_weights, info, reorder, newcomm),
     take_on(&c, comm); take_ints(&c, "sources", sources, indegree);
     take_ints(&c, "destinations", destinations, outdegree); take_flag(&c, "reorder", reorder), give_comm(&c, *newcomm))
#endif

#if STANDARD >= 30
WRAP(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm), (comm, info, newcomm),
     take_on(&c, comm), give_same(&c, *newcomm))
WRAP(Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request), (comm, newcomm, request),
     take_on(&c, comm), give_same(&c, *newcomm))
WRAP(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm), (comm, group, tag, newcomm),
     take_on(&c, comm); take_group(&c, "group", group); take_int(&c, "tag", tag), give_comm(&c, *newcomm))
WRAP(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *newcomm),
     (comm, type, key, info, newcomm),
     take_on(&c, comm); take_value(&c, "type", TYPE, type); take_int(&c, "key", key); take_info(&c, info),
     give_comm(&c, *newcomm))
#endif

#if STANDARD >= 40
WRAP(Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request),
     (comm, info, newcomm, request), take_on(&c, comm), give_same(&c, *newcomm))
WRAP(Comm_create_from_group, (MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler handler,
     MPI_Comm *newcomm), (group, tag, info, handler, newcomm),
     take_group(&c, "group", group); take_text(&c, "stringtag", tag, (size_t)-1); start_with_group(&c, group),
     give_first(&c, *newcomm))
WRAP(Intercomm_create_from_groups, (MPI_Group group, int leader, MPI_Group remote, int remote_leader,
     const char *tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm *newcomm),
     (group, leader, remote, remote_leader, tag, info, handler, newcomm),
     take_group(&c, "group", group); take_int(&c, "leader", leader); take_group(&c, "remotegroup", remote);
     take_int(&c, "remoteleader", remote_leader); take_text(&c, "stringtag", tag, (size_t)-1),
     give_first(&c, *newcomm))
WRAP(Group_from_session_pset, (MPI_Session session, const char *pset, MPI_Group *newgroup),
     (session, pset, newgroup), take_session(&c, session); take_text(&c, "pset", pset, (size_t)-1),
     give_group(&c, *newgroup))
WRAP(Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session *session), (info, handler, session), ,
     give_session(&c, *session))
WRAP(Session_finalize, (MPI_Session *session), (session), take_session(&c, *session); give_up_session(&c, *session), )
#endif

