// Package tui is the terminal UI: the hardware with its ranks, the communicators by descent, the table of ranks, an
// explanation of the selection, a log, and a prompt for the language of the REPL. It is the only room that imports
// bubbletea.
//
// The model holds a repl.Console. A line runs in a command of bubbletea, which alone touches the
// session until it is done; then a moment.Moment of its view is what the panes draw. A key that
// changes the session does so by a line of the language. A selection made in one pane lights up the
// same ranks in all. Each pane draws only the rows that show.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// Options are chosen when the program starts.
type Options struct {
	Config   repl.Config
	Colors   paint.Colors
	Dark     bool          // the background
	Ask      bool          // the terminal may tell of another background
	Still    bool          // no animation: nothing moves by itself
	Slow     func() bool   // whether the terminal takes too long just now for frames that follow each other fast; nil: it never does
	Mouse    bool          // the program gets clicks and the wheel; the terminal no longer selects text
	History  *edit.History // of lines, which new lines join; nil: none is kept
	Journal  string        // folder of the journals; "": none is kept
	Practice string        // file with the exercises that are solved; "": none is kept
	Lines    []string      // run before those of the person

	AllowFiles bool // the lines of scripts that are opened may read and write files

	// Flags reads the words of a script's "# commsplit:" line.
	Flags func(words []string) (repl.Config, error)
	// Copy puts a text into the terminal's clipboard.
	Copy func(text string) error

	// Now and After are the clock: nil is the clock of this machine.
	Now   func() time.Time
	After func(d time.Duration, msg tea.Msg) tea.Cmd // gives the message after a time
}

// Model is the state of the screen.
type Model struct {
	opts     Options
	inks     *paint.Palette
	width    int
	height   int
	console  *console.Console // nil until the session is open
	output   *output
	lines    *repl.Input
	busy     *running     // the lines that run; nil: none do
	still    sync.Mutex   // is held by what changes the session, and by what looks at it beside the screen
	queue    []string     // lines that were typed meanwhile, or before the session was open
	asked    *question    // that the running lines wait for; nil: none
	halt     *halt        // where the script that runs waits for the person; nil: it does not
	kept     []entry      // for the log, once the steps of a program that plays were seen
	page     *page        // of the script that ran last; nil: other lines ran since
	exercise *exercise    // that is being solved; nil: none is
	opening  time.Time    // when the session began to be opened
	head     string       // the prompt of the session before the lines that run
	failed   error        // why there is no session
	began    *hw.Topology // the hardware that the session began on, and
	notes    []string     // what a person must know of it

	moment *moment.Moment // nil until the session is open
	going  *goal          // the step that is looked up, in a large world; nil: none is
	sel    moment.Selection
	lit    *moment.Lit
	handle int  // index of the variable that letters are of
	all    bool // all variables side by side
	world  bool // cells name ranks of the world

	drawn   []string                      // the lines of the panes, while nothing changes them; nil: they are to be put together anew
	wanted  map[any]func() (shows func()) // make what panes lack, by where it is kept
	events  int                           // number of events so far, to notice a later event
	parts   [][]paint.Line                // what they are made of, by the places of the layout; nil: to be drawn anew
	layout  layout
	borders borders
	focus   paneID
	shown   shown
	panes   []pane // in the order of paneTable
	recent  []int  // when each pane had the focus last: of panes that share a place, the latest shows
	clock   int
	typing  bool // keys go to the prompt

	hw       hwView
	comms    commView
	ranks    rankView
	why      whyView
	log      logView
	sites    sitesView
	timed    timeView
	prompt   editor
	drafting drafting
	player   player
	verdicts map[string]string // on predictions, by question
	find     finder
	over     overlay // in front of all; nil: nothing is
	notice   string  // that the last key left below the prompt
	viewer   int     // the rank that was selected last: intercommunicators are seen from its side
	leaving  bool    // q was pressed once
}

// New returns a model whose first command opens the session.
func New(o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = func(d time.Duration, msg tea.Msg) tea.Cmd { return tea.Tick(d, func(time.Time) tea.Msg { return msg }) }
	}
	if o.Slow == nil {
		o.Slow = func() bool { return false }
	}
	m := &Model{opts: o, focus: commPane, typing: true, lit: &moment.Lit{}, output: &output{}, wanted: map[any]func() func(){}}
	m.inks = paint.NewPalette(o.Colors, o.Dark)
	m.lines = repl.NewInput("<input>")
	m.prompt.cut = repl.NewInput("")
	m.prompt.Begin(o.History)
	m.prompt.Complete, m.prompt.Beside, m.prompt.GoesOn = m.proposals, m.besideProposal, repl.IsNumber
	for i := range paneTable {
		m.panes = append(m.panes, paneTable[i].of(m))
	}
	m.recent = make([]int, len(m.panes))
	m.recent[commPane], m.recent[whyPane], m.clock = 1, 1, 1
	m.player.speed, m.verdicts = 2, map[string]string{}
	m.queue = o.Lines
	return m
}

