// Package stories has sessions as texts. It reads scripts and recordings, and writes the lines that ran: as a script
// with their results as expectations, as a program, in C and Fortran, as pictures and questions. It asks the session
// which lines ran and what ranks hold; it runs nothing except, to record, the session's lines again.
package stories

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/recording"
	"codeberg.org/commsplit/commsplit/repl/tongue"
	"codeberg.org/commsplit/commsplit/scripts"
)

// Script is the text of a file: commands and statements (.mpi), or one program (.py).
type Script struct {
	Name  string // for messages: the file's base name
	Path  string // where it was read; "" when it is not a file
	Text  string
	Flags []string    // words of the "# commsplit:" lines at the top, and --topo with what "# topology:" says
	Ends  *Ending     // what the "# ends:" line says; nil: the script ends well
	wrong *lang.Error // the first mistake in these lines

	// Arguments are the program's arguments, which stand behind -- on the command line.
	Arguments []string

	// Recording is the recording that the script was made from; nil when a person wrote the script.
	Recording *recording.Recording
	Timeline  *render.Timeline    // of the recording
	places    map[int]engine.Site // by line: where a recorded program made the calls
}

// maxScript bounds the size of a script, in bytes.
const maxScript = 16 << 20

// ReadScript reads a file; "-" is standard input. When ctx ends, it stops waiting for that, or for a pipe.
func ReadScript(ctx context.Context, path string, stdin io.Reader) (*Script, error) {
	var read *Script
	err := repl.Await(ctx, func() (err error) {
		if path == "-" && stdin != nil {
			read, err = readFrom("<stdin>", stdin)
		} else {
			read, err = readFile(path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return read, nil
}

func readFile(path string) (*Script, error) {
	if s, err := readRecording(path); s != nil || err != nil {
		return s, err
	}
	f, err := wholefile.Open(path)
	if err != nil {
		return nil, repl.AsInput(err)
	}
	defer f.Close()
	s, err := readFrom(filepath.Base(path), f)
	if err == nil {
		s.Path = path
	}
	return s, err
}

// FindScript reads the file of that name, or else the embedded script; "-" is standard input.
func FindScript(ctx context.Context, name string, stdin io.Reader) (*Script, error) {
	if name == "" { // of a variable of the shell that is not set
		return nil, errors.New(`"" is not the name of a script`)
	}
	script, err := ReadScript(ctx, name, stdin)
	if err == nil || name == "-" {
		return script, err
	}
	if file, text, ok := scripts.Lookup(name); ok {
		return NewScript(file, text), nil
	}
	for _, ending := range []string{".mpi", ".py", ".c", ".f90"} {
		if _, lost := os.Stat(name + ending); lost == nil {
			return nil, fmt.Errorf("%w (did you mean %s?)", err, name+ending)
		}
	}
	return nil, scripts.Suggest(name, err)
}

func readFrom(name string, r io.Reader) (*Script, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxScript+1))
	switch {
	case err != nil:
		return nil, repl.AsInput(err)
	case len(data) > maxScript:
		return nil, repl.AsInput(fmt.Errorf("%s: a script has at most %d MB", name, maxScript>>20))
	case bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")):
		return nil, repl.AsInput(fmt.Errorf("%s: this is UTF-16: save the script as UTF-8", name))
	case bytes.IndexByte(data, 0) >= 0:
		return nil, repl.AsInput(fmt.Errorf("%s: this is not text: a script is UTF-8", name))
	}
	for i, line := range bytes.Split(data, []byte("\n")) {
		if !utf8.Valid(line) {
			return nil, repl.AsInput(fmt.Errorf("%s:%d: this is not UTF-8: save the file as UTF-8, as iconv -f latin1 -t utf-8 does", name, i+1))
		}
	}
	return NewScript(name, strings.TrimPrefix(string(data), "\ufeff")), nil
}

// NewScript reads a script. Its first lines may carry flags, "# commsplit: -n 12"; its hardware, "# topology:" and the
// lines below it; and how it ends, "# ends: 4 DEADLOCK".
func NewScript(name, text string) *Script {
	s := &Script{Name: name, Text: strings.ReplaceAll(text, "\r\n", "\n")}
	s.readHead()
	s.readPlaces()
	return s
}

// placeMark begins a comment with the place in the recorded program that made the calls of the line below: "# at:
// grid.c:47".
const placeMark = "# at: "

// readPlaces reads the comments that say where calls were made.
func (s *Script) readPlaces() {
	if !strings.Contains(s.Text, placeMark) {
		return
	}
	s.places = map[int]engine.Site{}
	line := 0
	for text := range strings.SplitSeq(s.Text, "\n") {
		line++
		if place, ok := strings.CutPrefix(strings.TrimSpace(text), placeMark); ok {
			s.places[line+1] = repl.SiteOf(strings.TrimSpace(place))
		}
	}
}

// placed gives a chunk the places of its lines. A line without a place of its own is its place.
func (s *Script) placed(c *lang.Chunk) {
	known := false
	places := make([]engine.Site, strings.Count(c.Text, "\n")+1)
	for k := range places {
		at, ok := s.places[c.Line+k]
		if !ok {
			at = engine.Site{File: c.File, Line: int32(c.Line + k)}
		}
		places[k], known = at, known || ok
	}
	if known {
		c.Places = places
	}
}

// Title returns the first line when that is a comment, otherwise the name.
func (s *Script) Title() string {
	first, _, _ := strings.Cut(s.Text, "\n")
	if text, ok := strings.CutPrefix(first, "#"); ok && !strings.HasPrefix(first, flagsMark) && strings.TrimSpace(text) != "" {
		return strings.TrimSpace(text)
	}
	return s.Name
}

// Chunks cuts the script into chunks, which a session runs one after the other: a program is one chunk. The error
// may also be a mistake in the lines that carry flags.
func (s *Script) Chunks() ([]*lang.Chunk, error) {
	if s.wrong != nil {
		return nil, s.wrong
	}
	if strings.HasSuffix(s.Name, ".py") {
		return []*lang.Chunk{{Kind: lang.Program, File: s.Name, Line: 1, Text: s.Text, Arguments: s.Arguments}}, nil
	}
	if tongue.Whole(s.Name, s.Text) {
		return []*lang.Chunk{{Kind: lang.Program, File: s.Name, Line: 1, Text: s.Text, Whole: true, Arguments: s.Arguments}}, nil
	}
	list, err := repl.Split(s.Name, s.Text)
	if s.places != nil {
		for _, c := range list {
			s.placed(c)
		}
	}
	return list, err
}

// Statements does as Chunks, but also cuts a program, at each statement of its top level.
func (s *Script) Statements() ([]*lang.Chunk, error) {
	if s.wrong != nil || !strings.HasSuffix(s.Name, ".py") {
		return s.Chunks()
	}
	return lang.Split(s.Name, s.Text, func(string) bool { return false })
}

// The comments at the top of a script that mean something.
const (
	flagsMark    = "# commsplit:"
	topologyMark = "# topology:"
	endsMark     = "# ends:"
)

// Ending is the announced end of a script that is meant to fail: "# ends: 4 DEADLOCK".
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
			words, unclosed := FlagWords(text)
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
		lines := []string{first}
		for _, l := range head[i+1 : i+1+n] {
			lines = append(lines, strings.TrimSpace(strings.TrimPrefix(l, "#")))
		}
		switch text := strings.TrimSpace(strings.Join(lines, "\n")); {
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

// withoutHead returns the text of a chunk without the comments that have a meaning at the top of a script: the text will
// stand in a script that has such comments of its own.
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

// comments lists the comments and blank lines at the beginning of the script; those of a file of C or Fortran get # in
// place of their own sign.
func (s *Script) comments() []string {
	var list []string
	sign := tongue.Comment(s.Name)
	for line := range strings.Lines(s.Text) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, sign); ok && sign != "" {
			line = "#" + text
		}
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

// blockLength returns how many comments belong to the mark above them: an empty comment ends the block.
func blockLength(lines []string) int {
	n := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(strings.TrimPrefix(l, "#")) == "" || marked(l) })
	if n < 0 {
		return len(lines)
	}
	return n
}

// isDocument reports whether hardware is the text of an hwloc file.
func isDocument(spec string) bool { return strings.HasPrefix(spec, "<") }

// topologyBlock writes hardware as comments that readHead reads.
func topologyBlock(spec string) string {
	lines := strings.Split(spec, "\n")
	if !isDocument(spec) {
		lines = paint.Join(strings.Fields(spec), func(line string) bool { return len(line) <= 90 })
	}
	b := topologyMark + "\n"
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			b += "#   " + line + "\n"
		}
	}
	return b + "#\n"
}

