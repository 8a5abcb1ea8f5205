// Code generated from engine/calls/procedures.txt by go generate ./engine/calls; DO NOT EDIT.

WRAP(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm),
     (comm, color, key, newcomm),
     take_on(&c, comm); take_value(&c, "color", COLOR, color); take_value(&c, "key", NUMBER, key),
     give_comm(&c, *newcomm))

WRAP(Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm),
     (comm, newcomm),
     take_on(&c, comm),
     give_same(&c, *newcomm))

WRAP(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm),
     (comm, group, newcomm),
     take_on(&c, comm); take_group(&c, "group", group),
     give_comm(&c, *newcomm))

WRAP(Comm_free, (MPI_Comm *comm),
     (comm),
     take_on(&c, *comm); give_up(&c),
     keep_if_failed(&c))

WRAP(Comm_disconnect, (MPI_Comm *comm),
     (comm),
     take_on(&c, *comm); give_up(&c),
     keep_if_failed(&c))

WRAP(Comm_remote_group, (MPI_Comm comm, MPI_Group *group),
     (comm, group),
     take_on(&c, comm),
     give_group(&c, *group))

WRAP(Comm_group, (MPI_Comm comm, MPI_Group *group),
     (comm, group),
     take_on(&c, comm),
     give_group(&c, *group))

WRAP(Comm_set_name, (MPI_Comm comm, CONST char *comm_name),
     (comm, comm_name),
     take_on(&c, comm); take_text(&c, "name", comm_name, (size_t)-1),
     )

WRAP(Intercomm_create, (MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag, MPI_Comm *newintercomm),
     (local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm),
     take_on(&c, local_comm); take_value(&c, "leader", NUMBER, local_leader); take_peer(&c, "peer", peer_comm); take_value(&c, "remoteleader", NUMBER, remote_leader); take_value(&c, "tag", NUMBER, tag),
     give_comm(&c, *newintercomm))

WRAP(Intercomm_merge, (MPI_Comm intercomm, int high, MPI_Comm *newintracomm),
     (intercomm, high, newintracomm),
     take_on(&c, intercomm); take_value(&c, "high", NUMBER, high != 0),
     give_comm(&c, *newintracomm))

WRAP(Comm_spawn, (CONST char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]),
     (command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes),
     take_on(&c, comm); take_command(&c, root, command, (size_t)-1); take_value(&c, "maxprocs", NUMBER, maxprocs); take_value(&c, "root", NUMBER, root),
     give_comm(&c, *intercomm))

WRAP(Comm_spawn_multiple, (int count, char *array_of_commands[], char **array_of_argv[], CONST int array_of_maxprocs[], CONST MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]),
     (count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm, intercomm, array_of_errcodes),
     take_on(&c, comm); take_command(&c, root, is_root(&c, root) && count > 0 ? array_of_commands[0] : NULL, (size_t)-1); take_value(&c, "maxprocs", NUMBER, is_root(&c, root) && count > 0 ? sum(array_of_maxprocs, count) : 0); take_value(&c, "root", NUMBER, root),
     give_comm(&c, *intercomm))

WRAP(Comm_accept, (CONST char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm),
     (port_name, info, root, comm, newcomm),
     take_on(&c, comm); take_value(&c, "root", NUMBER, root),
     give_comm(&c, *newcomm))

WRAP(Comm_connect, (CONST char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm),
     (port_name, info, root, comm, newcomm),
     take_on(&c, comm); take_value(&c, "root", NUMBER, root),
     give_comm(&c, *newcomm))

WRAP(Comm_join, (int fd, MPI_Comm *intercomm),
     (fd, intercomm),
     ,
     give_comm(&c, *intercomm))

WRAP(Comm_get_parent, (MPI_Comm *parent),
     (parent),
     ,
     give_comm(&c, *parent))

WRAP(Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup),
     (group1, group2, newgroup),
     take_group(&c, "group", group1); take_group(&c, "group2", group2),
     give_group(&c, *newgroup))

WRAP(Group_intersection, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup),
     (group1, group2, newgroup),
     take_group(&c, "group", group1); take_group(&c, "group2", group2),
     give_group(&c, *newgroup))

WRAP(Group_difference, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup),
     (group1, group2, newgroup),
     take_group(&c, "group", group1); take_group(&c, "group2", group2),
     give_group(&c, *newgroup))

WRAP(Group_incl, (MPI_Group group, int n, CONST int ranks[], MPI_Group *newgroup),
     (group, n, ranks, newgroup),
     take_group(&c, "group", group); take_list(&c, "ranks", ranks, n, 0),
     give_group(&c, *newgroup))

WRAP(Group_excl, (MPI_Group group, int n, CONST int ranks[], MPI_Group *newgroup),
     (group, n, ranks, newgroup),
     take_group(&c, "group", group); take_list(&c, "ranks", ranks, n, 0),
     give_group(&c, *newgroup))

WRAP(Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup),
     (group, n, ranges, newgroup),
     take_group(&c, "group", group); take_list(&c, "ranges", ranges, 3 * n, 0),
     give_group(&c, *newgroup))

