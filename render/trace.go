package render

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Trace prints the steps: number, call, communicator, the ranks that called, the arguments, the communicators
// made, and the line of the program. An argument that is the same on all ranks is shown once, another argument as
// the list over the ranks.
func Trace(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	steps := v.Snapshot.Steps
	if len(steps) == 0 {
		p.line(plain("nothing has happened yet"))
		return p.writeTo(w)
	}
	names := newNaming(v)
	below := !fitsBeside(v, names, p.width)
	g := &grid{columns: []column{{right: true}, {}, {}, {flexible: true}, {},
		{flexible: true}, {flexible: true}}}
	g.row(stepHead(below)...)
	for i := range steps {
		s := &steps[i]
		args := func(width int) string { return arguments(s.Args, nil, width) }
		beside := cell{fit: args}
		if below {
			beside = text("")
		}
		g.row(text(strconv.Itoa(s.Number)), text(s.Call.String()), text(names.step(s)),
			ascending(s.Ranks.List()), text(made(s.Made)), quiet(s.Site()), beside)
		if below && len(s.Args) > 0 {
			g.note(args)
		}
	}
	g.drawTo(p)
	return p.writeTo(w)
}

func stepHead(below bool) []cell {
	row := []cell{head("step"), head("call"), head("on"), head("ranks"), head("made"), head("where")}
	if below {
		return append(row, text(""))
	}
	return append(row, head("arguments"))
}

// fitsBeside reports whether the page has room for arguments beside the steps; otherwise they go below.
func fitsBeside(v *View, names naming, width int) bool {
	widest := 0
	for i := range v.Snapshot.Steps {
		s := &v.Snapshot.Steps[i]
		used := len(s.Call.String()) + paint.Width(names.step(s)) + paint.Width(s.Site()) +
			len(made(s.Made)) + len(rankList(s.Ranks.List(), 3*narrowest)) +
			paint.Width(arguments(s.Args, nil, width))
		widest = max(widest, used)
	}
	return widest+len("step")+6*gutter <= width
}

// made returns "#2" or "#2-65": the communicators of a step have consecutive ids.
func made(ids []int) string {
	if len(ids) == 0 {
		return ""
	}
	list := make([]int32, len(ids))
	for i, id := range ids {
		list[i] = int32(id)
	}
	return "#" + rankList(list, unbounded)
}

// rowsOf returns, for the members of groups in rank order, their rows in the columns of a step that the given
// ranks made.
func rowsOf(ranks engine.Ranks, groups ...[]int32) []int {
	before := make([]int, len(ranks)) // how many ranks come before each span
	n := 0
	for i, span := range ranks {
		before[i] = n
		n += int(span.Hi-span.Lo) + 1
	}
	var rows []int
	for _, g := range groups {
		rows = slices.Grow(rows, len(g))
		at := 0
		for _, r := range g {
			at = spanWith(ranks, r, at)
			rows = append(rows, before[at]+int(r-ranks[at].Lo))
		}
	}
	return rows
}

