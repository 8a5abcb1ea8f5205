package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/learn"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// worldsOfLessons are the worlds of the lessons that do not have six ranks on six cores.
var worldsOfLessons = map[string]repl.Config{
	"lesson-08-order-of-calls":   {Topo: "core:4", Size: 4},
	"lesson-09-why-dup":          {Topo: "core:2", Size: 2},
	"lesson-10-dup-costs":        {Topo: "core:4", Size: 4, Contexts: 8},
	"lesson-11-free":             {Topo: "core:4", Size: 4},
	"lesson-13-one-sided-color":  {Topo: "core:7", Size: 7},
	"lesson-14-shared-memory":    {Topo: "machine:2 core:4", Size: 8, Policy: placement.Policy{MapBy: "machine"}},
	"lesson-15-binding":          {Topo: "l3:2 core:4 pu:1", Size: 6, Policy: placement.Policy{List: "0,1,2-5,0-7,6,7"}},
	"lesson-16-unguided":         {Topo: "figure-7.3", Size: 12, Policy: placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"}},
	"lesson-17-leaders":          {Topo: "machine:2 core:4", Size: 8},
	"lesson-18-rows-and-columns": {Topo: "core:12", Size: 12},
	"lesson-19-groups":           {Topo: "core:8", Size: 8},
	"lesson-21-sessions":         {Topo: "core:6", Size: 6, Psets: []string{"app://ocean=0-3", "app://land=4-5"}},
	"lesson-22-idup":             {Topo: "core:4", Size: 4},
}

// subject is the variable whose value a question asks for.
var subject = regexp.MustCompile(`(\w+)(\.rank|\.size|==MPI\.COMM_NULL|!=MPI\.COMM_NULL)`)

// In a lesson, log, panes and question show the same moment: the log has no note of a later part, a question
// stands in it once it is asked, and the variable that it asks about does not show before the answer. After
// an answer the lesson waits for a key, with the verdict on the page.
func TestLessonsInStep(t *testing.T) {
	t.Parallel()
	for _, e := range scripts.Lessons.Examples() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			cfg, ok := worldsOfLessons[e.Name]
			if !ok {
				cfg = six
			}
			m := opened(t, cfg, 120, 60)
			example(t, m, e.Name, cfg)
			chunks, err := stories.NewScript(e.File, e.Text).Chunks()
			if err != nil {
				t.Fatal(err)
			}
			parts := learn.Parts(chunks)
			asked := 0
			for m.asked != nil || m.halt != nil {
				inStep(t, m, parts)
				if m.asked == nil {
					press(t, m, "enter")
					continue
				}
				asked++
				press(t, m, "xyzzy", "enter")
				if m.halt == nil && m.busy != nil || strings.Count(logText(m), "Answer:") != asked {
					t.Fatalf("after answer %d: %+v\n%s", asked, m.halt, plain(m))
				}
			}
			if n := strings.Count(e.Text, "ask \""); asked != n || m.busy != nil || m.moment.Present.Expectations.Failed > 0 {
				t.Errorf("%d of %d questions, failures %v", asked, n, m.moment.Present.Expectations.Failures)
			}
		})
	}
}

// inStep looks at one moment of a lesson.
func inStep(t *testing.T, m *Model, parts [][]*lang.Chunk) {
	t.Helper()
	log := logText(m)
	for i, part := range parts {
		for _, c := range part {
			text := firstText(c.Text)
			has := text != "" && strings.Contains(log, text)
			switch {
			case c.Kind != lang.Command:
			case c.Verb.Text == "note" && has != (i < m.page.part):
				t.Errorf("part %d: the log has note %d: %v", m.page.part, i+1, has)
			case c.Verb.Text == "ask" && has && i >= m.page.part:
				t.Errorf("part %d: the log has the question of part %d", m.page.part, i+1)
			case c.Verb.Text == "ask" && m.asked != nil && m.asked.text == text:
				about(t, m, c.Text)
			}
		}
	}
	if m.asked != nil && (!strings.Contains(log, m.asked.text) || m.page.rows[len(m.page.rows)-1].text != m.asked.text) {
		t.Errorf("%q is asked, and does not show", m.asked.text)
	}
}

