package cmd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/hw/marked"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/tui"
)

// The tables of the manual come from the tables of the program: between two marks stands what this test
// generates. UPDATE=1 writes it.
func TestManualTables(t *testing.T) {
	tables := map[string]func() string{
		"verbs": verbTable, "exit codes": codeTable, "meta commands": metaTable, "keys": keyTable, "launchers": launcherTable, "manual": manualTable, "not modelled": absenceList,
		"screen":      func() string { return screenshot(t) },
		"environment": func() string { return namedTable("| variable | what it means |", environment) },
		"files":       func() string { return namedTable("| file | what it holds |", stateFiles) },
	}
	for file, marks := range map[string][]string{
		"../README.md":           {"manual"},
		"../tui/SCREEN.md":       {"screen", "keys"},
		"../repl/LANGUAGE.md":    {"verbs", "meta commands"},
		"../cmd/COMMANDS.md":     {"exit codes", "environment", "files"},
		"../hw/TOPOLOGY.md":      {"launchers"},
		"../repl/NOTMODELLED.md": {"not modelled"},
	} {
		for _, mark := range marks {
			marked.Hold(t, file, mark, tables[mark]())
		}
	}
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

// manualTable is the index of the manual.
func manualTable() string {
	var b strings.Builder
	b.WriteString("| page | `commsplit help` | read it |\n|---|---|---|\n")
	for k, p := range manualPages {
		_, title, readers := page(k)
		fmt.Fprintf(&b, "| [%s](%s) | `%s` | %s |\n", title, p.path, p.name, strings.TrimSuffix(strings.ToLower(readers[:1])+readers[1:], "."))
	}
	return b.String()
}

// verbTable has each verb with an example, which a test of repl runs.
func verbTable() string {
	var b strings.Builder
	b.WriteString("| verb | what it does | example |\n|---|---|---|\n")
	for _, v := range repl.Verbs {
		example := v.Example
		if v.After != "" {
			example = v.After + "`, then `" + example
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", v.Signature(), v.Short, strings.ReplaceAll(example, "|", `\|`))
	}
	return b.String()
}

// absenceList has the names of MPI that are not modelled, why, and what to write instead.
func absenceList() string {
	var b strings.Builder
	for _, a := range calls.Absences {
		use := strings.ReplaceAll(a.Use, "{small}", "the same name in small letters")
		fmt.Fprintf(&b, "- **%s**: %s. Instead: %s.\n  `%s`\n", a.What, a.Why, use, strings.Join(a.Names, "` `"))
	}
	return b.String()
}

// namedTable has a row for each name.
func namedTable(head string, list []named) string {
	var b strings.Builder
	b.WriteString(head + "\n|---|---|\n")
	for _, n := range list {
		fmt.Fprintf(&b, "| `%s` | %s |\n", n.name, n.meaning)
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
	for _, m := range repl.MetaCommands {
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

// Every page of the repository is in the index, begins with its title and its readers, and help shows it in the
// width of the terminal, but for blocks of code and words that are longer.
func TestManualIndex(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../*/*.md")
	nested, err2 := filepath.Glob("../*/*/*.md")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	indexed := map[string]bool{}
	for k, p := range manualPages {
		indexed[p.path] = true
		text, title, readers := page(k)
		if strings.Contains(title, "\n") || !strings.HasPrefix(readers, "For ") || !strings.HasSuffix(readers, ".") || len(readers) > 200 {
			t.Errorf("%s begins with title %q, readers %q", p.path, title, readers)
		}
		var out bytes.Buffer
		s := Streams{Out: &out, Width: 60, Getenv: func(string) string { return "" }}
		if ok, err := helpPage(s, p.name); !ok || err != nil {
			t.Fatalf("help %s: %v, %v", p.name, ok, err)
		}
		for line := range strings.Lines(out.String()) {
			if w := paint.Width(strings.TrimRight(line, "\n")); w > 60 && !strings.HasPrefix(line, "    ") && strings.Contains(strings.TrimSpace(line), " ") && !strings.Contains(text, "|") {
				t.Errorf("help %s: %d columns: %s", p.name, w, line)
			}
		}
	}
	for _, f := range append(files, nested...) {
		if !indexed[strings.TrimPrefix(f, "../")] {
			t.Errorf("%s is not in the index of the manual", f)
		}
	}
}
