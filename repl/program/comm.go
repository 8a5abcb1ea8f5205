package program

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
)

// Comm is a communicator as programs see it: one process' handle.
type Comm struct {
	plainValue
	c     *engine.Comm // nil: COMM_NULL
	apart *apart       // nil: nothing; own makes one to write to
}

// apart has what few handles of a large world need.
type apart struct {
	r    *Rank           // of a COMM_NULL; nil: it belongs to no rank
	came *reason.Held    // of a COMM_NULL: where it came from; nil: written as the constant
	topo engine.TopoType // of a COMM_NULL that the constructor of a virtual topology returned

	copies *copies // nil while there is one handle
}

// own returns the handle's apart, to write to.
func (v *Comm) own() *apart {
	if v.apart == nil {
		v.apart = &apart{}
	}
	return v.apart
}

// rank returns the rank that the handle belongs to; nil for a COMM_NULL that belongs to no rank.
func (v *Comm) rank() *Rank {
	if v.c != nil {
		r, _ := v.c.Process().Local.(*Rank)
		return r
	}
	if v.apart != nil {
		return v.apart.r
	}
	return nil
}

// others returns the state that the handle shares with its copies; nil when there are no copies.
func (v *Comm) others() *copies {
	if v.apart == nil {
		return nil
	}
	return v.apart.copies
}

// nullComm is a COMM_NULL of no rank, whose class and attributes are those of all.
var nullComm = &Comm{}

// wrap turns a communicator of this rank into a value; nil becomes COMM_NULL.
func (r *Rank) wrap(c *engine.Comm) *Comm {
	if c == nil {
		return &Comm{apart: &apart{r: r}}
	}
	return &Comm{c: c}
}

// constructed makes the result of a constructor. A COMM_NULL gets the class of the virtual topology that the
// constructor makes, so that its methods exist and raise MPI's error.
func (r *Rank) constructed(made *engine.Comm, by engine.Call) *Comm {
	v := r.remember(r.wrap(made))
	if t := topologyMade[by]; made == nil && t != 0 {
		v.own().topo = t
	}
	return v
}

// CommOf returns the communicator that v holds, nil for COMM_NULL; ok tells whether v is a communicator.
func CommOf(v starlark.Value) (c *engine.Comm, ok bool) {
	c, ok = objectOf(v).(*engine.Comm)
	return c, ok
}

// String writes "<Intracomm 2>" or "<Cartcomm 2>", with the name of the communicator if it has one.
func (v *Comm) String() string {
	switch {
	case v.others().stale(v):
		return fmt.Sprintf("<%s %d, freed>", v.Type(), v.c.ID())
	case v.c.IsNull():
		return "<" + v.Type() + " MPI_COMM_NULL>"
	case v.c.Pending():
		return "<" + v.Type() + " in the making>"
	case v.c.Outlives():
		return fmt.Sprintf("<%s %d, its session finalized>", v.Type(), v.c.ID())
	}
	if name, err := v.c.Name(); err == nil && name != "" {
		return fmt.Sprintf("<%s %d %q>", v.Type(), v.held(), name)
	}
	return fmt.Sprintf("<%s %d>", v.Type(), v.held())
}

// Type returns mpi4py's name of the type.
func (v *Comm) Type() string {
	if t := v.topoClass(); t != nil {
		return t.name
	}
	if v.c.Kind() == engine.Inter {
		return "Intercomm"
	}
	return "Intracomm"
}

func (v *Comm) Truth() starlark.Bool { return starlark.Bool(!v.c.IsNull() || v.others().stale(v)) }

func (v *Comm) Attr(name string) (starlark.Value, error) {
	return v.classWith(name).attr(v.rank(), v, name)
}
func (v *Comm) AttrNames() []string { return slices.Concat(v.topoNames(), commClass.listed(v.rank())) }

// SetField implements assignable attributes: comm.name = "rows".
func (v *Comm) SetField(name string, to starlark.Value) error {
	return v.classWith(name).setField(v.rank(), v, name, to)
}

// CompareSameType compares handles, not what they stand for: that is what Compare is for.
func (v *Comm) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	w := other.(*Comm)
	if v.others().stale(v) || w.others().stale(w) {
		return sameHandle(op, v.c == w.c && v.others().stale(v) == w.others().stale(w), "communicators")
	}
	return sameHandle(op, v.c == w.c || v.c.IsNull() && w.c.IsNull(), "communicators")
}

// on returns the communicator that the method is called on.
func (c *call) on() *engine.Comm { return c.self.(*Comm).c }

