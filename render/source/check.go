package source

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
)

// Attempt is what a program for comparing tries at its end: an erroneous call of the trace, or calls that
// the trace does not have, because they were refused at once or processes wait in them. Without either
// the program ends with who holds what.
type Attempt struct {
	Step  int            // of the erroneous call, 0 for none
	Calls []engine.Step  // those that are not in the trace, numbered behind it
	After int            // the step behind which they come
	Skip  map[int]string // steps that are left out, and why

	// Placed says that the ranks run where the trace has them: what depends on the hardware is in the program.
	Placed bool
}

// Coverage tells what of the session a program for comparing has.
type Coverage struct {
	Absent map[int]string     // by id of a communicator: why the program does not make it
	Since  map[int]engine.Std // by id: the version of the standard that a library must have to make it
	Tried  engine.Std         // the version that has the attempted calls, 0 where they cannot be written
	Steps  []int              // the erroneous steps that were made at one place, and are tried as one call
	Why    string             // why the attempted calls cannot be written
	Made   []Made             // the calls that make communicators
}

// Made is a call that makes communicators: the steps that were made at one place. What each process got
// is reported as that of the first of them.
type Made struct {
	Steps  []int
	Since  engine.Std // the version of the standard that a library must have
	Absent string     // why the program does not have it
}

// byHardware is why a program for comparing leaves out what depends on the machine.
const byHardware = "depends on the hardware where it runs"

// ByHardware reports whether something is absent because it depends on the hardware.
func ByHardware(absent string) bool { return strings.HasSuffix(absent, byHardware) }

// comparison is what a program for comparing has beyond one for a reader; nil is the latter.
type comparison struct {
	attempt Attempt
	seconds int // how long the program stays after an attempt, and how long it may take
	last    int // steps of the trace
	tried   engine.Std
}

// inCheck returns C with the functions that a program for comparing calls: no variable may hide one.
func inCheck() *language {
	l := *inC
	l.reserved = append(slices.Clone(l.reserved), "at", "got", "passed", "introduce", "stay", "shape", "tell", "out")
	return &l
}

// Check writes a C program for comparing. It makes the calls that do not depend on hardware. Each process
// writes lines into the file rank-N in the folder that is the program's argument: the library's name,
// where it is ("world rank 3 at step 12"), which error it gets, what a call gave it (@12), and at the end
// what it holds: the handle with index 2 is #2. After an attempt each process that made it tells that it
// has passed, and the program stays for some seconds; it is there to be ended. A process that nobody ends ends
// itself after those seconds and a grace, whatever it does.
func Check(w io.Writer, v *render.View, attempt Attempt, seconds int) (*Coverage, error) {
	x := &comparison{attempt: attempt, seconds: seconds, last: len(v.Snapshot.Steps)}
	g := newGenerator(v, inCheck())
	g.compared = x
	if attempt.Step > 0 {
		end := slices.IndexFunc(g.plan.calls, x.attempts)
		g.plan.calls = g.plan.calls[:end+1]
		g.plan.receive(g.plan.calls[end])
	}
	if len(attempt.Calls) > 0 {
		g.plan.calls = slices.DeleteFunc(g.plan.calls, func(c *call) bool { return c.steps[0].Number > attempt.After })
	}
	for i := range attempt.Calls {
		g.plan.add(&attempt.Calls[i])
	}
	g.writeCalls()
	c := &Coverage{Absent: map[int]string{}, Since: map[int]engine.Std{}, Tried: x.tried}
	for id, name := range g.plan.names {
		if why := g.absent[name]; why != "" {
			c.Absent[id] = why
		}
		c.Since[id] = g.since[name]
	}
	for _, k := range g.plan.calls {
		if !x.attempts(k) {
			if k.made != "" {
				c.Made = append(c.Made, Made{k.numbers(), g.since[k.made], g.absent[k.made]})
			}
			continue
		}
		c.Steps = append(c.Steps, k.numbers()...)
		if why := g.leftOut(k); why != "" {
			if why == noPart || why == ownSession {
				why = k.op.String() + ", " + why
			}
			c.Tried, c.Why = 0, why
		}
	}
	return c, g.program(w)
}

// numbers are those of a call's steps.
func (c *call) numbers() []int {
	var list []int
	for _, s := range c.steps {
		list = append(list, s.Number)
	}
	return list
}

