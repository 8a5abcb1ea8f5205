package main

import (
	"fmt"
	"slices"
	"strings"

	"commsplit/engine/calls"
	"commsplit/hw/job/recorder"
)

// guarded are the wrappers of all recorded procedures, those of newer standards behind a guard.
func guarded(wrapper func(*calls.Procedure) string) string {
	var b strings.Builder
	b.WriteString(notice)
	for _, since := range []int{20, 22, 30, 40} {
		if since > 20 {
			fmt.Fprintf(&b, "\n#if STANDARD >= %d\n", since)
		}
		for _, p := range calls.All {
			if p.Recorded() && max(p.Since, 20) == since && p.Name != byHand {
				b.WriteString(wrapper(p))
			}
		}
		if since > 20 {
			b.WriteString("#endif\n")
		}
	}
	return b.String()
}

// byHand is the procedure whose arguments are lists of commands: its wrapper is written by hand.
const byHand = "MPI_Comm_spawn_multiple"

// language writes arguments of a call for the recorder.
type language struct {
	value  func(calls.Param) string // of a number or a text
	handle func(calls.Param) string // of a handle, as C has it
	list   func(logical bool) string
	size   func(calls.Param) string // of a text
	sum    string
}

var inC = language{
	value: func(p calls.Param) string { return p.Name },
	handle: func(p calls.Param) string {
		if p.Pointer {
			return "*" + p.Name
		}
		return p.Name
	},
	list: func(logical bool) string {
		if logical {
			return "take_flags(&c, "
		}
		return "take_ints(&c, "
	},
	size: func(calls.Param) string { return "(size_t)-1" },
	sum:  "sum",
}

var inFortran = language{
	value: func(p calls.Param) string {
		if p.Array {
			return p.Name
		}
		return "*" + p.Name
	},
	handle: func(p calls.Param) string {
		return "P" + p.Type + "_f2c(*" + p.Name + ")"
	},
	list: func(logical bool) string {
		if logical {
			return "F_FLAGS("
		}
		return "F_INTS("
	},
	size: func(p calls.Param) string { return p.Name + "_size" },
	sum:  "F_SUM",
}

// wrapperOfC is the wrapper of a call for programs in C.
func wrapperOfC(p *calls.Procedure) string {
	var names []string
	for _, q := range p.Params {
		names = append(names, q.Name)
	}
	_, params, _ := strings.Cut(p.Signature, "(")
	params = strings.ReplaceAll(params, "const ", "CONST ")
	return fmt.Sprintf("\nWRAP(%s, (%s,\n     (%s),\n     %s,\n     %s)\n", strings.TrimPrefix(p.Name, "MPI_"), params,
		strings.Join(names, ", "), inC.taken(p), inC.given(p))
}

// wrapperOfFortran is the wrapper of a call for programs in Fortran: everything is passed by address, and the sizes of
// texts come last.
func wrapperOfFortran(p *calls.Procedure) string {
	var params, names, sizes, sizeNames []string
	for _, q := range p.Params {
		kind := "F *"
		if q.Type == "char" {
			kind = "char *"
			sizes, sizeNames = append(sizes, "size_t "+q.Name+"_size"), append(sizeNames, q.Name+"_size")
		}
		params, names = append(params, kind+q.Name), append(names, q.Name)
	}
	params = slices.Concat(params, []string{"F *error"}, sizes)
	names = slices.Concat(names, []string{"error"}, sizeNames)
	return fmt.Sprintf("\nFORTRAN(%s, %q,\n        (%s),\n        (%s),\n        %s,\n        %s)\n",
		strings.ToLower(strings.TrimPrefix(p.Name, "MPI_")), p.Name, strings.Join(params, ", "), strings.Join(names, ", "),
		inFortran.taken(p), inFortran.given(p))
}