// spanWith returns the index of the span that contains a rank of ranks. It looks near the span at first, then at
// doubling distances: neighbors in a group are mostly in the same span, or in near ones.
func spanWith(ranks engine.Ranks, r int32, at int) int {
	low, high, far := at, at, 1
	for ; low > 0 && r < ranks[low].Lo; far *= 2 {
		low, high = max(low-far, 0), low
	}
	for ; high < len(ranks)-1 && r > ranks[high].Hi; far *= 2 {
		low, high = high, min(high+far, len(ranks)-1)
	}
	for low < high {
		if middle := (low + high) / 2; r > ranks[middle].Hi {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// arguments writes the columns of a step in at most width columns: "color=[0,1]×6 key=0". If rows is not nil, it
// uses only those rows of the columns.
func arguments(args []engine.Column, rows []int, width int) string {
	var parts []string
	for i := range args {
		room := width
		if n := len(args) - i; n > 1 {
			room = max(width/n, width-(n-1)*len("key=0 "))
		}
		text := argument(&args[i], rows, max(room, narrowest))
		parts = append(parts, text)
		width -= paint.Width(text) + 1
	}
	return strings.Join(parts, " ")
}

func argument(c *engine.Column, rows []int, width int) string {
	word := c.Name + "="
	if c.Texts != nil {
		if c.Name == "split_type" {
			word = ""
		}
		return paint.Cut(word+textValues(pick(c.Texts, rows)), width)
	}
	list := pick(c.Ints, rows)
	if len(list) > 0 && repeats(list, 1) {
		return word + valueOr(c.Name, list[0], "MPI_UNDEFINED")
	}
	return word + intValues(c.Name, list, width-len(word))
}

// pick returns the rows of a column, the whole column for nil.
func pick[T any](column []T, rows []int) []T {
	if rows == nil {
		return column
	}
	list := make([]T, len(rows))
	for i, r := range rows {
		list[i] = column[r]
	}
	return list
}

// ArgumentText returns a number as text; for an argument that is a communicator, the communicator's name.
func ArgumentText(name string, x int32) string {
	if name == "peer_comm" {
		return naming{}.of(int(x))
	}
	return strconv.Itoa(int(x))
}

// IsUndefined reports whether x means MPI_UNDEFINED. A key may be any number.
func IsUndefined(name string, x int32) bool { return x == engine.Undefined && name != "key" }

// intValues lists numbers one by one while they are few and fit, otherwise as a pattern that repeats, or as
// progressions: "[0,1]×2048", "[0×64,1×64,…]", "[0,-1,..,-63]".
func intValues(name string, list []int32, width int) string {
	if len(list) <= wholeList {
		if text := "[" + joinValues(name, list) + "]"; len(text) <= width {
			return text
		}
	}
	if p := periodOf(list); p > 0 {
		text := "[" + joinValues(name, list[:p]) + "]×" + strconv.Itoa(len(list)/p)
		if paint.Width(text) <= width {
			return text
		}
	}
	var parts []string
	room := width - len("[]")
	for rest := list; len(rest) > 0; {
		r := firstRun(rest)
		text := r.value(name)
		if len(rest) == len(list) && paint.Width(text) > room {
			if span := spanOf(name, list); span != "" && paint.Width(span) <= width {
				return span
			}
		}
		need := paint.Width(text)
		if rest = rest[r.N:]; len(rest) > 0 {
			need += 2 // room for ",…"
		}
		if need > room {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, text)
		room -= paint.Width(text) + 1
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// spanOf returns the smallest and the largest of some numbers, "-10..0", where there is no room for more; "" when
// MPI_UNDEFINED is among the numbers.
func spanOf(name string, list []int32) string {
	least := slices.Min(list)
	if IsUndefined(name, least) {
		return ""
	}
	return strconv.Itoa(int(least)) + ".." + strconv.Itoa(int(slices.Max(list)))
}

func joinValues(name string, list []int32) string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = valueOr(name, x, "-")
	}
	return strings.Join(parts, ",")
}

// valueOr returns a number as text, or undefined where the number means MPI_UNDEFINED for the argument.
func valueOr(name string, x int32, undefined string) string {
	if IsUndefined(name, x) {
		return undefined
	}
	return ArgumentText(name, x)
}

// value writes a progression of argument values, which may be negative.
func (r Run) value(name string) string {
	at := func(i int) string { return valueOr(name, int32(r.First+i*r.Step), "-") }
	switch {
	case r.N == 1:
		return at(0)
	case r.Step == 0:
		return at(0) + "×" + strconv.Itoa(r.N)
	case r.N == 2:
		return at(0) + "," + at(1)
	}
	return at(0) + "," + at(1) + ",..," + at(r.N-1)
}

// maxPeriod is the longest pattern that periodOf looks for.
const maxPeriod = 8

// periodOf returns the length of the shortest pattern, at most maxPeriod numbers, that fills the list by
// repeating; 0 when there is none.
func periodOf(list []int32) int {
	for p := 1; p <= maxPeriod && 2*p <= len(list); p++ {
		if len(list)%p == 0 && repeats(list, p) {
			return p
		}
	}
	return 0
}

func repeats(list []int32, p int) bool {
	for i := p; i < len(list); i++ {
		if list[i] != list[i-p] {
			return false
		}
	}
	return true
}

// textValues lists the different texts in the order in which they occur. It leaves out the common beginning of the
// names of split types.
func textValues(list []string) string {
	seen := map[string]bool{}
	var parts []string
	for _, s := range list {
		if seen[s] {
			continue
		}
		seen[s] = true
		if s == "" {
			s = "none"
		}
		parts = append(parts, strings.TrimPrefix(s, "MPI_COMM_TYPE_"))
	}
	return strings.Join(parts, "|")
}

// Passed writes the arguments of a step in at most width columns: "color=[0,1]×6 key=0".
func Passed(s *engine.Step, width int) string { return arguments(s.Args, nil, width) }
