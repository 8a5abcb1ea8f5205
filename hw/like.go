package hw

import (
	"encoding/binary"
	"slices"
)

// likeness gives the objects of a topology the numbers in Like. Equal hardware means the types, subtypes and sizes of the
// objects themselves and of all below them, the kinds of their cores, and what this process may use. Names, numbers,
// devices and figures may differ.
type likeness struct {
	t     *Topology
	known map[string]int32
	odd   bool // the host has several kinds of cores, or parts that this process may not use
	key   []byte
}

// number numbers an object and all below it, and finds those with devices. beside is the object before it.
func (l *likeness) number(o, beside *Object) {
	if len(o.Devices()) > 0 {
		l.t.devices = append(l.t.devices, o)
	}
	if o.Type == Machine {
		d := o.Details
		l.odd = d != nil && (len(d.Kinds) > 1 || !d.Disallowed.Empty() || !d.DisallowedNodes.Empty())
	}
	for _, list := range [][]*Object{o.Memory, o.Children} {
		for i, c := range list {
			l.number(c, list[max(i-1, 0)])
		}
	}
	if o != beside && !l.odd && o.hasPartsOf(beside) {
		o.Like = beside.Like
		return
	}
	key := append(append(l.key[:0], byte(o.Type)), o.Subtype...)
	key = binary.AppendUvarint(append(key, 0), o.Bytes)
	if l.odd {
		if k := o.KindOfCores(); k != nil && o.Type == Core {
			key = append(key, k.Name()...)
		}
		if !l.t.Allows(o) {
			key = append(key, '-')
		}
	}
	if o.Shares() {
		key = append(key, '=')
	}
	key = binary.AppendUvarint(append(key, 0xff), uint64(len(o.Memory)))
	for _, list := range [][]*Object{o.Memory, o.Children} {
		for _, c := range list {
			key = binary.AppendUvarint(key, uint64(c.Like))
		}
	}
	l.key = key
	id, ok := l.known[string(key)]
	if !ok {
		id = int32(len(l.known))
		l.known[string(key)] = id
	}
	o.Like = id
}

// hasPartsOf reports whether two objects side by side are alike, if what is in them has its numbers.
func (o *Object) hasPartsOf(p *Object) bool {
	same := func(a, b *Object) bool { return a.Like == b.Like }
	return o.Type == p.Type && o.Bytes == p.Bytes && o.Subtype == p.Subtype && o.Shares() == p.Shares() &&
		slices.EqualFunc(o.Memory, p.Memory, same) && slices.EqualFunc(o.Children, p.Children, same)
}

// Shares reports whether an object shares its PUs with its only child, so that pictures draw them together, by lstopo's
// rule.
func (o *Object) Shares() bool {
	return len(o.Children) == 1 && len(o.Memory) == 0 && o.Type != Level && o.CPUSet.Equal(o.Children[0].CPUSet)
}
