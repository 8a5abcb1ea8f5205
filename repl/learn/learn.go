// Package learn walks a person through the lessons, one step at a time, and remembers where the person
// stopped. It reads and writes only what it is given; what the lines of a lesson do is repl's. A step is a
// note and the lines up to the next one.
package learn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/progress"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// Player plays lessons.
type Player struct {
	Out io.Writer
	// Ask reads an answer. It returns io.EOF or edit.ErrAborted when the person leaves.
	Ask func(prompt string) (string, error)
	// Open makes the world that a lesson asks for. Its console writes on Out.
	Open     func(ctx context.Context, s *stories.Script) (*console.Console, error)
	Progress *progress.Progress
	Width    int
	// Say is the language of stories.Tongues into which each line of a lesson is translated; "" for none. The person can
	// also set it with .say.
	Say string
}

// errLeave tells that the person leaves.
var errLeave = errors.New("leave")

// errBack tells that the person goes back: to the step behind so many steps.
type errBack int

func (errBack) Error() string { return "back" }

// From plays the lessons from first on, which begins at the step where the person stopped, until the last lesson or
// until the person leaves. The progress is saved after each step.
func (p *Player) From(ctx context.Context, first scripts.Example) error {
	list := scripts.Lessons.Examples()
	for at := max(slices.Index(list, first), 0); at < len(list); at++ {
		p.title(at+1, list)
		end, next := "", ""
		if at+1 < len(list) {
			next = list[at+1].Name
			end = fmt.Sprintf("\nThat was lesson %d of %d. Enter for the next, q to leave> ", at+1, len(list))
		}
		err := p.lesson(ctx, list[at], next, end)
		if errors.Is(err, errLeave) {
			if _, stopped := p.Progress.Stopped(list[at].Name); stopped || !p.Progress.Done(list[at].Name) {
				fmt.Fprintln(p.Out, "commsplit learn goes on here.")
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintln(p.Out, "That was the last lesson. commsplit learn N repeats a lesson, commsplit learn --reset starts over.")
	return nil
}

// title names the lesson before it begins.
func (p *Player) title(number int, list []scripts.Example) {
	e := list[number-1]
	text := fmt.Sprintf("Lesson %d of %d: %s", number, len(list), e.Title)
	if e.Section != "" {
		text += " [" + e.Section + "]"
	}
	fmt.Fprintf(p.Out, "\n%s\n", repl.Wrap(text, p.Width, ""))
}

// lesson plays one lesson, and then waits with the prompt end, unless end is "". A person who goes back sees the step
// before once more.
func (p *Player) lesson(ctx context.Context, e scripts.Example, next, end string) error {
	script := stories.NewScript(e.File, e.Text)
	chunks, err := script.Chunks()
	if err != nil {
		return err
	}
	seen, _ := p.Progress.Stopped(e.Name)
	for {
		err := p.play(ctx, script, chunks, e.Name, seen, next, end)
		var back errBack
		if !errors.As(err, &back) {
			return err
		}
		seen = int(back)
	}
}

// play runs a lesson from its beginning. The steps that were seen before run again, unseen.
func (p *Player) play(ctx context.Context, script *stories.Script, chunks []*lang.Chunk, name string, seen int, next, end string) error {
	console, err := p.Open(ctx, script)
	if err != nil {
		return err
	}
	defer console.Session.Close()
	parts := Parts(chunks)
	for step, part := range parts {
		p.Progress.Reached(name, max(step, seen))
		if step > seen {
			if err := p.pause(ctx, console, step, fmt.Sprintf("\npart %d of %d: Enter to go on, q to leave> ", step, len(parts))); err != nil {
				return err
			}
		}
		for i, c := range part {
			console.Asked = Asks(part[i+1:])
			if err := p.do(ctx, console, c, step < seen); err != nil {
				return err
			}
		}
	}
	if err := console.End(ctx); err != nil {
		return err
	}
	if p.Progress.Finished(name, next); end == "" {
		return nil
	}
	return p.pause(ctx, console, len(parts), end)
}

// Parts cuts the lines of a script into parts: a note, and the lines up to the next note. In a script without notes, a
// part is a line with the expectations behind it.
func Parts(chunks []*lang.Chunk) [][]*lang.Chunk {
	noted := slices.ContainsFunc(chunks, func(c *lang.Chunk) bool { return repl.Issues(c, "note") })
	var list [][]*lang.Chunk
	for _, c := range chunks {
		if len(list) == 0 || noted && repl.Issues(c, "note") || !noted && tells(c) {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], c)
	}
	return list
}

// Asks reports whether a question comes in the present part, of which these lines are left.
func Asks(rest []*lang.Chunk) bool {
	for _, c := range rest {
		switch {
		case repl.Issues(c, "ask"):
			return true
		case repl.Issues(c, "note"):
			return false
		}
	}
	return false
}

// do runs a line, after it was shown as at a prompt.
func (p *Player) do(ctx context.Context, console *console.Console, c *lang.Chunk, unseen bool) error {
	console.Out, console.Predict = p.Out, p.predict
	if unseen {
		console.Out, console.Predict = io.Discard, nil
	} else if tells(c) {
		console.Announce(c)
	}
	if err := console.Do(ctx, c); err != nil {
		return err
	}
	if !unseen && p.Say != own {
		fmt.Fprint(p.Out, stories.Translated(console.Session, c, p.Say))
	}
	return nil
}

// own is the dialect of the lessons, of stories.Tongues.
const own = "mpi4py"

// saysFrom keeps the language of a line .say c for the lines to come.
func (p *Player) saysFrom(c *lang.Chunk) {
	if c.Kind != lang.Meta || c.Verb.Text != "say" || len(c.Args) != 1 || !slices.Contains(stories.Tongues, c.Args[0].Text) {
		return
	}
	if p.Say = c.Args[0].Text; p.Say == own {
		p.say("From here on, lines are shown only in mpi4py.")
	} else {
		p.say("From here on, each line is also translated to " + stories.TongueName(p.Say) + "; .say mpi4py ends that.")
	}
}

// tells reports whether a line is shown before it runs: other lines speak for themselves, or only check that the lesson is
// right.
func tells(c *lang.Chunk) bool { return !repl.Checks(c) || repl.Issues(c, "expect_error") }

// pause waits for Enter behind a step of a lesson. Lines that the person tries run, and are taken back at the
// end; nothing is skipped. It returns errLeave when the person has enough, errBack when the person goes back.
func (p *Player) pause(ctx context.Context, console *console.Console, step int, prompt string) error {
	stop := StopAt(console)
	if err := p.wait(ctx, console, stop, step, prompt); err != nil {
		return err // the session ends
	}
	told, err := stop.GoOn(ctx)
	if told != "" {
		p.say(told)
	}
	return err
}

// wait waits for Enter.
func (p *Player) wait(ctx context.Context, console *console.Console, stop Stop, step int, prompt string) error {
	// The editor takes one line for its prompt.
	if at := strings.LastIndexByte(prompt, '\n'); at >= 0 {
		fmt.Fprintln(p.Out, prompt[:at])
		prompt = prompt[at+1:]
	}
	for {
		text, err := p.read(prompt)
		if err != nil {
			return err
		}
		switch WordOf(text) {
		case On:
			return nil
		case Back:
			if step > 1 {
				return errBack(step - 2)
			}
			fmt.Fprintln(p.Out, "This is the first step of the lesson.")
		case Help:
			p.say("Enter goes on, back repeats the previous step, q leaves. You can inspect: .show HANDLE, " +
				".explain HANDLE @3, .show table, .topo, .step, .help VERB. .say c, .say f08 or .say command also translates each line from then on. " +
				"You can try other lines, too; they are taken back when the lesson goes on.")
		default:
			p.try(ctx, console, stop, text)
		}
	}
}

// try runs a line of the person's own.
func (p *Player) try(ctx context.Context, console *console.Console, stop Stop, line string) {
	input := repl.NewInput("<input>")
	chunks, err := input.Feed(strings.TrimSpace(line), true)
	if input.Pending() {
		more, end := input.Close()
		chunks, err = append(chunks, more...), errors.Join(err, end)
	}
	console.Out, console.Predict = p.Out, nil
	for _, c := range chunks {
		refused, bad := stop.Try(ctx, c)
		if err = errors.Join(err, bad); refused != "" {
			p.say(refused)
		}
		p.saysFrom(c)
	}
	if err != nil {
		repl.WriteError(p.Out, err)
	}
}

func (p *Player) say(text string) { fmt.Fprintln(p.Out, repl.Wrap(text, p.Width, "")) }

// predict reads a prediction, which is not a line for the session.
func (p *Player) predict(prompt string) (string, error) {
	for {
		text, err := p.read(prompt)
		if err != nil || !isMeta.MatchString(text) {
			return text, err
		}
		p.say("Answer the question first: type what you expect, or Enter alone for the answer. Then you can type " + strings.TrimSpace(text) + ".")
	}
}

// isMeta matches lines that are meant for the session, and not as an answer.
var isMeta = regexp.MustCompile(`^\s*(\.[a-z]|(help|back|\?)\s*$)`)

// read reads a line; q and the end of input leave.
func (p *Player) read(prompt string) (string, error) {
	text, err := p.Ask(prompt)
	switch {
	case err == io.EOF:
		fmt.Fprintln(p.Out)
		return "", errLeave
	case errors.Is(err, edit.ErrAborted), err == nil && WordOf(text) == Leave:
		return "", errLeave
	case err != nil:
		return "", repl.AsInput(err)
	}
	return text, nil
}

// Stop is where a lesson waits for the person, at the prompt or on the screen. The person may try lines: they are taken
// back when the lesson goes on.
type Stop struct {
	console *console.Console
	written int // chunks before those that are tried
}

// StopAt lets a lesson wait where its session is now.
func StopAt(c *console.Console) Stop { return Stop{c, len(c.Session.Chunks())} }

// Try runs a line of the person's own; refused is the reason for not running a line that would lead elsewhere.
func (s Stop) Try(ctx context.Context, c *lang.Chunk) (refused string, err error) {
	if c.Kind == lang.Meta && !repl.Looks(c) {
		return "Not here: a lesson takes Enter, back, q, lines that only inspect, such as .show and .explain, and calls to try. " +
			"For anything else: " + stories.Command(s.console.Session) + ".", nil
	}
	return "", s.console.Try(ctx, c)
}

// GoOn takes back the lines that were tried; told is a sentence about that, "" where nothing was tried.
func (s Stop) GoOn(ctx context.Context) (told string, err error) {
	n, err := s.console.TakeBack(ctx, s.written)
	if n > 0 {
		told = "Taken back: " + spell.Plural(n, "line") + " that you tried."
	}
	return told, err
}

// Word is a wish of a person where a lesson waits, in place of a line to try.
type Word uint8

// The words of a lesson.
const (
	None Word = iota // it is a line
	On
	Back
	Leave
	Help
)

var words = map[string]Word{
	"": On, "on": On, "go on": On, "next": On, "continue": On, "back": Back, "b": Back, "help": Help, "?": Help, ".help": Help,
	"q": Leave, "quit": Leave, "exit": Leave, ".quit": Leave, ".exit": Leave,
}

// WordOf finds out which word a line is.
func WordOf(line string) Word { return words[strings.ToLower(strings.TrimSpace(line))] }
