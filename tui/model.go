// Package tui is the terminal UI: the hardware with the ranks on it, the communicators by descent,
// the table of ranks, an explanation of what is selected, a log, and a prompt for the same language
// as the REPL's. It is the only room that imports bubbletea.
//
// The model holds a repl.Console. A line runs in a command of bubbletea, which alone touches the
// session until it is done; then a scene.Moment of its view is what the panes draw. A key that
// changes the session does so by a line of the language. A selection made in one pane lights up the
// same ranks in all. Each pane draws only the rows that show.
package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/render/paint"
	"commsplit/repl"
	"commsplit/repl/edit"
	"commsplit/tui/scene"
)

// Options is what the program is started with.
type Options struct {
	Config  repl.Config
	Colors  paint.Colors
	Dark    bool          // the background
	Still   bool          // no animation: nothing moves by itself
	Mouse   bool          // the program gets clicks and the wheel; the terminal no longer selects text
	History *edit.History // what was typed before, and what is typed now; nil: none is kept
	Journal string        // folder of the journals; "": none is kept

	AllowFiles bool // the lines of scripts that are opened may read and write files

	// Flags reads the words of a script's "# commsplit:" line.
	Flags func(words []string) (repl.Config, error)
	// Copy puts a text into the terminal's clipboard.
	Copy func(text string) error
}

// Model is the state of the screen.
type Model struct {
	opts    Options
	inks    *paint.Palette
	width   int
	height  int
	console *repl.Console // nil until the session is open
	output  *output
	lines   *repl.Reader
	busy    *running        // the lines that run; nil: none do
	queue   []string        // lines that were typed meanwhile, or before the session was open
	asked   *question       // what they wait for; nil: nothing
	failed  error           // why there is no session
	crashed func(value any) // gets the panic of a rank

	moment *scene.Moment // nil until the session is open
	sel    scene.Selection
	lit    *scene.Lit
	handle int  // index of the variable that letters are of
	all    bool // all variables side by side
	world  bool // cells name ranks of the world

	layout layout
	focus  paneID
	zoom   bool
	recent [panes]int // when each pane had the focus last, for those that share a place
	clock  int
	typing bool // keys go to the prompt

	hw       hwView
	comms    commView
	ranks    rankView
	why      whyView
	log      logView
	prompt   editor
	player   player
	verdicts map[string]string // on predictions, by question
	find     finder
	over     overlay // in front of all; nil: nothing is
	notice   string  // what a key had to say
	viewer   int     // the rank that was selected last: intercommunicators are seen from its side
	leaving  bool    // q was pressed once
}

// New is a model whose session opens with the first command.
func New(o Options) *Model {
	m := &Model{opts: o, focus: commPane, typing: true, lit: &scene.Lit{}, output: &output{}}
	m.inks = newInks(o.Colors, o.Dark)
	m.lines = repl.NewReader("<input>")
	m.prompt.begin(o.History)
	m.recent[commPane], m.recent[whyPane], m.clock = 1, 1, 1
	m.player.speed, m.verdicts = 2, map[string]string{}
	return m
}

// Init opens the session beside the first frame.
func (m *Model) Init() tea.Cmd { return m.open(m.opts.Config) }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.arrange()
		return m, nil
	case tea.KeyMsg:
		cmd := m.keys(msg)
		return m, tea.Batch(cmd, m.rest())
	case tea.MouseMsg:
		return m, m.mouse(msg)
	case openedMsg:
		return m, m.opened(msg)
	case ranMsg:
		return m, m.ran(msg)
	case askMsg:
		return m, m.ask(msg)
	case waitingMsg:
		return m, m.stillRunning()
	case playMsg:
		return m, m.play(msg)
	case triedMsg:
		m.tried(msg)
	case restMsg:
		m.why.late = m.why.late && int(msg) != m.why.keys
	case copiedMsg:
		m.notice = string(msg)
	}
	return m, nil
}

// arrange divides the screen again.
func (m *Model) arrange() {
	m.layout = arrange(m.width, m.height, m.focus, m.zoom, m.tall(), m.need(), func(a, b paneID) (paneID, paneID) {
		if m.recent[b] > m.recent[a] {
			return b, a
		}
		return a, b
	})
}

// need is how many lines the panes above can fill, rules and heads included.
func (m *Model) need() int {
	if m.moment == nil {
		return m.height
	}
	m.hw.update(m, leftOf(m.width))
	beside := 0
	if m.recent[rankPane] > m.recent[commPane] {
		m.ranks.update(m)
		beside = m.ranks.count() + 1
	} else {
		m.comms.update(m)
		beside = m.comms.count()
	}
	heads := min(1, len(m.blocksNow(leftOf(m.width)).handles)-1)
	return 1 + max(len(m.hw.rows)+heads, beside)
}

// tall reports whether the panes below need more room: for a phase of a
// step, a deadlock, or what a line had to say.
func (m *Model) tall() bool {
	if m.log.fresh > 4 && m.recent[logPane] > m.recent[whyPane] {
		return true
	}
	return m.player.phase > 0 || m.asked != nil || m.moment != nil && m.moment.View.Deadlock != nil && m.sel.Empty()
}

// show brings a pane to the front of those that share its place.
func (m *Model) show(p paneID) {
	m.clock++
	m.recent[p] = m.clock
	m.arrange()
}

// focusOn gives a pane the keys.
func (m *Model) focusOn(p paneID) {
	m.focus, m.typing = p, false
	m.show(p)
}

// idle reports whether the session may be asked: it is open, and no line runs.
func (m *Model) idle() bool { return m.console != nil && m.busy == nil }

// Err is why the program must end: the session could not be opened.
func (m *Model) Err() error { return m.failed }

// patienceAtEnd is how long a line that runs may take to stop when the program ends.
const patienceAtEnd = 2 * time.Second

// Close ends the session.
func (m *Model) Close() {
	if m.busy != nil {
		m.busy.cancel()
		select {
		case <-m.busy.done:
		case <-time.After(patienceAtEnd): // it was not begun, or heeds nothing: the process ends it
			return
		}
	}
	if m.console != nil {
		m.console.Session.Close()
	}
}

var background = context.Background()
