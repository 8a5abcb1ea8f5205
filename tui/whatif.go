package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/render"
	"commsplit/render/paint"
	"commsplit/repl"
	"commsplit/repl/lang"
	"commsplit/tui/scene"
)

// compareKeys tries the last split with other keys.
func (m *Model) compareKeys() tea.Cmd {
	if !m.idle() || m.moment.Past() {
		m.notice = "} comes back to the present first"
		return nil
	}
	chunks := m.console.Session.Chunks()
	cfg := m.console.Session.Config()
	last := -1
	for i, c := range chunks {
		if c.Kind == lang.Command && hasKey(c.Verb.Text) {
			last = i
		}
	}
	base, before := "split world color=rank%2", chunks
	if last >= 0 {
		base, before = withoutKey(chunks[last]), chunks[:last]
	}
	with := func(key string) trial {
		line := base + " key=" + key
		return trial{"key=" + key, cfg, before, line, func(m *Model) tea.Cmd { return m.run(line) }}
	}
	m.over = &compareView{head: base + " with other keys", custom: with}
	return m.try([]trial{with("0"), with("rank"), with("-rank")}, false)
}

// hasKey reports whether a verb has a key to order ranks by.
func hasKey(verb string) bool {
	v := repl.FindVerb(verb)
	if v == nil {
		return false
	}
	for _, p := range v.Params {
		if p.Name == "key" {
			return true
		}
	}
	return false
}

