// Package tongue knows how MPI calls are written in C, in Fortran 2008 and with mpi4py's names: by the table of calls
// statements of C or Fortran, which package syntax reads, become the command or the program that they mean, and a
// statement is said in C or Fortran. It runs nothing.
package tongue

import (
	"regexp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// known lists the procedures that lines can call. Those that move data work on memory, which no program here has.
var known = slices.DeleteFunc(slices.Clone(calls.All), func(p *calls.Procedure) bool {
	return len(p.Statement) == 0 || p.MovesData()
})

// Find finds the procedure of that name, in any case where fortran; nil for none.
func Find(name string, fortran bool) *calls.Procedure {
	return calls.Named(known, name, fortran)
}

// Names lists the names of the procedures in C, in the order of the table.
func Names() []string {
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.Name
	}
	return names
}

// InCase returns the name in C of the procedure whose name has the same letters, in any case; "" for none.
func InCase(name string) string {
	if p := calls.Named(calls.All, name, true); p != nil {
		return p.Name
	}
	return ""
}

// Nearest returns the name in C of a procedure that is like the name; "" for none.
func Nearest(name string) string {
	if same := InCase(name); same != "" {
		return same
	}
	return spell.Nearest(name, Names())
}

// hole matches a place of a template where an argument stands.
var hole = regexp.MustCompile(`\{(\w+)\}`)

// Parts returns the parameters that a statement of the table sets, and its call.
func Parts(statement string) (results []string, call string) {
	left, call, sets := strings.Cut(statement, " = ")
	if !sets {
		return nil, left
	}
	return Holes(left), call
}

// Holes lists the parameters that stand in a template.
func Holes(template string) (names []string) {
	for _, m := range hole.FindAllStringSubmatch(template, -1) {
		names = append(names, m[1])
	}
	return names
}

// Filled puts texts in place of the parameters in a template.
func Filled(template string, text func(name string) string) string {
	return hole.ReplaceAllStringFunc(template, func(found string) string { return text(found[1 : len(found)-1]) })
}

// results lists the parameters that a procedure sets, by index.
func results(p *calls.Procedure) []int {
	names, _ := Parts(p.Statement[0])
	list := make([]int, len(names))
	for i, name := range names {
		list[i] = slices.IndexFunc(p.Params, func(q calls.Param) bool { return q.Name == name })
	}
	return list
}

// handles has the types in C of MPI's names with these beginnings.
var handles = []struct{ begin, name string }{
	{"COMM_NULL", "MPI_Comm"}, {"COMM_WORLD", "MPI_Comm"}, {"COMM_SELF", "MPI_Comm"}, {"GROUP_", "MPI_Group"}, {"INFO_", "MPI_Info"},
	{"REQUEST_", "MPI_Request"}, {"SESSION_", "MPI_Session"}, {"MESSAGE_", "MPI_Message"}, {"ERRHANDLER_", "MPI_Errhandler"},
	{"ERRORS_", "MPI_Errhandler"},
}

// HandleOf returns the type in C of a predefined handle, by its name without "MPI_"; "" for other names.
func HandleOf(name string) string {
	for _, h := range handles {
		if strings.HasPrefix(name, h.begin) {
			return h.name
		}
	}
	return ""
}
