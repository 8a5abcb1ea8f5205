// Package document writes what commands print as JSON: a session whole or line by line, topologies, maps,
// verifications, lists. The schemas are in render/schema; a test compares the types of this package with them.
package document

import (
	"cmp"
	"encoding/json"
	"io"
	"iter"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render"
)

// Run writes the whole view as one document: the world, its ranks, all communicators, the variables, output,
// expectations, errors, deadlock and trace. Groups list world ranks in rank order; ids refer to the list of
// communicators. Missing values are null; "leaks" and "as" are left out unless asked for, "choices" and
// "stopped" where there was none. The document is written as a stream: Run takes no more memory than its largest line.
func Run(w io.Writer, v *render.View) error {
	d := document{newJSONStream(w), v, map[string]json.RawMessage{}}
	d.text("{\n  \"version\": 1")
	d.section("world", d.world())
	d.list("ranks", d.ranks())
	d.list("communicators", d.communicators())
	d.variables()
	d.list("output", d.output())
	d.section("expectations", d.expectations())
	d.list("errors", d.errors())
	d.section("deadlock", d.deadlock())
	d.list("trace", d.trace())
	d.list("unfinished", d.unfinished())
	if len(v.Stopped) > 0 {
		d.list("stopped", d.stopped())
	}
	if len(v.Choices) > 0 {
		d.list("choices", d.choices())
	}
	if v.Leaks != nil {
		d.list("leaks", d.leaks())
	}
	if v.As != nil {
		d.section("as", d.as())
	}
	d.text("\n}\n")
	return d.out.Flush()
}

// document is a JSON document that is being written.
type document struct {
	*jsonStream
	view  *render.View
	infos map[string]json.RawMessage // JSON of each hw_info, by the types that are true in it; a large machine has few of them
}

func (d *document) name(section string) { d.text(",\n  \"" + section + "\": ") }

func (d *document) section(name string, v any) {
	d.name(name)
	d.value(v)
}

func (d *document) list(name string, elements iter.Seq[any]) {
	d.name(name)
	d.lines("  ", elements)
}

func (d *document) world() worldDoc {
	s := d.view.Snapshot
	w := worldDoc{
		Size: s.Size, MapBy: cmp.Or(d.view.Placement.MapBy, "core"), BindTo: cmp.Or(d.view.Placement.BindTo, "core"),
		Std: s.Std.String(),
	}
	if s.Topology != nil {
		w.Topology = &s.Topology.Name
	}
	if list := d.view.Placement.List; list != "" {
		w.BindTo = "user:" + list
	} else if file := d.view.Placement.Rankfile; file != "" {
		w.BindTo = "rankfile:" + file
	} else if placement.AsRun(s.Topology, d.view.Placement) {
		w.MapBy, w.BindTo = "job", "job"
	}
	for _, p := range d.view.Psets {
		w.Psets = append(w.Psets, field{p.Name, p.Ranks.List()})
	}
	return w
}

// orEmpty returns an empty list for nil, which would be null in JSON.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (d *document) communicators() iter.Seq[any] {
	s := d.view.Snapshot
	fates := s.Fates()
	names, freed := fates.Names, fates.Freed
	return func(yield func(any) bool) {
		for _, c := range s.Comms {
			if !yield(communicator(c, names[c.ID], freed[c.ID])) {
				return
			}
			if c.ID == 0 && d.mentionsSelf() {
				if !yield(communicator(self, names[engine.SelfID], freed[engine.SelfID])) {
					return
				}
			}
		}
	}
}

// self stands for every rank's own MPI_COMM_SELF: without a group and without a context id.
var self = &engine.CommInfo{ID: engine.SelfID, Context: -1, Parent: -1}

func communicator(c *engine.CommInfo, name string, freed bool) communicatorDoc {
	kind := "intra"
	if c.Remote != nil {
		kind = "inter"
	}
	return communicatorDoc{
		ID: c.ID, Context: numberOrNull(c.Context), Name: name, Kind: kind, Op: callOrNull(c.Op),
		Parent: numberOrNull(c.Parent), Parent2: c.Parent2, Group: c.Group, RemoteGroup: c.Remote, Resource: OrNull(c.Resource),
		Pset: OrNull(c.Pset), Freed: freed, Where: c.Where,
	}
}

