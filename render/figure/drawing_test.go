package figure

import (
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"commsplit/hw/judge"
	"commsplit/hw/placement"
	"commsplit/hw/preset"
	"commsplit/render"
	"commsplit/render/internal/worlds"
	"commsplit/render/paint"
)

// extent is a box or a line of text of a picture.
type extent struct {
	text       string // "" for a box
	class      string
	x, y, w, h int
}

// inside reports whether a place is within another.
func (p extent) inside(q extent) bool {
	return p.x >= q.x && p.y >= q.y && p.x+p.w <= q.x+q.w && p.y+p.h <= q.y+q.h
}

func (p extent) meets(q extent) bool {
	return p.x < q.x+q.w && q.x < p.x+p.w && p.y < q.y+q.h && q.y < p.y+p.h
}

// placesOf reads a picture. A line of text reaches a font's ascent and descent from its base, a fourth
// of it below, and is as wide as textWide says.
func placesOf(t *testing.T, name, doc string) (boxes, lines []extent) {
	t.Helper()
	var at *extent
	for d := xml.NewDecoder(strings.NewReader(doc)); ; {
		token, err := d.Token()
		if token == nil {
			return boxes, lines
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			of := map[string]string{}
			for _, a := range e.Attr {
				of[a.Name.Local] = a.Value
			}
			number := func(key string) int { n, _ := strconv.Atoi(of[key]); return n }
			p := extent{"", of["class"], number("x"), number("y"), number("width"), number("height")}
			switch e.Name.Local {
			case "rect":
				boxes = append(boxes, p)
			case "text":
				lines = append(lines, p)
				at = &lines[len(lines)-1]
			}
		case xml.CharData:
			if at != nil {
				at.set(string(e))
				at = nil
			}
		}
	}
}

func (p *extent) set(text string) {
	words := strings.Fields(p.class)
	size, wide := fontSize, textWide
	if slices.Contains(words, "small") {
		size = smallSize
	}
	if slices.Contains(words, "bold") {
		wide = boldWide
	}
	if slices.Contains(words, "head") {
		size, wide = headSize, boldWide
	}
	p.text, p.w, p.h = text, wide(text, size), size
	p.y -= size * 3 / 4
	if slices.Contains(words, "mid") {
		p.x -= p.w / 2
	}
}

// around is the smallest box that the middle of a text is in.
func (p extent) around(boxes []extent) extent {
	mid := extent{x: p.x + p.w/2, y: p.y + p.h/2}
	var least extent
	for _, b := range boxes {
		if mid.inside(b) && (least.w == 0 || b.w*b.h < least.w*least.h) {
			least = b
		}
	}
	return least
}

// allSVG is every picture of the views that tests draw, by name.
func allSVG(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, view := range drawn {
		for what, doc := range drawings(t, viewOf(view(t))) {
			if strings.HasPrefix(what, "svg") {
				all[name+" "+what] = doc
			}
		}
	}
	for _, name := range preset.Names() {
		topo, _ := preset.Lookup(name)
		s := worlds.New(t, topo, worlds.Place(t, topo, worlds.FullHouse(t, topo), placement.Policy{}))
		s.Split("fives", 1, func(r int) int { return r % 5 }, worlds.Zero)
		for _, what := range []string{"svg", "svg-lineage", "svg-split", "svg-lanes", "svg-levels"} {
			all[name+" "+what] = drawings(t, viewOf(s))[what]
		}
	}
	v := viewOf(worlds.Inter(t))
	var b strings.Builder
	if err := Sides(&b, v, &v.Handles[len(v.Handles)-1], Auto); err != nil {
		t.Fatal(err)
	}
	all["sides"] = b.String()
	return all
}

// Each line of text is within the box that it is in, and on no other.
func TestSVGTextStaysInItsBox(t *testing.T) {
	t.Parallel()
	for name, doc := range allSVG(t) {
		boxes, lines := placesOf(t, name, doc)
		for i, line := range lines {
			if b := line.around(boxes); !line.inside(b) {
				t.Errorf("%s: %q (%d,%d %dx%d) leaves its box (%d,%d %dx%d)", name, line.text, line.x, line.y, line.w, line.h, b.x, b.y, b.w, b.h)
			}
			for _, other := range lines[:i] {
				if line.meets(other) {
					t.Errorf("%s: %q is on %q", name, line.text, other.text)
				}
			}
		}
	}
}

