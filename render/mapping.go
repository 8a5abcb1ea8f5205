package render

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// mapLines is the most ranks with a line each in a map, and the most lines of a map.
const mapLines = 64

// Map prints where ranks run in the words of mpirun: "Rank 0 bound to package[0][core:0]", with
// the host in front when there are several. Beyond 64 ranks, ranks whose places form a
// progression share a line.
func Map(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	s := v.Snapshot
	if s.Topology == nil || s.Bindings == nil {
		return p.withoutHardware(w)
	}
	most := p.limit(mapLines)
	lines := boundRuns(s, len(s.Bindings) > most)
	if len(lines) > most {
		if shared := boundTogether(s); len(shared) < len(lines) {
			lines = shared
		}
	}
	shown := fewer(len(lines), most)
	for _, l := range lines[:shown] {
		p.line(plain(l.String(p.width)))
	}
	p.more("", len(lines)-shown, "line")
	return p.writeTo(w)
}

// bound is ranks and their bindings: the places of the first and of the last rank.
type bound struct {
	ranks       []int32
	first, last spot
}

// spot is a place on a host.
type spot struct{ host, place string }

func (b bound) String(width int) string {
	host, place := b.first.host, b.first.place
	if b.last.host != host {
		host += " .. " + b.last.host
	}
	if host != "" {
		host = "[" + host + "] "
	}
	if b.last.place != place {
		place += " .. " + tailOf(place, b.last.place)
	}
	if len(b.ranks) == 1 {
		return host + "Rank " + strconv.Itoa(int(b.ranks[0])) + " " + place
	}
	room := width - len(host) - len("Ranks  ") - len(place)
	return host + "Ranks " + rankList(b.ranks, max(room, narrowest)) + " " + place
}

// tailOf returns the end of b from which it differs from a: the last bracket of b when everything before is equal,
// else b without "bound to ".
func tailOf(a, b string) string {
	if i := strings.LastIndexByte(b, '['); i >= 0 && strings.HasPrefix(a, b[:i]) {
		return b[i:]
	}
	return strings.TrimPrefix(b, "bound to ")
}

// placer describes each binding once, and keeps the text.
type placer struct {
	topology *hw.Topology
	known    map[*hw.Binding]spot
}

func (p placer) of(b *hw.Binding) spot {
	at, ok := p.known[b]
	if !ok {
		at.place = hw.DescribeBinding(p.topology, b)
		if strings.HasPrefix(at.place, "not bound") {
			at.place = "is " + at.place
		} else {
			at.place = "bound to " + at.place
		}
		if given := hw.DescribeGiven(b); given != "" {
			at.place += ", " + given
		}
		if len(p.topology.Hosts) > 1 {
			at.host = p.topology.Hosts[b.Host].Name
		}
		p.known[b] = at
	}
	return at
}

// boundRuns lists the ranks in order with their places. With fold, neighbors share a line while their places are
// the same text with numbers that advance evenly.
func boundRuns(s *engine.Snapshot, fold bool) []bound {
	at := placer{s.Topology, map[*hw.Binding]spot{}}
	var lines []bound
	var step []int
	for r, b := range s.Bindings {
		place := at.of(b)
		if n := len(lines) - 1; fold && n >= 0 {
			d, ok := advance(lines[n].last, place)
			if ok && (len(lines[n].ranks) == 1 || slices.Equal(d, step)) {
				lines[n].ranks = append(lines[n].ranks, int32(r))
				lines[n].last, step = place, d
				continue
			}
		}
		lines = append(lines, bound{[]int32{int32(r)}, place, place})
	}
	return lines
}

// boundTogether lists the places, each with all ranks bound there.
func boundTogether(s *engine.Snapshot) (lines []bound) {
	at := placer{s.Topology, map[*hw.Binding]spot{}}
	order, ranks := alike(s.Size, func(r int) spot { return at.of(s.Bindings[r]) })
	for _, place := range order {
		lines = append(lines, bound{ranks[place], place, place})
	}
	return lines
}

// alike lists the different values that a function has for n ranks, in the order of their first ranks, and the ranks of each.
func alike[T comparable](n int, value func(rank int) T) (order []T, ranks map[T][]int32) {
	ranks = map[T][]int32{}
	for r := range n {
		v := value(r)
		if ranks[v] == nil {
			order = append(order, v)
		}
		ranks[v] = append(ranks[v], int32(r))
	}
	return order, ranks
}

