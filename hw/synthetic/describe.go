package synthetic

import "commsplit/hw"

// description is a parsed text. root holds the outermost levels: a machine, or
// what is above several.
type description struct {
	text    string
	root    *level
	pus     int // over all machines
	objects int // over all machines

	subtypes []string // of Groups
}

// level is one level as written: so many objects in each object of the level
// before. below is what each of its objects holds: nothing (PUs), the next
// level, or, of braces, several in their order.
type level struct {
	typ     hw.Type
	typed   bool   // the text names the type
	name    string // of a level above the machines
	depth   int    // the number of a Group as written, or -1
	at      int    // where in the text
	countAt int    // where its count is
	count   int    // objects in each object of the level before
	width   int    // objects in the machine; of a level above the machines: in all
	row     int    // levels above it
	bytes   uint64
	cache   uint64 // memory-side cache of NUMA nodes
	subtype string
	kind    kind
	indexes indexes
	nodes   []node // attached to each object
	parent  *level
	below   []*level
	machine *machine // of a Machine, and of what is in one
}

// node is an attached NUMA node.
type node struct {
	bytes, cache uint64
	subtype      string
}

// kind is what a level says of the kind of its cores.
type kind struct {
	name   string
	at     int // where the name is
	rank   int // efficiency
	rankAt int // where that is, 0 when it is not there
}

// machine is what the text says of a machine as a whole, and what is counted.
type machine struct {
	top         *level
	width       int      // machines like this
	braces      int      // that were open when it began
	uneven      bool     // it has braces
	nodeIndexes indexes  // os indexes of all attached nodes
	puIndexes   indexes  // os indexes of all PUs, behind the braces
	attached    int      // attached nodes
	names       []string // of these machines
	namesAt     int
	words       [numWords]list
}

// list is a Linux list of PUs after one of the words at the end.
type list struct {
	set hw.Set
	at  int // 0 when the word is not there
}

// The words that may end a machine's description.
const (
	restricted = iota
	offline
	disallowed
	numWords
)

var endWords = [numWords]string{"restrict", "offline", "disallow"}

// add hangs l below parent, within the same machine.
func (l *level) add(parent *level) {
	l.parent, l.row = parent, parent.row+1
	if l.machine == nil {
		l.machine = parent.machine
	}
	parent.below = append(parent.below, l)
}

// chain lists the levels of a machine without braces, the machine first.
func (l *level) chain() []*level {
	r := []*level{l}
	for len(l.below) > 0 {
		l = l.below[0]
		r = append(r, l)
	}
	return r
}

// each calls f for l and all levels below it, outer ones first.
func (l *level) each(f func(*level) error) error {
	if err := f(l); err != nil {
		return err
	}
	for _, b := range l.below {
		if err := b.each(f); err != nil {
			return err
		}
	}
	return nil
}

func (d *description) errorAt(offset int, message string) error {
	return &Error{Text: d.text, Offset: offset, Message: message}
}
