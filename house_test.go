package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rooms are the top-level folders, in the order in which they may import: each from those to its
// left. The program itself, "", comes last.
var rooms = []string{"hw", "engine", "render", "scripts", "repl", "tui", "cmd", ""}

// owners says which room alone may import a library, in tests too.
var owners = map[string]string{
	"github.com/jaypipes/ghw":               "hw",
	"github.com/charmbracelet/bubbletea":    "tui",
	"go.starlark.net":                       "repl",
	"github.com/peterh/liner":               "repl",
	"github.com/spf13/cobra":                "cmd",
	"github.com/rogpeppe/go-internal":       "cmd",
	"github.com/santhosh-tekuri/jsonschema": "cmd", // and only its tests
}

// listed is what "go list -json" says of a package.
type listed struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// packages lists the packages of the module.
func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// room is the room of a package of this module; ok is false for others.
func room(path string) (name string, ok bool) {
	if path == "commsplit" {
		return "", true
	}
	rest, ok := strings.CutPrefix(path, "commsplit/")
	name, _, _ = strings.Cut(rest, "/")
	return name, ok
}

// Imports point one way, sub-packages with their room. Tests may look further.
func TestImportsPointOneWay(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		from, _ := room(p.ImportPath)
		at := slices.Index(rooms, from)
		if at < 0 {
			t.Errorf("%s is in no room of the house", p.ImportPath)
			continue
		}
		for _, path := range p.Imports {
			to, ours := room(path)
			if !ours || to == from {
				continue
			}
			if i := slices.Index(rooms, to); i < 0 || i > at {
				t.Errorf("%s imports %s: imports point from right to left in %q", p.ImportPath, path, rooms)
			}
		}
	}
}

// Each library stays in the room that needs it, tests included.
func TestLibrariesStayInTheirRoom(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		from, _ := room(p.ImportPath)
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			for library, owner := range owners {
				if path != library && !strings.HasPrefix(path, library+"/") || from == owner {
					continue
				}
				t.Errorf("%s imports %s, which only %s may", p.ImportPath, path, owner)
			}
		}
	}
}

// What knows no terminal: hardware and engine.
func TestEngineKnowsNoTerminal(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if from, _ := room(p.ImportPath); from != "hw" && from != "engine" {
			continue
		}
		for _, path := range p.Imports {
			if strings.Contains(path, "/term") || strings.Contains(path, "charmbracelet") || strings.Contains(path, "liner") {
				t.Errorf("%s imports %s", p.ImportPath, path)
			}
		}
	}
}

// The top level holds the rooms, the test data and main.go, no other code.
func TestTopLevel(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case strings.HasPrefix(name, "."), e.IsDir() && (name == "testdata" || slices.Contains(rooms, name)):
		case e.IsDir():
			t.Errorf("the folder %s is no room of the house", name)
		case strings.HasSuffix(name, ".go") && name != "main.go" && name != "house_test.go":
			t.Errorf("%s belongs into a room", name)
		}
	}
}

// Names of files say a subject: none of these does.
func TestFileNames(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "testdata" || len(name) > 1 && strings.HasPrefix(name, ".")) {
			return fs.SkipDir
		}
		for _, vague := range []string{"util", "common", "helper", "manager"} {
			if filepath.Ext(path) == ".go" && strings.Contains(name, vague) {
				t.Errorf("%s: %s is no subject", path, vague)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
