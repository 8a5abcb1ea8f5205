package outline

// Unfold lists the lines that are open, from the root on. open is asked about each line that something is
// below: a line that is not open is closed, and nothing of what is below it is looked at. Siblings that are
// many are put together, by powers of ten, in lines that can be opened as well. Below a Leaf there are no lines.
func (o *Outline) Unfold(open func(*Line) bool) []Line {
	if o.Root == nil {
		return nil
	}
	u := unfolder{open: open}
	u.node(o.Root, 0)
	return u.lines
}

type unfolder struct {
	open  func(*Line) bool
	lines []Line
}

func (u *unfolder) node(n *Node, depth int) {
	if u.line(Line{Depth: depth, Nodes: []*Node{n}}, !n.Leaf()) {
		memory, others := n.Parts()
		u.siblings(memory, depth+1)
		u.siblings(others, depth+1)
	}
}

// line adds a line, and reports whether what is below it follows.
func (u *unfolder) line(l Line, below bool) bool {
	l.Closed = below && !u.open(&l)
	u.lines = append(u.lines, l)
	return below && !l.Closed
}

func (u *unfolder) siblings(list []*Node, depth int) {
	size := chunk(len(list))
	for len(list) > 0 {
		some := list[:min(size, len(list))]
		list = list[len(some):]
		switch {
		case len(some) == 1:
			u.node(some[0], depth)
		case u.line(Line{Depth: depth, Nodes: some}, true):
			u.siblings(some, depth+1)
		}
	}
}

// Parts are the kids of a node: its memory, and all others.
func (n *Node) Parts() (memory, others []*Node) {
	i := 0
	for i < len(n.Kids) && n.Kids[i].Memory() {
		i++
	}
	return n.Kids[:i:i], n.Kids[i:]
}

// mostSiblings is how many siblings have lines of their own when a person walks through the outline.
const mostSiblings = 32

// chunk is how many of n siblings are put together: a power of ten, 1 when each stands for itself.
func chunk(n int) int {
	size := 1
	for n > size*mostSiblings {
		size *= 10
	}
	return size
}

// Depth is how deep an outline can be open with at most so many nodes: nodes above that depth are open. The
// root is open in any case. Siblings that are put together count as far as they have lines of their own.
func (o *Outline) Depth(most int) int {
	level, nodes := []*Node{o.Root}, 1
	for depth := 0; ; depth++ {
		var next []*Node
		for _, n := range level {
			if !n.Leaf() {
				next = append(next, n.Kids...)
			}
		}
		nodes += min(len(next), len(level)*mostSiblings)
		switch {
		case len(next) == 0:
			return depth + 1
		case nodes > most:
			return max(depth, 1)
		}
		level = next
	}
}
