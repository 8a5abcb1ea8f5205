package synthetic_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// types are the words of a random description, outer ones first, and the objects that they
// make.
var types = []struct {
	word string
	name string
}{
	{"group", "Rack"}, {"pack", "Package"}, {"die", "Die"}, {"l3", "L3Cache"}, {"l2", "L2Cache"},
	{"l1d", "L1Cache"}, {"core", "Core"}, {"pu", "PU"},
}

// gen writes a random description, and determines independently which objects the description
// makes: for every object the numbers of its PUs.
type gen struct {
	t    *rapid.T
	next int // PUs so far
	made map[string][]string
}

// part is a random level; below holds the levels in braces, or one level, or none.
type part struct {
	typ, count int
	node       bool
	below      []part
}

func (g *gen) part(from, budget int) part {
	typ := rapid.IntRange(from, len(types)-1).Draw(g.t, "type")
	s := part{typ: typ, count: rapid.IntRange(1, 3).Draw(g.t, "count")}
	if typ == len(types)-1 {
		return s
	}
	s.node = rapid.IntRange(0, 5).Draw(g.t, "node") == 0
	for range rapid.IntRange(1, budget).Draw(g.t, "below") {
		s.below = append(s.below, g.part(typ+1, max(1, budget-1)))
	}
	return s
}

func (s part) text() string {
	t := fmt.Sprintf("%s:%d", types[s.typ].word, s.count)
	if s.typ == 0 {
		t += "(subtype=Rack)"
	}
	if s.node {
		t += " [numa]"
	}
	if len(s.below) == 0 {
		return t
	}
	return t + " " + texts(s.below)
}

func texts(below []part) string {
	var list []string
	for _, b := range below {
		list = append(list, b.text())
	}
	if len(list) == 1 {
		return list[0]
	}
	return "{" + strings.Join(list, " ; ") + "}"
}

// make counts the objects of s and returns the PUs of all of them.
func (g *gen) make(s part) (all []int) {
	for range s.count {
		var pus []int
		if len(s.below) == 0 {
			pus = []int{g.next}
			g.next++
		}
		for _, b := range s.below {
			pus = append(pus, g.make(b)...)
		}
		set := hw.SetOf(pus...).String()
		g.made[types[s.typ].name] = append(g.made[types[s.typ].name], set)
		if s.node {
			g.made["NUMANode"] = append(g.made["NUMANode"], set)
		}
		all = append(all, pus...)
	}
	return all
}

// found lists the sets of all objects by type, sorted.
func found(root *hw.Object) map[string][]string {
	r := map[string][]string{}
	for o := range root.All() {
		switch {
		case o.Type == hw.Machine:
		case o.Type != hw.Group:
			r[o.TypeName()] = append(r[o.TypeName()], o.CPUSet.String())
		case o.Subtype != "":
			r[o.Subtype] = append(r[o.Subtype], o.CPUSet.String())
		}
	}
	return sorted(r)
}

func sorted(m map[string][]string) map[string][]string {
	for _, list := range m {
		slices.Sort(list)
	}
	return m
}

// A random uneven description makes the objects that gen expects, with consecutive PUs; the
// objects nest; restrict= removes exactly the PUs outside its set.
func TestRandomUneven(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := &gen{t: t, made: map[string][]string{}}
		var below []part
		for range rapid.IntRange(1, 3).Draw(t, "parts") {
			below = append(below, g.part(0, 3))
		}
		text := texts(below)
		var all []int
		for _, b := range below {
			all = append(all, g.make(b)...)
		}
		if len(g.made["NUMANode"]) == 0 {
			g.made["NUMANode"] = []string{hw.SetOf(all...).String()}
		}
		top := sound(t, text)
		if diff := cmp.Diff(sorted(g.made), found(top.Root)); diff != "" {
			t.Fatalf("%q: -want +got:\n%s", text, diff)
		}
		keep := hw.SetOf(rapid.SliceOfN(rapid.SampledFrom(all), 1, -1).Draw(t, "keep")...)
		want := map[string][]string{}
		for name, list := range g.made {
			for _, set := range list {
				s, _ := hw.ParseList(set)
				if s = s.Intersect(keep); !s.Empty() {
					want[name] = append(want[name], s.String())
				}
			}
		}
		top = sound(t, text+" restrict="+keep.String())
		if diff := cmp.Diff(sorted(want), found(top.Root)); diff != "" {
			t.Fatalf("%q restrict=%s: -want +got:\n%s", text, keep, diff)
		}
	})
}

func sound(t *rapid.T, text string) *hw.Topology {
	root, _, err := synthetic.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	top := hw.New(text, root)
	for o := range top.Root.All() {
		if !nests(o) {
			t.Fatalf("%q: the children of %s %s overlap or stick out", text, o.Type, o.CPUSet)
		}
	}
	return top
}

// A random change of a valid text is read, or refused with a place inside the text.
func TestRandomErrors(t *testing.T) {
	t.Parallel()
	pieces := []string{"{", "}", ";", "(", ")", "[numa]", "pack:2", "core:2", "pu:2", "machine:2", "rack:1", " ",
		"restrict=0", "offline=1", "(indexes=1,0)", "(name=a[1-2])", "(kind=P)", "2", ":", "=", "*"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "pieces"),
			rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		_, _, err := synthetic.Parse(text)
		var e *synthetic.Error
		if err != nil && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || e.Text != text) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
