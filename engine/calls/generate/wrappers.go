package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/hw/job/recorder"
)

// recorded lists the procedures that the recorder wraps.
var recorded = slices.DeleteFunc(slices.Clone(calls.All), func(p *calls.Procedure) bool { return !p.Recorded() })

// guarded writes the wrappers of procedures, those of newer standards behind a guard.
func guarded(list []*calls.Procedure, wrapper func(*calls.Procedure) string) string {
	var b strings.Builder
	for _, since := range []int{20, 22, 30, 40} {
		if since > 20 {
			fmt.Fprintf(&b, "\n#if STANDARD >= %d\n", since)
		}
		for _, p := range list {
			if max(p.Since, 20) == since {
				b.WriteString(wrapper(p))
			}
		}
		if since > 20 {
			b.WriteString("#endif\n")
		}
	}
	return b.String()
}

// wrapperOfC writes the wrapper of a call for programs in C.
func wrapperOfC(p *calls.Procedure) string {
	return fmt.Sprintf("\nWRAP(%s,\n     %s,\n     %s)\n", headOfC(p), inC.taken(p), inC.given(p))
}

// headOfC writes the name of a call, its parameters and its arguments in C.
func headOfC(p *calls.Procedure) string {
	var names []string
	for _, q := range p.Params {
		names = append(names, q.Name)
	}
	_, params, _ := strings.Cut(p.Signature, "(")
	return fmt.Sprintf("%s, (%s,\n     (%s)", strings.TrimPrefix(p.Name, "MPI_"), strings.ReplaceAll(params, "const ", "CONST "), strings.Join(names, ", "))
}

// carriers writes the wrappers of the calls that carry messages, and the list of their names.
func carriers() string {
	var names []string
	for _, p := range calls.Carriers {
		names = append(names, strings.TrimPrefix(p.Name, "MPI_"))
	}
	large := ""
	for _, p := range calls.Carriers {
		if q := largeCounts(p); q != nil {
			large += fmt.Sprintf("CARRIES(%s, comm)\n", headOfC(q))
		}
	}
	return "\nstatic const char carriers[] =\n\t\" " + strings.Join(names, " \"\n\t\"") + " \";\n\n" +
		guarded(calls.Carriers, func(p *calls.Procedure) string { return fmt.Sprintf("CARRIES(%s, comm)\n", headOfC(p)) }) +
		"\n#if STANDARD >= 40\n" + large + "#endif\n\n" +
		guarded(calls.Carriers, func(p *calls.Procedure) string {
			return fmt.Sprintf("FORTRAN_CARRIES(%s, %s)\n", headOfFortran(p), inFortran.handle(p.Takes("MPI_Comm")))
		})
}

// counts and places match the parameters that are larger in the second form of a call since MPI 4 (§2.5.8).
var counts, places = regexp.MustCompile(`\bint ((send|recv)?counts?\b)`), regexp.MustCompile(`\bint ([sr]?displs\b)`)

// largeCounts returns the second form of a call, MPI_Send_c for MPI_Send; nil when there is none.
func largeCounts(p *calls.Procedure) *calls.Procedure {
	large := *p
	name, params, _ := strings.Cut(p.Signature, "(")
	large.Name, large.Signature = name+"_c", name+"_c("+places.ReplaceAllString(counts.ReplaceAllString(params, "MPI_Count $1"), "MPI_Aint $1")
	if !strings.Contains(large.Signature, "MPI_Count ") || p.Param("partitions") != nil {
		return nil
	}
	return &large
}

// wrapperOfFortran writes the wrapper of a call for programs in Fortran.
func wrapperOfFortran(p *calls.Procedure) string {
	name, rest, _ := strings.Cut(headOfFortran(p), ",")
	return fmt.Sprintf("\nFORTRAN(%s, %q,%s,\n        %s,\n        %s)\n", name, p.Name, rest, inFortran.taken(p), inFortran.given(p))
}

// headOfFortran writes the name of a call, its parameters and its arguments in Fortran, where everything is passed by
// address, and the sizes of texts come last.
func headOfFortran(p *calls.Procedure) string {
	var params, names, sizes []string
	for _, q := range p.Params {
		kind := "F *"
		if q.Type == "char" {
			kind, sizes = "char *", append(sizes, q.Name+"_size")
		}
		params, names = append(params, kind+q.Name), append(names, q.Name)
	}
	params, names = append(params, "F *error"), append(names, "error")
	for _, size := range sizes {
		params, names = append(params, "size_t "+size), append(names, size)
	}
	return fmt.Sprintf("%s,\n        (%s),\n        (%s)", strings.ToLower(strings.TrimPrefix(p.Name, "MPI_")), strings.Join(params, ", "), strings.Join(names, ", "))
}

// language writes the arguments of a call in C or Fortran, for the recorder.
type language struct{ fortran bool }

var inC, inFortran = language{}, language{fortran: true}

// value writes a number.
func (l language) value(q *calls.Param) string {
	if l.fortran {
		return "*" + q.Name
	}
	return q.Name
}

// handle writes a handle of C.
func (l language) handle(q *calls.Param) string {
	switch {
	case l.fortran:
		return "P" + q.Type + "_f2c(*" + q.Name + ")"
	case q.Pointer:
		return "*" + q.Name
	}
	return q.Name
}

// list writes a list of numbers of C; NULL for no list.
func (l language) list(name string) string {
	if l.fortran {
		return "LIST_OF_C(" + name + ")"
	}
	return name
}

