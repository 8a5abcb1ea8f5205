package picture

import (
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// mostPlaces is the most rows of a grid, or of the list of a graph's nodes.
const mostPlaces = 64

// more tells how many processes of a topology are left out.
func (y *why) more(out *scene.Scene, n int) {
	if n > 0 {
		out.Lines(paint.Text(render.More(n, "rank"), paint.Plain))
	}
}

// grid draws the processes of a Cartesian topology at their coordinates, plane by plane; of MPI_Cart_sub, the whole grid,
// and which communicator each subgrid became. It reports whether there is a grid.
func (y *why) grid(out *scene.Scene) bool {
	of := y.made[0]
	if y.step.Call == engine.CallCartSub {
		of = y.v.Snapshot.Comm(y.step.Comm)
	}
	dims, periods, _ := of.Grid(0)
	if dims == nil {
		return false
	}
	n := len(dims)
	columns, rows := 1, 1
	across, down := " ", ""
	if n > 0 {
		columns, across = dims[n-1], arrowOf(periods[n-1], "↔")
	}
	if n > 1 {
		rows, down = dims[n-2], strings.TrimSpace(arrowOf(periods[n-2], "↕"))
	}
	cells, wide := y.seats(of, true)
	if columns*(wide+3)+6 > y.Width {
		cells, wide = y.seats(of, false) // without world ranks, which the hardware shows
	}
	if columns*(wide+3)+6 > y.Width { // too wide for rows: one process a line
		columns, rows, down = 1, len(cells), ""
	}
	pitch, draw := wide+3, y.seatLine
	if w := y.bigSeat(of); y.Big && len(cells) == rows*columns && columns*w+6 <= y.Width {
		pitch, draw = w, y.seatCells
	}
	shown := min(len(cells), mostPlaces*columns)
	for i := 0; i < shown; i += columns {
		if i > 0 && i%(rows*columns) == 0 {
			y.gap(out)
		}
		draw(out, of, i, cells[i:min(i+columns, len(cells))], pitch, across)
		if down != "" && (i/columns+1)%rows == 0 {
			out.Lines(paint.Text("   "+strings.Repeat(" "+down+strings.Repeat(" ", pitch-2), columns), paint.Accent))
		}
	}
	y.more(out, len(cells)-shown)
	if !y.Tight {
		text := "A cell shows the coordinates, the letter and rank in the communicator, and the world rank if there is room. " +
			"The last coordinate runs along a row."
		out.Say(text, y.Width, paint.Faint)
	}
	y.periodic(out, periods)
	return true
}

// seatLine draws a row of a grid, from a rank on, as a line.
func (y *why) seatLine(out *scene.Scene, of *engine.CommInfo, from int, cells []string, pitch int, across string) {
	var l paint.Line
	l.Add(across+"  ", paint.Accent)
	for k, text := range cells {
		ink := paint.Plain
		if part, _, _ := y.p.Place(int(of.Group[from+k])); part >= 0 {
			ink = paint.Fill(y.p.Slot(part))
		}
		l.Add(" "+text+strings.Repeat(" ", pitch-2-paint.Width(text)), ink)
		l.Add(" ", paint.Plain)
	}
	l.Add(" "+across, paint.Accent)
	out.Lines(l)
}

// seatCells draws a row of a grid, from a rank on, as cells in big letters above coordinates and world ranks.
func (y *why) seatCells(out *scene.Scene, of *engine.CommInfo, from int, cells []string, pitch int, across string) {
	_, high := paint.BigSize(1, 1)
	high++ // the line below the letters
	if from > 0 {
		out.Height++
	}
	row, middle := out.Row(out.Height), out.Height+high/2
	out.Put(0, middle, across, paint.Accent)
	for k, text := range cells {
		world := of.Group[from+k]
		letters := y.p.Cell(world)
		c := paint.Cell{Text: letters, Slot: paint.NoSlot}
		if part, _, right := y.p.Place(int(world)); part >= 0 {
			c.Slot, c.Right = y.p.Slot(part), right
		}
		row.Pad(3 + k*pitch)
		row.Cell(scene.Thing{W: pitch - 1, H: high, Big: true, Cell: c, Under: strings.Replace(text, " "+letters, "", 1), Of: scene.Rank(int(world), nil)})
	}
	out.Width, out.Height = max(out.Width, out.Put(row.Width()+2, middle, across, paint.Accent)), out.Height+high
}

// bigSeat returns the columns of a cell of a grid in big letters, with a gap.
func (y *why) bigSeat(of *engine.CommInfo) int {
	_, wide := y.seats(of, true)
	for _, world := range of.Group {
		big, _ := paint.BigSize(paint.Width(y.p.Cell(world)), 1)
		wide = max(wide, big+2)
	}
	return wide + 1
}

// periodic tells which dimensions of a grid are periodic.
func (y *why) periodic(out *scene.Scene, periods []bool) {
	var list []string
	for i, p := range periods {
		if !p {
			continue
		}
		sign := ""
		switch i {
		case len(periods) - 1:
			sign = " (↔)"
		case len(periods) - 2:
			sign = " (↕)"
		}
		list = append(list, strconv.Itoa(i)+sign)
	}
	if len(list) == 0 {
		if !y.Tight {
			out.Say("No dimension is periodic.", y.Width, paint.Faint)
		}
		return
	}
	word := "Dimension "
	if len(list) > 1 {
		word = "Dimensions "
	}
	verb := map[bool]string{true: " are", false: " is"}[len(list) > 1]
	out.Say(word+strings.Join(list, ", ")+verb+" periodic: there the last process and the first are neighbors.", y.Width, paint.Faint)
}

// seats returns the text of each process of a grid, in rank order, and the width of the widest.
func (y *why) seats(of *engine.CommInfo, worlds bool) (cells []string, wide int) {
	for rank, world := range of.Group {
		_, _, at := of.Grid(rank)
		parts := make([]string, len(at))
		for i, n := range at {
			parts[i] = strconv.Itoa(n)
		}
		text := "(" + strings.Join(parts, ",") + ") " + y.p.Cell(world)
		if worlds {
			text += " w" + strconv.Itoa(int(world))
		}
		cells = append(cells, text)
		wide = max(wide, paint.Width(text))
	}
	return cells, wide
}

// arrowOf returns the sign of a dimension that is periodic.
func arrowOf(periodic bool, sign string) string {
	if periodic {
		return sign
	}
	return " "
}

// neighbors lists the edges of a graph topology, node by node: those that come in, where each process passed them, and
// those that lead out. It reports whether there is a graph.
func (y *why) neighbors(out *scene.Scene) bool {
	c := y.made[0]
	if _, ok := c.Neighbors(0); !ok {
		return false
	}
	for rank, world := range c.Group[:min(len(c.Group), mostPlaces)] {
		var l paint.Line
		if list, ok := c.Sources(rank); ok {
			l.Add(numbers(list, y.Width/3), paint.Plain)
			l.Pad(y.room(c))
			l.Add(" ─▶ ", paint.Accent)
		}
		l.Add(" "+y.p.Cell(world)+" w"+strconv.Itoa(int(world))+" ", paint.Fill(y.p.Slot(max(y.p.Find(c.ID), 0))))
		l.Add(" ─▶ ", paint.Accent)
		list, _ := c.Neighbors(rank)
		l.Add(numbers(list, y.Width/3), paint.Plain)
		out.Lines(l)
	}
	y.more(out, len(c.Group)-mostPlaces)
	if !y.Tight {
		out.Say("Letter and rank, world rank, and the ranks of the neighbors.", y.Width, paint.Faint)
	}
	return true
}

// room returns the columns of the widest list of sources.
func (y *why) room(c *engine.CommInfo) int {
	wide := 0
	for rank := range c.Group[:min(len(c.Group), mostPlaces)] {
		list, _ := c.Sources(rank)
		wide = max(wide, paint.Width(numbers(list, y.Width/3)))
	}
	return wide
}

// numbers lists ranks: "1, 2"; "none" for no rank.
func numbers(list []int, width int) string {
	if len(list) == 0 {
		return "none"
	}
	text := make([]string, len(list))
	for i, n := range list {
		text[i] = strconv.Itoa(n)
	}
	return paint.Cut(strings.Join(text, ", "), width)
}