// taken is what the recorder does before the call: it takes the arguments that recordings have.
func (l language) taken(p *calls.Procedure) string {
	var list []string
	on := -1
	if on = slices.IndexFunc(p.Params, func(q calls.Param) bool { return q.Type == "MPI_Comm" && (q.In || q.Inout) }); on >= 0 {
		list = append(list, "take_on(&c, "+l.handle(p.Params[on])+")")
	}
	for i, q := range p.Params {
		if text := l.argument(p, q); text != "" && i != on {
			list = append(list, text)
		}
	}
	if p.Takes("MPI_Comm") != nil && p.Ends("MPI_Comm") != nil {
		list = append(list, "give_up(&c)")
	}
	if p.Name == "MPI_Comm_create_from_group" { // a program's first call may be this one
		list = append(list, "start_with_group(&c, "+l.handle(p.Params[0])+")")
	}
	return strings.Join(list, "; ")
}

// argument takes one argument; "" for one that recordings have not.
func (l language) argument(p *calls.Procedure, q calls.Param) string {
	name := fmt.Sprintf("%q, ", recorder.Name(q.Name))
	switch {
	case q.Type == "MPI_Group" && q.Inout:
		return "take_group(&c, " + name + l.handle(q) + "); give_up_group(&c, " + l.handle(q) + ")"
	case q.Type == "MPI_Session" && q.Inout:
		return "take_session(&c, " + l.handle(q) + "); give_up_session(&c, " + l.handle(q) + ")"
	case !q.In || !recorder.Has(q.Name):
		return ""
	case q.Type == "MPI_Comm":
		return "take_peer(&c, " + name + l.handle(q) + ")"
	case q.Type == "MPI_Group":
		return "take_group(&c, " + name + l.handle(q) + ")"
	case q.Type == "MPI_Session":
		return "take_session(&c, " + l.handle(q) + ")"
	case q.Type == "MPI_Info" && p.Name == "MPI_Comm_split_type":
		return "take_info(&c, " + l.handle(q) + ")"
	case q.Name == "command":
		return "take_command(&c, " + l.value(*p.Param("root")) + ", " + q.Name + ", " + l.size(q) + ")"
	case q.Type == "char":
		return "take_text(&c, " + name + q.Name + ", " + l.size(q) + ")"
	case q.Type != "int" || p.Counted(q.Name) != nil:
		return ""
	case q.Array:
		return l.list(q.Logical) + name + q.Name + ", " + l.length(p, q) + ")"
	case q.Logical:
		return "take_flag(&c, " + name + l.value(q) + ")"
	case q.Name == "color":
		return "take_color(&c, " + name + l.value(q) + ")"
	case q.Name == "split_type":
		return "take_value(&c, " + name + "TYPE, " + l.value(q) + ")"
	}
	return "take_int(&c, " + name + l.value(q) + ")"
}

// length is how many numbers a list has.
func (l language) length(p *calls.Procedure, list calls.Param) string {
	array, index, formula := strings.Cut(strings.TrimSuffix(list.Length, "]"), "[")
	summed, isSum := strings.CutPrefix(list.Length, "sum(")
	switch {
	case list.Length == "":
		return "sizes_of(c.comm)"
	case isSum:
		summed = strings.TrimSuffix(summed, ")")
		return l.sum + "(" + summed + ", " + l.length(p, *p.Param(summed)) + ")"
	case formula: // the last entry of another list: "index[nnodes-1]"
		n := l.value(*p.Param(strings.TrimSuffix(index, "-1")))
		return n + " > 0 ? " + array + "[" + n + " - 1] : 0"
	case list.Triples:
		return "3 * " + l.value(*p.Param(list.Length))
	}
	return l.value(*p.Param(list.Length))
}

// given is what the recorder does behind the call: it takes in what the call gave.
func (l language) given(p *calls.Procedure) string {
	made := p.Gives("MPI_Comm")
	switch {
	case p.Ends("MPI_Comm") != nil:
		return "keep_if_failed(&c)"
	case made != nil && strings.Contains(p.Name, "dup"):
		return "give_same(&c, " + l.handle(*made) + ")"
	case made != nil && strings.Contains(p.Name, "_from_group"):
		return "give_first(&c, " + l.handle(*made) + ")"
	case made != nil:
		return "give_comm(&c, " + l.handle(*made) + ")"
	case p.Gives("MPI_Group") != nil:
		return "give_group(&c, " + l.handle(*p.Gives("MPI_Group")) + ")"
	case p.Gives("MPI_Session") != nil:
		return "give_session(&c, " + l.handle(*p.Gives("MPI_Session")) + ")"
	}
	return ""
}
