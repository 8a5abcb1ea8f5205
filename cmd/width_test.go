package cmd_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"commsplit/cmd"
)

// widest is the widest line of a command's results on a terminal of so many columns (0: none), in
// an environment with COLUMNS set to columns.
func widest(t *testing.T, width int, columns string, args ...string) (int, string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := map[string]string{"COLUMNS": columns}
	s := cmd.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Width: width, Getenv: func(k string) string { return env[k] }}
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

// Results are as wide as the terminal at most; else as COLUMNS says; else 80.
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

// commands are those below a command, as its help lists them.
func commands(t *testing.T, words []string) []string {
	t.Helper()
	_, block, _ := strings.Cut(run(t, "", append(words, "--help")...).out, "Available Commands:\n")
	block, _, _ = strings.Cut(block, "\n\n")
	var list []string
	for line := range strings.Lines(block) {
		list = append(list, strings.Fields(line)[0])
	}
	return list
}

// Where there is room, it is used.
func TestWidthUsed(t *testing.T) {
	t.Parallel()
	args := []string{"split", "world", "color=0", "key=(rank*37)%96", "-n", "96", "--topo", "epyc-9654-nps4"}
	if w, _ := widest(t, 0, "200", args...); w <= 80 {
		t.Errorf("with COLUMNS=200 nothing is wider than %d columns", w)
	}
}