// commClass is what communicators can do. Receives take buf first, as in mpi4py; it must be None.
var commClass = newClass("Intracomm", isA[*Comm], rows("Comm caching", cachingRows), rows("Comm topology", topoRows),
	rows("Comm arrays", bufferRows), collectMethods(false), rows("Comm", map[string]any{
		"rank":         getter(getRank),
		"size":         getter(getSize),
		"group":        gives((*engine.Comm).Group),
		"name":         settable{getName, setName},
		"info":         settable{gives((*engine.Comm).Hints), setInfo},
		"remote_size":  gives((*engine.Comm).RemoteSize),
		"remote_group": getter(getRemoteGroup),
		"is_inter":     gives((*engine.Comm).IsInter),
		"is_intra":     gives(isIntra),

		"Set_name": do1((*engine.Comm).SetName),
		"Set_info": do1((*engine.Comm).SetInfo),
		"Compare":  of1((*engine.Comm).Compare),

		"Split":              of2((*engine.Comm).Split),
		"Split_type":         of3((*engine.Comm).SplitType),
		"Create":             of1((*engine.Comm).Create),
		"Create_group":       of2((*engine.Comm).CreateGroup),
		"Create_from_group":  of4((*engine.Process).CreateFromGroup),
		"Create_from_groups": commFromGroups,
		"Create_intercomm":   of4((*engine.Comm).CreateIntercomm),
		"Merge":              commMerge,
		"Dup":                withInfo(of0((*engine.Comm).Dup), of1((*engine.Comm).DupWithInfo)),
		"Dup_with_info":      of1((*engine.Comm).DupWithInfo),
		"Idup":               withInfo(of0(both((*engine.Comm).Idup)), of1(idupWithInfo)),
		"Idup_with_info":     of1(idupWithInfo),
		"Clone":              of0((*engine.Comm).Dup),
		"Free":               ending((*engine.Comm).Free),
		"free":               freeing(ending((*engine.Comm).Free)),
		"Get_parent":         method(func(c *call) (starlark.Value, error) { return c.r.wrap(nil), nil }),
		"Disconnect":         ending((*engine.Comm).Disconnect),

		"Create_errhandler": createErrhandler,
		"Set_errhandler":    do1((*engine.Comm).SetErrhandler),
		"Get_errhandler":    of0((*engine.Comm).Errhandler),
		"Call_errhandler":   callErrhandler[*engine.Comm],
		"Abort":             do1((*engine.Comm).Abort),

		"Barrier":      do0((*engine.Comm).Barrier),
		"Ibarrier":     of0((*engine.Comm).Ibarrier),
		"Barrier_init": of1(barrierInit),
		"bcast gather allgather scatter alltoall reduce allreduce scan exscan": commCollect,

		"send bsend ssend isend ibsend issend": commSend,
		"recv":                                 commRecv,
		"irecv":                                commIrecv,
		"sendrecv":                             commSendrecv,
		"probe":                                of3(probe),
		"iprobe":                               of3(iprobe),
		"mprobe":                               matching((*engine.Comm).Mprobe),
		"improbe":                              matching((*engine.Comm).Improbe),
	}))

func getRank(_ *Rank, v starlark.Value) (starlark.Value, error) {
	c := v.(*Comm).c
	return starlark.MakeInt(c.Rank()), c.Check(engine.CallRank)
}

func getSize(_ *Rank, v starlark.Value) (starlark.Value, error) {
	c := v.(*Comm).c
	return starlark.MakeInt(c.Size()), c.Check(engine.CallSize)
}

func getName(r *Rank, v starlark.Value) (starlark.Value, error) {
	if c := v.(*Comm).c; c.IsNull() && r != nil && r.P.Std() < 41 { // MPI_COMM_NULL has a name since MPI-4.1
		return nil, c.Check(engine.CallGetName)
	}
	name, err := v.(*Comm).c.Name()
	return starlark.String(name), err
}

func getRemoteGroup(r *Rank, v starlark.Value) (starlark.Value, error) {
	g, err := v.(*Comm).c.RemoteGroup()
	return &Group{r: r, g: g}, err
}

func isIntra(c *engine.Comm) (bool, error) {
	inter, err := c.IsInter()
	return !inter, err
}

func setName(_ *Rank, v, to starlark.Value) error {
	name, ok := starlark.AsString(to)
	if !ok {
		return fmt.Errorf("name must be a string, not %s", describe(to))
	}
	return v.(*Comm).c.SetName(name)
}

func setInfo(_ *Rank, v, to starlark.Value) error {
	info, ok := to.(*Info)
	if !ok {
		return fmt.Errorf("info must be an info object, not %s", describe(to))
	}
	return v.(*Comm).c.SetInfo(info.info)
}

func barrierInit(c *engine.Comm, _ *engine.Info) (*engine.Request, error) {
	return c.Init(engine.CallBarrierInit, engine.Data{}, nil)
}

// withInfo makes mpi4py's Dup or Idup from a call without hints and a call with hints: both methods take hints from
// version 4 on.
func withInfo(plain, hinted func(*call) (starlark.Value, error)) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		if c.args[0] == starlark.None {
			return plain(c)
		}
		return hinted(c)
	}
}

func idupWithInfo(c *engine.Comm, info *engine.Info) (tuple, error) {
	return both(func(c *engine.Comm) (*engine.Comm, *engine.Request, error) { return c.IdupWithInfo(info) })(c)
}

// IsStarted reports whether v is what Idup returned: a pair of a communicator and its request.
func IsStarted(v starlark.Value) bool {
	pair, ok := v.(starlark.Tuple)
	return ok && len(pair) == 2 && isA[*Comm](pair[0]) && isA[*Request](pair[1])
}

// ending makes a method that frees the communicator. Other handles of the communicator are stale then.
func ending(free func(*engine.Comm) error) func(*call) (starlark.Value, error) {
	return func(c *call) (starlark.Value, error) {
		err := free(c.on())
		if v := c.self.(*Comm); err == nil {
			v.others().ended(v, c.r)
		}
		return nothing(err)
	}
}

// commMerge takes any value for high, as C does: what is not zero is true.
func commMerge(c *call) (starlark.Value, error) {
	made, err := c.on().Merge(bool(c.args[0].Truth()))
	return ended(c, made, err)
}

func commFromGroups(c *call) (starlark.Value, error) {
	var groups [2]*engine.Group
	var leaders [2]int
	var tag string
	var info *engine.Info
	var h *engine.Errhandler
	if err := c.read(0, &groups[0], &leaders[0], &groups[1], &leaders[1], &tag, &info, &h); err != nil {
		return nil, err
	}
	made, err := c.r.P.CreateIntercommFromGroups(groups[0], leaders[0], groups[1], leaders[1], tag, info, h)
	return ended(c, made, err)
}
