package program

import (
	"time"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// module is MPI, or one of its classes (MPI.Info), as a rank's program sees it.
type module struct {
	plainValue
	r     *Rank
	class *class
	name  string // "Comm" or "Intracomm": several names may have one class
}

func (m *module) String() string { return "<class " + m.class.name + ">" }

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
var mpi = newClass("MPI", nil, constants(), rows("MPI", map[string]any{
	"Comm Intracomm Intercomm": commClass,
	"Cartcomm":                 cartClass,
	"Graphcomm":                graphClass,
	"Distgraphcomm":            distGraphClass,
	"Group":                    groupClass,
	"Info":                     infoClass,
	"Request Prequest":         requestClass,
	"Message":                  messageClass,
	"Errhandler":               errhandlerClass,
	"Op":                       opClass,
	"Session":                  sessionClass,

	"COMM_WORLD":  commWorld,
	"COMM_SELF":   func(r *Rank) starlark.Value { return r.wrap(r.P.Self()) },
	"COMM_NULL":   func(r *Rank) starlark.Value { return r.wrap(nil) },
	"GROUP_EMPTY": func(r *Rank) starlark.Value { return &Group{r: r, g: engine.EmptyGroup} },
	"INFO_ENV":    infoEnv,
	"VERSION":     func(r *Rank) starlark.Value { return version(r)[0] },
	"SUBVERSION":  func(r *Rank) starlark.Value { return version(r)[1] },

	"Is_initialized Is_thread_main": always(true),
	"Is_finalized":                  always(false),
	"Wtick":                         always(1e-9),
	"Wtime":                         wtime,
	"Query_thread":                  always(threadMultiple),
	"Status":                        tells(func(r *Rank) any { return newStatus(r) }),
	"Get_version":                   tells(func(r *Rank) any { return version(r) }),
	"Get_library_version": tells(func(r *Rank) any {
		return "commsplit, an in-process engine that follows " + r.P.Std().Title()
	}),
	"Get_processor_name":    tells(func(r *Rank) any { return r.P.ProcessorName() }),
	"Get_hw_resource_info":  tells(func(r *Rank) any { return r.P.HWResourceInfo() }),
	"Get_hwsubdomain_names": getSubdomainNames,
	"Compute_dims":          computeDims,
	"Attach_buffer":         attachBuffer,
	"Detach_buffer":         detachBuffer,

	"Get_error_class":     of1((*engine.Process).ErrorClass),
	"Get_error_string":    of1((*engine.Process).ErrorString),
	"Add_error_class":     tells(func(r *Rank) any { return r.P.AddErrorClass() }),
	"Add_error_code":      of1((*engine.Process).AddErrorCode),
	"Add_error_string":    do2((*engine.Process).AddErrorString),
	"Remove_error_class":  do1((*engine.Process).RemoveErrorClass),
	"Remove_error_code":   do1((*engine.Process).RemoveErrorCode),
	"Remove_error_string": do1((*engine.Process).RemoveErrorString),
}))

// tells makes a function without arguments of what it gives on a rank.
func tells(what func(r *Rank) any) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) { return c.r.made(what(c.r), engine.CallNone), nil }
}

// always is a constant answer: a world is between MPI_Init and MPI_Finalize as long as programs run in it.
func always(answer any) func(*call) (starlark.Value, error) {
	return tells(func(*Rank) any { return answer })
}

func commWorld(r *Rank) starlark.Value { return &r.world }

func version(r *Rank) starlark.Tuple {
	major, minor := r.P.Std().Version()
	return starlark.Tuple{starlark.MakeInt(major), starlark.MakeInt(minor)}
}

// began is the past time of Wtime, which counts in nanoseconds.
var began = time.Now()

var wtime = tells(func(*Rank) any { return time.Since(began).Seconds() })

// threadMultiple is MPI_THREAD_MULTIPLE, which sessions get, too. The levels increase (§11.2.1).
const threadMultiple = 3