// about looks for what a question asks for on the screen.
func about(t *testing.T, m *Model, question string) {
	t.Helper()
	found := subject.FindStringSubmatch(question)
	if found == nil || found[1] == "world" {
		return
	}
	before, now := m.moment, m.asked.moment
	if k := before.Handle(found[1]); k >= 0 && slices.Equal(before.Handles[k].IDs, now.Handles[now.Handle(found[1])].IDs) {
		t.Errorf("%s shows before %q is answered", found[1], m.asked.text)
	}
}

// firstText is the text that a note or a question begins with.
func firstText(line string) string {
	_, rest, _ := strings.Cut(line, `"`)
	text, _, _ := strings.Cut(rest, `"`)
	return text
}

// logText is the log as one line.
func logText(m *Model) string {
	var words []string
	for _, e := range m.log.entries {
		words = append(words, strings.Fields(e.text)...)
	}
	return strings.Join(words, " ")
}

// A lesson waits for the person, also where the screen moves by itself: nothing but Enter goes on. The split that answers
// a question plays when it was answered.
func TestLessonWaits(t *testing.T) {
	t.Parallel()
	m := opened(t, six, 120, 40)
	m.opts.Still = false
	asked := 0 // messages for a later time
	m.opts.After = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		if _, looks := msg.(aside); !looks {
			asked++
		}
		return nil
	}
	next := func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		msg := cmd()
		if list, ok := msg.(tea.BatchMsg); ok { // the others look at the session beside the screen
			msg = list[0]()
		}
		m.Update(msg)
	}
	m.opts.Flags = flagsOf(six)
	e, _ := scripts.Lesson("1")
	next(m.openExample(e))
	if m.halt == nil || m.page.part != 1 || asked > 0 {
		t.Fatalf("part %d, %d messages for later", m.page.part, asked)
	}
	_, cmd := m.Update(keyMsg("enter"))
	next(cmd)
	if m.page.part != 2 || m.asked == nil || m.player.motion != nil {
		t.Fatalf("part %d, motion %v: a question is open", m.page.part, m.player.motion)
	}
	m.Update(keyMsg("6"))
	_, cmd = m.Update(keyMsg("enter"))
	next(cmd)
	if at, ok := m.player.at(); !ok || at.Passed("key", 5) != "1" || m.halt == nil {
		t.Errorf("the split of the question does not play: %v", ok)
	}
	m.Update(keyMsg("x"))
	if m.page.part != 2 {
		t.Errorf("part %d: another key than Enter went on", m.page.part)
	}
}

// What is tried where a lesson waits is taken back: the lesson goes on without it. Lines that lead elsewhere are
// refused.
func TestLessonTry(t *testing.T) {
	t.Parallel()
	m := opened(t, six, 120, 40)
	example(t, m, "lesson-01-color-and-key", six)
	press(t, m, "enter", "6", "enter")
	press(t, m, "mine = split wrong color=rank%3", "enter")
	if text := plain(m); m.page.part != 2 || !strings.Contains(text, "mine#3") || m.halt == nil {
		t.Errorf("the line was not tried:\n%s", text)
	}
	press(t, m, ".explain mine @2", "enter")
	has(t, logText(m), "world rank 2 is rank 0 of 2 in mine#4")
	press(t, m, ".topo this", "enter")
	has(t, logText(m), "Not here: a lesson takes Enter")
	press(t, m, "enter")
	if text := plain(m); m.page.part != 3 || strings.Contains(text, "mine#3") || !strings.Contains(logText(m), "Taken back: 1 line that you tried") {
		t.Errorf("part %d:\n%s", m.page.part, text)
	}
}

// What a person tries where a lesson waits shows at once, in the log; help says what can be typed, and quit ends the lesson.
func TestLessonTries(t *testing.T) {
	t.Parallel()
	m := opened(t, six, 120, 60)
	example(t, m, "lesson-01-color-and-key", six)
	typedLine(t, m, "") // the first part
	typedLine(t, m, "3")
	typedLine(t, m, ".explain wrong @3")
	wants(t, m, "world rank 3 is rank 4 of 6 in wrong#2")
	typedLine(t, m, "help")
	if m.halt == nil || !strings.Contains(plain(m), "Enter goes on; .explain NAME @3 and calls") {
		t.Errorf("no help:\n%s", plain(m))
	}
	typedLine(t, m, "")
	wants(t, m, "The wrong idea was the key")
	typedLine(t, m, "quit")
	if m.halt != nil || m.busy != nil && !m.busy.stopping {
		t.Errorf("the lesson goes on after quit:\n%s", plain(m))
	}
}
