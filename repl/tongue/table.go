// Package tongue knows how MPI calls are written in C, in Fortran 2008 and with mpi4py's names: one table of calls,
// by which a line of C or Fortran is read as the command or statement that it means, and a statement is said in C
// or Fortran. It runs nothing.
package tongue

import (
	"slices"
	"strings"

	"commsplit/hw/spell"
)

// Call is one MPI procedure.
type Call struct {
	Signature string // of C, without its type: "MPI_Comm_size(MPI_Comm comm, int *size)"
	statement string // what it means, as a program; {size} stands for an argument, {ranks:n} for the first n of an array
	command   string // the command that it means; "" when there is none
	params    []param
	name      string
}

// param is a parameter of C.
type param struct {
	name    string
	kind    string // "MPI_Comm", "int", "char", "void"
	pointer bool   // a pointer to a result, or an array
	array   bool
	in      bool // what the call only reads
}

func call(signature, statement, command string) *Call {
	name, rest, _ := strings.Cut(signature, "(")
	c := &Call{Signature: signature, statement: statement, command: command, name: name}
	for text := range strings.SplitSeq(strings.TrimSuffix(rest, ")"), ", ") {
		if text != "" && text != "void" {
			c.params = append(c.params, parameter(text))
		}
	}
	return c
}

// parameter reads "const int ranks[]".
func parameter(text string) param {
	p := param{}
	text, p.in = strings.CutPrefix(text, "const ")
	cut := strings.LastIndexAny(text, " *") + 1
	p.name = text[cut:]
	p.pointer = strings.Contains(text, "*") || strings.Contains(text, "[")
	p.array = strings.Contains(text, "[") || strings.HasPrefix(text, "char")
	p.name, _, _ = strings.Cut(p.name, "[")
	p.kind, _, _ = strings.Cut(text, " ")
	p.in = p.in || !p.pointer
	return p
}

