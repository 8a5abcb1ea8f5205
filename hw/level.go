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

// findLevels lists the levels of a tree from the root down, without memory objects.
func findLevels(root *Object) []level {
	var levels []level
	groups := 0
	for front := []*Object{root}; len(front) > 0; {
		key := topmost(front)
		objects, next := takeOff(front, key)
		l := level{key: key, objects: objects}
		if key.typ == Group {
			l.groupDepth = groups
			groups++
		}
		levels, front = append(levels, l), next
	}
	return oneRowEach(levels, root)
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

// oneRowEach joins the rows of a type that lies at different heights, which happens only where
// machines are unlike: users name an object by type and index, so a type must have one row. Groups
// without a subtype stay apart by their depth; objects inside others of their type stay in rows of
// their own, as with hwloc.
func oneRowEach(levels []level, root *Object) []level {
	first := map[levelKey]int{}
	r := levels[:0]
	for _, l := range levels {
		at, again := first[l.key]
		if !again || l.key.typ == Group && l.key.subtype == "" || slices.ContainsFunc(l.objects, inLike) {
			first[l.key] = len(r)
			r = append(r, l)
			continue
		}
		r[at].objects = r[at].objects[:0:0]
		for o := range root.All() {
			if keyOf(o) == l.key {
				r[at].objects = append(r[at].objects, o)
			}
		}
	}
	return r
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
