// Package completion knows the verb or call that a line is about while a person types it, and which words may stand
// where the line ends: verbs and their arguments, variables, meta commands, names of MPI in C and Fortran. It changes
// nothing.
package completion

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/repl/tongue"
	"codeberg.org/commsplit/commsplit/scripts"
)

// Complete proposes the words that may stand where the line ends. start is where the word to complete begins; each
// option replaces the text from start on.
func Complete(s *repl.Session, line string) (start int, options []string) {
	if strings.HasPrefix(strings.TrimLeft(line, " "), ".") {
		return completeMeta(s, line)
	}
	if start, options, foreign := completeForeign(s, line); foreign {
		return start, options
	}
	if at := lastWord(line); at > 0 && line[at-1] == '.' {
		return at, matching(line[at:], attributes(s, line[:at-1]))
	}
	rest, ok := behindRanks(line)
	if !ok {
		return len(line), nil
	}
	rest = behindTarget(rest)
	word, args, ok := strings.Cut(rest, " ")
	v := repl.FindVerb(word)
	if !ok || v == nil {
		start = lastWord(line)
		first := start == len(line)-len(rest)
		return start, matching(line[start:], expressionNames(s, first))
	}
	return completeArgument(s, line, v, args)
}

// behindRanks returns a line without the ranks that it is for; ok is false while the ranks are being written.
func behindRanks(line string) (text string, ok bool) {
	if !strings.HasPrefix(line, "@") {
		return line, true
	}
	_, text, ok = strings.Cut(line, " ")
	return text, ok
}

// behindTarget returns a line without the variable that its result gets.
func behindTarget(line string) string {
	if target, after, ok := strings.Cut(line, "="); ok && lang.IsName(strings.TrimSpace(target)) && strings.HasPrefix(after, " ") {
		return strings.TrimLeft(after, " ")
	}
	return line
}

