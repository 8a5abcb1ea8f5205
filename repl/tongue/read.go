package tongue

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine/calls"
)

// Meaning is what a line of C or Fortran means: a command, or statements of a program.
type Meaning struct {
	Fortran bool
	Command *Command // nil: a program
	Program string   // also of what is a command
	Sets    Scope    // what is known of the variables that it declares or sets
}

// Command is a command with its arguments, which stand at bytes of the line.
type Command struct {
	Target Arg // what gets the result; no text: nothing
	Verb   string
	Args   []Arg
}

// Arg is an argument of a command.
type Arg struct {
	Name string // "" when positional
	Text string
	At   int
}

// Error is something in a line that is not understood, at a byte of the line.
type Error struct {
	At      int
	Message string
}

func (e *Error) Error() string { return e.Message }

// What of C and Fortran is understood: the messages about anything else name it.
const (
	understoodC = "a line of C is an MPI call, such as MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half); " +
		"or a declaration, such as int color = rank / 4;"
	understoodFortran = "a line of Fortran is an MPI call, such as call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), 0, half) " +
		"or a declaration, such as integer :: color = rank / 4"
)

var (
	typesOfC = []string{"const", "unsigned", "static", "int", "long", "short", "char", "bool", "float", "double", "void", "MPI_Comm", "MPI_Group",
		"MPI_Info", "MPI_Session", "MPI_Request", "MPI_Status", "MPI_Errhandler", "MPI_Aint", "MPI_Fint"}
	startsC       = regexp.MustCompile(`^\s*(//|/\*|(const|unsigned|static|int|long|short|char|bool|float|double|void|MPI_(Comm|Group|Info|Session|Request|Status|Errhandler|Aint))\b\s*\**\s*\w+\s*(\[|=[^=]|,|;|\()|(\w+\s*=\s*)?MPI_[A-Z]\w*\s*\(|\w+(\[[^\]]*\])*\s*=[^=].*;\s*$|(if|for|while|switch|do|else|return)\b[^:\n]*[{;]\s*(\n|$)|[{}]\s*;?\s*$)`)
	startsFortran = regexp.MustCompile(`(?i)^\s*(\w+\s*=[^=][^"'\n]*\.(true|false|and|or|not|eq|ne|lt|le|gt|ge)\.|\w+\s*=\s*([^="'\n][^"'\n]*[^.\w"'\n])?(mod|merge|reshape)\s*\(|call\s+\w+|(integer|logical|character|real|type)\b[^:=]*::|(integer|logical)\s+[a-z]\w*\s*([(,!]|$)|program\s+\w+\s*$|end\s+(program|if|do)|use\s+mpi(_f08)?\b|implicit\s+none|if\s*\(.*\)\s*then\s*$|do\s+\w+\s*=)`)
)

// assigns matches an assignment as Fortran has it, where the file says that its lines are Fortran: "half = size / 2".
var assigns = regexp.MustCompile(`(?i)^\s*\w+\s*(\([^()=]*\)\s*)?=[^=]`)

// fortranFile matches the names of files with lines of Fortran.
var fortranFile = regexp.MustCompile(`(?i)\.(f|for|f90|f95|f03|f08)$`)

// fileOfC matches the names of files with lines of C.
var fileOfC = regexp.MustCompile(`(?i)\.(c|cc|cpp|cxx|h)$`)

// Comment is the sign with which comments begin in a file of C or Fortran, by its name; "" in another one.
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

// Whole reports whether the text of a file is a whole program of C or Fortran, and not lines of it.
func Whole(file, text string) bool {
	return fileOfC.MatchString(file) && mainOfC.MatchString(text) || fortranFile.MatchString(file) && programOfFortran.MatchString(text)
}

func isType(word string) bool { return slices.Contains(typesOfC, word) }

// Foreign reports whether a line of a file is C or Fortran, and which.
func Foreign(file, line string) (fortran, ok bool) {
	switch {
	case fortranFile.MatchString(file) && assigns.MatchString(line):
		return true, true
	case startsC.MatchString(line):
		return false, true
	case startsFortran.MatchString(line):
		return true, true
	}
	return false, false
}

// Read is what a line of C or Fortran in a file means, behind lines that declared variables. A statement may go over
// several lines of text. A line that only sets a variable that Fortran declared is Fortran in each file.
func Read(file, line string, known Scope) (*Meaning, error) {
	fortran, ok := Foreign(file, line)
	if !ok && !known.SetsFortran(line) {
		return nil, &Error{0, understoodC}
	}
	m, err := read(line, fortran || !ok, known)
	if err != nil {
		return nil, &Error{err.at, err.text}
	}
	return m, nil
}

