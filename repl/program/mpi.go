package program

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// module is MPI, or one of its classes (MPI.Info), as a rank's program sees it.
type module struct {
	plainValue
	r     *Rank
	class *class
	name  string // "Comm" or "Intracomm": several names may have one class
}

func (m *module) String() string { return "<class " + m.class.name + ">" }

// Type returns "MPI" or "class Info", never the type of the values of the class.
func (m *module) Type() string {
	if m.class.is == nil {
		return m.class.name
	}
	return "class " + m.class.name
}

// Attr returns the value of a name of MPI, or a function of a class, whose first argument is the value that
// the function acts on: MPI.Comm.Compare(a, b).
func (m *module) Attr(name string) (starlark.Value, error) {
	a := m.class.attrs[name]
	if a == nil || m.class.is != nil && a.run == nil {
		return nil, m.class.absent(name)
	}
	return a.of(m.r, nil)
}

// AttrNames lists the names that the world's version of the standard has.
func (m *module) AttrNames() []string {
	var names []string
	for _, n := range m.class.existing(m.r.P.Std()) {
		if m.class.is == nil || m.class.attrs[n].run != nil {
			names = append(names, n)
		}
	}
	return names
}

// mpi has the names of MPI.
var mpi = newClass("MPI", nil, constants(), rows("MPI", map[string]any{
	"Comm Intracomm Intercomm": commClass,
	"Cartcomm":                 cartClass,
	"Graphcomm":                graphClass,
	"Topocomm":                 topoClass,
	"Distgraphcomm":            distGraphClass,
	"Group":                    groupClass,
	"Info":                     infoClass,
	"Request Prequest":         requestClass,
	"Message":                  messageClass,
	"Errhandler":               errhandlerClass,
	"Op":                       opClass,
	"Session":                  sessionClass,

	"COMM_WORLD":  commWorld,
	"COMM_SELF":   func(r *Rank) starlark.Value { return r.wrap(r.P.Self()) },
	"COMM_NULL":   func(r *Rank) starlark.Value { return r.wrap(nil) },
	"GROUP_EMPTY": func(r *Rank) starlark.Value { return &Group{r: r, g: engine.EmptyGroup} },
	"INFO_ENV":    infoEnv,
	"VERSION":     func(r *Rank) starlark.Value { return version(r)[0] },
	"SUBVERSION":  func(r *Rank) starlark.Value { return version(r)[1] },

	"Is_initialized Is_thread_main": always(true),
	"Is_finalized":                  always(false),
	"Wtick":                         always(1e-9),
	"Wtime":                         wtime,
	"Query_thread":                  always(threadMultiple),
	"Status":                        tells(func(r *Rank) any { return newStatus(r) }),
	"Get_version":                   tells(func(r *Rank) any { return version(r) }),
	"Get_library_version": tells(func(r *Rank) any {
		return "commsplit, an in-process engine that follows " + r.P.Std().Title()
	}),
	"Get_processor_name":    tells(func(r *Rank) any { return r.P.ProcessorName() }),
	"Get_hw_resource_info":  tells(func(r *Rank) any { return r.P.HWResourceInfo() }),
	"Get_hwsubdomain_names": getSubdomainNames,
	"Compute_dims":          computeDims,
	"Attach_buffer":         attachBuffer,
	"Detach_buffer":         detachBuffer,

	"Get_error_class":     of1((*engine.Process).ErrorClass),
	"Get_error_string":    of1((*engine.Process).ErrorString),
	"Add_error_class":     tells(func(r *Rank) any { return r.P.AddErrorClass() }),
	"Add_error_code":      of1((*engine.Process).AddErrorCode),
	"Add_error_string":    do2((*engine.Process).AddErrorString),
	"Remove_error_class":  do1((*engine.Process).RemoveErrorClass),
	"Remove_error_code":   do1((*engine.Process).RemoveErrorCode),
	"Remove_error_string": do1((*engine.Process).RemoveErrorString),
}))

