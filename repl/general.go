package repl

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/render/source"
	"commsplit/repl/lang"
	"commsplit/repl/program"
	"commsplit/repl/tongue"
)

// A general program makes the calls of a session with any number of processes: what the lines compute from rank and
// size, it computes, too. Each line is said as .say says it.

// GeneralFormats lists the formats of programs that can be for any number of processes.
func GeneralFormats() []string { return slices.Clone(generalFormats) }

// generalFormats are the formats that --general is for.
var generalFormats = []string{"c", "f08", "mpi4py"}

// exportGeneral writes the session as a program for any number of processes.
func (s *Session) exportGeneral(w io.Writer, to string) error {
	if to == "mpi4py" {
		return s.generalPython(w)
	}
	g := &general{s: s, fortran: to == "f08"}
	g.speaker = s.speaker(g.fortran)
	g.speaker.Kind = nil
	g.speaker.Declared = map[string]string{}
	g.speaker.Me, g.speaker.Size = s.unused("me"), s.unused("processes")
	void := takenBack(s.entries)
	for i := s.beginning() + 1; i < len(s.entries); i++ {
		if e := s.entries[i]; !void[i] {
			if err := g.add(e); err != nil {
				return err
			}
		}
	}
	return g.write(w)
}

// general is a general program while it is written.
type general struct {
	s       *Session
	fortran bool
	speaker *tongue.Speaker
	body    strings.Builder
}

// unused is a name that no variable of the session has.
func (s *Session) unused(name string) string {
	for s.known(name) {
		name += "_"
	}
	return name
}

// add says a line.
func (g *general) add(e entry) error {
	text := e.program()
	if text == "" {
		return nil
	}
	c := e.chunk
	lines, err := g.speaker.Say(strings.TrimRight(program.WithoutImports(text), "\n"))
	if err != nil {
		return c.ErrorAt(lang.Word{Line: c.Line, Col: 1}, "this line cannot be written for any number of processes: %s", err)
	}
	if len(lines) == 0 {
		return nil
	}
	first, _, _ := strings.Cut(strings.TrimSpace(c.Text), "\n")
	if g.body.WriteByte('\n'); g.fortran {
		fmt.Fprintf(&g.body, "    ! %s\n", first)
	} else {
		fmt.Fprintf(&g.body, "    /* %s */\n", strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(first))
	}
	for _, l := range lines {
		g.line(l)
	}
	return nil
}

// widestFortran is how long a line of Fortran may be; gfortran takes 132 characters.
const widestFortran = 110

func (g *general) line(text string) {
	if text = "    " + text; g.fortran {
		for len(text) > widestFortran {
			cut := strings.LastIndex(text[:widestFortran], ", ")
			if cut < 0 {
				break
			}
			g.body.WriteString(text[:cut+1] + " &\n")
			text = "        " + text[cut+2:]
		}
	}
	g.body.WriteString(text + "\n")
}

// nulls are what variables hold before they get a value, by their types.
var nulls = map[string]string{"MPI_Comm": "MPI_COMM_NULL", "MPI_Group": "MPI_GROUP_NULL", "MPI_Info": "MPI_INFO_NULL",
	"MPI_Request": "MPI_REQUEST_NULL", "MPI_Session": "MPI_SESSION_NULL", "MPI_Errhandler": "MPI_ERRHANDLER_NULL", "int": "0"}

// declarations are those of all variables, and in Fortran what they hold at first.
func (g *general) declarations() (declared, first string, err error) {
	var b, values strings.Builder
	d := g.speaker.Declared
	for _, name := range sortedNames(d) {
		kind := d[name]
		null := nulls[kind]
		switch {
		case kind == "int[]" && g.fortran:
			fmt.Fprintf(&b, "    integer :: %s(%d)\n", name, g.speaker.Entries(name))
		case kind == "int[]" && g.speaker.Entries(name) > 0: // declared where it gets its entries
		case kind == "char[]" && g.fortran:
			fmt.Fprintf(&b, "    character(MPI_MAX_OBJECT_NAME) :: %s\n", name)
		case kind == "char[]":
			fmt.Fprintf(&b, "    char %s[MPI_MAX_OBJECT_NAME];\n", name)
		case null == "":
			return "", "", fmt.Errorf("the variable %s is an array whose length is known only when it runs; the program cannot express that", name)
		case g.fortran && kind == "int":
			fmt.Fprintf(&b, "    integer :: %s = 0\n", name)
		case g.fortran:
			fmt.Fprintf(&b, "    type(%s) :: %s\n", kind, name)
			fmt.Fprintf(&values, "    %s = %s\n", name, null)
		default:
			fmt.Fprintf(&b, "    %s %s = %s;\n", kind, name, null)
		}
	}
	return b.String(), values.String(), nil
}

