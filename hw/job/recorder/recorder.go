// Package recorder has the program that a user loads into an MPI application to learn which communicators it
// makes, where, and of whom: C for any MPI since 2.0, as a library. FORMAT.md says what it writes.
//
// Model: the files of program, in the order of their use, with those of the probe that ask for hosts and
// placement between them.
package recorder

import (
	"embed"

	"commsplit/hw/job/probe"
)

//go:embed program/*.c
var program embed.FS

// C is the program.
func C() string {
	return probe.Join(program, "head") +
		probe.Sections(probe.Shared...) + probe.Join(program, "hardware") + probe.Sections("all") +
		probe.Join(program, "memory", "sink", "journal", "modules", "sites", "calls", "write", "archive", "roll", "run",
			"wrappers", "fortran")
}
