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
	i := slices.IndexFunc(known, func(p *calls.Procedure) bool {
		return p.Name == name || fortran && strings.EqualFold(p.Name, name)
	})
	if i < 0 {
		return nil
	}
	return known[i]
}

// Names lists the names of the procedures in C, in the order of the table.
func Names() []string {
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.Name
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

// hole matches a place of a template where an argument stands.
var hole = regexp.MustCompile(`\{(\w+)\}`)

// results lists the parameters that a procedure sets, by index.
func results(p *calls.Procedure) []int {
	var list []int
	left, _, ok := strings.Cut(p.Statement[0], " = ")
	if !ok {
		return nil
	}
	for _, m := range hole.FindAllStringSubmatch(left, -1) {
		list = append(list, slices.IndexFunc(p.Params, func(q calls.Param) bool { return q.Name == m[1] }))
	}
	return list
}