func read(line string, fortran bool, known Scope) (*Meaning, *mistake) {
	tokens, err := scan(line, fortran)
	if err != nil {
		return nil, err
	}
	r := &reader{tokens: tokens, fortran: fortran, known: known, sets: Scope{}}
	m := &Meaning{Fortran: fortran, Sets: r.sets}
	var statements []string
	calls := 0
	for r.peek().kind != endToken {
		if r.is(";") {
			continue
		}
		text, cmd, err := r.statement()
		if err != nil {
			return nil, err
		}
		if statements = append(statements, text...); cmd != nil {
			m.Command = cmd
		}
		calls++
		if t := r.peek(); t.kind != endToken && !r.is(";") {
			return nil, wrong(t.at, "%s is not expected here: %s", t.text, understood(fortran))
		}
	}
	if calls > 1 {
		m.Command = nil // several statements are a program
	}
	if len(statements) == 0 {
		statements = []string{"pass"}
	}
	m.Program = strings.Join(statements, "\n")
	return m, nil
}

func understood(fortran bool) string {
	if fortran {
		return understoodFortran
	}
	return understoodC
}

// statement reads a call, a declaration or an assignment.
func (r *reader) statement() ([]string, *Command, *mistake) {
	t := r.next()
	switch {
	case t.kind != nameToken:
		return nil, nil, wrong(t.at, "%s is not expected here: %s", t.text, understood(r.fortran))
	case r.fortran && strings.EqualFold(t.text, "call"):
		return r.call(r.next(), "")
	case r.fortran && (isDeclaration(t.text) && r.peek().text != "=" || strings.EqualFold(t.text, "if") || r.peek().text != "=" && r.peek().text != "("):
		return r.declarationOfFortran(t)
	case isType(t.text):
		return r.declaration(t)
	case strings.HasPrefix(t.text, "MPI_"):
		return r.call(t, "")
	case slices.Contains([]string{"if", "for", "while", "switch", "do", "else", "return"}, t.text):
		return nil, nil, wrong(t.at, "%s is not allowed here: %s", t.text, understoodC)
	}
	return r.assignment(t)
}

// argument is one argument of a call.
type argument struct {
	value
	at   int
	from string // the entry from which on an array gets results; "" for the whole array
}

// call reads the arguments of a call, and fills in what it means. code is the name that gets the error code; "" for none.
func (r *reader) call(t token, code string) ([]string, *Command, *mistake) {
	c := Find(t.text, r.fortran)
	if c == nil {
		return nil, nil, wrong(t.at, "%s", r.unknown(t.text))
	}
	if err := r.want("("); err != nil {
		return nil, nil, err
	}
	args := map[string]argument{}
	for i, p := range c.Params {
		if i > 0 && !r.is(",") {
			return nil, nil, wrong(r.peek().at, "%s is missing; prototype: %s", p.Name, c.Signature)
		}
		a, err := r.argument(c, p)
		if err != nil {
			return nil, nil, err
		}
		args[p.Name] = a
	}
	if r.fortran && (len(c.Params) == 0 || r.is(",")) && r.peek().kind == nameToken {
		code = r.name(r.next())
	}
	if !r.is(")") {
		return nil, nil, wrong(r.peek().at, "%s has too many arguments; prototype: %s", c.Name, c.Signature)
	}
	if err := r.enough(c, args); err != nil {
		return nil, nil, err
	}
	statements := make([]string, len(c.Statement))
	for i, template := range c.Statement {
		statements[i] = fill(c, template, args)
	}
	command := true
	for _, i := range results(c) {
		p := c.Params[i]
		a := args[p.Name]
		if a.from != "" {
			left, right, _ := strings.Cut(statements[0], " = ")
			statements[0] = fmt.Sprintf("%s = [%[1]s[:%[2]s] + k_ + %[1]s[%[2]s + len(k_):] for k_ in [%[3]s]][0]", left, a.from, right)
		}
		command = command && leading(a.text, isNameByte) == a.text
		r.got(c, p, a)
	}
	if code != "" {
		return append(statements, code+" = MPI.SUCCESS"), nil, nil
	}
	if !command {
		return statements, nil, nil
	}
	return statements, commandOf(c, args), nil
}

