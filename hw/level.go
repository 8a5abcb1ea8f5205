package hw

import "slices"

// A level is a row of like objects across the whole tree. hwloc's rule: a row of objects goes from
// the root down; again and again the topmost kind of object in the row becomes a level, and its
// children take its place in the row. PUs come last.
type level struct {
	key        levelKey
	objects    []*Object
	groupDepth int // of a level of Groups, else 0
}

// levelKey tells which objects are alike. Groups with different subtypes are different levels even
// at the same depth.
type levelKey struct {
	typ      Type
	subtype  string
	attached bool
}

func keyOf(o *Object) levelKey {
	switch o.Type {
	case Group:
		return levelKey{Group, o.Subtype, o.Attached}
	case Level:
		return levelKey{Level, o.Subtype, false}
	default:
		return levelKey{typ: o.Type}
	}
}

// findLevels lists the levels of a tree from the root down, without memory objects. Where machines are unlike, objects of
// a type can lie at different heights: users name an object by type and index, so such a type has one level, in the order
// of the tree. Groups without a subtype stay apart by their depth; objects inside others of their type stay in levels of
// their own, as with hwloc.
func findLevels(root *Object) []level {
	var levels []level
	groups, last := 0, map[levelKey]int{}
	for front := []*Object{root}; len(front) > 0; {
		l := level{key: topmost(front)}
		l.objects, front = takeOff(front, l.key)
		if l.key.typ == Group {
			l.groupDepth = groups
			groups++
		}
		at, again := last[l.key]
		if !again || l.key.typ == Group && l.key.subtype == "" || slices.ContainsFunc(l.objects, inLike) {
			last[l.key] = len(levels)
			levels = append(levels, l)
			continue
		}
		levels[at].objects = nil
		for o := range root.All() {
			if keyOf(o) == l.key {
				levels[at].objects = append(levels[at].objects, o)
			}
		}
	}
	return levels
}

// takeOff removes the objects with a key from a row; in rest, their children take their places.
func takeOff(row []*Object, key levelKey) (objects, rest []*Object) {
	alike, below := 0, 0
	for _, o := range row {
		if keyOf(o) == key {
			alike++
			below += len(o.Children)
		}
	}
	if alike == len(row) {
		objects = row
	} else {
		objects = make([]*Object, 0, alike)
	}
	rest = make([]*Object, 0, len(row)-alike+below)
	for _, o := range row {
		if keyOf(o) != key {
			rest = append(rest, o)
			continue
		}
		if alike < len(row) {
			objects = append(objects, o)
		}
		rest = append(rest, o.Children...)
	}
	return objects, rest
}

// inLike reports whether o lies inside an object of the same levelKey.
func inLike(o *Object) bool {
	for up := o.Parent; up != nil; up = up.Parent {
		if keyOf(up) == keyOf(o) {
			return true
		}
	}
	return false
}

// topmost returns the kind of object in front that no other kind in front contains.
func topmost(front []*Object) levelKey {
	top := keyOf(front[0])
	for _, o := range front {
		if o.Type != PU {
			top = keyOf(o)
			break
		}
	}
	for _, o := range front {
		if k := keyOf(o); k != top && holds(o, top) {
			top = k
		}
	}
	return top
}

// holds reports whether an object with that key lies below o.
func holds(o *Object, key levelKey) bool {
	for _, c := range o.Children {
		if keyOf(c) == key || holds(c, key) {
			return true
		}
	}
	return false
}
