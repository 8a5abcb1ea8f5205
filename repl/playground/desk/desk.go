// Package desk answers the requests of a page that has a session: lines to run, words to complete, lessons and
// exports to choose. A page sends a Request and gets an Answer, both as JSON, whether the desk is in the page, as
// WebAssembly, or behind a server.
//
// The model: a Desk has one session, that of its page. What came of a request is reported in the words of the prompt,
// and as the document that the panes of package render/page show. A session reads and writes no files. Its Link is
// the text by which another desk opens the same session: it runs the same lines again, which the determinism of the
// engine makes exact.
package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/page"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// Desk answers the requests of one page, one at a time.
type Desk struct {
	// Memory is how much memory, in bytes, the session may take; 0: as much as at the prompt.
	Memory uint64
	// Shares says that sessions of other pages are in the process.
	Shares bool
	// Time is how long a request may take; 0: as long as it wants.
	Time time.Duration

	console *console.Console
	input   *repl.Input
	script  *opened          // the script or exercise that the session began with; nil for none
	solves  *practice.Dialog // nil for no exercise
	said    []said
	kept    []string    // entries for the history
	tongue  string      // in which lines are said
	again   string      // a line of the link that failed, for the prompt
	feed    page.Feed   // of the panes
	has     int         // the number of the document that the page has
	rooms   []page.Room // for which the page wants its hardware arranged
}

// opened is a script that a session began with, and the chunks that it consists of.
type opened struct {
	key    string // of a link
	name   string
	title  string
	until  int // the step up to which it ran; -1: its end
	chunks []*lang.Chunk
}

// Request is a request of a page.
type Request struct {
	ID      int        `json:"id"`
	Verb    string     `json:"verb"`              // a key of verbs
	Text    string     `json:"text,omitempty"`    // a link, a line, or the line up to the cursor
	Columns int        `json:"columns,omitempty"` // how many characters of a line the page can show
	Ranks   int        `json:"ranks,omitempty"`   // of a fresh world; 0: one per core
	Room    *page.Room `json:"room,omitempty"`    // of the pane of the hardware, once the page shows it
	Has     int        `json:"has,omitempty"`     // the number of the document that the panes show; 0 for none

	// Say is the language of stories.Tongues into which lines that run are translated; "" for none.
	Say string `json:"say,omitempty"`

	// Of an export:
	To      string `json:"to,omitempty"`
	Picture string `json:"picture,omitempty"`
	Handle  string `json:"handle,omitempty"`
	Theme   string `json:"theme,omitempty"`
}

// Answer is the answer to a request. It has only the fields that the request asks for.
type Answer struct {
	ID    int    `json:"id"`
	Error string `json:"error,omitempty"` // why the request itself cannot be answered
	Lost  bool   `json:"lost,omitempty"`  // there is no session: the page must open one. With an error, the request ended it

	Said    []Said          `json:"said,omitempty"`    // in order
	Kept    []string        `json:"kept,omitempty"`    // entries for the history
	Again   string          `json:"again,omitempty"`   // a line of the link that failed
	Prompt  string          `json:"prompt,omitempty"`  // what stands before the next line
	Pending bool            `json:"pending,omitempty"` // a statement has begun, and a blank line ends it
	Session *State          `json:"session,omitempty"` // as it is now
	Page    json.RawMessage `json:"page,omitempty"`    // the document of the panes, or what came behind the one that the page has

	Line    string   `json:"line,omitempty"`    // the line as Tab leaves it
	Start   int      `json:"start,omitempty"`   // characters before the word that is completed
	Options []string `json:"options,omitempty"` // what it may become
	Hint    string   `json:"hint,omitempty"`    // what the line is about
	Mistake *Mistake `json:"mistake,omitempty"`
	Files   []File   `json:"files,omitempty"`
	Solved  string   `json:"solved,omitempty"` // the exercise to which the lines are a right answer
}

// Said is a part of the output: of kind "line", a line that was run, behind its prompt; of kind "out", what the line
// printed; of kind "bad", an error or a warning.
type Said struct {
	Kind   string `json:"kind"`
	Prompt string `json:"prompt,omitempty"`
	Text   string `json:"text"`
}

// State is the session as its page keeps it.
type State struct {
	Link     string   `json:"link"`
	Title    string   `json:"title"`
	Size     int      `json:"size"`
	Topology string   `json:"topology"`
	Script   string   `json:"script"`   // that the session began with
	Until    *int     `json:"until"`    // the step up to which the script ran; nil: to its end
	Exercise bool     `json:"exercise"` // it is an exercise, which can be checked
	Handles  []string `json:"handles"`  // variables that pictures may show, world first
}

