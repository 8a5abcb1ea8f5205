// Package recorder has the program that a user loads into an MPI application to learn which communicators it
// makes, where, and of whom: C for any MPI since 2.0, as a library. FORMAT.md says what it writes.
//
// Model: the files of program, in the order of their use, with those of the probe that ask for hosts and
// placement between them.
package recorder

import (
	"embed"
	"strings"

	"commsplit/hw/job/probe"
)

//go:embed program/*.c
var program embed.FS

// C is the program.
func C() string {
	return sections("head") +
		probe.Sections(probe.Shared...) + sections("hardware") + probe.Sections("all") +
		sections("memory", "sites", "sink", "symbols", "lines", "calls", "write", "archive", "run", "wrappers", "fortran")
}

// sections are some files of the program.
func sections(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := program.ReadFile("program/" + name + ".c")
		if err != nil {
			panic(err)
		}
		b.Write(text)
	}
	return b.String()
}
