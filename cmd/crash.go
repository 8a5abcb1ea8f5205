package cmd

import (
	"fmt"
	"os"
	"path/filepath"

	"commsplit/hw/wholefile"
	"commsplit/repl"
	"commsplit/repl/edit"
)

// tellCrash says in a line what to report, and keeps what the session was told: in a file, or where
// none can be written on standard error.
func tellCrash(s Streams, c *repl.Crash) {
	repl.WriteError(s.Err, c)
	path, report := edit.StateFile("crash.mpi"), c.Report(version())
	holds := "to the report"
	if c.Kept != "" {
		holds += "; commsplit run gives your session again"
	}
	err := keep(path, report)
	if err != nil {
		fmt.Fprintf(s.Err, "This is commsplit %s. No file could be written (%v). Add this %s:\n\n%s", version(), err, holds, report)
		return
	}
	fmt.Fprintf(s.Err, "This is commsplit %s. Add this file %s:\n%s\n", version(), holds, path)
}

// keep writes a file that only its owner may read.
func keep(path, text string) error {
	if path == "" {
		return os.ErrNotExist
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return wholefile.Write(path, []byte(text), 0o600)
}