// In a browser, too, with Arial's widths and with those of the widest usual font, no text leaves its box.
func TestSVGTextStaysInItsBoxChromium(t *testing.T) {
	t.Parallel()
	browser := judge.Ask(t, "chromium")
	var page strings.Builder
	page.WriteString("<!doctype html><meta charset=utf-8>")
	for name, doc := range allSVG(t) {
		for _, font := range []string{"Liberation Sans", "DejaVu Sans"} {
			scoped := strings.ReplaceAll(doc, "Helvetica,Arial,sans-serif", "'"+font+"'")
			fmt.Fprintf(&page, "<iframe title=%q srcdoc=\"%s\"></iframe>", name+" in "+font, strings.ReplaceAll(strings.ReplaceAll(scoped, "&", "&amp;"), `"`, "&quot;"))
		}
	}
	page.WriteString(measuring)
	file := filepath.Join(t.TempDir(), "pictures.html")
	if err := os.WriteFile(file, []byte(page.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
		"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file)
	out, err := c.Output()
	if err != nil {
		t.Skipf("chromium does not run here: %v", err)
	}
	_, found, ok := strings.Cut(string(out), "<pre>")
	found, _, _ = strings.Cut(found, "</pre>")
	if !ok || !strings.HasPrefix(found, "measured ") {
		t.Fatalf("the page did not measure: %.300s", found)
	}
	for _, complaint := range strings.Split(strings.TrimSpace(found), "\n")[1:] {
		t.Error(complaint)
	}
}

// measuring asks the browser how large each text is, as the test above does without one.
const measuring = `<script>
addEventListener("load", () => {
  const said = []; let texts = 0;
  for (const frame of document.querySelectorAll("iframe")) {
    const all = s => [...frame.contentDocument.querySelectorAll(s)];
    const rects = all("rect").map(r => r.getBBox());
    const lines = all("text").map(e => ({text: e.textContent, box: e.getBBox()}));
    lines.forEach((l, i) => {
      texts++;
      const b = l.box, x = b.x + b.width / 2, y = b.y + b.height / 2;
      let best = null;
      for (const r of rects)
        if (x >= r.x && y >= r.y && x <= r.x + r.width && y <= r.y + r.height && (!best || r.width * r.height < best.width * best.height)) best = r;
      if (!best || b.x < best.x || b.x + b.width > best.x + best.width) said.push(frame.title + ": " + l.text + " leaves its box");
      for (const o of lines.slice(0, i))
        if (b.x < o.box.x + o.box.width && o.box.x < b.x + b.width && Math.abs(b.y + b.height / 2 - o.box.y - o.box.height / 2) < Math.min(b.height, o.box.height) * 0.6)
          said.push(frame.title + ": " + l.text + " is on " + o.text);
    });
  }
  const pre = document.createElement("pre");
  pre.textContent = "measured " + texts + "\n" + said.join("\n");
  document.body.replaceChildren(pre);
});
</script>`

// Text stands out from what it is on by a contrast of at least 4.5 to 1 (WCAG 2, level AA), in each theme.
func TestSVGContrast(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*shade{"light": &lightShade, "dark": &darkShade} {
		check := func(what, text, on string) {
			if c := contrast(t, text, on); c < 4.5 {
				t.Errorf("%s: %s: %s on %s has a contrast of %.2f to 1", name, what, text, on, c)
			}
		}
		check("paper", s.text, s.paper)
		check("quiet on paper", s.quiet, s.paper)
		check("quiet on a box", s.quiet, s.fills["plain"])
		for class, fill := range s.fills {
			check(class, s.text, fill)
		}
		for slot := range paint.Slots {
			fill, text := paint.FillRGB(slot, s.dark)
			check("communicator "+render.Letter(slot), text, fill)
		}
		for _, class := range boxClasses {
			if s.fills[class] == "" {
				t.Errorf("%s: %s has no color", name, class)
			}
		}
	}
}

// contrast is the ratio of the relative luminances of two sRGB colors.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(color string) float64 {
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			c := float64(n) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
