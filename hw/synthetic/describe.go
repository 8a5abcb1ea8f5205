package synthetic

import "commsplit/hw"

// description is a parsed text: the levels above the hosts, and those of one
// machine. levels[0] is the machine itself.
type description struct {
	text        string
	above       []outer
	machines    int // in each object of the last outer level
	levels      []level
	nodeIndexes indexes // os indexes of all attached nodes of a machine
	objects     int     // in the levels of a machine
	attached    int     // number of attached nodes of a machine
}

// outer is a level above the hosts.
type outer struct {
	name  string
	count int
}

// level is one level of a machine.
type level struct {
	typ     hw.Type
	typed   bool // the text names the type
	depth   int  // the number of a Group as written, or -1
	at      int  // where in the text
	count   int  // objects in each object of the level before
	width   int  // objects in the machine
	bytes   uint64
	cache   uint64 // memory-side cache of NUMA nodes
	indexes indexes
	nodes   []node // attached to each object
}

// node is an attached NUMA node.
type node struct {
	bytes, cache uint64
}

// hostCount is the number of machines.
func (d *description) hostCount() int {
	n := d.machines
	for _, o := range d.above {
		n *= o.count
	}
	return n
}

func (d *description) errorAt(offset int, message string) error {
	return &Error{Text: d.text, Offset: offset, Message: message}
}