// withoutKey is a command without its key and the name of its result.
func withoutKey(c *lang.Chunk) string {
	words := []string{c.Verb.Text}
	v := repl.FindVerb(c.Verb.Text)
	dropped := false
	for i, a := range c.Args {
		name := a.Name
		if name == "" && i < len(v.Params) {
			name = v.Params[i].Name
		}
		switch {
		case name == "key":
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
	if !m.idle() {
		return nil
	}
	chunks := m.console.Session.Chunks()
	if len(chunks) == 0 {
		m.notice = "write a split first; then C shows it on other bindings"
		return nil
	}
	var list []trial
	for _, p := range m.placements() {
		if strings.HasPrefix(p.name, "bind-to") {
			list = append(list, trial{p.name, p.config, chunks, "", func(m *Model) tea.Cmd { return m.place(p) }})
		}
	}
	m.over = &compareView{head: "the last result on other bindings"}
	return m.try(list, false)
}

// trial is lines to try in a session of their own.
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
	moment *scene.Moment
	handle int
	err    error
}

// triedMsg is trials that were carried out.
type triedMsg struct {
	columns []tried
	more    bool // they join the columns that show
}

// carryOut runs a trial; crashed gets a panic of its ranks.
func (t trial) carryOut(crashed func(any)) tried {
	out := tried{trial: t}
	var said strings.Builder
	c, err := repl.NewConsole(background, t.config, &said, &said, render.Style{Width: 80})
	if err != nil {
		out.err = err
		return out
	}
	defer c.Session.Close()
	c.Brief, c.Session.Crashed = true, crashed
	chunks := t.before
	if t.line != "" {
		list, err := repl.ParseLines("<input>", []string{t.line})
		if err != nil {
			out.err = err
			return out
		}
		chunks = append(chunks[:len(chunks):len(chunks)], list...)
	}
	before := scene.NewMoment(c.Session.View(), -1, nil)
	for _, chunk := range chunks {
		before = scene.NewMoment(c.Session.View(), -1, before)
		if err := c.Do(background, chunk); err != nil {
			out.err = err
			return out
		}
	}
	out.moment = scene.NewMoment(c.Session.View(), -1, before)
	if out.handle = changed(before, out.moment); out.handle < 0 {
		out.handle = len(out.moment.Handles) - 1
	}
	return out
}

// try carries out trials beside the screen.
func (m *Model) try(list []trial, more bool) tea.Cmd {
	m.notice = "trying ..."
	crashed := m.crashed
	return func() tea.Msg {
		msg := triedMsg{more: more}
		for _, t := range list {
			msg.columns = append(msg.columns, t.carryOut(crashed))
		}
		return msg
	}
}

// compareView shows the results of trials side by side, and answers: what if?
type compareView struct {
	head    string
	columns []tried
	at      int
	asking  bool // the key of one more column is typed
	typed   string
	custom  func(expr string) trial // nil: there is none
}

// tried shows the results of trials.
func (m *Model) tried(msg triedMsg) {
	m.notice = ""
	v, ok := m.over.(*compareView)
	if !ok {
		return
	}
	if msg.more {
		v.at = len(v.columns)
	}
	v.columns = append(v.columns, msg.columns...)
}

func (v *compareView) title() string { return "what if: " + v.head }

func (v *compareView) place() string { return "" }

func (v *compareView) size(m *Model, _ int) (int, int) {
	most := 0
	for i := range v.columns {
		most = max(most, v.columns[i].length())
	}
	return min(m.width-6, max(60, 4+len(v.columns)*40)), min(m.height-6, max(most+4, 8))
}

// columnWidth is shared by the columns.
func (v *compareView) columnWidth(width int) int {
	return max(18, min((width-4)/max(len(v.columns), 1), 40))
}

func (v *compareView) lines(m *Model, width, height int) []paint.Line {
	if len(v.columns) == 0 {
		return []paint.Line{paint.Text("trying ...", paint.Faint)}
	}
	w := v.columnWidth(width)
	first := max(0, v.at-(width-4)/w+1)
	rows := make([]paint.Line, 1)
	rows[0].Pad(3)
	for i := first; i < len(v.columns); i++ {
		rows[0].Add(paint.Cut(v.columns[i].name, w-2), litIf(paint.Bold, i == v.at))
		rows[0].Pad(3 + (i-first+1)*w)
	}
	most := 0
	for i := range v.columns {
		most = max(most, v.columns[i].length())
	}
	for k := range min(most, height-4) {
		var l paint.Line
		l.Pad(3)
		for i := first; i < len(v.columns); i++ {
			v.columns[i].row(&l, k, w-2)
			l.Pad(3 + (i-first+1)*w)
		}
		rows = append(rows, l)
	}
	for len(rows) < height-2 {
		rows = append(rows, nil)
	}
	foot := "←→ column   Enter runs it   Esc closes"
	if v.custom != nil {
		foot = "←→ column   Enter runs it   k another key   Esc closes"
	}
	if v.asking {
		return append(rows, paint.Text("key="+v.typed+"▏", paint.Accent))
	}
	return append(rows, paint.Text("communicators in rank order, by world ranks", paint.Faint), paint.Text(foot, paint.Faint))
}

// length is how many rows a column has.
func (t *tried) length() int {
	if t.err != nil || t.handle <= 0 {
		return 1
	}
	return t.moment.Parting(t.handle).Len() + 1
}

// row adds the k-th row of a column: a communicator, or the ranks that have none.
func (t *tried) row(l *paint.Line, k, width int) {
	switch {
	case t.err != nil:
		if k == 0 {
			l.Add(paint.Cut(t.err.Error(), width), paint.Alarm)
		}
		return
	case t.handle <= 0:
		if k == 0 {
			l.Add("no communicator was made", paint.Faint)
		}
		return
	}
	p := t.moment.Parting(t.handle)
	switch {
	case k < p.Len():
		c := t.moment.View.Snapshot.Comm(p.Comm(k))
		l.Add(p.Letter(k)+" ", paint.Part(k))
		if c != nil {
			text := render.OrderList(c.Group, width-3)
			if c.Remote != nil {
				text = render.OrderList(c.Group, width/2-2) + "|" + render.OrderList(c.Remote, width/2-2)
			}
			l.Add(paint.Cut(text, width-3), paint.Plain)
		}
	case k == p.Len():
		var none []int32
		for r := range t.moment.Size() {
			if i, _, _ := p.Place(r); i == -1 {
				none = append(none, int32(r))
			}
		}
		if len(none) > 0 {
			l.Add(render.Hollow+" "+render.RankNoun(none, width-3), paint.Faint)
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

// ask deals with a key while the expression of one more column is typed.
func (v *compareView) ask(m *Model, msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		v.asking = false
		if v.typed == "" {
			return nil
		}
		t := v.custom(v.typed)
		v.typed = ""
		return m.try([]trial{t}, true)
	case "esc", "ctrl+c":
		v.asking, v.typed = false, ""
	case "backspace":
		if r := []rune(v.typed); len(r) > 0 {
			v.typed = string(r[:len(r)-1])
		}
	default:
		if msg.Type == tea.KeyRunes {
			v.typed += string(msg.Runes)
		}
	}
	return nil
}
