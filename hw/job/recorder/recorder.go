// Package recorder has the program that a user loads into an MPI application to learn which communicators it
// makes, where, and of whom: C for any MPI since 2.0, as a library. FORMAT.md says what it writes.
//
// Model: the files of program, in the order of their use, with those of the probe that ask for hosts and
// placement between them. wrapped.c and fortran_wrapped.c are generated from the table of calls.
package recorder

import (
	"embed"
	"slices"

	"codeberg.org/commsplit/commsplit/hw/job/probe"
)

//go:embed program/*.c
var program embed.FS

// C is the program.
func C() string {
	return probe.Join(program, "head") +
		probe.Sections(probe.Shared...) + probe.Join(program, "hardware") + probe.Sections("all") +
		probe.Join(program, "memory", "sink", "journal", "modules", "sites", "python", "calls", "write", "archive", "roll", "run", "ends",
			"wrappers", "wrapped", "fortran", "fortran_wrapped", "held", "carry", "carried", "unseen")
}

// names has the arguments of recordings by the parameters of the standard, where they differ.
var names = map[string]string{
	"array_of_commands": "command", "array_of_maxprocs": "maxprocs", "comm_name": "name", "group1": "group", "local_group": "group", "local_leader": "leader", "peer_comm": "peer",
	"pset_name": "pset", "remain_dims": "remain", "remote_group": "remotegroup", "remote_leader": "remoteleader", "split_type": "type",
}

// Name returns the name that recordings use for the argument of a parameter.
func Name(param string) string {
	if name := names[param]; name != "" {
		return name
	}
	return param
}

// Has reports whether recordings have an argument for a parameter.
func Has(param string) bool {
	return !slices.Contains([]string{"port_name", "fd", "sourceweights", "destweights", "weights"}, param)
}
