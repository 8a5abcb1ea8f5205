package cmd_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shell runs the commands of console blocks in a folder of its own, so that no program but ours is needed:
// pipes, &&, quotes, <<END, >FILE, and the parts of cat, grep, head, tail and tar that the blocks use.
type shell struct {
	t   *testing.T
	dir string
}

func newShell(t *testing.T) *shell { return &shell{t, t.TempDir()} }

// stage is a command of a pipe; to is the file for its output.
type stage struct {
	words []string
	to    string // what its output is written to
}

// run returns what commands print, on either stream.
func (s *shell) run(command string) string {
	s.t.Helper()
	line, document, _ := strings.Cut(command, "\n")
	var all bytes.Buffer
	for _, pipe := range s.parse(line) {
		in := []byte(document)
		if i := bytes.LastIndexByte(bytes.TrimSpace(in), '\n'); i >= 0 {
			in = in[:i+1] // without END
		}
		for i, st := range pipe {
			var out bytes.Buffer
			shown := &all
			if i < len(pipe)-1 || st.to != "" {
				shown = &out
			}
			if !s.start(st.words, in, shown, &all) {
				return all.String()
			}
			if st.to != "" {
				if err := os.WriteFile(filepath.Join(s.dir, st.to), out.Bytes(), 0o600); err != nil {
					s.t.Fatal(err)
				}
			}
			in = out.Bytes()
		}
	}
	return all.String()
}

// parse reads a line of pipes that follow each other; a pipe is a list of commands.
func (s *shell) parse(line string) (pipes [][]stage) {
	pipes = [][]stage{{{}}}
	word, open, target := "", false, false
	last := func() *stage { p := pipes[len(pipes)-1]; return &p[len(p)-1] }
	end := func() {
		switch {
		case !open:
		case target && word != "":
			last().to, target = word, false
		case !strings.HasPrefix(word, "<<"): // the document is what follows the line
			last().words = append(last().words, word)
		}
		word, open = "", false
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' || c == '"':
			n := strings.IndexByte(line[i+1:], c)
			if n < 0 {
				s.t.Fatalf("%s: a quote is open", line)
			}
			word, open, i = word+line[i+1:i+1+n], true, i+n+1
		case c == ' ':
			end()
		case c == '|':
			end()
			pipes[len(pipes)-1] = append(pipes[len(pipes)-1], stage{})
		case strings.HasPrefix(line[i:], "&&"):
			end()
			pipes, i = append(pipes, []stage{{}}), i+1
		case c == '>':
			end()
			target = true
		default:
			word, open = word+string(c), true
		}
	}
	end()
	return pipes
}

// start runs a command, and reports whether it ended well.
func (s *shell) start(words []string, in []byte, out, errs *bytes.Buffer) bool {
	s.t.Helper()
	switch {
	case words[0] == "commsplit":
		c := exec.Command("commsplit", words[1:]...)
		c.Dir, c.Stdin, c.Stdout, c.Stderr = s.dir, bytes.NewReader(in), out, errs
		c.Env = []string{"HOME=" + s.dir, "LANG=C.UTF-8", "GORACE=atexit_sleep_ms=0"}
		err := c.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) { // a command may fail on purpose
			s.t.Fatal(err)
		}
		return err == nil
	case words[0] == "cat":
		for _, file := range words[1:] {
			out.Write(s.read(file))
		}
		if len(words) == 1 {
			out.Write(in)
		}
	case words[0] == "grep" && len(words) == 2:
		for line := range bytes.Lines(in) {
			if bytes.Contains(line, []byte(words[1])) {
				out.Write(line)
			}
		}
	case words[0] == "head" && len(words) == 3 && words[1] == "-n":
		n, _ := strconv.Atoi(words[2])
		for line := range bytes.Lines(in) {
			if n--; n >= 0 {
				out.Write(line)
			}
		}
	case words[0] == "tail" && len(words) == 3 && words[1] == "-n":
		n, _ := strconv.Atoi(words[2])
		lines := slices.Collect(bytes.Lines(in))
		out.Write(bytes.Join(lines[max(len(lines)-n, 0):], nil))
	case words[0] == "tar" && len(words) > 3 && words[1] == "cf":
		if err := pack(s.dir, words[2], words[3:]); err != nil {
			s.t.Fatal(err)
		}
	default:
		s.t.Fatalf("%q: this shell has no such command; it has cat, grep TEXT, head -n N, tail -n N, tar cf FILE FILE...", words)
	}
	return true
}

func (s *shell) read(file string) []byte {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, file))
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

// pack implements "tar cf ARCHIVE FILE..." in a folder.
func pack(dir, archive string, files []string) error {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: file, Mode: 0o644, Size: int64(len(text))}); err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, archive), b.Bytes(), 0o600)
}

// The shell of these tests behaves as the shells of the manual's readers.
func TestShellOfTheManual(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	for _, c := range []struct{ command, want string }{
		{"cat <<END >a.txt\none 'x'\ntwo\nthree\nEND", ""},
		{"cat > b.txt <<END\nfour\nEND", ""},
		{"cat a.txt b.txt | head -n 4 | grep o", "one 'x'\ntwo\nfour\n"},
		{`commsplit nonsense && cat a.txt`, s.run("commsplit nonsense")},
		{`commsplit -n 1 --topo core:1 -c 'print("a | b && c > d")' && cat b.txt`, "[0] a | b && c > d\nfour\n"},
		{"commsplit -n 1 --topo core:1 <<END\nprint(1)\nEND", "[0] 1\n"},
	} {
		if got := s.run(c.command); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.command, got, c.want)
		}
	}
	if !strings.Contains(s.run("commsplit nonsense"), "nonsense") {
		t.Error("what fails does not say why")
	}
}
