//go:build linux

package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/judge"
)

// shells are those that Linux has, and how each begins without anybody's configuration and takes our script.
var shells = []struct {
	name string
	args []string
	load string
}{
	{"bash", []string{"--norc", "--noprofile", "-i"}, "source <(commsplit completion bash)"},
	{"zsh", []string{"-f", "-i"}, "autoload -U compinit; compinit -u -D; source <(commsplit completion zsh)"},
	{"fish", []string{"--no-config", "--interactive"}, "commsplit completion fish | source"},
}

// Tab in a shell completes the arguments of a verb as Tab at the prompt does, on the world that the line asks for, and
// proposes no file, though one would fit. bash needs no package for it.
func TestCompletionShell(t *testing.T) {
	for _, s := range shells {
		t.Run(s.name, func(t *testing.T) {
			path := judge.Ask(t, s.name)
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			c := exec.Command(path, s.args...)
			c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "PS1=$ "}
			x := startCommand(t, dir, c)
			x.press("echo rea''dy\r", "ready")
			x.press(s.load+"; echo load''ed\r", "loaded")
			for typed, want := range map[string]string{
				"commsplit split-t\t wor\tHW_G\t":                                          "commsplit split-type world HW_GUIDED",
				"commsplit split world co\t":                                               "commsplit split world color=",
				"commsplit split world color=ra\t%2 k\t-rank":                              "commsplit split world color=rank%2 key=-rank",
				"commsplit split-type --topo core:2 world HW_GUIDED resource=hwloc://L3\t": "commsplit split-type --topo core:2 world HW_GUIDED resource=hwloc://L3",
				"commsplit split-type --topo 'l3:2 core:2' -n 4 world HW_GUIDED resource=hwloc://L\t": "commsplit split-type --topo l3:2 core:2 -n 4 world HW_GUIDED " +
					"resource=hwloc://L3Cache",
				"commsplit split-type world RESOURCE_GUIDED --pset app://a=0 -n 1 pset=app\t": "commsplit split-type world RESOURCE_GUIDED --pset app://a=0 -n 1 pset=app://a",
				"commsplit split world fi\t": "commsplit split world fi",
				"commsplit split -n fi\t":    "commsplit split -n fi",
			} {
				x.press(typed + "\x01echo \x05 '>'\r") // the shell tells the line that it has
				x.wait(want + " >")
			}
			if text := x.text(); strings.Contains(text, "not found") {
				t.Errorf("the shell shows %q", text)
			}
		})
	}
}

// On a terminal a long text goes through the pager that PAGER names, and comes whole where that is cat.
func TestPagerShell(t *testing.T) {
	judge.Ask(t, "sed")
	for pager, want := range map[string]string{"sed 's/^/| /'": "| commsplit runs MPI", "cat": "commsplit runs MPI"} {
		dir := t.TempDir()
		c := exec.Command("commsplit", "--help")
		c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm", "PAGER=" + pager}
		x := startCommand(t, dir, c)
		x.ends(0)
		if text := x.text(); !strings.HasPrefix(text, want) || !strings.Contains(text, "Exit codes:") {
			t.Errorf("PAGER=%s: %.60q", pager, text)
		}
	}
}
