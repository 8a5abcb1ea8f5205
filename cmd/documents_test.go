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
	for builder, picture := range map[string]string{"html": "<svg", "latex": "\\begin{tikzpicture}"} {
		c := exec.CommandContext(t.Context(), sphinx, "-q", "-b", builder, dir, filepath.Join(dir, builder))
		c.Env = append(os.Environ(), "PATH="+onPath(t)+":"+os.Getenv("PATH"))
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

// onPath returns a folder with the program under its name.
func onPath(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "commsplit"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// The cells of a notebook run again in IPython, and print and draw what is in the notebook.
func TestNotebookIPython(t *testing.T) {
	t.Parallel()
	ipython := judge.Ask(t, "ipython3")
	dir := t.TempDir()
	const again = `
import json
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
shell = InteractiveShell.instance()
for cell in json.load(open("s.ipynb"))["cells"]:
    if cell["cell_type"] == "code":
        with capture_output() as got:
            assert shell.run_cell(cell["source"]).success, cell["source"]
        said = "".join(o["text"] for o in cell["outputs"] if o["output_type"] == "stream")
        drawn = [o["data"]["image/svg+xml"] for o in cell["outputs"] if o["output_type"] == "display_data"]
        assert got.stdout == said, (cell["source"], got.stdout, said)
        assert len(got.outputs) == len(drawn), (cell["source"], len(got.outputs), len(drawn))
print("the same")
`
	const script = "# Two halves\n# commsplit: -n 4 --topo core:4\nnote \"Even and odd.\"\nhalf = split world color=rank%2\n" +
		"print(half.rank)\nexpect_parts half [[0,2],[1,3]]\nsame = world.Dup()\n"
	for name, text := range map[string]string{"s.mpi": script, "again.py": again} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	programs := onPath(t)
	for _, args := range [][]string{{filepath.Join(programs, "commsplit"), "export", "s.mpi", "--to", "notebook", "s.ipynb"}, {ipython, "again.py"}} {
		c := exec.CommandContext(t.Context(), args[0], args[1:]...)
		c.Dir, c.Env = dir, append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "IPYTHONDIR="+filepath.Join(dir, "ipython"))
		if out, err := c.CombinedOutput(); err != nil || args[0] == ipython && !strings.HasSuffix(string(out), "the same\n") {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}