// Init opens the session beside the first frame.
func (m *Model) Init() tea.Cmd {
	m.opening = m.opts.Now()
	return tea.Batch(m.open(m.opts.Config), m.lookAgain())
}

// news is a message of ours: what happens on the screen because work beside it was done, or time has passed.
type news func(m *Model) tea.Cmd

// aside is news that leaves the panes as they are, or draws them anew itself.
type aside news

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if happens, ok := msg.(aside); ok {
		return m, happens(m)
	}
	if key, ok := msg.(tea.KeyMsg); !ok || !m.editsLine(key) {
		m.redraw()
	}
	cmd := m.take(msg)
	return m, tea.Batch(cmd, m.rest(), m.follow())
}

func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case news:
		return msg(m)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.arrange()
	case tea.KeyMsg:
		m.settle()
		cmd := m.keys(msg)
		m.release()
		return cmd
	case tea.MouseMsg:
		m.settle()
		return m.mouse(msg)
	}
	return nil
}

// editsLine reports whether a key only edits the line at the prompt, which leaves all panes as they are.
func (m *Model) editsLine(msg tea.KeyMsg) bool {
	if m.over != nil || !m.typing || m.find.typing || m.asked != nil || m.halt != nil || m.player.on || m.player.motion != nil || msg.Paste {
		return false
	}
	b := at(atPrompt, msg.String())
	return b == nil || b.where == atPrompt && !slices.Contains([]string{"enter", "tab", "esc", "ctrl+c", "ctrl+d", "pgup", "pgdown"}, b.keys[0])
}

// redraw makes all panes be drawn anew.
func (m *Model) redraw() { m.drawn, m.parts = nil, nil }

// arrange divides the screen again.
func (m *Model) arrange() {
	m.redraw()
	m.layout = arrange(m.width, m.height, wishes{m.focus, m.shown, m.reading(), m.log.talks(m.logWidth()), m.recent, m.wholeWhy, m.fitsWhy})
	m.layout.shiftColumn(m.borders.column)
	for i := range paneTable {
		m.layout.shiftRule(paneID(i), m.borders.rules[paneID(i)])
	}
}

// reading reports whether the screen has a text that stays until the person reacts to it: the page of a script, a
// question, or the diagnosis of a deadlock.
func (m *Model) reading() bool {
	return m.page != nil || m.asked != nil || m.moment != nil && m.moment.View.Deadlock != nil
}

// idle reports whether the session may be asked: it is open, and no line runs.
func (m *Model) idle() bool { return m.console != nil && m.busy == nil }

// Err returns why the program must end; nil while the session is open.
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

// running is lines that run in the background.
type running struct {
	cancel   context.CancelFunc
	done     chan struct{} // closed when they have ended
	messages chan news     // questions, then the end; has room for one, as each question waits
	still    *sync.Mutex   // of the model; let go while they wait for the person
	judged   []verdict     // on predictions; the next message brings them to the screen
	seen     int           // the step that the person saw last
	heard    int           // lines that ranks had said by then
	since    time.Time     // they run, or were stopped
	what     string        // the line that ran last, as far as the screen knows
	stopping bool          // they were stopped, and wind down: the screen shows the session without them
	lesson   *lesson       // the script whose lines these are; nil: none
	typed    io.Writer     // shows lines of the script in the log
}

// next waits for the next message of the lines: a question, or their end.
func (r *running) next() tea.Msg { return <-r.messages }

// answered sends news to the screen and waits for the person's reply; ok is false when the lines were stopped. While it
// waits, others may look at the session.
func answered[T any](ctx context.Context, r *running, msg news, replies <-chan T) (reply T, ok bool) {
	r.still.Unlock()
	defer r.still.Lock()
	r.messages <- msg
	select {
	case reply = <-replies:
		return reply, true
	case <-ctx.Done():
		return reply, false
	}
}

// open starts a session.
func (m *Model) open(cfg repl.Config) tea.Cmd {
	out, width, journal, files := m.output, 100, m.opts.Journal, m.opts.AllowFiles
	return func() tea.Msg {
		c, err := console.NewConsole(background, cfg, out.as(said), out.as(wrong), render.Style{Width: width})
		if err != nil {
			return news(func(m *Model) tea.Cmd { m.failed = err; return tea.Quit })
		}
		c.AllowFiles = files
		c.Prompt, c.Brief, c.Terminal = true, true, true
		c.KeepJournal(journal)
		c.Welcome()
		first := moment.NewMoment(c.Session.View(), -1, nil).Prepared()
		return news(func(m *Model) tea.Cmd { return m.opened(c, first) })
	}
}

