package repl

import (
	"bytes"
	_ "embed" // the library of exported programs
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"commsplit/engine"
	"commsplit/render"
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
	if used := program.Uses(s.Program(), []string{"here"}); len(used) > 0 {
		return errors.New("the session asks where its ranks run (here, or host, node, package, numa, core, pu), " +
			"which mpi4py does not say: --to c writes the values that it got")
	}
	tail := teller
	for _, name := range s.Handles() {
		tail += s.tells(name)
	}
	if d := s.Deadlock(); d != nil {
		tail = "# From here on ranks wait forever, as in the session: " + d.Message + "\n" + tail
	}
	_, err := io.WriteString(w, s.programEnding(nil, tail))
	return err
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
// It writes over files that are there only with force, unless they are the same; otherwise the error
// says that instead would be right.
func WriteExport(to, path string, text []byte, force bool, instead string) error {
	if to != "mpi4py" || !bytes.Contains(text, []byte("\nfrom commsplit import ")) {
		return WriteNew(path, text, force, instead)
	}
	beside := filepath.Join(filepath.Dir(path), "commsplit.py")
	if filepath.Clean(path) == beside {
		return fmt.Errorf("%s is the name of the module that the program imports: give the program another one", path)
	}
	if there, err := os.ReadFile(beside); err != nil || !bytes.Equal(there, library) {
		if err := WriteNew(beside, library, force, instead); err != nil {
			return err
		}
	}
	return WriteNew(path, text, force, instead)
}