// mentionsSelf reports whether a variable holds MPI_COMM_SELF or a step acts on it.
func (d *document) mentionsSelf() bool {
	for _, h := range d.view.Handles {
		if slices.Contains(h.IDs, engine.SelfID) {
			return true
		}
		for _, list := range h.Lists {
			if slices.Contains(list, engine.SelfID) {
				return true
			}
		}
	}
	return slices.ContainsFunc(d.view.Snapshot.Steps, func(s engine.Step) bool { return s.Comm == engine.SelfID })
}

// variables writes a line for each variable, with what each rank holds.
func (d *document) variables() {
	d.name("variables")
	d.text("{")
	for i := range d.view.Handles {
		h := &d.view.Handles[i]
		d.separate(i, "    ")
		d.value(h.Name)
		d.text(": ")
		d.heldBy(h)
	}
	d.end(len(d.view.Handles), "  ", "}")
}

// heldBy writes what held returns, without making the list.
func (d *document) heldBy(h *render.Handle) {
	d.text("[")
	for r := range d.view.Snapshot.Size {
		if r > 0 {
			d.text(", ")
		}
		list, ok := h.Lists[r]
		switch {
		case ok:
			d.value(idsOrNull(list))
		case r < len(h.IDs) && h.IDs[r] >= 0:
			d.value(h.IDs[r])
		default:
			d.text("null")
		}
	}
	d.text("]")
}

// held returns what each rank holds in a variable: an id, a list of ids, or null.
func (d *document) held(h *render.Handle) []any {
	held := make([]any, d.view.Snapshot.Size)
	for r := range held {
		if list, ok := h.Lists[r]; ok {
			held[r] = idsOrNull(list)
		} else if r < len(h.IDs) {
			held[r] = numberOrNull(int(h.IDs[r]))
		}
	}
	return held
}

// idsOrNull returns ids, with null for MPI_COMM_NULL.
func idsOrNull(ids []int32) []*int {
	list := make([]*int, len(ids))
	for i, id := range ids {
		list[i] = numberOrNull(int(id))
	}
	return list
}

// The shape of the JSON document, a type for each of its parts. A nil pointer is null: the value does not exist.
// Ranks are in Linux list format.

type worldDoc struct {
	Size     int     `json:"size"`
	Topology *string `json:"topology"`
	MapBy    string  `json:"map_by"`
	BindTo   string  `json:"bind_to"`
	Std      string  `json:"std"`
	Psets    object  `json:"psets"`
}

type rankDoc struct {
	Rank int `json:"rank"`
	*placeDoc
}

// placeDoc is the part that ranks with the same binding share.
type placeDoc struct {
	Host   *string         `json:"host"`
	CPUSet *string         `json:"cpuset"`
	HWInfo json.RawMessage `json:"hw_info"`
}

type communicatorDoc struct {
	ID          int     `json:"id"`
	Context     *int    `json:"context"`
	Name        string  `json:"name"`
	Kind        string  `json:"kind"`
	Op          *string `json:"op"`
	Parent      *int    `json:"parent"`
	Parent2     int     `json:"remote_parent,omitempty"`
	Group       []int32 `json:"group"`
	RemoteGroup []int32 `json:"remote_group"`
	Resource    *string `json:"resource"`
	Pset        *string `json:"pset"`
	Freed       bool    `json:"freed"`
	Where       string  `json:"where"`
}

type outputDoc struct {
	Ranks   string `json:"ranks"`
	Text    string `json:"text"`
	LeftOut int    `json:"left_out,omitempty"`
}

type expectationsDoc struct {
	Passed   int          `json:"passed"`
	Failed   int          `json:"failed"`
	Failures []failureDoc `json:"failures"`
}

type failureDoc struct {
	Where   string `json:"where"`
	Ranks   string `json:"ranks"`
	Message string `json:"message"`
}