// completeArgument completes an argument of a verb: name=, or a value that the parameter takes.
func completeArgument(s *repl.Session, line string, v *repl.Verb, args string) (int, []string) {
	start := lastBlank(line)
	word := line[start:]
	name, value, named := strings.Cut(word, "=")
	if named {
		k := v.Index(name)
		if k < 0 {
			return len(line), nil
		}
		at := start + len(name) + 1
		switch v.Params[k].Kind {
		case repl.ResourceParam:
			return at, matchingURIs(value, valuesOf(s, v.Params[k]))
		case repl.PsetParam:
		default:
			at = max(at, lastWord(line))
			value = line[at:]
		}
		return at, matching(value, valuesOf(s, v.Params[k]))
	}
	given, byName := 0, false
	for _, arg := range lang.Words(strings.TrimSuffix(args, word)) {
		if name, _, ok := strings.Cut(arg, "="); ok && v.Index(name) >= 0 {
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
	if p.Kind == repl.IntParam && len(names) > 0 { // a number is read more easily with its name
		return start, names
	}
	return start, append(matching(word, valuesOf(s, p)), names...)
}

// Argument proposes how word, the last argument of a verb on the command line of a shell, may go on. There text needs no
// quotes of the language.
func Argument(s *repl.Session, v *repl.Verb, args []string, word string) []string {
	head := v.Line(args) + " "
	name, _, named := strings.Cut(word, "=")
	start, options := Complete(s, head+word)
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
func valuesOf(s *repl.Session, p repl.Param) []string {
	switch p.Kind {
	case repl.CommParam, repl.HandleParam:
		return append([]string{"world"}, s.Handles()...)
	case repl.TypeParam:
		return splitTypes(s)
	case repl.PsetParam:
		return psetNames(s)
	case repl.ResourceParam:
		return append(resourceNames(s), `"mpi_shared_memory"`)
	case repl.IntParam:
		return s.Numbers()
	}
	return nil
}

// splitTypes lists the split types that the world's version of the standard has.
func splitTypes(s *repl.Session) []string {
	var list []string
	for _, t := range engine.SplitTypes(s.World().Std()) {
		list = append(list, strings.TrimPrefix(t.String(), "MPI_COMM_TYPE_"))
	}
	return append(list, "UNDEFINED")
}

// psetNames lists the process sets of the world, quoted.
func psetNames(s *repl.Session) []string {
	list := []string{`"mpi://SELF"`}
	for _, p := range s.World().Psets() {
		list = append(list, strconv.Quote(p.Name))
	}
	return list
}

// resourceNames lists the hardware resource types of the topology, quoted.
func resourceNames(s *repl.Session) []string {
	var list []string
	for _, r := range s.World().Topology().Resources() {
		list = append(list, `"`+r.URI+`"`)
	}
	return list
}

// Count returns how many instances a proposed resource type has on this world: " (3)"; "" for other words.
func Count(s *repl.Session, option string) string {
	for _, r := range s.World().Topology().Resources() {
		if r.URI == strings.Trim(option, `"`) {
			return " (" + strconv.Itoa(len(r.Instances)) + ")"
		}
	}
	return ""
}

// attributes lists the names that can follow the dotted name at the end of text, as rank 0 has it.
func attributes(s *repl.Session, text string) []string {
	at := lastWord(text)
	for at > 0 && text[at-1] == '.' {
		at = lastWord(text[:at-1])
	}
	if at == len(text) {
		return nil
	}
	return s.Attributes(text[at:])
}

// expressionNames lists the names that a statement may begin with.
func expressionNames(s *repl.Session, first bool) []string {
	list := append(program.Predeclared(), s.Variables()...)
	if first {
		list = append(list, repl.VerbNames()...)
		list = append(list, "for", "if", "while", "def")
	}
	return list
}

func completeMeta(s *repl.Session, line string) (int, []string) {
	dot := strings.Index(line, ".")
	name, args, ok := strings.Cut(line[dot+1:], " ")
	if !ok {
		var names []string
		for _, n := range repl.MetaNames() {
			names = append(names, "."+n)
		}
		return dot, matching("."+name, names)
	}
	m := repl.FindMeta(name)
	if m == nil {
		return len(line), nil
	}
	start := len(line) - len(args)
	switch m.Name {
	case "help":
		return start, matching(args, append(repl.VerbNames(), repl.MetaNames()...))
	case "export":
		names, _ := stories.ExportFormats()
		return start, matching(args, names)
	case "show":
		if handle, what, ok := strings.Cut(args, " "); ok && repl.PictureOf(handle) == nil {
			return len(line) - len(what), matching(what, render.Pictures)
		}
		return start, matching(args, append(slices.Sorted(slices.Values(repl.ShowWords())), s.Handles()...))
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
		return start, append(source.Files(args, stories.IsScript), matching(args, scripts.Names())...)
	case "step":
		return start, matching(args, []string{"in", "out", "next", "back"})
	case "explain":
		return start, matching(args, append([]string{"world"}, s.Handles()...))
	case "say":
		return start, matching(args, stories.Tongues)
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

// lastWord returns where the identifier at the end of the line begins.
func lastWord(line string) int {
	i := len(line)
	for i > 0 && (lang.IsName("x" + line[i-1:i])) {
		i--
	}
	return i
}

// Hint is the verb or call, and its parameter, that a person is typing.
type Hint struct {
	Verb  *repl.Verb        // nil: it is not a command
	Param int               // index of the parameter that is being written; -1: none, or not known
	Meta  *repl.MetaCommand // of a line that begins with a dot
	C     *calls.Procedure  // of a line of C or Fortran, whose parameter Param is
}

// Text returns the verb or call with its parameters, and in the middle the parameter that is being written, "" for
// none; and what the line, or that parameter, is about. All are "" for another line.
func (h Hint) Text() (before, now, behind, about string) {
	switch {
	case h.Meta != nil:
		return h.Meta.Signature(), "", "", h.Meta.Short
	case h.C != nil:
		before, now, behind = around(h.C.Declared(), h.Param, ", ")
		return h.C.Name + "(" + before, now, behind + ")", ""
	case h.Verb == nil:
		return "", "", "", ""
	case h.Param < 0:
		return h.Verb.Signature(), "", "", h.Verb.Short
	}
	p := h.Verb.Params[h.Param]
	before, now, behind = around(h.Verb.Words(), h.Param+1, " ")
	return before, now, behind, p.Name + ": " + p.Help
}

// around joins words, and divides the text at the word at index k; without such a word, all comes before.
func around(words []string, k int, sep string) (before, word, behind string) {
	if k < 0 || k >= len(words) {
		return strings.Join(words, sep), "", ""
	}
	for i, w := range words {
		switch {
		case i < k:
			before += w + sep
		case i == k:
			word = w
		default:
			behind += sep + w
		}
	}
	return before, word, behind
}

// HintOf tells which verb and parameter stand where the line ends.
func HintOf(line string) Hint {
	text := strings.TrimLeft(line, " ")
	if rest, ok := strings.CutPrefix(text, "."); ok {
		name, _, _ := strings.Cut(rest, " ")
		return Hint{Param: -1, Meta: repl.FindMeta(name)}
	}
	text, _ = behindRanks(text)
	if c, k := tongue.At(text); c != nil {
		return Hint{Param: k, C: c}
	}
	text = behindTarget(text)
	word, args, ok := strings.Cut(text, " ")
	v := repl.FindVerb(word)
	if v == nil || !ok {
		return Hint{Verb: v, Param: -1}
	}
	last := args[lastBlank(args):]
	if name, _, named := strings.Cut(last, "="); named && v.Index(name) >= 0 {
		return Hint{Verb: v, Param: v.Index(name)}
	}
	if k := len(strings.Fields(args[:lastBlank(args)])); k < len(v.Params) && !strings.Contains(args[:lastBlank(args)], "=") {
		return Hint{Verb: v, Param: k}
	}
	return Hint{Verb: v, Param: -1}
}

// completeForeign completes a name in a line of C or Fortran, and a name that begins as names of MPI do there.
func completeForeign(s *repl.Session, line string) (start int, options []string, foreign bool) {
	start = lastWord(line)
	word := line[start:]
	if strings.HasPrefix(word, "MPI_") {
		first := strings.TrimSpace(line[:start])
		if first == "" || strings.EqualFold(first, "call") || strings.HasSuffix(first, "=") || strings.HasSuffix(first, ";") {
			return start, matching(word, tongue.Names()), true
		}
		return start, matching(word, constantsOfC()), true
	}
	if c, param := tongue.At(line); c == nil || param < 0 {
		return 0, nil, false
	}
	return start, matching(word, append(s.Variables(), s.Numbers()...)), true
}

// constantsOfC lists the constants of MPI by their names in C.
func constantsOfC() []string {
	var list []string
	for _, d := range program.Docs() {
		if name, ok := strings.CutPrefix(d.Name, "MPI."); ok && name == strings.ToUpper(name) && !strings.Contains(name, ".") {
			list = append(list, "MPI_"+name)
		}
	}
	return append(list, "MPI_STATUS_IGNORE")
}

// completeBind completes the flags of .bind and their values.
func completeBind(line string) (start int, options []string) {
	start = lastBlank(line)
	word := line[start:]
	before := strings.Fields(line[:start])
	if flag, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(flag, "--") {
		return start + len(flag) + 1, placement.Complete(strings.TrimPrefix(flag, "--"), value)
	}
	if flag, ok := strings.CutPrefix(before[len(before)-1], "--"); ok && !strings.Contains(flag, "=") {
		return start, placement.Complete(flag, word)
	}
	return start, matching(word, repl.BindFlags)
}
