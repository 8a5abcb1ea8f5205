package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
)

// byRank is a value for some world ranks.
type byRank[T comparable] struct {
	ranks  []int // ascending
	values []T
}

func (b *byRank[T]) add(rank int, v T) {
	b.ranks, b.values = append(b.ranks, rank), append(b.values, v)
}

// who lists the ranks of each value.
func (b *byRank[T]) who() map[T][]int {
	who := map[T][]int{}
	for i, r := range b.ranks {
		who[b.values[i]] = append(who[b.values[i]], r)
	}
	return who
}

// mapped returns the texts of values.
func mapped[T comparable](b byRank[T], text func(T) string) byRank[string] {
	texts := byRank[string]{ranks: b.ranks}
	for _, v := range b.values {
		texts.values = append(texts.values, text(v))
	}
	return texts
}

// same reports whether all ranks have the first one's value.
func (b *byRank[T]) same() bool {
	return !slices.ContainsFunc(b.values, func(v T) bool { return v != b.values[0] })
}

// halves reports whether the values change once, from the lower ranks to the higher ones.
func (b *byRank[T]) halves() bool {
	changes := 0
	for i := 1; i < len(b.values); i++ {
		if b.values[i] != b.values[i-1] {
			changes++
		}
	}
	return changes == 1
}

// ints is an argument of a call that is a number, by world rank. It is not there where no step has it.
func (c *call) ints(name string) (byRank[int32], bool) {
	return argument(c, name, func(column *engine.Column) []int32 { return column.Ints })
}

// texts is an argument that is a text, by world rank.
func (c *call) texts(name string) (byRank[string], bool) {
	return argument(c, name, func(column *engine.Column) []string { return column.Texts })
}

func argument[T comparable](c *call, name string, values func(*engine.Column) []T) (b byRank[T], ok bool) {
	for _, s := range c.steps {
		for k := range s.Args {
			column := &s.Args[k]
			if column.Name != name || values(column) == nil {
				continue
			}
			i := 0
			for r := range s.Ranks.All {
				b.add(r, values(column)[i])
				i++
			}
		}
	}
	return b, len(b.ranks) > 0
}

// number writes a number as an expression: a constant, the rank itself or a simple function of it, or
// an entry of a table.
func (g *generator) number(name string, b byRank[int32]) string {
	value := func(v int32) string {
		if render.IsUndefined(name, v) {
			return "MPI_UNDEFINED"
		}
		return strconv.Itoa(int(v))
	}
	if b.same() {
		return value(b.values[0])
	}
	if f := g.formula(b); f != "" {
		return f
	}
	texts := mapped(b, value)
	if texts.halves() {
		return g.choice(texts)
	}
	return g.table(name, texts)
}

// formula is what gives the values from the world rank; "" for none that is simple.
func (g *generator) formula(b byRank[int32]) string {
	holds := func(f func(r int) int) bool {
		for i, r := range b.ranks {
			if int(b.values[i]) != f(r) {
				return false
			}
		}
		return true
	}
	if len(b.ranks) < 3 {
		return ""
	}
	switch {
	case holds(func(r int) int { return r }):
		return "me"
	case holds(func(r int) int { return -r }):
		return "-me"
	case holds(func(r int) int { return 1 - r%2 }):
		return "1 - " + fmt.Sprintf(g.lang.modulo, 2)
	}
	for k := 2; k <= g.plan.size/2; k++ {
		if holds(func(r int) int { return r % k }) {
			return fmt.Sprintf(g.lang.modulo, k)
		}
		if holds(func(r int) int { return r / k }) {
			return "me / " + strconv.Itoa(k)
		}
	}
	return ""
}

// choice writes texts that differ between ranks as an expression, with a condition for all but the
// last.
func (g *generator) choice(b byRank[string]) string {
	who, order := b.who(), unique(b.values)
	text := order[len(order)-1]
	for _, v := range slices.Backward(order[:len(order)-1]) {
		text = fmt.Sprintf(g.lang.choose, g.condition(who[v]), v, text)
	}
	return text
}

// mostRanges is how many ranges of ranks a condition names; more become a table.
const mostRanges = 4

// condition is true on some ranks, which are ascending.
func (g *generator) condition(ranks []int) string {
	set := engine.RanksOf(ranks...)
	if len(set) > mostRanges {
		return g.table("takes_part", byRank[string]{ranks, slices.Repeat([]string{"1"}, len(ranks))}) + " == 1"
	}
	var parts []string
	for _, e := range set {
		lo, hi := strconv.Itoa(int(e.Lo)), strconv.Itoa(int(e.Hi))
		switch {
		case e.Lo == e.Hi:
			parts = append(parts, "me == "+lo)
		case e.Lo == 0:
			parts = append(parts, "me <= "+hi)
		case int(e.Hi) == g.plan.size-1:
			parts = append(parts, "me >= "+lo)
		case len(set) == 1:
			parts = append(parts, "me >= "+lo+g.lang.and+"me <= "+hi)
		default:
			parts = append(parts, "(me >= "+lo+g.lang.and+"me <= "+hi+")")
		}
	}
	return strings.Join(parts, g.lang.or)
}

// table declares a table of texts over the world ranks, "0" for other ranks, and returns the entry of this process. Equal
// tables of one name are one table.
func (g *generator) table(name string, of byRank[string]) string {
	entries := slices.Repeat([]string{"0"}, g.plan.size)
	for i, r := range of.ranks {
		entries[r] = of.values[i]
	}
	return g.once(name+"_of", 0, entries) + g.lang.mine
}

// list declares a list of numbers and is its name.
func (g *generator) list(name string, entries []string) string {
	return g.once(name, 1, entries)
}

// once declares a table or list, and is its name. Equal ones are one, where C would see it: not from
// inside a block or a guard.
func (g *generator) once(name string, low int, entries []string) string {
	key := name + " " + strconv.Itoa(low) + strings.Join(entries, ",")
	if known := g.tables[key]; known != "" {
		return known
	}
	made := g.plan.fresh(name)
	g.declare(made, low, entries)
	if g.lang.fortran || g.indent == 1 && g.guard.since == 0 {
		g.tables[key] = made
	}
	return made
}
