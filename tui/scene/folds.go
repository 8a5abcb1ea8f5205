package scene

// Fold is whether a row stands for rows below it.
type Fold uint8

// The states of a row.
const (
	Bare   Fold = iota // nothing is below
	Open               // what is below follows
	Closed             // it stands for what is below
)

// Folds remembers which rows a person opened and closed. A row has a key: an object, a chunk of
// siblings. The zero value has everything as it is by default.
type Folds struct{ changed map[any]bool }

// Toggle opens what is closed by default, and the other way round.
func (f *Folds) Toggle(key any) {
	if f.changed == nil {
		f.changed = map[any]bool{}
	}
	if f.changed[key] = !f.changed[key]; !f.changed[key] {
		delete(f.changed, key)
	}
}

// open is the present state of a row that is open by default or not.
func (f *Folds) open(key any, byDefault bool) bool { return byDefault != f.changed[key] }

// mostSiblings is how many siblings have rows of their own; more are shown in chunks.
const mostSiblings = 32

// chunkOf is how many of n siblings one row stands for: a power of ten.
func chunkOf(n int) int {
	size := 1
	for n > size*mostSiblings {
		size *= 10
	}
	return size
}

// chunkKey is some siblings that share a row: those from the first one on, below a parent.
type chunkKey struct {
	parent any
	lo, n  int
}

// IsOpen reports whether a row that is closed by default was opened.
func (f *Folds) IsOpen(key any) bool { return f.open(key, false) }
