package stories

import (
	"bytes"
	"cmp"
	_ "embed" // a part of exported programs
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/render/figure"
	"codeberg.org/commsplit/commsplit/render/page"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/render/scene"
	"codeberg.org/commsplit/commsplit/render/source"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/mpi4py"
	"codeberg.org/commsplit/commsplit/repl/prediction"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// Export is which part of a session is exported, and in which format.
type Export struct {
	To      string       // one of ExportFormats
	Handle  string       // the variable of a picture, "" for the last one
	Picture string       // one of Pictures, for svg; "" for the one that suits the handle
	Theme   figure.Theme // of svg; "" for auto
	// Overlays makes an overlay of each phase of the calls, for the class beamer: of tikz.
	Overlays bool
	Title    string // of html; "" when there is none
	End      error  // of html: what the session ended with, nil when it ended well
}

// exporter is a format: its description, and the function that writes it.
type exporter struct {
	name   string
	ends   string // what the names of its files end with
	short  string
	handle bool // it shows one handle
	write  func(s *repl.Session, w io.Writer, v *render.View, e *Export) error
}

// plainly makes an exporter of a function that writes the whole view.
func plainly(f func(io.Writer, *render.View) error) func(*repl.Session, io.Writer, *render.View, *Export) error {
	return func(_ *repl.Session, w io.Writer, v *render.View, _ *Export) error { return f(w, v) }
}

// programOf makes an exporter of a function that writes a program, whose comments quote the script.
func programOf(f func(io.Writer, *render.View) error) func(*repl.Session, io.Writer, *render.View, *Export) error {
	return func(s *repl.Session, w io.Writer, v *render.View, _ *Export) error {
		v.Script = scriptOf(s)
		return f(w, v)
	}
}

// exporters is the table of all formats, in the order of the help.
var exporters = []exporter{
	{"svg", ".svg", "a picture: one of --picture", true, exportSVG},
	{"html", ".html .htm", "a page that replays the session in a browser, step by step", false, exportPage},
	{"dot", ".dot .gv", "lineage, for Graphviz", false, plainly(figure.DOT)},
	{"mermaid", ".mmd", "lineage, for Markdown viewers that draw Mermaid", false, plainly(figure.Mermaid)},
	{"markdown", ".md", "the translation table: each rank's communicator and rank, by handle", false, plainly(render.Markdown)},
	{"csv", ".csv", "the same for spreadsheets, a row for each rank and handle", false, plainly(render.CSV)},
	{"tikz", ".tex .tikz", "the same pictures, for LaTeX", true, exportTikZ},
	{"c", ".c", "a C program that makes the same calls under a real MPI", false, programOf(source.C)},
	{"mpi4py", ".py", "the program that .program shows; commsplit.py is written next to it", false, exportPython},
	{"f08", ".f90 .f08", "the same in Fortran, with the module mpi_f08", false, programOf(source.Fortran)},
	{"notebook", ".ipynb", "a Jupyter notebook: the lines as cells, with their pictures", false, exportNotebook},
	{"quiz", ".gift", "the questions of a lesson, in GIFT, which Moodle imports", false, exportQuiz},
	{"json", ".json", "the document of run -o json", false, plainly(document.Run)},
}

// ExportFormats lists the names of the formats, and the description of each.
func ExportFormats() (names, shorts []string) {
	for _, x := range exporters {
		names, shorts = append(names, x.name), append(shorts, x.short)
	}
	return names, shorts
}

// EndingOf returns what the name of a file of a format ends with: ".svg".
func EndingOf(format string) string {
	for _, x := range exporters {
		if x.name == format {
			return strings.Fields(x.ends)[0]
		}
	}
	return ""
}

// FormatOf returns the format of a file with that name; "" where its end tells none.
func FormatOf(path string) string {
	end := strings.ToLower(filepath.Ext(path))
	for _, x := range exporters {
		if slices.Contains(strings.Fields(x.ends), end) {
			return x.name
		}
	}
	return ""
}

// NoFormat returns an advice for a word that is not a format. For PNG and PDF another program draws the picture in SVG.
func NoFormat(to string) string {
	if to == "png" || to == "pdf" {
		return "commsplit draws SVG, which rsvg-convert makes it of: commsplit export ... --to svg --theme light | rsvg-convert -f " + to + " -o FILE." + to
	}
	if filepath.Ext(to) != "" {
		return "it must be a format, such as svg; the name of the file is an argument of its own"
	}
	names, _ := ExportFormats()
	return spell.Choice(to, names)
}

// ShowsHandle reports whether a format shows one variable.
func ShowsHandle(format string) bool {
	return slices.ContainsFunc(exporters, func(x exporter) bool { return x.name == format && x.handle })
}

// Pictures lists the names of the pictures that svg and tikz draw.
func Pictures() []string {
	var names []string
	for _, f := range picture.Figures() {
		names = append(names, f.Name)
	}
	return names
}

// ExportTo writes the session in a format. Options that do not go together are an error, and so is a handle that
// holds no communicator.
func ExportTo(w io.Writer, s *repl.Session, e Export) error {
	i := slices.IndexFunc(exporters, func(x exporter) bool { return x.name == e.To })
	if i < 0 {
		return fmt.Errorf("there is no format %s: %s", e.To, NoFormat(e.To))
	}
	if err := e.fits(&exporters[i]); err != nil {
		return err
	}
	if e.To == "json" { // its strings escape what no other format can hold
		return exporters[i].write(s, w, s.ViewEnd(false), &e)
	}
	var b bytes.Buffer
	if err := exporters[i].write(s, &b, s.ViewByHandle(), &e); err != nil {
		return err
	}
	_, err := io.WriteString(w, paint.Printable(b.String()))
	return err
}

// fits refuses options that the format or the picture would ignore.
func (e *Export) fits(x *exporter) error {
	switch {
	case e.Handle != "" && !x.handle:
		return fmt.Errorf("a handle is for %s: %s shows all", handleFormats(), x.name)
	case e.Picture != "" && x.name != "svg" && x.name != "tikz":
		return fmt.Errorf("--picture is for svg and tikz: %s is %s", x.name, x.short)
	case e.Overlays && x.name != "tikz":
		return fmt.Errorf("overlays are for tikz, on slides of LaTeX: %s has none", x.name)
	case e.Overlays && e.Picture != "":
		return fmt.Errorf("overlays show the phases of a call one after the other: leave the picture %s away", e.Picture)
	case e.Theme != "" && x.name != "svg":
		return fmt.Errorf("a theme is for svg: %s has no colors of its own choice", x.name)
	case e.Picture != "" && e.Handle != "" && picture.FigureOf(e.Picture, nil, nil).All:
		return fmt.Errorf("a handle is for the pictures partition, split, lanes, buckets and sides: %s shows all communicators", e.Picture)
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

// shown returns the handle that a picture shows: the handle asked for, or the last handle that holds a communicator, or
// the world when no handle holds one.
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
	return nil, fmt.Errorf("no variable %s holds communicators%s; there are %s", e.Handle, spell.DidYouMean(e.Handle, names), strings.Join(names, ", "))
}

func exportSVG(_ *repl.Session, w io.Writer, v *render.View, e *Export) error {
	pic, err := e.scene(v)
	if err != nil {
		return err
	}
	return figure.SVG(w, pic, cmp.Or(e.Theme, figure.Auto))
}

func exportTikZ(_ *repl.Session, w io.Writer, v *render.View, e *Export) error {
	if e.Overlays {
		h, err := e.shown(v)
		if err != nil {
			return err
		}
		list, err := picture.Overlays(v, h)
		if err != nil {
			return err
		}
		return figure.TikZ(w, list...)
	}
	pic, err := e.scene(v)
	if err != nil {
		return err
	}
	return figure.TikZ(w, pic)
}

// scene arranges the picture that is exported.
func (e *Export) scene(v *render.View) (*scene.Scene, error) {
	if f := picture.FigureOf(e.Picture, v, nil); f.All && e.Handle == "" {
		return f.Scene(v, nil)
	}
	h, err := e.shown(v)
	if err != nil {
		return nil, err
	}
	return picture.FigureOf(e.Picture, v, h).Scene(v, h)
}

// exportPage writes the page that replays the session in a browser.
func exportPage(s *repl.Session, w io.Writer, v *render.View, e *Export) error {
	return page.Write(w, pageOf(s, v, e))
}

// PageData returns the document that a page shows of the present session, with the hardware arranged for some areas. The
// feed leaves out what the page has since its document number has; has is 0 for a page without one. solves describes the
// exercise that the session solves, in the view v; nil for no exercise.
func PageData(s *repl.Session, feed *page.Feed, title string, has int, rooms []page.Room, solves func(v *render.View) *page.Exercise) ([]byte, error) {
	v := s.ViewByHandle()
	p := pageOf(s, v, &Export{Title: title})
	if p.Rooms = rooms; solves != nil {
		p.Exercise = solves(v)
	}
	return feed.Next(p, has)
}

// pageOf describes the session as pages take it.
func pageOf(s *repl.Session, v *render.View, e *Export) *page.Session {
	p := &page.Session{
		Title: cmp.Or(e.Title, "commsplit"), About: s.Describe(), Last: len(v.Snapshot.Steps),
		Variables: s.EverHeld(),
		Past:      func(step int) *render.View { return repl.PastView(v, step) },
		Held:      s.HeldAt,
		Events:    s.Events(),
		Recorded:  slices.ContainsFunc(s.Entries(), func(e repl.Entry) bool { return len(e.Chunk.Places) > 0 }),
		Source:    s.Quoted,
		Spelled:   spellerOf(s, v.Snapshot.Steps).spelled,
		Rules:     prediction.Rules(),
		Picture:   func(w io.Writer) error { return exportSVG(s, w, v, e) },
	}
	if e.End != nil {
		var b bytes.Buffer
		repl.WriteError(&b, e.End)
		p.End = strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	}
	return p
}

// teller prints what a rank holds, in the words of the other programs.
//
//go:embed tell.py
var teller string

// exportPython writes the program, and prints at its end what each rank holds.
func exportPython(s *repl.Session, w io.Writer, _ *render.View, _ *Export) error {
	if file := WholeProgram(s); file != "" {
		return fmt.Errorf("%s is a program of C, which runs under a real MPI as it is: --to c writes the calls that it made", file)
	}
	if used := program.Uses(Program(s), []string{hereName}); len(used) > 0 {
		return asksHere(s)
	}
	tail := teller
	for _, name := range s.Handles() {
		tail += tellsOf(s, name)
	}
	if d := s.Deadlock(); d != nil {
		tail = "# From here on ranks wait forever, as in the session: " + strings.ReplaceAll(d.Message, "\n", " ") + "\n" + tail
	}
	_, err := io.WriteString(w, forOthers(s, programEnding(s, nil, tail)))
	return err
}

// WholeProgram returns the file of a whole program of C or Fortran that the session ran; "" for none.
func WholeProgram(s *repl.Session) string {
	for _, e := range s.Entries() {
		if e.Chunk.Whole {
			return e.Chunk.File
		}
	}
	return ""
}

// hereName is the name in programs of the place that a rank runs at.
const hereName = "here"

// asksHere returns the error about exporting a session that asks where its ranks run, at the first place that asks.
func asksHere(s *repl.Session) error {
	const why = "mpi4py does not say where a rank runs, which %s asks: --to c writes the values that it got"
	for _, e := range s.Entries() {
		c := e.Chunk
		line, col := program.UsedAt(e.Program(), hereName)
		switch {
		case line == 0 || e.Void:
		case c.Kind == lang.Command:
			at := e.Asks(hereName)
			return c.ErrorAt(at, why, cmp.Or(at.Text, c.Verb.Text))
		case c.Ranks.Text != "": // the program has a line more, and is indented
			return c.ErrorAt(lang.Word{Line: c.Line + line - 2, Col: 1}, why, hereName)
		default:
			return c.ErrorAt(lang.Word{Line: c.Line + line - 1, Col: col}, why, hereName)
		}
	}
	return fmt.Errorf(why, "the session")
}

// tellsOf writes the statements that print a variable, on the ranks that have it.
func tellsOf(s *repl.Session, name string) string {
	var who []int
	list := false
	for i, r := range s.Ranks {
		if _, isList, ok := program.Held(r.Vars.Get(name)); ok {
			who, list = append(who, i), list || isList
		}
	}
	lines := []string{fmt.Sprintf("tell_who(%q, %s)", name, name)}
	if list {
		lines = []string{fmt.Sprintf("for k in range(len(%s)):", name), fmt.Sprintf("    tell_who(\"%s[%%d]\" %% k, %s[k])", name, name)}
	}
	if len(who) == s.Size() {
		return strings.Join(lines, "\n") + "\n"
	}
	return repl.OnRanks(engine.RanksOf(who...).String(), lines)
}

// Beside returns the name and the text of the file that has to stand next to an export; the name is "" for none.
func Beside(to string, text []byte) (name string, content []byte) {
	if to == "mpi4py" && bytes.Contains(text, []byte("\nfrom commsplit import ")) {
		return shim, []byte(mpi4py.Library)
	}
	return "", nil
}

// WriteExport writes an export to a file, and next to a program in Python the library that the program imports. It
// returns the files that it wrote. It overwrites a file only if over allows that, and leaves a library that is there
// already; otherwise it fails, and the error proposes instead.
func WriteExport(to, path string, text []byte, over func(path string) bool, instead string) (written []string, err error) {
	if name, content := Beside(to, text); name != "" {
		beside := filepath.Join(filepath.Dir(path), name)
		if filepath.Clean(path) == beside {
			return nil, fmt.Errorf("%s is the name of the module that the program imports: give the program another one", path)
		}
		if there, err := wholefile.Read(beside); err != nil || !bytes.Equal(there, content) {
			if err := WriteNew(beside, content, over(beside), instead); err != nil {
				return nil, err
			}
			written = append(written, beside)
		}
	}
	if err := WriteNew(path, text, over(path), instead); err != nil {
		return written, err
	}
	return append(written, path), nil
}

// scriptOf lists the lines of the session since its last world was made, for the comments of programs.
func scriptOf(s *repl.Session) []render.ScriptLine {
	var list []render.ScriptLine
	for _, e := range s.Entries() {
		c := e.Chunk
		notes := notesOf(c)
		behind := 0 // the note that a line belongs to ends before this one
		for k, text := range strings.Split(c.Text, "\n") {
			at := render.ScriptLine{Where: c.Site(k).String(), Text: strings.TrimSpace(text), Void: e.Void}
			if n, ok := notes[k]; ok {
				at.Text, at.Note, at.Void = n.Text, true, false
				behind = k + n.Lines
			} else if k < behind || at.Text == "" {
				continue
			}
			list = append(list, at)
		}
	}
	return list
}

// notesOf finds the notes of a chunk, by line, from 0.
func notesOf(c *lang.Chunk) map[int]program.Note {
	text := c.Text
	if c.Foreign {
		return nil
	}
	if c.Kind == lang.Command {
		if !repl.Issues(c, "note") || len(c.Args) != 1 {
			return nil
		}
		text = "note(" + c.Args[0].Text + ")"
	}
	notes := map[int]program.Note{}
	for _, n := range program.Notes(text) {
		notes[n.Line-1] = n
	}
	return notes
}

// WriteNew makes a file, all of it or none. It writes over a file that is there only with force; otherwise it
// fails, and the error proposes instead.
func WriteNew(path string, text []byte, force bool, instead string) error {
	write := wholefile.Create
	if force {
		write = wholefile.Write
	}
	err := write(path, text, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists: %s", path, instead)
	}
	return err
}
