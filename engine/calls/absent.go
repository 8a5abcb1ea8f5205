package calls

import (
	"fmt"
	"slices"
	"strings"
)

// Absence is names of mpi4py and of C's MPI that programs do not find, and why.
type Absence struct {
	What  string   // the subject: "windows (one-sided communication)"
	Names []string // "Comm.Spawn", "MPI.WIN_*", or of C, "MPI_Comm_spawn"; a * stands for any end
	Why   string   // follows a colon
	Use   string   // what to write instead; {small} is the name in small letters
}

// Absences is the one table of what is not modelled: messages about such names and the manual come from it. A name
// that a class does have is never looked up here.
var Absences = []Absence{
	{"messages of memory buffers", buffered(),
		"messages carry whole objects here, and there is no memory to send from", "write {small}, which takes any value"},
	{"other calls on memory buffers", words(`Comm.Gatherv Comm.Allgatherv Comm.Scatterv Comm.Alltoallv Comm.Alltoallw Comm.Reduce_scatter*
		Comm.Sendrecv_replace Comm.Isendrecv* Comm.Neighbor_allgatherv Comm.Neighbor_alltoallv Comm.Neighbor_alltoallw MPI.IN_PLACE MPI.BOTTOM
		MPI.AINT MPI.Aint_* MPI.Get_address MPI.Alloc_mem MPI.Free_mem MPI.memory MPI.buffer Op.Reduce_local Status.Get_count
		Status.Get_elements Status.Set_elements Status.count Status.tomemory MPI_Gatherv MPI_Allgatherv MPI_Scatterv MPI_Alltoallv
		MPI_Alltoallw MPI_Reduce_scatter* MPI_Reduce_local MPI_Sendrecv_replace MPI_Isendrecv* MPI_Neighbor_allgatherv
		MPI_Neighbor_alltoallv MPI_Neighbor_alltoallw MPI_Get_count MPI_Get_elements MPI_Alloc_mem MPI_Free_mem MPI_Get_address MPI_IN_PLACE
		MPI_BOTTOM`),
		"messages carry whole objects here, so that nothing has an address, a count or a displacement",
		"gather, allgather, scatter and alltoall take a list with a value of any length for each process"},
	{"nonblocking collective calls that move data", words(`Comm.Ibcast Comm.Igather* Comm.Iallgather* Comm.Iscatter* Comm.Ialltoall*
		Comm.Ireduce* Comm.Iscan Comm.Iexscan Comm.Ineighbor_* MPI_Ibcast MPI_Igather* MPI_Iallgather* MPI_Iscatter*
		MPI_Ialltoall* MPI_Ireduce* MPI_Iscan MPI_Iexscan MPI_Ineighbor_*`),
		"mpi4py has them for memory buffers only, which are not modelled",
		"Ibarrier and Idup show how nonblocking collective calls behave"},
	{"buffered and ready sends", words(`Comm.Bsend Comm.Ibsend Comm.Rsend Comm.Irsend Comm.bsend Comm.ibsend Comm.Flush_buffer
		Comm.Iflush_buffer Session.Attach_buffer Session.Detach_buffer Session.Flush_buffer Session.Iflush_buffer MPI.Attach_buffer
		MPI.Detach_buffer MPI.Flush_buffer MPI.Iflush_buffer MPI.BSEND_OVERHEAD MPI.BUFFER_AUTOMATIC MPI_Bsend MPI_Ibsend MPI_Rsend
		MPI_Irsend MPI_Buffer_* MPI_Comm_flush_buffer MPI_Comm_iflush_buffer MPI_Session_attach_buffer MPI_Session_detach_buffer
		MPI_Session_flush_buffer MPI_Session_iflush_buffer MPI_BSEND_OVERHEAD MPI_BUFFER_AUTOMATIC`),
		"messages have no size that could fill a buffer",
		"send never waits for the receiver, as with a buffer that is large enough; ssend does"},
	{"partitioned communication", words(`Comm.Psend_init Comm.Precv_init MPI_Psend_init MPI_Precv_init MPI_Pready* MPI_Parrived`),
		"there are no buffers that threads could fill in parts", "send the parts as messages of their own"},
	{"persistent calls", words(`Comm.*_init MPI.Prequest MPI_*_init MPI_Start MPI_Startall`),
		"they make the same calls again, with buffers that stay", "make the call anew each time"},
	{"datatypes", words(`MPI.Datatype MPI.DATATYPE_NULL MPI.BYTE MPI.PACKED MPI.CHAR MPI.WCHAR MPI.SIGNED_* MPI.UNSIGNED* MPI.SHORT* MPI.INT
		MPI.INT_INT MPI.INT8_T MPI.INT16_T MPI.INT32_T MPI.INT64_T MPI.UINT* MPI.SINT* MPI.INTEGER* MPI.LONG* MPI.FLOAT* MPI.DOUBLE* MPI.REAL*
		MPI.COMPLEX* MPI.CHARACTER MPI.LOGICAL* MPI.BOOL MPI.C_* MPI.CXX_* MPI.F_* MPI.COUNT MPI.OFFSET MPI.BFLOAT16_T MPI.TWOINT
		MPI.COMBINER_* MPI.DISTRIBUTE_* MPI.ORDER_* MPI.TYPECLASS_* MPI_Type_* MPI_Pack* MPI_Unpack* MPI_INT MPI_BYTE MPI_CHAR
		MPI_DOUBLE MPI_FLOAT MPI_LONG MPI_INTEGER MPI_REAL MPI_LOGICAL MPI_DATATYPE_NULL`),
		"values have the types of the program", "leave them out: send, bcast and the like take any value"},
	{"operations of one's own", words(`Op.Create MPI_Op_create MPI.REPLACE MPI.NO_OP MPI_REPLACE MPI_NO_OP`),
		"only the predefined operations combine values", "gather the values and combine them at the root"},
	{"windows (one-sided communication)", words(`MPI.Win MPI.WIN_* MPI.LOCK_* MPI.MODE_NOCHECK MPI.MODE_NOPRECEDE MPI.MODE_NOPUT
		MPI.MODE_NOSTORE MPI.MODE_NOSUCCEED MPI_Win_* MPI_Put MPI_Get MPI_Accumulate MPI_Get_accumulate MPI_Fetch_and_op
		MPI_Compare_and_swap MPI_Rput MPI_Rget MPI_Raccumulate MPI_Rget_accumulate MPI_WIN_* MPI_LOCK_*`),
		"no process reaches the memory of another one", "pass values with send and recv, or allgather"},
	{"files", words(`MPI.File MPI.FILE_NULL MPI.MODE_* MPI.SEEK_* MPI.DISP* MPI.Register_datarep MPI.MAX_DATAREP_STRING MPI_File_*
		MPI_Register_datarep MPI_FILE_NULL MPI_MODE_* MPI_SEEK_*`),
		"programs here read and write no files", "print what a rank has to say, or gather it at one rank"},
	{"dynamic processes", words(`Comm.Spawn* Comm.Accept Comm.Connect Comm.Join MPI.Open_port MPI.Close_port MPI.Publish_name
		MPI.Unpublish_name MPI.Lookup_name MPI.MAX_PORT_NAME MPI.ARGV* MPI.ERRCODES_IGNORE MPI_Comm_spawn* MPI_Comm_accept MPI_Comm_connect
		MPI_Comm_join MPI_Open_port MPI_Close_port MPI_Publish_name MPI_Unpublish_name MPI_Lookup_name`),
		"a world keeps the processes that it began with",
		"start with more ranks (-n), Split off those that come later, and join both with Create_intercomm"},
	{"processes that fail (fault tolerance)", words(`Comm.Revoke Comm.Is_revoked Comm.Shrink Comm.Ishrink Comm.Agree Comm.Iagree
		Comm.Get_failed Comm.Ack_failed MPIX_Comm_* MPI_Comm_revoke MPI.ERR_PROC_FAILED* MPI.ERR_REVOKED MPI_ERR_PROC_FAILED* MPI_ERR_REVOKED MPI_Comm_is_revoked MPI_Comm_shrink MPI_Comm_ishrink MPI_Comm_agree
		MPI_Comm_iagree MPI_Comm_get_failed MPI_Comm_ack_failed`),
		"no process of a world fails, unless the program ends", "Split without the ranks that are thought to have failed"},
	{"beginning and end of MPI", words(`MPI.Init MPI.Init_thread MPI.Finalize MPI_Init MPI_Init_thread MPI_Finalize MPI.rc`),
		"a world is between both from its first line to its last, as mpi4py sees to by itself", "leave the call out"},
	{"generalized requests", words(`MPI.Grequest Status.Set_cancelled Status.Set_source Status.Set_tag Status.Set_error MPI_Grequest_*
		MPI_Status_set_*`),
		"requests are those of MPI's own calls", "isend, irecv, Ibarrier and Idup give requests"},
	{"exceptions", words(`MPI.Exception`),
		"the language of programs has no try", "write expect_error(MPI.ERR_ARG, function, arguments...), or Create_errhandler"},
	{"handles of C and Fortran", words(`Comm.py2f Comm.f2py Comm.handle Comm.fromhandle Comm.tohandle Comm.fromint Comm.toint
		Group.py2f Group.f2py Group.handle Group.fromhandle Group.tohandle Group.fromint Group.toint Info.py2f Info.f2py Info.handle
		Info.fromhandle Info.tohandle Info.fromint Info.toint Session.py2f Session.f2py Session.handle Session.fromhandle Session.tohandle
		Session.fromint Session.toint Errhandler.py2f Errhandler.f2py Errhandler.handle Errhandler.fromhandle Errhandler.tohandle
		Errhandler.fromint Errhandler.toint Request.py2f Request.f2py Request.handle Request.fromhandle Request.tohandle Request.fromint
		Request.toint Status.py2f Status.f2py Op.py2f Op.f2py Op.handle Op.fromhandle Op.tohandle Op.fromint Op.toint Message.py2f
		Message.f2py Message.handle Message.fromhandle Message.tohandle Message.fromint Message.toint MPI.F_SOURCE MPI.F_TAG MPI.F_ERROR
		MPI.F_STATUS_SIZE MPI_*_c2f MPI_*_f2c MPI.Get_abi* MPI_Abi_*`),
		"the calls are carried out in this program, not by a library of C", "pass the object itself"},
	{"pickling", words(`MPI.Pickle MPI.pickle`),
		"values travel without being turned into bytes", "leave it out"},
	{"profiling, tools, and which library it is", words(`MPI.Pcontrol MPI.get_vendor MPI_Pcontrol MPI_T_*`),
		"there is no other library to steer or to name", "the trace has every call; Get_library_version says who carries it out"},
}