// size writes how long a text can be.
func (l language) size(q *calls.Param) string {
	if l.fortran {
		return q.Name + "_size"
	}
	return "(size_t)-1"
}

// taken writes the actions of the recorder before the call: it takes the arguments that recordings have.
func (l language) taken(p *calls.Procedure) string {
	var list []string
	on := p.Takes("MPI_Comm")
	if on != nil {
		list = append(list, "take_on(&c, "+l.handle(on)+")")
	}
	for i := range p.Params {
		if q := &p.Params[i]; q != on && (q.In || q.Inout) && recorder.Has(q.Name) {
			if text := l.argument(p, q); text != "" {
				list = append(list, text)
			}
		}
	}
	switch {
	case p.Ends("MPI_Comm") != nil:
		list = append(list, "give_up(&c)")
	case p.Name == "MPI_Comm_create_from_group": // a program's first call may be this one
		list = append(list, "start_with_group(&c, "+l.handle(p.Takes("MPI_Group"))+")")
	}
	return strings.Join(list, "; ")
}

// argument returns the C expression that records an argument; "" for the length of a list and others that tell nothing
// new.
func (l language) argument(p *calls.Procedure, q *calls.Param) string {
	name := fmt.Sprintf("%q", recorder.Name(q.Name))
	take := func(what string, more ...string) string {
		return "take_" + what + "(" + strings.Join(slices.Concat([]string{"&c", name}, more), ", ") + ")"
	}
	switch q.Type {
	case "MPI_Comm":
		return take("peer", l.handle(q))
	case "MPI_Group":
		if q.Inout {
			return take("group", l.handle(q)) + "; give_up_group(&c, " + l.handle(q) + ")"
		}
		return take("group", l.handle(q))
	case "MPI_Session":
		if q.Inout {
			return "take_session(&c, " + l.handle(q) + "); give_up_session(&c, " + l.handle(q) + ")"
		}
		return "take_session(&c, " + l.handle(q) + ")"
	case "MPI_Info":
		if p.Param("split_type") != nil {
			return "take_info(&c, " + l.handle(q) + ")"
		}
		return ""
	case "char":
		return l.text(p, q, take)
	case "int":
		return l.number(p, q, take)
	}
	return ""
}

// text writes how to take a text. Commands are significant only at the root.
func (l language) text(p *calls.Procedure, q *calls.Param, take func(string, ...string) string) string {
	if recorder.Name(q.Name) != "command" {
		return take("text", q.Name, l.size(q))
	}
	command := q.Name
	if p.Counted("count") != nil && !l.fortran { // the first of several, where Fortran's text begins
		command = l.atRoot(p, q.Name+"[0]", "NULL")
	}
	return "take_command(&c, " + l.value(p.Param("root")) + ", " + command + ", " + l.size(q) + ")"
}

// atRoot writes a value that only the root has.
func (l language) atRoot(p *calls.Procedure, value, otherwise string) string {
	root, count := l.value(p.Param("root")), l.value(p.Param("count"))
	return "is_root(&c, " + root + ") && " + count + " > 0 ? " + value + " : " + otherwise
}

// number writes how to take a number or a list of numbers.
func (l language) number(p *calls.Procedure, q *calls.Param, take func(string, ...string) string) string {
	switch {
	case p.Counted(q.Name) != nil:
		return ""
	case q.Name == "array_of_maxprocs":
		return take("value", "NUMBER", l.atRoot(p, "sum("+l.list(q.Name)+", "+l.length(p, q)+")", "0"))
	case q.Array:
		return take("list", l.list(q.Name), l.length(p, q), map[bool]string{false: "0", true: "1"}[q.Logical])
	case q.Logical:
		return take("value", "NUMBER", l.value(q)+" != 0")
	case q.Name == "color":
		return take("value", "COLOR", l.value(q))
	case q.Name == "split_type":
		return take("value", "TYPE", l.value(q))
	}
	return take("value", "NUMBER", l.value(q))
}

// length writes how many numbers a list has.
func (l language) length(p *calls.Procedure, list *calls.Param) string {
	array, index, last := list.Last()
	summed, isSum := list.Summed()
	switch {
	case list.Length == calls.OfDims:
		return "sizes_of(c.comm)"
	case isSum:
		return "sum(" + l.list(summed) + ", " + l.length(p, p.Param(summed)) + ")"
	case last: // the last entry of another list: "index[nnodes-1]"
		n := l.value(p.Param(index))
		return n + " > 0 ? " + array + "[" + n + " - 1] : 0"
	case list.Triples:
		return "3 * " + l.value(p.Param(list.Length))
	}
	return l.value(p.Param(list.Length))
}

// given writes the actions of the recorder after the call: it takes in the new handles.
func (l language) given(p *calls.Procedure) string {
	if p.Ends("MPI_Comm") != nil {
		return "keep_if_failed(&c)"
	}
	for _, kind := range []string{"MPI_Comm", "MPI_Group", "MPI_Session"} {
		q, give := p.Gives(kind), strings.ToLower(strings.TrimPrefix(kind, "MPI_"))
		switch {
		case q == nil:
			continue
		case strings.Contains(p.Name, "dup"):
			give = "same"
		case strings.Contains(p.Name, "_from_group"): // the process may have no MPI_COMM_WORLD
			give = "first"
		}
		return "give_" + give + "(&c, " + l.handle(q) + ")"
	}
	return ""
}