WRAP(Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup),
     (group, n, ranges, newgroup),
     take_group(&c, "group", group); take_list(&c, "ranges", ranges, 3 * n, 0),
     give_group(&c, *newgroup))

WRAP(Group_free, (MPI_Group *group),
     (group),
     take_group(&c, "group", *group); give_up_group(&c, *group),
     )

WRAP(Cart_create, (MPI_Comm comm_old, int ndims, CONST int dims[], CONST int periods[], int reorder, MPI_Comm *comm_cart),
     (comm_old, ndims, dims, periods, reorder, comm_cart),
     take_on(&c, comm_old); take_list(&c, "dims", dims, ndims, 0); take_list(&c, "periods", periods, ndims, 1); take_value(&c, "reorder", NUMBER, reorder != 0),
     give_comm(&c, *comm_cart))

WRAP(Cart_sub, (MPI_Comm comm, CONST int remain_dims[], MPI_Comm *newcomm),
     (comm, remain_dims, newcomm),
     take_on(&c, comm); take_list(&c, "remain", remain_dims, sizes_of(c.comm), 1),
     give_comm(&c, *newcomm))

WRAP(Graph_create, (MPI_Comm comm_old, int nnodes, CONST int index[], CONST int edges[], int reorder, MPI_Comm *comm_graph),
     (comm_old, nnodes, index, edges, reorder, comm_graph),
     take_on(&c, comm_old); take_list(&c, "index", index, nnodes, 0); take_list(&c, "edges", edges, nnodes > 0 ? index[nnodes - 1] : 0, 0); take_value(&c, "reorder", NUMBER, reorder != 0),
     give_comm(&c, *comm_graph))

#if STANDARD >= 22

WRAP(Dist_graph_create_adjacent, (MPI_Comm comm_old, int indegree, CONST int sources[], CONST int sourceweights[], int outdegree, CONST int destinations[], CONST int destweights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph),
     (comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, comm_dist_graph),
     take_on(&c, comm_old); take_list(&c, "sources", sources, indegree, 0); take_list(&c, "destinations", destinations, outdegree, 0); take_value(&c, "reorder", NUMBER, reorder != 0),
     give_comm(&c, *comm_dist_graph))

WRAP(Dist_graph_create, (MPI_Comm comm_old, int n, CONST int sources[], CONST int degrees[], CONST int destinations[], CONST int weights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph),
     (comm_old, n, sources, degrees, destinations, weights, info, reorder, comm_dist_graph),
     take_on(&c, comm_old); take_list(&c, "sources", sources, n, 0); take_list(&c, "degrees", degrees, n, 0); take_list(&c, "destinations", destinations, sum(degrees, n), 0); take_value(&c, "reorder", NUMBER, reorder != 0),
     give_comm(&c, *comm_dist_graph))
#endif

#if STANDARD >= 30

WRAP(Comm_split_type, (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm),
     (comm, split_type, key, info, newcomm),
     take_on(&c, comm); take_value(&c, "type", TYPE, split_type); take_value(&c, "key", NUMBER, key); take_info(&c, info),
     give_comm(&c, *newcomm))

WRAP(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm),
     (comm, info, newcomm),
     take_on(&c, comm),
     give_same(&c, *newcomm))

WRAP(Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request),
     (comm, newcomm, request),
     take_on(&c, comm),
     give_same(&c, *newcomm))

WRAP(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm),
     (comm, group, tag, newcomm),
     take_on(&c, comm); take_group(&c, "group", group); take_value(&c, "tag", NUMBER, tag),
     give_comm(&c, *newcomm))
#endif

#if STANDARD >= 40

WRAP(Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request),
     (comm, info, newcomm, request),
     take_on(&c, comm),
     give_same(&c, *newcomm))

WRAP(Comm_create_from_group, (MPI_Group group, CONST char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newcomm),
     (group, stringtag, info, errhandler, newcomm),
     take_group(&c, "group", group); take_text(&c, "stringtag", stringtag, (size_t)-1); start_with_group(&c, group),
     give_first(&c, *newcomm))

WRAP(Intercomm_create_from_groups, (MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader, CONST char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm),
     (local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler, newintercomm),
     take_group(&c, "group", local_group); take_value(&c, "leader", NUMBER, local_leader); take_group(&c, "remotegroup", remote_group); take_value(&c, "remoteleader", NUMBER, remote_leader); take_text(&c, "stringtag", stringtag, (size_t)-1),
     give_first(&c, *newintercomm))

WRAP(Session_init, (MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session),
     (info, errhandler, session),
     ,
     give_session(&c, *session))

WRAP(Session_finalize, (MPI_Session *session),
     (session),
     take_session(&c, *session); give_up_session(&c, *session),
     )

WRAP(Group_from_session_pset, (MPI_Session session, CONST char *pset_name, MPI_Group *newgroup),
     (session, pset_name, newgroup),
     take_session(&c, session); take_text(&c, "pset", pset_name, (size_t)-1),
     give_group(&c, *newgroup))
#endif
