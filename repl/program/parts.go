package program

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
)

// part is the communicator that some ranks are expected to hold: world ranks in rank order. remote
// is nil for an intracommunicator.
type part struct {
	group, remote []int32
}

// text is "[2, 0]", "([0], [3, 4])", or "COMM_NULL" for nil.
func (p *part) text() string {
	switch {
	case p == nil:
		return "COMM_NULL"
	case p.remote == nil:
		return listText(p.group)
	}
	return "(" + listText(p.group) + ", " + listText(p.remote) + ")"
}

// listText is a list of ranks, cut when it is long: each rank that expected another one writes it.
func listText(ranks []int32) string {
	const most = 200
	b := []byte{'['}
	for i, r := range ranks {
		if i > 0 {
			b = append(b, ", "...)
		}
		if i == most {
			b = fmt.Appendf(b, "... %d in all", len(ranks))
			break
		}
		b = strconv.AppendInt(b, int64(r), 10)
	}
	return string(append(b, ']'))
}

// partsText is a list of parts, cut when it is long.
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

// PartText is a communicator as expect_parts takes it, with all its ranks and no blanks: "[2,0]", or
// "([0],[3,4])" with a remote group.
func PartText(group, remote []int32) string {
	list := func(ranks []int32) string {
		b := []byte{'['}
		for i, r := range ranks {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(r), 10)
		}
		return string(append(b, ']'))
	}
	if remote == nil {
		return list(group)
	}
	return "(" + list(group) + "," + list(remote) + ")"
}

func (p *part) has(rank int32) bool {
	return slices.Contains(p.group, rank) || slices.Contains(p.remote, rank)
}

// same reports whether both are the same communicator; the sides of an intercommunicator may come
// in either order.
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

// partOf is what a handle holds; nil for COMM_NULL.
func partOf(c *engine.Comm) *part {
	info := c.Info()
	if info == nil {
		return nil
	}
	return &part{group: info.Group, remote: info.Remote}
}

// expectParts checks the caller's own part of what handle holds; the other ranks check theirs.
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
		case !parts[i].has(me):
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
	seq, ok := c.args[i].(starlark.Iterable)
	if !ok {
		return nil, c.wrong(i, "a list of lists of world ranks")
	}
	var list []part
	for v := range starlark.Elements(seq) {
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
