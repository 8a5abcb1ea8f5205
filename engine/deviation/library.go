// Package deviation knows where MPICH and Open MPI leave the text of the MPI standard, which the engine
// follows: a table of known deviations. Each row says which call it is about, what the library does
// instead, and where that was seen; two small functions find the steps of a trace, the errors and the
// deadlocks for which it holds, and work out what the library would have given there. Nothing here
// changes what the engine does.
//
// The rows were observed with MPICH 4.0 and 4.2 and Open MPI 4.1 and 5.0, or read in the sources of
// these and of the development branches of 2026. Section numbers are those of MPI-5.0.
package deviation

import (
	"fmt"
	"strings"

	"commsplit/hw/spell"
)

// Library is an implementation of MPI. The zero value is none.
type Library uint8

// The libraries.
const (
	None Library = iota
	MPICH
	OpenMPI
)

// String is the library's own name: "Open MPI"; "" for None.
func (l Library) String() string { return [...]string{"", "MPICH", "Open MPI"}[l] }

// Word is the name as it is typed: "openmpi"; "" for None.
func (l Library) Word() string { return [...]string{"", "mpich", "openmpi"}[l] }

// Words lists the names that Parse takes.
func Words() []string { return []string{MPICH.Word(), OpenMPI.Word()} }

// Parse finds a library by name, in any case: "mpich", "openmpi", and "ompi" or "open-mpi" for the
// latter. The error says which names there are.
func Parse(name string) (Library, error) {
	switch strings.ToLower(name) {
	case "mpich":
		return MPICH, nil
	case "openmpi", "open-mpi", "open mpi", "ompi":
		return OpenMPI, nil
	}
	hint := ""
	if near := spell.Nearest(name, Words()); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return None, fmt.Errorf("the libraries are %s%s", strings.Join(Words(), " and "), hint)
}
