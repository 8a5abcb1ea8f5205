package figure_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/figure"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// drawings are the figures of a view, by name.
func drawings(t testing.TB, v *render.View) map[string]string {
	t.Helper()
	h := &v.Handles[len(v.Handles)-1]
	all := map[string]string{}
	for name, f := range map[string]func(io.Writer) error{
		"dot": func(w io.Writer) error { return figure.DOT(w, v) }, "mermaid": func(w io.Writer) error { return figure.Mermaid(w, v) },
		"tikz": func(w io.Writer) error { return figure.TikZ(w, arranged(t, "partition", v, h)) },
		"svg":  func(w io.Writer) error { return figure.SVG(w, arranged(t, "partition", v, h), figure.Auto) },
	} {
		var b strings.Builder
		if err := f(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = b.String()
	}
	for _, f := range picture.Figures() {
		if pic := arranged(t, f.Name, v, h); pic != nil {
			var b strings.Builder
			if err := figure.SVG(&b, pic, figure.Light); err != nil {
				t.Fatal(err)
			}
			all["svg-"+f.Name] = b.String()
		}
	}
	return all
}

// arranged is a figure of a view; nil where there is nothing to draw, and the figure says so.
func arranged(t testing.TB, name string, v *render.View, h *render.Handle) *scene.Scene {
	t.Helper()
	pic, err := picture.FigureOf(name, v, h).Scene(v, h)
	switch {
	case err == nil:
		return pic
	case name == "buckets" && strings.HasPrefix(err.Error(), "no call made a communicator of "+h.Name+" of buckets"),
		name == "levels" && v.Snapshot.Topology == nil, name == "sides" && !render.HoldsInter(v, h), name == "waiting" && len(v.Snapshot.Waiting) == 0, name == "split" && len(v.Snapshot.Steps) == 0,
		name == "split" && !slices.ContainsFunc(h.IDs, func(id int32) bool { return id > engine.SelfID }):
		return nil
	}
	t.Fatalf("%s: %v", name, err)
	return nil
}

var drawn = map[string]func(testing.TB) *worlds.Session{
	"levels-7.3": worlds.Levels73, "blocks": worlds.Blocks, "family": worlds.Family, "scattered": worlds.Scattered,
	"inter": worlds.Inter, "hostile": worlds.Hostile, "moved": worlds.Moved, "nobody": worlds.Nobody,
}

// viewOf is a world and its variables now.
func viewOf(s *worlds.Session) *render.View {
	v := &render.View{Snapshot: s.Snapshot()}
	for _, x := range s.Variables {
		v.Handles = append(v.Handles, render.Handle{Name: x.Name, IDs: x.IDs})
	}
	return v
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
		for what, doc := range drawings(t, viewOf(view(t))) {
			if !strings.HasPrefix(what, "svg") {
				continue
			}
			all := texts(t, name+" "+what, doc)
			if len(all["title"]) == 0 || len(all["desc"]) != 1 {
				t.Errorf("%s %s: no title or no description", name, what)
			}
			if len(doc) > 150_000 || strings.Count(doc, "http") != 1+strings.Count(doc, "https") {
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
	v := viewOf(worlds.Levels73(t))
	doc := svgOf(t, arranged(t, "partition", v, &v.Handles[1]))
	said := strings.Join(texts(t, "hwcomm2", doc)["title"], "\n")
	for _, want := range []string{
		"world rank 0, rank 0 of communicator A", "world rank 3, rank 3 of communicator A", "world rank 4, rank 0 of communicator B",
		"world rank 7, rank 3 of communicator B", "world rank 8, rank 0 of communicator C", "world rank 11, rank 1 of communicator D",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if p := strings.Index(doc, "Package L#3"); p < 0 || !strings.Contains(strings.SplitN(doc[p:], "</g>", 2)[0], "<title>world rank 6, ") {
		t.Error("processes 6 and 7 do not sit on Package L#3")
	}
}

// Graphviz reads every graph.
func TestDOTGraphviz(t *testing.T) {
	t.Parallel()
	dot := judge.Ask(t, "dot")
	for name, view := range drawn {
		v := viewOf(view(t))
		c := exec.CommandContext(t.Context(), dot, "-Tsvg")
		c.Stdin = strings.NewReader(drawings(t, v)["dot"])
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil || errs.Len() > 0 {
			t.Errorf("%s: %v %s", name, err, errs.String())
		}
		if n := strings.Count(string(out), `class="node"`); n < 1 || n > 57 {
			t.Errorf("%s: %d boxes", name, n)
		}
	}
}

// Graphs are as recorded, and a scene with each kind of thing in each look on both papers. With UPDATE=1 they are recorded
// anew. What layouts arrange is recorded as text, see TestScenes of package picture.
func TestExportGoldens(t *testing.T) {
	t.Parallel()
	for name, view := range map[string]func(testing.TB) *worlds.Session{"levels-7.3": worlds.Levels73, "inter": worlds.Inter} {
		all := drawings(t, viewOf(view(t)))
		for _, what := range []string{"dot", "mermaid"} {
			worlds.Golden(t, "export-"+name+"."+what, all[what])
		}
	}
	s := everything()
	var b strings.Builder
	if err := figure.TikZ(&b, s); err != nil {
		t.Fatal(err)
	}
	worlds.Golden(t, "everything.tikz", b.String())
	worlds.Golden(t, "everything.svg", svgOf(t, s))
}

// everything is a scene with each kind of thing in each look.
func everything() *scene.Scene {
	s := &scene.Scene{Title: "Each <kind>", Says: "Frames, cells, texts & arrows.", Width: 40, Height: 14}
	s.Add(scene.Thing{Kind: scene.Frame, W: 40, H: 14})
	s.Add(scene.Thing{Kind: scene.Frame, X: 1, Y: 1, W: 38, H: 12, Dashed: true, Ink: paint.Part(3)})
	s.Add(scene.Thing{Kind: scene.Text, X: 3, Y: 1, W: 8, H: 1, Text: "Package ", Cover: true})
	for i, c := range []paint.Cell{{Text: "A0", Slot: 0}, {Text: "B'1", Slot: 1, Right: true}, {Text: "A2", Slot: 0, Lit: true}, {Text: "7", Slot: paint.NoSlot},
		{State: paint.Null, Slot: paint.NoSlot}, {Text: "3", State: paint.Blocked, Slot: paint.NoSlot}, {State: paint.Vacant, Slot: paint.NoSlot}} {
		s.Add(scene.Thing{Kind: scene.Cell, X: 2 + 5*i, Y: 3, W: 4, H: 2, Cell: c, Under: "w" + strconv.Itoa(i), Of: scene.Rank(i, nil), Says: "rank"})
	}
	s.Add(scene.Thing{Kind: scene.Cell, X: 2, Y: 6, W: 10, H: 4, Cell: paint.Cell{Text: "C0", Slot: 2}, Big: true})
	for i, k := range []paint.Ink{paint.Plain, paint.Faint, paint.Bold, paint.Alarm, paint.Accent, paint.Note, paint.Part(4), paint.Fill(5)} {
		s.Put(14+12*(i/4), 6+i%4, " text "+strconv.Itoa(i), k)
	}
	s.Add(scene.Thing{Kind: scene.Arrow, X: 2, Y: 11, W: 6, H: 1})
	s.Add(scene.Thing{Kind: scene.Arrow, X: 12, Y: 10, W: 1, H: 2, Ink: paint.Accent})
	return s
}

// A picture in SVG has the devices in boxes at their places.
func TestDevicesSVG(t *testing.T) {
	t.Parallel()
	topo, _ := preset.Lookup("frontier")
	s := worlds.New(t, topo, worlds.Place(t, topo, 8, placement.Policy{MapBy: "l3cache", BindTo: "l3cache"}))
	s.Split("half", 1, func(r int) int { return r % 2 }, worlds.Zero)
	v := viewOf(s)
	doc := svgOf(t, arranged(t, "partition", v, &v.Handles[0]))
	for _, want := range []string{`GPU &#34;rsmi4&#34;`, `Net &#34;hsn0&#34;`} {
		if n := strings.Count(strings.ReplaceAll(strings.Join(texts(t, "devices", doc)["text"], "\n"), "\"", "&#34;"), want); n != 1 {
			t.Errorf("%s is there %d times", want, n)
		}
	}
}

// The key of a drawing says so, too, and why.
func TestStaleInSVG(t *testing.T) {
	t.Parallel()
	v := viewOf(worlds.Moved(t))
	for i, want := range []bool{true, true, false} {
		said := strings.Join(texts(t, v.Handles[i].Name, svgOf(t, arranged(t, "partition", v, &v.Handles[i])))["text"], "\n")
		if strings.Count(said, "  stale\n") != 2 && want || strings.Contains(said, "is stale: ") != want {
			t.Errorf("%s: stale %v, but it says\n%s", v.Handles[i].Name, want, said)
		}
	}
}

// Who holds MPI_COMM_NULL and who holds nothing yet differ.
func TestThreeStates(t *testing.T) {
	t.Parallel()
	v := viewOf(worlds.Inter(t))
	v.Handles = []render.Handle{{Name: "sub", IDs: []int32{2, -1, render.Unset, render.Unset, 2, -1}}}
	all := drawings(t, v)
	for what, wants := range map[string][]string{
		"svg":  {"MPI_COMM_NULL: ranks 1,5", "not set yet: ranks 2-3", "world rank 2, not set yet", "world rank 1, MPI_COMM_NULL"},
		"tikz": {`$\circ$`, `\dots{}`},
	} {
		for _, want := range wants {
			if !strings.Contains(all[what], want) {
				t.Errorf("%s: no %q in\n%s", what, want, all[what])
			}
		}
	}
}

// The dashed frames of Figure 7.3: each communicator stands around the hardware that the figure has in it, by the
// text below the figure and Example 7.5. Processes 6 and 7 use two cores indifferently: they have no fourth level,
// nor have those of rack 1, whose third level is the cores.
func TestLevelsOfFigure73(t *testing.T) {
	t.Parallel()
	v := viewOf(worlds.Levels73(t))
	around := inBorders(arranged(t, "levels", v, nil))
	want := map[string]string{
		"MPI_COMM_WORLD": "P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11",
		"hwcomm1#2":      "P0 P1 P2 P3 P4 P5 P6 P7", "hwcomm1#3": "P8 P9 P10 P11",
		"hwcomm2#4": "P0 P1 P2 P3", "hwcomm2#5": "P4 P5 P6 P7", "hwcomm2#6": "P8 P9", "hwcomm2#7": "P10 P11",
		"hwcomm3#8": "P0 P1", "hwcomm3#9": "P2 P3", "hwcomm3#10": "P4 P5", "hwcomm3#11": "P6 P7",
		"hwcomm3#12": "P8", "hwcomm3#13": "P9", "hwcomm3#14": "P10", "hwcomm3#15": "P11",
		"hwcomm4#16": "P0", "hwcomm4#17": "P1", "hwcomm4#18": "P2", "hwcomm4#19": "P3", "hwcomm4#20": "P4", "hwcomm4#21": "P5",
	}
	if diff := gocmp.Diff(want, around); diff != "" {
		t.Error(diff)
	}
}

// inBorders lists the processes in each dashed frame, by the name on it.
func inBorders(s *scene.Scene) map[string]string {
	around := map[string]string{}
	for i, f := range s.Things {
		if f.Kind != scene.Frame || !f.Dashed {
			continue
		}
		var inside []string
		for _, c := range s.Things {
			if c.Kind == scene.Cell && c.Of.Rank() >= 0 && c.X >= f.X && c.X+c.W <= f.X+f.W && c.Y >= f.Y && c.Y+c.H <= f.Y+f.H {
				inside = append(inside, c.Cell.Text)
			}
		}
		slices.SortFunc(inside, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
		around[s.Things[i+2].Text] = strings.Join(inside, " ") // behind the frame is a blank, then the name
	}
	return around
}

// A communicator whose processes are not those of one part of the hardware has no frame, and is named below; one
// that two packages out of three hold has a frame around both.
func TestLevelsWithoutAPlace(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "pack:3 core:2 pu:1")
	s := worlds.New(t, topo, worlds.Place(t, topo, 6, placement.Policy{}))
	s.Split("odd", 1, func(r int) int { return r % 2 }, worlds.Zero)
	s.Split("two", 2, func(r int) int { return r / 4 }, worlds.Zero)
	pic := arranged(t, "levels", viewOf(s), nil)
	if want := "odd#2, odd#3."; !strings.Contains(svgOf(t, pic), want) {
		t.Errorf("no %q", want)
	}
	if got := inBorders(pic)["two#4"]; got != "P0 P1 P2 P3" {
		t.Errorf("around two#4 are %q", got)
	}
}

// svgOf is a scene in light colors.
func svgOf(t testing.TB, s *scene.Scene) string {
	t.Helper()
	var b strings.Builder
	if err := figure.SVG(&b, s, figure.Light); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Before and after the second splitting of Figure 7.3: process 4 calls on hwcomm1#2 as rank 4, and is rank 0 of B of
// hwcomm2 then. That has the letters A to D, as in its other pictures, so hwcomm1#2 is E here. After the fourth, whose six
// communicators are A to F, processes 6 and 7 have MPI_COMM_NULL; before it they called on the last of hwcomm3#8 to #11, J.
func TestSplitOfFigure73(t *testing.T) {
	t.Parallel()
	v := viewOf(worlds.Levels73(t))
	for _, c := range []struct {
		handle        int
		before, after []string
	}{
		{1, []string{"world rank 4, rank 4 of communicator E"}, []string{"world rank 4, rank 0 of communicator B"}},
		{3, []string{"world rank 6, rank 0 of communicator J"}, []string{"world rank 6, MPI_COMM_NULL"}},
	} {
		before, after, _ := strings.Cut(svgOf(t, arranged(t, "split", v, &v.Handles[c.handle])), ">after: ")
		for _, want := range c.before {
			if !strings.Contains(before, want) || strings.Contains(after, want) {
				t.Errorf("%q is not only before", want)
			}
		}
		for _, want := range c.after {
			if !strings.Contains(after, want) || strings.Contains(before, want) {
				t.Errorf("%q is not only after", want)
			}
		}
	}
	world := &render.Handle{Name: "world", IDs: make([]int32, 12)}
	if _, err := picture.FigureOf("split", v, world).Scene(v, world); err == nil || !strings.Contains(err.Error(), "no call made a communicator of world") {
		t.Errorf("the world has something before it: %v", err)
	}
}
