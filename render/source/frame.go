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
	var b strings.Builder
	b.WriteString(g.compared.includes())
	fmt.Fprintf(&b, cHead, g.plan.size, g.plan.size)
	b.WriteString(g.compared.head())
	if g.used("group_of") {
		b.WriteString(cGroupOf)
	}
	if g.used("session_group_of") {
		b.WriteString(cSessionGroupOf)
	}
	b.WriteString(strings.Replace(cMain, "    if (size", g.compared.begin()+"    if (size", 1))
	for _, x := range []struct{ use, text string }{
		{"number", "int number = me;"}, {"result", "int result = 0;"}, {"numbers", "static int numbers[SIZE];"}, {"results", "static int results[SIZE];"},
		{"group", "MPI_Group group;"}, {"remote_group", "MPI_Group remote_group;"}, {"info", "MPI_Info info;"}, {"request", "MPI_Request request;"},
	} {
		if g.used(x.use) {
			b.WriteString("    " + x.text + "\n")
		}
		if g.used(x.use) && !g.uses[x.use] {
			b.WriteString("    (void) " + x.use + "; /* an older library has not all calls */\n")
		}
	}
	for _, name := range g.plan.vars {
		b.WriteString("    MPI_Comm " + name + " = MPI_COMM_NULL;\n")
	}
	b.WriteString(g.body.String())
	b.WriteString("\n")
	if !g.compared.stays() {
		b.WriteString(g.compared.arrived())
		b.WriteString(g.reports())
		b.WriteString(g.finish())
	}
	b.WriteString(g.compared.end())
	b.WriteString("    MPI_Finalize();\n    return 0;\n}\n")
	_, err := io.WriteString(w, b.String())
	return err
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
func (g *generator) finish() string {
	if !g.used("session") {
		return ""
	}
	g.body.Reset()
	g.guard(40)
	for _, name := range slices.Backward(g.plan.vars) {
		g.line("if (" + g.lang.notEqual(name, "MPI_COMM_NULL") + ") " + g.lang.call("MPI_Comm_free", g.lang.out(name)))
	}
	g.line("if (" + g.lang.notEqual("session", "MPI_SESSION_NULL") + ") " + g.lang.call("MPI_Session_finalize", g.lang.out("session")))
	g.body.WriteString("#endif\n")
	return g.body.String()
}

// guard begins what only a library of that version has.
func (g *generator) guard(since engine.Std) {
	if g.lang.fortran {
		fmt.Fprintf(&g.body, "#if MPI_STANDARD >= %d\n", int(since))
		return
	}
	fmt.Fprintf(&g.body, "#if MPI_VERSION * 10 + MPI_SUBVERSION >= %d\n", int(since))
}

// otherwise ends it.
func (g *generator) otherwise(c *call, since engine.Std) {
	g.body.WriteString("#else\n")
	text := fmt.Sprintf("%s with these arguments came with MPI-%d.%d", c.op, int(since)/10, int(since)%10)
	if c.made != "" {
		text += ": " + c.made + " stays MPI_COMM_NULL"
	}
	g.line(g.lang.comment(text))
	g.unused(c)
	g.body.WriteString("#endif\n")
}
