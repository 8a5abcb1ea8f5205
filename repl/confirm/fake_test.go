//go:build unix

package confirm

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary also play an MPI: under the names mpirun and mpicc it carries out the acts in the
// file beside it, and as a child it waits to be ended.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); name {
	case "mpirun", "mpicc":
		acts, err := os.ReadFile(os.Args[0] + ".acts")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for line := range strings.Lines(string(acts)) {
			if err := act(strings.TrimSuffix(line, "\n")); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	case "child":
		time.Sleep(5 * time.Minute)
	default:
		os.Exit(m.Run())
	}
}

// install makes the two programs, each with its acts, one on each line. A program without acts is not made.
func install(t *testing.T, mpirun, mpicc string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, acts := range map[string]string{"mpirun": mpirun, "mpicc": mpicc} {
		if acts == "" {
			continue
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path+".acts", []byte(acts), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(self, path); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "mpirun")
}

// unescape lets one line of acts write several lines.
var unescape = strings.NewReplacer(`\n`, "\n", `\t`, "\t")

// act carries out one line. mpirun gets "-n 2 PROGRAM FOLDER", where the lines of a process go to the file rank-N
// in the folder, and mpicc gets "-std=c11 -o PROGRAM SOURCE". A line that begins with "program:" is only for the
// program of the whole session, a line with "attempt:" only for programs that try one call.
func act(line string) error {
	kind, rest, found := strings.Cut(line, ": ")
	if found && (kind == "program" || kind == "attempt") {
		if strings.HasSuffix(os.Args[3], "program") != (kind == "program") {
			return nil
		}
		line = rest
	}
	verb, text, _ := strings.Cut(line, " ")
	switch verb {
	case "builds":
		return os.WriteFile(os.Args[3], nil, 0o700)
	case "tells":
		rank, lines, _ := strings.Cut(text, " ")
		return os.WriteFile(filepath.Join(os.Args[4], "rank-"+rank), []byte(unescape.Replace(lines)), 0o600)
	case "says":
		fmt.Println(text)
	case "complains":
		fmt.Fprintln(os.Stderr, text)
	case "exits":
		code, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		os.Exit(code)
	case "hangs":
		time.Sleep(5 * time.Minute)
	case "floods":
		page := strings.Repeat("y\n", 1<<15)
		for {
			fmt.Print(page)
		}
	case "works":
		return work(filepath.Join(os.Args[4], "rank-0"))
	case "ignores":
		signal.Ignore(syscall.SIGTERM)
	case "begets":
		return beget(strings.CutPrefix(text, "holding "))
	default:
		return fmt.Errorf("no such act: %s", line)
	}
	return nil
}

// work writes the same line again and again.
func work(file string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	for ; err == nil; time.Sleep(100 * time.Millisecond) {
		_, err = fmt.Fprintln(f, "world rank 0 at step 1")
	}
	return err
}

// beget starts a child in the group of this process and a child in its own session, and lists their process ids in
// a file, once both have started. holding lets them keep the output of this process open.
func beget(file string, holding bool) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	list := ""
	for _, alone := range []bool{false, true} {
		child := exec.Cmd{Path: self, Args: []string{"child"}, SysProcAttr: &syscall.SysProcAttr{Setsid: alone}}
		if holding {
			child.Stdout, child.Stderr = os.Stdout, os.Stderr
		}
		if err := child.Start(); err != nil {
			return err
		}
		list += fmt.Sprintln(child.Process.Pid)
	}
	if err := os.WriteFile(file+".part", []byte(list), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}
