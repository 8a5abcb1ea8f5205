//go:build linux

package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"codeberg.org/commsplit/commsplit/hw/spell"
)

const (
	ctrlC, ctrlD, up = "\x03", "\x04", "\x1b[A"
	backspace        = "\x7f"
	four             = "world[4]> "
)

// prompted starts the prompt on four ranks.
func prompted(t *testing.T) *terminal {
	t.Helper()
	x := start(t, t.TempDir(), "repl", "-n", "4", "--topo", "pack:2 core:2")
	x.wait(four)
	return x
}

// A terminal that never answers must not be asked anything before a command that draws nothing:
// some libraries ask for its colors when they are loaded, and wait for seconds.
func TestVersionAsksNothing(t *testing.T) {
	t.Parallel()
	x := start(t, t.TempDir(), "--version")
	x.ends(0)
	if text := x.text(); strings.Contains(text, "\x1b") || !strings.HasPrefix(text, "commsplit ") {
		t.Errorf("shows %q", text)
	}
}

// A line shows its result; an error leaves the session alive; Ctrl-D leaves with 0.
func TestPromptLives(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.enter("half = split world color=rank%2", "half#2", four)
	x.enter("half = split wrld color=0", "wrld is not defined", four)
	x.enter("split world color=-1") // undone: its world has ended
	x.wait("MPI_ERR_ARG", four)
	x.enter("half.size", "[0-3] 2", four)
	x.press(ctrlD)
	x.ends(0)
}

// On a machine of fewer than four cores, prompt and terminal UI begin with Figure 7.3, and say so; on others, with a rank
// on each core. Who asks for this machine has it, and so have scripts and single calls, which must give the same with a
// person and without.
func TestStartWithoutFlags(t *testing.T) {
	t.Parallel()
	x := start(t, t.TempDir(), "-c", "print('size', world.size)")
	if code := x.code(); code != 0 {
		t.Fatalf("code %d, %q", code, x.text())
	}
	_, after, _ := strings.Cut(x.text(), "size ")
	n, err := strconv.Atoi(strings.TrimSpace(after))
	if err != nil {
		t.Fatal(err)
	}
	mine := fmt.Sprintf("world[%d]> ", n)
	first, note := mine, ""
	if n < 4 {
		first, note = "world[12]> ", "only "+spell.Plural(n, "core")+" here: this is Figure 7.3; --topo this takes this machine"
	}
	for _, args := range [][]string{{"repl"}, {}} {
		x := start(t, t.TempDir(), args...)
		x.wait(note, strings.TrimSpace(first))
	}
	x = start(t, t.TempDir(), "repl")
	x.wait(first)
	x.enter(".topo this", mine)
	start(t, t.TempDir(), "repl", "--topo", "this").wait(mine)
	start(t, t.TempDir(), "repl", "-n", "1").wait("world[1]> ")
	x = start(t, t.TempDir(), "split", "world", "color=0")
	x.wait(spell.Plural(n, "rank") + "  split color=0")
}

// The prompt says who is blocked; a later line lets them go on.
func TestPromptBlocked(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.enter("@0,2-3 barrier world", "world[4] blocked:0,2-3> ")
	x.enter("@1 barrier world", four)
	x.enter("quit")
	x.ends(0)
}

// Tab completes variables of the session and resource types that this hardware has.
func TestPromptCompletes(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.enter("half = split world color=rank%2", four)
	x.press("dup ha\t", "dup half")
	x.press(ctrlC, four)
	x.press("split_type world HW_GUIDED resource=\"hwloc://Pa\t", `resource="hwloc://Package"`)
	x.press(ctrlC, four)
	// There is no L3Cache here to complete to: the line stays as it is.
	x.press("split_type world HW_GUIDED resource=\"hwloc://L3\tX", "hwloc://L3X")
}

// Ctrl-C at the prompt gives the line up, not the session. The prompt shows before the terminal hands
// the key over as a byte; until then it is a signal, which does nothing. What is echoed is past that.
func TestPromptCtrlC(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.press("z", "z")
	x.press(backspace + ctrlC) // on an empty line
	x.wait("^C", four)
	x.press("nonsense", "nonsense")
	x.press(ctrlC, four)
	x.enter("print(world.size)", "[0-3] 4")
}

