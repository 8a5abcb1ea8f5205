package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/boxes"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// compareArguments tries the last split with other arguments: keys and colors, or types of hardware. Without a
// split in the session, it tries "split world color=rank%2".
func (m *Model) compareArguments() tea.Cmd {
	if !m.free() {
		return nil
	}
	if m.moment.Past() {
		m.notice = "first go back to the present: }"
		return nil
	}
	chunks := m.console.Session.Chunks()
	cfg := m.console.Session.Config()
	last := -1
	for i, c := range chunks {
		if c.Kind == lang.Command && takes(c.Verb.Text, "key") {
			last = i
		}
	}
	base, before := func(...string) string { return "split world color=rank%2" }, chunks
	head, verb := base(), "split"
	if last >= 0 {
		base, before = func(names ...string) string { return without(chunks[last], names...) }, chunks[:last]
		head, verb = base(), chunks[last].Verb.Text
	}
	with := func(argument string) trial {
		name, _, ok := strings.Cut(argument, "=")
		if !ok || !takes(verb, name) {
			name, argument = "key", "key="+argument
		}
		line := base(name)
		if name == "type" { // a type may come with a resource
			line = base("type", "resource")
		}
		line += " " + argument
		return trial{argument, cfg, before, line, func(m *Model) tea.Cmd { return m.run(line) }}
	}
	var list []trial
	for _, argument := range append([]string{"key=0", "key=rank", "key=-rank"}, m.alternatives(verb)...) {
		list = append(list, with(argument))
	}
	m.over = &compareView{head: head + ", with other arguments", custom: with}
	return m.try(list...)
}

// mostTypes is the most types of hardware that are tried.
const mostTypes = 4

// alternatives returns other arguments to divide by: colors of a split, types of a split by hardware.
func (m *Model) alternatives(verb string) []string {
	switch {
	case takes(verb, "color"):
		return []string{"color=rank%3", "color=rank//" + strconv.Itoa(max(m.moment.Size()/2, 1))}
	case takes(verb, "resource"):
		list := []string{"type=SHARED"}
		if t := m.moment.Ground.Topology; t != nil {
			for _, r := range t.Resources() {
				if len(list) < mostTypes && len(r.Instances) > 1 {
					list = append(list, `type=HW_GUIDED resource="`+r.URI+`"`)
				}
			}
		}
		return list
	}
	return nil
}

// takes reports whether a verb has a parameter.
func takes(verb, name string) bool {
	v := repl.FindVerb(verb)
	return v != nil && slices.ContainsFunc(v.Params, func(p repl.Param) bool { return p.Name == name })
}

// without returns a command without its result's name and without some of its arguments.
func without(c *lang.Chunk, names ...string) string {
	words := []string{c.Verb.Text}
	v := repl.FindVerb(c.Verb.Text)
	dropped := false
	for i, a := range c.Args {
		name := a.Name
		if name == "" && i < len(v.Params) {
			name = v.Params[i].Name
		}
		switch {
		case slices.Contains(names, name):
			dropped = true
		case a.Name == "" && !dropped:
			words = append(words, a.Text)
		default:
			words = append(words, name+"="+a.Text)
		}
	}
	text := strings.Join(words, " ")
	if c.Ranks.Text != "" {
		text = "@" + c.Ranks.Text + " " + text
	}
	return text
}

// compareBindings tries the lines of the session on other placements.
func (m *Model) compareBindings() tea.Cmd {
	if !m.free() {
		return nil
	}
	chunks := m.console.Session.Chunks()
	if len(chunks) == 0 {
		m.notice = "type a split first; then C shows it on other bindings"
		return nil
	}
	var list []trial
	for _, p := range m.placements() {
		if strings.HasPrefix(p.name, "bind-to") {
			list = append(list, trial{p.name, p.config, chunks, "", func(m *Model) tea.Cmd { return m.place(p) }})
		}
	}
	m.over = &compareView{head: "the last result on other bindings"}
	return m.try(list...)
}

// trial is a line to try in a session of its own, after other lines.
type trial struct {
	name   string
	config repl.Config
	before []*lang.Chunk // lines that run first
	line   string        // the line that makes the result; "": the result is the last handle of before
	do     func(m *Model) tea.Cmd
}

