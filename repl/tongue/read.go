package tongue

import (
	"regexp"
	"strings"

	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// Meaning is the translation of a line of C or Fortran: a command, or statements of a program.
type Meaning struct {
	Command *Command // nil: a program
	Program string   // also of what is a command
	Lines   []int    // for each line of Program, that of the text which it comes from, from 0
	Sets    Scope    // what is known of the variables that it declares or sets
}

// Command is a command and its arguments, with their places in the text.
type Command struct {
	Target Arg // what gets the result; no text: nothing
	Verb   string
	Args   []Arg
}

// Arg is an argument of a command.
type Arg struct {
	Name string // "" when positional
	Text string
	At   syntax.Pos
}

// These texts tell what is understood of C and of Fortran, for the messages about anything else.
const (
	understoodC = "a line of C is an MPI call, such as MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half); " +
		"a declaration, such as int color = rank / 4; or if, for, while or do around these"
	understoodFortran = "a line of Fortran is an MPI call, such as call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), 0, half), " +
		"a declaration, such as integer :: color = rank / 4, or if or do around these"
)

var (
	startsC       = regexp.MustCompile(`^\s*(//|/\*|(const|constexpr|unsigned|static|struct|int|long|short|char|bool|float|double|void|MPI_(Comm|Group|Info|Session|Request|Status|Errhandler|Aint))\b\s*\**\s*(\w+\s*(\[|=[^=]|,|;|\(|$)|\w[^:]*;\s*$)|(\w+\s*=\s*)?MPI_[A-Z]\w*\s*\(|\w+(\[[^\]]*\])*\s*=[^=].*;\s*$|(if|for|while|switch|do|else|return)\b([^:"\n]|"[^"\n]*"|\?[^:"\n]*:)*[{;}]\s*((//|/\*)[^\n]*)?(\n|$)|printf\s*\(|[{}]\s*;?\s*$)`)
	startsFortran = regexp.MustCompile(`(?i)^\s*(\w+\s*=[^=][^"'\n]*\.(true|false|and|or|not|eq|ne|lt|le|gt|ge)\.|\w+\s*=\s*([^="'\n][^"'\n]*[^.\w"'\n])?(mod|merge|reshape)\s*\(|call\s+\w+|(integer|logical|character|real|type)\b[^:=]*::|(integer|logical)\s+[a-z]\w*\s*([(,!=]|$)|program\s+\w+\s*$|end\s+(program|if|do)|use\s+mpi(_f08)?\b|implicit\s+none|if\s*\(.*\)\s*(then\s*(!.*)?(\n|$)|call\s+\w+)|do\s+(\w+\s*=|while\s*\(.*\)\s*(\n|$)))`)
)

// assigns matches an assignment of Fortran, in a file whose lines are Fortran: "half = size / 2".
var assigns = regexp.MustCompile(`(?i)^\s*\w+\s*(\([^()=]*\)\s*)?=[^=]`)

// fortranFile matches the names of files with lines of Fortran.
var fortranFile = regexp.MustCompile(`(?i)\.(f|for|f77|f90|f95|f03|f08)$`)

// fileOfC matches the names of files with lines of C.
var fileOfC = regexp.MustCompile(`(?i)\.(c|cc|cpp|cxx|h)$`)

// Comment returns the sign with which comments begin in a file of C or Fortran, by the file's name; "" for other
// files.
func Comment(file string) string {
	switch {
	case fortranFile.MatchString(file):
		return "!"
	case fileOfC.MatchString(file):
		return "//"
	}
	return ""
}

var mainOfC = regexp.MustCompile(`\bmain\s*\(`)

// programOfFortran matches the statement that begins a program, or a module, which is refused.
var programOfFortran = regexp.MustCompile(`(?im)^[ \t]*(?:program|module)[ \t]+\w+[ \t]*(!.*)?\r?$`)

// Program returns the ending of files with such a text, where it is a whole program without a file's name: .c or
// .f90; "" for lines.
func Program(text string) string {
	switch {
	case functionMain.MatchString(text):
		return ".c"
	case programOfFortran.MatchString(text) && endOfFortran.MatchString(text):
		return ".f90"
	}
	return ""
}

var (
	functionMain = regexp.MustCompile(`(?m)^[ \t]*(int[ \t\n]+|void[ \t\n]+)?main[ \t]*\([^;{]*\)\s*\{`)
	endOfFortran = regexp.MustCompile(`(?im)^[ \t]*end[ \t]*(program\b.*)?\r?$`)
)

// Whole reports whether the text of a file is a whole program of C or Fortran, and not lines of it.
func Whole(file, text string) bool {
	return fileOfC.MatchString(file) && mainOfC.MatchString(text) || fortranFile.MatchString(file) && programOfFortran.MatchString(text)
}

// header matches a line with the condition of a statement that follows in the next line.
var header = regexp.MustCompile(`^\s*(if|for|while)\s*\([^\n]*\)\s*(//[^\n]*)?(\n|$)`)

// Foreign reports whether a line of a file is C or Fortran, and which.
func Foreign(file, line string) (fortran, ok bool) {
	first := header.FindString(line)
	switch {
	case fortranFile.MatchString(file) && assigns.MatchString(line):
		return true, true
	case startsC.MatchString(line), first != "" && strings.Count(first, "(") == strings.Count(first, ")"):
		return false, true
	case startsFortran.MatchString(line):
		return true, true
	}
	called := callsMPI.FindStringSubmatch(line)
	return false, called != nil && InCase(called[1]) != ""
}

// callsMPI matches a call of MPI in a case that C does not have; a function of a program may have such a name, too.
var callsMPI = regexp.MustCompile(`^\s*(?:\w+\s*=\s*)?((?i:mpi)_\w+)\s*\(.*(?:&|MPI_|;\s*$)`)

var (
	blockOfC       = regexp.MustCompile(`^\s*(if|for|while|do)\b`)
	blockOfFortran = regexp.MustCompile(`(?i)^\s*(if\s*\(.*\)\s*then|do)\b`)
	elseOfC        = regexp.MustCompile(`^\s*else\b`)
)

// Unfinished reports whether a text begins with a statement of C or Fortran that goes on in the next line.
func Unfinished(file, text string) bool {
	fortran, ok := Foreign(file, text)
	if fortran && strings.HasSuffix(strings.TrimSpace(text), "&") {
		return true
	}
	if !ok || !fortran && !blockOfC.MatchString(text) || fortran && !blockOfFortran.MatchString(text) {
		return false
	}
	_, err := syntax.Lines(text, fortran)
	e, _ := err.(*syntax.Error)
	return e != nil && e.Ended
}

// GoesOn reports whether a line continues a text that was finished: an else of C.
func GoesOn(file, text, line string) bool {
	fortran, ok := Foreign(file, text)
	return ok && !fortran && blockOfC.MatchString(text) && elseOfC.MatchString(line)
}

// Read translates a line of C or Fortran in a file. known has the variables of the lines before. A statement may go
// over several lines of text. A line that sets a variable which Fortran declared is Fortran, whatever the file.
func Read(file, line string, known Scope) (*Meaning, *syntax.Error) {
	fortran, ok := Foreign(file, line)
	if !ok && !known.SetsFortran(line) {
		return nil, syntax.Wrong(syntax.Pos{Line: 1, Col: 1}, "%s", understoodC)
	}
	r := &reader{source: line, fortran: fortran || !ok, known: known, sets: Scope{}}
	list, err := syntax.Lines(line, r.fortran)
	if err == nil {
		err = syntax.Catch(func() { r.line(list) })
	}
	if err != nil {
		e := err.(*syntax.Error)
		if c := Find(e.Call, r.fortran); c != nil {
			e.Message += "; prototype: " + c.Signature
		}
		if e.Beyond {
			e.Message += ": " + r.understood()
		}
		return nil, e
	}
	return &Meaning{Command: r.command, Program: strings.Join(r.out, "\n"), Lines: r.lines, Sets: r.sets}, nil
}

// At finds the call in which a line that is being typed ends, and the parameter there: -1 for none, behind the
// brackets or before them. The call is nil where the line has none.
func At(line string) (c *calls.Procedure, param int) {
	fortran, ok := Foreign("", line)
	if !ok {
		return nil, -1
	}
	name, param := syntax.Typing(line, fortran, func(name string) bool { return Find(name, fortran) != nil })
	if c = Find(name, fortran); c != nil && param >= len(c.Params) {
		param = -1
	}
	return c, param
}
