package source

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
)

// C writes a C11 program. It compiles with any library of MPI-3.1 or later; calls that came later are
// guarded by the version of the library.
func C(w io.Writer, v *render.View) error {
	return newGenerator(v, inC).writeCalls().program(w)
}

// program writes the whole of a program in C.
func (g *generator) program(w io.Writer) error {
	body, around := g.body.String()+"\n", g.compared.around()
	if !g.compared.stays() {
		body += around.arrived + g.reports()
	}
	need := inC.needed(body)
	if !g.compared.stays() {
		body += g.finish(need)
	}
	var b strings.Builder
	b.WriteString(around.includes)
	fmt.Fprintf(&b, cHead, g.plan.size, messagesNote(need, " * "), g.plan.size)
	b.WriteString(cLeaderOf)
	b.WriteString(around.head)
	for _, f := range []struct{ name, text string }{{"group_of", cGroupOf}, {"session_group_of", cSessionGroupOf}} {
		if _, ok := need[f.name]; ok {
			b.WriteString(f.text)
		}
	}
	b.WriteString(strings.NewReplacer("    MPI_Init", around.limit+"    MPI_Init", "    if (size", around.begin+"    if (size").Replace(cMain))
	list := []declaration{
		{"number", "int number = me;"}, {"result", "int result = 0;"}, {"numbers", "static int numbers[SIZE];"}, {"results", "static int results[SIZE];"},
		{"group", "MPI_Group group;"}, {"remote_group", "MPI_Group remote_group;"}, {"info", "MPI_Info info;"}, {"request", "MPI_Request request;"},
	}
	for _, name := range g.plan.vars {
		list = append(list, declaration{name, "MPI_Comm " + name + " = MPI_COMM_NULL;"})
	}
	b.WriteString(inC.declare(list, need) + body + around.end)
	b.WriteString("    MPI_Finalize();\n    return 0;\n}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// messagesNote is a line of the head for a program that sends messages.
func messagesNote(need map[string]engine.Std, lead string) string {
	for _, name := range []string{"number", "numbers", "result"} {
		if _, ok := need[name]; ok {
			return lead + "Messages are one integer.\n"
		}
	}
	return ""
}

// reports are the statements that print who holds what.
func (g *generator) reports() string {
	g.body.Reset()
	if len(g.plan.view.Handles) == 0 {
		g.call("report", g.lang.quoted(g.compared.title("world", 0)), "MPI_COMM_WORLD")
	}
	for i, h := range g.plan.view.Handles {
		name := g.lang.quoted(g.compared.title(h.Name, i))
		held := byRank[string]{}
		var who []int
		for r, id := range h.IDs {
			variable := "MPI_COMM_NULL"
			if id >= 0 {
				variable = g.plan.names[int(id)]
				who = append(who, r)
			}
			held.add(r, variable)
		}
		if len(who) == 0 {
			g.call("report", name, "MPI_COMM_NULL")
			continue
		}
		text := held.values[who[0]]
		if g.holders(text) != sorted(who).String() || slices.ContainsFunc(who, func(r int) bool { return held.values[r] != text }) {
			text = g.choice(held)
		}
		g.call("report", name, text)
	}
	return g.body.String()
}

// finish frees what depends on a session, and that.
func (g *generator) finish(need map[string]engine.Std) string {
	if _, ok := need["session_group_of"]; !ok {
		return ""
	}
	g.body.Reset()
	at := engine.Std(0)
	line := func(name, call string) {
		if since := max(40, need[name]); since != at {
			if at > 0 {
				g.body.WriteString("#endif\n")
			}
			at = since
			g.body.WriteString(g.lang.atLeast(at))
		}
		null := "MPI_COMM_NULL"
		if name == "session" {
			null = "MPI_SESSION_NULL"
		}
		g.line("if (" + name + g.lang.unlike + null + ") " + g.lang.call(call, g.lang.out(name)))
	}
	for _, name := range slices.Backward(g.plan.vars) {
		if _, ok := need[name]; ok {
			line(name, "MPI_Comm_free")
		}
	}
	line("session", "MPI_Session_finalize")
	g.body.WriteString("#endif\n")
	return g.body.String()
}

// The parts of a C program that are always the same. SIZE is the number of processes.
const cHead = `/* The calls of a commsplit session that make communicators or move data, with the arguments that
 * each process passed. Calls that only inquire, as for a rank or a group, are left out.
 *
 *     mpicc -std=c11 -Wall program.c -o program && mpirun -n %d ./program
 *
 * It prints a line for each process and communicator: the world rank of the process that leads the
 * communicator (its rank 0), this process' rank in it, and its size.
%s */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = %d, LINE = 200 };

`

// cLeaderOf is the C function leader_of, which finds the world rank of a group's rank 0.
const cLeaderOf = `/* The leader's world rank of a group, which is freed. */
static int leader_of(MPI_Group group)
{
    int first = 0, leader;
    MPI_Group world_group;
    MPI_Comm_group(MPI_COMM_WORLD, &world_group);
    MPI_Group_translate_ranks(group, 1, &first, world_group, &leader);
    MPI_Group_free(&world_group);
    MPI_Group_free(&group);
    return leader;
}
`

// cDescribe is the C statements that write into line (char [LINE]) who leads the communicator comm, which is called name,
// and the rank of this process in it; me is the world rank. It is not a format: the percent signs are single.
const cDescribe = `    char line[LINE];
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (comm == MPI_COMM_NULL) {
        snprintf(line, LINE, "world rank %d -> %.60s: MPI_COMM_NULL", me, name);
    } else {
        int rank, size, inter;
        MPI_Group group;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        MPI_Comm_test_inter(comm, &inter);
        MPI_Comm_group(comm, &group);
        int used = snprintf(line, LINE, "world rank %d -> %.60s led by %d, rank %d, size %d",
                            me, name, leader_of(group), rank, size);
        if (inter) {
            MPI_Comm_remote_size(comm, &size);
            MPI_Comm_remote_group(comm, &group);
            snprintf(line + used, LINE - used, "; remote led by %d, size %d", leader_of(group), size);
        }
    }
`

// cReport prints for a reader.
const cReport = `
/* Process 0 prints what every process holds. Collective over MPI_COMM_WORLD. */
static void report(const char *name, MPI_Comm comm)
{
    static char lines[SIZE][LINE];
` + cDescribe + `    MPI_Gather(line, LINE, MPI_CHAR, lines, LINE, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int r = 0; me == 0 && r < SIZE; r++)
        puts(lines[r]);
}
`

const cGroupOf = `
/* The group of some world ranks. */
static inline void group_of(int n, const int ranks[], MPI_Group *group)
{
    MPI_Group world_group;
    MPI_Comm_group(MPI_COMM_WORLD, &world_group);
    MPI_Group_incl(world_group, n, ranks, group);
    MPI_Group_free(&world_group);
}
`

const cSessionGroupOf = `
#if MPI_VERSION >= 4
static MPI_Session session = MPI_SESSION_NULL;

/* The group of some ranks of the process set mpi://WORLD, in a session of this program. */
static inline void session_group_of(int n, const int ranks[], MPI_Group *group)
{
    MPI_Group world_group;
    if (session == MPI_SESSION_NULL)
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world_group);
    MPI_Group_incl(world_group, n, ranks, group);
    MPI_Group_free(&world_group);
}
#endif
`

const cMain = `
int main(int argc, char *argv[])
{
    int me, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != SIZE) {
        fprintf(stderr, "this program is for %d processes, not %d\n", SIZE, size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
`