func sortedNames(d map[string]string) []string {
	var names []string
	for name := range d {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (g *general) write(w io.Writer) error {
	declared, first, err := g.declarations()
	if err != nil {
		return err
	}
	var reports strings.Builder
	handles := g.s.Handles()
	for _, name := range handles {
		for _, r := range g.s.ranks {
			if r == nil {
				continue
			}
			if _, list, ok := program.Held(r.Vars.Get(name)); ok && list {
				return fmt.Errorf("%s is a list of communicators, which a general program in C and Fortran has no words for", name)
			}
		}
		if g.speaker.Declared[name] != "MPI_Comm" {
			continue
		}
		if g.fortran {
			fmt.Fprintf(&reports, "    call report(\"%s\", %s)\n", name, name)
		} else {
			fmt.Fprintf(&reports, "    report(\"%s\", %s);\n", name, name)
		}
	}
	if reports.Len() == 0 {
		return errors.New("the session has made no communicator that the program could print")
	}
	body := g.body.String()
	template := generalC
	if g.fortran {
		template = generalFortran
	}
	_, err = io.WriteString(w, strings.NewReplacer("VERSION", needed(body), "DECLARATIONS\n", declared, "FIRST\n", first, "BODY\n", body,
		"REPORTS\n", reports.String(), "ME", g.speaker.Me, "PROCESSES", g.speaker.Size).Replace(template))
	return err
}

// needed is the version of the standard that a program needs: that of its latest call.
func needed(body string) string {
	since := engine.Std(11)
	for c := engine.CallNone + 1; c <= engine.CallProcessorName; c++ {
		if strings.Contains(body, c.String()+"(") {
			since = max(since, c.Since())
		}
	}
	switch {
	case strings.Contains(body, "MPI_COMM_TYPE_RESOURCE_GUIDED"):
		since = max(since, 41)
	case strings.Contains(body, "MPI_COMM_TYPE_HW_"):
		since = max(since, 40)
	}
	return since.String()
}

// generalPython writes the program of the session, which computes its arguments anyway, and lets each rank tell what
// it holds, whoever that is.
func (s *Session) generalPython(w io.Writer) error {
	if used := program.Uses(s.Program(), []string{hereName}); len(used) > 0 {
		return s.asksHere()
	}
	tail := teller
	for _, name := range s.Handles() {
		tail += fmt.Sprintf("if %q in globals():\n    tell_who(%q, %s)\n", name, name, name)
	}
	var b strings.Builder
	void := takenBack(s.entries)
	for i := s.beginning() + 1; i < len(s.entries); i++ {
		if e := s.entries[i]; !void[i] && !e.expects() {
			b.WriteString(program.WithoutImports(withoutHead(e.program())))
		}
	}
	b.WriteString(tail)
	_, err := io.WriteString(w, header(b.String())+b.String())
	return err
}

// expects reports whether a line is a command that holds what came against what is expected of a world of this size.
func (e entry) expects() bool {
	return e.chunk.Kind == lang.Command && slices.ContainsFunc(checkVerbs, func(v *Verb) bool { return v.Name == e.chunk.Verb.Text && v.Name != "note" })
}

const generalC = `/* The calls of a commsplit session, for any number of processes: what its lines compute from rank and
 * size, each process computes.
 *
 *     mpicc -std=c11 -Wall program.c -o program && mpirun -n 4 ./program
 *
 * It needs MPI-VERSION. It prints a line for each process and communicator: the world rank of the process that
 * leads the communicator (its rank 0), this process' rank in it, and its size.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 200 };

` + source.CLeaderOf + `
/* Process 0 prints what every process holds. Collective over MPI_COMM_WORLD. */
static void report(const char *name, MPI_Comm comm)
{
    char *lines = NULL;
    int processes;
` + source.CDescribe + `    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (me == 0)
        lines = malloc((size_t)processes * LINE);
    MPI_Gather(line, LINE, MPI_CHAR, lines, LINE, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int r = 0; me == 0 && r < processes; r++)
        puts(lines + (size_t)r * LINE);
    free(lines);
}

int main(int argc, char *argv[])
{
    int ME, PROCESSES;
DECLARATIONS
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &ME);
    MPI_Comm_size(MPI_COMM_WORLD, &PROCESSES);
BODY

REPORTS
    MPI_Finalize();
    return 0;
}
`

const generalFortran = `! The calls of a commsplit session, for any number of processes: what its lines compute from rank and
! size, each process computes.
!
!     mpifort program.f90 -o program && mpirun -n 4 ./program
!
! It needs MPI-VERSION. It prints a line for each process and communicator: the world rank of the process that
! leads the communicator (its rank 0), this process' rank in it, and its size.
program commsplit_program
    use mpi_f08
    implicit none
    integer :: ME, PROCESSES
DECLARATIONS

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, ME)
    call MPI_Comm_size(MPI_COMM_WORLD, PROCESSES)
FIRST
BODY

REPORTS
    call MPI_Finalize()

contains

` + source.FortranLeaderOf + `    ! Process 0 prints what every process holds. Collective over MPI_COMM_WORLD.
    subroutine report(name, comm)
        character(len=*), intent(in) :: name
        type(MPI_Comm), intent(in) :: comm
        character(len=200) :: line
        character(len=200), allocatable :: lines(:)
        type(MPI_Group) :: ranks
        integer :: me, world_size, mine, members, r, used
        logical :: inter
        call MPI_Comm_rank(MPI_COMM_WORLD, me)
        call MPI_Comm_size(MPI_COMM_WORLD, world_size)
` + source.FortranDescribe + `        allocate (lines(world_size))
        call MPI_Gather(line, 200, MPI_CHARACTER, lines, 200, MPI_CHARACTER, 0, MPI_COMM_WORLD)
        if (me == 0) then
            do r = 1, world_size
                print '(a)', trim(lines(r))
            end do
        end if
    end subroutine report
end program commsplit_program
`
