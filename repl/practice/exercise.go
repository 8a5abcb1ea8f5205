// Package practice reads exercises, grades answers to them, and talks to a person who solves them. An exercise is a
// script: its notes are the task, its lines between "# solution:" and "# goal:" are the teacher's answer, and the lines
// behind "# goal:" hold at every size. The package reads and writes only through its arguments; package repl runs the
// lines.
package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// Exercise is a task for a student, with the teacher's answer.
type Exercise struct {
	Name    string // of the file, without its ending
	Title   string
	Section string   // "MPI-5.0 §7.4.2"; "" for none
	Task    []string // the notes before the solution
	Hints   []string
	Told    []string // the notes of solution and goal, for those who have met the goal
	Repair  string   // the program to repair, a line each; "" when there is none
	Names   []string // the variables that an answer must set
	Worlds  []World  // on which an answer must be right; the first one is shown

	calls        []engine.Call // each is to be made by the ranks by which the solution makes it
	constructors bool          // no rank may make more communicators than in the solution
	leaks        bool          // everything else than what Names hold is to be freed

	GivenLines []*lang.Chunk // that run before an answer

	solution, goal []*lang.Chunk
	file           string
	goals          []*state // by world: what the solution gives; nil until it is asked for
}

// World is a world on which an answer must be right.
type World struct {
	Flags  []string
	Config repl.Config
	Other  bool // it has flags of its own

	differs string // how it differs from the world that is shown, apart from its size: " (on core:4)"
	line    int    // of the exercise, that says what world it is
	source  string // the text of that line
}

// Titled returns the title with its section.
func (x *Exercise) Titled() string {
	if x.Section == "" {
		return x.Title
	}
	return x.Title + " [" + x.Section + "]"
}

// Given returns the lines that run before an answer, as they are written; "" for none.
func (x *Exercise) Given() string { return textOf(x.GivenLines) }

// Block is lines that a task shows below its words.
type Block struct{ Head, Text string }

// Blocks lists the lines that run before an answer, and the program to repair, if there are such.
func (x *Exercise) Blocks() []Block {
	return slices.DeleteFunc([]Block{{"These lines have run", x.Given()}, {"The program to repair", x.Repair}}, func(b Block) bool { return b.Text == "" })
}

// Find reads the exercise of that name: an embedded one by name or number, else a file, "-" for standard input.
func Find(ctx context.Context, name string, stdin io.Reader, flags func(words []string) (repl.Config, error)) (*Exercise, error) {
	e, embedded := scripts.Exercise(name)
	if embedded && !stories.IsScript(name) { // which would be a file
		return Read(stories.NewScript(e.File, e.Text), flags)
	}
	script, err := stories.ReadScript(ctx, name, stdin)
	switch {
	case err == nil:
		return Read(script, flags)
	case embedded && errors.Is(err, fs.ErrNotExist):
		return Read(stories.NewScript(e.File, e.Text), flags)
	}
	return nil, repl.AsInput(scripts.SuggestExercise(name, err))
}

// The marks of an exercise: heads have their text behind the colon, sections stand alone above their lines.
var (
	heads    = []string{"sizes", "world", "answer", "calls", "leaks", "hint", "repair"}
	sections = []string{"given", "solution", "goal"}
)

// mark matches a comment that may be a mark: its word, the colon, and its text.
var mark = regexp.MustCompile(`^#(\s*)([A-Za-z]+)(\s*:?)(.*)$`)

// reader reads the marks of an exercise.
type reader struct {
	*Exercise
	script *stories.Script
	flags  func(words []string) (repl.Config, error)
	lines  []string
	at     map[string]int // the line of each mark, from 1
	sizes  []int
	worlds []int // lines of the world marks
}

// Read reads an exercise. flags makes a configuration of the words of a "# commsplit:" line. The error is a *lang.Error
// if the exercise is malformed.
func Read(script *stories.Script, flags func(words []string) (repl.Config, error)) (*Exercise, error) {
	title, section := scripts.Title(script.Text)
	r := &reader{
		Exercise: &Exercise{Name: strings.TrimSuffix(script.Name, ".mpi"), Title: title, Section: section, file: script.Name},
		script:   script, flags: flags, lines: strings.Split(script.Text, "\n"), at: map[string]int{},
	}
	chunks, err := script.Chunks()
	if err == nil && strings.HasSuffix(script.Name, ".py") {
		err = r.wrong(1, "an exercise must be a NAME.mpi: lines of a program cannot be hidden")
	}
	if err == nil {
		err = r.marks()
	}
	if first := r.lines[0]; err == nil && (title == "" || !strings.HasPrefix(first, "#") || strings.HasPrefix(first, "# commsplit:")) {
		err = r.wrong(1, "the first line must be the title, as a comment: # Evens and odds [MPI-5.0 §7.4.2]")
	}
	if err == nil {
		err = r.divide(chunks)
	}
	if err == nil {
		err = r.makeWorlds()
	}
	if err != nil {
		return nil, err
	}
	r.goals = make([]*state, len(r.Worlds))
	return r.Exercise, nil
}