// FlagWords cuts a line at blanks outside quotes. unclosed is where a quote begins that does not end; -1 when
// every quote ends.
func FlagWords(line string) (words []string, unclosed int) {
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

// JoinFlags joins words, in quotes where a word has blanks, as FlagWords reads them. In place of the text of
// an hwloc file it writes a word that stands for such a file.
func JoinFlags(words []string) string {
	quoted := slices.Clone(words)
	for i, w := range words {
		if isDocument(w) {
			quoted[i] = source.Inline
		} else if strings.ContainsAny(w, " \t") {
			quoted[i] = `"` + w + `"`
		}
	}
	return strings.Join(quoted, " ")
}

// Command returns the shell command that opens a session on a world such as the present one.
func Command(s *repl.Session) string { return "commsplit " + JoinFlags(s.Flags()) }

// shim is the file of the module that programs import under a real MPI. It is not a script.
const shim = "commsplit.py"

// IsScript reports whether a file is called as scripts are: NAME.mpi or NAME.py.
func IsScript(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".mpi" || ext == ".py"
}

// ScriptsAt lists the scripts that a path names: a file, an embedded script, or all NAME.mpi and NAME.py
// below a folder, in order of their names. Hidden folders and the module commsplit.py are left out.
// A path that is not there, or a folder without scripts, is an *InputError.
func ScriptsAt(path string) ([]string, error) {
	list, err := filesAt(path, IsScript, "no scripts: none of its files is a NAME.mpi or NAME.py")
	if errors.Is(err, fs.ErrNotExist) {
		if _, _, ok := scripts.Lookup(path); ok {
			return []string{path}, nil
		}
		return nil, scripts.Suggest(path, err)
	}
	return list, err
}

// AnswersAt lists the answers to an exercise that a path names: a file, or all files below a folder that may be
// answers, as ScriptsAt does.
func AnswersAt(path string) ([]string, error) {
	return filesAt(path, isAnswer, "no answers: none of its files is a NAME.mpi, NAME.py, NAME.c, NAME.f90 or NAME.txt")
}

// isAnswer reports whether a file in a folder is called as answers are: scripts, and lines of C or Fortran.
func isAnswer(name string) bool {
	return IsScript(name) || slices.Contains([]string{".c", ".f90", ".f08", ".txt"}, strings.ToLower(filepath.Ext(name)))
}

// filesAt lists a file, or the files below a folder that wanted accepts. For a folder without such files the error is
// none.
func filesAt(path string, wanted func(name string) bool, none string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, repl.AsInput(err)
	}
	if !info.IsDir() {
		if err := wholefile.Readable(path); err != nil {
			return nil, repl.AsInput(err)
		}
		return []string{path}, nil
	}
	var list []string
	err = filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && at != path && strings.HasPrefix(name, "."):
			return fs.SkipDir
		case !d.IsDir() && name != shim && wanted(name):
			list = append(list, at)
		}
		return nil
	})
	if err != nil {
		return nil, repl.AsInput(err)
	}
	if len(list) == 0 {
		return nil, repl.AsInput(fmt.Errorf("%s: %s", path, none))
	}
	return list, nil
}

// NoteText returns the text of a note; ok is false for other lines, and for a note whose text is computed.
func NoteText(c *lang.Chunk) (text string, ok bool) {
	if !repl.Issues(c, "note") || len(c.Args) != 1 {
		return "", false
	}
	return TextOf(c.Args[0])
}

// TextOf returns the value of an argument that is one literal text.
func TextOf(a lang.Arg) (text string, ok bool) { return program.TextOf(a.Text) }