// Ctrl-C stops a program that does not end; the session lives with its variables.
func TestPromptStops(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.enter("half = split world color=rank%2", four)
	x.enter("while True: pass")
	x.press("\r") // an empty line ends the block
	// The terminal turns the key into a signal once the program has given it back its cooked mode;
	// before that the key is a byte for the next prompt. So it is pressed until it is heard.
	x.pressUntil(ctrlC, "interrupted")
	x.wait(four)
	x.enter("half.size", "[0-3] 2")
}

// What is typed while a line runs is the next line: Ctrl-D, too, leaves then.
func TestPromptTypedAhead(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.enter("for i in range(200000): pass")
	x.until("line that runs, or has run", func() bool {
		mode, err := unix.IoctlGetTermios(int(x.keys.Fd()), unix.TCGETS)
		return err == nil && mode.Lflag&unix.ICANON != 0 || strings.Contains(x.text()[x.seen:], four)
	})
	x.press("print(7 * 6)\r" + ctrlD) // whether the line still runs or not
	x.wait("[0-3] 42")
	x.ends(0)
}

// A block of several lines has its own prompt and ends with an empty line.
func TestPromptBlock(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.enter("for i in range(2):", "...> ")
	x.enter("    print(i, world.rank // 2)")
	x.wait("...> ")
	x.press("\r", "[0-1] 0 0", "[2-3] 1 1", four)
	x.press("\x1b[200~for i in range(2):\n    if i:\n\n        print('i is', i)\n\x1b[201~\r") // an empty line is inside
	x.wait("[0-3] i is 1", four)
	x.press(up + "\r") // the block as a whole
	x.wait("[0-3] i is 1")
}

// The history is kept from session to session, in a file that only its owner reads.
func TestPromptHistory(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.enter("print(world.size)", "[0-3] 4", four)
	x.press(up, "print(world.size)")
	x.press("\r", "[0-3] 4", four)
	x.enter(" print('not kept')", "[0-3] not kept", four)
	x.press(ctrlD)
	x.ends(0)
	file := filepath.Join(x.state, "commsplit", "history")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 {
		t.Errorf("the history has mode %o, want 600", mode)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "print(world.size)\n" {
		t.Errorf("the history is %q, %v", text, err)
	}
	again := start(t, x.state, "repl", "-n", "1", "--topo", "core:1")
	again.wait("world[1]> ")
	again.press(up, "print(world.size)")
}

// A signal ends a script with 128 and its number, and a line names it.
func TestScriptSignaled(t *testing.T) {
	t.Parallel()
	for _, c := range signals {
		t.Run(c.says, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "loop.mpi")
			if err := os.WriteFile(file, []byte("print('begun')\nwhile True: pass\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			x := start(t, dir, "run", file, "-n", "2", "--topo", "core:2")
			x.wait("begun")
			if err := x.cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			if code := x.code(); code != c.code {
				t.Errorf("code %d, want %d", code, c.code)
			}
			if !strings.Contains(x.text(), c.says) || strings.Contains(x.text(), "goroutine") {
				t.Errorf("shows %q", x.text())
			}
		})
	}
}

// signals are those that end a process: POSIX.1-2017 numbers them, and a shell tells 128 more.
var signals = []struct {
	signal syscall.Signal
	code   int
	says   string
}{{syscall.SIGHUP, 129, "hung up"}, {syscall.SIGINT, 130, "interrupted"}, {syscall.SIGQUIT, 131, "quit"}, {syscall.SIGTERM, 143, "terminated"}}

// A line at the prompt says how far it is while it runs, and the prompt comes back on a clean line.
func TestPromptTellsHowFar(t *testing.T) {
	t.Parallel()
	x := prompted(t)
	x.enter("while True: x = 1", "ranks that have called: 0 of 4  while True: x = 1\x1b[K")
	x.press(ctrlC, "\r\x1b[K", four)
	x.enter("print(world.size)", "[0-3] 4")
}