func (m *Model) opened(c *console.Console, first *moment.Moment) tea.Cmd {
	m.console = c
	m.began, m.notes = first.View.Snapshot.Topology, c.Session.Notes()
	m.log.add(m.output.take()...)
	m.see(first)
	m.notice = m.console.Lost()
	return m.runQueue()
}

// free reports whether the session can do something now; if not, it tells why.
func (m *Model) free() bool {
	switch {
	case m.console == nil:
		m.notice = "the world is still being made"
	case m.busy != nil && m.busy.stopping:
		m.notice = "the stopped line is ending; try again then"
	case m.busy != nil && m.resting():
		m.notice = "a script waits for you at the prompt; Ctrl-C ends it"
	case m.busy != nil:
		m.notice = "a line is still running: Ctrl-C stops it"
	}
	return m.idle()
}

// run runs lines one after the other, as if they were typed.
func (m *Model) run(lines ...string) tea.Cmd {
	if !m.free() {
		return nil
	}
	var steps []step
	for _, line := range lines {
		head, more, _ := strings.Cut(strings.TrimLeft(line, "\n"), "\n") // a whole program is one line
		if more != "" {
			head += " …"
		}
		shown := m.console.PromptText(m.lines.Pending()) + head
		if len(steps) == 0 {
			m.log.add(entry{shown, typed})
		} else { // behind what comes of the lines before
			steps = append(steps, func(context.Context, *console.Console) error {
				_, err := fmt.Fprintln(m.output.as(typed), shown)
				return err
			})
		}
		chunks, err := m.lines.Feed(line, true)
		for _, chunk := range chunks {
			steps = append(steps, m.exercise.doing(chunk))
		}
		if err != nil {
			steps = append(steps, func(context.Context, *console.Console) error { return err })
		}
	}
	if len(steps) == 0 {
		return nil
	}
	return m.perform(steps)
}

// perform runs steps with the session in the background. It goes on after a step that fails; a script is one step, and
// ends where it fails.
func (m *Model) perform(steps []step) tea.Cmd {
	ctx, cancel := context.WithCancel(background)
	r := &running{cancel: cancel, done: make(chan struct{}), messages: make(chan news, 1), still: &m.still}
	r.seen, r.heard = m.moment.Last, m.moment.Present.Snapshot.Spoken()
	r.since, m.head = m.opts.Now(), m.console.PromptText(m.lines.Pending())
	m.busy, m.notice, m.page, m.going = r, "", nil, nil
	r.typed = m.output.as(typed)
	m.console.Style.Width = m.logWidth()
	m.player.stop()
	m.player.leave(m)
	c, before := m.console, m.moment
	r.predicting(ctx, c, before)
	work := func() tea.Msg {
		go r.work(ctx, c, before, steps)
		return r.next()
	}
	return tea.Batch(work, m.lookAgain())
}

func (r *running) work(ctx context.Context, c *console.Console, before *moment.Moment, steps []step) {
	defer close(r.done)
	r.still.Lock()
	defer r.still.Unlock()
	defer r.cancel()
	failed := false
	for _, step := range steps {
		if err := repl.Guarded(func() error { return step(ctx, c) }); err != nil {
			repl.WriteError(c.Err, err)
			if failed = true; errors.Is(ctx.Err(), context.Canceled) {
				break
			}
		}
	}
	now, judged := moment.NewMoment(c.Session.View(), -1, before).Prepared(), r.verdicts()
	r.messages <- func(m *Model) tea.Cmd { return m.ran(now, failed, judged) }
	if now.Size() >= large {
		go runtime.GC() // else keys collect what lines left, and the program grows with them until its world is full
	}
}

// lookAgain wakes the screen while lines run, to show their output and how far they are.
func (m *Model) lookAgain() tea.Cmd {
	return m.opts.After(100*time.Millisecond, aside((*Model).stillRunning))
}

func (m *Model) stillRunning() tea.Cmd {
	if m.resting() {
		return nil // when lines go on, the screen looks again
	}
	if !m.player.autoplay {
		if printed := m.output.take(); len(printed) > 0 {
			m.log.add(printed...)
			m.arrange()
		}
	}
	return m.lookAgain()
}

