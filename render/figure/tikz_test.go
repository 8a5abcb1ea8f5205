package figure_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/render/figure"
	"codeberg.org/commsplit/commsplit/render/picture"
)

// The phases of a call are the overlays of one slide of the class beamer: four pages.
func TestOverlaysLaTeX(t *testing.T) {
	t.Parallel()
	latex := judge.Ask(t, "pdflatex")
	v := viewOf(drawn["scattered"](t))
	list, err := picture.Overlays(v, &v.Handles[0])
	if err != nil {
		t.Fatal(err)
	}
	var doc strings.Builder
	doc.WriteString("\\documentclass{beamer}\n\\usepackage{tikz}\n\\begin{document}\n\\begin{frame}\n\\resizebox{\\linewidth}{!}{%\n")
	if err := figure.TikZ(&doc, list...); err != nil {
		t.Fatal(err)
	}
	doc.WriteString("}\n\\end{frame}\n\\end{document}\n")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "slide.tex"), []byte(doc.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), latex, "-interaction=nonstopmode", "-halt-on-error", "slide.tex")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if strings.Contains(string(out), "beamer.cls' not found") || strings.Contains(string(out), "tikz.sty' not found") {
		t.Skip("needs LaTeX's class beamer and package tikz")
	}
	if err != nil || !strings.Contains(string(out), "(4 pages") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// LaTeX typesets every picture, whatever the names in it, without an error, a warning, or an overfull box. The only
// packages are tikz, and geometry for large enough paper.
func TestTikZLaTeX(t *testing.T) {
	t.Parallel()
	latex := judge.Ask(t, "pdflatex")
	var doc strings.Builder
	doc.WriteString("\\documentclass{article}\n\\usepackage{tikz}\n\\usepackage[paperwidth=80cm,paperheight=80cm,margin=1cm]{geometry}\n" +
		"\\parindent0pt\n\\begin{document}\n")
	for _, name := range slices.Sorted(maps.Keys(drawn)) {
		fmt.Fprintf(&doc, "\\typeout{commsplit: %s}\n%s\\newpage\n", name, drawings(t, viewOf(drawn[name](t)))["tikz"])
	}
	doc.WriteString("\\end{document}\n")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pictures.tex"), []byte(doc.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), latex, "-interaction=nonstopmode", "-halt-on-error", "pictures.tex")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if strings.Contains(string(out), "tikz.sty' not found") {
		t.Skip("needs LaTeX's package tikz")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	log, err := os.ReadFile(filepath.Join(dir, "pictures.log"))
	if err != nil {
		t.Fatal(err)
	}
	at := ""
	for line := range strings.Lines(string(log)) {
		if name, ok := strings.CutPrefix(line, "commsplit: "); ok {
			at = strings.TrimSpace(name)
		}
		if complains.MatchString(line) && !strings.Contains(line, "No file pictures.aux") {
			t.Errorf("%s: %s", at, line)
		}
	}
}

var complains = regexp.MustCompile(`^!|Warning|Overfull|Underfull|Missing character`)
