package source

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/render"
)

// C writes a C11 program. It compiles with any library of MPI-3.1 or later; calls that came later are
// guarded by the version of the library.
func C(w io.Writer, v *render.View) error {
	return newGenerator(v, inC).writeCalls().program(w)
}

// program writes the whole of a program in C.
func (g *generator) program(w io.Writer) error {
	body := g.body.String() + "\n"
	if !g.compared.stays() {
		body += g.compared.arrived() + g.reports()
	}
	need := inC.needed(body)
	if !g.compared.stays() {
		body += g.finish(need)
	}
	var b strings.Builder
	b.WriteString(g.compared.includes())
	fmt.Fprintf(&b, cHead, g.plan.size, messagesNote(need, " * "), g.plan.size)
	b.WriteString(g.compared.head())
	for _, f := range []struct{ name, text string }{{"group_of", cGroupOf}, {"session_group_of", cSessionGroupOf}} {
		if _, ok := need[f.name]; ok {
			b.WriteString(f.text)
		}
	}
	b.WriteString(strings.NewReplacer("    MPI_Init", g.compared.limit()+"    MPI_Init", "    if (size", g.compared.begin()+"    if (size").Replace(cMain))
	list := []declaration{
		{"number", "int number = me;"}, {"result", "int result = 0;"}, {"numbers", "static int numbers[SIZE];"}, {"results", "static int results[SIZE];"},
		{"group", "MPI_Group group;"}, {"remote_group", "MPI_Group remote_group;"}, {"info", "MPI_Info info;"}, {"request", "MPI_Request request;"},
	}
	for _, name := range g.plan.vars {
		list = append(list, declaration{name, "MPI_Comm " + name + " = MPI_COMM_NULL;"})
	}
	b.WriteString(inC.declare(list, need) + body + g.compared.end())
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
		g.line("if (" + g.lang.notEqual(name, null) + ") " + g.lang.call(call, g.lang.out(name)))
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
