// Package schema holds the JSON Schemas (draft 2020-12) of all JSON that commsplit prints: a file for
// each document, and one for what several of them share. It checks nothing; the tests hold the files
// against the types that are written, and what is written against the files.
//
// The version of a schema is the last part of its $id, which is the version of the format. Within a
// version nothing is taken away and nothing changes its meaning, but properties may be added. A schema
// admits exactly what its own commsplit prints; a reader should ignore properties that it does not know.
//
// People write the files: the types do not know which strings are ranks or places, what may be null, and what a
// property means, of which a reflector would want a tag of a line and a half for each field.
package schema

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

//go:embed *.json
var files embed.FS

const extension = ".schema.json"

// Names lists the documents that have a schema, in order of their names.
func Names() []string {
	paths, err := fs.Glob(files, "*"+extension)
	if err != nil {
		panic(err) // the pattern is well-formed
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = strings.TrimSuffix(path, extension)
	}
	slices.Sort(names)
	return names
}

// Title describes a document in a line.
func Title(name string) string {
	var s struct{ Title string }
	if err := json.Unmarshal(read(name+extension), &s); err != nil {
		panic(fmt.Sprintf("%s: %v", name, err)) // the files are in the binary
	}
	return s.Title
}

// Text returns the schema of a document, one of Names. It is complete: the definitions that it refers to stand
// under $defs.
func Text(name string) string {
	text := read(name + extension)
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(text, []byte("\n}\n")))
	used, all := map[string]bool{}, defs()
	use(used, all, text)
	separator := ",\n  \"$defs\": {\n"
	for _, d := range all {
		if used[d.name] {
			fmt.Fprintf(&b, "%s    %q: %s", separator, d.name, bytes.ReplaceAll(d.text, []byte("\n"), []byte("\n  ")))
			separator = ",\n"
		}
	}
	if len(used) > 0 {
		b.WriteString("\n  }")
	}
	b.WriteString("\n}\n")
	return b.String()
}

var reference = regexp.MustCompile(`"#/\$defs/(\w+)"`)

// use marks the definitions that text refers to, and what they refer to in turn.
func use(used map[string]bool, all []definition, text []byte) {
	for _, m := range reference.FindAllSubmatch(text, -1) {
		name := string(m[1])
		if used[name] {
			continue
		}
		used[name] = true
		for _, d := range all {
			if d.name == name {
				use(used, all, d.text)
			}
		}
	}
}

// definition is a part that several documents share, as it is written.
type definition struct {
	name string
	text []byte
}

// defs reads the definitions, in order.
func defs() []definition {
	d := json.NewDecoder(bytes.NewReader(read("defs.json")))
	var list []definition
	_, err := d.Token() // the opening brace
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err != nil {
			break
		}
		var text json.RawMessage
		err = d.Decode(&text)
		list = append(list, definition{name.(string), text})
	}
	if err != nil {
		panic(fmt.Sprintf("defs.json: %v", err)) // the files are in the binary
	}
	return list
}

func read(path string) []byte {
	text, err := files.ReadFile(path)
	if err != nil {
		panic(err) // the files are in the binary
	}
	return text
}
