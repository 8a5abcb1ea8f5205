package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	"github.com/ianlancetaylor/demangle":    "repl",
	"github.com/spf13/cobra":                "cmd",
	"github.com/rogpeppe/go-internal":       "cmd",
	"github.com/santhosh-tekuri/jsonschema": "cmd", // and only its tests
}

// listed is a package: what it imports, and what its tests do.
type listed struct {
	path           string
	imports, tests []string
}

// packages lists the packages of the module, whatever system their files are for.
func packages(t *testing.T) []listed {
	t.Helper()
	reading.Lock()
	defer reading.Unlock()
	if read == nil {
		read = readPackages(t)
	}
	return read
}

// What has been read once.
var (
	reading sync.Mutex
	read    []listed
)

func readPackages(t *testing.T) []listed {
	t.Helper()
	byPath := map[string]*listed{}
	for _, file := range sources(t, ".go") {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.TrimSuffix("codeberg.org/commsplit/commsplit/"+filepath.ToSlash(filepath.Dir(file)), "/.")
		p := byPath[at]
		if p == nil {
			p = &listed{path: at}
			byPath[at] = p
		}
		for _, i := range parsed.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") {
				p.tests = append(p.tests, path)
			} else {
				p.imports = append(p.imports, path)
			}
		}
	}
	var list []listed
	for _, p := range byPath {
		list = append(list, *p)
	}
	return list
}

// room is the room of a package of this module; ok is false for others.
func room(path string) (name string, ok bool) {
	if path == "codeberg.org/commsplit/commsplit" {
		return "", true
	}
	rest, ok := strings.CutPrefix(path, "codeberg.org/commsplit/commsplit/")
	name, _, _ = strings.Cut(rest, "/")
	return name, ok
}

// helpers are the packages that only tests import and that tests of several rooms share: Go lets no folder internal be
// seen from all of these, unless it is a room of its own.
var helpers = []string{"codeberg.org/commsplit/commsplit/hw/judge", "codeberg.org/commsplit/commsplit/hw/marked", "codeberg.org/commsplit/commsplit/render/page/chromium"}

// What only tests import is not part of the product: it is internal to the room whose tests they are.
func TestHelpersAreInternal(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, p := range packages(t) {
		for _, path := range p.imports {
			used[path] = used[path] || !slices.Contains(helpers, p.path)
		}
	}
	for _, p := range packages(t) {
		for _, path := range p.tests {
			_, ours := room(path)
			placed := strings.Contains(path, "/internal/") || slices.Contains(helpers, path)
			if ours && path != p.path && !used[path] && !placed {
				t.Errorf("%s is imported by tests alone: move it below an internal of its room", path)
			}
		}
	}
}

// Imports point one way, sub-packages with their room. Tests may look further.
func TestImportsPointOneWay(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		from, _ := room(p.path)
		at := slices.Index(rooms, from)
		if at < 0 {
			t.Errorf("%s is in no room of the house", p.path)
			continue
		}
		for _, path := range p.imports {
			to, ours := room(path)
			if !ours || to == from {
				continue
			}
			if i := slices.Index(rooms, to); i < 0 || i > at {
				t.Errorf("%s imports %s: imports point from right to left in %q", p.path, path, rooms)
			}
		}
	}
}

// Each library stays in the room that needs it, tests included.
func TestLibrariesStayInTheirRoom(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		from, _ := room(p.path)
		for _, path := range slices.Concat(p.imports, p.tests) {
			for library, owner := range owners {
				if path != library && !strings.HasPrefix(path, library+"/") || from == owner {
					continue
				}
				t.Errorf("%s imports %s, which only %s may", p.path, path, owner)
			}
		}
	}
}

// What knows no terminal: hardware and engine.
func TestEngineKnowsNoTerminal(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if from, _ := room(p.path); from != "hw" && from != "engine" {
			continue
		}
		for _, path := range p.imports {
			if strings.Contains(path, "/term") || strings.Contains(path, "charmbracelet") {
				t.Errorf("%s imports %s", p.path, path)
			}
		}
	}
}

// No test starts a program that is not ours, or looks for one, but through the package judge, which asks
// first whether it may. The test binary is ours, and so is the command under the name that it is installed by.
func TestOnlyJudgesStartPrograms(t *testing.T) {
	t.Parallel()
	for _, path := range sources(t, "_test.go") {
		if filepath.Dir(path) == filepath.Join("hw", "judge") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, at := types.ExprString(call.Fun), 0
			switch name {
			case "exec.LookPath":
				t.Errorf("%s looks for a program: judge.Ask does that", files.Position(call.Pos()))
			case "exec.CommandContext":
				at = 1
				fallthrough
			case "exec.Command":
				if word, ok := call.Args[at].(*ast.BasicLit); ok && word.Value != `"commsplit"` {
					t.Errorf("%s starts %s: judge.Ask tells whether it may, and where it is", files.Position(call.Pos()), word.Value)
				}
			}
			return true
		})
	}
}

// sources are the files of code whose names end so.
func sources(t *testing.T, suffix string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, suffix) {
			list = append(list, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
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
			t.Errorf("the folder %s is not a room of the house", name)
		case strings.HasSuffix(name, ".go") && name != "main.go" && name != "house_test.go":
			t.Errorf("%s belongs into a room", name)
		}
	}
}

// Names of files say a subject: none of these does.
func TestFileNames(t *testing.T) {
	t.Parallel()
	for _, path := range sources(t, ".go") {
		for _, vague := range []string{"util", "common", "helper", "manager"} {
			if strings.Contains(filepath.Base(path), vague) {
				t.Errorf("%s: %s is not a subject", path, vague)
			}
		}
	}
}

// Texts that people read are in plain English: none has a turn that readers stumbled over.
func TestPlainEnglish(t *testing.T) {
	t.Parallel()
	turns := []struct{ turn, better string }{
		{`\bheld against\b`, "compared with"}, {`\bholds? (both|them|it) against\b`, "compares"}, {`\bfor ever\b`, "forever"},
		{`\bcan not\b`, "cannot"}, {`\bone's choice\b`, "to choose"},
		{`\S+ (is|are) no [a-z]+\b`, "is not a"},
	}
	for _, path := range slices.Concat(sources(t, ".md"), sources(t, ".mpi"), sources(t, ".py"), sources(t, ".go")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasSuffix(path, ".go") && !strings.ContainsAny(line, "\"`") || strings.HasSuffix(path, "_test.go") || path == "CHANGELOG.md" {
				continue
			}
			for _, x := range turns {
				if m := regexp.MustCompile(x.turn).FindString(line); m != "" && !good.MatchString(m) {
					t.Errorf("%s:%d: %q; better: %s", path, i+1, m, x.better)
				}
			}
		}
	}
}

// good are turns that only look like those.
var good = regexp.MustCompile(`(?i)there (is|are) no|no (longer|more|less|fewer|other|such|news|reason|one|difference)`)