type errorDoc struct {
	Class   string  `json:"class"`
	Call    *string `json:"call"`
	Comm    *int    `json:"comm"`
	Ranks   string  `json:"ranks"`
	Where   string  `json:"where"`
	Message string  `json:"message"`
	Rule    string  `json:"rule"`
}

type deadlockDoc struct {
	Waiting []waitingDoc `json:"waiting"`
	Message string       `json:"message"`
	Knots   []knotDoc    `json:"knots"`
}

type knotDoc struct {
	Ranks   string  `json:"ranks"`
	Comm    *int    `json:"comm"`
	Message string  `json:"message"`
	Rule    string  `json:"rule"`
	Fix     *string `json:"fix"`
}

type waitingDoc struct {
	Ranks string  `json:"ranks"`
	Call  *string `json:"call"`
	Comm  *int    `json:"comm"`
	Where string  `json:"where"`
}

type stepDoc struct {
	Step  int     `json:"step"`
	Call  *string `json:"call"`
	Comm  *int    `json:"comm"`
	Comm2 int     `json:"remote_comm,omitempty"`
	Ranks string  `json:"ranks"`
	Args  object  `json:"args"` // a list over the ranks for each argument
	Made  []int   `json:"made"`
	Where string  `json:"where"`
}

type leakDoc struct {
	What   string  `json:"what"`
	MadeBy *string `json:"made_by"`
	Where  *string `json:"where"`
	Ranks  string  `json:"ranks"`
}

type unfinishedDoc struct {
	What    string  `json:"what"`
	Ranks   string  `json:"ranks"`
	Call    *string `json:"call"`
	Where   string  `json:"where"`
	Message string  `json:"message"`
}

type stopDoc struct {
	Where   string  `json:"where"`
	Ranks   *string `json:"ranks"`
	Message string  `json:"message"`
}

type choiceDoc struct {
	Rank    int    `json:"rank"`
	Call    string `json:"call"`
	Comm    int    `json:"comm"`
	Where   string `json:"where"`
	Senders []int  `json:"senders"`
	Taken   int    `json:"taken"`
}

type asDoc struct {
	Library string         `json:"library"`
	Notes   []deviationDoc `json:"notes"`
}

type deviationDoc struct {
	Deviation string  `json:"deviation"`
	Step      int     `json:"step"`
	Call      *string `json:"call"`
	Where     string  `json:"where"`
	Ranks     string  `json:"ranks"`
	Text      string  `json:"text"`
	Rule      string  `json:"rule"`
	Source    string  `json:"source"`
}

// object is a JSON object whose fields are known only at run time, in a given order.
type object []field

type field struct {
	name  string
	value any
}

// OrNull returns null for "", a text that does not exist or is not known.
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// callOrNull returns the name of a procedure, null for none.
func callOrNull(c engine.Call) *string {
	if c == engine.CallNone {
		return nil
	}
	return OrNull(c.String())
}

// numberOrNull returns null for a negative number, which does not exist or is not known.
func numberOrNull(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}

// The events of a session as JSON: output, expectations, errors, deadlock, trace, leaks, deviations.

// each yields the documents of a list's elements.
func each[T any](list []T, doc func(*T) any) iter.Seq[any] {
	return func(yield func(any) bool) {
		for i := range list {
			if !yield(doc(&list[i])) {
				return
			}
		}
	}
}

func (d *document) output() iter.Seq[any] {
	left := d.view.Snapshot.Forgot
	return each(d.view.Snapshot.Output, func(l *engine.Line) any {
		doc := outputOf(l, left)
		left = 0
		return doc
	})
}

// outputOf returns the document of a line; left is the number of lines left out before it in a flood.
func outputOf(l *engine.Line, left int) outputDoc { return outputDoc{l.Ranks.String(), l.Text, left} }

func (d *document) expectations() expectationsDoc {
	e := d.view.Expectations
	doc := expectationsDoc{Passed: e.Passed, Failed: e.Failed, Failures: []failureDoc{}}
	for _, f := range e.Failures {
		doc.Failures = append(doc.Failures, failureDoc{Where: f.Where, Ranks: f.Ranks.String(), Message: f.Message})
	}
	return doc
}

