// Package probe has the program that a user runs on a cluster to learn where the ranks of a job run, and on what
// hardware: C for any MPI since 3.0. Package job reads the file that the program writes.
//
// Model: the files of program, in the order of their use, are the whole program except one table, which lists
// what the program copies of /proc and /sys. The table is package record's selection, so that a job's hosts tell
// no more than recordings of machines do.
package probe

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/record"
)

//go:embed program/*.c
var program embed.FS

// Shared are the files of the program that ask Linux and gather facts about hosts and ranks, in their order.
// Another program of one file can include them: behind a head that includes the C headers they need and defines
// ME, the name in messages, and ROOT; before all.c, the program needs report_hardware, such as that of hwloc.c.
var Shared = []string{"text", "cpus", "tar", "files", "procsys", "messages", "host", "gather"}

// place is the line of the program that the table replaces.
const place = "/* TABLE */\n"

// C returns the program.
func C() string {
	return Sections(slices.Concat([]string{"head"}, Shared, []string{"hwloc", "all", "main"})...)
}

// Sections returns some files of the program, joined, with the table.
func Sections(names ...string) string {
	return strings.Replace(Join(program, names...), place, table(record.Selection()), 1)
}

// Join joins files into one program: program/NAME.c of an embedded folder, by their names.
func Join(folder embed.FS, names ...string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := folder.ReadFile("program/" + name + ".c")
		if err != nil {
			panic(err)
		}
		b.Write(text)
	}
	return b.String()
}

// parts are the program's names for the parts of a line.
var parts = map[record.Part]string{
	record.All: "ALL", record.Name: "NAME", record.LastWord: "LAST_WORD", record.FirstWord: "FIRST_WORD",
	record.Processor: "PROCESSOR",
}

// table writes the selection, and before it the lists of words that it needs.
func table(selection []record.Selected) string {
	var words, rows strings.Builder
	named := map[string]string{} // the name of a list, by its text
	for _, s := range selection {
		list := "NULL"
		if text := quoted(s.Filter.Words); text != "" {
			if named[text] == "" {
				named[text] = fmt.Sprintf("words%d", len(named))
				fmt.Fprintf(&words, "static const char *const %s[] = {%sNULL};\n", named[text], text)
			}
			list = named[text]
		}
		link := "NULL"
		if s.Link != "" {
			link = strconv.Quote(s.Link)
		}
		essential := 0
		if s.Essential {
			essential = 1
		}
		fmt.Fprintf(&rows, "\t{%q, %d, %s, %s, %s},\n", s.Pattern, essential, parts[s.Filter.Part], list, link)
	}
	return words.String() + "\nstatic const struct row rows[] = {\n" + rows.String() + "};\n"
}

// quoted writes a list of words in C, each with a comma behind it, in lines of a readable length.
func quoted(words []string) string {
	var b strings.Builder
	width := 0
	for _, w := range words {
		text := strconv.Quote(w) + ", "
		if width += len(text); width > 90 {
			b.WriteString("\n\t")
			width = len(text)
		}
		b.WriteString(text)
	}
	return b.String()
}
