package render

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// The most messages of a communicator that are drawn, and the most processes that have a column; with more
// processes, ranks are written as numbers.
const (
	mostMessages = 40
	mostColumns  = 16
)

// Messages prints the messages that were sent, by communicator, which is the context in which they travel: an
// arrow from the sender to the receiver, the step of the send, and the step and line of the receive. No message
// passes from one context to another.
func Messages(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	list := messagesOf(v.Snapshot)
	if len(list) == 0 {
		p.line(plain("no message was sent"))
	}
	names := newNaming(v)
	for i := 0; i < len(list); {
		n := i + 1
		for n < len(list) && list[n].comm == list[i].comm {
			n++
		}
		if i > 0 {
			p.line()
		}
		(&messageDrawer{p, v.Snapshot.Comm(list[i].comm), list[i:n]}).draw(names.of(list[i].comm))
		i = n
	}
	return p.writeTo(w)
}

// sent is a message.
type sent struct {
	comm, tag    int
	source, dest int32 // world ranks
	step         int   // in which it was sent
	site         string
	received     string // the words for the receive
}

// path is the communicator, tag, source and destination of messages that do not overtake each other.
type path struct {
	comm, tag    int
	source, dest int32
}

// messagesOf lists the messages of a trace by communicator, in the order in which they were sent. Messages of one
// path are received in the order of their sends; so the trace shows which receive got which message, once there
// are as many receives as messages.
func messagesOf(s *engine.Snapshot) []*sent {
	var list []*sent
	at, received := map[path][]*sent{}, map[path][]sent{}
	for i := range s.Steps {
		x := &s.Steps[i]
		dest, tags, source := columnOf(x, "dest"), columnOf(x, "tag"), columnOf(x, "source")
		on := s.Comm(x.Comm)
		if on == nil || tags == nil || (dest == nil) == (source == nil) || x.Err != nil {
			continue
		}
		for row, rank := range x.Ranks.List() {
			m := sent{comm: x.Comm, tag: int(tags[row]), step: x.Number, site: placeOf(x, rank)}
			var ok bool
			if dest != nil {
				m.source = rank
				m.dest, ok = peer(on, rank, dest[row])
			} else {
				m.dest = rank
				m.source, ok = peer(on, rank, source[row])
			}
			k := path{m.comm, m.tag, m.source, m.dest}
			switch {
			case !ok:
			case dest != nil:
				list = append(list, &m)
				at[k] = append(at[k], &m)
			default:
				received[k] = append(received[k], m)
			}
		}
	}
	for k, all := range at {
		for i, m := range all {
			m.receipt(i, len(all), received[k])
		}
	}
	first := map[int]int{}
	for i, m := range list {
		if _, known := first[m.comm]; !known {
			first[m.comm] = i
		}
	}
	slices.SortStableFunc(list, func(a, b *sent) int { return cmp.Compare(first[a.comm], first[b.comm]) })
	return list
}

// receipt sets the words for the receive of the i-th of n messages on one path. by is the receives on that path.
func (m *sent) receipt(i, n int, by []sent) {
	switch {
	case len(by) == n:
		m.received = "received in step " + strconv.Itoa(by[i].step)
		if by[i].site != "" {
			m.received += ", " + by[i].site
		}
	case len(by) == 0:
		m.received = "the trace has no receive of this message"
	default:
		m.received = "the trace has " + strconv.Itoa(len(by)) + " receives of " + spell.Plural(n, "such message")
	}
}

func columnOf(s *engine.Step, name string) []int32 {
	i := slices.IndexFunc(s.Args, func(a engine.Column) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return s.Args[i].Ints
}

// peer returns the world rank of a partner: in an intercommunicator, a member of the other group.
func peer(c *engine.CommInfo, me, rank int32) (int32, bool) {
	group := c.Group
	if c.Remote != nil && slices.Contains(c.Group, me) {
		group = c.Remote
	}
	if rank < 0 || int(rank) >= len(group) {
		return 0, false
	}
	return group[rank], true
}

// placeOf returns the call site at which a rank made the call.
func placeOf(s *engine.Step, rank int32) string {
	for _, p := range s.Where {
		if p.Ranks.Has(int(rank)) {
			return p.Site.String()
		}
	}
	return ""
}

// messageDrawer draws the messages of a communicator.
type messageDrawer struct {
	*page
	on   *engine.CommInfo
	list []*sent
}

func (d *messageDrawer) draw(name string) {
	d.line(styled(name, paint.Bold), faint("  ctx "+contextOf(d.on)+"  "+spell.Plural(len(d.list), "message")))
	members := d.talking()
	arrow, head := d.written, []string(nil)
	if len(members) <= mostColumns {
		head = d.heads(members)
		arrow = func(m *sent) string { return drawnArrow(members, m, paint.Width(head[0])/len(members)) }
	}
	shown := d.list[:fewer(len(d.list), d.limit(mostMessages))]
	g := &grid{columns: []column{{}, {}, {}, {flexible: true}}}
	for i, ranks := range head {
		g.row(quiet([]string{"rank", "world rank"}[i]), text(""), text(ranks), text(""))
	}
	for _, m := range shown {
		g.row(text("step "+strconv.Itoa(m.step)), text("tag="+strconv.Itoa(m.tag)), text(arrow(m)), quiet(m.received))
	}
	g.drawTo(d.page)
	d.more("", len(d.list)-len(shown), "message")
}

// talking returns the members that send or receive, in the order of their groups.
func (d *messageDrawer) talking() []int32 {
	var list []int32
	for _, w := range slices.Concat(d.on.Group, d.on.Remote) {
		if slices.ContainsFunc(d.list, func(m *sent) bool { return m.source == w || m.dest == w }) {
			list = append(list, w)
		}
	}
	return list
}

// rank returns the rank of a process in the communicator, with a prime in the right group.
func (d *messageDrawer) rank(world int32) string {
	if i := slices.Index(d.on.Group, world); i >= 0 {
		return strconv.Itoa(i)
	}
	return strconv.Itoa(slices.Index(d.on.Remote, world)) + "'"
}

// heads returns a line with the ranks of members, and a line with their world ranks where they differ.
func (d *messageDrawer) heads(members []int32) []string {
	wide, differ := 1, false
	for _, w := range members {
		wide = max(wide, len(d.rank(w)), len(strconv.Itoa(int(w))))
		differ = differ || d.rank(w) != strconv.Itoa(int(w))
	}
	var ranks, worlds strings.Builder
	for _, w := range members {
		ranks.WriteString(paint.Pad(d.rank(w), wide+columnGap, false))
		worlds.WriteString(paint.Pad(strconv.Itoa(int(w)), wide+columnGap, false))
	}
	if differ {
		return []string{ranks.String(), worlds.String()}
	}
	return []string{ranks.String()}
}

// columnGap is the columns between two processes.
const columnGap = 4

// drawnArrow draws an arrow from the column of the sender to the column of the receiver.
func drawnArrow(members []int32, m *sent, wide int) string {
	from, to := slices.Index(members, m.source), slices.Index(members, m.dest)
	if from == to {
		return strings.Repeat(" ", from*wide) + "↺"
	}
	shaft := strings.Repeat("─", wide*max(from-to, to-from)-1)
	if from < to {
		return strings.Repeat(" ", from*wide) + "●" + shaft + "▶"
	}
	return strings.Repeat(" ", to*wide) + "◀" + shaft + "●"
}

// written writes the ranks of sender and receiver in the communicator.
func (d *messageDrawer) written(m *sent) string {
	return d.rank(m.source) + " ─▶ " + d.rank(m.dest)
}