// Mistake is the first mistake in a line, at a character from 0.
type Mistake struct {
	At   int    `json:"at"`
	Text string `json:"text"`
}

// verbs are the requests that a page may make. All but open need a session. The error of a verb is about the request; a
// mistake in a line is reported as at the prompt.
var verbs = map[string]func(d *Desk, ctx context.Context, q *Request, a *Answer) error{
	"open": (*Desk).open, "world": (*Desk).fresh, "line": (*Desk).line, "arrange": (*Desk).arrange, "forget": (*Desk).forget,
	"complete": (*Desk).complete, "check": (*Desk).check, "export": (*Desk).export,
}

// Answer answers a request. When ctx ends, the line that runs is stopped.
func (d *Desk) Answer(ctx context.Context, q *Request) *Answer {
	a := &Answer{ID: q.ID}
	does := verbs[q.Verb]
	switch {
	case does == nil:
		a.Error = fmt.Sprintf("a page cannot ask for %q", q.Verb)
		return a
	case d.console == nil && q.Verb != "open":
		a.Lost = true
		return a
	}
	d.said, d.kept, d.again, d.has, d.tongue = nil, nil, "", q.Has, q.Say
	d.rooms = nil
	if q.Room != nil {
		d.rooms = q.Room.Around()
	}
	if d.Time > 0 {
		var stop func()
		limit := &repl.Limit{Message: fmt.Sprintf("the line was stopped: on this page a line may take %v", d.Time)}
		ctx, stop = context.WithTimeoutCause(ctx, d.Time, limit)
		defer stop()
	}
	err := repl.Guarded(func() error { return does(d, ctx, q, a) })
	if crash := (*repl.Crash)(nil); errors.As(err, &crash) {
		d.console, a.Lost = nil, true
	}
	if err != nil {
		a.Error = err.Error()
	}
	a.Kept, a.Again = d.kept, d.again
	for _, part := range d.said {
		part.Text = string(part.text)
		a.Said = append(a.Said, part.Said)
	}
	d.said = nil
	return a
}

// Close ends the session.
func (d *Desk) Close() {
	if d.console != nil {
		d.console.Session.Close()
		d.console = nil
	}
}

// stream adds the output of the console to the list of parts.
type stream struct {
	d    *Desk
	kind string
}

func (s stream) Write(text []byte) (int, error) {
	s.d.say(s.kind, string(text))
	return len(text), nil
}

// said is a part of the output while its text grows.
type said struct {
	Said
	text []byte
}

// say adds text to the last part if that has the same kind, and else a new part.
func (d *Desk) say(kind, text string) {
	if text == "" && kind == "out" {
		return
	}
	if n := len(d.said); n == 0 || d.said[n-1].Kind != kind {
		d.said = append(d.said, said{Said: Said{Kind: kind}})
	}
	last := &d.said[len(d.said)-1]
	last.text = append(last.text, text...)
}

// tell adds an error in the words of the prompt.
func (d *Desk) tell(err error) {
	repl.WriteError(stream{d, "bad"}, err)
}

// mostColumns and leastColumns bound the width of the output.
const (
	leastColumns = 40
	mostColumns  = 200
)

// columns fits the output to the page.
func (d *Desk) columns(q *Request) {
	if q.Columns > 0 {
		d.console.Style.Width = min(max(q.Columns, leastColumns), mostColumns)
	}
}

// sealed is why no line reads or writes files.
const sealed = "this page reads and writes no files; what it exports can be downloaded"

// begin opens a session on a fresh world.
func (d *Desk) begin(ctx context.Context, cfg repl.Config, q *Request) error {
	cfg.Memory, cfg.MemoryOf, cfg.Shares = d.Memory, "no page has more", d.Shares
	style := render.Style{Width: 80, Colors: paint.NoColor}
	console, err := console.NewConsole(ctx, cfg, stream{d, "out"}, stream{d, "bad"}, style)
	if err != nil {
		return err
	}
	d.Close()
	d.console, d.input, d.script = console, repl.NewInput("<input>"), nil
	d.solves = nil
	console.Prompt, console.Brief, console.Terminal = true, true, true
	console.Session.Sealed = sealed
	console.Session.Ticks = make(chan time.Time) // never: a page gets what a line printed when the line has ended
	d.columns(q)
	return nil
}

