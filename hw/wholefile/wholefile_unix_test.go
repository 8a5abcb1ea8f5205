//go:build unix

package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// lay makes a file for a test.
func lay(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path, []byte(text), mode), os.Chmod(path, mode)); err != nil { // whatever the umask
		t.Fatal(err)
	}
}

// holds checks the text of a file, and that the folder has no other files than names.
func holds(t *testing.T, path, want string, names ...string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %d bytes (%v), want %d", path, len(got), err, len(want))
	}
	folder(t, filepath.Dir(path), names...)
}

func folder(t *testing.T, dir string, names ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the folder has %v, want %v", got, names)
	}
}

// When a text does not fit, the old text stays, also where the file cannot be replaced because it has two names,
// and no new file is left. The limit of a file's size stands for the full disk: with both the kernel writes a
// part and then fails. Other tests do not run meanwhile.
func TestTooLong(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	old, long := strings.Repeat("old ", 1000), []byte(strings.Repeat("new text", 2000))
	lay(t, one, old, 0o644)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	limit := was
	limit.Cur = 8192
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was)
	if err := Write(one, long, 0o644); err == nil || !strings.HasPrefix(err.Error(), "write "+one+": ") {
		t.Errorf("the error is %v", err)
	}
	holds(t, one, old, "one")
	if err := Create(two, long, 0o644); err == nil {
		t.Error("there is no error for a new file")
	}
	folder(t, dir, "one")
	if err := os.Link(one, two); err != nil {
		t.Fatal(err)
	}
	if err := Write(one, long, 0o644); err == nil {
		t.Error("there is no error for a file with two names")
	}
	holds(t, two, old, "one", "two")
}

// The file keeps its mode and its other names, symbolic and hard.
func TestKeeps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inner := filepath.Join(dir, "inner")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	to, link, dangling, hard := filepath.Join(inner, "f"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling"), filepath.Join(dir, "hard")
	lay(t, to, "a longer text", 0o640)
	for _, err := range []error{os.Symlink("inner/f", link), os.Symlink("inner/g", dangling),
		Write(link, []byte("1"), 0o600), Write(dangling, []byte("2"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	holds(t, to, "1", "f", "g")
	holds(t, filepath.Join(inner, "g"), "2", "f", "g")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is not a link any more: %v", err)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if err := errors.Join(os.Link(to, hard), Write(to, []byte("33"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(hard); string(got) != "33" {
		t.Errorf("the other name has %q", got)
	}
}

// Create never writes over a file, nor over a link to a file. The error for a folder calls it a folder.
func TestCreate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := Create(path, []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("f", link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link} {
		if err := Create(name, []byte("2"), 0o600); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	holds(t, path, "1", "f", "link")
	if err := Write(dir, nil, 0o600); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
}

// A FIFO is written to, and stays one.
func TestFIFO(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	got := make(chan string)
	go func() {
		text, _ := os.ReadFile(path)
		got <- string(text)
	}()
	if err := Create(path, []byte("through"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "through" {
		t.Errorf("the reader got %q", text)
	}
}

// The file that a killed process left while it wrote is removed with the next file in that folder; the file that
// a living process is writing stays, and so does a file that only has such a name.
func TestSweeps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	dead, alive := fmt.Sprintf("%s%d-", unfinished, ended.Process.Pid), fmt.Sprintf("%s%d-7", unfinished, os.Getppid())
	for _, name := range []string{dead + "0", dead + "1", alive, ".commsplit-notes", ".commsplit--1-0"} {
		lay(t, filepath.Join(dir, name), "half", 0o600)
	}
	if err := os.Mkdir(filepath.Join(dir, dead+"2"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "f"), []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{".commsplit--1-0", dead + "2", alive, ".commsplit-notes", "f"}
	slices.Sort(want)
	folder(t, dir, want...)
}

// A FIFO, a device, a folder and a socket are refused at once; a pipe that is open here already is read.
func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fifo, link := filepath.Join(dir, "fifo"), filepath.Join(dir, "link")
	if err := errors.Join(syscall.Mkfifo(fifo, 0o600), os.Symlink("fifo", link)); err != nil {
		t.Skip(err)
	}
	for path, kind := range map[string]string{fifo: "FIFO", link: "FIFO", "/dev/zero": "device", "/dev/null": "device", dir: "directory"} {
		_, err := Read(path)
		if !errors.Is(err, ErrNotOrdinary) || err.Error() != "open "+path+": this is a "+kind+": want an ordinary file" {
			t.Errorf("%s: %v", path, err)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w.WriteString("through") //nolint:errcheck // it fits
	w.Close()
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip(err)
	}
	if text, err := Read(fmt.Sprintf("/dev/fd/%d", r.Fd())); err != nil || string(text) != "through" {
		t.Errorf("a pipe that was handed over: %q, %v", text, err)
	}
}