// wrong returns an error about a line of the exercise.
func (r *reader) wrong(line int, format string, args ...any) error {
	e := &lang.Error{File: r.script.Name, Line: line, Col: 1, Message: fmt.Sprintf(format, args...)}
	if line <= len(r.lines) {
		e.Source = r.lines[line-1]
	}
	return e
}

// marks reads the comments that mean something.
func (r *reader) marks() error {
	for i := 0; i < len(r.lines); i++ {
		word, text, err := r.mark(i)
		if err != nil {
			return err
		}
		if word == "" {
			continue
		}
		if r.at[word] == 0 {
			r.at[word] = i + 1
		}
		more := r.below(i + 1)
		if err := r.head(word, i+1, text, r.lines[i+1:i+1+more]); err != nil {
			return err
		}
		if word == "hint" || word == "repair" {
			i += more
		}
	}
	return r.order()
}

// mark reads a mark with the text behind its colon. The word is "" for a line without a mark, such as prose.
func (r *reader) mark(i int) (word, text string, err error) {
	m := mark.FindStringSubmatch(r.lines[i])
	if m == nil {
		return "", "", nil
	}
	word, text = strings.ToLower(m[2]), strings.TrimSpace(m[4])
	isHead, isSection := slices.Contains(heads, word), slices.Contains(sections, word)
	exact := m[1] == " " && m[2] == word && m[3] == ":"
	if !isHead && !isSection {
		if near := spell.Nearest(word, slices.Concat(heads, sections)); near != "" && exact && i > 0 {
			err = r.wrong(i+1, "# %s: is not a mark of an exercise; did you mean # %s:?", word, near)
		}
		return "", "", err
	}
	switch {
	case m[3] != ":" && (text != "" || isHead), m[1] != " " && len(m[1]) > 1:
		return "", "", nil // prose, or the line of a program to repair
	case !exact:
		err = r.wrong(i+1, "write a mark with one blank, in small letters and with a colon: # %s:", word)
	case isHead && r.at["solution"] > 0:
		err = r.wrong(i+1, "put # %s: before # solution:", word)
	case word != "hint" && word != "world" && r.at[word] > 0:
		err = r.wrong(i+1, "# %s: occurs twice; the first one is in line %d", word, r.at[word])
	case isSection && text != "":
		err = r.wrong(i+1, "put nothing behind # %s: on its line; the lines come below it", word)
	case isHead && text == "" && word != "repair":
		err = r.wrong(i+1, "# %s: is empty", word)
	}
	return word, text, err
}

// below counts the comments from a line on, from 0, that go on with the mark above them: they begin with three blanks.
func (r *reader) below(line int) int {
	n := 0
	for line+n < len(r.lines) && strings.HasPrefix(r.lines[line+n], "#   ") {
		n++
	}
	return n
}

// head takes in the text of a mark; below is the comments that go on with it.
func (r *reader) head(word string, line int, text string, below []string) error {
	for i, l := range below {
		below[i] = l[len("#   "):]
	}
	switch word {
	case "sizes":
		return r.readSizes(line, text)
	case "world":
		r.worlds = append(r.worlds, line)
	case "answer":
		for _, name := range strings.Split(text, ",") {
			if name = strings.TrimSpace(name); !lang.IsName(name) {
				return r.wrong(line, "# answer: needs names separated by commas, but %q is not a name", name)
			}
			r.Names = append(r.Names, name)
		}
	case "calls":
		return r.readCalls(line, text)
	case "leaks":
		if r.leaks = text == "none"; !r.leaks {
			return r.wrong(line, "# leaks: must be none: the answer frees everything that its names do not hold")
		}
	case "hint":
		for _, l := range below {
			text += " " + strings.TrimSpace(l)
		}
		r.Hints = append(r.Hints, text)
	case "repair":
		if r.Repair = strings.TrimRight(strings.Join(below, "\n"), " \n"); r.Repair == "" {
			return r.wrong(line, "# repair: needs the lines of a program below it, each as a comment with three blanks")
		}
	}
	return nil
}

// sizeWords cuts the text behind "# sizes:" into its numbers.
func sizeWords(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == ',' || unicode.IsSpace(c) })
}

