package render

import (
	"io"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// phaseRows is the most rows of the table of a phase.
const phaseRows = 32

// Phase prints a stage of a collective call, by its index in ph.Stages: what arrives, the leaders of two groups,
// the buckets, the order in each bucket, the context id that all processes find free, or what every process gets.
func Phase(w io.Writer, v *View, ph *reason.Phases, at int, st Style) error {
	p := newPage(st)
	x := explainer{Words: NewWords(v), page: p}
	p.paragraph(x.call(ph.Step), 0, paint.Plain)
	stage := ph.Stages[at]
	p.line(styled("phase "+strconv.Itoa(at+1)+" of "+strconv.Itoa(len(ph.Stages))+": "+stage.String(), paint.Bold))
	p.line()
	d := phaseDrawer{explainer: &x, ph: ph}
	switch stage {
	case reason.Contribute:
		d.contributions()
	case reason.Lead:
		d.leaders()
	case reason.Divide:
		d.buckets()
	case reason.Sort:
		d.sorted()
	case reason.Agree:
		d.context()
	case reason.Reply:
		d.replies()
	}
	return p.writeTo(w)
}

// rows returns the most rows of a table.
func (d *phaseDrawer) rows() int { return d.page.limit(phaseRows) }

// phaseDrawer draws the stages of a call.
type phaseDrawer struct {
	*explainer
	ph *reason.Phases
}

// passedRanks is how many ranks share a row of the table of contributions where there are too many ranks for a row
// each.
const passedRanks = 64

// contributions shows what every process passes: rank by rank if there are few, otherwise by runs of ranks.
func (d *phaseDrawer) contributions() {
	ranks := d.ph.Step.Ranks.List()
	d.page.paragraph("The arguments of "+spell.Plural(len(ranks), "rank")+". The implementation decides how they reach the other ranks.",
		0, paint.Plain)
	d.page.line()
	each := 1
	if len(ranks) > d.rows() || len(d.ph.Step.Args) == 0 {
		each = passedRanks
	}
	g := &grid{columns: []column{{}, {flexible: true}}}
	g.row(head("world ranks"), head("arguments"))
	for lo := 0; lo < len(ranks); lo += each {
		if lo/each == d.rows()-1 && len(ranks)-lo > each {
			g.row(quiet("⋮"), quiet(spell.Plural(len(ranks)-lo, "more rank")))
			break
		}
		rows := make([]int, min(each, len(ranks)-lo))
		for i := range rows {
			rows[i] = lo + i
		}
		g.row(ascending(ranks[lo:lo+len(rows)]), d.passed(rows))
	}
	g.drawTo(d.page)
}

// passed returns a cell with the arguments of some rows.
func (d *phaseDrawer) passed(rows []int) cell {
	if len(d.ph.Step.Args) == 0 {
		return quiet("no arguments")
	}
	return cell{fit: func(width int) string { return arguments(d.ph.Step.Args, rows, width) }}
}

// leaders shows the leaders of the two groups of an intercommunicator that is being made, and how each leader
// names the other.
func (d *phaseDrawer) leaders() {
	step := d.ph.Step
	how := "in the remote group, with the same stringtag"
	for _, a := range step.Args {
		if a.Name == "peer_comm" {
			how = "in the peer communicator, " + d.names.of(int(a.Ints[0])) + ", with the same tag"
		}
	}
	d.page.paragraph("All processes of a group name their leader by its rank in the group. The leaders find each other: each names "+
		"the other leader by its rank "+how+" ["+step.Call.Rule()+"].", 0, paint.Plain)
	d.page.line()
	info := d.view.Snapshot.Comm(step.Made[0])
	g := &grid{columns: []column{{}, {flexible: true}, {}, {right: true}}}
	g.row(head("group"), head("world ranks"), head("local_leader"), head("remote_leader"))
	for side, group := range [][]int32{info.Group, info.Remote} {
		l := d.ph.Leaders[side]
		g.row(text([...]string{"left", "right"}[side]), ascending(group),
			text(strconv.Itoa(l.Rank)+": world rank "+strconv.Itoa(l.World)), text(strconv.Itoa(l.Remote)))
	}
	g.drawTo(d.page)
}

// buckets shows which contributions are in which bucket.
func (d *phaseDrawer) buckets() {
	list := d.ph.Buckets
	if len(list) == 0 {
		d.page.line(plain("no bucket: every process passed an empty group"))
		return
	}
	g := &grid{columns: []column{{}, {}, {flexible: true}, {}}}
	g.row(head("bucket"), head("size"), head("world ranks"), head(""))
	for i, b := range list {
		if i == d.rows()-1 && len(list) > d.rows() {
			g.row(quiet("⋮"), text(""), quiet(strconv.Itoa(len(list)-i)+" more"))
			break
		}
		remark := ""
		if !b.Makes {
			remark = "no communicator"
		}
		if len(b.Sides) < 2 {
			g.row(text(b.Name), text(strconv.Itoa(b.Ranks.Len())), ascending(b.Ranks.List()), quiet(remark))
			continue
		}
		g.row(text(b.Name), text(strconv.Itoa(b.Ranks.Len())+"+"+strconv.Itoa(b.Right.Len())),
			cell{fit: func(width int) string {
				left := rankList(b.Ranks.List(), width/2-6)
				return strings.TrimRight("left "+left+"  right "+rankList(b.Right.List(), width-len(left)-13), " ")
			}}, quiet(remark))
	}
	g.drawTo(d.page)
}

// SortRule is the order in each bucket of a split.
const SortRule = "Each bucket is sorted by key; ties go by the rank in the old group."

// sorted shows each bucket in the order of the new communicator.
func (d *phaseDrawer) sorted() {
	n := 0
	for _, b := range d.ph.Buckets {
		if b.Makes {
			n += len(b.Sides)
		}
	}
	if n == 0 {
		d.page.line(plain("nothing to sort: no bucket makes a communicator"))
		return
	}
	d.page.paragraph(SortRule, 0, paint.Plain)
	each, drawn := max(3, d.rows()/n), 0
	for _, b := range d.ph.Buckets {
		for side, o := range b.Sides {
			if !b.Makes {
				continue
			}
			if drawn++; drawn > d.rows()/3 {
				continue
			}
			name := b.Name
			if len(b.Sides) == 2 {
				name += [...]string{", left group", ", right group"}[side]
			}
			d.page.line()
			d.page.line(styled(name, paint.Bold))
			orderGrid(o, each).drawTo(d.page)
		}
	}
	if more := drawn - d.rows()/3; more > 0 {
		d.page.line()
		d.page.line(faint(More(more, "bucket")))
	}
}

// context shows which context ids are in use on which processes, and which context id is taken or given back.
func (d *phaseDrawer) context() {
	for i, a := range d.ph.Context {
		if i > 0 {
			d.page.line()
		}
		d.agreement(a)
	}
	if n := d.making(); n > 1 {
		d.page.line()
		d.page.paragraph(spell.Plural(n, "communicator")+" of this call share the id: no process is in two of them, "+
			"so no message can reach the wrong communicator.", 0, paint.Plain)
	}
}

func (d *phaseDrawer) agreement(a reason.Agreement) {
	what := "Each process marks the context ids that it uses; after OR-ing the marks, the lowest unmarked id is free on every " +
		"process. This is how one implementation does it; the standard requires only that messages of two communicators never mix."
	if len(d.ph.Context) > 1 {
		what = map[bool]string{false: "Left groups. ", true: "Right groups. "}[a.Right] + what
	}
	if a.Back {
		what = "The communicator's context id is free again on all of its processes."
	}
	d.page.paragraph(what, 0, paint.Plain)
	d.page.line()
	g := &grid{columns: []column{{}, {flexible: true}, {}}}
	g.row(head("world ranks"), head("ids in use, from 0"), head(""))
	for i, m := range a.Masks {
		if i == d.rows()-1 && len(a.Masks) > d.rows() {
			g.row(quiet("⋮"), quiet(strconv.Itoa(len(a.Masks)-i)+" more"))
			break
		}
		ranks := func(width int) string { return rankList(m.Ranks.List(), min(width, 2*narrowest)) }
		g.row(cell{fit: ranks}, cell{fit: maskCell(m.Bits, a.ID)})
	}
	if a.Back {
		g.row(text("given back"), cell{fit: maskCell(pointer(len(a.All), a.ID), a.ID)}, text("id "+strconv.Itoa(a.ID)))
		g.drawTo(d.page)
		return
	}
	g.row(text("or"), cell{fit: maskCell(a.All, a.ID)})
	g.row(text("taken"), cell{fit: maskCell(pointer(len(a.All), a.ID), a.ID)}, text("id "+strconv.Itoa(a.ID)))
	g.drawTo(d.page)
}

// making counts the communicators that the call makes.
func (d *phaseDrawer) making() int {
	n := 0
	for _, b := range d.ph.Buckets {
		if b.Makes {
			n++
		}
	}
	return n
}

func pointer(width, at int) string {
	return strings.Repeat(" ", at) + "^" + strings.Repeat(" ", max(0, width-at-1))
}

// maskCell returns a function that writes a mask in groups of eight. Where the mask is too long, the function writes
// only the group that has the id.
func maskCell(bits string, id int) func(int) string {
	return func(width int) string {
		var groups []string
		for rest := []rune(bits); len(rest) > 0; rest = rest[min(8, len(rest)):] {
			groups = append(groups, string(rest[:min(8, len(rest))]))
		}
		if text := strings.Join(groups, " "); paint.Width(text) <= width {
			return text
		}
		k := id / 8
		return "[" + strconv.Itoa(k*8) + "] " + groups[k]
	}
}

// replies shows what every process gets: rank by rank if there are few, otherwise by communicator.
func (d *phaseDrawer) replies() {
	if err := d.ph.Step.Err; err != nil {
		d.page.paragraph("Every process raises "+err.Class.String()+", and no communicator is made: "+
			err.Message(), 0, paint.Plain)
		return
	}
	if len(d.ph.Buckets) == 0 && d.ph.Step.Call != engine.CallCreate {
		d.page.line(plain("Every process has its reply and goes on; the call makes no communicator."))
		return
	}
	if len(d.ph.Replies) <= d.rows() {
		d.repliesByRank()
		return
	}
	d.repliesByComm()
}

func (d *phaseDrawer) repliesByRank() {
	g := &grid{columns: []column{{right: true}, {}, {right: true}, {right: true}}}
	g.row(head("world rank"), head("gets"), head("rank"), head("size"))
	for _, r := range d.ph.Replies {
		if r.Comm < 0 {
			g.row(text(strconv.Itoa(r.World)), quiet("MPI_COMM_NULL"), text(""), text(""))
			continue
		}
		g.row(text(strconv.Itoa(r.World)), text(d.names.of(r.Comm)), text(strconv.Itoa(r.Rank)), text(strconv.Itoa(r.Size)))
	}
	g.drawTo(d.page)
}

// repliesByComm has a row for the processes that get the same communicator.
func (d *phaseDrawer) repliesByComm() {
	all := d.ph.Replies
	list, at := alike(len(all), func(i int) int { return all[i].Comm })
	of := func(comm int, number func(r *reason.Answer) int) []int32 {
		var numbers []int32
		for _, i := range at[comm] {
			numbers = append(numbers, int32(number(&all[i])))
		}
		return numbers
	}
	g := &grid{columns: []column{{flexible: true}, {}, {flexible: true}, {right: true}}}
	g.row(head("world ranks"), head("get"), head("as ranks"), head("size"))
	for i, comm := range list {
		world := of(comm, func(r *reason.Answer) int { return r.World })
		switch {
		case i == d.rows()-1 && len(list) > d.rows():
			g.row(quiet(More(len(list)-i, "communicator")), text(""), text(""), text(""))
		case i >= d.rows():
		case comm < 0:
			g.row(ascending(world), quiet("MPI_COMM_NULL"), text(""), text(""))
		default:
			got := of(comm, func(r *reason.Answer) int { return r.Rank })
			ranks := func(width int) string { return rankList(got, width) }
			g.row(ascending(world), text(d.names.of(comm)), cell{fit: ranks}, text(strconv.Itoa(len(world))))
		}
	}
	g.drawTo(d.page)
}
