package practice

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"commsplit/render/document"
	"commsplit/repl"
)

// mostFaults is how many faults of a world are reported.
const mostFaults = 4

// Told is the faults of the first wrong world that are reported to a person, and how many more there are.
func (g *Grade) Told() (list []Fault, more int) {
	list = g.Faults()
	n := min(len(list), mostFaults)
	return list[:n], len(list) - n
}

// Tell says how an answer was graded: on which worlds it is right, and what is wrong on the first world where it is
// not. The reason of the first fault is reported in full.
func (g *Grade) Tell(w io.Writer, width int) {
	if g.Right {
		fmt.Fprintln(w, repl.Wrap("right "+g.sizes(len(g.Worlds)), width, ""))
		return
	}
	fmt.Fprintln(w, repl.Wrap(g.Head(), width, ""))
	g.tellFaults(w, width)
}

// Head says of a wrong answer where it is right and where it is wrong first.
func (g *Grade) Head() string {
	k := slices.IndexFunc(g.Worlds, func(r Result) bool { return !r.Right() })
	head := "wrong " + g.Worlds[k].with() + ":"
	if k > 0 {
		head = "right " + g.sizes(k) + ", but " + head
	}
	return head
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

// tellFaults writes faults, and why the first of them is one.
func (g *Grade) tellFaults(w io.Writer, width int) {
	told := false
	list, more := g.Told()
	for _, f := range list {
		text := repl.Wrap(f.Message, width-2, "    ")
		fmt.Fprintln(w, "  "+strings.TrimPrefix(text, "    "))
		const by = "      "
		if why := f.Why(width - len(by)); why != "" && !told {
			fmt.Fprintln(w, indented(why, by))
			told = true
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

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
