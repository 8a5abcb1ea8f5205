package repl

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue"
	"codeberg.org/commsplit/commsplit/scripts"
)

// Complete proposes the words that may stand where the line ends. start is where the word to complete begins; each
// option replaces the text from start on.
func (s *Session) Complete(line string) (start int, options []string) {
	rest := line
	if strings.HasPrefix(strings.TrimLeft(line, " "), ".") {
		return completeMeta(s, line)
	}
	if start, options, foreign := completeForeign(s, line); foreign {
		return start, options
	}
	if at := lastWord(line); at > 0 && line[at-1] == '.' {
		return at, matching(line[at:], attributes(s, line[:at-1]))
	}
	if strings.HasPrefix(rest, "@") {
		_, after, ok := strings.Cut(rest, " ")
		if !ok {
			return len(line), nil
		}
		rest = after
	}
	if target, after, ok := strings.Cut(rest, "="); ok && lang.IsName(strings.TrimSpace(target)) && strings.HasPrefix(after, " ") {
		rest = strings.TrimLeft(after, " ")
	}
	word, args, ok := strings.Cut(rest, " ")
	v := FindVerb(word)
	if !ok || v == nil {
		start = lastWord(line)
		first := start == len(line)-len(rest)
		return start, matching(line[start:], expressionNames(s, first))
	}
	return completeArgument(s, line, v, args)
}

// completeArgument completes an argument of a verb: name=, or a value that the parameter takes.
func completeArgument(s *Session, line string, v *Verb, args string) (int, []string) {
	start := lastBlank(line)
	word := line[start:]
	name, value, named := strings.Cut(word, "=")
	if named {
		k := v.param(name)
		if k < 0 {
			return len(line), nil
		}
		at := start + len(name) + 1
		switch v.Params[k].Kind {
		case ResourceParam:
			return at, matchingURIs(value, valuesOf(s, v.Params[k]))
		case PsetParam:
		default:
			at = max(at, lastWord(line))
			value = line[at:]
		}
		return at, matching(value, valuesOf(s, v.Params[k]))
	}
	given, byName := 0, false
	for _, arg := range lang.Words(strings.TrimSuffix(args, word)) {
		if name, _, ok := strings.Cut(arg, "="); ok && v.param(name) >= 0 {
			byName = true
		} else {
			given++
		}
	}
	var names []string
	for i, p := range v.Params {
		if i >= given && !strings.Contains(args, p.Name+"=") {
			names = append(names, p.Name+"=")
		}
	}
	names = matching(word, names)
	if given >= len(v.Params) || byName { // behind an argument with its name, the others need theirs
		return start, names
	}
	p := v.Params[given]
	if p.Kind == IntParam && len(names) > 0 { // a number is read more easily with its name
		return start, names
	}
	return start, append(matching(word, valuesOf(s, p)), names...)
}

// CompleteArgument proposes what word, which ends the arguments of a verb, may become on the command line of a
// shell. There text needs no quotes of the language.
func (s *Session) CompleteArgument(v *Verb, args []string, word string) []string {
	head := v.Line(args) + " "
	name, _, named := strings.Cut(word, "=")
	start, options := s.Complete(head + word)
	if start < len(head) {
		return nil
	}
	before := word[:start-len(head)]
	var list []string
	for _, o := range options {
		text := strings.Trim(o, `"`)
		switch {
		case text == o, named && v.TakesText(name), lang.IsURI(text):
			list = append(list, before+text)
		}
	}
	return list
}

// valuesOf lists the values that a parameter may have on this world.
func valuesOf(s *Session, p Param) []string {
	switch p.Kind {
	case CommParam, HandleParam:
		return append([]string{"world"}, s.Handles()...)
	case TypeParam:
		return splitTypes(s)
	case PsetParam:
		return psetNames(s)
	case ResourceParam:
		return append(resourceNames(s), `"mpi_shared_memory"`)
	case IntParam:
		return localNames(s)
	}
	return nil
}

// splitTypes are the split types that the world's version of the standard has.
func splitTypes(s *Session) []string {
	var list []string
	for _, t := range engine.SplitTypes(s.plan.std) {
		list = append(list, strings.TrimPrefix(t.String(), "MPI_COMM_TYPE_"))
	}
	return append(list, "UNDEFINED")
}

// psetNames are the process sets of the world, quoted.
func psetNames(s *Session) []string {
	list := []string{`"mpi://SELF"`}
	for _, p := range s.world.Psets() {
		list = append(list, strconv.Quote(p.Name))
	}
	return list
}

// resourceNames are the hardware resource types of the topology, quoted.
func resourceNames(s *Session) []string {
	var list []string
	for _, r := range s.plan.topology.Resources() {
		list = append(list, `"`+r.URI+`"`)
	}
	return list
}

// attributes lists what can follow the dotted name that text ends with, as rank 0 has it.
func attributes(s *Session, text string) []string {
	at := lastWord(text)
	for at > 0 && text[at-1] == '.' {
		at = lastWord(text[:at-1])
	}
	if at == len(text) {
		return nil
	}
	return s.rank(0).AttributesOf(text[at:])
}

// expressionNames are the names that a statement may begin with.
func expressionNames(s *Session, first bool) []string {
	list := append(program.Predeclared(), s.Variables()...)
	if first {
		list = append(list, VerbNames()...)
		list = append(list, "for", "if", "while", "def")
	}
	return list
}

