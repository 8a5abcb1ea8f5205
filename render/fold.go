package render

// entry is one line of a folded outline.
type entry struct {
	depth  int
	nodes  []*node // one, or several siblings in one line
	closed bool    // the line stands for everything below, too
}

// folding says what to leave out of an outline.
type folding struct {
	run   int // equal siblings are folded from this many on; 0: never
	keep  int // how many of them are shown nevertheless
	like  int // siblings of equal hardware up to this height are folded whatever sits on them; -1
	depth int // lines deeper than this are left out
}

// foldings goes from the whole picture to the roughest, for an outline of some height.
func foldings(height int) []folding {
	const deep = 1 << 20
	list := []folding{{0, 0, -1, deep}, {5, 2, -1, deep}, {3, 1, -1, deep}, {2, 0, -1, deep}}
	for like := range height {
		list = append(list, folding{4, 2, like, deep}, folding{2, 0, like, deep})
	}
	for depth := height - 1; depth > 0; depth-- {
		list = append(list, folding{2, 0, height, depth})
	}
	return list
}

// arrange picks the most detailed picture that has at most limit lines. When even the roughest has
// more, it is cut, and rest counts the objects that were left out.
func arrange(root *node, limit int) (lines []entry, rest int) {
	all := foldings(root.height)
	for _, f := range all {
		a := arranger{folding: f, limit: limit}
		a.add(root, 0)
		if len(a.lines) <= limit {
			return a.lines, 0
		}
	}
	a := arranger{folding: all[len(all)-1], limit: unbounded}
	a.add(root, 0)
	return a.lines[:limit-1], len(a.lines) - limit + 1
}

// arranger lays out one picture, and gives up once it is too long.
type arranger struct {
	folding
	limit int
	lines []entry
}

func (a *arranger) add(n *node, depth int) {
	if len(a.lines) > a.limit {
		return
	}
	closed := depth >= a.depth && len(n.kids) > 0
	a.lines = append(a.lines, entry{depth, []*node{n}, closed})
	if closed {
		return
	}
	for i := 0; i < len(n.kids); {
		count, keep := a.runAt(n.kids[i:])
		for _, k := range n.kids[i : i+keep] {
			a.add(k, depth+1)
		}
		if count > keep {
			a.lines = append(a.lines, entry{depth + 1, n.kids[i+keep : i+count], true})
		}
		i += count
	}
}

// runAt tells how many of the siblings belong together, and how many of these are shown.
func (a *arranger) runAt(kids []*node) (count, keep int) {
	if a.run == 0 {
		return 1, 1
	}
	period := 1
	if kids[0].height <= a.like {
		for count < len(kids) && kids[count].shape == kids[0].shape {
			count++
		}
	} else {
		count, period = regular(kids)
	}
	if keep = a.keep; keep > 0 {
		keep = max(keep, period)
	}
	if count < a.run || count-keep < 2 {
		return count, count
	}
	return count, keep
}

// maxPeriod bounds the patterns that are looked for in a row of siblings.
const maxPeriod = 8

// regular finds the longest row of siblings from the first on that repeats itself with a period,
// at least twice.
func regular(kids []*node) (count, period int) {
	count, period = 1, 1
	for p := 1; p <= maxPeriod && p < len(kids); p++ {
		n := p
		for n < len(kids) && kids[n].sign == kids[n-p].sign && kids[n].shape == kids[0].shape {
			n++
		}
		if n >= 2*p && n > count && sameShape(kids[:p]) {
			count, period = n, p
		}
	}
	return count, period
}

func sameShape(nodes []*node) bool {
	for _, n := range nodes {
		if n.shape != nodes[0].shape {
			return false
		}
	}
	return true
}
