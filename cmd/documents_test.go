package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/judge"
)

// The directive that the manual gives for Sphinx shows the pictures of a script by name and of lines in the page.
func TestDirectiveSphinx(t *testing.T) {
	t.Parallel()
	sphinx := judge.Ask(t, "sphinx-build")
	page, err := os.ReadFile("../render/EXPORT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```python\n")
	directive, _, found := strings.Cut(rest, "```\n")
	if !found {
		t.Fatal("the page has no directive")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"commsplit_sphinx.py": directive,
		"conf.py":             "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\nextensions = [\"commsplit_sphinx\"]\n",
		"index.rst": "Splits\n======\n\n.. commsplit:: first-split\n   :handle: half\n   :theme: light\n\n" +
			".. commsplit::\n   :n: 4\n   :topo: core:4\n\n   half = split world color=rank%2\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	programs := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(programs, "commsplit"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for builder, picture := range map[string]string{"html": "<svg", "latex": "\\begin{tikzpicture}"} {
		c := exec.CommandContext(t.Context(), sphinx, "-q", "-b", builder, dir, filepath.Join(dir, builder))
		c.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"))
		if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%v\n%s", err, out)
		}
		files, _ := filepath.Glob(filepath.Join(dir, builder, "*.*"))
		count := 0
		for _, f := range files {
			if text, err := os.ReadFile(f); err == nil && (strings.HasSuffix(f, "index.html") || strings.HasSuffix(f, ".tex")) {
				count += strings.Count(string(text), picture)
			}
		}
		if count != 2 {
			t.Errorf("%s: %d pictures, not 2", builder, count)
		}
	}
}