// advance compares two spots: ok is true if their texts differ only in numbers, and deltas are the differences of
// those numbers.
func advance(a, b spot) (deltas []int, ok bool) {
	deltas, ok = advanceText(nil, a.host, b.host)
	if !ok {
		return nil, false
	}
	return advanceText(deltas, a.place, b.place)
}

func advanceText(deltas []int, a, b string) ([]int, bool) {
	for len(a) > 0 && len(b) > 0 {
		if !digit(a[0]) || !digit(b[0]) {
			if a[0] != b[0] {
				return nil, false
			}
			a, b = a[1:], b[1:]
			continue
		}
		var x, y int
		x, a = number(a)
		y, b = number(b)
		deltas = append(deltas, y-x)
	}
	return deltas, a == b
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func number(s string) (n int, rest string) {
	for len(s) > 0 && digit(s[0]) {
		n, s = n*10+int(s[0]-'0'), s[1:]
	}
	return n, s
}

// Strips draws a line for each rank, as mpirun 4 does with --report-bindings: brackets around packages, <> around
// the NUMA nodes of a package that has several, / between cores, and a sign for each PU: B bound, . not, ~ not
// allowed. Where that is wider than the page, a sign stands for a core or something larger, and b for an object
// that is bound in part. Beyond 64 ranks, ranks with the same binding share a line.
func Strips(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	s := v.Snapshot
	if s.Topology == nil || s.Bindings == nil {
		return p.withoutHardware(w)
	}
	lines := stripLines(s, p.limit(mapLines), p.limit(narrowest))
	label := 0
	for _, l := range lines {
		label = max(label, paint.Width(l.label))
	}
	d := fitting(s.Topology, p.width-label-1)
	shown := fewer(len(lines), p.limit(mapLines))
	for _, l := range lines[:shown] {
		if s.Topology.Hosts[l.binding.Host].CPUSet.SubsetOf(l.binding.CPUSet) {
			p.line(plain(paint.Pad(l.label, label, false) + " is not bound (or bound to all available processors)"))
			continue
		}
		p.line(plain(paint.Pad(l.label, label, false)+" "), styled(d.draw(l.binding), paint.Plain))
	}
	p.more("", len(lines)-shown, "line")
	p.paragraph(d.legend(), 0, paint.Faint)
	return p.writeTo(w)
}

// stripLine is ranks that share a line.
type stripLine struct {
	label   string
	binding *hw.Binding
}

// stripLines makes a line for each rank; if there are more than most ranks, a line for each binding.
func stripLines(s *engine.Snapshot, most, width int) []stripLine {
	var lines []stripLine
	host := func(b *hw.Binding) string {
		if len(s.Topology.Hosts) == 1 {
			return ""
		}
		return "[" + s.Topology.Hosts[b.Host].Name + "] "
	}
	if len(s.Bindings) <= most {
		last := len(strconv.Itoa(len(s.Bindings) - 1))
		for r, b := range s.Bindings {
			lines = append(lines, stripLine{host(b) + "Rank " + paint.Pad(strconv.Itoa(r), last, true), b})
		}
		return lines
	}
	order, ranks := alike(s.Size, func(r int) *hw.Binding { return s.Bindings[r] })
	for _, b := range order {
		label := "Ranks " + rankList(ranks[b], width)
		if len(ranks[b]) == 1 {
			label = "Rank " + strconv.Itoa(int(ranks[b][0]))
		}
		lines = append(lines, stripLine{paint.OneLine(host(b) + label), b})
	}
	return lines
}

// strip is the signs of each host of a topology.
type strip struct {
	topology *hw.Topology
	sign     *hw.Resource // the resource whose instances have a sign each
	numa     bool         // NUMA nodes are drawn
	cores    bool         // cores are drawn
	hosts    [][]sign
}

// sign is one sign of a host's picture, and the brackets in front of it.
type sign struct {
	before string
	object *hw.Object // nil: a PU that is not allowed, or the end of the picture
}

// fitting returns the finest picture that fits into width columns; if none fits, the coarsest.
func fitting(t *hw.Topology, width int) *strip {
	list := t.Resources()
	var d *strip
	for i := len(list) - 1; i >= 0; i-- {
		r := &list[i]
		if r.Type == hw.Level || !covers(t, r) {
			continue
		}
		d = newStrip(t, r)
		if d.width() <= width || r.Type == hw.Package {
			break
		}
	}
	return d
}

// covers reports whether the instances of a resource together have all PUs.
func covers(t *hw.Topology, r *hw.Resource) bool {
	held := make([]hw.Set, len(t.Hosts))
	for _, o := range r.Instances {
		held[t.HostIndex(o)].Merge(o.CPUSet)
	}
	for i, h := range t.Hosts {
		if !h.CPUSet.SubsetOf(held[i]) {
			return false
		}
	}
	return true
}

// newStrip makes the signs of the hosts, a sign for each instance of a resource.
func newStrip(t *hw.Topology, r *hw.Resource) *strip {
	d := &strip{topology: t, sign: r, hosts: make([][]sign, len(t.Hosts))}
	packages, cores := t.ResourceOf(hw.Package), t.ResourceOf(hw.Core)
	nodes := t.ResourceOf(hw.NUMANode)
	d.cores = r.Type == hw.PU && cores != nil
	if packages != nil && nodes != nil && len(nodes.Instances) > len(packages.Instances) && len(r.Instances) > len(nodes.Instances) {
		d.numa = true
	}
	if !d.cores {
		cores = nil
	}
	if !d.numa {
		nodes = nil
	}
	last := make([]address, len(t.Hosts))
	for _, o := range r.Instances {
		h := t.HostIndex(o)
		at := address{within(packages, h, o), within(nodes, h, o), within(cores, h, o)}
		d.hosts[h] = append(d.hosts[h], sign{at.after(last[h], len(d.hosts[h]) == 0, d.numa), o})
		last[h] = at
	}
	for h, host := range t.Hosts {
		end := "]"
		if d.numa {
			end = ">]"
		}
		d.hosts[h] = append(d.hosts[h], sign{before: end})
		if host.Details != nil {
			for range host.Details.Disallowed.Len() {
				d.hosts[h] = append(d.hosts[h], sign{before: "~"})
			}
		}
	}
	return d
}

// address is the package, NUMA node and core of a sign.
type address struct{ pack, node, core int32 }

func within(r *hw.Resource, host int, o *hw.Object) int32 {
	if r == nil {
		return -1
	}
	return r.InstanceOf(host, o.CPUSet)
}

// after returns the brackets or the slash between two signs; first is true before the first sign of a host.
func (at address) after(last address, first, numa bool) string {
	opened, closed := "[", "]"
	if numa {
		opened, closed = "[<", ">]"
	}
	switch {
	case first:
		return opened
	case at.pack != last.pack:
		return closed + opened
	case at.node != last.node:
		return "><"
	case at.core != last.core:
		return "/"
	}
	return ""
}

// width returns the columns of the widest host.
func (d *strip) width() int {
	most := 0
	for _, signs := range d.hosts {
		n := 0
		for _, s := range signs {
			n += len(s.before)
			if s.object != nil {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// draw draws a binding.
func (d *strip) draw(b *hw.Binding) string {
	var text strings.Builder
	for _, s := range d.hosts[b.Host] {
		text.WriteString(s.before)
		switch {
		case s.object == nil:
		case s.object.CPUSet.SubsetOf(b.CPUSet):
			text.WriteByte('B')
		case s.object.CPUSet.Intersects(b.CPUSet):
			text.WriteByte('b')
		default:
			text.WriteByte('.')
		}
	}
	return text.String()
}

// legend explains the signs.
func (d *strip) legend() string {
	text := "one sign per " + d.sign.Instances[0].TypeName() + ": B bound, "
	if d.sign.Type != hw.PU {
		text += "b bound in part, "
	}
	text += ". not; [] package"
	if d.topology.ResourceOf(hw.Package) == nil {
		text = strings.Replace(text, "package", "machine", 1)
	}
	if d.numa {
		text += ", <> NUMA node"
	}
	if d.cores {
		text += ", / next core"
	}
	var off []string
	for _, h := range d.topology.Hosts {
		if h.Details != nil && !h.Details.Disallowed.Empty() {
			off = append(off, h.Details.Disallowed.String())
		}
	}
	if len(off) > 0 {
		text += ", ~ a PU that is not allowed (" + strings.Join(off, "; ") + ")"
	}
	return text
}
