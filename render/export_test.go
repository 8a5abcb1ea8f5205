package render

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/judge"
	"commsplit/render/worlds"
)

// drawings are the pictures and tables of a view that other programs read, by name.
func drawings(t testing.TB, v *View) map[string]string {
	t.Helper()
	h := &v.Handles[len(v.Handles)-1]
	all := map[string]string{}
	for name, f := range map[string]func(io.Writer) error{
		"dot": func(w io.Writer) error { return DOT(w, v) }, "mermaid": func(w io.Writer) error { return Mermaid(w, v) },
		"markdown": func(w io.Writer) error { return Markdown(w, v) }, "csv": func(w io.Writer) error { return CSV(w, v) },
		"tikz":        func(w io.Writer) error { return TikZ(w, v, h) },
		"svg":         func(w io.Writer) error { return SVGPartition(w, v, h, ThemeAuto) },
		"svg-light":   func(w io.Writer) error { return SVGPartition(w, v, h, ThemeLight) },
		"svg-lineage": func(w io.Writer) error { return SVGLineage(w, v, ThemeDark) },
	} {
		var b strings.Builder
		if err := f(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = b.String()
	}
	return all
}

var drawn = map[string]func(testing.TB) *View{
	"levels-7.3": levels73, "blocks": blocksOf4, "family": family4, "scattered": mod1000, "inter": interView, "hostile": hostile,
	"moved": moved, "nobody": nobody,
}

// nobody has a communicator.
func nobody(t testing.TB) *View {
	s := newSession(t, nil, make([]*hw.Binding, 3))
	s.Split("none", 1, func(int) int { return engine.Undefined }, worlds.Zero)
	return s.view()
}

// hostileName has what some format gives a meaning, what is wider than a letter or has no width, what
// turns text around, and is long.
const hostileName = "a\"b<c>&|_#$%{}\\\x01~^]`*\n漢字 😀 e\u0301 \u202e]]> and so on, and on, and on, and on, and on"

// hostile has names that every format has to escape.
func hostile(t testing.TB) *View {
	topo, b := worlds.Figure73(t)
	s := newSession(t, topo, b)
	s.Assign("half", 3, func(p *engine.Process) (*engine.Comm, error) {
		c, err := p.World().Split(p.Rank()%2, 0)
		if err == nil {
			err = c.SetName(hostileName)
		}
		return c, err
	})
	return s.view()
}

// texts reads a document and returns its texts by element; it fails when it is not well-formed.
func texts(t *testing.T, name, doc string) map[string][]string {
	t.Helper()
	list := map[string][]string{}
	var at []string
	for d := xml.NewDecoder(strings.NewReader(doc)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			at = append(at, x.Name.Local)
		case xml.EndElement:
			at = at[:len(at)-1]
		case xml.CharData:
			if len(at) > 0 {
				list[at[len(at)-1]] = append(list[at[len(at)-1]], string(x))
			}
		}
	}
}

// SVG is well-formed whatever the names are, has a title and a description, uses no picture or font
// from elsewhere, and stays small when there are many ranks.
func TestSVGIsWellFormed(t *testing.T) {
	t.Parallel()
	for name, view := range drawn {
		for what, doc := range drawings(t, view(t)) {
			if !strings.HasPrefix(what, "svg") {
				continue
			}
			all := texts(t, name+" "+what, doc)
			if len(all["title"]) == 0 || len(all["desc"]) != 1 {
				t.Errorf("%s %s: no title or no description", name, what)
			}
			if len(doc) > 100_000 || strings.Count(doc, "http") != 1+strings.Count(doc, "https") {
				t.Errorf("%s %s: %d bytes, or something from elsewhere", name, what, len(doc))
			}
			if dark := strings.Contains(doc, "prefers-color-scheme"); dark != (what == "svg") {
				t.Errorf("%s %s: follows the viewer's theme: %v", name, what, dark)
			}
		}
	}
}

// Figure 7.3, second splitting (Example 7.5): A and B are the NUMA nodes of rack 0, C and D the
// packages of rack 1, with two processes each; processes 6 and 7 sit on their package.
func TestSVGOfFigure73(t *testing.T) {
	t.Parallel()
	v := levels73(t)
	var b strings.Builder
	if err := SVGPartition(&b, v, &v.Handles[1], ThemeLight); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(texts(t, "hwcomm2", b.String())["title"], "\n")
	for _, want := range []string{
		"world rank 0: rank 0 of communicator A", "world rank 3: rank 3 of communicator A", "world rank 4: rank 0 of communicator B",
		"world rank 7: rank 3 of communicator B", "world rank 8: rank 0 of communicator C", "world rank 11: rank 1 of communicator D",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if p := strings.Index(b.String(), "Package L#3"); p < 0 || !strings.HasPrefix(strings.TrimSpace(b.String()[p+len("Package L#3</text>"):]), "<g><title>world rank 6:") {
		t.Error("processes 6 and 7 do not sit on Package L#3")
	}
}

// CSV holds a row for each rank and handle, worked by hand: inter has 0, 2, 4 left, 1, 3, 5 right.
func TestCSV(t *testing.T) {
	t.Parallel()
	rows, err := csv.NewReader(strings.NewReader(drawings(t, levels73(t))["csv"])).ReadAll()
	if err != nil || len(rows) != 1+4*12 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	for i, want := range map[int]string{
		1:      "0,hwcomm1,2,A,0,8,,",
		12 + 9: "8,hwcomm2,6,C,0,2,,", 36 + 7: "6,hwcomm4,,,,,,",
	} {
		if got := strings.Join(rows[i], ","); got != want {
			t.Errorf("row %d is %s, want %s", i, got, want)
		}
	}
}

// Graphviz reads every graph.
func TestDOTGraphviz(t *testing.T) {
	t.Parallel()
	dot := judge.Ask(t, "dot")
	for name, view := range drawn {
		v := view(t)
		c := exec.CommandContext(t.Context(), dot, "-Tsvg")
		c.Stdin = strings.NewReader(drawings(t, v)["dot"])
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil || errs.Len() > 0 {
			t.Errorf("%s: %v %s", name, err, errs.String())
		}
		if n := strings.Count(string(out), `class="node"`); n < 1 || n > ancestryBoxes+1 {
			t.Errorf("%s: %d boxes", name, n)
		}
	}
}

// Small pictures and tables are as recorded. With UPDATE=1 they are recorded anew.
func TestExportGoldens(t *testing.T) {
	t.Parallel()
	for name, view := range map[string]func(testing.TB) *View{"levels-7.3": levels73, "inter": interView} {
		v := view(t)
		all := drawings(t, v)
		for _, what := range []string{"dot", "mermaid", "markdown", "tikz", "svg"} {
			golden(t, "export-"+name+"."+what, all[what])
		}
	}
	v := interView(t)
	h := &v.Handles[len(v.Handles)-1]
	if !HoldsInter(v, h) {
		t.Fatalf("%s holds no intercommunicator", h.Name)
	}
	var b strings.Builder
	if err := SVGSides(&b, v, h, ThemeAuto); err != nil {
		t.Fatal(err)
	}
	golden(t, "export-sides.svg", b.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("..", "testdata", "render", file)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-recorded +now):\n%s", path, d)
	}
}
