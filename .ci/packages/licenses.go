package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenseFile matches the files of a module that its license wants passed on.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)(\.\w+)?$`)

// licenses returns the licenses and notices of Go and of each module whose code is in a program of some system; for a
// module without such files, what its README.md tells. A module that tells no license is an error.
func licenses() ([]byte, error) {
	root, err := output(nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var modules []string // name and folder
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		list, err := output([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0", "GOFLAGS="}, "go", "list", "-deps", "-tags", withoutHTTP2,
			"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
		if err != nil {
			return nil, err
		}
		modules = append(modules, strings.FieldsFunc(list, func(r rune) bool { return r == '\n' })...)
	}
	slices.Sort(modules)
	var out bytes.Buffer
	out.WriteString("commsplit has code of the modules below, under their licenses.\n")
	for _, m := range append([]string{"Go, its runtime and standard library\t" + root}, slices.Compact(modules)...) {
		name, folder, _ := strings.Cut(m, "\t")
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		found := false
		for _, e := range entries {
			if e.IsDir() || !licenseFile.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				return nil, err
			}
			found = true
			fmt.Fprintf(&out, "\n==== %s: %s\n\n%s\n", name, e.Name(), bytes.TrimSpace(text))
		}
		if !found {
			text, err := os.ReadFile(filepath.Join(folder, "README.md"))
			_, after, ok := bytes.Cut(text, []byte("\n## License\n"))
			if err != nil || !ok {
				return nil, fmt.Errorf("%s tells no license", name)
			}
			fmt.Fprintf(&out, "\n==== %s: README.md\n\nLicense\n\n%s\n", name, bytes.TrimSpace(after))
		}
	}
	return out.Bytes(), nil
}
