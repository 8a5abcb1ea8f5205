package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine/calls"
)

var root = filepath.Join("..", "..", "..")

// The generated files are those of the table: go generate ./engine/calls writes them.
func TestFilesAreCurrent(t *testing.T) {
	for file, want := range files() {
		got, err := os.ReadFile(filepath.Join(root, file))
		if err != nil || string(got) != want {
			t.Errorf("%s is not what the table says (%v): run go generate ./engine/calls", file, err)
		}
	}
}

// FORMAT.md tells the arguments that the wrappers take, in their order.
func TestFormatTellsArguments(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "hw/job/recorder/FORMAT.md"))
	if err != nil {
		t.Fatal(err)
	}
	told := map[string][]string{}
	word := regexp.MustCompile("`([a-z][a-z0-9]*)`")
	for _, row := range regexp.MustCompile("(?m)^\\| (`MPI_.*) \\|(.*)\\|$").FindAllStringSubmatch(string(text), -1) {
		arguments := regexp.MustCompile(`\([^)]*\)|and where.*`).ReplaceAllString(row[2], "")
		for _, name := range regexp.MustCompile(`MPI_\w+`).FindAllString(row[1], -1) {
			told[name] = []string{}
			for _, m := range word.FindAllStringSubmatch(arguments, -1) {
				told[name] = append(told[name], m[1])
			}
		}
	}
	for _, p := range calls.All {
		if !p.Recorded() {
			continue
		}
		code := strings.NewReplacer("take_session(&c, ", `take("session", `, "take_command(&c, ", `take("command", `).Replace(inC.taken(p))
		takes := []string{}
		for _, m := range regexp.MustCompile(`\((?:&c, )?"(\w+)"`).FindAllStringSubmatch(code, -1) {
			takes = append(takes, m[1])
		}
		if !slices.Equal(told[p.Name], takes) {
			t.Errorf("%s: FORMAT.md tells of the arguments %q, and the wrapper takes %q", p.Name, told[p.Name], takes)
		}
	}
}