// add adds a call that the trace does not have.
func (p *plan) add(s *engine.Step) {
	c := &call{op: s.Call, site: s.Site(), steps: []*engine.Step{s}, ranks: s.Ranks, from: p.names[s.Comm]}
	p.receive(c)
	p.calls = append(p.calls, c)
}

// receive gives an attempted call a variable for what it may make.
func (p *plan) receive(c *call) {
	if c.op.MakesComm() {
		c.made = p.fresh("attempted")
		p.vars = append(p.vars, c.made)
	}
}

// attempts reports whether a call is one that the program tries.
func (x *comparison) attempts(c *call) bool {
	return x != nil && slices.ContainsFunc(c.steps, func(s *engine.Step) bool { return s.Number == x.attempt.Step || s.Number > x.last })
}

// reason says why a call is left out that acts on what is: in a program for comparing, for the same
// reason.
func (x *comparison) reason(name, on, why string) string {
	if x == nil {
		return name + " acts on " + on + ", which is not made here"
	}
	return why
}

// leavesOut says why a call is not in a program for comparing though it is in one for a reader.
func (x *comparison) leavesOut(c *call) string {
	if x == nil {
		return ""
	}
	name := c.op.String()
	for _, s := range c.steps {
		if why := x.attempt.Skip[s.Number]; why != "" {
			return name + " " + why
		}
	}
	switch {
	case c.op == engine.CallSplitType && c.steps[0].Err == nil && !x.attempt.Placed, c.op == engine.CallHWInfo:
		return name + " " + byHardware
	case !x.attempts(c):
		return ""
	}
	for _, s := range c.steps {
		for _, column := range s.Args {
			if slices.ContainsFunc(column.Texts, func(t string) bool { return strings.Contains(t, "...") }) {
				return name + ": the trace has its group in short"
			}
		}
	}
	switch c.op {
	case engine.CallIntercommCreate, engine.CallIntercommCreateFromGroups, engine.CallCreateFromGroup:
		return name + ": the trace does not have all groups of an erroneous call"
	}
	return ""
}

// compare writes a statement, and in a program for comparing what tells of it.
func (g *generator) compare(c *call) {
	if g.compared == nil {
		g.statement(c)
		return
	}
	g.call("at", strconv.Itoa(c.steps[0].Number))
	g.statement(c)
	switch {
	case g.compared.attempts(c):
		g.compared.tried = max(g.compared.tried, 11, needs(c))
		g.call("passed")
	case c.made != "":
		g.call("got", c.made)
	}
}

