package traces

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// OTF2, of Score-P, TAU and Scalasca, has a definition of each communicator: its group and its parent, not the arguments of
// the call that made it. `otf2-print -A` writes definitions and events as text, a record a line; names are followed by their
// number in <> (OTF2 3.0, otf2_print.c and the reference of definitions and events):
//
//	GROUP     2  Name: "" <0>, Type: COMM_GROUP, Paradigm: MPI, Flags: NONE, 2 Members: 2 ("main" <2>), 0 ("main" <0>)
//	COMM      1  Name: "" <0>, Group: "" <2>, Parent: "MPI_COMM_WORLD" <0>, Flags: {CREATE_DESTROY_EVENTS}
//	COMM_CREATE   0   11  Communicator: "" <1>
//
// Members of a group of communicators are indexes into the group of type COMM_LOCATIONS, whose members are locations by
// their ranks in MPI_COMM_WORLD.

// isOTF2 reports whether a text begins as that of otf2-print does.
func isOTF2(head string) bool {
	return strings.HasPrefix(strings.TrimSpace(head), "=== OTF2-PRINT ===")
}

const (
	otf2Note = "read from an OTF2 trace, which tells the members of communicators: color and key of splits, and where the ranks ran are not in it. " +
		"Places are the functions that the trace has, with their first lines"
	silentNote = "of %d of its %d communicators the trace does not tell when they were made and freed: these are there from the beginning to the end"
)

// otf2 has the definitions of a trace, by number.
type otf2 struct {
	*trace
	ranks   map[string]int // of locations
	groups  map[string][]int
	comms   map[string]*otf2Comm
	order   []*otf2Comm
	regions map[string]otf2Region
	ticks   float64 // a second
	offset  int64
	at      []*otf2Process // by rank
}

type otf2Comm struct {
	id, parent string
	members    []int // world ranks
	told       bool  // when it is made and freed
}

type otf2Region struct {
	name   string
	fields []string // of a frame
	mpi    bool
}

// otf2Process is a process while its events are read.
type otf2Process struct {
	*process
	regions []otf2Region      // that it is in, the outermost first
	numbers map[string]string // ours, by number of a communicator
	next    int
}

var (
	number   = regexp.MustCompile(`<(\d+)>`)
	member   = regexp.MustCompile(`(\d+) \(`)
	defining = regexp.MustCompile(`^([A-Z_]+)\s+(?:(\d+)\s+)?(\S.*)$`)
	event    = regexp.MustCompile(`^([A-Z_]+)\s+(\d+)\s+(\d+)\s*(.*)$`)
)

// readOTF2 reads the text of otf2-print.
func (t *trace) readOTF2(f *os.File) error {
	o := &otf2{trace: t, groups: map[string][]int{}, comms: map[string]*otf2Comm{}, regions: map[string]otf2Region{}, ticks: 1e9}
	events := false
	err := t.lines(f, func(line string) error {
		switch {
		case strings.HasPrefix(line, "=== Events"):
			events = true
			return o.start()
		case strings.HasPrefix(line, "==="), strings.HasPrefix(line, "---"), line == "":
			return nil
		case events:
			return o.event(line)
		}
		return o.define(line)
	})
	if err == nil && !events {
		err = errors.New("the text has no events: want what otf2-print -A traces.otf2 writes")
	}
	return err
}

// define reads a definition.
func (o *otf2) define(line string) error {
	m := defining.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	kind, id, text := m[1], m[2], m[3]
	switch kind {
	case "CLOCK_PROPERTIES":
		ticks, err1 := strconv.ParseFloat(attribute(text, "Ticks per Seconds"), 64)
		offset, err2 := strconv.ParseInt(attribute(text, "Global Offset"), 10, 64)
		if err1 != nil || err2 != nil || ticks <= 0 {
			return fmt.Errorf("%q are not properties of a clock", hw.Clip(text))
		}
		o.ticks, o.offset = ticks, offset
	case "REGION":
		name := quotedName(attribute(text, "Name"))
		r := otf2Region{name: name, fields: []string{"trace", quoted(name), ""}, mpi: attribute(text, "Paradigm") == "MPI" || strings.HasPrefix(name, "MPI_")}
		if file, first := quotedName(attribute(text, "File")), attribute(text, "Begin"); file != "" && first != "0" {
			r.fields[2] = quoted(file) + ":" + first
		}
		o.regions[id] = r
	case "GROUP":
		return o.group(id, text)
	case "COMM":
		return o.comm(id, text)
	}
	return nil
}

// attribute returns the text of an attribute: from behind its name to the comma before the next name.
func attribute(text, name string) string {
	i := strings.Index(", "+text, ", "+name+": ")
	if i < 0 {
		return ""
	}
	rest := text[i+len(name)+2:]
	if strings.HasPrefix(rest, `"`) { // a name may have commas
		if end := strings.Index(rest[1:], `" <`); end >= 0 {
			tail, _, _ := strings.Cut(rest[end+2:], ",")
			return rest[:end+2] + tail
		}
	}
	rest, _, _ = strings.Cut(rest, ", ")
	return rest
}

// quotedName returns the name of "NAME" <N>, and numbered its number.
func quotedName(text string) string {
	name, _, ok := strings.Cut(text, `" <`)
	if !ok {
		return ""
	}
	return strings.TrimPrefix(name, `"`)
}

func numbered(text string) string {
	if i := strings.LastIndexByte(text, '<'); i >= 0 {
		return strings.TrimSuffix(text[i+1:], ">")
	}
	return ""
}

