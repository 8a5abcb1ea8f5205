package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/judge"
)

// page is the text of USING.md's first block in a language.
func page(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile("USING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```"+language+"\n")
	block, _, ended := strings.Cut(rest, "```\n")
	if !found || !ended {
		t.Fatalf("USING.md has no block in %s", language)
	}
	return block
}

// runs runs the program of a module and compares its output with what is wanted. No network is asked.
func runs(t *testing.T, dir, want string) {
	t.Helper()
	c := judge.Go("run", ".")
	c.Dir = dir
	c.Env = append(c.Env, "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if got, err := c.CombinedOutput(); err != nil || string(got) != want {
		t.Errorf("%v: got\n%s\nwant\n%s", err, got, want)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A module outside this repository imports the engine as USING.md says, and its program prints what
// the page says.
func TestUsingFromAnotherModule(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	module := page(t, "mod")
	if strings.Count(module, "../commsplit") != 1 {
		t.Fatalf("the go.mod of the page should replace the module with ../commsplit: %s", module)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), strings.Replace(module, "../commsplit", filepath.ToSlash(root), 1))
	write(t, filepath.Join(dir, "main.go"), page(t, "go"))
	runs(t, dir, page(t, "text"))
}

// A copy of the engine under another import path knows its own frames too: an error is told at the line of
// the program.
func TestUsingUnderAnotherPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.org/mpi\n\ngo 1.26\n")
	for _, room := range []string{"engine", "engine/calls", "hw"} {
		files, err := filepath.Glob(filepath.Join("..", room, "*.[gst]*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, room, filepath.Base(file)), strings.ReplaceAll(string(text), "\t\"codeberg.org/commsplit/commsplit/", "\t\"example.org/mpi/"))
		}
	}
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	"errors"
	"fmt"

	"example.org/mpi/engine"
)

func main() {
	world, err := engine.New(engine.Config{Size: 2})
	if err != nil {
		panic(err)
	}
	err = engine.Run(world, func(p *engine.Process) error {
		_, err := p.World().Split(-1, 0)
		return err
	})
	var e *engine.Error
	fmt.Println(errors.As(err, &e), e.Where)
}
`)
	runs(t, dir, "true main.go:16\n")
}
