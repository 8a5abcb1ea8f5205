// Command generate writes the files that are made from the table of calls: the constants of package engine, and the
// recorder's wrappers in C. Its argument is the root of the module.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"codeberg.org/commsplit/commsplit/engine/calls"
)

func main() {
	for file, text := range files() {
		if err := os.WriteFile(filepath.Join(os.Args[1], file), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

const notice = "// Code generated from engine/calls/procedures.txt by go generate ./engine/calls; DO NOT EDIT.\n"

// files returns the texts of the generated files, by their paths in the module.
func files() map[string]string {
	return map[string]string{
		"engine/callnames.go":                       constants(),
		"hw/job/recorder/program/wrapped.c":         notice + guarded(recorded, wrapperOfC),
		"hw/job/recorder/program/fortran_wrapped.c": notice + guarded(recorded, wrapperOfFortran),
		"hw/job/recorder/program/carried.c":         notice + carriers(),
	}
}

// constants writes the calls of package engine.
func constants() string {
	var b strings.Builder
	b.WriteString(notice + "\npackage engine\n\n// The calls, in the order of the table.\n")
	b.WriteString("const (\n\tCallNone Call = iota\n")
	for _, p := range calls.All {
		if p.Constant != "" {
			fmt.Fprintf(&b, "\tCall%s\n", p.Constant)
		}
	}
	return b.String() + "\tnumCalls\n)\n"
}
