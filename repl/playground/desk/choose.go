package desk

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"codeberg.org/commsplit/commsplit/render/figure"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/completion"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// complete proposes the words that may stand at the end of the text, and completes the text as far as the editor of the
// prompt does.
func (d *Desk) complete(_ context.Context, q *Request, a *Answer) error {
	start, options := completion.Complete(d.console.Session, q.Text)
	e := edit.Editor{GoesOn: repl.IsNumber, Complete: func(string) (int, []string) { return start, options }}
	e.Set(q.Text)
	e.Propose(1)
	a.Line, a.Start, a.Options = e.Text(), utf8.RuneCountInString(q.Text[:start]), options
	return nil
}

// check returns a hint about the line that is being typed, its verb with the parameters and the help on the one that is
// being written, and the first mistake in the line.
func (d *Desk) check(_ context.Context, q *Request, a *Answer) error {
	before, now, behind, about := completion.HintOf(q.Text).Text()
	if a.Hint = before + now + behind; about != "" {
		a.Hint += "  " + about
	}
	if d.input.Pending() {
		return nil
	}
	if e := d.console.Session.Check(q.Text); e != nil && e.Line == 1 {
		before := q.Text[:min(max(e.Col-1, 0), len(q.Text))]
		a.Mistake = &Mistake{At: utf8.RuneCountInString(before), Text: e.Message}
	}
	return nil
}

// File is a file to download.
type File struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Text string `json:"text"`
}

// mimes are the types of the files of the formats that are not plain text.
var mimes = map[string]string{
	"svg": "image/svg+xml", "html": "text/html", "dot": "text/vnd.graphviz", "notebook": "application/x-ipynb+json",
	"markdown": "text/markdown", "csv": "text/csv", "tikz": "text/x-tex", "c": "text/x-csrc", "mpi4py": "text/x-python",
	"f08": "text/x-fortran", "json": "application/json",
}

// scriptFormat is the session as a script, which is not a format of export at a terminal: .save writes it there.
const scriptFormat = "script"

// export writes the session in a format.
func (d *Desk) export(_ context.Context, q *Request, a *Answer) error {
	name, s := "session", d.console.Session
	if d.script != nil {
		name = d.script.name
	}
	mime := cmp.Or(mimes[q.To], "text/plain") + ";charset=utf-8"
	if w := stories.WholeProgram(s); q.To == scriptFormat && w != "" && len(s.Entries()) > 1 {
		return fmt.Errorf("the session has a whole program of C or Fortran, which is a file of its own: a script holds nothing beside it")
	}
	if q.To == scriptFormat {
		a.Files = []File{{name + ".mpi", mime, stories.Text(s)}}
		return nil
	}
	var b bytes.Buffer
	e := stories.Export{To: q.To, Handle: q.Handle, Picture: q.Picture, Theme: figure.Theme(q.Theme), Title: name}
	if err := stories.ExportTo(&b, s, e); err != nil {
		return err
	}
	a.Files = []File{{name + stories.EndingOf(q.To), mime, b.String()}}
	if beside, text := stories.Beside(q.To, b.Bytes()); beside != "" {
		a.Files = append(a.Files, File{beside, mime, string(text)})
	}
	return nil
}

// Format is a format of export.
type Format struct {
	Name, Title string
	Handle      bool   // it shows one variable
	Picture     bool   // it has several pictures, and colors to choose
	From        string // the format from which the browser makes this one; "" for a format of ours
}

// Formats lists the formats of export.
func Formats() (list []Format) {
	names, shorts := stories.ExportFormats()
	for i, name := range names {
		list = append(list, Format{Name: name, Title: shorts[i], Handle: stories.ShowsHandle(name), Picture: name == "svg"})
	}
	return append(list, Format{Name: "png", Title: "the picture of svg in pixels, as this browser draws it", Handle: true, Picture: true, From: "svg"},
		Format{Name: scriptFormat, Title: "the lines of the session, as commsplit run takes them"})
}
