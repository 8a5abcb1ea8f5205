// Package account holds a witness's account of a machine: for each kind of object that the witness knows, a
// list of things. A thing is a set of PUs, with a number and a size where the witness knows them. Accounts of
// two witnesses can be compared kind by kind.
//
// The package reads nothing, and does not know who the witnesses are.
package account

import (
	"cmp"
	"iter"
	"slices"

	"codeberg.org/commsplit/commsplit/hw"
)

// Kind is a class of objects whose things are compared: a type; Groups have a kind for each subtype.
type Kind struct {
	Type    hw.Type
	Subtype string
}

// String returns hwloc's name of the type, or the subtype of a Group.
func (k Kind) String() string {
	if k.Subtype != "" {
		return k.Subtype
	}
	return k.Type.String()
}

// Of returns the kind with a type and no subtype.
func Of(t hw.Type) Kind { return Kind{Type: t} }

// compare orders kinds from the outermost to the innermost.
func (k Kind) compare(l Kind) int {
	return cmp.Or(cmp.Compare(k.Type, l.Type), cmp.Compare(k.Subtype, l.Subtype))
}

// Thing is one object as a witness describes it.
type Thing struct {
	OSIndex int // P#, or hw.Unknown
	CPUSet  hw.Set
	Bytes   uint64 // size of a cache; 0 when the witness does not tell it
}

// Account is the answer of a witness about a machine. A kind without a key is unknown to the witness; an empty
// list means that the machine has no such object.
type Account map[Kind][]Thing

// Add adds a thing.
func (a Account) Add(k Kind, t Thing) { a[k] = append(a[k], t) }

// Speak gives some kinds an empty list: by this account the machine has none of them, until Add adds one.
func (a Account) Speak(kinds ...Kind) {
	for _, k := range kinds {
		if a[k] == nil {
			a[k] = []Thing{}
		}
	}
}

// Kinds lists the kinds in any of the accounts, the outermost first.
func Kinds(accounts ...Account) []Kind {
	var list []Kind
	for _, a := range accounts {
		for k := range a {
			if !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	slices.SortFunc(list, Kind.compare)
	return list
}

// FromTree returns the account of a tree, given as a walk over its objects. The machine itself and levels above
// it are not compared.
func FromTree(objects iter.Seq[*hw.Object]) Account {
	a := Account{}
	for o := range objects {
		if o.Type == hw.Machine || o.Type == hw.Level {
			continue
		}
		t := Thing{OSIndex: hw.Unknown, CPUSet: o.CPUSet}
		if o.Type.IsCache() {
			t.Bytes = o.Bytes
		}
		if o.Type == hw.NUMANode || o.Type == hw.PU {
			t.OSIndex = o.OSIndex // other numbers repeat, or mean something else to each witness
		}
		k := Kind{Type: o.Type}
		if o.Type == hw.Group {
			k.Subtype = o.Subtype
		}
		a.Add(k, t)
	}
	return a
}

// sorted orders things so that equal lists get equal orders.
func sorted(list []Thing) []Thing {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y Thing) int {
		c := cmp.Or(cmp.Compare(x.CPUSet.First(), y.CPUSet.First()), cmp.Compare(x.CPUSet.Len(), y.CPUSet.Len()),
			cmp.Compare(x.OSIndex, y.OSIndex))
		if c != 0 {
			return c
		}
		// Rare, and slow.
		return cmp.Or(cmp.Compare(x.CPUSet.String(), y.CPUSet.String()), cmp.Compare(x.Bytes, y.Bytes))
	})
	return list
}

// Same reports whether two lists hold the same things: the same number, with the same sets, and with the same
// os indexes and sizes where both have them.
func Same(a, b []Thing) bool {
	return len(a) == len(b) && slices.EqualFunc(sorted(a), sorted(b), like)
}

func like(x, y Thing) bool {
	return (x.OSIndex == y.OSIndex || x.OSIndex < 0 || y.OSIndex < 0) &&
		(x.Bytes == y.Bytes || x.Bytes == 0 || y.Bytes == 0) && x.CPUSet.Equal(y.CPUSet)
}

// Union returns all PUs of a list of things.
func Union(list []Thing) hw.Set {
	var s hw.Set
	for _, t := range list {
		s.Merge(t.CPUSet)
	}
	return s
}