// tells makes a function without arguments. what returns its result on a rank.
func tells(what func(r *Rank) any) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) { return c.r.made(what(c.r), engine.CallNone), nil }
}

// always makes a function with a constant result: a world is between MPI_Init and MPI_Finalize as long as programs run
// in it.
func always(answer any) func(*call) (starlark.Value, error) {
	return tells(func(*Rank) any { return answer })
}

func commWorld(r *Rank) starlark.Value { return &r.world }

func version(r *Rank) starlark.Tuple {
	major, minor := r.P.Std().Version()
	return starlark.Tuple{starlark.MakeInt(major), starlark.MakeInt(minor)}
}

// began is the time at which Wtime is 0.
var began = time.Now()

var wtime = tells(func(*Rank) any { return time.Since(began).Seconds() })

// threadMultiple is MPI_THREAD_MULTIPLE, which sessions get, too. The levels increase (§11.2.1).
const threadMultiple = 3

// predeclared has the names that every program has besides Starlark's own.
var predeclared = newClass("program", nil, rows("program", map[string]any{
	"MPI":             mpi,
	"world":           commWorld,
	"here":            hereClass,
	"NotImplemented":  notImplemented,
	"__name__":        starlark.String("__main__"),
	"print":           printLine,
	"input":           input,
	"str":             textOf((*Rank).text),
	"repr":            textOf((*Rank).repr),
	"note":            note,
	"ask":             ask,
	"bind":            bind,
	"expect":          expect,
	"expect_parts":    expectParts,
	"expect_error":    expectError,
	"expect_no_leaks": expectNoLeaks,
}))

// textOf makes a function that writes a value.
func textOf(write func(*Rank, starlark.Value) (string, error)) method {
	return func(c *call) (starlark.Value, error) {
		text, err := write(c.r, c.args[0])
		return starlark.String(text), err
	}
}

// say prints text, an output for each line.
func (r *Rank) say(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		r.Say(line)
	}
}

// tell narrates text, a note for each line.
func (r *Rank) tell(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		r.P.Note(line)
	}
}

// printLine implements print. It accepts Python's keyword flush, which changes nothing here.
func printLine(c *call) (starlark.Value, error) {
	sep, end := " ", "\n"
	for _, kw := range c.kw {
		name := string(kw[0].(starlark.String))
		switch text, ok := starlark.AsString(kw[1]); {
		case name == "sep" && ok:
			sep = text
		case name == "end" && ok:
			end = text
		case (name == "sep" || name == "end") && kw[1] != starlark.None:
			return nil, fmt.Errorf("print: %s must be a string, not %s", name, describe(kw[1]))
		case name == "file":
			if _, is := kw[1].(stream); !is && kw[1] != starlark.None {
				return nil, fmt.Errorf("print: file must be sys.stdout or sys.stderr, not %s", describe(kw[1]))
			}
		case name != "flush" && name != "sep" && name != "end":
			return nil, fmt.Errorf("print has no argument %s: it takes values, sep, end, file and flush", name)
		}
	}
	parts := make([]string, len(c.pos))
	for i, v := range c.pos {
		var err error
		if parts[i], err = c.r.text(v); err != nil {
			return nil, err
		}
	}
	if text := strings.Join(parts, sep); end == "\n" && c.r.line == "" {
		c.r.say(text)
	} else {
		c.r.put(text + end)
	}
	return starlark.None, nil
}

func note(c *call) (starlark.Value, error) {
	text, err := c.text(0)
	if err != nil {
		return nil, err
	}
	c.r.tell(text)
	return starlark.None, nil
}

// Doc describes one name for completion and help.
type Doc struct {
	Name      string      // "MPI.Comm.Split", "expect"
	Signature string      // "(color=0, key=0)"; empty for a name that is not a function
	Text      string      // one line
	Call      engine.Call // the call of MPI that it makes; CallNone: none
}

