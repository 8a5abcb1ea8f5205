package outline

// Unfold lists the lines of open nodes, from the root on. It calls open for each line with something below it. If
// open returns false, the line is closed, and Unfold does not look below it. Many siblings share lines, in powers
// of ten; such lines can be opened, too. A Leaf has no lines below it.
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

// line adds a line, and reports whether the lines below it follow.
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

// Parts returns the kids of a node: memory, and all others.
func (n *Node) Parts() (memory, others []*Node) {
	i := 0
	for i < len(n.Kids) && n.Kids[i].Memory() {
		i++
	}
	return n.Kids[:i:i], n.Kids[i:]
}

// mostSiblings is the most siblings that have lines of their own when a person walks through the outline.
const mostSiblings = 32

// chunk returns how many of n siblings share a line: a power of ten, 1 when each has its own line.
func chunk(n int) int {
	size := 1
	for n > size*mostSiblings {
		size *= 10
	}
	return size
}

// Depth returns the depth to which an outline can be open while it shows no more nodes than most: nodes above that
// depth are open. The root is always open. Siblings that share lines count as mostSiblings.
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
