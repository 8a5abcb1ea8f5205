// Package location reads places of a machine, written as for hwloc-calc, and finds their PUs:
//
//	core:0-3            objects of a type by number: N, N-M, N- (to the last), N:COUNT (the first follows the
//	                    last), a list of these with commas, all, odd, even
//	package:1.core:2    core 2 of those in package 1
//	numa[HBM]:0         objects with a subtype
//	0xf0                PUs, as a set of hwloc or taskset; PUs that the machine lacks do not count
//	all                 all PUs, as root
//	os=eth0 pci=c1:00.0 the PUs near to a device
//
// Several places are united; ~PLACE removes its PUs, xPLACE keeps the common PUs, ^PLACE the PUs of only one side.
package location

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// Places reads places of one machine.
type Places struct {
	Machine  *hw.Topology
	Physical bool // numbers of objects are the kernel's, not the logical ones
}

// Find returns the PUs of several places together. An error names the place.
func (p *Places) Find(places []string) (hw.Set, error) {
	var set hw.Set
	for _, text := range places {
		operator, place := byte('|'), text
		if text != "" && strings.IndexByte("~x^", text[0]) >= 0 {
			operator, place = text[0], text[1:]
		}
		found, err := p.One(place)
		if err != nil {
			return hw.Set{}, fmt.Errorf("%q: %w", hw.Clip(text), err)
		}
		switch operator {
		case '~':
			set = set.Minus(found)
		case 'x':
			set = set.Intersect(found)
		case '^':
			set = set.Minus(found).Union(found.Minus(set))
		default:
			set = set.Union(found)
		}
	}
	return set, nil
}

// One returns the PUs of a place.
func (p *Places) One(place string) (hw.Set, error) {
	all := p.Machine.Root.CPUSet
	kind, name, _ := strings.Cut(place, "=")
	switch {
	case place == "all" || place == "root":
		return all, nil
	case strings.HasPrefix(place, "0x"):
		set, err := hw.ParseHex(place, hw.MaxIndex)
		return set.Intersect(all), err
	case kind == "os", kind == "pci":
		return p.Near(name)
	case strings.Trim(place, "0123456789-,") == "" && place != "":
		return hw.Set{}, fmt.Errorf("a number alone is not a place: write pu:%s, or PUs as a set such as 0x3", place)
	}
	objects, err := p.objects(place)
	if err != nil {
		return hw.Set{}, err
	}
	var set hw.Set
	for _, o := range objects {
		set.Merge(o.CPUSet)
	}
	return set, nil
}

// objects returns the objects of a place such as "package:1.core:0-1".
func (p *Places) objects(place string) (inside []*hw.Object, err error) {
	inside = []*hw.Object{p.Machine.Root}
	within := ""
	for step := range strings.SplitSeq(place, ".") {
		word, numbers, numbered := strings.Cut(step, ":")
		row, err := p.Row(word)
		switch {
		case err != nil:
			return nil, err
		case !numbered:
			return nil, fmt.Errorf("%s wants a number: %s:0, %s:0-3 or %s:all", word, word, word, word)
		}
		var next []*hw.Object
		for _, outer := range inside {
			found, err := p.pick(within, word, numbers, below(row, outer))
			if err != nil {
				return nil, err
			}
			next = append(next, found...)
		}
		inside, within = next, cmp.Or(within, " in ")+step+"."
	}
	return inside, nil
}

// below returns the objects of a row that lie in outer.
func below(row []*hw.Object, outer *hw.Object) []*hw.Object {
	if outer.Type == hw.Machine {
		return row
	}
	return slices.DeleteFunc(slices.Clone(row), func(o *hw.Object) bool {
		return !o.CPUSet.SubsetOf(outer.CPUSet) || !o.NodeSet.SubsetOf(outer.NodeSet) || o.CPUSet.Empty() && o.NodeSet.Empty()
	})
}

// Row returns the objects of a type, "core" or "numa[HBM]", in logical order.
func (p *Places) Row(word string) ([]*hw.Object, error) {
	name, subtype, filtered := strings.Cut(strings.TrimSuffix(word, "]"), "[")
	typ, number, ok := synthetic.TypeOf(name)
	if !ok {
		return nil, unknown(name)
	}
	var row []*hw.Object
	for _, o := range p.Machine.Objects(typ) {
		if (number < 0 || p.Machine.GroupDepth(o) == number) && (!filtered || strings.EqualFold(o.Subtype, subtype)) {
			row = append(row, o)
		}
	}
	if len(row) == 0 {
		return nil, fmt.Errorf("the machine has no %s: it has %s", word, strings.Join(p.types(), ", "))
	}
	return row, nil
}