// Docs describes every name that programs can use, in order.
func Docs() []Doc {
	var docs []Doc
	for prefix, c := range map[string]*class{
		"": predeclared, "MPI.": mpi, "MPI.Comm.": commClass, "MPI.Group.": groupClass,
		"MPI.Cartcomm.": cartClass, "MPI.Graphcomm.": graphClass, "MPI.Distgraphcomm.": distGraphClass,
		"MPI.Info.": infoClass, "MPI.Request.": requestClass, "MPI.Session.": sessionClass, "MPI.Status.": statusClass,
		"MPI.Message.": messageClass, "MPI.Errhandler.": errhandlerClass, "MPI.Op.": opClass, "here.": hereClass,
	} {
		for _, a := range c.attrs {
			docs = append(docs, Doc{Name: prefix + a.name, Signature: a.signature, Text: a.doc, Call: a.call})
		}
	}
	slices.SortFunc(docs, func(a, b Doc) int { return strings.Compare(a.Name, b.Name) })
	return docs
}

// AttributesOf lists the names that can follow "path." in a program of this rank; path is a name or one of MPI's
// classes ("MPI.Comm"). The world must be quiet.
func (r *Rank) AttributesOf(path string) []string {
	names := strings.Split(path, ".")
	if names[0] == "" {
		return nil
	}
	v, err := (&scope{r: r}).Attr(names[0])
	for _, n := range names[1:] {
		m, ok := v.(*module)
		if !ok {
			return nil
		}
		v, err = m.Attr(n)
	}
	if err != nil || v == nil {
		return nil
	}
	return Attributes(v)
}

// Attributes lists the names that can follow "v.", in order; nil for most of Starlark's values.
func Attributes(v starlark.Value) []string {
	if h, ok := v.(starlark.HasAttrs); ok {
		return slices.Sorted(slices.Values(h.AttrNames()))
	}
	return nil
}

// Predeclared lists the names that every program has besides Starlark's own, in order.
func Predeclared() []string { return slices.Clone(predeclared.names) }

// hereClass says where a rank runs. An index is the L# of the instance to which the rank is restricted, or
// UNDEFINED where the rank is not restricted to one instance.
var hereClass = newClass("here", nil, rows("here", map[string]any{
	"host node": hardwareIndex("Machine"),
	"package":   hardwareIndex("Package"),
	"numa":      hardwareIndex("NUMANode"),
	"core":      hardwareIndex("Core"),
	"pu":        hardwareIndex("PU"),
}))

func hardwareIndex(resource string) func(*Rank) starlark.Value {
	return func(r *Rank) starlark.Value { return starlark.MakeInt(r.P.HardwareIndex("hwloc://" + resource)) }
}

// Here returns the value of a name of hereClass on this rank; nil for another name.
func (r *Rank) Here(name string) starlark.Value {
	v, err := hereClass.attr(r, nil, name)
	if v == nil || err != nil {
		return nil
	}
	return v
}

// HereNames lists the names that Here accepts.
func HereNames() []string { return hereClass.names }

// bind moves this process to other PUs when it is one of the ranks. Every process checks the ranks;
// the PUs are those of the host of each process that moves.
func bind(c *call) (starlark.Value, error) {
	text, err := c.list(0, `ranks such as "0-3,7"`)
	if err != nil {
		return nil, err
	}
	ranks, err := engine.ParseRanks(text, c.r.P.Size())
	if err != nil {
		return nil, fmt.Errorf("bind: ranks %q: %w", text, err)
	}
	pus, err := c.list(1, `PUs such as "0-1+8"`)
	if err != nil || !ranks.Has(c.r.P.Rank()) {
		return starlark.None, err
	}
	set, err := hw.ParsePUs(pus, c.r.P.Host())
	if err == nil {
		err = c.r.P.Bind(set)
	}
	if err != nil {
		return nil, fmt.Errorf("bind: cpuset %w", err)
	}
	return starlark.None, nil
}

