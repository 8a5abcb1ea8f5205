package repl

import (
	"bytes"
	"cmp"
	_ "embed" // the library of exported programs
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/repl/lang"
	"commsplit/repl/program"
)

// library is the module commsplit for programs that run under a real MPI with mpi4py.
//
//go:embed mpi4py/commsplit.py
var library []byte

// teller prints what a rank holds, in the words of the other programs.
const teller = `
def tell_who(name, comm):
    me = MPI.COMM_WORLD.Get_rank()
    if comm == MPI.COMM_NULL:
        print("world rank %d -> %s: MPI_COMM_NULL" % (me, name))
        return
    everybody = MPI.COMM_WORLD.Get_group()
    mine = comm.Get_group()
    leader = MPI.Group.Translate_ranks(mine, [0], everybody)[0]
    text = "world rank %d -> %s led by %d, rank %d, size %d" % (me, name, leader, comm.Get_rank(), comm.Get_size())
    if comm.Is_inter():
        other = comm.Get_remote_group()
        leader = MPI.Group.Translate_ranks(other, [0], everybody)[0]
        text += "; remote led by %d, size %d" % (leader, comm.Get_remote_size())
        other.Free()
    mine.Free()
    everybody.Free()
    print(text)

`

// exportPython writes the program, and prints at its end what each rank holds.
func (s *Session) exportPython(w io.Writer, _ *render.View, _ *Export) error {
	if used := program.Uses(s.Program(), []string{hereName}); len(used) > 0 {
		return s.asksHere()
	}
	tail := teller
	for _, name := range s.Handles() {
		tail += s.tells(name)
	}
	if d := s.Deadlock(); d != nil {
		tail = "# From here on ranks wait forever, as in the session: " + strings.ReplaceAll(d.Message, "\n", " ") + "\n" + tail
	}
	_, err := io.WriteString(w, s.programEnding(nil, tail))
	return err
}

// hereName is what programs call the place that a rank runs at.
const hereName = "here"

// asksHere is the mistake to export a session that asks where its ranks run, at the first place that does.
func (s *Session) asksHere() error {
	const why = "mpi4py does not say where a rank runs, which %s asks: --to c writes the values that it got"
	void := takenBack(s.entries)
	for i := s.beginning() + 1; i < len(s.entries); i++ {
		e := s.entries[i]
		c := e.chunk
		line, col := program.UsedAt(e.program(), hereName)
		switch {
		case line == 0 || void[i]:
		case c.Kind == lang.Command:
			at := e.asks()
			return c.ErrorAt(at, why, cmp.Or(at.Text, c.Verb.Text))
		case c.Ranks.Text != "": // the program has a line more, and is indented
			return c.ErrorAt(lang.Word{Line: c.Line + line - 2, Col: 1}, why, hereName)
		default:
			return c.ErrorAt(lang.Word{Line: c.Line + line - 1, Col: col}, why, hereName)
		}
	}
	return fmt.Errorf(why, "the session")
}

// asks is the argument of a command that asks where its rank runs.
func (e entry) asks() lang.Word {
	cmd, err := bind(e.chunk)
	if err == nil {
		for _, a := range cmd.bound {
			if line, _ := program.UsedAt(writeOut(a.Text, cmd.commText(), e.hidden), hereName); line > 0 {
				return a.Word
			}
		}
	}
	return e.chunk.Verb
}

// tells are the statements that print a variable, on the ranks that have it.
func (s *Session) tells(name string) string {
	var who []int
	list := false
	for i, r := range s.ranks {
		if r == nil {
			continue
		}
		if _, isList, ok := program.Held(r.Vars[name]); ok {
			who, list = append(who, i), list || isList
		}
	}
	lines := []string{fmt.Sprintf("tell_who(%q, %s)", name, name)}
	if list {
		lines = []string{fmt.Sprintf("for k in range(len(%s)):", name), fmt.Sprintf("    tell_who(\"%s[%%d]\" %% k, %s[k])", name, name)}
	}
	if len(who) == s.Size() {
		return strings.Join(lines, "\n") + "\n"
	}
	return indent("if "+ranksTest(engine.RanksOf(who...).String())+":", lines)
}

// WriteExport writes an export to a file, and next to a program in Python the library that it imports.
// It returns the files that it wrote. It writes over one that is there only where over says so, or when it
// is the same; otherwise the error says that instead would be right.
func WriteExport(to, path string, text []byte, over func(path string) bool, instead string) (written []string, err error) {
	if to == "mpi4py" && bytes.Contains(text, []byte("\nfrom commsplit import ")) {
		beside := filepath.Join(filepath.Dir(path), "commsplit.py")
		if filepath.Clean(path) == beside {
			return nil, fmt.Errorf("%s is the name of the module that the program imports: give the program another one", path)
		}
		if there, err := os.ReadFile(beside); err != nil || !bytes.Equal(there, library) {
			if err := WriteNew(beside, library, over(beside), instead); err != nil {
				return nil, err
			}
			written = append(written, beside)
		}
	}
	if err := WriteNew(path, text, over(path), instead); err != nil {
		return written, err
	}
	return append(written, path), nil
}