// types lists the names of the types of objects that the machine has.
func (p *Places) types() (names []string) {
	for _, level := range p.Machine.Levels() {
		if name := strings.ToLower(level[0].Type.String()); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// unknown returns the error for a word that is not a type.
func unknown(word string) error {
	names := append(synthetic.TypeNames(), "all", "root", "pack", "numa", "l1", "l2", "l3")
	if near := spell.Nearest(word, names); near != "" && word != "" {
		return fmt.Errorf("%q is not a type of objects: did you mean %s?", hw.Clip(word), near)
	}
	return fmt.Errorf("%q is not a place: want TYPE:NUMBER such as core:0-3 or package:1.core:2, all, or a set such as 0xf", hw.Clip(word))
}

// pick takes objects of a row by their numbers.
func (p *Places) pick(within, word, numbers string, row []*hw.Object) ([]*hw.Object, error) {
	var picked []*hw.Object
	for piece := range strings.SplitSeq(numbers, ",") {
		r, err := readNumbers(piece)
		if err != nil {
			return nil, err
		}
		found := p.numbered(r, row)
		if found == nil {
			return nil, fmt.Errorf("there is no %s:%s%s: %s", word, hw.Clip(piece), strings.TrimSuffix(within, "."), p.have(word, row))
		}
		picked = append(picked, found...)
	}
	return picked, nil
}

// have tells which numbers a row has.
func (p *Places) have(word string, row []*hw.Object) string {
	if len(row) == 0 {
		return "it has none"
	}
	var set hw.Set
	for i, o := range row {
		switch {
		case !p.Physical:
			set.Add(i)
		case o.OSIndex != hw.Unknown:
			set.Add(o.OSIndex)
		}
	}
	if set.Empty() {
		return "a " + word + " has no kernel number: leave out --physical"
	}
	return "there is " + word + ":" + hw.Clip(set.String())
}

// numbers selects objects of a row.
type numbers struct {
	from, to int // to -1: the last
	count    int // of from:count
	step     int
	all      bool
}

func readNumbers(text string) (n numbers, err error) {
	switch text {
	case "all":
		return numbers{to: -1, step: 1, all: true}, nil
	case "even":
		return numbers{to: -1, step: 2, all: true}, nil
	case "odd":
		return numbers{from: 1, to: -1, step: 2, all: true}, nil
	}
	wrong := errors.New("want a number: N, N-M, N-, N:COUNT, all, odd or even")
	number := func(s string) int {
		v, e := strconv.Atoi(s)
		if e != nil || v < 0 || v > hw.MaxIndex {
			err = wrong
		}
		return v
	}
	n.step = 1
	if first, count, ok := strings.Cut(text, ":"); ok {
		n.from, n.count = number(first), number(count)
		if n.count == 0 {
			err = wrong
		}
		return n, err
	}
	first, last, ranged := strings.Cut(text, "-")
	n.from = number(first)
	n.to = n.from
	switch {
	case ranged && last == "":
		n.to = -1
	case ranged:
		if n.to = number(last); n.to < n.from {
			err = fmt.Errorf("%s runs backwards", text)
		}
	}
	return n, err
}

// numbered returns the objects of a row with the numbers n; nil where one of these is missing.
func (p *Places) numbered(n numbers, row []*hw.Object) (list []*hw.Object) {
	if p.Physical && !n.all {
		return byOSIndex(n, row)
	}
	switch {
	case n.from >= len(row) || n.to >= len(row) || n.count > len(row):
		return nil
	case n.count > 0:
		for i := range n.count {
			list = append(list, row[(n.from+i)%len(row)])
		}
		return list
	case n.to < 0:
		n.to = len(row) - 1
	}
	for i := n.from; i <= n.to; i += n.step {
		list = append(list, row[i])
	}
	return list
}

// byOSIndex returns the objects of a row by the kernel's numbers. A range may have numbers that no object has.
func byOSIndex(n numbers, row []*hw.Object) (list []*hw.Object) {
	if n.count > 0 {
		n.to = n.from + n.count - 1
	}
	for _, o := range row {
		if o.OSIndex != hw.Unknown && o.OSIndex >= n.from && (n.to < 0 || o.OSIndex <= n.to) {
			list = append(list, o)
		}
	}
	return list
}

// Near returns the PUs near to devices: the device of a name or PCI address, all devices of a kind ("gpu"), or the device
// of a kind whose name ends with a number ("gpu0").
func (p *Places) Near(name string) (hw.Set, error) {
	kind := strings.TrimRight(name, "0123456789")
	if strings.Contains(name, ":") && !strings.HasPrefix(name, "pci:") {
		name = "pci:" + name
	}
	list, _ := p.Machine.NamedDevices(name)
	exact := slices.ContainsFunc(list, func(d hw.Located) bool { return strings.EqualFold(d.Name, name) })
	if digits := name[len(kind):]; digits != "" && !exact && !strings.ContainsAny(kind, ":.") {
		list = slices.DeleteFunc(list, func(d hw.Located) bool {
			return d.Name[len(strings.TrimRight(d.Name, "0123456789")):] != digits
		})
		for _, d := range list {
			if !d.Object.CPUSet.Equal(list[0].Object.CPUSet) {
				return hw.Set{}, fmt.Errorf("%s could be %s or %s, which are near different PUs: name one of them", name, list[0].Name, d.Name)
			}
		}
	}
	if len(list) == 0 {
		return hw.Set{}, p.noDevice(name)
	}
	var set hw.Set
	for _, d := range list {
		set.Merge(d.Object.CPUSet)
	}
	return set, nil
}

// noDevice returns the error for a name that no device has.
func (p *Places) noDevice(name string) error {
	var names []string
	for _, d := range p.Machine.Located() {
		names = append(names, d.Name)
	}
	if near := spell.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no device %s: did you mean %s?", hw.Clip(name), near)
	}
	if len(names) == 0 {
		return fmt.Errorf("there is no device %s: the hardware has no devices", hw.Clip(name))
	}
	return fmt.Errorf("there is no device %s: there are %s", hw.Clip(name), strings.Join(names, ", "))
}

// Meeting lists the objects of a type that have some of the PUs.
func (p *Places) Meeting(word string, set hw.Set) ([]*hw.Object, error) {
	row, err := p.Row(word)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(row), func(o *hw.Object) bool { return !o.CPUSet.Intersects(set) }), nil
}

// Number returns the number of an object in places: its logical index, or the kernel's number with Physical.
func (p *Places) Number(o *hw.Object) (int, error) {
	if !p.Physical {
		return o.LogicalIndex, nil
	}
	if o.OSIndex == hw.Unknown {
		return 0, fmt.Errorf("the kernel has no number for a %s: leave out --physical", o.TypeName())
	}
	return o.OSIndex, nil
}