func (r *reader) readSizes(line int, text string) error {
	for _, word := range sizeWords(text) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > engine.MaxSize {
			return r.wrong(line, "# sizes: needs numbers of ranks, such as 6, 8, 12, but %q is not a number", word)
		}
		if slices.Contains(r.sizes, n) {
			return r.wrong(line, "# sizes: contains %d twice", n)
		}
		r.sizes = append(r.sizes, n)
	}
	return nil
}

// anyConstructor stands in "# calls:" for all calls that make communicators.
const anyConstructor = "constructors"

func (r *reader) readCalls(line int, text string) error {
	for _, word := range strings.Split(text, ",") {
		if word = strings.TrimSpace(word); word == anyConstructor {
			r.constructors = true
			continue
		}
		call, ok := engine.CallNamed(word)
		if !ok {
			return r.wrong(line, "# calls: needs MPI calls, such as MPI_Comm_split, or the word %s, but %q is not a call%s", anyConstructor, word,
				spell.DidYouMean(word, callNames()))
		}
		r.calls = append(r.calls, call)
	}
	return nil
}

func callNames() []string {
	list := []string{anyConstructor}
	for _, c := range engine.Calls() {
		list = append(list, c.String())
	}
	return list
}

// order refuses an exercise whose parts are missing or stand in another order.
func (r *reader) order() error {
	given, solution, goal := r.at["given"], r.at["solution"], r.at["goal"]
	switch {
	case solution == 0:
		return r.wrong(1, "# solution: is missing before the model answer")
	case goal == 0:
		return r.wrong(solution, "# goal: is missing between the solution and the expectations")
	case goal < solution:
		return r.wrong(goal, "put # goal: behind # solution:")
	case given > solution:
		return r.wrong(given, "put # given: before # solution:")
	}
	return nil
}

// divide gives each line to its part.
func (r *reader) divide(chunks []*lang.Chunk) error {
	for _, c := range chunks {
		text, isNote := stories.NoteText(c)
		behind := func(word string) bool { return r.at[word] > 0 && c.Line > r.at[word] }
		switch {
		case isNote && behind("solution"):
			r.Told = append(r.Told, text)
		case isNote:
			r.Task = append(r.Task, text)
		case c.Kind == lang.Meta:
			return c.ErrorAt(c.Verb, "meta commands are not allowed in exercises: leave out .%s", c.Verb.Text)
		case behind("goal"):
			if !(c.Kind == lang.Command && c.Target.Text == "" && (c.Verb.Text == "expect" || c.Verb.Text == "expect_parts")) {
				return r.wrong(c.Line, "a line of the goal must be expect or expect_parts; put other lines below # solution: or # given:")
			}
			r.goal = append(r.goal, c)
		case behind("solution"):
			r.solution = append(r.solution, c)
		case behind("given"):
			r.GivenLines = append(r.GivenLines, c)
		default:
			return r.wrong(c.Line, "before # given: and # solution: there may be only notes, which state the task")
		}
	}
	switch {
	case len(r.Task) == 0:
		return r.wrong(1, `the task is missing: write note "..." before # solution:`)
	case len(r.solution) == 0:
		return r.wrong(r.at["solution"], "the solution has no lines")
	}
	return r.name()
}

// name takes the names that an answer must set from the goal, if no mark names them.
func (r *reader) name() error {
	if len(r.Names) == 0 {
		for _, c := range r.goal {
			if c.Verb.Text != "expect_parts" || len(c.Args) == 0 {
				continue
			}
			if name := c.Args[0].Text; lang.IsName(name) && !slices.Contains(r.Names, name) {
				r.Names = append(r.Names, name)
			}
		}
	}
	if len(r.Names) == 0 && !r.leaks && len(r.calls) == 0 && len(r.goal) == 0 {
		return r.wrong(r.at["goal"], "the goal has no expectation: write expect_parts NAME ... here, or # answer: NAME above")
	}
	return nil
}

// differs describes how a world differs from the one that is shown, apart from its size.
func differs(shown, w repl.Config) string {
	switch {
	case w.Topo != shown.Topo && w.Topo != "":
		return " (on " + w.Topo + ")"
	case !slices.Equal(w.Psets, shown.Psets):
		return " (with other process sets)"
	}
	return ""
}

