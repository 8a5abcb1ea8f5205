package recording

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render/source"
)

// processReader reads the file of a process.
type processReader struct {
	p      *Process
	fields []string // of the line
	r      *Recording
	sites  *siteTable
	own    map[string]*Site // by the process's number
	start  int64            // nanoseconds to add to times
	format int
	caught int // the signal that the program's own handler got after the last call; 0 for none

	counted, grown map[string]int // indexes of counts and curves by site: a process that counts for long tells them again

	modules []module
	lines   []Frame         // of Python
	next    map[int32]int32 // by communicator: collective calls so far

	member map[int32]membership // by communicator: what lines of duplicates leave out
}

// read reads the file of the process. The error begins with the line.
func (p *Process) read(text string, r *Recording, sites *siteTable) error {
	p.Missing = false
	if err := plain(text); err != nil {
		return err
	}
	in := &processReader{p: p, r: r, sites: sites, own: map[string]*Site{"-1": nil}, next: map[int32]int32{}, counted: map[string]int{}, grown: map[string]int{}}
	in.member = map[int32]membership{worldID: {size: int32(len(r.Processes)), rank: int32(p.Rank)}, selfID: {size: 1, leader: int32(p.Rank)}}
	p.calls = make([]call, 0, strings.Count(text, "\ncall\t"))
	n := 0
	for line := range strings.Lines(text) {
		n++
		if !strings.HasSuffix(line, "\n") {
			return fmt.Errorf("%d: the line is cut", n)
		}
		line = strings.TrimRight(line, "\r\n")
		var err error
		if n == 1 {
			err = in.head(line)
		} else if p.End != "" {
			err = errors.New("there is a line behind the end")
		} else {
			err = in.line(line, n)
		}
		if err != nil {
			return fmt.Errorf("%d: %w", n, err)
		}
	}
	if n == 0 {
		return fmt.Errorf("1: %w", checkTitle("", callsTitle))
	}
	in.finish()
	return nil
}

// finish adds the time of the start, which is known only at the end, to all times, and counts the calls.
func (in *processReader) finish() {
	p := in.p
	if p.Handled = in.caught != 0 && slices.Contains([]string{"exit", "abort", ""}, p.End); p.Handled {
		p.End = fmt.Sprint("signal ", in.caught)
	}
	for i := range p.calls {
		p.calls[i].begin += in.start
	}
	for i := range p.holds {
		h := &p.holds[i]
		if h.at += in.start; h.until >= 0 {
			h.until += in.start
		}
	}
	for i := range p.growth {
		g := &p.growth[i]
		for k := range g.points {
			g.points[k].At += in.start
		}
		for _, c := range p.counts {
			if c.site == g.site && c.op.makes() {
				g.op = c.op
			}
		}
	}
	if in.format > 1 && p.Truncated == 0 {
		p.countCalls()
	} else {
		p.merge()
	}
	p.countHeld()
}

func (in *processReader) head(line string) error {
	if err := checkTitle(line, callsTitle); err != nil {
		return err
	}
	fields := strings.Split(line, "\t")
	in.format, _ = strconv.Atoi(fields[1])
	switch {
	case len(fields) != 4:
		return fmt.Errorf("the first line has %d fields: want a title, a version, the run and the rank", len(fields))
	case fields[2] != in.r.RunID:
		return fmt.Errorf("it is of run %q, and %s of run %q: want what one run wrote", hw.Clip(fields[2]), recordFile, hw.Clip(in.r.RunID))
	case fields[3] != strconv.Itoa(in.p.Rank):
		return fmt.Errorf("it is of rank %q, and its name says %d", hw.Clip(fields[3]), in.p.Rank)
	}
	return nil
}

// line reads a line behind the first, and ignores unknown keys.
func (in *processReader) line(line string, n int) error {
	fields := in.fields[:0]
	for rest, more := line, true; more; {
		var f string
		f, rest, more = strings.Cut(rest, "\t")
		fields = append(fields, f)
	}
	in.fields = fields
	switch fields[0] {
	case "site":
		return in.site(fields)
	case "module":
		return in.module(fields)
	case "line":
		return in.pythonLine(fields)
	case "hold":
		return in.hold(fields)
	case "drop":
		return in.drop(fields)
	case "stack":
		return in.stack(fields)
	case "fault":
		return in.fault(fields)
	case "died":
		return in.died(fields)
	case "call":
		in.caught = 0
		return in.call(line, fields, n)
	case "done":
		in.caught = 0
		return in.done(fields)
	case "count":
		return in.count(fields)
	case "grow":
		return in.grow(fields)
	case "found":
		return in.found(fields)
	case "unseen":
		if len(fields) < 3 {
			return errors.New(`want "unseen MODULE NAME", separated by tabs`)
		}
		if name := unquoted(fields[1]); !ofMPI(name) {
			in.p.unseen = append(in.p.unseen, hw.Clip(source.Plain(name))+" calls "+hw.Clip(fields[2]))
		}
	case "end":
		if len(fields) < 2 || fields[1] == "" {
			return errors.New(`want "end", a tab and how the process ended`)
		}
		in.p.End = fields[1]
	}
	return in.number(fields)
}

