package replay

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/recording"
)

// Detail tells how much a report has about the places of the program.
type Detail int

// A report has the places that leak; with Sites also the table of all places, and with Stacks the callers of each
// place.
const (
	Leaks Detail = iota
	Sites
	Stacks
)

// Text writes the report for a person: what was recorded, the comparison, and the places of the program.
func (r *Report) Text(w io.Writer, st render.Style, detail Detail) error {
	p := &page{width: st.Line()}
	sites := detail >= Sites
	p.line(r.head())
	for _, text := range r.ends() {
		p.line(text)
	}
	if r.Held != nil {
		var b strings.Builder
		if err := r.Held.Text(&b, st); err != nil {
			return err
		}
		p.b.WriteString(b.String())
	} else if r.Recording.Trace != "" {
		p.line("not compared: the trace does not tell what the library gave")
	} else {
		p.line("not compared: the ranks are placed otherwise than they ran, and calls that look at the hardware give something else")
	}
	for _, n := range r.Notes {
		p.line(n)
	}
	p.line(r.peak())
	p.line(r.scattered())
	if sites {
		p.b.WriteString("\n")
		p.table(r, detail == Stacks)
		p.b.WriteString("\n")
	}
	r.tellLeaks(p)
	if sites {
		r.tellMore(p)
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// page collects lines, wrapped to the width of a terminal.
type page struct {
	b     strings.Builder
	width int
}

func (p *page) line(text string) {
	if text != "" {
		p.b.WriteString(strings.TrimPrefix(repl.Wrap(text, p.width, "  "), "  ") + "\n")
	}
}

// head returns a line about what was recorded.
func (r *Report) head() string {
	rec := r.Recording
	return fmt.Sprintf("%s of %s under %s, which made %s", spell.Plural(int(rec.CallCount()), "call"),
		spell.Plural(len(rec.Processes), "rank"), rec.Library.Name, spell.Plural(rec.CommCount(), "communicator"))
}

// ends returns lines about the processes that did not end well, and about incomplete records.
func (r *Report) ends() []string {
	var list []string
	add := func(who engine.Ranks, text string) {
		if who.Len() > 0 {
			list = append(list, who.Noun()+" "+text)
		}
	}
	rec := r.Recording
	why := "killed, most likely, and what it did is not in " + filepath.Base(rec.Path) + recording.PartsFolder
	if rec.Alone {
		why = "the recorder was not loaded there, or has another folder"
	}
	add(rec.Missing(), "wrote nothing: "+why+". What the records of other ranks show of their calls is replayed")
	add(rec.Killed(), "wrote no end: killed, most likely")
	add(rec.Ended("exit"), "ended without MPI_Finalize")
	add(rec.Ended("abort"), "ended by MPI_Abort, by the library, or because another process did")
	byDeath := map[string][]int32{}
	for _, p := range rec.Processes {
		if text := death(p); text != "" {
			byDeath[text] = append(byDeath[text], int32(p.Rank))
		}
	}
	for _, text := range slices.Sorted(maps.Keys(byDeath)) {
		add(engine.RanksOf(byDeath[text]...), text)
	}
	if who := rec.Truncated(); who.Len() > 0 {
		first := 0
		for _, p := range rec.Processes {
			if p.Truncated > 0 && (first == 0 || p.Truncated < first) {
				first = p.Truncated
			}
		}
		add(who, fmt.Sprintf("only counted calls from call %d on: those are in the sites, and not replayed", first))
	}
	return list
}

// death returns which signal ended a process, and where the process crashed; "" for other ends.
func death(p *recording.Process) string {
	if p.Signal() == 0 {
		return ""
	}
	end, in := "died of ", " in "
	switch {
	case p.Handled:
		end, in = "ended in the program's own handler of ", ", which came in "
	case !p.Crashed():
		end = "ended by "
	}
	text := end + recording.SignalName(p.Signal())
	switch {
	case !p.Crashed():
		return text
	case p.Fault != nil:
		return text + in + p.Fault.Full()
	case p.LastCall() != "":
		return text + "; the last call here is " + p.LastCall()
	}
	return text
}

// rooms tells how many communicators a process can have at once.
var rooms = map[deviation.Library]string{
	deviation.OpenMPI: "Open MPI 4.1 has room for 65,536",
	deviation.MPICH:   "MPICH has 2,048 to 32,768 context ids, as it was built",
}

// peak tells how close the ranks came to the limit of the library; "" without communicators.
func (r *Report) peak() string {
	n, rank := r.Recording.Peak()
	if n == 0 {
		return ""
	}
	text := fmt.Sprintf("most communicators at once: %s on rank %d, besides MPI_COMM_WORLD and MPI_COMM_SELF", spell.Number(n), rank)
	if own := rooms[r.Recording.Library.Known]; own != "" {
		text += "; " + own
	}
	for _, l := range []deviation.Library{deviation.MPICH, deviation.OpenMPI} {
		if l != r.Recording.Library.Known {
			text += "; " + rooms[l]
		}
	}
	return text
}

// scattered tells that context ids run out before a rank has as many communicators; "" where a rank needs about as
// many ids as it has communicators.
func (r *Report) scattered() string {
	n, _ := r.Recording.Peak()
	if int64(r.Contexts) < n+8 || 4*int64(r.Contexts) < 5*n {
		return ""
	}
	return fmt.Sprintf("context ids up to %s: a communicator takes one that is free on all of its ranks, as in MPICH, so that ids run out "+
		"before a rank has as many communicators", spell.Number(int64(r.Contexts)))
}

// short returns the name of a call without MPI_.
func short(call string) string { return strings.TrimPrefix(call, "MPI_") }

// table writes a line for each call site, and with stacks its callers below it, the nearest first. Numbers of calls
// and of live communicators are those of the rank with the most.
func (p *page) table(r *Report, stacks bool) {
	head := []string{"place", "call", "ranks", "calls", "made", "left", "peak", "size"}
	if r.Hardware {
		head = append(head, "hosts", "packages", "NUMA")
	}
	rows := [][]string{append(head, "time", "")}
	for _, s := range r.Sites {
		rows = append(rows, r.row(s))
	}
	for at, line := range aligned(rows) {
		p.b.WriteString(line + "\n")
		if at == 0 {
			continue
		}
		for _, also := range r.Sites[at-1].Also {
			p.line("    and, on other ranks, " + also.Name())
		}
		if stacks {
			for _, caller := range r.Sites[at-1].Site.Callers() {
				p.line("    from " + caller)
			}
		}
	}
}

// row returns the cells of a call site.
func (r *Report) row(s *Site) []string {
	row := []string{s.Site.Name(), short(s.Call), strconv.Itoa(s.Ranks.Len()), strconv.FormatInt(s.Calls, 10), "", "", "", ""}
	if s.Makes() {
		row = append(row[:4], strconv.FormatInt(s.all(), 10), strconv.FormatInt(s.Alive, 10), strconv.FormatInt(s.Peak, 10), s.sizes())
	}
	if r.Hardware {
		row = append(row, s.span(func(p *render.Spans) render.Range { return p.Hosts }), s.span(func(p *render.Spans) render.Range { return p.Packages }),
			s.span(func(p *render.Spans) render.Range { return p.NUMA }))
	}
	took := ""
	if s.Took > 0 {
		took = render.Duration(s.Took)
	}
	return append(row, took, string(s.Trend()))
}

// aligned returns rows as lines: the first two columns and the last one aligned left, the others right.
func aligned(rows [][]string) (lines []string) {
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			width := wide[i]
			if i < 2 || i == len(row)-1 {
				width = -width
			}
			line += fmt.Sprintf("%*s  ", width, cell)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// all returns how many communicators the place made on all ranks; of windows, files and groups, how many the rank
// made that made most, because a recording does not tell which of them belong together.
func (s *Site) all() int64 {
	if s.Comms == 0 {
		return s.Made
	}
	return int64(s.Comms)
}

// sizes returns how many members the communicators have; "" where that is not known.
func (s *Site) sizes() string {
	if s.Largest == 0 {
		return ""
	}
	return render.Range{Low: s.Smallest, High: s.Largest}.String()
}

// span returns how many objects of a kind the communicators span; where the ranks are placed otherwise, before and
// after.
func (s *Site) span(of func(*render.Spans) render.Range) string {
	text := ""
	if s.Comms > 0 {
		text = of(&s.Spans).String()
	}
	if s.After != nil {
		text += " > " + of(s.After).String()
	}
	return text
}

// tellLeaks writes a line for each call site that leaks, and for each whose communicators grow in number until they are
// freed.
func (r *Report) tellLeaks(p *page) {
	for _, s := range r.Sites {
		at := fmt.Sprintf("%s: %s, %s: ", s.Trend(), s.Site.Name(), s.Call)
		switch s.Trend() {
		case render.Leaking:
			at += fmt.Sprintf("%s left at the end on rank %d, of %s that it made", spell.Number(s.Alive), s.Most, spell.Number(s.Made))
		case render.Grows:
			at += fmt.Sprintf("%s alive at once on rank %d and growing, %s left at the end", spell.Number(s.Peak), s.Most, spell.Number(s.Alive))
		default:
			continue
		}
		p.line(at + s.growth() + s.freers())
	}
}

// growth tells how the number of a site's communicators grew on the rank with the most: "; 1 after 25 ms, 1,089 after
// 5.9 s, 2,025 after 6.4 s: one more every 3.2 ms", and when ids run out; "" where the recording has fewer than two
// points.
func (s *Site) growth() string {
	every := s.Every()
	if every == 0 {
		return ""
	}
	first, last := s.Growth[0], s.Growth[len(s.Growth)-1]
	half := slices.IndexFunc(s.Growth, func(p recording.Point) bool { return 2*p.Alive >= first.Alive+last.Alive })
	var words []string
	for _, p := range slices.Compact([]recording.Point{first, s.Growth[half], last}) {
		words = append(words, fmt.Sprintf("%s after %s", spell.Number(p.Alive), render.Duration(p.At)))
	}
	return "; " + strings.Join(words, ", ") + ": " + s.Outlook()
}

// freers tells where the other communicators of the place are freed; "" where none is.
func (s *Site) freers() string {
	var list []string
	if s.Trend() != render.Leaking {
		return ""
	}
	for at, n := range s.Freers {
		list = append(list, fmt.Sprintf("%s frees %s", at.Name(), spell.Number(n)))
	}
	if len(list) == 0 {
		return ""
	}
	slices.Sort(list)
	return "; of all ranks' others " + strings.Join(list, ", ")
}

// leastWait is how long, in nanoseconds, ranks must wait for the last rank to be reported. mostTold is how many
// places a line names.
const (
	leastWait = 1_000_000
	mostTold  = 6
)

// tellMore writes lines about late ranks, communicators that could be shared, and communicators that nobody used.
func (r *Report) tellMore(p *page) {
	var shared, late, leaves, unused []string
	slow := slices.Clone(r.Sites)
	slices.SortStableFunc(slow, func(a, b *Site) int { return cmp.Compare(b.Wait, a.Wait) })
	for _, s := range slow {
		if s.Wait >= leastWait {
			late = append(late, fmt.Sprintf("%s %s, rank %d %s after rank %d", s.Site.Name(), short(s.Call), s.Last, render.Duration(s.Wait), s.First))
		}
	}
	for _, s := range r.Sites {
		if s.Equal > 0 {
			shared = append(shared, fmt.Sprintf("%s %s, %d of %d", s.Site.Name(), short(s.Call), s.Equal, s.Comms))
		}
		if s.Unused > 0 {
			unused = append(unused, fmt.Sprintf("%s %s, %d of %d", s.Site.Name(), short(s.Call), s.Unused, s.Comms))
		}
		if s.Comms > 0 && s.Parents == 0 && s.Alive > 0 && !r.Recording.Messages {
			leaves = append(leaves, s.Site.Name()+" "+short(s.Call))
		}
	}
	p.list("last to come: ", late)
	p.list("could be shared, having the members of another that was there, in the same order: ", shared)
	p.list("never used, for no message and for no other communicator: ", unused)
	p.list("left at the end, and no other was made from them (whether they carried messages is not known): ", leaves)
}

// list writes a line that names places, at most mostTold of them.
func (p *page) list(head string, list []string) {
	if n := len(list) - mostTold; n > 1 {
		list = append(list[:mostTold:mostTold], fmt.Sprintf("and %d more", n))
	}
	if len(list) > 0 {
		p.line(head + strings.Join(list, "; "))
	}
}
