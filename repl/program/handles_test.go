package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// predefinedHandles lists the handles that MPI has from the beginning, with the classes of their attributes.
func predefinedHandles(t *testing.T) map[string][]*class {
	t.Helper()
	all := map[string][]*class{}
	onRank(t, func(r *Rank) error {
		for _, name := range mpi.names {
			v, err := mpi.attr(r, nil, name)
			if err != nil {
				continue // the name is of another version
			}
			for _, c := range []*class{commClass, groupClass, infoClass, requestClass, messageClass, sessionClass, errhandlerClass, opClass} {
				if c.is(v) {
					all["MPI."+name] = append(all["MPI."+name], c)
				}
			}
			if m, ok := v.(*module); ok && m.class.is != nil && m.class != hereClass { // its call makes a null handle
				all["MPI."+name+"()"] = []*class{m.class}
			}
		}
		return nil
	})
	return all
}

// onRank runs a function on the rank of a world of one rank. It returns errPanic when the function panics.
func onRank(t *testing.T, run func(r *Rank) error) (err error) {
	t.Helper()
	w, e := engine.New(engine.Config{Size: 1})
	if e != nil {
		t.Fatal(e)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(1), func(p *engine.Process) (err error) {
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("%w: %v", errPanic, v)
			}
		}()
		return run(newRank(p))
	})
	st := w.Wait()
	switch {
	case st.Failure == nil:
		return nil
	case len(st.Failure.Program) > 0:
		return st.Failure.Program[0]
	}
	return st.Failure.Errors[0]
}

var errPanic = errors.New("panic")

// shapes are the lists of arguments for each function: none, a value of each kind as the only argument, and several
// such values.
var shapes = []string{"", "None", "0", "-1", "'x'", "[]", "print", "world", "MPI.COMM_NULL", "MPI.GROUP_NULL", "MPI.GROUP_EMPTY", "MPI.INFO_NULL",
	"MPI.ERRHANDLER_NULL", "MPI.SESSION_NULL", "MPI.OP_NULL", "[MPI.REQUEST_NULL]", "0, 0", "0, None", "'x', 'y'", "[0], MPI.GROUP_NULL",
	"world, 0", "MPI.COMM_NULL, MPI.PROC_NULL", "MPI.GROUP_NULL, 'x'", "None, None, None", "0, 0, 0", "0, world, 0", "0, MPI.COMM_NULL, 0, 0",
	"[], [], []", "0, [], []", "[1], [False]", "world.Get_group(), 'x', MPI.INFO_NULL, MPI.ERRHANDLER_NULL"}

// Every attribute of every predefined handle, read, and called as a method and as a function of its class with each
// shape of arguments, gives a value or an error: it never panics.
func TestPredefinedHandles(t *testing.T) { // alone: it makes garbage that other tests measure
	var lines []string
	for name, classes := range predefinedHandles(t) {
		lines = append(lines, "x = str("+name+"), bool("+name+"), "+name+" == "+name+", type("+name+"), dir("+name+")", "x = {"+name+": 1}",
			"x = len("+name+")", "x = 'k' in "+name, "x = "+name+"['k']", "x = list("+name+")", "x = "+name+"(1, 2)", "x = MPI.Comm("+name+")")
		for _, c := range classes {
			for _, a := range c.names {
				if c.attrs[a].run == nil {
					lines = append(lines, "x = "+name+"."+a, "x = "+name+"\nx."+a+" = None", "x = "+name+"\nx."+a+" = 'y'")
					continue
				}
				for _, args := range shapes {
					lines = append(lines, "x = "+name+"."+a+"("+args+")", "x = MPI."+c.name+"."+a+"("+strings.Trim(name+", "+args, ", ")+")")
				}
			}
		}
	}
	if len(lines) < 20000 {
		t.Fatalf("only %d lines: the classes are not found", len(lines))
	}
	slices.Sort(lines)
	for _, line := range lines {
		known := map[string]bool{}
		code, err := Compile("test.py", line+"\n", 1, func(name string) bool { return known[name] })
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if err := onRank(t, func(r *Rank) error { return r.Run(code) }); errors.Is(err, errPanic) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// The results of calls on null handles that the standard or mpi4py allows. A receive of MPI_MESSAGE_NO_PROC returns
// at once (§3.8.2); INFO_NULL has no pairs in mpi4py.
func TestNullHandlesThatAreLegal(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"MPI.MESSAGE_NO_PROC.irecv().wait()":            "None",
		"MPI.MESSAGE_NO_PROC.recv()":                    "None",
		"len(MPI.INFO_NULL)":                            "0",
		"'k' in MPI.INFO_NULL":                          "False",
		"MPI.INFO_NULL.get('k')":                        "None",
		"MPI.INFO_NULL.get('k', 'v')":                   `"v"`,
		"MPI.INFO_NULL.items()":                         "[]",
		"MPI.INFO_NULL.keys()":                          "[]",
		"MPI.INFO_NULL.values()":                        "[]",
		"[k for k in MPI.INFO_NULL]":                    "[]",
		"MPI.INFO_NULL.copy() == MPI.INFO_NULL":         "True",
		"MPI.ERRHANDLER_NULL == MPI.Errhandler()":       "True",
		"{MPI.GROUP_NULL: 1, MPI.GROUP_EMPTY: 2} != {}": "True",
	} {
		e, err := CompileExprs("test.py", []Fragment{{Text: line, Line: 1, Col: 1}}, func(string) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		if err := onRank(t, func(r *Rank) error {
			v, err := r.Evaluator().Eval(r, e, nil, nil)
			if err == nil && v[0].String() != want {
				t.Errorf("%s gives %s, want %s", line, v[0], want)
			}
			return err
		}); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// The calls on null handles that are errors, with the error class of the standard.
func TestNullHandlesThatAreErrors(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]engine.Class{
		"MPI.ERRHANDLER_NULL.Free()":           engine.ErrErrhandler,
		"MPI.SESSION_NULL.Call_errhandler(0)":  engine.ErrSession,
		"MPI.SESSION_NULL.Finalize()":          engine.ErrSession,
		"MPI.MESSAGE_NULL.recv()":              engine.ErrRequest,
		"MPI.INFO_NULL.Get_nkeys()":            engine.ErrInfo,
		"MPI.INFO_NULL.Get('k')":               engine.ErrInfo,
		"MPI.GROUP_NULL.Free()":                engine.ErrGroup,
		"MPI.REQUEST_NULL.Cancel()":            engine.ErrRequest,
		"MPI.OP_NULL.Free()":                   engine.ErrOp,
		"MPI.COMM_NULL.Barrier()":              engine.ErrComm,
		"MPI.SESSION_NULL.Create_group('x')":   engine.ErrSession,
		"MPI.Group.Union(MPI.GROUP_NULL, 0)":   0,
		"MPI.ERRHANDLER_NULL.Free(1)":          0,
		"world.Set_errhandler(MPI.INFO_NULL)":  0,
		"MPI.SESSION_NULL.Get_pset_info(None)": 0,
	} {
		code, err := Compile("test.py", "x = "+line+"\n", 1, func(string) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		err = onRank(t, func(r *Rank) error { return r.Run(code) })
		var e *engine.Error
		switch errors.As(err, &e); {
		case want == 0 && (err == nil || e != nil):
			t.Errorf("%s: %v, want an error that is not MPI's", line, err)
		case want != 0 && (e == nil || e.Class != want || e.Where != "test.py:1"):
			t.Errorf("%s: %v, want %s at test.py:1", line, err, want)
		}
	}
}