// number reads a line with a number behind its key.
func (in *processReader) number(fields []string) error {
	n, ok := integer(fields, 1)
	switch fields[0] {
	case "caught":
		if !ok || n < 1 || n > mostSignal {
			return errors.New(`want "caught N", of a signal`)
		}
		in.caught = int(n)
	case "start":
		if !ok || n < 0 {
			return errors.New(`want "start NS"`)
		}
		in.start = n
	case "used":
		if !ok {
			return errors.New(`want "used ID"`)
		}
		in.p.used = append(in.p.used, int32(n))
	case "truncated":
		if !ok {
			return errors.New(`want "truncated SEQ"`)
		}
		in.p.Truncated = max(int(n), 1)
	case "alive":
		peak, ok2 := integer(fields, 3)
		if !ok || !ok2 || n < 0 || peak < n || peak > mostCount {
			return errors.New(`want "alive N peak N", separated by tabs`)
		}
		in.p.alive, in.p.peak = n, peak
	}
	return nil
}

// found reads "found SEQ group ID world=LIST", a group from a call that the recorder does not know, and "found SEQ comm
// ID size= rank= leader=", a communicator from such a call. These are not followed.
func (in *processReader) found(fields []string) error {
	if len(fields) > 4 && fields[2] == "comm" {
		r, err := in.result(nil, fields[4:])
		if id, ok := integer(fields, 3); ok {
			in.member[int32(id)] = r.membership
		}
		return err
	}
	if len(fields) < 5 || fields[2] != "group" {
		return nil
	}
	id, ok := integer(fields, 3)
	text, named := strings.CutPrefix(fields[4], "world=")
	members, listed := list(text)
	if !ok || id < 1 || id > 1<<30 || !named || !listed {
		return errors.New(`want "found SEQ group ID world=LIST", separated by tabs`)
	}
	for _, w := range members {
		if n := len(in.r.Processes); w < -1 || int(w) >= n {
			return fmt.Errorf("there is no rank %d: the run had %d ranks", w, n)
		}
	}
	if err := in.r.holds(len(members)); err != nil {
		return err
	}
	if in.p.groups == nil {
		in.p.groups = map[int32][]int32{}
	}
	in.p.groups[int32(id)] = members
	return nil
}

// integer returns a field that is a number; false for other fields.
func integer(fields []string, at int) (int64, bool) {
	if at >= len(fields) {
		return 0, false
	}
	n, err := strconv.ParseInt(fields[at], 10, 64)
	return n, err == nil
}

func (in *processReader) site(fields []string) error {
	if len(fields) < 5 || (len(fields)-2)%3 != 0 {
		return fmt.Errorf("a place has a number, and a module, a function and a line for each frame, not %d fields", len(fields)-1)
	}
	return in.place(fields[1], framesOf(fields[2:]))
}

// place keeps frames under the process's number of their place.
func (in *processReader) place(number string, frames []Frame) error {
	if _, there := in.own[number]; there {
		return fmt.Errorf("place %q already exists", hw.Clip(number))
	}
	s, err := in.sites.add(frames)
	in.own[number] = s
	return err
}

// siteOf returns a place by its number.
func (in *processReader) siteOf(number string) (*Site, error) {
	s, ok := in.own[number]
	if !ok {
		return nil, fmt.Errorf("place %q has no line before this one", hw.Clip(number))
	}
	return s, nil
}

