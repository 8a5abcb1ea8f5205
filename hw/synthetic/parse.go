// Package synthetic reads descriptions of hardware: hwloc's synthetic language,
// with extensions for uneven machines and for clusters.
//
// # hwloc's part
//
// From the machine inwards, a level says how many objects of a type each object
// of the level before holds.
//
//	pack:2 numa:2 l3:2 core:4 pu:2           2 packages x 2 NUMA nodes x 2 L3 x 4 cores x 2 PUs
//	2 4 2                                    bare counts: hwloc chooses the types
//	pack:2 [numa(memory=4GB)] core:4         memory of each object of the level before
//	l2:8(size=1MiB) pu:2(indexes=2*8:1*2)    attributes; os indexes as a list, loops or types
//
// Types and their abbreviations, merging, defaults and sizes are hwloc's. The
// last level is pu; after core:N it may be left out and means one PU a core.
//
// # Uneven machines
//
//	pack:1 {l3:1 core:4 ; core:2}            braces: different children, for each object before
//	{core:2 pu:2 ; core:1}(indexes=0-4)      os indexes of all PUs, behind the outermost braces
//	core:8 restrict=0-5                      other PUs, and memory left without any, do not exist
//	core:8 offline=6 disallow=0-1            PUs that are off, or not ours; memory stays
//	group:2(subtype=Rack) core:2             a Group that is a resource type, commsplit://Rack
//	[numa(memory=4GiB subtype=MCDRAM)]       memory that nobody gets by default
//	core:4(kind=IntelAtom efficiency=0)      a kind of cores, 0 needs the least power
//
// Lists of PUs are Linux's ("0-3,8", "0-31:1/4") and count within a machine;
// lists of indexes may have ranges, too. Without indexes= every type is numbered
// in the order of the text. Siblings stand in the order of their first PU.
//
// # Several machines
//
//	machine:4 pack:2 core:8                  4 machines, in a level Cluster
//	row:2 rack:4 machine:2 core:8            levels of any name, resource types commsplit://Row, ...
//	machine:4(name=cn[01-04]) core:8         host names
//	{machine:2 core:8 ; machine:1 core:64}   machines that differ
//
// # Grammar
//
//	text    = [ attrs ] levels | above                  attrs: of the machine
//	above   = { name ":" count } ( machine | "{" above { ";" above } "}" )
//	machine = "machine:" count [ attrs ] levels
//	levels  = { level | "[numa" [ attrs ] "]" } [ "{" levels { ";" levels } "}" [ attrs ] ] { word }
//	level   = [ type ":" ] count [ attrs ]
//	attrs   = "(" attr { " " attr } ")"
//	word    = ( "restrict=" | "offline=" | "disallow=" ) list    at the end of a machine
//
// Where hwloc warns and ignores, Parse returns an error. Every error has its
// place in the text. Format does the reverse, as lstopo does: it writes the
// description of machines that are symmetric and alike.
//
// # Model
//
// A text becomes a description (a tree of levels), the levels get types and are
// checked, each machine in the description is built once, and copied for every
// host like it.
package synthetic

import (
	"fmt"
	"regexp"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// MaxPUs is the largest number of PUs, over all hosts, that a description may
// ask for: room for all of Frontier, within two gigabytes.
const MaxPUs = 1 << 21

// MaxObjects is the largest number of objects, over all hosts, that a
// description may ask for.
const MaxObjects = 1 << 23

// Error says what is wrong with a description, and where.
type Error struct {
	Text    string // the whole description
	Offset  int    // in bytes, of the place in Text that Message is about
	Message string
}

func (e *Error) Error() string {
	rest := e.Text[e.Offset:]
	if rest == "" {
		return e.Message + " at the end of the description"
	}
	if len(rest) > 40 {
		rest = rest[:40] + "..."
	}
	return fmt.Sprintf("%s at %q", e.Message, rest)
}

// Parse builds the tree that text describes: a Machine, or a Level above several
// machines. Several hosts without a single level above them get a Level
// "Cluster". The notes tell which PUs the machines have and this process cannot use. Errors are of type *Error.
func Parse(text string) (root *hw.Object, notes []string, err error) {
	d, err := read(text)
	if err == nil {
		err = d.root.each(d.last)
	}
	for _, m := range d.machines {
		if err == nil {
			err = d.complete(m)
		}
	}
	if err == nil {
		root, err = d.tree()
	}
	return root, d.notes, err
}

// description is a parsed text. root holds the outermost levels: a machine, or
// the levels above several machines.
type description struct {
	text     string
	root     *level
	machines []*level // those of type Machine
	pus      int      // over all machines
	objects  int      // over all machines

	notes    []string // each once
	names    []string // of levels above the machines
	subtypes []string // of Groups
}

// level is one level of the text: the number of objects in each object of the
// level before. below is what each of its objects holds: nothing (for PUs), the
// next level, or, for braces, several levels in their order.
type level struct {
	typ     hw.Type
	typed   bool   // the text names the type
	name    string // of a level above the machines
	depth   int    // the number of a Group as written, or -1
	holder  bool   // a Group that is there only for the NUMA nodes of its PUs
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
	machine *machine // of a Machine, and of the levels inside a machine
}

// node is a NUMA node of each object of a level.
type node struct {
	bytes, cache uint64
	subtype      string
	of           *level // of NUMA nodes, when it is not attached
}

// kind is the kind of a level's cores, as the text gives it.
type kind struct {
	name   string
	at     int // where the name is
	rank   int // efficiency
	rankAt int // where that is, 0 when it is not there
}

// machine is what the text gives for a machine as a whole, with counts.
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
	words       []list // by endWords; nil where none is there
}

// list is the Linux list of PUs behind a word at the end of a machine.
type list struct {
	set hw.Set
	at  int // 0 when the word is not there
}

// The words that may end a machine's description.
const (
	restricted = iota
	offline
	disallowed
)

var endWords = []string{"restrict=", "offline=", "disallow="}

// endWord finds such a word at the beginning of a text.
var endWord = regexp.MustCompile("^(" + strings.Join(endWords, "|") + ")")

// add puts l below parent, within the same machine.
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
