// Code generated from engine/calls/procedures.txt by go generate ./engine/calls; DO NOT EDIT.

FORTRAN(comm_split, "MPI_Comm_split",
        (F *comm, F *color, F *key, F *newcomm, F *error),
        (comm, color, key, newcomm, error),
        take_on(&c, PMPI_Comm_f2c(*comm)); take_value(&c, "color", COLOR, *color); take_value(&c, "key", NUMBER, *key),
        give_comm(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(comm_dup, "MPI_Comm_dup",
        (F *comm, F *newcomm, F *error),
        (comm, newcomm, error),
        take_on(&c, PMPI_Comm_f2c(*comm)),
        give_same(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(comm_create, "MPI_Comm_create",
        (F *comm, F *group, F *newcomm, F *error),
        (comm, group, newcomm, error),
        take_on(&c, PMPI_Comm_f2c(*comm)); take_group(&c, "group", PMPI_Group_f2c(*group)),
        give_comm(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(comm_free, "MPI_Comm_free",
        (F *comm, F *error),
        (comm, error),
        take_on(&c, PMPI_Comm_f2c(*comm)); give_up(&c),
        keep_if_failed(&c))

FORTRAN(comm_disconnect, "MPI_Comm_disconnect",
        (F *comm, F *error),
        (comm, error),
        take_on(&c, PMPI_Comm_f2c(*comm)); give_up(&c),
        keep_if_failed(&c))

FORTRAN(comm_remote_group, "MPI_Comm_remote_group",
        (F *comm, F *group, F *error),
        (comm, group, error),
        take_on(&c, PMPI_Comm_f2c(*comm)),
        give_group(&c, PMPI_Group_f2c(*group)))

FORTRAN(comm_group, "MPI_Comm_group",
        (F *comm, F *group, F *error),
        (comm, group, error),
        take_on(&c, PMPI_Comm_f2c(*comm)),
        give_group(&c, PMPI_Group_f2c(*group)))

FORTRAN(comm_set_name, "MPI_Comm_set_name",
        (F *comm, char *comm_name, F *error, size_t comm_name_size),
        (comm, comm_name, error, comm_name_size),
        take_on(&c, PMPI_Comm_f2c(*comm)); take_text(&c, "name", comm_name, comm_name_size),
        )

FORTRAN(intercomm_create, "MPI_Intercomm_create",
        (F *local_comm, F *local_leader, F *peer_comm, F *remote_leader, F *tag, F *newintercomm, F *error),
        (local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm, error),
        take_on(&c, PMPI_Comm_f2c(*local_comm)); take_value(&c, "leader", NUMBER, *local_leader); take_peer(&c, "peer", PMPI_Comm_f2c(*peer_comm)); take_value(&c, "remoteleader", NUMBER, *remote_leader); take_value(&c, "tag", NUMBER, *tag),
        give_comm(&c, PMPI_Comm_f2c(*newintercomm)))

FORTRAN(intercomm_merge, "MPI_Intercomm_merge",
        (F *intercomm, F *high, F *newintracomm, F *error),
        (intercomm, high, newintracomm, error),
        take_on(&c, PMPI_Comm_f2c(*intercomm)); take_value(&c, "high", NUMBER, *high != 0),
        give_comm(&c, PMPI_Comm_f2c(*newintracomm)))

FORTRAN(comm_spawn, "MPI_Comm_spawn",
        (char *command, char *argv, F *maxprocs, F *info, F *root, F *comm, F *intercomm, F *array_of_errcodes, F *error, size_t command_size, size_t argv_size),
        (command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes, error, command_size, argv_size),
        take_on(&c, PMPI_Comm_f2c(*comm)); take_command(&c, *root, command, command_size); take_value(&c, "maxprocs", NUMBER, *maxprocs); take_value(&c, "root", NUMBER, *root),
        give_comm(&c, PMPI_Comm_f2c(*intercomm)))

FORTRAN(comm_spawn_multiple, "MPI_Comm_spawn_multiple",
        (F *count, char *array_of_commands, char *array_of_argv, F *array_of_maxprocs, F *array_of_info, F *root, F *comm, F *intercomm, F *array_of_errcodes, F *error, size_t array_of_commands_size, size_t array_of_argv_size),
        (count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm, intercomm, array_of_errcodes, error, array_of_commands_size, array_of_argv_size),
        take_on(&c, PMPI_Comm_f2c(*comm)); take_command(&c, *root, array_of_commands, array_of_commands_size); take_value(&c, "maxprocs", NUMBER, is_root(&c, *root) && *count > 0 ? sum(LIST_OF_C(array_of_maxprocs), *count) : 0); take_value(&c, "root", NUMBER, *root),
        give_comm(&c, PMPI_Comm_f2c(*intercomm)))

FORTRAN(comm_accept, "MPI_Comm_accept",
        (char *port_name, F *info, F *root, F *comm, F *newcomm, F *error, size_t port_name_size),
        (port_name, info, root, comm, newcomm, error, port_name_size),
        take_on(&c, PMPI_Comm_f2c(*comm)); take_value(&c, "root", NUMBER, *root),
        give_comm(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(comm_connect, "MPI_Comm_connect",
        (char *port_name, F *info, F *root, F *comm, F *newcomm, F *error, size_t port_name_size),
        (port_name, info, root, comm, newcomm, error, port_name_size),
        take_on(&c, PMPI_Comm_f2c(*comm)); take_value(&c, "root", NUMBER, *root),
        give_comm(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(comm_join, "MPI_Comm_join",
        (F *fd, F *intercomm, F *error),
        (fd, intercomm, error),
        ,
        give_comm(&c, PMPI_Comm_f2c(*intercomm)))

FORTRAN(comm_get_parent, "MPI_Comm_get_parent",
        (F *parent, F *error),
        (parent, error),
        ,
        give_comm(&c, PMPI_Comm_f2c(*parent)))

FORTRAN(group_union, "MPI_Group_union",
        (F *group1, F *group2, F *newgroup, F *error),
        (group1, group2, newgroup, error),
        take_group(&c, "group", PMPI_Group_f2c(*group1)); take_group(&c, "group2", PMPI_Group_f2c(*group2)),
        give_group(&c, PMPI_Group_f2c(*newgroup)))

FORTRAN(group_intersection, "MPI_Group_intersection",
        (F *group1, F *group2, F *newgroup, F *error),
        (group1, group2, newgroup, error),
        take_group(&c, "group", PMPI_Group_f2c(*group1)); take_group(&c, "group2", PMPI_Group_f2c(*group2)),
        give_group(&c, PMPI_Group_f2c(*newgroup)))

FORTRAN(group_difference, "MPI_Group_difference",
        (F *group1, F *group2, F *newgroup, F *error),
        (group1, group2, newgroup, error),
        take_group(&c, "group", PMPI_Group_f2c(*group1)); take_group(&c, "group2", PMPI_Group_f2c(*group2)),
        give_group(&c, PMPI_Group_f2c(*newgroup)))

FORTRAN(group_incl, "MPI_Group_incl",
        (F *group, F *n, F *ranks, F *newgroup, F *error),
        (group, n, ranks, newgroup, error),
        take_group(&c, "group", PMPI_Group_f2c(*group)); take_list(&c, "ranks", LIST_OF_C(ranks), *n, 0),
        give_group(&c, PMPI_Group_f2c(*newgroup)))

FORTRAN(group_excl, "MPI_Group_excl",
        (F *group, F *n, F *ranks, F *newgroup, F *error),
        (group, n, ranks, newgroup, error),
        take_group(&c, "group", PMPI_Group_f2c(*group)); take_list(&c, "ranks", LIST_OF_C(ranks), *n, 0),
        give_group(&c, PMPI_Group_f2c(*newgroup)))

FORTRAN(group_range_incl, "MPI_Group_range_incl",
        (F *group, F *n, F *ranges, F *newgroup, F *error),
        (group, n, ranges, newgroup, error),
        take_group(&c, "group", PMPI_Group_f2c(*group)); take_list(&c, "ranges", LIST_OF_C(ranges), 3 * *n, 0),
        give_group(&c, PMPI_Group_f2c(*newgroup)))

FORTRAN(group_range_excl, "MPI_Group_range_excl",
        (F *group, F *n, F *ranges, F *newgroup, F *error),
        (group, n, ranges, newgroup, error),
        take_group(&c, "group", PMPI_Group_f2c(*group)); take_list(&c, "ranges", LIST_OF_C(ranges), 3 * *n, 0),
        give_group(&c, PMPI_Group_f2c(*newgroup)))

FORTRAN(group_free, "MPI_Group_free",
        (F *group, F *error),
        (group, error),
        take_group(&c, "group", PMPI_Group_f2c(*group)); give_up_group(&c, PMPI_Group_f2c(*group)),
        )

FORTRAN(cart_create, "MPI_Cart_create",
        (F *comm_old, F *ndims, F *dims, F *periods, F *reorder, F *comm_cart, F *error),
        (comm_old, ndims, dims, periods, reorder, comm_cart, error),
        take_on(&c, PMPI_Comm_f2c(*comm_old)); take_list(&c, "dims", LIST_OF_C(dims), *ndims, 0); take_list(&c, "periods", LIST_OF_C(periods), *ndims, 1); take_value(&c, "reorder", NUMBER, *reorder != 0),
        give_comm(&c, PMPI_Comm_f2c(*comm_cart)))

FORTRAN(cart_sub, "MPI_Cart_sub",
        (F *comm, F *remain_dims, F *newcomm, F *error),
        (comm, remain_dims, newcomm, error),
        take_on(&c, PMPI_Comm_f2c(*comm)); take_list(&c, "remain", LIST_OF_C(remain_dims), sizes_of(c.comm), 1),
        give_comm(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(graph_create, "MPI_Graph_create",
        (F *comm_old, F *nnodes, F *index, F *edges, F *reorder, F *comm_graph, F *error),
        (comm_old, nnodes, index, edges, reorder, comm_graph, error),
        take_on(&c, PMPI_Comm_f2c(*comm_old)); take_list(&c, "index", LIST_OF_C(index), *nnodes, 0); take_list(&c, "edges", LIST_OF_C(edges), *nnodes > 0 ? index[*nnodes - 1] : 0, 0); take_value(&c, "reorder", NUMBER, *reorder != 0),
        give_comm(&c, PMPI_Comm_f2c(*comm_graph)))

#if STANDARD >= 22

FORTRAN(dist_graph_create_adjacent, "MPI_Dist_graph_create_adjacent",
        (F *comm_old, F *indegree, F *sources, F *sourceweights, F *outdegree, F *destinations, F *destweights, F *info, F *reorder, F *comm_dist_graph, F *error),
        (comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, comm_dist_graph, error),
        take_on(&c, PMPI_Comm_f2c(*comm_old)); take_list(&c, "sources", LIST_OF_C(sources), *indegree, 0); take_list(&c, "destinations", LIST_OF_C(destinations), *outdegree, 0); take_value(&c, "reorder", NUMBER, *reorder != 0),
        give_comm(&c, PMPI_Comm_f2c(*comm_dist_graph)))

FORTRAN(dist_graph_create, "MPI_Dist_graph_create",
        (F *comm_old, F *n, F *sources, F *degrees, F *destinations, F *weights, F *info, F *reorder, F *comm_dist_graph, F *error),
        (comm_old, n, sources, degrees, destinations, weights, info, reorder, comm_dist_graph, error),
        take_on(&c, PMPI_Comm_f2c(*comm_old)); take_list(&c, "sources", LIST_OF_C(sources), *n, 0); take_list(&c, "degrees", LIST_OF_C(degrees), *n, 0); take_list(&c, "destinations", LIST_OF_C(destinations), sum(LIST_OF_C(degrees), *n), 0); take_value(&c, "reorder", NUMBER, *reorder != 0),
        give_comm(&c, PMPI_Comm_f2c(*comm_dist_graph)))
#endif

#if STANDARD >= 30

FORTRAN(comm_split_type, "MPI_Comm_split_type",
        (F *comm, F *split_type, F *key, F *info, F *newcomm, F *error),
        (comm, split_type, key, info, newcomm, error),
        take_on(&c, PMPI_Comm_f2c(*comm)); take_value(&c, "type", TYPE, *split_type); take_value(&c, "key", NUMBER, *key); take_info(&c, PMPI_Info_f2c(*info)),
        give_comm(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(comm_dup_with_info, "MPI_Comm_dup_with_info",
        (F *comm, F *info, F *newcomm, F *error),
        (comm, info, newcomm, error),
        take_on(&c, PMPI_Comm_f2c(*comm)),
        give_same(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(comm_idup, "MPI_Comm_idup",
        (F *comm, F *newcomm, F *request, F *error),
        (comm, newcomm, request, error),
        take_on(&c, PMPI_Comm_f2c(*comm)),
        give_same(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(comm_create_group, "MPI_Comm_create_group",
        (F *comm, F *group, F *tag, F *newcomm, F *error),
        (comm, group, tag, newcomm, error),
        take_on(&c, PMPI_Comm_f2c(*comm)); take_group(&c, "group", PMPI_Group_f2c(*group)); take_value(&c, "tag", NUMBER, *tag),
        give_comm(&c, PMPI_Comm_f2c(*newcomm)))
#endif

#if STANDARD >= 40

FORTRAN(comm_idup_with_info, "MPI_Comm_idup_with_info",
        (F *comm, F *info, F *newcomm, F *request, F *error),
        (comm, info, newcomm, request, error),
        take_on(&c, PMPI_Comm_f2c(*comm)),
        give_same(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(comm_create_from_group, "MPI_Comm_create_from_group",
        (F *group, char *stringtag, F *info, F *errhandler, F *newcomm, F *error, size_t stringtag_size),
        (group, stringtag, info, errhandler, newcomm, error, stringtag_size),
        take_group(&c, "group", PMPI_Group_f2c(*group)); take_text(&c, "stringtag", stringtag, stringtag_size); start_with_group(&c, PMPI_Group_f2c(*group)),
        give_first(&c, PMPI_Comm_f2c(*newcomm)))

FORTRAN(intercomm_create_from_groups, "MPI_Intercomm_create_from_groups",
        (F *local_group, F *local_leader, F *remote_group, F *remote_leader, char *stringtag, F *info, F *errhandler, F *newintercomm, F *error, size_t stringtag_size),
        (local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler, newintercomm, error, stringtag_size),
        take_group(&c, "group", PMPI_Group_f2c(*local_group)); take_value(&c, "leader", NUMBER, *local_leader); take_group(&c, "remotegroup", PMPI_Group_f2c(*remote_group)); take_value(&c, "remoteleader", NUMBER, *remote_leader); take_text(&c, "stringtag", stringtag, stringtag_size),
        give_first(&c, PMPI_Comm_f2c(*newintercomm)))

FORTRAN(session_init, "MPI_Session_init",
        (F *info, F *errhandler, F *session, F *error),
        (info, errhandler, session, error),
        ,
        give_session(&c, PMPI_Session_f2c(*session)))

FORTRAN(session_finalize, "MPI_Session_finalize",
        (F *session, F *error),
        (session, error),
        take_session(&c, PMPI_Session_f2c(*session)); give_up_session(&c, PMPI_Session_f2c(*session)),
        )

FORTRAN(group_from_session_pset, "MPI_Group_from_session_pset",
        (F *session, char *pset_name, F *newgroup, F *error, size_t pset_name_size),
        (session, pset_name, newgroup, error, pset_name_size),
        take_session(&c, PMPI_Session_f2c(*session)); take_text(&c, "pset", pset_name, pset_name_size),
        give_group(&c, PMPI_Group_f2c(*newgroup)))
#endif
