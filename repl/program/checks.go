package program

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
)

// Check is the outcome of an expectation on one rank.
type Check struct {
	Where           engine.Site
	Occurrence      int // how often the rank has come to Where, from 1
	OK              bool
	Message         string // the expectation in words
	Expected, Found string // on this rank; empty when OK
	Call            string // "expect_parts", "ask" ...
	Literal         string // of a failed ask or expect_error: the value found, as code; "" when it cannot be written
	held            *part  // of expect_parts
	now             engine.Moment
	late            *engine.Moment // the moment instead of now, once the world is quiet
}

// At returns the moment at which the rank checked the expectation, which orders all events. The world must be quiet.
func (k Check) At() engine.Moment {
	if k.late != nil {
		return *k.late
	}
	return k.now
}

// Held returns the communicator that an expect_parts found: its world ranks and those of its remote group; nil for
// COMM_NULL.
func (k Check) Held() (group, remote []int32) {
	if k.held == nil {
		return nil, nil
	}
	return k.held.group, k.held.remote
}

// check notes the outcome of an expectation. A failed expectation does not end the program.
func (c *call) check(ok bool, message, expected, found string) *Check {
	r := c.r
	if r.count == nil {
		r.rarely().count = map[engine.Site]int{}
	}
	k := Check{Where: r.position(), OK: ok, Message: message, Call: c.fn.name}
	k.now, k.late = r.P.Moment()
	r.count[k.Where]++
	k.Occurrence = r.count[k.Where]
	if !ok {
		k.Expected, k.Found = expected, found
	}
	r.rarely().Checks = append(r.Checks, k)
	return &r.Checks[len(r.Checks)-1]
}

func expect(c *call) (starlark.Value, error) {
	message := Text(c.args[1])
	if message == "" {
		message = "a true value"
	}
	if pair, ok := c.args[0].(starlark.Tuple); ok && len(pair) == 2 && pair[1].Type() == "string" {
		err := c.wrong(0, "a condition").(*ArgumentError)
		err.Hint = ", which always counts as true; in a command, a blank separates condition and message"
		return nil, err
	}
	c.checkTrue(c.args[0], message)
	return starlark.None, nil
}

func ask(c *call) (starlark.Value, error) {
	question, err := c.text(0)
	if err != nil {
		return nil, err
	}
	why := ""
	if c.args[3] != starlark.None {
		if why, err = c.text(3); err != nil {
			return nil, err
		}
	}
	c.r.rarely().Why = why
	c.r.tell(question)
	value, answer := c.args[1], c.args[2]
	if answer == starlark.None {
		c.checkTrue(value, question)
		return starlark.None, nil
	}
	same, err := starlark.Equal(value, answer)
	if err != nil {
		return nil, err
	}
	if k := c.check(same, question, describe(answer), describe(value)); !same {
		k.Literal = literal(value)
	}
	return starlark.None, nil
}

// expectNoLeaks notes an expectation that the session decides when the world is quiet again: a rank does not see what
// other ranks leave.
func expectNoLeaks(c *call) (starlark.Value, error) {
	c.check(true, "everything is freed and completed", "", "")
	c.r.undecided = append(c.r.undecided, len(c.r.Checks)-1)
	c.r.all.Undecided.Store(true)
	return starlark.None, nil
}

// Undecided returns the expectations of expect_no_leaks that the session has to decide, each only once.
func (r *Rank) Undecided() []*Check {
	var list []*Check
	for _, i := range r.undecided {
		list = append(list, &r.Checks[i])
	}
	if list != nil { // many ranks without any share the struct
		r.undecided = nil
	}
	return list
}

func (c *call) checkTrue(cond starlark.Value, message string) {
	ok := bool(cond.Truth())
	found := ""
	if !ok {
		found = describe(cond)
	}
	c.check(ok, message, "a true value", found)
}

// expectError calls a function that must fail. It catches MPI errors of any class, unless they end
// the world anyway; it returns an error that is not MPI's.
func expectError(c *call) (starlark.Value, error) {
	if len(c.pos) < 2 {
		return nil, errors.New("expect_error takes an error class, a function and its arguments: expect_error(MPI.ERR_ARG, comm.Split, -1)")
	}
	want, err := c.r.asClass(c.pos[0])
	if err != nil {
		return nil, fmt.Errorf("expect_error: cls %w", err)
	}
	if _, ok := c.pos[1].(starlark.Callable); !ok {
		return nil, fmt.Errorf("expect_error: fn must be a function, not %s; to call comm.Split(-1) write expect_error(MPI.ERR_ARG, comm.Split, -1)", describe(c.pos[1]))
	}
	c.r.rarely().Caught = nil
	_, err = starlark.Call(&c.r.interpreter().thread, c.pos[1], c.pos[2:], c.kw)
	found := "no error"
	if err != nil {
		e, err := c.caught(err)
		if err != nil {
			return nil, err
		}
		c.r.rarely().Caught = e
		found = e.Class.String()
	}
	if k := c.check(found == want.String(), "the call must fail", want.String(), found); !k.OK && err != nil {
		k.Literal = strings.Replace(found, "MPI_", "MPI.", 1)
	}
	return starlark.None, nil
}

// caught returns the MPI error in err. It fails with err itself if that is not MPI's, or ends the world anyway.
func (c *call) caught(err error) (*engine.Error, error) {
	var eval *starlark.EvalError
	var e *engine.Error
	if !errors.As(err, &eval) || !errors.As(err, &e) {
		return nil, err
	}
	if e = c.r.signed(e, err); e.Fatal {
		return nil, err
	}
	return e, nil
}

