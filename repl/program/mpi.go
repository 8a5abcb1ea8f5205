package program

import (
	"slices"
	"strings"
	"sync"
	"time"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// module is MPI, or one of its classes (MPI.Info), as a rank's program sees it.
type module struct {
	r     *Rank
	class *class
	name  string // "Comm" or "Intracomm": several names may have one class
}

func (m *module) String() string        { return "<class " + m.class.name + ">" }
func (m *module) Freeze()               {}
func (m *module) Truth() starlark.Bool  { return true }
func (m *module) Hash() (uint32, error) { return starlark.String(m.class.name).Hash() }

// Type returns "MPI" or "class Info", never the type of the values of the class.
func (m *module) Type() string {
	if m.class.is == nil {
		return m.class.name
	}
	return "class " + m.class.name
}

// Attr returns the value of a name of MPI, or a function of a class, whose first argument is the value that
// the function acts on: MPI.Comm.Compare(a, b).
func (m *module) Attr(name string) (starlark.Value, error) {
	a := m.class.attrs[name]
	if a == nil || m.class.is != nil && a.run == nil {
		return nil, m.class.absent(name)
	}
	return a.of(m.r, nil)
}

// AttrNames lists the names that the world's version of the standard has.
func (m *module) AttrNames() []string {
	var names []string
	for _, n := range m.class.existing(m.r.P.Std()) {
		if m.class.is == nil || m.class.attrs[n].run != nil {
			names = append(names, n)
		}
	}
	return names
}

// mpi is the names of MPI.
var mpi = newClass("MPI", nil, append(slices.Concat(constantList(), topoNamesOfMPI()),
	perRank("COMM_WORLD", "the communicator of all processes", commWorld),
	perRank("COMM_SELF",
		"the communicator of this process alone", func(r *Rank) starlark.Value { return r.wrap(r.P.Self()) }),
	perRank("COMM_NULL", "no communicator", func(r *Rank) starlark.Value { return r.wrap(nil) }),
	perRank("GROUP_EMPTY",
		"the group without members", func(r *Rank) starlark.Value { return &Group{r: r, g: engine.EmptyGroup} }),
	submodule("Comm", commClass, "the functions of communicators; a call makes a second handle"),
	submodule("Intracomm", commClass, "the functions of communicators; a call makes a second handle"),
	submodule("Intercomm", commClass, "the functions of communicators; a call makes a second handle"),
	submodule("Group", groupClass, "the functions of groups; a call makes a second handle"),
	submodule("Info", infoClass, "the functions of info objects; a call makes a second handle"),
	submodule("Request", requestClass, "the functions of requests; a call makes a second handle"),
	submodule("Prequest", requestClass, "the functions of persistent requests; a call makes a second handle"),
	submodule("Message", messageClass, "the functions of messages that a probe has matched; a call makes a second handle").from(30),
	submodule("Errhandler", errhandlerClass, "the functions of error handlers; a call makes a second handle"),
	submodule("Op", opClass, "the functions of operations; a call makes a second handle"),
	method("Attach_buffer", "buf", engine.CallBufferAttach,
		"attach a buffer (an array, bytes or their number) for buffered sends on all communicators", attachBuffer),
	method("Detach_buffer", "", engine.CallBufferDetach, "detach the buffer", detachBuffer),
	method("Status", "", engine.CallNone, "an object that a receive fills with the source and tag of the message", makeStatus),
	method("Is_initialized", "", engine.CallNone, "whether MPI is initialized: True", always(true)),
	method("Is_finalized", "", engine.CallNone, "whether MPI is finalized: False", always(false)),
	method("Is_thread_main", "", engine.CallNone, "whether this thread initialized MPI: True", always(true)),
	method("Get_error_class", "errorcode", engine.CallErrorClass, "the class of an error code; of a class, the class", of1((*engine.Process).ErrorClass)),
	method("Get_error_string", "errorcode", engine.CallErrorString, "the text of an error class or code", of1((*engine.Process).ErrorString)),
	method("Add_error_class", "", engine.CallAddErrorClass, "a new error class of this process", addErrorClass),
	method("Add_error_code", "errorclass", engine.CallAddErrorCode, "a new error code of a class", of1((*engine.Process).AddErrorCode)),
	method("Add_error_string", "errorcode, string", engine.CallAddErrorString,
		"set the text of an error class or code of this process", do2((*engine.Process).AddErrorString)),
	method("Remove_error_class", "errorclass", engine.CallRemoveErrorClass, "remove an error class of this process",
		do1((*engine.Process).RemoveErrorClass)),
	method("Remove_error_code", "errorcode", engine.CallRemoveErrorCode, "remove an error code of this process",
		do1((*engine.Process).RemoveErrorCode)),
	method("Remove_error_string", "errorcode", engine.CallRemoveErrorString, "remove the text of an error class or code",
		do1((*engine.Process).RemoveErrorString)),
	perRank("INFO_ENV", "an info object: how the program was started", infoEnv).from(30),
	method("Wtick", "", engine.CallNone, "the resolution of Wtime, in seconds", wtick),
	method("Query_thread", "", engine.CallNone, "the thread support: THREAD_MULTIPLE", queryThread),
	submodule("Session", sessionClass, "the functions of sessions").from(40),
	method("Get_hw_resource_info", "", engine.CallHWInfo,
		"an info object: is this process restricted to one instance of each resource type?", getHWInfo),
	method("Get_hwsubdomain_names", "comm, info=None", engine.CallHWSubdomainNames,
		"names of the hardware resource types, as mpi_hw_res_0 ... in info; their number", getSubdomainNames),
	method("Get_processor_name", "", engine.CallProcessorName,
		"the name of the host", getProcessorName),
	method("Get_version", "", engine.CallNone, "(version, subversion) of the standard", getVersion),
	perRank("VERSION", "the version of the standard: 5 of 5.0", func(r *Rank) starlark.Value {
		major, _ := r.P.Std().Version()
		return starlark.MakeInt(major)
	}),
	perRank("SUBVERSION", "the subversion of the standard: 0 of 5.0", func(r *Rank) starlark.Value {
		_, minor := r.P.Std().Version()
		return starlark.MakeInt(minor)
	}),
	method("Get_library_version", "", engine.CallNone,
		"the name of the MPI implementation", getLibraryVersion),
	method("Wtime", "", engine.CallNone, "seconds since some time in the past", wtime),
)...)

// perRank makes a name that has its own value on every rank.
func perRank(name, doc string, of func(r *Rank) starlark.Value) *attribute {
	return &attribute{name: name, doc: doc, get: func(r *Rank, _ starlark.Value) (starlark.Value, error) { return of(r), nil }}
}

func submodule(name string, c *class, doc string) *attribute {
	a := perRank(name, doc, func(r *Rank) starlark.Value { return &module{r, c, name} })
	a.inside = c
	return a
}

// always makes a function without arguments that returns a constant answer: a world is between MPI_Init and
// MPI_Finalize as long as programs run in it.
func always(answer bool) func(*call) (starlark.Value, error) {
	return func(*call) (starlark.Value, error) { return starlark.Bool(answer), nil }
}

func commWorld(r *Rank) starlark.Value { return &r.world }

func getHWInfo(c *call) (starlark.Value, error) {
	return c.r.made(c.r.P.HWResourceInfo(), engine.CallNone), nil
}

func getProcessorName(c *call) (starlark.Value, error) {
	return starlark.String(c.r.P.ProcessorName()), nil
}

func getVersion(c *call) (starlark.Value, error) {
	major, minor := c.r.P.Std().Version()
	return starlark.Tuple{starlark.MakeInt(major), starlark.MakeInt(minor)}, nil
}

func getLibraryVersion(c *call) (starlark.Value, error) {
	return starlark.String("commsplit, an in-process engine that follows " + c.r.P.Std().Title()), nil
}

// queryThread returns THREAD_MULTIPLE, which sessions get, too.
func queryThread(*call) (starlark.Value, error) { return starlark.MakeInt(threadMultiple), nil }

var began = time.Now()

func wtime(*call) (starlark.Value, error) {
	return starlark.Float(time.Since(began).Seconds()), nil
}

// wtick returns a nanosecond, the unit of time.Since.
func wtick(*call) (starlark.Value, error) { return starlark.Float(1e-9), nil }

// threadMultiple is MPI_THREAD_MULTIPLE. The levels increase (§11.2.1).
const threadMultiple = 3

// constantList returns the list of constants, made once: hundreds of defaults in signatures look there at start-up.
var constantList = sync.OnceValue(constants)

// constants returns the names of MPI whose values are the same on every rank.
func constants() []*attribute {
	list := []*attribute{
		integer("UNDEFINED", engine.Undefined, "the color of a process that wants no communicator; the rank of a process that is not in a group"),
		integer("ANY_SOURCE", engine.AnySource, "receive from any rank"),
		integer("ANY_TAG", engine.AnyTag, "receive with any tag"),
		integer("PROC_NULL", engine.ProcNull, "the rank of no process: a send to it does nothing"),
		integer("ROOT", engine.Root, "the value that the root passes as root on an intercommunicator"),
		integer("IDENT", int(engine.Ident), "the same handle, or the same group in the same order"),
		integer("CONGRUENT", int(engine.Congruent), "the same group in the same order, another context"),
		integer("SIMILAR", int(engine.Similar), "the same members in another order"),
		integer("UNEQUAL", int(engine.Unequal), "different members"),
		constant("INFO_NULL", &Info{}, "no info object"),
		constant("GROUP_NULL", &Group{}, "no group"),
		constant("REQUEST_NULL", &Request{}, "no request"),
		constant("SESSION_NULL", &Session{}, "no session").from(40),
		integer("MAX_INFO_KEY", engine.MaxInfoKey, "length of a key of an info object").from(20),
		integer("MAX_INFO_VAL", engine.MaxInfoVal, "length of a value of an info object").from(20),
		integer("MAX_STRINGTAG_LEN", engine.MaxStringtag, "length of a stringtag, with C's null character").from(40),
		integer("MAX_PSET_NAME_LEN", engine.MaxPsetName, "length of the name of a process set").from(40),
		constant("MESSAGE_NULL", &Message{}, "no message").from(30),
		constant("MESSAGE_NO_PROC", &Message{m: noProcMessage, constant: true}, "the message that a probe of PROC_NULL returns").from(30),
		constant("OP_NULL", &Op{}, "no operation"),
		integer("BSEND_OVERHEAD", engine.BsendOverhead, "the bytes that a message takes in an attached buffer besides its data"),
		integer("MAX_PROCESSOR_NAME", 256, "length of the name of a host, with C's null character"),
		integer("MAX_ERROR_STRING", engine.MaxErrorString, "length of the text of an error, with C's null character"),
		integer("MAX_OBJECT_NAME", engine.MaxObjectName, "length of the name of a communicator, with C's null character").from(20),
		integer("MAX_LIBRARY_VERSION_STRING", 256, "length of the result of Get_library_version, with C's null character").from(30),
		integer("ERR_LASTCODE", int(engine.LastCode), "the last predefined error class or code"),
		constant("ERRHANDLER_NULL", &Errhandler{}, "no error handler"),
		constant("ERRORS_RETURN", &Errhandler{h: engine.ErrorsReturn, constant: true}, "errors are raised, and can be caught"),
		constant("ERRORS_ARE_FATAL", &Errhandler{h: engine.ErrorsAreFatal, constant: true}, "an error ends the program"),
		constant("ERRORS_ABORT", &Errhandler{h: engine.ErrorsAbort, constant: true}, "an error ends the processes of the communicator").from(40),
	}
	for level, name := range []string{"SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"} {
		list = append(list, integer("THREAD_"+name, level, "a level of thread support"))
	}
	list = append(list, constant("Exception", mpiException, "the exception that MPI raises; except MPI.Exception catches it"))
	list = append(list, datatypeConstants()...)
	list = append(list, keyvalConstants()...)
	list = append(list, topoConstants()...)
	for _, t := range engine.SplitTypes(engine.Draft2019) {
		name := strings.TrimPrefix(t.String(), "MPI_")
		list = append(list, integer(name, int(t), "a kind of Split_type").from(t.Since()))
	}
	for _, c := range engine.Classes() {
		list = append(list, integer(strings.TrimPrefix(c.String(), "MPI_"), int(c), "an error class: "+c.Text()).from(c.Since()))
	}
	for _, o := range ops {
		list = append(list, constant(o.name, newOp(o.name, o.combine), "a reduction operation"))
	}
	return list
}

func constant(name string, v starlark.Value, doc string) *attribute {
	return &attribute{name: name, doc: doc, value: v}
}

func integer(name string, n int, doc string) *attribute {
	return constant(name, starlark.MakeInt(n), doc)
}

// from sets the version of the standard that introduced a constant.
func (a *attribute) from(since engine.Std) *attribute {
	a.since = since
	return a
}
