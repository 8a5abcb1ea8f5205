package render

import (
	"io"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/hw"
)

// mapLines is up to how many ranks a map has a line each, and how long it may get.
const mapLines = 64

// Map prints where ranks run in the words of mpirun: "Rank 0 bound to package[0][core:0]", with
// the host in front when there are several. Beyond 64 ranks, those whose places form a
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
	for i, l := range lines {
		if i == most-1 && len(lines) > most {
			p.line(faint("... and " + plural(len(lines)-i, "more line")))
			break
		}
		p.line(plain(l.String(p.limit(p.width))))
	}
	return p.writeTo(w)
}

// bound is ranks and where they are bound: the place of the first one and of the last one.
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
		return host + "Rank " + itoa(int(b.ranks[0])) + " " + place
	}
	room := width - len(host) - len("Ranks  ") - len(place)
	return host + "Ranks " + rankList(b.ranks, max(room, narrowest)) + " " + place
}

// tailOf is what tells b from a: its last bracket when all before that is equal.
func tailOf(a, b string) string {
	if i := strings.LastIndexByte(b, '['); i >= 0 && strings.HasPrefix(a, b[:i]) {
		return b[i:]
	}
	return strings.TrimPrefix(b, "bound to ")
}

// placer describes each binding once.
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
		if len(p.topology.Hosts) > 1 {
			at.host = p.topology.Hosts[b.Host].Name
		}
		p.known[b] = at
	}
	return at
}

// boundRuns lists the ranks in order. With fold, neighbors share a line while their places are the
// same text with numbers that advance evenly.
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

// boundTogether lists the places, each with all of its ranks.
func boundTogether(s *engine.Snapshot) []bound {
	at := placer{s.Topology, map[*hw.Binding]spot{}}
	index := map[spot]int{}
	var lines []bound
	for r, b := range s.Bindings {
		place := at.of(b)
		i, ok := index[place]
		if !ok {
			i = len(lines)
			index[place] = i
			lines = append(lines, bound{nil, place, place})
		}
		lines[i].ranks = append(lines[i].ranks, int32(r))
	}
	return lines
}

// advance compares two spots whose texts differ only in numbers: how much each number grows.
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