// argument reads what stands for a parameter: a name that gets a result, or an expression.
func (r *reader) argument(c *calls.Procedure, p calls.Param) (argument, *mistake) {
	at := r.peek().at
	if p.Type == "MPI_Status" {
		r.is("&")
		_, _, err := r.place("status")
		return argument{at: at}, err
	}
	if p.In || p.Type == "void" && !p.Pointer {
		if p.Array && p.Type != "char" {
			v, err := r.entries(p)
			return argument{value: v, at: at}, err
		}
		if p.Type == "void" && !r.fortran {
			r.is("&")
		}
		if !r.fortran && r.peek().text == "&" {
			return argument{}, wrong(at, "%s takes %d arguments: %s is missing, or has an & too many; prototype: %s", c.Name, len(c.Params), p.Name, c.Signature)
		}
		v, err := r.expression()
		return argument{value: v, at: at}, err
	}
	address := !r.fortran && r.is("&")
	t := r.peek()
	switch {
	case t.kind != nameToken || strings.HasPrefix(strings.ToUpper(t.text), "MPI_"):
		return argument{}, wrong(t.at, "the call sets %s: pass a name%s; prototype: %s", p.Name, map[bool]string{false: ", as in &" + p.Name}[r.fortran], c.Signature)
	case !r.fortran && !address && !p.Array && p.Type != "void":
		return argument{}, wrong(t.at, "the call sets %s: write &%s; prototype: %s", p.Name, t.text, c.Signature)
	}
	v, last, err := r.place(r.name(t))
	if err != nil {
		return argument{}, err
	}
	a := argument{value: v, at: at}
	switch one := last != nil && last.one; {
	case one && p.Array && (address || r.fortran): // the entries from there on
		a.text, a.from = last.of, last.index
	case one && p.Array && r.variable(r.name(t)).Dims > 0, v.array != "" && !p.Array && p.Type != "void":
		return argument{}, wrong(at, "%s is %s; prototype: %s", p.Name, map[bool]string{true: "an array", false: "not an array"}[p.Array], c.Signature)
	}
	if a.from != "" && len(results(c)) > 1 {
		return argument{}, wrong(at, "the call sets %s from the first entry on: pass %s", p.Name, a.text)
	}
	return a, nil
}

// unknown says why a call is not known.
func (r *reader) unknown(name string) string {
	if !strings.HasPrefix(strings.ToUpper(name), "MPI_") {
		return "the procedure " + name + " is unknown: " + understood(r.fortran)
	}
	if why := calls.AbsentC(name); why != "" {
		return why
	}
	return name + " is not a known call" + nearest(name)
}

// fill puts arguments into a template of a call. Of an array it passes as many entries as C does.
func fill(c *calls.Procedure, template string, args map[string]argument) string {
	set, _, _ := strings.Cut(template, " = ")
	put := func(text string, passed bool) string {
		return hole.ReplaceAllStringFunc(text, func(found string) string {
			p := c.Param(strings.Trim(found, "{}"))
			a := args[p.Name]
			n, counted := args[p.Length]
			if !passed || !counted {
				return a.within(template, found)
			}
			if a.text == "None" || strings.HasPrefix(a.text, "MPI.") || a.length >= 0 && strconv.Itoa(a.length) == n.text {
				return a.text
			}
			return a.in(atom) + "[:" + n.text + "]"
		})
	}
	if set == template {
		return put(template, true)
	}
	return put(set, false) + put(strings.TrimPrefix(template, set), true)
}

// within is the argument at its place in a template: before a dot it must be one word.
func (a argument) within(template, found string) string {
	if strings.Contains(template, found+".") {
		return a.in(atom)
	}
	return a.text
}

// commandOf is the command that a call means; nil when it means none.
func commandOf(c *calls.Procedure, args map[string]argument) *Command {
	if c.Command == "" {
		return nil
	}
	cmd := &Command{}
	for _, i := range results(c) {
		a := args[c.Params[i].Name]
		cmd.Target = Arg{Text: a.text, At: a.at}
	}
	words := strings.Fields(c.Command)
	cmd.Verb = words[0]
	for _, w := range words[1:] {
		name, of, named := strings.Cut(w, "=")
		if !named {
			name, of = "", w
		}
		a := args[strings.Trim(of, "{}")]
		if calls.Usual[name] == a.text && a.text != "" {
			continue
		}
		text := a.text
		if name == "type" {
			text = strings.TrimPrefix(text, "MPI.COMM_TYPE_")
		}
		cmd.Args = append(cmd.Args, Arg{Name: name, Text: text, At: a.at})
	}
	return cmd
}
