package cmd

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/hw/placement"
	"commsplit/repl"
	"commsplit/repl/program"
	"commsplit/tui"
)

// The tables of the manual come from the tables of the program: between two marks stands what this test
// generates. UPDATE=1 writes it.
func TestReadmeTables(t *testing.T) {
	tables := map[string]func() string{
		"verbs": verbTable, "exit codes": codeTable, "meta commands": metaTable, "verb examples": exampleTable,
		"keys": keyTable, "launchers": launcherTable, "not modelled": absenceTable, "screen": func() string { return screenshot(t) },
	}
	for file, marks := range map[string][]string{
		"../README.md":        {"screen", "verbs", "exit codes", "meta commands", "keys"},
		"../repl/LANGUAGE.md": {"verb examples", "exit codes", "not modelled"},
		"../hw/TOPOLOGY.md":   {"launchers"},
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, mark := range marks {
			want := tables[mark]()
			open, end := "<!-- "+mark+" -->\n", "<!-- /"+mark+" -->"
			before, rest, ok := strings.Cut(text, open)
			got, after, closed := strings.Cut(rest, end)
			if !ok || !closed {
				t.Fatalf("%s has no %q ... %q", file, open, end)
			}
			if d := cmp.Diff(want, got); d != "" && os.Getenv("UPDATE") == "" {
				t.Errorf("%s (-program +%s):\n%s", mark, file, d)
			}
			text = before + open + want + end + after
		}
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// exampleTable has an example of each verb; a test of repl runs them.
func exampleTable() string {
	var b strings.Builder
	b.WriteString("| verb | example | section |\n|---|---|---|\n")
	for _, v := range repl.Verbs {
		section := ""
		if v.Call != 0 {
			section = v.Call.Rule()
		}
		example := v.Example
		if v.After != "" {
			example = v.After + "`, then `" + example
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", v.Name, strings.ReplaceAll(example, "|", `\|`), section)
	}
	return b.String()
}

// launcherTable has the flags of launchers that are not offered, and what is.
func launcherTable() string {
	var b strings.Builder
	b.WriteString("| flag | of | here |\n|---|---|---|\n")
	for _, e := range placement.Others {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", e.Flag, e.Launcher, e.Instead)
	}
	return b.String()
}

func verbTable() string {
	var b strings.Builder
	b.WriteString("| verb | what it does | calls |\n|---|---|---|\n")
	for _, v := range repl.Verbs {
		call := ""
		if v.Call != 0 {
			call = "`" + v.Call.String() + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", v.Signature(), v.Short, call)
	}
	return b.String()
}

func codeTable() string {
	var b strings.Builder
	b.WriteString("| exit code | meaning |\n|---|---|\n")
	for _, c := range Codes() {
		fmt.Fprintf(&b, "| %d | %s |\n", c.Code, c.Meaning)
	}
	return b.String()
}

func metaTable() string {
	var b strings.Builder
	b.WriteString("| meta command | what it does |\n|---|---|\n")
	for _, m := range repl.MetaCommands() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(m.Signature(), "|", `\|`), m.Short)
	}
	return b.String()
}

func keyTable() string {
	var b strings.Builder
	b.WriteString("| where | key | what it does |\n|---|---|---|\n")
	for _, k := range tui.Keys() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", k.Section, strings.ReplaceAll(k.Keys, "|", `\|`), k.Help)
	}
	return b.String()
}

// screenshot is the first screen of a golden file of the terminal UI.
func screenshot(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../tui/testdata/rank.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, screen, _ := strings.Cut(string(text), "80x24\n")
	screen, _, _ = strings.Cut(screen, "\n\n120x40\n")
	return "```text\n" + screen + "\n```\n"
}

// absenceTable has the names of MPI that are not modelled, why, and what to write instead.
func absenceTable() string {
	var b strings.Builder
	b.WriteString("| what | names | because | instead |\n|---|---|---|---|\n")
	for _, a := range program.Absences {
		use := strings.ReplaceAll(a.Use, "{small}", "the same name in small letters")
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", a.What, strings.Join(a.Names, "` `"), a.Why, use)
	}
	return b.String()
}
