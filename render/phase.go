package render

import (
	"io"
	"strings"

	"commsplit/engine/reason"
)

// phaseRows is how many rows the table of a phase has.
const phaseRows = 32

// Phase prints one stage of a collective call, by its index in ph.Stages: what arrives, the buckets,
// the order in each, the context id that all find free, or what every process gets.
func Phase(w io.Writer, v *View, ph *reason.Phases, at int, st Style) error {
	p := newPage(st)
	x := explainer{teller: teller{v, newNaming(v)}, page: p}
	p.paragraph(x.call(ph.Step), 0, inkPlain)
	stage := ph.Stages[at]
	p.line(span{"phase " + itoa(at+1) + " of " + itoa(len(ph.Stages)) + ": " + stage.String(), inkBold})
	p.line()
	d := phaseDrawer{explainer: &x, ph: ph}
	switch stage {
	case reason.Contribute:
		d.contributions()
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

// rows is how many rows a table may have.
func (d *phaseDrawer) rows() int { return d.page.limit(phaseRows) }

// phaseDrawer draws the stages of one call.
type phaseDrawer struct {
	*explainer
	ph *reason.Phases
}

// contributions shows what every process passes, rank by rank while they are few, then by shard.
func (d *phaseDrawer) contributions() {
	shards := d.ph.Shards
	d.page.paragraph(plural(d.ph.Step.Ranks.Len(), "rank")+" in "+plural(len(shards), "shard")+
		" of at most "+itoa(reason.ShardSize)+": the last rank of a shard to arrive takes the shard's "+
		"contributions to the root.", 0, inkFaint)
	d.page.line()
	args := d.ph.Step.Args
	single := d.ph.Step.Ranks.Len() <= d.rows()
	g := newGrid(column{}, column{}, column{flexible: true})
	g.row(head("shard"), head("ranks"), head("contribution"))
	for i, s := range shards {
		if i == d.rows()-1 && len(shards) > d.rows() {
			g.row(quiet("⋮"), text(""), quiet(itoa(len(shards)-i)+" more shards"))
			break
		}
		if !single || len(args) == 0 {
			g.row(text(itoa(s.Number)), ascending(listOf(s.Ranks)), d.passed(s.Rows))
			continue
		}
		for k, world := range listOf(s.Ranks) {
			g.row(text(itoa(s.Number)), text(itoa(int(world))), d.passed(s.Rows[k:k+1]))
		}
	}
	g.drawTo(d.page)
}

// passed is the arguments of some rows.
func (d *phaseDrawer) passed(rows []int) cell {
	if len(d.ph.Step.Args) == 0 {
		return quiet("no arguments")
	}
	return fitted(func(width int) string { return arguments(d.ph.Step.Args, rows, width) })
}

// buckets shows which contributions belong together.
func (d *phaseDrawer) buckets() {
	list := d.ph.Buckets
	if len(list) == 0 {
		d.page.line(plain("no bucket: no process passed a group with a process in it"))
		return
	}
	g := newGrid(column{}, column{}, column{flexible: true}, column{})
	g.row(head("bucket"), head("size"), head("world ranks"), head(""))
	for i, b := range list {
		if i == d.rows()-1 && len(list) > d.rows() {
			g.row(quiet("⋮"), text(""), quiet(itoa(len(list)-i)+" more"))
			break
		}
		remark := ""
		if !b.Makes {
			remark = "no communicator"
		}
		if len(b.Sides) < 2 {
			g.row(text(b.Name), text(itoa(b.Ranks.Len())), ascending(listOf(b.Ranks)), quiet(remark))
			continue
		}
		g.row(text(b.Name), text(itoa(b.Ranks.Len())+"+"+itoa(b.Right.Len())),
			fitted(func(width int) string {
				left := rankList(listOf(b.Ranks), width/2-6)
				return strings.TrimRight("left "+left+"  right "+rankList(listOf(b.Right), width-len(left)-13), " ")
			}), quiet(remark))
	}
	g.drawTo(d.page)
}

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
	d.page.paragraph("Each bucket is sorted by key; where keys tie, by the rank in the old group.", 0, inkFaint)
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
			d.page.line(span{name, inkBold})
			d.orderOf(o, each)
		}
	}
	if more := drawn - d.rows()/3; more > 0 {
		d.page.line()
		d.page.line(faint("... and " + plural(more, "more bucket")))
	}
}