// words are the words of a text, in order.
func words(text string) []string { return strings.Fields(text) }

// buffered are the names of the calls of the table that move data: mpi4py has them in capitals for memory, as C does.
func buffered() []string {
	var list, inC []string
	for _, p := range All {
		if p.MovesData() {
			class, method := p.Method()
			list, inC = append(list, class+"."+strings.ToUpper(method[:1])+method[1:]), append(inC, p.Name)
		}
	}
	return append(list, inC...)
}

// Method is the class and the method of mpi4py that make the call: "Comm" and "send"; "" for a call that programs have not.
func (p *Procedure) Method() (class, method string) {
	if len(p.Statement) == 0 {
		return "", ""
	}
	_, call, assigns := strings.Cut(p.Statement[0], " = ")
	if !assigns {
		call = p.Statement[0]
	}
	on, method, _ := strings.Cut(call[:strings.IndexByte(call, '(')], ".")
	if q := p.Param(strings.Trim(on, "{}")); q != nil {
		on = strings.TrimPrefix(q.Type, "MPI_")
	}
	return on, method
}

// Absent is why a name of mpi4py or of C is not modelled; small is what stands for {small}. It is "" where the name is
// in no row of the table. Of several rows it is the first.
func Absent(name, called, small string) string {
	for _, a := range Absences {
		if slices.ContainsFunc(a.Names, func(pattern string) bool { return fits(name, pattern) }) {
			return fmt.Sprintf("%s is not modelled: %s; %s", called, a.Why, strings.ReplaceAll(a.Use, "{small}", small))
		}
	}
	return ""
}

// AbsentC is Absent for a name of C's MPI.
func AbsentC(name string) string {
	small := strings.ToLower(strings.TrimPrefix(name, "MPI_"))
	if slices.ContainsFunc(All, func(p *Procedure) bool { class, method := p.Method(); return class == "Comm" && method == small }) {
		small = "world." + small
	}
	return Absent(name, name, small)
}

// fits reports whether a name is one of a pattern, in which at most one * stands for any text.
func fits(name, pattern string) bool {
	begin, end, any := strings.Cut(pattern, "*")
	if !any {
		return name == pattern
	}
	return len(name) >= len(begin)+len(end) && strings.HasPrefix(name, begin) && strings.HasSuffix(name, end)
}