// part is the communicator that some ranks are expected to hold: world ranks in rank order. remote
// is nil for an intracommunicator.
type part struct {
	group, remote []int32
}

// text returns "[2, 0]", "([0], [3, 4])", or "COMM_NULL" for nil.
func (p *part) text() string {
	switch {
	case p == nil:
		return "COMM_NULL"
	case p.remote == nil:
		return listText(p.group)
	}
	return "(" + listText(p.group) + ", " + listText(p.remote) + ")"
}

// listText writes a list of ranks, cut when it is long: each rank with a failed expectation writes such a list.
func listText(ranks []int32) string { return rankList(ranks, ", ", 200) }

// rankList writes a list of ranks, of a long list the first most ranks.
func rankList(ranks []int32, between string, most int) string {
	b := []byte{'['}
	for i, r := range ranks {
		if i > 0 {
			b = append(b, between...)
		}
		if i == most {
			b = fmt.Appendf(b, "... %d in all", len(ranks))
			break
		}
		b = strconv.AppendInt(b, int64(r), 10)
	}
	return string(append(b, ']'))
}

// partsText writes a list of parts, cut when it is long.
func partsText(parts []part) string {
	const most = 200
	texts := make([]string, 0, len(parts))
	for i := range parts {
		texts = append(texts, parts[i].text())
	}
	text := "[" + strings.Join(texts, ", ") + "]"
	if len(text) > most {
		text = text[:most] + "..."
	}
	return text
}

// PartText writes a communicator as expect_parts takes it, with all its ranks and no blanks: "[2,0]", or
// "([0],[3,4])" with a remote group.
func PartText(group, remote []int32) string {
	text := rankList(group, ",", len(group))
	if remote != nil {
		text = "(" + text + "," + rankList(remote, ",", len(remote)) + ")"
	}
	return text
}

// same reports whether p and q are the same communicator; the sides of an intercommunicator may be in either order.
func (p *part) same(q *part) bool {
	if p == nil || q == nil {
		return p == q
	}
	if (p.remote == nil) != (q.remote == nil) {
		return false
	}
	return slices.Equal(p.group, q.group) && slices.Equal(p.remote, q.remote) ||
		p.remote != nil && slices.Equal(p.group, q.remote) && slices.Equal(p.remote, q.group)
}

// partOf returns the groups of a handle's communicator; nil for COMM_NULL.
func partOf(c *engine.Comm) *part {
	info := c.Info()
	if info == nil {
		return nil
	}
	return &part{group: info.Group, remote: info.Remote}
}

// expectParts compares the communicator that handle holds on the calling rank with the rank's part; the other ranks
// check their own.
func expectParts(c *call) (starlark.Value, error) {
	handle, err := c.comm(0)
	if err != nil {
		return nil, err
	}
	parts, err := c.parts(1)
	if err != nil {
		return nil, err
	}
	me := int32(c.r.P.Rank())
	var want *part
	for i := range parts {
		switch {
		case !(slices.Contains(parts[i].group, me) || slices.Contains(parts[i].remote, me)):
		case want != nil:
			return nil, fmt.Errorf("expect_parts: world rank %d is in two parts, but a handle holds one communicator", me)
		default:
			want = &parts[i]
		}
	}
	found := partOf(handle)
	const message = "who is together"
	if want.same(found) {
		c.check(true, message, "", "").held = found // the texts cost O(size) on every rank
	} else {
		c.check(false, message, partsText(parts), found.text()).held = found
	}
	return starlark.None, nil
}

// parts reads a list of parts: lists of world ranks, and pairs (tuples) of them.
func (c *call) parts(i int) ([]part, error) {
	all, err := c.elements(i, "a list of lists of world ranks")
	if err != nil {
		return nil, err
	}
	var list []part
	for _, v := range all {
		p, err := c.part(v)
		if err != nil {
			return nil, fmt.Errorf("expect_parts: %w", err)
		}
		list = append(list, p)
	}
	return list, nil
}

// part reads one communicator: a list of world ranks, or a pair of lists.
func (c *call) part(v starlark.Value) (p part, err error) {
	if pair, ok := v.(starlark.Tuple); ok && len(pair) == 2 && isList(pair[0]) && isList(pair[1]) {
		if p.remote, err = c.worldRanks(pair[1]); err != nil {
			return p, err
		}
		v = pair[0]
	}
	p.group, err = c.worldRanks(v)
	return p, err
}

func isList(v starlark.Value) bool {
	_, ok := v.(starlark.Sequence)
	return ok
}

func (c *call) worldRanks(v starlark.Value) ([]int32, error) {
	seq, ok := v.(starlark.Sequence)
	if !ok {
		return nil, fmt.Errorf("a part must be a list of world ranks, not %s", describe(v))
	}
	ranks := make([]int32, 0, seq.Len())
	for e := range starlark.Elements(seq) {
		n, err := asInt(e)
		if err != nil {
			return nil, fmt.Errorf("a world rank %w", err)
		}
		if n < 0 || n >= c.r.P.Size() {
			return nil, fmt.Errorf("there is no world rank %d: the world has %d ranks, from 0", n, c.r.P.Size())
		}
		ranks = append(ranks, int32(n))
	}
	return ranks, nil
}
