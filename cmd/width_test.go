package cmd_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"codeberg.org/commsplit/commsplit/cmd"
)

// widest returns the width and the text of the widest line of a command's results on a terminal of
// width columns (0: unknown), with COLUMNS set to columns.
func widest(t *testing.T, width int, columns string, args ...string) (int, string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := map[string]string{"COLUMNS": columns}
	s := cmd.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, OutTTY: true, Width: width, Getenv: func(k string) string { return env[k] }}
	if code := cmd.Run(t.Context(), s, args); code != cmd.OK {
		t.Fatalf("code %d: %s", code, errs.String())
	}
	most, line := 0, ""
	for l := range strings.Lines(out.String()) {
		l = strings.TrimSuffix(l, "\n")
		if w := ansi.StringWidth(l); w > most {
			most, line = w, l
		}
	}
	return most, line
}

// Results are at most as wide as the terminal; without a terminal as COLUMNS; else 80 columns.
func TestWidth(t *testing.T) {
	t.Parallel()
	commands := map[string][]string{
		"split":    {"split", "world", "color=rank%7", "key=-rank", "-n", "96", "--topo", "epyc-9654-nps4"},
		"one part": {"split", "world", "color=0", "key=(rank*37)%96", "-n", "96", "--topo", "epyc-9654-nps4"},
		"example":  {"run", "example-7.5"},
		"tables":   {"-n", "64", "--topo", "frontier", "-c", "a = split world color=rank%3", "-c", "b = split a color=rank%5", "-c", ".show table", "-c", ".show lineage", "-c", ".step", "-c", ".step 1"},
		"reasons":  {"-n", "96", "--topo", "epyc-9654-nps4", "-c", "a = split_type world HW_UNGUIDED key=-rank", "-c", ".explain a", "-c", ".explain a @7", "-c", ".step in", "-c", ".step in", "-c", ".step in", "-c", ".step in", "-c", ".step in"},
		"map":      {"hw", "map", "--topo", "epyc-9654-nps4"},
		"hardware": {"hw", "show", "--topo", "gh200-quad"},
		"blocked":  {"-n", "64", "--topo", "frontier", "-c", "@1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33 barrier world", "-c", "expect_deadlock"},
		"help":     {"-n", "1", "--topo", "core:1", "-c", ".help", "-c", ".help split_type"},
	}
	for name, args := range commands {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if w, line := widest(t, 0, "", args...); w > 80 {
				t.Errorf("%d columns, not 80: %q", w, line)
			}
			if w, line := widest(t, 0, "120", args...); w > 120 {
				t.Errorf("%d columns, not 120: %q", w, line)
			}
			if w, line := widest(t, 100, "200", args...); w > 100 {
				t.Errorf("%d columns, not the 100 of the terminal: %q", w, line)
			}
		})
	}
}

// The help of every command, which has no terminal to ask, fits into 80 columns.
func TestHelpWidth(t *testing.T) {
	t.Parallel()
	seen := 0
	for todo := [][]string{{}}; len(todo) > 0; todo = todo[1:] {
		words := todo[0]
		if len(words) == 2 && words[0] == "completion" {
			continue // cobra's words
		}
		seen++
		if w, line := widest(t, 0, "", append(words, "--help")...); w > 80 {
			t.Errorf("%s --help: %d columns: %q", strings.Join(words, " "), w, line)
		}
		for _, sub := range commands(t, words) {
			todo = append(todo, append(slices.Clone(words), sub))
		}
	}
	if seen < 20 {
		t.Errorf("only %d commands were found", seen)
	}
}

// commands lists the commands below a command, from its help.
func commands(t *testing.T, words []string) []string {
	t.Helper()
	help, _, _ := strings.Cut(run(t, "", append(words, "--help")...).out, "\nFlags:\n")
	_, help, _ = strings.Cut(help, "\nUsage:\n")
	var list []string
	for _, m := range listed.FindAllStringSubmatch(help, -1) {
		if m[1] != "commsplit" { // a line that begins with commsplit is an example
			list = append(list, m[1])
		}
	}
	return list
}

// listed matches the line of a command in the help.
var listed = regexp.MustCompile(`(?m)^  ([a-z-]+) +[a-z]`)

// Off a terminal nothing is folded or cut, nor on a terminal with --full: every PU of 2 x 96 cores
// with two threads, every rank of 40 x 64, every one of 100 communicators, every rank of a
// communicator whose order has no pattern, and every one of 60 lines of a lineage is there.
func TestWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		each string // matches a line for each of so many
		many int
	}{
		{[]string{"hw", "show", "--topo", "epyc-9654-nps4"}, "PU L#%d (P#", 384},
		{[]string{"hw", "map", "--topo", "machine:40 pack:4 core:16 pu:1"}, "] Rank %d bound to ", 2560},
		{[]string{"hw", "map", "--tree", "--topo", "pack:8 core:16 pu:1"}, "<- rank %d\n", 128},
		{[]string{"hw", "map", "--picture", "--topo", "machine:2 core:48"}, "Rank %2d [", 96},
		{[]string{"split", "world", "color=rank", "-n", "100", "--topo", "pack:2 core:50"}, "world ranks [%d]", 100},
		{[]string{"split", "world", "key=(rank*rank)%101", "color=0", "-n", "101", "--topo", "core:101"}, "A%d ", 101},
		{[]string{"-n", "60", "--topo", "core:60", "-c", "a = split world color=rank", "-c", ".show lineage"}, "a#%d ", 60},
	} {
		lines := func(tty bool, args ...string) (there int, out string) {
			var b, errs bytes.Buffer
			s := cmd.Streams{In: strings.NewReader(""), Out: &b, Err: &errs, OutTTY: tty, Width: 80, Getenv: func(string) string { return "" }}
			if code := cmd.Run(t.Context(), s, append(slices.Clone(args), "--color", "never")); code != cmd.OK {
				t.Fatalf("%q: code %d: %s", args, code, errs.String())
			}
			for i := range c.many + 2 {
				if strings.Contains(b.String(), fmt.Sprintf(c.each, i)) {
					there++
				}
			}
			return there, b.String()
		}
		for _, full := range []bool{false, true} {
			args := c.args
			if full {
				args = append(slices.Clone(args), "--full")
			}
			if n, out := lines(full, args...); n != c.many || strings.Contains(out, "…") || strings.Contains(out, "... and") {
				t.Errorf("%q (terminal %t): %d of %d are there:\n%s", args, full, n, c.many, out)
			}
		}
		if n, _ := lines(true, c.args...); n == c.many {
			t.Errorf("%q on a terminal of 80 columns is not folded", c.args)
		}
	}
}

// Pictures use the width that there is.
func TestWidthUsed(t *testing.T) {
	t.Parallel()
	args := []string{"split", "world", "color=0", "key=(rank*37)%96", "-n", "96", "--topo", "epyc-9654-nps4"}
	if w, _ := widest(t, 0, "200", args...); w <= 80 {
		t.Errorf("with COLUMNS=200 nothing is wider than %d columns", w)
	}
}
