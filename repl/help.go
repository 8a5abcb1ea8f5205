package repl

import (
	"fmt"
	"io"
	"strings"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// Lines explains to a person how a line of the language looks.
const Lines = "A line is a command (a verb and its arguments), a statement of a program that every rank runs, or " +
	"a meta command. @0-3 in front lets only these ranks issue it; NAME = in front names the result."

// WriteHelp shows the verb in full; no text is wider than width.
func (v *Verb) WriteHelp(w io.Writer, width int) {
	fmt.Fprintln(w, Hang("", v.Signature(), width))
	fmt.Fprintln(w)
	fmt.Fprintln(w, Wrap(v.Long, width, "    "))
	if len(v.Params) > 0 {
		fmt.Fprintln(w)
	}
	column := 9
	for _, p := range v.Params {
		column = max(column, len(p.Name))
	}
	item := func(name, text string) {
		fmt.Fprintln(w, Hang(fmt.Sprintf("    %-*s  ", column, name), text, width))
	}
	for _, p := range v.Params {
		item(p.Name, p.Help)
	}
	fmt.Fprintln(w)
	item("example", v.Example)
	if v.After != "" {
		item("after", v.After)
	}
	if v.Call != 0 {
		item("calls", fmt.Sprintf("%s [%s]", v.Call, v.Call.Rule()))
	}
}

// Wrap breaks text at blanks so that no line is longer than width, and puts the prefix before each line.
func Wrap(text string, width int, prefix string) string {
	var rows []string
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, paint.Wrap(line, width-len(prefix))...)
	}
	return prefix + strings.Join(rows, "\n"+prefix)
}

// Hang wraps text behind a head: the lines below the first one stand below its text.
func Hang(head, text string, width int) string {
	indent := strings.Repeat(" ", paint.Width(head))
	return head + strings.TrimPrefix(Wrap(text, width, indent), indent)
}