// tried is a trial and its result.
type tried struct {
	trial
	moment *moment.Moment
	handle int
	err    error
}

// carryOut runs a trial.
func (t trial) carryOut() (out tried) {
	out.trial = t
	var said strings.Builder
	var c *console.Console
	if c, out.err = console.NewConsole(background, t.config, &said, &said, render.Style{Width: 80}); out.err != nil {
		return out
	}
	defer c.Session.Close()
	c.Brief = true
	chunks := t.before
	if t.line != "" {
		var list []*lang.Chunk
		if list, out.err = repl.ParseLines("<input>", []string{t.line}); out.err != nil {
			return out
		}
		chunks = append(chunks[:len(chunks):len(chunks)], list...)
	}
	before := moment.NewMoment(c.Session.View(), -1, nil)
	for _, chunk := range chunks {
		before = moment.NewMoment(c.Session.View(), -1, before)
		if out.err = c.Do(background, chunk); out.err != nil {
			return out
		}
	}
	out.moment = moment.NewMoment(c.Session.View(), -1, before)
	if out.handle = changed(before, out.moment); out.handle < 0 {
		out.handle = len(out.moment.Handles) - 1
	}
	return out
}

// try returns a command that carries out trials in the background, for the view that shows.
func (m *Model) try(list ...trial) tea.Cmd {
	m.notice = "trying ..."
	return func() tea.Msg {
		var columns []tried
		for _, t := range list {
			columns = append(columns, t.carryOut())
		}
		return news(func(m *Model) tea.Cmd {
			m.notice = ""
			if v, ok := m.over.(*compareView); ok {
				v.add(columns)
			}
			return nil
		})
	}
}

// compareView shows the results of trials side by side.
type compareView struct {
	head    string
	columns []tried
	at      int
	room    int  // how many columns show
	asking  bool // an argument for another column is typed
	typed   string
	custom  func(expr string) trial // makes the trial of a typed argument; nil: none can be typed
}

// add adds the results of trials, and goes to the first of them.
func (v *compareView) add(columns []tried) {
	v.at = len(v.columns)
	v.columns = append(v.columns, columns...)
}

func (v *compareView) title() string { return "what if: " + v.head }

// place returns which columns show; "" when all do.
func (v *compareView) place() string {
	return rowsShown(v.first(), v.room, len(v.columns))
}

// The least and the most columns of the screen for a column.
const (
	leastCompared = 24
	mostCompared  = 60
)

func (v *compareView) size(m *Model, most int) (w, h int) {
	w = min(most, max(60, 4+len(v.columns)*44))
	v.room = max(1, min(len(v.columns), (w-1)/leastCompared))
	return w, m.height - 3 - min(m.height/8, 3)
}

// first returns the index of the first column that shows.
func (v *compareView) first() int { return max(0, v.at-v.room+1) }

func (v *compareView) lines(m *Model, width, height int) []paint.Line {
	if len(v.columns) == 0 {
		return []paint.Line{paint.Text("trying ...", paint.Plain)}
	}
	w := min((width-1)/v.room, mostCompared)
	rows := make([]paint.Line, max(height-1, 1))
	listed := 0 // communicators below the boxes: equally many in all columns, so that all boxes have the same size
	for i := range v.columns {
		if t := &v.columns[i]; t.err == nil && t.handle > 0 {
			listed = max(listed, min(t.length(), mostListed))
		}
	}
	for k := range v.room {
		i := v.first() + k
		for y, l := range v.columns[i].lines(m, w-2, len(rows), listed, i == v.at) {
			rows[y].Pad(1 + k*w)
			rows[y] = append(rows[y], l...)
		}
	}
	if v.asking {
		return append(rows, paint.Text("key, or name=argument: "+v.typed+"▏", paint.Accent))
	}
	return append(rows, paint.Text("» marks ranks that would move", paint.Plain))
}

// mostListed is the most communicators listed below the boxes.
const mostListed = 8