// call reads "call SEQ SITE NAME COMM arguments => BEGIN"; before format 2 with the results, as "call SEQ SITE NAME
// COMM arguments => results BEGIN DURATION".
func (in *processReader) call(line string, fields []string, n int) error {
	arrow := slices.Index(fields, "=>")
	if arrow < 5 || len(fields) < arrow+2 {
		return errors.New(`want "call SEQ SITE NAME COMM arguments => BEGIN", separated by tabs`)
	}
	c := call{line: int32(n), comm: noComm, took: -1}
	seq, ok := integer(fields, 1)
	if !ok || seq < 0 || seq > 1<<30 || len(in.p.calls) > 0 && int32(seq) <= in.p.calls[len(in.p.calls)-1].seq {
		return fmt.Errorf("%q is not a number of a call behind the one before", hw.Clip(fields[1]))
	}
	c.seq = int32(seq)
	var err error
	if c.site, err = in.siteOf(fields[2]); err != nil {
		return err
	}
	c.op = opOf(fields[3])
	if fields[4] != "-" {
		id, ok := integer(fields, 4)
		if !ok || id < nullComm || id > 1<<30 {
			return fmt.Errorf("%q is not a communicator", hw.Clip(fields[4]))
		}
		c.comm = int32(id)
	}
	c.args = line[width(fields[:5])-1:][:width(fields[5:arrow])]
	if thread, ok := c.number("thread"); ok {
		c.thread = thread
	}
	end := max(len(fields)-2, arrow+1)
	if c.begin, ok = integer(fields, end); !ok {
		return fmt.Errorf("%q is not a time in nanoseconds", hw.Clip(fields[end]))
	}
	c.result.kind = pending
	if end+1 < len(fields) {
		if err := in.returned(&c, fields[arrow+1:end], fields[end+1]); err != nil {
			return err
		}
	}
	if c.op.kind == collective || c.op.kind == joining {
		c.nth = in.next[c.comm]
		in.next[c.comm]++
	}
	in.p.calls = append(in.p.calls, c)
	return nil
}

// done reads "done SEQ results DURATION".
func (in *processReader) done(fields []string) error {
	seq, ok := integer(fields, 1)
	i, there := slices.BinarySearchFunc(in.p.calls, seq, func(c call, seq int64) int { return int(int64(c.seq) - seq) })
	if !ok || !there || len(fields) < 3 || in.p.calls[i].result.kind != pending {
		return errors.New(`want "done SEQ results DURATION" of a call that has not returned, separated by tabs`)
	}
	return in.returned(&in.p.calls[i], fields[2:len(fields)-1], fields[len(fields)-1])
}

// returned reads the results of a call, and its duration, which is - for a call that had not returned.
func (in *processReader) returned(c *call, results []string, took string) (err error) {
	if took != "-" {
		var ok bool
		if c.took, ok = integer([]string{took}, 0); !ok || c.took < 0 {
			return fmt.Errorf("%q is not a time in nanoseconds", hw.Clip(took))
		}
	}
	c.result, err = in.result(c, results)
	return err
}

// width returns how many bytes fields take, with a tab for each.
func width(fields []string) int {
	n := len(fields)
	for _, f := range fields {
		n += len(f)
	}
	return n
}

// resultKinds tells which kind of result a key announces.
var resultKinds = map[string]resultKind{"null": gotNull, "pending": pending, "error": failed, "new": gotComm, "newgroup": gotGroup,
	"newsession": gotSession}

// result reads the results of a call; nil for the groups of a communicator that no recorded call made.
func (in *processReader) result(c *call, fields []string) (result, error) {
	r := result{membership: membership{leader: -1, remoteLeader: -1}}
	for _, f := range fields {
		key, value, valued := strings.Cut(f, "=")
		if kind, is := resultKinds[key]; is {
			r.kind = kind
		}
		switch key {
		case "null", "pending":
			continue
		case "error":
			r.class = hw.Clip(value)
			continue
		}
		n := int64(-1)
		if value != "-" {
			var err error
			if n, err = strconv.ParseInt(value, 10, 32); !valued || err != nil || n < -1 {
				return r, fmt.Errorf("%q is not a result", hw.Clip(f))
			}
		}
		switch key {
		case "again":
			r.again = int32(n)
		case "new", "newgroup", "newsession":
			r.id = int32(n)
		case "size":
			r.size = int32(n)
		case "rank":
			r.rank = int32(n)
		case "leader":
			r.leader = int32(n)
		case "remote":
			r.remote = int32(n)
		case "remoteleader":
			r.remoteLeader = int32(n)
		}
	}
	if r.kind != gotComm {
		return r, nil
	}
	if r.size == 0 && in.r.Trace == "" && c != nil && c.op.call == engine.CallDup { // of a trace the members are deduced
		r.membership = in.member[c.comm]
	}
	in.member[r.id] = r.membership
	switch {
	case r.id <= selfID:
		return r, fmt.Errorf("a new communicator has number %d: they count from 2", r.id)
	case in.r.Trace != "" && r.size == 0:
	case r.size < 1 || r.rank < 0 || r.rank >= r.size:
		return r, fmt.Errorf("rank %d of %d is none", r.rank, r.size)
	}
	return r, nil
}

