package repl

import (
	"slices"
	"strings"

	"commsplit/repl/lang"
)

// The comments at the top of a script that mean something.
const (
	flagsMark    = "# commsplit:"
	topologyMark = "# topology:"
	endsMark     = "# ends:"
)

// Ending is how a script that is meant to go wrong says that it ends: "# ends: 4 DEADLOCK".
type Ending struct {
	Code int    // the exit code: 2 for a program error, 3 for an MPI error, 4 for a deadlock
	Says string // a part of the diagnosis
}

// readHead reads the comments before the first line of a script: flags, hardware that is written over
// several lines, and how it ends.
func (s *Script) readHead() {
	head := s.comments()
	spec := ""
	for i := 0; i < len(head); i++ {
		if text, ok := strings.CutPrefix(head[i], flagsMark); ok {
			words, unclosed := flagWords(text)
			if unclosed >= 0 {
				s.mistake(i, head[i], len(flagsMark)+unclosed,
					"the quote is not closed; what needs several lines stands below "+topologyMark)
			}
			s.Flags = append(s.Flags, words...)
		} else if strings.HasPrefix(strings.TrimLeft(head[i], "# \t"), flagsMark[2:]) {
			s.mistake(i, head[i], 0, "flags stand behind "+flagsMark+" with one # and one blank")
		}
		if text, ok := strings.CutPrefix(head[i], endsMark); ok {
			s.readEnding(i, head[i], text)
		}
		first, ok := strings.CutPrefix(head[i], topologyMark)
		if !ok {
			continue
		}
		n := blockLength(head[i+1:])
		lines := append([]string{first}, head[i+1:i+1+n]...)
		switch text := strings.TrimSpace(strings.Join(uncommented(lines), "\n")); {
		case text == "":
			s.mistake(i, head[i], 0, topologyMark+
				" wants a description or an hwloc file in the comments below it, up to an empty one")
		case spec != "":
			s.mistake(i, head[i], 0, "the hardware is said twice: one "+topologyMark+" is enough")
		default:
			spec = text
		}
		i += n
	}
	if spec == "" {
		return
	}
	saysTopo := func(w string) bool { return w == "--topo" || strings.HasPrefix(w, "--topo=") }
	if slices.ContainsFunc(s.Flags, saysTopo) {
		s.mistake(0, "", 0, "the hardware is said twice: by --topo and by "+topologyMark)
	}
	if !isDocument(spec) {
		spec = strings.ReplaceAll(spec, "\n", " ")
	}
	s.Flags = append(s.Flags, "--topo", spec)
}

// readEnding reads how the script ends.
func (s *Script) readEnding(line int, source, text string) {
	code, says, _ := strings.Cut(strings.TrimSpace(text), " ")
	says = strings.TrimSpace(says)
	at := slices.Index([]string{"2", "3", "4"}, code)
	switch {
	case s.Ends != nil:
		s.mistake(line, source, 0, "the end is said twice: one "+endsMark+" is enough")
	case at < 0 || says == "":
		s.mistake(line, source, len(endsMark), endsMark+" wants the exit code, 2 for a program error, 3 for an MPI error "+
			"or 4 for a deadlock, and a part of the message: "+endsMark+" 4 DEADLOCK")
	default:
		s.Ends = &Ending{Code: at + 2, Says: says}
	}
}

// withoutHead is a chunk of a script without the comments that mean something at the top of one: it will
// stand in a script that has its own.
func withoutHead(text string) string {
	s := Script{Text: text}
	head := s.comments()
	if len(head) == 0 {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	var kept []string
	for i := 0; i < len(head); i++ {
		switch {
		case strings.HasPrefix(head[i], topologyMark):
			i += blockLength(head[i+1:])
		case !marked(head[i]):
			kept = append(kept, lines[i])
		}
	}
	return strings.Join(append(kept, lines[len(head):]...), "")
}

// comments are the comments and blank lines that the script begins with.
func (s *Script) comments() []string {
	var list []string
	for line := range strings.Lines(s.Text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			break
		}
		list = append(list, line)
	}
	return list
}

// mistake keeps the first mistake in the head, at a line and byte from 0.
func (s *Script) mistake(line int, source string, at int, message string) {
	if s.wrong == nil {
		s.wrong = &lang.Error{File: s.Name, Line: line + 1, Col: at + 1, Source: source, Message: message}
	}
}

// marked reports whether a comment means something.
func marked(line string) bool {
	return strings.HasPrefix(line, flagsMark) || strings.HasPrefix(line, topologyMark) || strings.HasPrefix(line, endsMark)
}

// blockLength is how many comments belong to what stands above them: an empty one ends it.
func blockLength(lines []string) int {
	for i, l := range lines {
		if strings.TrimSpace(strings.TrimPrefix(l, "#")) == "" || marked(l) {
			return i
		}
	}
	return len(lines)
}

func uncommented(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimSpace(strings.TrimPrefix(l, "#"))
	}
	return out
}

// isDocument reports whether hardware is the text of an hwloc file.
func isDocument(spec string) bool { return strings.HasPrefix(spec, "<") }

// topologyBlock writes hardware as comments that readHead reads.
func topologyBlock(spec string) string {
	lines := strings.Split(spec, "\n")
	if !isDocument(spec) {
		lines = inLines(strings.Fields(spec), 90)
	}
	b := topologyMark + "\n"
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			b += "#   " + line + "\n"
		}
	}
	return b + "#\n"
}

// inLines joins words into lines of at most so many columns, but for words that are longer.
func inLines(words []string, width int) []string {
	var lines []string
	for _, w := range words {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(w) <= width {
			lines[last] += " " + w
		} else {
			lines = append(lines, w)
		}
	}
	return lines
}

// flagWords cuts a line at blanks outside of quotes. unclosed is where a quote begins that does not end;
// -1 for none.
func flagWords(line string) (words []string, unclosed int) {
	var word strings.Builder
	quote, open := rune(0), false
	unclosed = -1
	for i, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote, unclosed = 0, -1
		case quote == 0 && (r == '"' || r == '\''):
			quote, open, unclosed = r, true, i
		case quote == 0 && (r == ' ' || r == '\t'):
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words, unclosed
}