// lines returns a column: the name of the trial, the boxes, and the communicators with their members in rank
// order.
func (t *tried) lines(m *Model, width, height, listed int, here bool) []paint.Line {
	rows := []paint.Line{paint.Text(paint.Cut(t.name, width), litIf(paint.Bold, here))}
	if t.err != nil {
		rows = paragraph(rows, t.err.Error(), width, 0, paint.Alarm)
		return rows[:min(len(rows), height)]
	}
	if t.handle <= 0 {
		return append(rows, paint.Text("no communicator was made", paint.Plain))
	}
	s := sight{moment: t.moment, handle: t.handle, held: m.holding(t.moment, t.handle), moved: t.elsewhere(m)}
	size := boxes.Size{Width: width, Height: max(height-2-listed, 1), Text: 1 + s.held.Width(t.moment.Size()), Fill: boxes.High}
	plan := m.hw.plan(t.moment.Ground.Board, nil, size)
	rows = append(rows, plan.Scene(0, min(size.Height, plan.Height), m.look(&s)).Draw()...)
	if len(rows)+1+listed <= height {
		rows = append(rows, nil)
		for k := range min(listed, t.length()) {
			var l paint.Line
			t.row(&l, k, width)
			rows = append(rows, l)
		}
	}
	return rows[:min(len(rows), height)]
}

// elsewhere returns, for each world rank, whether it holds another communicator or rank than in the current
// moment, or runs on other hardware; nil for another number of ranks.
func (t *tried) elsewhere(m *Model) []bool {
	out := make([]bool, t.moment.Size())
	if len(out) != m.moment.Size() {
		return nil
	}
	for r := range out {
		if t.moment.Ground.SameWorld(m.moment.Ground) && t.moment.Ground.Home(r) != m.moment.Ground.Home(r) {
			out[r] = true
		}
		if m.handle > 0 && !t.moment.Parting(t.handle).Alike(m.moment.Parting(m.handle), r) {
			out[r] = true
		}
	}
	return out
}

// length returns the number of rows for the communicators and for the ranks without one.
func (t *tried) length() int { return t.moment.Parting(t.handle).Len() + 1 }

// row adds the k-th row below the boxes: a communicator, or the ranks without a communicator.
func (t *tried) row(l *paint.Line, k, width int) {
	p := t.moment.Parting(t.handle)
	switch {
	case k < p.Len():
		c := t.moment.View.Snapshot.Comm(p.Comm(k))
		l.Add(p.Letter(k), paint.Fill(p.Slot(k)))
		l.Add(" ", paint.Plain)
		if c != nil {
			text := render.OrderList(c.Group, width-3)
			if c.Remote != nil {
				text = render.OrderList(c.Group, width/2-2) + "|" + render.OrderList(c.Remote, width/2-2)
			}
			l.Add(paint.Cut(text, width-3), paint.Plain)
		}
	case k == p.Len():
		if none, _ := p.Without(); len(none) > 0 {
			l.Add(render.Hollow+" "+render.RankNoun(none, width-3), paint.Plain)
		}
	}
}

func (v *compareView) key(m *Model, msg tea.KeyMsg) tea.Cmd {
	if v.asking {
		return v.ask(m, msg)
	}
	switch msg.String() {
	case "left", "h", "shift+tab":
		v.at = max(0, v.at-1)
	case "right", "l", "tab":
		v.at = max(0, min(v.at+1, len(v.columns)-1))
	case "k":
		v.asking = v.custom != nil
	case "enter":
		if v.at < len(v.columns) && v.columns[v.at].err == nil {
			m.over = nil
			return v.columns[v.at].do(m)
		}
	case "esc", "q", "ctrl+c":
		m.over = nil
	}
	return nil
}

// takes reports whether a key works in this view.
func (v *compareView) takes(b binding) bool { return v.custom != nil || !slices.Contains(b.keys, "k") }

// ask handles a key while the argument of another column is typed.
func (v *compareView) ask(m *Model, msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		v.asking = false
		if v.typed == "" {
			return nil
		}
		t := v.custom(v.typed)
		v.typed = ""
		return m.try(t)
	case "esc", "ctrl+c":
		v.asking, v.typed = false, ""
	default:
		typeInto(&v.typed, msg)
	}
	return nil
}
