package repl

import (
	"errors"
	"fmt"
	"io"

	"commsplit/repl/lang"
)

// WriteError tells a person what went wrong: a line each, with the source line and a caret where
// they are known.
func WriteError(w io.Writer, err error) {
	var failed *Failed
	var at *lang.Error
	switch {
	case errors.As(err, &failed):
		writeFailed(w, failed)
	case errors.As(err, &at):
		writeAt(w, at, "")
	default:
		fmt.Fprintf(w, "error: %v\n", err)
	}
}

// mostTold is how many errors, and how many calls with ranks left waiting, are told one by one. A call
// on many small communicators may fail on each of them.
const mostTold = 12

func writeFailed(w io.Writer, f *Failed) {
	if f.Interrupted {
		fmt.Fprintln(w, "interrupted")
		return
	}
	if f.Limit != nil {
		fmt.Fprintf(w, "error: %v\n", f.Limit)
		return
	}
	for i, e := range f.MPI {
		if i == mostTold {
			fmt.Fprintf(w, "       and %d more errors\n", len(f.MPI)-i)
			break
		}
		fmt.Fprintf(w, "error: %s\n", e.Error())
	}
	for _, e := range f.Program {
		writeAt(w, e.Error, " ("+e.who()+")")
	}
	for i, v := range f.Waiting {
		if i == mostTold {
			fmt.Fprintf(w, "       and ranks were left waiting in %d more calls\n", len(f.Waiting)-i)
			break
		}
		verb := "were"
		if v.Ranks.Len() == 1 {
			verb = "was"
		}
		fmt.Fprintf(w, "       %s %s left waiting in %s\n", v.Ranks.Noun(), verb, v.Call)
	}
}

func writeAt(w io.Writer, e *lang.Error, who string) {
	fmt.Fprintf(w, "error: %s%s\n", e.Error(), who)
	if caret := e.Caret(); caret != "" {
		fmt.Fprintln(w, caret)
	}
}
