package stories

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// exportQuiz writes the questions of a script in GIFT, the text format of questions that Moodle imports. A course
// may ask them in any order, so each has the note before it and all lines of the script until then.
func exportQuiz(s *repl.Session, w io.Writer, _ *render.View, e *Export) error {
	title := cmp.Or(e.Title, "commsplit")
	q := quiz{title: title, about: s.Describe()}
	for _, x := range s.Entries() {
		if !x.Void {
			q.entry(&x)
		}
	}
	if q.asked == 0 {
		return errors.New("a quiz is made of the questions of a script, and this one asks none: ask \"...\" asks, as the lessons do")
	}
	_, err := fmt.Fprintf(w, "// %s in GIFT: in Moodle, Import in the question bank.\n\n$CATEGORY: %s\n%s", spell.Plural(q.asked, "question"), giftEscapes.Replace(strings.ReplaceAll(title, "/", "//")), &q.out)
	return err
}

// quiz collects questions.
type quiz struct {
	title, about string
	note         string   // the last note
	lines        []string // the lines so far that are not checks
	asked        int
	out          strings.Builder
}

func (q *quiz) entry(e *repl.Entry) {
	switch {
	case e.Question != "":
		q.ask(e)
	case !repl.Checks(e.Chunk) && e.Chunk.Kind != lang.Meta:
		q.lines = append(q.lines, strings.TrimRight(e.Chunk.Text, "\n"))
	default:
		q.note = cmp.Or(noteOf(e.Chunk), q.note)
	}
}

// noteOf returns the text of a note; a computed text as it is written; "" for another line.
func noteOf(c *lang.Chunk) string {
	if text, ok := NoteText(c); ok || !repl.Issues(c, "note") || len(c.Args) == 0 {
		return text
	}
	return c.Args[0].Text
}

func (q *quiz) ask(e *repl.Entry) {
	answer := giftAnswer(e.Question, e.Answer)
	if answer == "" {
		return // ranks answer differently, so there is nothing to judge by
	}
	q.asked++
	text := "<p>" + html.EscapeString(q.about) + "</p>"
	if q.note != "" {
		text += "<p>" + html.EscapeString(q.note) + "</p>"
	}
	if len(q.lines) > 0 {
		text += "<pre>" + html.EscapeString(strings.Join(q.lines, "\n")) + "</pre>"
	}
	text += "<p>" + html.EscapeString(e.Question) + "</p>"
	if e.Why != "" {
		answer += "####" + giftEscapes.Replace(e.Why)
	}
	fmt.Fprintf(&q.out, "\n::%s %d::[html]%s{%s}\n", giftEscapes.Replace(q.title), q.asked, giftEscapes.Replace(text), answer)
}

// giftAnswer writes the answer as GIFT does: a choice if the question lists the choices, a number without tolerance, or
// the ways to write the answer; "" if there is no answer.
func giftAnswer(question, answer string) string {
	if answer == "" {
		return ""
	}
	choices := choicesOf(question)
	if answer == "yes" || answer == "no" {
		choices = []string{"yes", "no"}
	}
	var b strings.Builder
	if slices.Contains(choices, answer) {
		for _, c := range choices {
			sign := "~"
			if c == answer {
				sign = "="
			}
			b.WriteString(sign + giftEscapes.Replace(c) + " ")
		}
		return strings.TrimRight(b.String(), " ")
	}
	if _, err := strconv.Atoi(answer); err == nil {
		return "#" + answer + ":0"
	}
	ways := []string{answer}
	if members, ok := strings.CutPrefix(answer, "["); ok {
		list := strings.Fields(strings.ReplaceAll(strings.TrimSuffix(members, "]"), ",", " "))
		for _, sep := range []string{",", " ", ", "} {
			text := strings.Join(list, sep)
			ways = append(ways, text, "["+text+"]")
		}
		slices.Sort(ways)
		ways = slices.Compact(ways)
	}
	for _, way := range ways {
		b.WriteString("=" + giftEscapes.Replace(way) + " ")
	}
	return strings.TrimRight(b.String(), " ")
}

// choicesOf returns the choices at the end of a question: "a communicator", "null" and "an error" of "What does it give:
// a communicator, null, or an error?"; nil for other questions.
func choicesOf(question string) []string {
	m := choosing.FindStringSubmatch(question)
	if m == nil {
		return nil
	}
	list := append(strings.Split(m[1], ","), m[2])
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return slices.DeleteFunc(list, func(c string) bool { return c == "" })
}

var choosing = regexp.MustCompile(`: ([^:?]+?),? or ([^:?]+)\?`)

// giftEscapes escapes the signs of GIFT. An empty line would end a question.
var giftEscapes = strings.NewReplacer(`\`, `\\`, "~", `\~`, "=", `\=`, "#", `\#`, "{", `\{`, "}", `\}`, ":", `\:`, "\n", `\n`)