// makeWorlds makes the worlds of the sizes and of the world marks.
func (r *reader) makeWorlds() error {
	head := max(1, 1+slices.IndexFunc(r.lines, func(l string) bool { return strings.HasPrefix(l, "# commsplit:") }))
	base, err := r.config(head, r.script.Flags)
	if err != nil {
		return err
	}
	shown := World{Flags: r.script.Flags, Config: base, line: head, source: r.lines[head-1]}
	line := r.at["sizes"]
	if len(r.sizes) == 0 {
		r.Worlds = append(r.Worlds, shown)
	} else if base.Size > 0 && base.Size != r.sizes[0] {
		return r.wrong(line, "# sizes: must begin with the size in the flags, %d, which is the size shown", base.Size)
	}
	for _, n := range r.sizes {
		w := shown
		w.Flags, w.Config.Size = append(slices.Clone(shown.Flags), "-n", strconv.Itoa(n)), n
		r.Worlds = append(r.Worlds, w)
	}
	for _, line := range r.worlds {
		text := strings.TrimPrefix(r.lines[line-1], "# world:")
		head := stories.NewScript(r.script.Name, "# commsplit:"+text)
		if _, err := head.Chunks(); err != nil {
			return r.wrong(line, "%s", err.(*lang.Error).Message)
		}
		config, err := r.config(line, head.Flags)
		if err != nil {
			return err
		}
		r.Worlds = append(r.Worlds, World{head.Flags, config, true, differs(base, config), line, r.lines[line-1]})
	}
	return nil
}

// config reads the flags in a line.
func (r *reader) config(line int, words []string) (repl.Config, error) {
	config, err := r.flags(words)
	if inner := errors.Unwrap(err); inner != nil { // without the words about where the flags are
		err = inner
	}
	if err != nil {
		return config, r.wrong(line, "%v", err)
	}
	return config, nil
}

// Goal is the result to reach on the world that is shown: who is with whom, in which order. It has nothing of the calls
// that lead there.
type Goal struct {
	View    *render.View
	Handles []render.Handle
	Places  bool // where ranks run matters
}

// Goal returns the goal on the world that is shown. The error is a *Malformed, or the reason why ctx ended.
func (x *Exercise) Goal(ctx context.Context) (*Goal, error) {
	st, err := x.wanted(ctx, 0)
	if err != nil {
		return nil, err
	}
	past := *st.view.Snapshot // with the ranks where they are in the end
	g := &Goal{View: &render.View{Snapshot: &past}}
	g.View.Called = func(id int) string { return st.named(id) }
	past.Steps, past.Output, past.Raised, past.Waiting = nil, nil, nil, nil
	past.Comms = nil
	shown := map[int32]bool{}
	for _, h := range st.handles {
		if !slices.ContainsFunc(h.IDs, func(id int32) bool { return id >= 0 }) {
			continue // a value
		}
		g.Handles = append(g.Handles, h)
		for _, id := range h.IDs {
			shown[id] = true
		}
	}
	g.View.Handles = g.Handles
	for _, c := range st.view.Snapshot.Comms {
		if c.ID == 0 || shown[int32(c.ID)] {
			past.Comms = append(past.Comms, &engine.CommInfo{ID: c.ID, Context: c.Context, Context2: c.Context2, Parent: -1,
				Group: c.Group, Remote: c.Remote, Instance: -1})
		}
	}
	g.Places = slices.ContainsFunc(st.view.Snapshot.Steps, func(s engine.Step) bool { return s.Call == engine.CallSplitType })
	return g, nil
}

// named returns the first variable, of those that the answer sets, in which a rank holds that communicator.
func (st *state) named(id int) string {
	for _, h := range st.handles {
		if slices.Contains(h.IDs, int32(id)) {
			return h.Name
		}
	}
	return ""
}

// Draw draws the goal: lanes, and above the first of them the hardware, where it matters.
func (g *Goal) Draw(w io.Writer, st render.Style) error {
	for i := range g.Handles {
		st.Picture = render.AsLanes
		if g.Places && i == 0 {
			st.Picture = render.AsSplit
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		if len(g.Handles) > 1 {
			fmt.Fprintf(w, "%s:\n", g.Handles[i].Name)
		}
		if err := picture.Partition(w, g.View, g.lettered(i), st); err != nil {
			return err
		}
	}
	return nil
}

// lettered returns a handle for a picture that shows all handles: its letters follow those of the handles before, so
// that a letter is one communicator.
func (g *Goal) lettered(handle int) *render.Handle {
	h := g.Handles[handle]
	h.Beside = g.Handles[:handle]
	return &h
}

// Whole reports whether an answer is a program of which only the end tells whether it is right.
func (x *Exercise) Whole() bool { return x.Repair != "" || x.leaks || len(x.Names) == 0 }

func textOf(chunks []*lang.Chunk) string {
	var lines []string
	for _, c := range chunks {
		lines = append(lines, c.Text)
	}
	return strings.Join(lines, "\n")
}