// list reads a list of numbers as text; a single number may be an integer.
func (c *call) list(i int, want string) (string, error) {
	switch v := c.args[i].(type) {
	case starlark.String:
		return string(v), nil
	case starlark.Int:
		return v.String(), nil
	}
	return "", c.wrong(i, want)
}

// MPI.Comm(c) makes a second handle of the object of c, as an assignment in C does: when the object is freed through
// one handle, the other handle is stale and does not become null. Variables of programs share one handle.

// copies has what all handles of an object share that were copied from each other.
type copies struct {
	endedBy any    // the handle through which the object was freed or ended; nil while it lives
	where   string // the call site of that, " (demo.py:7)", or ""
}

// ended notes that the object was freed through a handle.
func (k *copies) ended(by any, r *Rank) {
	if k == nil || k.endedBy != nil {
		return
	}
	k.endedBy = by
	if at := r.position().String(); at != "" {
		k.where = " (" + at + ")"
	}
}

// copied returns the shared state of the handles of an object, and makes it when it is nil.
func copied(k **copies) *copies {
	if *k == nil {
		*k = &copies{}
	}
	return *k
}

// stale reports whether the object was freed or ended through another handle than the given handle.
func (k *copies) stale(handle any) bool { return k != nil && k.endedBy != nil && k.endedBy != handle }

// handle is a value that may be a stale copy, or the handle of an object that outlives its session.
type handle interface {
	// staleIn returns the error of a call that gets the value; nil when the call may use it.
	staleIn(call engine.Call) error
}

func (v *Comm) staleIn(call engine.Call) error {
	if !v.others().stale(v) {
		if v.c.Outlives() {
			return v.c.Check(call)
		}
		return nil
	}
	e := engine.MistakeCommStale.In(call, v.apart.copies.where)
	e.Comm = v.c.ID()
	return e
}

func (v *Group) staleIn(call engine.Call) error {
	if !v.copies.stale(v) {
		if v.g == nil {
			return nil
		}
		return v.g.Check(call)
	}
	return engine.MistakeGroupStale.In(call, v.copies.where)
}

func (v *Request) staleIn(call engine.Call) error {
	if !v.copies.stale(v) {
		return v.req.Check(call)
	}
	return engine.MistakeRequestStale.In(call, v.copies.where)
}

// checkHandles returns an error when the call acts on a stale handle or has one among its arguments.
func (c *call) checkHandles() error {
	if !c.r.wary {
		return nil
	}
	for _, v := range append(c.args[:], c.self) {
		if h, ok := v.(handle); ok {
			if err := h.staleIn(c.fn.call); err != nil {
				return err
			}
		}
	}
	return nil
}

// Name implements starlark.Callable.
func (m *module) Name() string { return m.name }

// CallInternal makes a handle: without an argument a null handle, else a second handle of the argument's object.
func (m *module) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if m.class.is == nil || m.class == hereClass {
		return nil, fmt.Errorf("%s is not called: it has names, as in %s.%s", m.name, m.name, m.class.names[0])
	}
	for _, kw := range kwargs {
		args = append(args, kw[1])
	}
	if len(args) > 1 {
		return nil, fmt.Errorf("%s takes 1 argument, a handle to copy, or none, not %d", m.name, len(args))
	}
	of := starlark.Value(starlark.None)
	if len(args) == 1 {
		of = args[0]
	}
	if of != starlark.None && !m.class.is(of) {
		if _, isComm := of.(*Comm); !isComm || m.class.is(nullComm) == commClass.is(of) {
			return nil, fmt.Errorf("%s copies a handle of its kind, not %s", m.name, describe(of))
		}
	}
	m.r.wary = true
	return m.handle(of)
}