func completeMeta(s *Session, line string) (int, []string) {
	dot := strings.Index(line, ".")
	name, args, ok := strings.Cut(line[dot+1:], " ")
	if !ok {
		var names []string
		for _, n := range MetaNames() {
			names = append(names, "."+n)
		}
		return dot, matching("."+name, names)
	}
	m := FindMeta(name)
	if m == nil {
		return len(line), nil
	}
	start := len(line) - len(args)
	switch m.Name {
	case "help":
		return start, matching(args, append(VerbNames(), MetaNames()...))
	case "export":
		names, _ := ExportFormats()
		return start, matching(args, names)
	case "show":
		if handle, what, ok := strings.Cut(args, " "); ok && PictureOf(handle) == nil {
			return len(line) - len(what), matching(what, render.Pictures)
		}
		return start, matching(args, append(slices.Sorted(slices.Values(ShowWords())), s.Handles()...))
	case "topo":
		if s.Sealed != "" {
			return start, matching(args, source.Names())
		}
		return start, source.Complete(args)
	case "bind":
		return completeBind(line)
	case "open":
		if s.Sealed != "" {
			return start, matching(args, scripts.Names())
		}
		return start, append(source.Files(args, IsScript), matching(args, scripts.Names())...)
	case "step":
		return start, matching(args, []string{"in", "out", "next", "back"})
	case "explain":
		return start, matching(args, append([]string{"world"}, s.Handles()...))
	case "say":
		return start, matching(args, Tongues)
	case "mode":
		return start, matching(args, []string{"text", "json"})
	}
	return len(line), nil
}

// matching keeps the options that begin with the text, each once, in order.
func matching(text string, options []string) []string {
	var list []string
	for _, o := range options {
		plain := strings.Trim(o, `"`)
		if (strings.HasPrefix(o, text) || text != "" && strings.HasPrefix(plain, text)) && !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// matchingURIs keeps the options that begin with the text, or whose name after the provider does, in
// any case of letters: "num finds "hwloc://NUMANode".
func matchingURIs(text string, options []string) []string {
	list := matching(text, options)
	word := strings.ToLower(strings.TrimPrefix(text, `"`))
	for _, o := range options {
		_, name, _ := strings.Cut(strings.Trim(o, `"`), "://")
		if word != "" && strings.HasPrefix(strings.ToLower(name), word) && !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

func lastBlank(line string) int { return strings.LastIndexAny(line, " \t") + 1 }

// lastWord is where the identifier at the end of the line begins.
func lastWord(line string) int {
	i := len(line)
	for i > 0 && (lang.IsName("x" + line[i-1:i])) {
		i--
	}
	return i
}

// Check finds a mistake in a line without running the line; nil when it finds none. It finds none in the first
// line of a statement that needs more lines.
func (s *Session) Check(line string) *lang.Error {
	r := NewInput("<input>")
	chunks, err := r.Feed(line, true)
	for _, c := range chunks {
		if err == nil {
			err = checkChunk(s, c)
		}
	}
	var at *lang.Error
	errors.As(err, &at)
	return at
}

func checkChunk(s *Session, c *lang.Chunk) error {
	c, err := c.Among(s.scope)
	if err != nil {
		return err
	}
	if _, err := s.RanksOf(c); err != nil {
		return err
	}
	switch c.Kind {
	case lang.Meta:
		if FindMeta(c.Verb.Text) == nil {
			return c.ErrorAt(c.Verb, "unknown meta command .%s; .help lists them", c.Verb.Text)
		}
		return nil
	case lang.Program:
		text := c.Body.Text
		if c.Foreign {
			text, _ = statements(s, c)
		}
		if _, err := program.Compile(c.File, text, c.Line, s.known); err != nil {
			return position(err, c)
		}
		return nil
	}
	cmd, err := bind(c)
	if err != nil || cmd.verb.text == nil {
		return err
	}
	if err := cmd.compile(s); err != nil {
		return position(err, c)
	}
	return cmd.exists(s.plan.std)
}

// Hint is what a line that is being typed is about.
type Hint struct {
	Verb  *Verb            // nil: it is not a command
	Param int              // index of the parameter that is being written; -1: none, or not known
	Meta  *MetaCommand     // of a line that begins with a dot
	C     *calls.Procedure // of a line of C or Fortran, whose parameter Param is
}

// Hint tells which verb and parameter stand where the line ends.
func (s *Session) Hint(line string) Hint {
	text := strings.TrimLeft(line, " ")
	if rest, ok := strings.CutPrefix(text, "."); ok {
		name, _, _ := strings.Cut(rest, " ")
		return Hint{Param: -1, Meta: FindMeta(name)}
	}
	if strings.HasPrefix(text, "@") {
		_, text, _ = strings.Cut(text, " ")
	}
	if c, k := tongue.At(text); c != nil {
		return Hint{Param: k, C: c}
	}
	if target, after, ok := strings.Cut(text, "="); ok && lang.IsName(strings.TrimSpace(target)) && strings.HasPrefix(after, " ") {
		text = strings.TrimLeft(after, " ")
	}
	word, args, ok := strings.Cut(text, " ")
	v := FindVerb(word)
	if v == nil || !ok {
		return Hint{Verb: v, Param: -1}
	}
	last := args[lastBlank(args):]
	if name, _, named := strings.Cut(last, "="); named && v.param(name) >= 0 {
		return Hint{Verb: v, Param: v.param(name)}
	}
	if k := len(strings.Fields(args[:lastBlank(args)])); k < len(v.Params) && !strings.Contains(args[:lastBlank(args)], "=") {
		return Hint{Verb: v, Param: k}
	}
	return Hint{Verb: v, Param: -1}
}
