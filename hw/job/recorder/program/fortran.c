/* ---- Calls of Fortran: mpif.h and "use mpi", then "use mpi_f08" ---- */

/*
 * Some libraries' Fortran goes through the calls of C above, and some libraries' does not. Either way it is the call
 * of Fortran that is recorded, and what the library calls inside of it is not (see inside). The library's own
 * function, which converts the arguments, is found by the name that it has for profiling, or behind the recorder.
 */
#define FORTRAN_AS(NAME, PROFILED, PROFILED2, CALL, PARAMETERS, ARGUMENTS, TAKE, GIVE) \
	extern void PROFILED PARAMETERS __attribute__((weak)); \
	extern void PROFILED2 PARAMETERS __attribute__((weak)); \
	void NAME PARAMETERS; \
	void NAME PARAMETERS \
	{ \
		static void (*real) PARAMETERS; \
		MPI_Fint own = MPI_SUCCESS; \
		struct call c; \
		if (real == NULL) { \
			void (*found) PARAMETERS = PROFILED != NULL ? PROFILED : PROFILED2; \
			if (found == NULL) \
				*(void **)&found = behind(#NAME); \
			real = found; \
		} \
		if (error == NULL) /* it is optional in mpi_f08 */ \
			error = &own; \
		if (!begin(&c, CALL, HERE)) { \
			real ARGUMENTS; \
			return; \
		} \
		TAKE; \
		enter(&c); \
		real ARGUMENTS; \
		leave(&c, *error); \
		GIVE; \
		finish(&c); \
	}

#define FORTRAN(NAME, CALL, PARAMETERS, ARGUMENTS, TAKE, GIVE) \
	FORTRAN_AS(mpi_##NAME##_, pmpi_##NAME##_, pmpi_##NAME##__, CALL, PARAMETERS, ARGUMENTS, TAKE, GIVE) \
	FORTRAN_AS(mpi_##NAME##_f08_, pmpi_##NAME##_f08_, pmpir_##NAME##_f08_, CALL, PARAMETERS, ARGUMENTS, TAKE, GIVE)

/* A function of the library that no name for profiling has. */
static void *behind(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);
	if (function == NULL) {
		fprintf(stderr, ME ": the MPI library has no %s\n", name);
		abort();
	}
	return function;
}

typedef MPI_Fint F; /* an INTEGER, a LOGICAL, or a handle of Fortran */

/* Lists of Fortran are those of C where an INTEGER is an int. */
#define F_INTS(NAME, LIST, N) take_list(&c, NAME, sizeof(F) == sizeof(int) ? LIST : NULL, N, 0)
#define F_FLAGS(NAME, LIST, N) take_list(&c, NAME, sizeof(F) == sizeof(int) ? LIST : NULL, N, 1)
#define F_SUM(LIST, N) (sizeof(F) == sizeof(int) ? sum((const int *)(const void *)(LIST), N) : 0)
#define F_ON(COMM) take_on(&c, PMPI_Comm_f2c(*COMM))
#define F_GROUP(NAME, GROUP) take_group(&c, NAME, PMPI_Group_f2c(*GROUP))
#define F_COMM_GIVEN give_comm(&c, PMPI_Comm_f2c(*newcomm))
#define F_SAME_GIVEN give_same(&c, PMPI_Comm_f2c(*newcomm))
#define F_GROUP_GIVEN give_group(&c, PMPI_Group_f2c(*newgroup))

/* MPI_Init, MPI_Finalize and MPI_Abort are not recorded, but something is done before or after them. */
#define FORTRAN_END_AS(NAME, PROFILED, PROFILED2, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
	extern void PROFILED PARAMETERS __attribute__((weak)); \
	extern void PROFILED2 PARAMETERS __attribute__((weak)); \
	void NAME PARAMETERS; \
	void NAME PARAMETERS \
	{ \
		void (*real) PARAMETERS = PROFILED != NULL ? PROFILED : PROFILED2; \
		MPI_Fint own = MPI_SUCCESS; \
		int outer = !inside; \
		if (real == NULL) \
			*(void **)&real = behind(#NAME); \
		if (error == NULL) \
			error = &own; \
		if (outer) { \
			BEFORE; \
		} \
		inside = 1; \
		real ARGUMENTS; \
		inside = !outer; \
		if (outer && *error == MPI_SUCCESS) { \
			AFTER; \
		} \
	}

#define FORTRAN_END(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
	FORTRAN_END_AS(mpi_##NAME##_, pmpi_##NAME##_, pmpi_##NAME##__, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
	FORTRAN_END_AS(mpi_##NAME##_f08_, pmpi_##NAME##_f08_, pmpir_##NAME##_f08_, PARAMETERS, ARGUMENTS, BEFORE, AFTER)

FORTRAN_END(init, (F *error), (error), before_init(), start())
FORTRAN_END(init_thread, (F *required, F *provided, F *error), (required, provided, error), before_init(), start())
FORTRAN_END(finalize, (F *error), (error), stop(), )
FORTRAN_END(abort, (F *comm, F *code, F *error), (comm, code, error), stop_alone("abort", 0), )

FORTRAN(comm_dup, "MPI_Comm_dup", (F *comm, F *newcomm, F *error), (comm, newcomm, error), F_ON(comm), F_SAME_GIVEN)
FORTRAN(comm_create, "MPI_Comm_create", (F *comm, F *group, F *newcomm, F *error), (comm, group, newcomm, error),
        F_ON(comm); F_GROUP("group", group), F_COMM_GIVEN)
FORTRAN(comm_split, "MPI_Comm_split", (F *comm, F *color, F *key, F *newcomm, F *error),
        (comm, color, key, newcomm, error),
        F_ON(comm); take_color(&c, "color", *color); take_int(&c, "key", *key), F_COMM_GIVEN)

FORTRAN(cart_create, "MPI_Cart_create", (F *comm, F *ndims, F *dims, F *periods, F *reorder, F *newcomm, F *error),
        (comm, ndims, dims, periods, reorder, newcomm, error),
        F_ON(comm); F_INTS("dims", dims, *ndims); F_FLAGS("periods", periods, *ndims);
        take_flag(&c, "reorder", *reorder), F_COMM_GIVEN)
FORTRAN(cart_sub, "MPI_Cart_sub", (F *comm, F *remain, F *newcomm, F *error), (comm, remain, newcomm, error),
        F_ON(comm); F_FLAGS("remain", remain, sizes_of(c.comm)), F_COMM_GIVEN)
FORTRAN(graph_create, "MPI_Graph_create", (F *comm, F *nodes, F *index, F *edges, F *reorder, F *newcomm, F *error),
        (comm, nodes, index, edges, reorder, newcomm, error),
        F_ON(comm); F_INTS("index", index, *nodes); F_INTS("edges", edges, *nodes > 0 ? index[*nodes - 1] : 0);
        take_flag(&c, "reorder", *reorder), F_COMM_GIVEN)

FORTRAN(intercomm_create, "MPI_Intercomm_create",
        (F *comm, F *leader, F *peer, F *remote, F *tag, F *newcomm, F *error),
        (comm, leader, peer, remote, tag, newcomm, error),
        F_ON(comm); take_int(&c, "leader", *leader); take_peer(&c, "peer", PMPI_Comm_f2c(*peer));
        take_int(&c, "remoteleader", *remote); take_int(&c, "tag", *tag), F_COMM_GIVEN)
FORTRAN(intercomm_merge, "MPI_Intercomm_merge", (F *comm, F *high, F *newcomm, F *error),
        (comm, high, newcomm, error), F_ON(comm); take_flag(&c, "high", *high), F_COMM_GIVEN)

FORTRAN(comm_spawn, "MPI_Comm_spawn",
        (char *command, char *argv, F *maxprocs, F *info, F *root, F *comm, F *newcomm, F *errors, F *error,
         size_t size, size_t argv_size),
        (command, argv, maxprocs, info, root, comm, newcomm, errors, error, size, argv_size),
        F_ON(comm); take_command(&c, *root, command, size); take_int(&c, "maxprocs", *maxprocs);
        take_int(&c, "root", *root), F_COMM_GIVEN)
FORTRAN(comm_spawn_multiple, "MPI_Comm_spawn_multiple",
        (F *count, char *commands, char *argvs, F *maxprocs, F *infos, F *root, F *comm, F *newcomm, F *errors,
         F *error, size_t size, size_t argv_size),
        (count, commands, argvs, maxprocs, infos, root, comm, newcomm, errors, error, size, argv_size),
        F_ON(comm); int is_root = c.on.rank == *root; take_command(&c, *root, commands, size);
        take_int(&c, "maxprocs", is_root ? F_SUM(maxprocs, *count) : 0); take_int(&c, "root", *root), F_COMM_GIVEN)
FORTRAN(comm_accept, "MPI_Comm_accept", (char *port, F *info, F *root, F *comm, F *newcomm, F *error, size_t size),
        (port, info, root, comm, newcomm, error, size), F_ON(comm); take_int(&c, "root", *root), F_COMM_GIVEN)
FORTRAN(comm_connect, "MPI_Comm_connect", (char *port, F *info, F *root, F *comm, F *newcomm, F *error, size_t size),
        (port, info, root, comm, newcomm, error, size), F_ON(comm); take_int(&c, "root", *root), F_COMM_GIVEN)
FORTRAN(comm_join, "MPI_Comm_join", (F *socket, F *newcomm, F *error), (socket, newcomm, error), , F_COMM_GIVEN)
FORTRAN(comm_get_parent, "MPI_Comm_get_parent", (F *newcomm, F *error), (newcomm, error), , F_COMM_GIVEN)

FORTRAN(comm_set_name, "MPI_Comm_set_name", (F *comm, char *name, F *error, size_t size), (comm, name, error, size),
        F_ON(comm); take_text(&c, "name", name, size), )
FORTRAN(comm_free, "MPI_Comm_free", (F *comm, F *error), (comm, error), F_ON(comm); give_up(&c), keep_if_failed(&c))
FORTRAN(comm_disconnect, "MPI_Comm_disconnect", (F *comm, F *error), (comm, error), F_ON(comm); give_up(&c),
        keep_if_failed(&c))

FORTRAN(comm_group, "MPI_Comm_group", (F *comm, F *newgroup, F *error), (comm, newgroup, error), F_ON(comm),
        F_GROUP_GIVEN)
FORTRAN(comm_remote_group, "MPI_Comm_remote_group", (F *comm, F *newgroup, F *error), (comm, newgroup, error),
        F_ON(comm), F_GROUP_GIVEN)
FORTRAN(group_incl, "MPI_Group_incl", (F *group, F *n, F *ranks, F *newgroup, F *error),
        (group, n, ranks, newgroup, error), F_GROUP("group", group); F_INTS("ranks", ranks, *n), F_GROUP_GIVEN)
FORTRAN(group_excl, "MPI_Group_excl", (F *group, F *n, F *ranks, F *newgroup, F *error),
        (group, n, ranks, newgroup, error), F_GROUP("group", group); F_INTS("ranks", ranks, *n), F_GROUP_GIVEN)
FORTRAN(group_range_incl, "MPI_Group_range_incl", (F *group, F *n, F *ranges, F *newgroup, F *error),
        (group, n, ranges, newgroup, error), F_GROUP("group", group); F_INTS("ranges", ranges, 3 * *n), F_GROUP_GIVEN)
FORTRAN(group_range_excl, "MPI_Group_range_excl", (F *group, F *n, F *ranges, F *newgroup, F *error),
        (group, n, ranges, newgroup, error), F_GROUP("group", group); F_INTS("ranges", ranges, 3 * *n), F_GROUP_GIVEN)
FORTRAN(group_union, "MPI_Group_union", (F *group, F *group2, F *newgroup, F *error),
        (group, group2, newgroup, error), F_GROUP("group", group); F_GROUP("group2", group2), F_GROUP_GIVEN)
FORTRAN(group_intersection, "MPI_Group_intersection", (F *group, F *group2, F *newgroup, F *error),
        (group, group2, newgroup, error), F_GROUP("group", group); F_GROUP("group2", group2), F_GROUP_GIVEN)
FORTRAN(group_difference, "MPI_Group_difference", (F *group, F *group2, F *newgroup, F *error),
        (group, group2, newgroup, error), F_GROUP("group", group); F_GROUP("group2", group2), F_GROUP_GIVEN)
FORTRAN(group_free, "MPI_Group_free", (F *group, F *error), (group, error),
        F_GROUP("group", group); give_up_group(&c, PMPI_Group_f2c(*group)), )

#if STANDARD >= 22
FORTRAN(dist_graph_create, "MPI_Dist_graph_create",
        (F *comm, F *n, F *sources, F *degrees, F *destinations, F *weights, F *info, F *reorder, F *newcomm, F *error),
        (comm, n, sources, degrees, destinations, weights, info, reorder, newcomm, error),
        F_ON(comm); F_INTS("sources", sources, *n); F_INTS("degrees", degrees, *n);
        F_INTS("destinations", destinations, F_SUM(degrees, *n)); take_flag(&c, "reorder", *reorder), F_COMM_GIVEN)
FORTRAN(dist_graph_create_adjacent, "MPI_Dist_graph_create_adjacent",
        (F *comm, F *indegree, F *sources, F *in_weights, F *outdegree, F *destinations, F *out_weights, F *info,
         F *reorder, F *newcomm, F *error),
        (comm, indegree, sources, in_weights, outdegree, destinations, out_weights, info, reorder, newcomm, error),
        F_ON(comm); F_INTS("sources", sources, *indegree); F_INTS("destinations", destinations, *outdegree);
        take_flag(&c, "reorder", *reorder), F_COMM_GIVEN)
#endif

#if STANDARD >= 30
FORTRAN(comm_dup_with_info, "MPI_Comm_dup_with_info", (F *comm, F *info, F *newcomm, F *error),
        (comm, info, newcomm, error), F_ON(comm), F_SAME_GIVEN)
FORTRAN(comm_idup, "MPI_Comm_idup", (F *comm, F *newcomm, F *request, F *error), (comm, newcomm, request, error),
        F_ON(comm), F_SAME_GIVEN)
FORTRAN(comm_create_group, "MPI_Comm_create_group", (F *comm, F *group, F *tag, F *newcomm, F *error),
        (comm, group, tag, newcomm, error),
        F_ON(comm); F_GROUP("group", group); take_int(&c, "tag", *tag), F_COMM_GIVEN)
FORTRAN(comm_split_type, "MPI_Comm_split_type", (F *comm, F *type, F *key, F *info, F *newcomm, F *error),
        (comm, type, key, info, newcomm, error),
        F_ON(comm); take_value(&c, "type", TYPE, *type); take_int(&c, "key", *key);
        take_info(&c, PMPI_Info_f2c(*info)), F_COMM_GIVEN)
#endif

#if STANDARD >= 40
FORTRAN(comm_idup_with_info, "MPI_Comm_idup_with_info", (F *comm, F *info, F *newcomm, F *request, F *error),
        (comm, info, newcomm, request, error), F_ON(comm), F_SAME_GIVEN)
FORTRAN(comm_create_from_group, "MPI_Comm_create_from_group",
        (F *group, char *tag, F *info, F *handler, F *newcomm, F *error, size_t size),
        (group, tag, info, handler, newcomm, error, size),
        F_GROUP("group", group); take_text(&c, "stringtag", tag, size);
        start_with_group(&c, PMPI_Group_f2c(*group)), give_first(&c, PMPI_Comm_f2c(*newcomm)))
FORTRAN(intercomm_create_from_groups, "MPI_Intercomm_create_from_groups",
        (F *group, F *leader, F *remote, F *remote_leader, char *tag, F *info, F *handler, F *newcomm, F *error,
         size_t size),
        (group, leader, remote, remote_leader, tag, info, handler, newcomm, error, size),
        F_GROUP("group", group); take_int(&c, "leader", *leader); F_GROUP("remotegroup", remote);
        take_int(&c, "remoteleader", *remote_leader); take_text(&c, "stringtag", tag, size),
        give_first(&c, PMPI_Comm_f2c(*newcomm)))
FORTRAN(group_from_session_pset, "MPI_Group_from_session_pset",
        (F *session, char *pset, F *newgroup, F *error, size_t size), (session, pset, newgroup, error, size),
        take_session(&c, PMPI_Session_f2c(*session)); take_text(&c, "pset", pset, size), F_GROUP_GIVEN)
FORTRAN(session_init, "MPI_Session_init", (F *info, F *handler, F *session, F *error),
        (info, handler, session, error), , give_session(&c, PMPI_Session_f2c(*session)))
FORTRAN(session_finalize, "MPI_Session_finalize", (F *session, F *error), (session, error),
        take_session(&c, PMPI_Session_f2c(*session)); give_up_session(&c, PMPI_Session_f2c(*session)), )
#endif