// Calls is the table. Where a statement makes a command, the command comes third.
var Calls = []*Call{
	call("MPI_Comm_rank(MPI_Comm comm, int *rank)", "{rank} = {comm}.Get_rank()", ""),
	call("MPI_Comm_size(MPI_Comm comm, int *size)", "{size} = {comm}.Get_size()", ""),
	call("MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)",
		"{newcomm} = {comm}.Split({color}, {key})", "{newcomm} = split {comm} color={color} key={key}"),
	call("MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)",
		"{newcomm} = {comm}.Split_type({split_type}, {key}, {info})", "{newcomm} = split_type {comm} type={split_type} key={key} info={info}"),
	call("MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)", "{newcomm} = {comm}.Dup()", "{newcomm} = dup {comm}"),
	call("MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)",
		"{newcomm} = {comm}.Dup_with_info({info})", "{newcomm} = dup_with_info {comm} info={info}"),
	call("MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)", "{newcomm}, {request} = {comm}.Idup()", ""),
	call("MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)",
		"{newcomm}, {request} = {comm}.Idup_with_info({info})", ""),
	call("MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)",
		"{newcomm} = {comm}.Create({group})", "{newcomm} = create {comm} group={group}"),
	call("MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)",
		"{newcomm} = {comm}.Create_group({group}, {tag})", "{newcomm} = create_group {comm} group={group} tag={tag}"),
	call("MPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newcomm)",
		"{newcomm} = MPI.Intracomm.Create_from_group({group}, {stringtag}, {info}, {errhandler})", ""),
	call("MPI_Comm_free(MPI_Comm *comm)", "{comm}.Free()", "free {comm}"),
	call("MPI_Comm_disconnect(MPI_Comm *comm)", "{comm}.Disconnect()", "disconnect {comm}"),
	call("MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)", "{result} = MPI.Comm.Compare({comm1}, {comm2})", ""),
	call("MPI_Comm_test_inter(MPI_Comm comm, int *flag)", "{flag} = {comm}.Is_inter()", ""),
	call("MPI_Comm_remote_size(MPI_Comm comm, int *size)", "{size} = {comm}.Get_remote_size()", ""),
	call("MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group)", "{group} = {comm}.Get_remote_group()", ""),
	call("MPI_Comm_group(MPI_Comm comm, MPI_Group *group)", "{group} = {comm}.Get_group()", ""),
	call("MPI_Comm_set_name(MPI_Comm comm, const char *comm_name)", "{comm}.Set_name({comm_name})", "name {comm} text={comm_name}"),
	call("MPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen)",
		"{comm_name} = {comm}.Get_name()\n{resultlen} = len({comm_name})", ""),
	call("MPI_Comm_set_info(MPI_Comm comm, MPI_Info info)", "{comm}.Set_info({info})", ""),
	call("MPI_Comm_get_info(MPI_Comm comm, MPI_Info *info_used)", "{info_used} = {comm}.Get_info()", ""),
	call("MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)", "{comm}.Set_errhandler({errhandler})", ""),
	call("MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)", "{errhandler} = {comm}.Get_errhandler()", ""),
	call("MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode)", "{comm}.Call_errhandler({errorcode})", ""),
	call("MPI_Errhandler_free(MPI_Errhandler *errhandler)", "{errhandler}.Free()", ""),
	call("MPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void value)", "{comm}.Set_attr({comm_keyval}, {value})", ""),
	call("MPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void *value, int *flag)",
		"{value} = {comm}.Get_attr({comm_keyval})\n{flag} = {value} != None", ""),
	call("MPI_Comm_delete_attr(MPI_Comm comm, int comm_keyval)", "{comm}.Delete_attr({comm_keyval})", ""),
	call("MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag, MPI_Comm *newintercomm)",
		"{newintercomm} = {local_comm}.Create_intercomm({local_leader}, {peer_comm}, {remote_leader}, {tag})",
		"{newintercomm} = intercomm_create {local_comm} remote_leader={remote_leader} local_leader={local_leader} peer={peer_comm} tag={tag}"),
	call("MPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm)",
		"{newintracomm} = {intercomm}.Merge({high})", "{newintracomm} = merge {intercomm} high={high}"),
	call("MPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm)",
		"{newintercomm} = MPI.Intercomm.Create_from_groups({local_group}, {local_leader}, {remote_group}, {remote_leader}, {stringtag}, {info}, {errhandler})", ""),

	call("MPI_Group_size(MPI_Group group, int *size)", "{size} = {group}.Get_size()", ""),
	call("MPI_Group_rank(MPI_Group group, int *rank)", "{rank} = {group}.Get_rank()", ""),
	call("MPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[])",
		"{ranks2} = {group1}.Translate_ranks({ranks1:n}, {group2})", ""),
	call("MPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result)", "{result} = MPI.Group.Compare({group1}, {group2})", ""),
	call("MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)", "{newgroup} = MPI.Group.Union({group1}, {group2})", ""),
	call("MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)",
		"{newgroup} = MPI.Group.Intersection({group1}, {group2})", ""),
	call("MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)",
		"{newgroup} = MPI.Group.Difference({group1}, {group2})", ""),
	call("MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)", "{newgroup} = {group}.Incl({ranks:n})", ""),
	call("MPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)", "{newgroup} = {group}.Excl({ranks:n})", ""),
	call("MPI_Group_range_incl(MPI_Group group, int n, const int ranges[][3], MPI_Group *newgroup)",
		"{newgroup} = {group}.Range_incl({ranges:n})", ""),
	call("MPI_Group_range_excl(MPI_Group group, int n, const int ranges[][3], MPI_Group *newgroup)",
		"{newgroup} = {group}.Range_excl({ranges:n})", ""),
	call("MPI_Group_free(MPI_Group *group)", "{group}.Free()", ""),

	call("MPI_Info_create(MPI_Info *info)", "{info} = MPI.Info.Create()", ""),
	call("MPI_Info_set(MPI_Info info, const char *key, const char *value)", "{info}.Set({key}, {value})", ""),
	call("MPI_Info_delete(MPI_Info info, const char *key)", "{info}.Delete({key})", ""),
	call("MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)",
		"{value} = {info}.Get({key})\n{flag} = {value} != None\n{buflen} = len({value} or \"\") + 1", ""),
	call("MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)",
		"{value} = {info}.Get({key}, {valuelen})\n{flag} = {value} != None", ""),
	call("MPI_Info_dup(MPI_Info info, MPI_Info *newinfo)", "{newinfo} = {info}.Dup()", ""),
	call("MPI_Info_get_nkeys(MPI_Info info, int *nkeys)", "{nkeys} = {info}.Get_nkeys()", ""),
	call("MPI_Info_get_nthkey(MPI_Info info, int n, char *key)", "{key} = {info}.Get_nthkey({n})", ""),
	call("MPI_Info_free(MPI_Info *info)", "{info}.Free()", ""),

	call("MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)",
		"{session} = MPI.Session.Init({info}, {errhandler})", ""),
	call("MPI_Session_finalize(MPI_Session *session)", "{session}.Finalize()", ""),
	call("MPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int *npset_names)",
		"{npset_names} = {session}.Get_num_psets({info})", ""),
	call("MPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name)",
		"{pset_name} = {session}.Get_nth_pset({n}, {info})\n{pset_len} = len({pset_name}) + 1", ""),
	call("MPI_Session_get_pset_info(MPI_Session session, const char *pset_name, MPI_Info *info)",
		"{info} = {session}.Get_pset_info({pset_name})", ""),
	call("MPI_Session_get_info(MPI_Session session, MPI_Info *info_used)", "{info_used} = {session}.Get_info()", ""),
	call("MPI_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup)",
		"{newgroup} = {session}.Create_group({pset_name})", ""),

	call("MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *comm_cart)",
		"{comm_cart} = {comm_old}.Create_cart({dims:ndims}, {periods:ndims}, {reorder})", ""),
	call("MPI_Dims_create(int nnodes, int ndims, int dims[])", "{dims} = MPI.Compute_dims({nnodes}, {dims:ndims})", ""),
	call("MPI_Cartdim_get(MPI_Comm comm, int *ndims)", "{ndims} = {comm}.Get_dim()", ""),
	call("MPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])",
		"{dims}, {periods}, {coords} = {comm}.Get_topo()", ""),
	call("MPI_Cart_rank(MPI_Comm comm, const int coords[], int *rank)", "{rank} = {comm}.Get_cart_rank({coords})", ""),
	call("MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[])", "{coords} = {comm}.Get_coords({rank})", ""),
	call("MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)",
		"{rank_source}, {rank_dest} = {comm}.Shift({direction}, {disp})", ""),
	call("MPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm)", "{newcomm} = {comm}.Sub({remain_dims})", ""),
	call("MPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)",
		"{newrank} = {comm}.Cart_map({dims:ndims}, {periods:ndims})", ""),
	call("MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[], int reorder, MPI_Comm *comm_graph)",
		"{comm_graph} = {comm_old}.Create_graph({index:nnodes}, {edges}, {reorder})", ""),
	call("MPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges)", "{nnodes}, {nedges} = {comm}.Get_dims()", ""),
	call("MPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[])", "{index}, {edges} = {comm}.Get_topo()", ""),
	call("MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors)", "{nneighbors} = {comm}.Get_neighbors_count({rank})", ""),
	call("MPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[])", "{neighbors} = {comm}.Get_neighbors({rank})", ""),
	call("MPI_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank)",
		"{newrank} = {comm}.Graph_map({index:nnodes}, {edges})", ""),
	call("MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[], int outdegree, const int destinations[], const int destweights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph)",
		"{comm_dist_graph} = {comm_old}.Create_dist_graph_adjacent({sources:indegree}, {destinations:outdegree}, {sourceweights}, {destweights}, {info}, {reorder})", ""),
	call("MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[], const int weights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph)",
		"{comm_dist_graph} = {comm_old}.Create_dist_graph({sources:n}, {degrees:n}, {destinations}, {weights}, {info}, {reorder})", ""),
	call("MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)",
		"{indegree}, {outdegree}, {weighted} = {comm}.Get_dist_neighbors_count()", ""),
	call("MPI_Topo_test(MPI_Comm comm, int *status)", "{status} = {comm}.Get_topology()", ""),

	call("MPI_Get_hw_resource_info(MPI_Info *hw_info)", "{hw_info} = MPI.Get_hw_resource_info()", "{hw_info} = hw_info"),
	call("MPI_Get_processor_name(char *name, int *resultlen)", "{name} = MPI.Get_processor_name()\n{resultlen} = len({name})", ""),
	call("MPI_Get_version(int *version, int *subversion)", "{version}, {subversion} = MPI.Get_version()", ""),
	call("MPI_Barrier(MPI_Comm comm)", "{comm}.Barrier()", "barrier {comm}"),
	call("MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)", "{request} = {comm}.Ibarrier()", ""),
	call("MPI_Wait(MPI_Request *request, MPI_Status *status)", "{request}.Wait()", ""),
	call("MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)", "{flag} = {request}.Test()", ""),
	call("MPI_Abort(MPI_Comm comm, int errorcode)", "{comm}.Abort({errorcode})", ""),
	call("MPI_Error_class(int errorcode, int *errorclass)", "{errorclass} = MPI.Get_error_class({errorcode})", ""),
	call("MPI_Error_string(int errorcode, char *string, int *resultlen)",
		"{string} = MPI.Get_error_string({errorcode})\n{resultlen} = len({string})", ""),
}

// Name is the name in C.
func (c *Call) Name() string { return c.name }

// Find is the call of that name, in any case where fortran; nil for none.
func Find(name string, fortran bool) *Call {
	i := slices.IndexFunc(Calls, func(c *Call) bool { return c.name == name || fortran && strings.EqualFold(c.name, name) })
	if i < 0 {
		return nil
	}
	return Calls[i]
}

// Names lists the names of the calls in C, in the order of the table.
func Names() []string {
	names := make([]string, len(Calls))
	for i, c := range Calls {
		names[i] = c.name
	}
	return names
}

// nearest is ": did you mean MPI_Comm_split?", or "".
func nearest(name string) string {
	if near := spell.Nearest(name, Names()); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