// arrange gives the page its panes again, for a window that has changed.
func (d *Desk) arrange(_ context.Context, _ *Request, a *Answer) error { return d.present(a) }

// line runs the typed text: a line, or several lines that belong together.
func (d *Desk) line(ctx context.Context, q *Request, a *Answer) error {
	d.columns(q)
	if ok, err := d.word(ctx, q); err != nil {
		return err
	} else if !ok {
		d.run(ctx, q.Text)
	}
	return d.present(a)
}

// run runs the typed text, and reports the results. It returns the first error, which is reported, too.
func (d *Desk) run(ctx context.Context, text string) (first error) {
	for _, line := range repl.Typed(text) {
		if line != "" || !strings.Contains(text, "\n") {
			d.said = append(d.said, said{Said{Kind: "line", Prompt: d.console.PromptText(d.input.Pending())}, []byte(strings.TrimLeft(line, "\n"))})
		}
		chunks, err := d.input.Feed(line, true)
		d.kept = append(d.kept, d.input.Entries()...)
		for _, c := range chunks {
			if e := d.do(ctx, c); e != nil && first == nil {
				first = e
			}
		}
		if err != nil {
			d.tell(err)
			if first == nil {
				first = err
			}
		}
	}
	return first
}

// do runs a chunk, and tells its error. A question is asked by the page, which knows the answer from its document.
func (d *Desk) do(ctx context.Context, c *lang.Chunk) error {
	asks := repl.Issues(c, "ask")
	out := d.console.Out
	if asks {
		d.console.Out = stream{&Desk{}, "out"}
	}
	does := d.console.Do
	if d.solves != nil {
		does = d.answers
	}
	err := does(ctx, c)
	d.console.Out = out
	switch {
	case err != nil:
		d.tell(err)
	case asks:
		d.say("out", "The question is asked in the pane Why.\n")
	case d.console.Quitting() && c.Kind == lang.Meta && strings.HasPrefix("quit", c.Verb.Text):
		d.say("out", "This session ends when you close the page.\n")
	default:
		d.say("out", stories.Translated(d.console.Session, c, d.tongue))
	}
	return err
}

// forget gives up a statement that has begun.
func (d *Desk) forget(_ context.Context, _ *Request, a *Answer) error {
	d.input.Reset()
	a.Prompt, a.Pending = d.console.PromptText(false), false
	return nil
}

// fresh makes a fresh world of q.Ranks ranks on the hardware that the text names. The person can undo it.
func (d *Desk) fresh(ctx context.Context, q *Request, a *Answer) error {
	d.columns(q)
	cfg := d.console.Session.Config()
	cfg.Policy.List = "" // of other PUs
	cfg.Size, cfg.Topo = q.Ranks, strings.TrimSpace(q.Text)
	err := allowed(cfg)
	if err == nil {
		err = d.console.Session.Restart(ctx, cfg)
	}
	if err != nil {
		d.tell(err)
		return d.present(a)
	}
	d.input.Reset()
	d.say("out", d.console.Session.Describe()+"\na fresh world; undo brings the former one back\n")
	return d.present(a)
}

// present adds the session as it is now.
func (d *Desk) present(a *Answer) error {
	s := d.console.Session
	if d.solves != nil && d.solves.Left() {
		d.solves = nil
		d.wrapped("The exercise has ended: this is another world; practice opens it again.")
	}
	a.Prompt, a.Pending = d.console.PromptText(d.input.Pending()), d.input.Pending()
	a.Session = &State{
		Link: d.link(), Size: s.Size(), Topology: s.Config().Topo,
		Handles: append([]string{"world"}, s.Handles()...),
	}
	a.Session.Title = "commsplit"
	if d.script != nil {
		a.Session.Script, a.Session.Title, a.Session.Exercise = d.script.name, d.script.title, d.solves != nil
		if d.script.until >= 0 {
			a.Session.Until = &d.script.until
		}
	}
	var solves func(*render.View) *page.Exercise
	if d.solves != nil {
		if solves = d.solved; d.solves.Solved {
			a.Solved = d.solves.Name
		}
	}
	data, err := stories.PageData(s, &d.feed, a.Session.Title, d.has, d.rooms, solves)
	if err != nil {
		d.say("bad", "note: the panes show nothing: "+err.Error()+"\n")
		return nil
	}
	a.Page = data
	return nil
}