// group reads a group of locations, or of ranks of MPI_COMM_WORLD.
func (o *otf2) group(id, text string) error {
	head, list, _ := strings.Cut(text, " Members: ")
	kind := attribute(head, "Type")
	if attribute(head, "Paradigm") != "MPI" {
		return nil
	}
	switch kind {
	case "COMM_LOCATIONS":
		o.ranks = map[string]int{}
		for i, m := range number.FindAllStringSubmatch(list, -1) {
			if o.ranks[m[1]] = i; i == mostRanks {
				return fmt.Errorf("more than %d processes", mostRanks)
			}
		}
	case "COMM_GROUP":
		for _, m := range member.FindAllStringSubmatch(list, -1) {
			n, err := strconv.Atoi(m[1])
			if err != nil || n >= len(o.ranks) {
				return fmt.Errorf("there is no process %s: the trace has %d", hw.Clip(m[1]), len(o.ranks))
			}
			o.groups[id] = append(o.groups[id], n)
		}
	}
	return nil
}

// comm reads a communicator.
func (o *otf2) comm(id, text string) error {
	c := &otf2Comm{id: id, parent: numbered(attribute(text, "Parent")), told: strings.Contains(text, "CREATE_DESTROY_EVENTS")}
	if c.members = o.groups[numbered(attribute(text, "Group"))]; c.members == nil {
		return nil // of a process alone, or of another kind
	}
	o.comms[id] = c
	if c.parent == "" && len(c.members) == len(o.ranks) && strings.Contains(attribute(text, "Name"), "MPI_COMM_WORLD") {
		c.id = "world"
		return nil
	}
	o.order = append(o.order, c)
	return nil
}

// start makes the processes when the definitions have been read, and the communicators whose making is not among the
// events.
func (o *otf2) start() error {
	if len(o.at) > 0 {
		return nil
	}
	if len(o.ranks) == 0 {
		return errors.New("there are no processes of MPI before the events: want what otf2-print -A traces.otf2 writes, with the definitions")
	}
	o.begin("OTF2", len(o.ranks))
	o.notes = append(o.notes, otf2Note)
	for _, p := range o.processes {
		p.seen = true
		o.at = append(o.at, &otf2Process{process: p, numbers: map[string]string{}, next: 2})
	}
	untold := 0
	for _, c := range o.order {
		for _, rank := range c.members {
			fmt.Fprintf(o.processes[rank], "found\t0\tgroup\t%s\tworld=%s\n", groupOf(c), join(c.members))
		}
		if !c.told {
			untold++
			for _, rank := range c.members {
				o.create(rank, c, 0)
			}
		}
	}
	if untold > 0 {
		o.notes = append(o.notes, fmt.Sprintf(silentNote, untold, len(o.order)))
	}
	return nil
}

// groupOf returns the number of the group of a communicator's members.
func groupOf(c *otf2Comm) string {
	n, _ := strconv.Atoi(c.id)
	return strconv.Itoa(n + 1)
}

func join(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// event reads an event.
func (o *otf2) event(line string) error {
	m := event.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	rank, ours := o.ranks[m[2]]
	if !ours {
		return nil
	}
	p, text := o.at[rank], m[4]
	ticks, err := strconv.ParseInt(m[3], 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a time", hw.Clip(m[3]))
	}
	now := int64(float64(ticks-o.offset) / o.ticks * 1e9)
	c := o.comms[numbered(attribute(text, "Communicator"))]
	switch {
	case m[1] == "ENTER":
		p.regions = append(p.regions, o.regions[numbered(attribute(text, "Region"))])
	case m[1] == "LEAVE":
		p.regions = p.regions[:max(len(p.regions)-1, 0)]
	case c == nil || c.id == "world":
	case m[1] == "COMM_CREATE":
		o.create(rank, c, now)
	case m[1] == "COMM_DESTROY":
		if n, there := p.numbers[c.id]; there {
			p.call(p.place(), "MPI_Comm_free", n, nil, nil, now, now)
		}
	default:
		p.use(p.numbers[c.id])
	}
	return nil
}

// create writes that a process got a communicator: as a call by the communicator's group, because the trace tells
// nothing else.
func (o *otf2) create(rank int, c *otf2Comm, now int64) {
	p := o.at[rank]
	parent, known := p.numbers[c.parent]
	if !known {
		parent = "0"
	}
	name := "MPI_Comm_create_group"
	for _, r := range slices.Backward(p.regions) {
		if r.mpi {
			name = quoted(r.name)
			break
		}
	}
	at := slices.Index(c.members, rank)
	if at < 0 {
		return
	}
	p.numbers[c.id] = strconv.Itoa(p.next)
	p.next++
	p.call(p.place(), name+ByGroup, parent, []string{"group=" + groupOf(c), "tag=" + c.id}, []string{"new=" + p.numbers[c.id],
		fmt.Sprintf("size=%d", len(c.members)), fmt.Sprintf("rank=%d", at), fmt.Sprintf("leader=%d", c.members[0])}, now, now)
}

// ByGroup is the ending for the name of a call of which only those processes are known that got a communicator.
const ByGroup = "@group"

// place returns the site of the program's functions in which the process is.
func (p *otf2Process) place() int {
	var frames []string
	for _, r := range slices.Backward(p.regions) {
		if !r.mpi && r.name != "" && len(frames) < 3*32 {
			frames = append(frames, r.fields...)
		}
	}
	if len(frames) == 0 {
		frames = []string{"no function", "", ""}
	}
	return p.site(frames...)
}