// actsOn lists the variables of the communicators that a call acts on.
func (g *generator) actsOn(c *call) []string {
	if c.op != engine.CallIntercommCreate || len(c.steps[0].Made) == 0 {
		return []string{c.from}
	}
	var names []string
	peers, _ := c.ints("peer_comm")
	for i, r := range peers.ranks {
		for _, name := range []string{g.localComm(c, int32(r)), g.plan.names[int(peers.values[i])]} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// stays reports whether the program ends with an attempt.
func (x *comparison) stays() bool {
	return x != nil && (x.attempt.Step > 0 || len(x.attempt.Calls) > 0)
}

// around is the parts of a C program around its statements.
type around struct{ includes, head, limit, begin, arrived, end string }

// grace is how many seconds a program waits to be ended from outside, before it ends itself.
const grace = 10

// around returns the parts of a program for comparing, or of one for a reader.
func (x *comparison) around() around {
	if x == nil {
		return around{head: cReport}
	}
	a := around{
		includes: "#define _POSIX_C_SOURCE 200809L\n#include <string.h>\n#include <time.h>\n#include <unistd.h>\n", // for nanosleep and alarm
		// A process that hangs, anywhere, does not outlive for long who started it.
		limit: fmt.Sprintf("    alarm(%d); /* nobody may be left to end this process */\n", x.seconds+grace),
		begin: "    introduce(argc > 1 ? argv[1] : \".\");\n",
	}
	after := "MPI_Abort(MPI_COMM_WORLD, 3);"
	if x.stays() {
		after, a.end = "/* and goes on */", "    stay();\n"
	} else {
		a.arrived = fmt.Sprintf("    at(%d);\n", x.last+1) // only the report is left
	}
	var classes strings.Builder
	for _, c := range engine.Classes() {
		if c.Since() < 40 {
			fmt.Fprintf(&classes, "    if (class == %s) return \"%[1]s\";\n", c)
		}
	}
	a.head = strings.NewReplacer("CLASSES", classes.String(), "AFTER", after, "SECONDS", strconv.Itoa(x.seconds)).Replace(checkHead)
	return a
}

// title is how the report calls a handle; the world where there is none is index 0.
func (x *comparison) title(name string, index int) string {
	if x == nil {
		return name
	}
	return "#" + strconv.Itoa(index)
}

// The additions of a program for comparing to one for readers: each process reports where it is, which error it got,
// and which library it uses. CLASSES, AFTER and SECONDS are filled in.
const checkHead = `
/* Comparing: where each process is, which error it gets, what it holds, and whose library this is.
 * Each process writes a file of its own, because some mpiruns mix the output of processes. */
static int step;
static FILE *out;

static inline void tell(const char *text)
{
    fputs(text, out);
    fflush(out);
}

/* The virtual topology, and the name, in words that a line ends with. */
static void shape(MPI_Comm comm)
{
    static const char *const between[] = {"; grid ", " periods ", " at "};
    char name[MPI_MAX_OBJECT_NAME];
    int kind, inter, n;
    MPI_Comm_test_inter(comm, &inter);
    MPI_Topo_test(comm, &kind);
    if (kind == MPI_CART && !inter) {
        MPI_Cartdim_get(comm, &n);
        int *all = calloc(3 * (size_t)n + 1, sizeof(int));
        MPI_Cart_get(comm, n, all, all + n, all + 2 * n);
        for (int i = 0; i < 3; i++) {
            fputs(between[i], out);
            for (int k = 0; k < n; k++)
                fprintf(out, k > 0 ? ",%d" : "%d", all[i * n + k]);
        }
        free(all);
    } else if (kind != MPI_UNDEFINED) {
        fputs(kind == MPI_GRAPH ? "; graph" : "; distributed graph", out);
    }
    MPI_Comm_get_name(comm, name, &n);
    if (n > 0)
        fprintf(out, "; named %s", name);
}

static void report(const char *name, MPI_Comm comm)
{
` + cDescribe + `    fputs(line, out);
    if (comm != MPI_COMM_NULL)
        shape(comm);
    tell("\n");
}

static void at(int number)
{
    int me;
    step = number;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    fprintf(out, "world rank %d at step %d\n", me, step);
    fflush(out);
}

static inline void passed(void)
{
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    fprintf(out, "world rank %d passed step %d\n", me, step);
    fflush(out);
}

static const char *class_name(int code)
{
    int class;
    MPI_Error_class(code, &class);
CLASSES    return "MPI_ERR_UNKNOWN";
}

static void failing(MPI_Comm *comm, int *code, ...)
{
    int me;
    (void) comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    fprintf(out, "world rank %d raised %s at step %d\n", me, class_name(*code), step);
    fflush(out);
    AFTER
}

static MPI_Errhandler handler;

static void watch(MPI_Comm comm)
{
    if (comm != MPI_COMM_NULL)
        MPI_Comm_set_errhandler(comm, handler);
}

/* Reports the result of the step on this process. */
static inline void got(MPI_Comm comm)
{
    char name[20];
    snprintf(name, 20, "@%d", step);
    report(name, comm);
    watch(comm);
}

static void introduce(const char *folder)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, me, size;
    char line[1000];
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(line, sizeof line, "%s/rank-%d", folder, me);
    out = fopen(line, "w");
    if (out == NULL) {
        perror(line);
        MPI_Abort(MPI_COMM_WORLD, 5);
    }
    if (size == 1 && SIZE > 1)
        tell("world rank 0 is alone\n");
    MPI_Comm_create_errhandler(failing, &handler);
    watch(MPI_COMM_WORLD);
    watch(MPI_COMM_SELF);
    MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = 0;
    snprintf(line, sizeof line, "standard %d, library %.200s\n", MPI_VERSION * 10 + MPI_SUBVERSION, text);
    if (me == 0)
        tell(line);
}

/* Nothing more to do: messages of others may still need this process. */
static inline void stay(void)
{
    int flag;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < SECONDS * 10; i++) {
        struct timespec pause = {0, 100 * 1000 * 1000};
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        nanosleep(&pause, NULL);
    }
    _Exit(0);
}
`