// mostCount bounds the counts of a process, so that their sum over all processes is a number.
const mostCount = 1 << 40

// count reads the counts of a place: "count SITE NAME calls= made= freed= alive= peak= ns=".
func (in *processReader) count(fields []string) error {
	if len(fields) < 4 {
		return errors.New(`want "count SITE NAME calls= made= freed= alive= peak= ns=", separated by tabs`)
	}
	s, err := in.siteOf(fields[1])
	if err != nil {
		return err
	}
	c := count{site: s, op: opOf(fields[2])}
	for _, f := range fields[3:] {
		key, value, _ := strings.Cut(f, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 0 || n > mostCount && key != "ns" {
			return fmt.Errorf("%q is not a count", hw.Clip(f))
		}
		to := map[string]*int64{"calls": &c.calls, "made": &c.made, "freed": &c.freed, "alive": &c.alive, "peak": &c.peak, "ns": &c.took}[key]
		if to != nil {
			*to = n
		}
	}
	if i, again := in.counted[fields[1]]; again {
		in.p.counts[i] = c
		return nil
	}
	in.counted[fields[1]] = len(in.p.counts)
	in.p.counts = append(in.p.counts, c)
	return nil
}

// mostPoints bounds the points of a curve.
const mostPoints = 1 << 12

// grow reads a curve: "grow SITE NS:ALIVE,...".
func (in *processReader) grow(fields []string) error {
	if len(fields) != 3 {
		return errors.New(`want "grow SITE NS:ALIVE,...", separated by tabs`)
	}
	s, err := in.siteOf(fields[1])
	if err != nil {
		return err
	}
	g := growth{site: s}
	for text := range strings.SplitSeq(fields[2], ",") {
		at, alive, ok := strings.Cut(text, ":")
		a, err1 := strconv.ParseInt(at, 10, 64)
		n, err2 := strconv.ParseInt(alive, 10, 64)
		if !ok || err1 != nil || err2 != nil || n < 0 || len(g.points) == mostPoints {
			return fmt.Errorf("%q is not a point of a curve", hw.Clip(text))
		}
		g.points = append(g.points, Point{a, n})
	}
	if i, again := in.grown[fields[1]]; again {
		in.p.growth[i] = g
		return nil
	}
	in.grown[fields[1]] = len(in.p.growth)
	in.p.growth = append(in.p.growth, g)
	return nil
}

// mostItems bounds the length of a list in an argument.
const mostItems = 1 << 21

// list returns the numbers of an argument such as "0..7,9,8*5,0..14:2"; ok is false for a text that is not a list, or was
// too long for the recorder.
func list(text string) (items []int32, ok bool) {
	if text == "[]" {
		return []int32{}, true
	}
	for part := range strings.SplitSeq(text, ",") {
		if value, times, many := strings.Cut(part, "*"); many {
			v, err1 := strconv.ParseInt(value, 10, 32)
			n, err2 := strconv.ParseInt(times, 10, 32)
			if err1 != nil || err2 != nil || n < 1 || int(n) > mostItems-len(items) {
				return nil, false
			}
			for range n {
				items = append(items, int32(v))
			}
			continue
		}
		first, rest, ranged := strings.Cut(part, "..")
		a, err := strconv.ParseInt(first, 10, 32)
		if err != nil {
			return nil, false
		}
		if !ranged {
			items = append(items, int32(a))
			continue
		}
		last, step, strided := strings.Cut(rest, ":")
		b, err1 := strconv.ParseInt(last, 10, 32)
		by, err2 := int64(1), error(nil)
		if strided {
			by, err2 = strconv.ParseInt(step, 10, 32)
		}
		var ok bool
		if items, ok = span(items, a, b, by); !ok || err1 != nil || err2 != nil {
			return nil, false
		}
	}
	return items, len(items) <= mostItems
}

// span appends the numbers of a range; ok is false for a step of 0, and for too many numbers.
func span(items []int32, first, last, step int64) (list []int32, ok bool) {
	for v := first; step > 0 && v <= last || step < 0 && v >= last; v += step {
		if len(items) == mostItems {
			return nil, false
		}
		items = append(items, int32(v))
	}
	return items, step != 0
}

// unquoted returns a text as the program gave it. Recordings write some bytes as %XX.
func unquoted(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if v, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return strings.ToValidUTF8(b.String(), "?")
}
