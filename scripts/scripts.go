// Package scripts holds the examples of the standard as scripts, embedded in the binary. Each
// file's first comment line is its title; "# commsplit:" lines say on which hardware it runs. The
// package only finds texts; running them is repl's.
package scripts

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"commsplit/hw/spell"
)

//go:embed *.py *.mpi
var files embed.FS

// Example is one embedded script.
type Example struct {
	Name  string // without extension: "example-7.3"
	File  string // "example-7.3.py"
	Title string
	Text  string
}

// All lists the scripts by name.
func All() []Example {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic(err) // the files are in the binary
	}
	var list []Example
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		list = append(list, Example{strings.TrimSuffix(e.Name(), path.Ext(e.Name())), e.Name(), title(string(text)), string(text)})
	}
	return list
}

func title(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(strings.TrimPrefix(first, "#"))
}

// Names lists the names of the scripts.
func Names() []string {
	var names []string
	for _, e := range All() {
		names = append(names, e.Name)
	}
	return names
}

// Lookup finds a script by name, with or without its extension; an example of the standard also by
// its number alone: "7.3".
func Lookup(name string) (file, text string, ok bool) {
	for _, e := range All() {
		if strings.EqualFold(e.Name, name) || strings.EqualFold(e.File, name) || e.Name == "example-"+name {
			return e.File, e.Text, true
		}
	}
	return "", "", false
}

// Suggest adds the nearest example to the error about a script that is not there.
func Suggest(name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if near := spell.Nearest(name, Names()); near != "" {
		return fmt.Errorf("%w (did you mean the example %s?)", err, near)
	}
	return fmt.Errorf("%w; commsplit examples lists the embedded scripts", err)
}
