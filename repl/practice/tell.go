package practice

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl"
)

// mostFaults is how many faults of a world are reported.
const mostFaults = 4

// Row is a row of what a person is told about an exercise and an answer.
type Row struct {
	Kind RowKind
	Text string
	Of   *Fault // whose reason the row is a part of; nil for other rows
}

// RowKind is what a row tells.
type RowKind uint8

// The kinds of rows.
const (
	HeadRow   RowKind = iota // where the answer is right, and where it is wrong first
	FaultRow                 // what is wrong there
	ReasonRow                // a line of why the first fault is one
	MoreRow                  // how many more faults there are
	TitleRow                 // the title of the exercise
	TextRow                  // of the task, or behind a right answer
	CodeRow                  // a line of a program
	HintRow                  // a hint
	RightRow                 // where the answer is right
)

// rowsOf makes a row of each line of a text.
func rowsOf(kind RowKind, text string) (rows []Row) {
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, Row{Kind: kind, Text: line})
	}
	return rows
}

// Rows tells of a wrong answer what is wrong on the first world where it is. The reason of the first fault is told in
// full, in lines of so many columns.
func (g *Grade) Rows(width int) []Row {
	k := slices.IndexFunc(g.Worlds, func(r Result) bool { return !r.Right() })
	head := "wrong " + g.Worlds[k].with() + ":"
	if k > 0 {
		head = "right " + g.sizes(k) + ", but " + head
	}
	rows := []Row{{Kind: HeadRow, Text: head}}
	list, told := g.Faults(), false
	for i, f := range list[:min(len(list), mostFaults)] {
		rows = append(rows, Row{Kind: FaultRow, Text: f.Message})
		if why := f.Why(width); why != "" && !told {
			for line := range strings.SplitSeq(why, "\n") {
				rows = append(rows, Row{ReasonRow, line, &list[i]})
			}
			told = true
		}
	}
	if more := len(list) - mostFaults; more > 0 {
		rows = append(rows, Row{Kind: MoreRow, Text: fmt.Sprintf("and %d more", more)})
	}
	return rows
}

// Tell writes how an answer was graded: on which worlds it is right, or what is wrong.
func (g *Grade) Tell(w io.Writer, width int) {
	if g.Right {
		fmt.Fprintln(w, repl.Wrap(g.Line(), width, ""))
		return
	}
	const by = "      "
	for _, r := range g.Rows(width - len(by)) {
		switch r.Kind {
		case HeadRow:
			fmt.Fprintln(w, repl.Wrap(r.Text, width, ""))
		case FaultRow:
			fmt.Fprintln(w, "  "+strings.TrimPrefix(repl.Wrap(r.Text, width-2, "    "), "    "))
		case ReasonRow:
			fmt.Fprintln(w, by+r.Text)
		case MoreRow:
			fmt.Fprintln(w, "  "+r.Text)
		}
	}
}

// Line says the same in one line, for the report on many answers.
func (g *Grade) Line() string {
	if g.Right {
		return "right " + g.sizes(len(g.Worlds))
	}
	for _, r := range g.Worlds {
		if !r.Right() {
			text := "wrong " + r.with() + ": " + r.Faults[0].Message
			if n := len(r.Faults) - 1; n > 0 {
				text += fmt.Sprintf(" (and %d more)", n)
			}
			return text
		}
	}
	return ""
}

// sizes is "with 6, 9 and 12 ranks", of the first so many worlds.
func (g *Grade) sizes(n int) string {
	if n == 1 {
		return g.Worlds[0].with()
	}
	var words []string
	for _, r := range g.Worlds[:n] {
		words = append(words, strconv.Itoa(r.Size)+r.differs)
	}
	return "with " + listed(words) + " ranks"
}

// with is "with 8 ranks", and how this world differs otherwise.
func (r Result) with() string { return with(r.Size) + r.differs }

func indented(text, by string) string { return by + strings.ReplaceAll(text, "\n", "\n"+by) }

// explained is the width for which reasons in documents are laid out, in columns.
const explained = 76

// Document is the grade of an answer in the file of that name as JSON has it.
func (g *Grade) Document(x *Exercise, answer string) *document.Grading {
	d := &document.Grading{Version: 1, Exercise: x.Name, Answer: answer, Right: g.Right}
	for _, r := range g.Worlds {
		w := document.GradedWorld{Size: r.Size, Flags: slices.Clone(r.Flags), Right: r.Right(), Faults: []document.GradedFault{}}
		if w.Flags == nil {
			w.Flags = []string{}
		}
		for _, f := range r.Faults {
			w.Faults = append(w.Faults, document.GradedFault{Kind: string(f.Kind), Variable: orNull(f.Name), Ranks: orNull(f.Ranks.String()),
				Expected: orNull(f.Expected), Found: orNull(f.Found), Message: f.Message, Why: orNull(f.Why(explained))})
		}
		d.Worlds = append(d.Worlds, w)
	}
	return d
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
