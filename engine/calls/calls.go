// Package calls reads the table of MPI's procedures, procedures.txt: for each procedure the names in C and mpi4py, the
// section of the standard, the parameters, and the processes that take part. It carries nothing out. From the table,
// its generator makes the constants of package engine and the wrappers of the recorder.
package calls

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:generate go run ./generate ../..

//go:embed procedures.txt
var text string

// rows are all rows of the table.
var rows = read(text)

// All lists the procedures that are modelled, in the order of the table.
var All = having(func(p *Procedure) bool { return p.Party != unmodelled && p.Party != wholePrograms })

// InPrograms lists the procedures that whole programs of C and Fortran call.
var InPrograms = having(func(p *Procedure) bool { return p.Party != unmodelled })

// Carriers lists the procedures that carry messages on a communicator, also those that are not modelled.
var Carriers = having(func(p *Procedure) bool { return p.Party != wholePrograms && p.carries() })

// having lists the rows for which holds is true.
func having(holds func(*Procedure) bool) []*Procedure {
	return slices.DeleteFunc(slices.Clone(rows), func(p *Procedure) bool { return !holds(p) })
}

// Named finds the procedure of that name in a list; where anyCase, the name may be in small letters. It returns nil for
// none.
func Named(list []*Procedure, name string, anyCase bool) *Procedure {
	i := slices.IndexFunc(list, func(p *Procedure) bool { return p.Name == name || anyCase && strings.EqualFold(p.Name, name) })
	if i < 0 {
		return nil
	}
	return list[i]
}

// Procedure is one row of the table.
type Procedure struct {
	Constant  string // "Split" of engine.CallSplit; "" when the engine has none
	Section   string // of MPI-5.0; "" for a procedure of no version of the standard
	Since     int    // the version, major*10+minor; 2019 for the proposal of that year
	Party     Party
	Name      string // in C
	Params    []Param
	Signature string   // in C, without its type: "MPI_Comm_size(MPI_Comm comm, int *size)"
	Statement []string // in mpi4py; the first statement makes the call; {size} stands for a parameter
	Program   []string // the same for whole programs of C and Fortran; nil where Statement says it
	Command   string   // the command that makes the call; "" when there is none

	declared []string // the parameters as the table has them
}

// Party tells which processes take part in a call.
type Party string

// The parties to a call, in the spelling of the table.
const (
	Local            Party = "local"
	Communicator     Party = "communicator"
	Group            Party = "group"
	TwoCommunicators Party = "two communicators"
	TwoGroups        Party = "two groups"
	OtherWorlds      Party = "other worlds"

	unmodelled    Party = "not modelled"
	wholePrograms Party = "whole programs"
)

// Param is a parameter in C.
type Param struct {
	Name    string
	Type    string // without its star: "MPI_Comm", "int", "char", "void"
	Logical bool   // int in C, LOGICAL in Fortran
	Place   bool   // the number of an entry, which C counts from 0 and Fortran from 1
	Const   bool   // const in C
	In      bool   // the call only reads it
	Inout   bool   // the call reads and changes it
	Pointer bool   // C passes an address: of a result, or of an array
	Array   bool   // an array, or a text
	Length  string // the number of entries of an array: a parameter, or a formula of C; "" when no parameter tells it
	Triples bool   // each entry is three numbers
}

// OfDims is the length of an array with an entry for each dimension of the communicator's grid.
const OfDims = "dims(comm)"

// Last returns, for a length such as "index[nnodes-1]", the array whose last entry is the length, and the parameter with
// its number of entries.
func (q *Param) Last() (array, count string, ok bool) {
	return strings.Cut(strings.TrimSuffix(q.Length, "-1]"), "[")
}

// Summed returns, for a length such as "sum(degrees)", the array whose sum is the length.
func (q *Param) Summed() (array string, ok bool) {
	return strings.CutPrefix(strings.TrimSuffix(q.Length, ")"), "sum(")
}

// read reads the table. It panics at a row that it cannot read, since the table is part of the program.
func read(text string) []*Procedure {
	var list []*Procedure
	var p *Procedure
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		words, indented := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || line[0] == '#':
		case !indented:
			p = opened(line)
			list = append(list, p)
		case p.Name == "":
			p.sign(words)
		case strings.HasPrefix(words, "forms "):
			sections := strings.Fields(words)
			list = append(list, p.form(30, sections[1], "I"+lowered(p.Constant), "I"+lowered(p.Name[4:]), "MPI_Request *request"),
				p.form(40, sections[2], p.Constant+"Init", p.Name[4:]+"_init", "MPI_Info info, MPI_Request *request"))
		case strings.HasPrefix(words, "program: "):
			p.Program = strings.Split(strings.TrimPrefix(words, "program: "), "; ")
		case strings.HasPrefix(words, "{") || strings.Contains(words, "MPI."):
			p.Statement = strings.Split(words, "; ")
		default:
			p.Command = words
		}
	}
	return list
}

// opened reads the first line of a row: "Split, 7.4.2, 1.1, communicator".
func opened(line string) *Procedure {
	f := strings.Split(line, ", ")
	if len(f) != 4 {
		panic(fmt.Sprintf("procedures.txt: %q: want a constant, a section, a version and who takes part", line))
	}
	p := &Procedure{Constant: strings.Trim(f[0], "-"), Section: strings.Trim(f[1], "-"), Since: 2019, Party: Party(f[3])}
	if version, err := strconv.Atoi(strings.Replace(f[2], ".", "", 1)); err == nil { // 11 of 1.1
		p.Since = version
	}
	return p
}

