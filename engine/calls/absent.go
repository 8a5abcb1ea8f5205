package calls

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// Absence has names of mpi4py and of C's MPI that programs cannot use here, and why.
type Absence struct {
	What  string   // the subject: "windows (one-sided communication)"
	Names []string // "Comm.Spawn", "MPI.WIN_*", in C "MPI_Comm_spawn"; a * stands for any text
	Why   string   // follows a colon
	Use   string   // the advice; {small} stands for the name in small letters
}

//go:embed absent.txt
var absent string

// Absences lists what is not modelled, in the order of absent.txt.
var Absences = readAbsences()

func readAbsences() []*Absence {
	var list []*Absence
	var a *Absence
	for line := range strings.Lines(absent) {
		line = strings.TrimRight(line, "\n")
		words, indented := strings.CutPrefix(line, "\t")
		key, text, _ := strings.Cut(words, ": ")
		switch {
		case line == "" || line[0] == '#':
		case !indented:
			a = &Absence{What: line}
			list = append(list, a)
		case key == "why":
			a.Why = text
		case key == "use":
			a.Use = text
		default:
			a.Names = append(a.Names, strings.Fields(words)...)
		}
	}
	return list
}

// Method returns the class and the method of mpi4py that make the call, "Comm" and "send"; "" when programs cannot make
// it.
func (p *Procedure) Method() (class, method string) {
	if len(p.Statement) == 0 {
		return "", ""
	}
	_, call, assigns := strings.Cut(p.Statement[0], " = ")
	if !assigns {
		call = p.Statement[0]
	}
	on, method, _ := strings.Cut(call[:strings.IndexByte(call, '(')], ".")
	if q := p.Param(strings.Trim(on, "{}")); q != nil {
		on = strings.TrimPrefix(q.Type, "MPI_")
	}
	return on, method
}

// Absent returns why a name of mpi4py or of C is not modelled, by the first row that has the name; "" when no row has.
// The text calls the name as in called, and has small for {small}.
func Absent(name, called, small string) string {
	for _, a := range Absences {
		if slices.ContainsFunc(a.Names, func(pattern string) bool { return fits(name, pattern) }) {
			return fmt.Sprintf("%s is not modelled: %s; %s", called, a.Why, strings.ReplaceAll(a.Use, "{small}", small))
		}
	}
	return ""
}

// AbsentC returns why a name of C's MPI is not modelled.
func AbsentC(name string) string {
	small := strings.ToLower(strings.TrimPrefix(name, "MPI_"))
	for _, p := range All {
		if class, method := p.Method(); class == "Comm" && method == small {
			small = "world." + small
			break
		}
	}
	return Absent(name, name, small)
}

// fits reports whether a name fits a pattern, in which one * stands for any text.
func fits(name, pattern string) bool {
	begin, end, any := strings.Cut(pattern, "*")
	if !any {
		return name == pattern
	}
	return len(name) >= len(begin)+len(end) && strings.HasPrefix(name, begin) && strings.HasSuffix(name, end)
}