// handle copies a handle; for None it makes a null handle.
func (m *module) handle(of starlark.Value) (starlark.Value, error) {
	if of == starlark.None {
		of = nulls[m.class]
	}
	switch v := of.(type) {
	case nil:
		null := m.r.wrap(nil)
		null.own().topo = m.topology()
		return null, nil
	case *Comm:
		return m.comm(v)
	}
	return m.r.own(of), nil
}

// nulls are the null handles of all classes but those of communicators.
var nulls = map[*class]starlark.Value{groupClass: &Group{}, requestClass: &Request{}, infoClass: &Info{}, sessionClass: &Session{},
	errhandlerClass: &Errhandler{}, messageClass: &Message{}, opClass: &Op{}}

// own returns a second handle, which belongs to r: constants such as MPI.INFO_NULL belong to no rank, and a call on a
// constant would not know its rank. It returns other values, and handles that never change, unchanged.
func (r *Rank) own(of starlark.Value) starlark.Value {
	switch v := of.(type) {
	case *Group:
		if v.g == nil || v.g == engine.EmptyGroup {
			return &Group{r: r, g: v.g}
		}
		return &Group{r: r, g: v.g, open: v.open, copies: copied(&v.copies)}
	case *Request:
		if v.req == nil {
			return &Request{r: r}
		}
		return &Request{r: r, req: v.req, transfer: v.transfer, open: v.open, copies: copied(&v.copies)}
	case *Info:
		return &Info{r: r, info: v.info, open: v.open, predefined: v.predefined}
	case *Session:
		return &Session{r: r, s: v.s, open: v.open}
	case *Errhandler:
		return &Errhandler{r: r, h: v.h, constant: v.constant}
	case *Message:
		return &Message{r: r, m: v.m, open: v.open, constant: v.constant}
	}
	return of
}

// topology returns the virtual topology that communicators of the class have; 0 for any or none.
func (m *module) topology() engine.TopoType {
	switch m.class {
	case cartClass:
		return engine.TopoCart
	case graphClass:
		return engine.TopoGraph
	case distGraphClass:
		return engine.TopoDistGraph
	}
	return 0
}

// comm returns a second handle of a communicator, which must be of the class.
func (m *module) comm(v *Comm) (starlark.Value, error) {
	if v.c.IsNull() {
		return &Comm{c: v.c, apart: &apart{r: m.r, topo: v.own().topo, came: v.own().came}}, nil
	}
	inter := v.c.Kind() == engine.Inter
	want := ""
	switch t := m.topology(); {
	case m.name == "Intracomm" && inter:
		want = "an intracommunicator"
	case m.name == "Intercomm" && !inter:
		want = "an intercommunicator"
	case t != 0 && v.topology() != t:
		want = "a communicator with that virtual topology"
	case m.class == topoClass && v.topoClass() == nil:
		want = "a communicator with a virtual topology"
	}
	if want != "" {
		return nil, fmt.Errorf("%s copies the handle of %s, not %s", m.name, want, describe(v))
	}
	return m.r.second(v), nil
}

// second returns a second handle of a communicator, which is stale when the communicator is freed through the first one.
func (r *Rank) second(v *Comm) *Comm {
	first := v.own()
	return &Comm{c: v.c, apart: &apart{r: r, topo: first.topo, came: first.came, copies: copied(&first.copies)}}
}

// freeing makes mpi4py's free: it does as Free, and nothing for null handles and predefined objects.
func freeing(free func(*call) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		if !bool(c.self.Truth()) || isPredefined(c.self) {
			return starlark.None, nil
		}
		return free(c)
	}
}

// isPredefined reports whether the object of a handle is predefined by MPI.
func isPredefined(v starlark.Value) bool {
	switch v := v.(type) {
	case *Comm:
		p := v.c.Process()
		return v.c == p.World() || v.c == p.Self()
	case *Group:
		return v.g == engine.EmptyGroup
	case *Errhandler:
		return v.constant
	case *Info:
		return v.predefined
	case *Message:
		return v.constant
	case *Op:
		return true
	}
	return false
}
