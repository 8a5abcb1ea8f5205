package moment

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
)

// Arguments is what ranks passed to the calls that made the communicators of a variable. Of a rank's calls, the
// last counts.
type Arguments struct {
	Columns []string // names of the arguments, in the order of the call
	Common  []string // by column: the text that all ranks passed; "" if they differ, and for color and key of a split

	steps []*engine.Step
	step  []int32 // by world rank: index in steps; -1: the rank made none of the calls
	row   []int32 // by world rank: the rank's row in that step
}

// Arguments returns the arguments for the k-th handle; nil when there were none.
func (m *Moment) Arguments(k int) *Arguments {
	if p, ok := m.arguments[k]; ok {
		return p
	}
	p := argumentsOf(m.MadeBy(k), m.Size())
	if len(p.Columns) == 0 {
		p = nil
	}
	if m.arguments == nil {
		m.arguments = map[int]*Arguments{}
	}
	m.arguments[k] = p
	return p
}

// argumentsOf returns what the ranks of a world passed to some calls.
func argumentsOf(steps []*engine.Step, size int) *Arguments {
	p := &Arguments{steps: steps, step: slices.Repeat([]int32{-1}, size), row: make([]int32, size)}
	for _, s := range steps {
		for i := range s.Args {
			if name := s.Args[i].Name; !slices.Contains(p.Columns, name) {
				p.Columns = append(p.Columns, name)
			}
		}
	}
	for i, s := range steps {
		row := int32(0)
		for r := range s.Ranks.All {
			p.step[r], p.row[r] = int32(i), row
			row++
		}
	}
	p.findCommon()
	return p
}

// each yields what ranks passed as an argument, a call after the other.
func (p *Arguments) each(name string) iter.Seq[*engine.Column] {
	return func(yield func(*engine.Column) bool) {
		for _, s := range p.steps {
			for i := range s.Args {
				if a := &s.Args[i]; a.Name == name && !yield(a) {
					return
				}
			}
		}
	}
}

// findCommon finds the arguments that are equal on all ranks, except color and key of a split, which pictures show
// for each rank.
func (p *Arguments) findCommon() {
	p.Common = make([]string, len(p.Columns))
	for k, name := range p.Columns {
		var first *engine.Column
		same := name != "color" && name != "key"
		for a := range p.each(name) {
			if first == nil {
				first = a
			}
			for i := 0; same && i < len(a.Ints); i++ {
				same = a.Ints[i] == first.Ints[0]
			}
			for i := 0; same && i < len(a.Texts); i++ {
				same = a.Texts[i] == first.Texts[0]
			}
		}
		if same && first != nil && len(first.Ints)+len(first.Texts) > 0 {
			p.Common[k] = valueOf(first, 0)
		}
	}
}

// valueOf returns what the rank in a row passed.
func valueOf(a *engine.Column, row int32) string {
	switch {
	case a.Ints != nil && render.IsUndefined(a.Name, a.Ints[row]):
		return undefined
	case a.Ints != nil:
		return render.ArgumentText(a.Name, a.Ints[row])
	}
	return shortArgument(a.Name, a.Texts[row])
}

// Numbers reports whether the values of a column are numbers.
func (p *Arguments) Numbers(column int) bool {
	for a := range p.each(p.Columns[column]) {
		if a.Ints != nil {
			return true
		}
	}
	return false
}

// MadeBy lists the steps that made the communicators of a handle, and the steps of the same line that made nothing
// because all their ranks passed MPI_UNDEFINED.
func (m *Moment) MadeBy(k int) []*engine.Step {
	all := m.View.Snapshot.Steps
	var numbers []int
	sites := map[callAt]int{}
	parting := m.Parting(k)
	for i := range parting.Len() {
		c := m.View.Snapshot.Comm(parting.Comm(i))
		if c == nil || c.Step < 1 || c.Step > len(all) {
			continue
		}
		numbers = append(numbers, c.Step)
		s := &all[c.Step-1]
		at := callAt{s.Call, s.Site()}
		sites[at] = cmp.Or(min(sites[at], c.Step), c.Step)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if n := len(numbers); n > 0 {
		for i := numbers[0]; i <= len(all); i++ {
			if s := &all[i-1]; len(s.Made) == 0 && len(s.Args) > 0 && sites[callAt{s.Call, s.Site()}] > 0 {
				numbers = append(numbers, i)
			}
		}
		slices.Sort(numbers)
	}
	var list []*engine.Step
	for _, i := range numbers {
		list = append(list, &all[i-1])
	}
	return list
}

// callAt is a call and its call site.
type callAt struct {
	call engine.Call
	site string
}

// Title returns the head of a column: the name of the argument, or the kind of its values.
func (p *Arguments) Title(column int) string {
	switch name := p.Columns[column]; name {
	case "split_type":
		return "type"
	case "info":
		return "resource"
	default:
		return name
	}
}

// One returns what a rank passed; "" when it made none of the calls.
func (p *Arguments) One(column, rank int) string {
	if p.step[rank] < 0 {
		return ""
	}
	args := p.steps[p.step[rank]].Args
	i := slices.IndexFunc(args, func(a engine.Column) bool { return a.Name == p.Columns[column] })
	if i < 0 {
		return ""
	}
	return valueOf(&args[i], p.row[rank])
}

// undefined is the sign for MPI_UNDEFINED.
const undefined = "–"

// shortArgument returns a value without words that the title of its column already has.
func shortArgument(name, text string) string {
	switch name {
	case "split_type":
		if text = strings.TrimPrefix(text, "MPI_COMM_TYPE_"); text == "MPI_UNDEFINED" {
			return undefined
		}
	case "info":
		if _, value, ok := strings.Cut(text, "="); ok {
			return value
		}
	}
	return text
}

// Run returns what ranks first, first+step, ... passed: "0", "0,-2,..,-62", or "0 … 7" for values that are no
// progression.
func (p *Arguments) Run(column, first, step, n int) string {
	text := p.One(column, first)
	if n == 1 {
		return text
	}
	second, last := p.One(column, first+step), p.One(column, first+(n-1)*step)
	a, errA := strconv.Atoi(text)
	b, errB := strconv.Atoi(second)
	same, even := true, errA == nil && errB == nil
	for i := 1; i < n && (same || even); i++ {
		x := p.One(column, first+i*step)
		same = same && x == text
		if even {
			v, err := strconv.Atoi(x)
			even = err == nil && v == a+i*(b-a)
		}
	}
	switch {
	case same:
		return text
	case even && n == 2:
		return text + "," + second
	case even:
		return text + "," + second + ",..," + last
	}
	return text + " … " + last
}
