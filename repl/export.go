package repl

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"commsplit/hw/spell"
	"commsplit/render"
	"commsplit/render/source"
)

// Export says what of a session leaves the terminal, and how.
type Export struct {
	To      string       // one of ExportFormats
	Handle  string       // the variable of a picture, "" for the last one
	Picture string       // one of Pictures, for svg; "" for the one that suits the handle
	Theme   render.Theme // of svg; "" for auto
	Title   string       // of html; "" when there is none
	End     error        // of html: what the session ended with, nil when it ended well
}

// exporter is a format: what it is, and who writes it.
type exporter struct {
	name   string
	short  string
	handle bool // it shows one handle
	write  func(s *Session, w io.Writer, v *render.View, e *Export) error
}

// plainly is an exporter of the whole view.
func plainly(f func(io.Writer, *render.View) error) func(*Session, io.Writer, *render.View, *Export) error {
	return func(_ *Session, w io.Writer, v *render.View, _ *Export) error { return f(w, v) }
}

// programOf is an exporter of a program, whose comments quote the script.
func programOf(f func(io.Writer, *render.View) error) func(*Session, io.Writer, *render.View, *Export) error {
	return func(s *Session, w io.Writer, v *render.View, _ *Export) error {
		v.Script = s.script()
		return f(w, v)
	}
}

// exporters is the table of all formats, in the order of the help.
var exporters = []exporter{
	{"svg", "a picture: the partition on the hardware, lineage, or two groups", true, (*Session).exportSVG},
	{"html", "a page that replays the session in a browser, step by step", false, (*Session).exportPage},
	{"dot", "lineage, for Graphviz", false, plainly(render.DOT)},
	{"mermaid", "lineage, for Markdown viewers that draw Mermaid", false, plainly(render.Mermaid)},
	{"markdown", "the translation table: each rank's communicator and rank, by handle", false, plainly(render.Markdown)},
	{"csv", "the same for spreadsheets, a row for each rank and handle", false, plainly(render.CSV)},
	{"tikz", "the partition on the hardware, for LaTeX", true, (*Session).exportTikZ},
	{"c", "a C program that makes the same calls under a real MPI", false, programOf(source.C)},
	{"mpi4py", "the program that .program shows; commsplit.py is written next to it", false, (*Session).exportPython},
	{"f08", "the same in Fortran, with the module mpi_f08", false, programOf(source.Fortran)},
	{"json", "the document of run -o json", false, plainly(render.JSON)},
}

// ExportFormats lists the names of the formats, and what each is.
func ExportFormats() (names, shorts []string) {
	for _, x := range exporters {
		names, shorts = append(names, x.name), append(shorts, x.short)
	}
	return names, shorts
}

// Pictures are what svg draws: a partition on the hardware, lineage, or the two groups of
// intercommunicators.
func Pictures() []string { return []string{"partition", "lineage", "sides"} }

// Export writes the session in a format. What does not go together is an error, as is a handle that
// holds no communicator.
func (s *Session) Export(w io.Writer, e Export) error {
	i := slices.IndexFunc(exporters, func(x exporter) bool { return x.name == e.To })
	if i < 0 {
		names, _ := ExportFormats()
		if near := spell.Nearest(e.To, names); near != "" {
			return fmt.Errorf("there is no format %s: did you mean %s?", e.To, near)
		}
		return fmt.Errorf("there is no format %s: it is %s", e.To, strings.Join(names, ", "))
	}
	if err := e.fits(&exporters[i]); err != nil {
		return err
	}
	v := s.ViewByHandle()
	if e.To == "json" {
		v = s.ViewEnd(false)
	}
	return exporters[i].write(s, w, v, &e)
}

// ViewByHandle describes the session as View does, with a handle for each entry of lists.
func (s *Session) ViewByHandle() *render.View {
	v := s.View()
	var handles []render.Handle
	for _, h := range v.Handles {
		handles = append(handles, expandLists(h)...)
	}
	v.Handles = handles
	return v
}

// fits refuses what a format or a picture would ignore.
func (e *Export) fits(x *exporter) error {
	switch {
	case e.Handle != "" && !x.handle:
		return fmt.Errorf("a handle is for %s: %s shows all", handleFormats(), x.name)
	case e.Picture != "" && x.name != "svg":
		return fmt.Errorf("a picture of one's choice is for svg: %s is %s", x.name, x.short)
	case e.Theme != "" && x.name != "svg":
		return fmt.Errorf("a theme is for svg: %s has no colors of its own choice", x.name)
	case e.Picture == "lineage" && e.Handle != "":
		return fmt.Errorf("a handle is for the pictures partition and sides: lineage shows all communicators")
	}
	return nil
}

func handleFormats() string {
	var names []string
	for _, x := range exporters {
		if x.handle {
			names = append(names, x.name)
		}
	}
	return strings.Join(names, " and ")
}

// shown is the handle that a picture is of: the one asked for, or the last one that holds a
// communicator, or the world where none does.
func (e *Export) shown(v *render.View) (*render.Handle, error) {
	var names []string
	for i := range slices.Backward(v.Handles) {
		h := &v.Handles[i]
		if holds := slices.ContainsFunc(h.IDs, func(id int32) bool { return id >= 0 }); h.Name == e.Handle || e.Handle == "" && holds {
			return h, nil
		}
		names = append(names, h.Name)
	}
	if e.Handle == "" || e.Handle == "world" {
		return &render.Handle{Name: "world", IDs: make([]int32, v.Snapshot.Size)}, nil
	}
	slices.Reverse(names)
	names = append(names, "world")
	return nil, fmt.Errorf("no variable %s holds communicators%s; there are %s", e.Handle, didYouMean(e.Handle, names), strings.Join(names, ", "))
}

func (s *Session) exportSVG(w io.Writer, v *render.View, e *Export) error {
	theme := e.Theme
	if theme == "" {
		theme = render.ThemeAuto
	}
	if e.Picture == "lineage" {
		return render.SVGLineage(w, v, theme)
	}
	h, err := e.shown(v)
	if err != nil {
		return err
	}
	if e.Picture == "sides" || e.Picture == "" && render.HoldsInter(v, h) {
		return render.SVGSides(w, v, h, theme)
	}
	return render.SVGPartition(w, v, h, theme)
}

func (s *Session) exportTikZ(w io.Writer, v *render.View, e *Export) error {
	h, err := e.shown(v)
	if err != nil {
		return err
	}
	return render.TikZ(w, v, h)
}