// form makes the row of another form of the call, which takes the parameters in more and gives a request.
func (p *Procedure) form(since int, section, constant, method, more string) *Procedure {
	q := &Procedure{Constant: constant, Section: section, Since: since, Party: p.Party}
	q.sign("MPI_" + method + "(" + strings.Join(append(p.declared, more), ", ") + ")")
	if !p.MovesData() {
		q.Statement = []string{"{request} = {comm}." + method + "()"}
		if q.Param("info") != nil {
			q.Statement[0] = strings.Replace(q.Statement[0], "()", "({info})", 1)
		}
	}
	return q
}

func lowered(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// sign reads the signature of a row.
func (p *Procedure) sign(text string) {
	name, rest, _ := strings.Cut(text, "(")
	p.Name, p.Signature = name, text
	if rest = strings.TrimSuffix(rest, ")"); rest == "" || rest == "void" {
		return
	}
	var shown []string
	p.declared = strings.Split(rest, ", ")
	for _, text := range p.declared {
		q, inC := parameter(text)
		p.Params = append(p.Params, q)
		shown = append(shown, inC)
	}
	p.Signature = name + "(" + strings.Join(shown, ", ") + ")"
}

// parameter reads "const int dims[ndims]", and returns it as C writes it, too: "const int dims[]".
func parameter(text string) (p Param, inC string) {
	inC = text
	word := func(w string) (found bool) {
		if text, found = strings.CutPrefix(text, w+" "); found && w != "const" {
			inC = strings.Replace(inC, w+" ", "", 1)
		}
		return found
	}
	p.In, p.Inout, p.Const, p.Place = word("in"), word("inout"), word("const"), word("place")
	if p.Logical = word("logical"); p.Logical {
		inC, text = strings.Replace(inC, text, "int "+text, 1), "int "+text
	}
	if name, length, array := strings.Cut(text, "["); array {
		length = length[:strings.LastIndexByte(length, ']')]
		length, p.Triples = strings.CutSuffix(length, "][3")
		inC = strings.Replace(inC, "["+length+"]", "[]", 1)
		text, p.Length, p.Array, p.Pointer = name, length, true, true
	}
	cut := strings.LastIndexAny(text, " *") + 1
	p.Name = text[cut:]
	p.Type, _, _ = strings.Cut(text, " ")
	p.Pointer = p.Pointer || strings.Contains(text, "*")
	p.Array = p.Array || p.Type == "char"
	p.In = p.In || p.Const || !p.Pointer
	return p, inC
}

// Declared lists the parameters as C declares them.
func (p *Procedure) Declared() []string {
	_, list, _ := strings.Cut(strings.TrimSuffix(p.Signature, ")"), "(")
	if list == "" || list == "void" {
		return nil
	}
	return strings.Split(list, ", ")
}

// Param finds a parameter by name; nil for none.
func (p *Procedure) Param(name string) *Param {
	return p.find(func(q Param) bool { return q.Name == name })
}

// Takes returns the first parameter of a type that the call reads; nil for none.
func (p *Procedure) Takes(kind string) *Param {
	return p.find(func(q Param) bool { return q.Type == kind && (q.In || q.Inout) })
}

// Gives returns the parameter that gets a new handle of a type; nil when the call makes none.
func (p *Procedure) Gives(kind string) *Param {
	return p.find(func(q Param) bool { return q.Type == kind && !q.In && !q.Inout })
}

// Ends returns the parameter with the handle of a type that the call gives up; nil for none.
func (p *Procedure) Ends(kind string) *Param {
	return p.find(func(q Param) bool { return q.Type == kind && q.Inout })
}

func (p *Procedure) find(holds func(Param) bool) *Param {
	if i := slices.IndexFunc(p.Params, holds); i >= 0 {
		return &p.Params[i]
	}
	return nil
}

// MovesData reports whether the call sends or receives data in memory of the program.
func (p *Procedure) MovesData() bool { return p.Takes("MPI_Datatype") != nil }

// carries reports whether the call sends, receives, or waits for messages or processes on the communicator that it
// takes: point-to-point (§3), partitioned (§4), collective (§6) and neighborhood communication (§8.6 to §8.8).
func (p *Procedure) carries() bool {
	return p.Takes("MPI_Comm") != nil && (p.MovesData() || strings.Contains(p.Name, "robe") || strings.Contains(p.Name, "arrier"))
}

// Recorded reports whether the recorder wraps the procedure: it makes, names or gives up communicators, or makes or
// gives up groups or sessions.
func (p *Procedure) Recorded() bool {
	return p.Name == "MPI_Comm_set_name" || p.find(func(q Param) bool {
		return !q.In && slices.Contains([]string{"MPI_Comm", "MPI_Group", "MPI_Session"}, q.Type)
	}) != nil
}

// Usual has the arguments that commands may leave out, by name.
var Usual = map[string]string{"key": "0", "tag": "0", "local_leader": "0", "peer": "world", "info": "MPI.INFO_NULL"}

// Counted returns the array whose number of entries is this parameter; nil for other parameters.
func (p *Procedure) Counted(name string) *Param {
	return p.find(func(q Param) bool { return q.Length == name })
}
