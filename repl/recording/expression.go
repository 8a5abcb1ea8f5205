package recording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
)

// An argument that differs between the processes of a call becomes one expression that each process computes: from its
// rank in the communicator of the call where that is possible, otherwise from its rank in MPI_COMM_WORLD.

// Placeholders in expressions. Commands and programs have different words for each of them.
const (
	ownRank   = "\x01" // the rank in the communicator that the call is made on
	worldRank = "\x02"
	undefined = "\x03"
)

// inCommand replaces the placeholders in an argument of a command.
var inCommand = strings.NewReplacer(ownRank, "rank", worldRank, "world.rank", undefined, "UNDEFINED")

// inProgram replaces the placeholders in an argument of a program; comm is the name of the communicator.
func inProgram(text, comm string) string {
	return strings.NewReplacer(ownRank, comm+".rank", worldRank, "MPI.COMM_WORLD.rank", undefined, "MPI.UNDEFINED").Replace(text)
}

// numberText returns a number as text, and the placeholder for MPI_UNDEFINED.
func numberText(n int32) string {
	if n == engine.Undefined {
		return undefined
	}
	return strconv.Itoa(int(n))
}

// expression returns one expression of an argument from the texts that the processes of a call passed for it; "" without
// processes. own are the ranks of the processes in the communicator of the call, world those in MPI_COMM_WORLD.
func expression(texts []string, own, world []int32) string {
	if len(texts) == 0 {
		return ""
	}
	if same(texts) {
		return texts[0]
	}
	byOwn, ok := column(own, texts)
	if ok {
		if text := formula(byOwn, ownRank); text != "" {
			return text
		}
	}
	byWorld, _ := column(world, texts)
	if text := formula(byWorld, worldRank); text != "" {
		return text
	}
	if ok {
		return table(byOwn, ownRank)
	}
	return table(byWorld, worldRank)
}

func same(texts []string) bool {
	return !slices.ContainsFunc(texts, func(t string) bool { return t != texts[0] })
}

// column returns the texts by rank, "" for ranks without a text; ok is false when one rank has two texts.
func column(ranks []int32, texts []string) (list []string, ok bool) {
	list = make([]string, slices.Max(ranks)+1)
	for i, r := range ranks {
		if list[r] != "" && list[r] != texts[i] {
			return nil, false
		}
		list[r] = texts[i]
	}
	return list, true
}

// formula returns a short expression of the rank that computes the texts; "" where none is found.
func formula(list []string, name string) string {
	if text := simple(list, name); text != "" {
		return text
	}
	rest := slices.Clone(list)
	for i, t := range rest {
		if t == undefined {
			rest[i] = ""
		}
	}
	text := simple(rest, name)
	if text == "" || slices.Equal(rest, list) {
		return ""
	}
	if test := condition(list, name); test != "" {
		return "(" + text + " if " + test + " else " + undefined + ")"
	}
	return ""
}

// condition returns a test of the rank that is true where the text is not undefined; "" where none is found.
func condition(list []string, name string) string {
	is := func(test func(i int) bool) bool {
		for i, t := range list {
			if t != "" && (t != undefined) != test(i) {
				return false
			}
		}
		return true
	}
	defined := func(t string) bool { return t != "" && t != undefined }
	first := slices.IndexFunc(list, defined)
	if is(func(i int) bool { return i == first }) {
		return fmt.Sprintf("%s == %d", name, first)
	}
	end := slices.Index(list, undefined)
	if is(func(i int) bool { return i < end }) {
		return fmt.Sprintf("%s < %d", name, end)
	}
	if is(func(i int) bool { return i >= first }) {
		return fmt.Sprintf("%s >= %d", name, first)
	}
	second := first + 1 + slices.IndexFunc(list[first+1:], defined)
	if by := second - first; by > 1 && is(func(i int) bool { return i%by == first%by }) {
		return fmt.Sprintf("%s%%%d == %d", name, by, first%by)
	}
	return ""
}

// simple returns a short formula for texts that are numbers; "" for other texts, and where none is found.
func simple(list []string, name string) string {
	var at, v []int
	for i, t := range list {
		if t == "" {
			continue
		}
		n, err := strconv.Atoi(t)
		if err != nil {
			return ""
		}
		at, v = append(at, i), append(v, n)
	}
	if len(v) == 0 {
		return ""
	}
	fits := func(f func(i int) int) bool {
		for k, i := range at {
			if f(i) != v[k] {
				return false
			}
		}
		return true
	}
	up, down := v[0]-at[0], v[0]+at[0]
	most := slices.Max(v)
	switch {
	case fits(func(int) int { return v[0] }):
		return strconv.Itoa(v[0])
	case fits(func(i int) int { return i + up }):
		return plus(name, up)
	case fits(func(i int) int { return down - i }) && down == 0:
		return "-" + name
	case fits(func(i int) int { return down - i }):
		return fmt.Sprintf("%d-%s", down, name)
	case most > 0 && v[0] > at[0] && fits(func(i int) int { return (i + up) % (most + 1) }):
		return fmt.Sprintf("(%s+%d)%%%d", name, up, most+1)
	case most > 0 && fits(func(i int) int { return i % (most + 1) }):
		return fmt.Sprintf("%s%%%d", name, most+1)
	}
	for k := 1; k < len(at); k++ {
		if v[k] == v[0]+1 {
			if by := at[k] / max(v[k], 1); by > 1 && fits(func(i int) int { return i / by }) {
				return fmt.Sprintf("%s//%d", name, by)
			}
			break
		}
	}
	return blocks(at, v, name)
}

// plus returns name+3, name-3, or name.
func plus(name string, n int) string {
	if n == 0 {
		return name
	}
	return fmt.Sprintf("%s%+d", name, n)
}

// blocks returns "rank//4%3", for blocks of equal size whose numbers repeat; "" for other numbers.
func blocks(at, v []int, name string) string {
	most := slices.Max(v)
	k := slices.IndexFunc(v, func(n int) bool { return n != v[0] })
	if k < 1 || most < 1 || at[k] < 2 {
		return ""
	}
	by := at[k]
	for j, i := range at {
		if i/by%(most+1) != v[j] {
			return ""
		}
	}
	return fmt.Sprintf("%s//%d%%%d", name, by, most+1)
}

// table returns an expression that looks the text up by rank, and has each long text only once.
func table(list []string, name string) string {
	filler := ""
	long := false
	for _, t := range list {
		if t != "" && filler == "" {
			filler = t
		}
		long = long || len(t) > 12
	}
	index := name
	filled := make([]string, len(list))
	for i, t := range list {
		if filled[i] = t; t == "" {
			filled[i] = filler
		}
	}
	if long {
		known := map[string]int{}
		var distinct, numbers []string
		for _, t := range filled {
			k, ok := known[t]
			if !ok {
				k = len(distinct)
				known[t], distinct = k, append(distinct, t)
			}
			numbers = append(numbers, strconv.Itoa(k))
		}
		if index = formula(numbers, name); index == "" {
			index = "[" + strings.Join(numbers, ",") + "][" + name + "]"
		}
		filled = distinct
	}
	return "[" + strings.Join(filled, ",") + "][" + index + "]"
}
