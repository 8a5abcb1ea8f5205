package render

import (
	"encoding/json"
	"io"
)

// PresetDoc is a machine that --topo knows by name.
type PresetDoc struct {
	Name   string `json:"name"`
	Shape  string `json:"shape"`
	Source string `json:"source"`
	Spec   string `json:"spec"`
}

// PresetsJSON writes a list of machines.
func PresetsJSON(w io.Writer, list []PresetDoc) error { return indentedJSON(w, list) }

// ExampleDoc is an embedded script.
type ExampleDoc struct {
	Name    string `json:"name"`
	File    string `json:"file"`
	Group   string `json:"group"`
	Title   string `json:"title"`
	Section string `json:"section"` // "" for none
}

// ExamplesJSON writes a list of scripts.
func ExamplesJSON(w io.Writer, list []ExampleDoc) error { return indentedJSON(w, list) }

func indentedJSON(w io.Writer, doc any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}