func (d *document) errors() iter.Seq[any] {
	return each(d.view.Errors, func(e **engine.Error) any { return errorOf(*e) })
}

func errorOf(e *engine.Error) errorDoc {
	return errorDoc{
		Class: e.Class.String(), Call: callOrNull(e.Call), Comm: numberOrNull(e.Comm),
		Ranks: e.Ranks.String(), Where: e.Where, Message: e.Message(), Rule: e.Rule,
	}
}

func (d *document) stopped() iter.Seq[any] {
	return each(d.view.Stopped, func(s *render.Stop) any { return stopDoc{s.Where, OrNull(s.Ranks.String()), s.Message} })
}

func (d *document) deadlock() *deadlockDoc {
	lock := d.view.Deadlock
	if lock == nil {
		return nil
	}
	doc := &deadlockDoc{Waiting: []waitingDoc{}, Message: lock.Message}
	for _, w := range lock.Waiting {
		doc.Waiting = append(doc.Waiting, waitingDoc{
			Ranks: w.Ranks.String(), Call: callOrNull(w.Call), Comm: numberOrNull(w.Comm), Where: w.Site(),
		})
	}
	for _, k := range lock.Knots {
		doc.Knots = append(doc.Knots, knotDoc{Ranks: k.Ranks.String(), Comm: numberOrNull(k.Comm), Message: k.Message, Rule: k.Rule, Fix: OrNull(k.Fix)})
	}
	return doc
}

func (d *document) trace() iter.Seq[any] {
	return each(d.view.Snapshot.Steps, func(s *engine.Step) any { return stepOf(s) })
}

func stepOf(s *engine.Step) stepDoc {
	args := make(object, len(s.Args))
	for i := range s.Args {
		args[i] = field{s.Args[i].Name, columnValues(&s.Args[i])}
	}
	return stepDoc{
		Step: s.Number, Call: callOrNull(s.Call), Comm: numberOrNull(s.Comm), Comm2: s.Comm2, Ranks: s.Ranks.String(),
		Args: args, Made: orEmpty(s.Made), Where: s.Site(),
	}
}

// columnValues returns the values of one argument over the ranks; MPI_UNDEFINED is null.
func columnValues(c *engine.Column) any {
	if c.Texts != nil {
		return c.Texts
	}
	for _, n := range c.Ints {
		if render.IsUndefined(c.Name, n) {
			return withNull(c)
		}
	}
	return orEmpty(c.Ints)
}

func withNull(c *engine.Column) []*int32 {
	list := make([]*int32, len(c.Ints))
	for i := range c.Ints {
		if n := &c.Ints[i]; !render.IsUndefined(c.Name, *n) {
			list[i] = n
		}
	}
	return list
}

func (d *document) unfinished() iter.Seq[any] {
	return each(d.view.Unfinished, func(u *render.Unfinished) any {
		return unfinishedDoc{What: u.What, Ranks: u.Ranks.String(), Call: callOrNull(u.Call), Where: u.Where, Message: u.Message}
	})
}

func (d *document) choices() iter.Seq[any] {
	return each(d.view.Choices, func(c *engine.Choice) any {
		return choiceDoc{c.Rank, c.Call.String(), c.Comm, c.Where.String(), c.Senders, c.Senders[c.Taken]}
	})
}

func (d *document) leaks() iter.Seq[any] {
	return each(d.view.Leaks, func(l *render.Leak) any {
		return leakDoc{What: l.What, MadeBy: OrNull(l.Made), Where: OrNull(l.Where), Ranks: l.Ranks.String()}
	})
}

// as returns the deviations of a library.
func (d *document) as() asDoc {
	doc := asDoc{Library: d.view.As.Library.Word(), Notes: []deviationDoc{}}
	for i := range d.view.As.Notes {
		n := &d.view.As.Notes[i]
		doc.Notes = append(doc.Notes, deviationDoc{
			Deviation: n.Deviation, Step: n.Step, Call: callOrNull(n.Call), Where: n.Where, Ranks: n.Ranks.String(),
			Text: n.Text, Rule: n.Rule, Source: n.Source,
		})
	}
	return doc
}