// ran shows the result of lines that have run; failed tells whether one of them was wrong.
func (m *Model) ran(now *moment.Moment, failed bool, judged []verdict) tea.Cmd {
	seen := m.busy.seen
	if m.busy.lesson != nil {
		m.page = m.busy.lesson.page
	}
	m.busy, m.asked, m.halt = nil, nil, nil
	m.graded()
	told := m.output.take()
	auto := m.player.autoplay && !failed && len(m.queue) == 0
	m.player.autoplay = false
	if m.kept = told; !auto {
		m.release()
	}
	fresh := changed(m.moment, now)
	recorded := now.View.Timeline != nil && (m.moment == nil || m.moment.View.Timeline != now.View.Timeline)
	m.see(now)
	if fresh >= 0 && len(now.View.Snapshot.Waiting) == 0 {
		m.handle = fresh
	}
	m.why.need = need{}
	m.arrange() // why and the log may have more to tell, or less
	m.reveal(commPane)
	switch {
	case failed:
		m.show(logPane)
	case recorded: // its first picture
		m.show(timePane)
	case m.page != nil:
		m.show(whyPane)
	case len(now.View.Snapshot.Waiting) > 0:
		m.choose(moment.Selection{})
		m.show(whyPane)
	case len(told) > 1 && fresh < 0:
		m.show(logPane)
		if len(told) > m.height/3 {
			m.notice = "Esc 5 goes to the log, + shows it alone there"
		}
	case fresh >= 0:
		m.show(whyPane)
	}
	if m.console.Quitting() {
		return tea.Quit
	}
	m.judge(judged)
	if cmd := m.runQueue(); cmd != nil {
		return cmd
	}
	switch {
	case auto:
		return m.playOrPause()
	case fresh < 0 || failed || len(now.View.Snapshot.Waiting) > 0:
	case m.shown == forLesson:
		return m.phaseOn()
	default:
		return m.playLast(seen)
	}
	return nil
}

// release adds the output of a program to the log, unless the program's steps still play: the log does not run
// ahead of them.
func (m *Model) release() {
	if !m.player.on && m.busy == nil {
		m.log.add(m.kept...)
		m.kept = nil
	}
}

// changed returns the handle that lines set. Of several, it is the last that holds a communicator, otherwise the
// last; -1 for none.
func changed(before, after *moment.Moment) int {
	found := -1
	for k := len(after.Handles) - 1; k > 0; k-- {
		h := &after.Handles[k]
		i := before.Handle(h.Name)
		if i >= 0 && slices.Equal(before.Handles[i].IDs, h.IDs) {
			continue
		}
		if slices.ContainsFunc(h.IDs, func(id int32) bool { return id >= 0 }) {
			return k
		}
		found = max(found, k)
	}
	return found
}

// see shows a moment.
func (m *Model) see(next *moment.Moment) {
	m.redraw()
	before := m.moment
	m.moment, m.going = next, nil
	if before == nil || !before.Ground.SameWorld(next.Ground) {
		for _, p := range m.panes {
			p.renew()
		}
		m.sel = moment.Selection{}
	}
	if before != nil && m.handle < len(before.Handles) {
		m.handle = max(0, next.Handle(before.Handles[m.handle].Name))
	}
	m.choose(m.known(m.sel))
}

// known returns the selection without communicators that do not exist at the present moment.
func (m *Model) known(s moment.Selection) moment.Selection {
	var comms []int
	for _, id := range s.Comms {
		if m.moment.View.Snapshot.Comm(id) != nil {
			comms = append(comms, id)
		}
	}
	s.Comms = comms
	return s
}

// submit runs lines that were typed or pasted. While other lines run, they wait in the queue.
func (m *Model) submit(lines ...string) tea.Cmd {
	if m.idle() {
		return m.run(lines...)
	}
	m.queue = append(m.queue, lines...)
	return nil
}

// runQueue runs the lines that were typed while others ran.
func (m *Model) runQueue() tea.Cmd {
	lines := m.queue
	m.queue = nil
	if len(lines) == 0 {
		return nil
	}
	return m.run(lines...)
}

// dropQueue drops the lines that wait, as a shell does after Ctrl-C; the history keeps them.
func (m *Model) dropQueue() {
	if n := len(m.queue); n > 0 {
		m.notice = spell.Plural(n, "waiting line") + " dropped; the history has what you typed"
		m.queue = nil
	}
}

func (m *Model) stopOrQuit() tea.Cmd {
	switch {
	case m.console == nil:
		return m.leaveUnopened()
	case m.busy != nil && !m.busy.stopping:
		return m.interrupt()
	}
	return m.quit()
}

// leaveUnopened handles Ctrl-C while the session is being opened, which may take long: the program ends.
func (m *Model) leaveUnopened() tea.Cmd {
	m.failed = context.Canceled
	return tea.Quit
}

// quit leaves; with lines in the session it asks once.
func (m *Model) quit() tea.Cmd {
	if m.leaving || m.busy == nil && (m.console == nil || len(m.console.Session.Chunks()) == 0) {
		return tea.Quit
	}
	m.leaving = true
	m.notice = "q again leaves; Ctrl-S saves the session as a script first"
	return nil
}
