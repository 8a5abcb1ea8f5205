package picture

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// timeLines is how many lines the areas have where there is room; drawnPlaces is how many places have an area of their own.
const (
	timeLines   = 10
	leastAreas  = 3
	drawnPlaces = 8
)

// Time draws how many communicators were alive over the run, by the place that made them.
func Time(w io.Writer, v *render.View, st render.Style) error {
	return write(w, TimeOf(v, st.Columns(), 0), st)
}

// TimeOf arranges what Time draws, in so many columns and lines; for 0 lines, in as many lines as suit, below a
// headline. Where there are few lines, the areas have the lines that the places leave, but no fewer than
// leastAreas.
func TimeOf(v *render.View, width, lines int) *scene.Scene {
	t := &timing{Timeline: render.TimelineOf(v), out: &scene.Scene{Width: width}, width: width, height: timeLines}
	if lines > 0 {
		t.height = max(lines-1-min(len(t.Places), drawnPlaces+1), leastAreas)
	}
	if len(t.Places) == 0 {
		t.out.Lines(paint.Text(render.NoSites, paint.Plain))
		return t.out
	}
	if lines == 0 {
		t.out.Say("Alive on rank "+strconv.Itoa(t.Rank)+", which had most at once, by the place that made them", width, paint.Bold)
	}
	t.areas()
	t.legend()
	return t.out
}

func timed(v *render.View, _ *render.Handle) (*scene.Scene, error) {
	t := TimeOf(v, widths[0], 0)
	t.Title, t.Says = "Communicators over the run", cmp.Or(render.TimelineOf(v).Says(), render.NoSites)
	return t, nil
}

// timing arranges a timeline.
type timing struct {
	*render.Timeline
	out           *scene.Scene
	width, height int
	peak, top     int64 // the most at once of all places, and what the axis goes up to
}

// letter returns the letter of a place, and the ink of its area; the places without a letter share a dot.
func letter(i int) (text string, ink paint.Ink) {
	if i >= drawnPlaces {
		return "·", paint.Rank
	}
	return render.Letter(i), paint.Fill(i)
}

// areas draws the areas of the places, one on the other, with the numbers beside them and the times below.
func (t *timing) areas() {
	t.peak = sum(t.Columns(1)[0])
	t.top, t.height = t.peak, int(min(int64(t.height), 3*t.peak))
	if t.Room > t.peak && 3*t.peak >= t.Room {
		t.top = t.Room
	}
	gutter, first := len(spell.Number(t.top))+2, t.out.Height
	columns := t.Columns(t.width - gutter)
	t.out.Height += t.height
	for y := range t.height {
		t.out.Put(gutter-1, first+y, "│", paint.Faint)
	}
	if t.top > t.peak {
		t.out.Put(gutter, first, strings.Repeat("╌", len(columns)), paint.Alarm)
		t.out.Put(gutter+1, first, " "+t.Whose+" has room for no more ", paint.Alarm)
		t.mark(first, gutter, t.top)
	}
	t.mark(first+t.height-max(t.reach(t.peak), 1), gutter, t.peak)
	for line := range t.height {
		t.row(gutter, first+t.height-1-line, line, columns)
	}
	t.times(gutter, len(columns))
}

// mark writes a number at the axis.
func (t *timing) mark(y, gutter int, n int64) {
	text := spell.Number(n)
	t.out.Put(gutter-2-len(text), y, text, paint.Plain)
	t.out.Put(gutter-1, y, "┤", paint.Faint)
}

// reach returns how many lines n communicators take.
func (t *timing) reach(n int64) int { return int((n*int64(t.height) + t.top/2) / t.top) }

// row draws what the areas have in a line, counted from below.
func (t *timing) row(x, y, line int, columns [][]int64) {
	last, from := -1, 0
	for k := range len(columns) + 1 {
		at := -1
		if k < len(columns) {
			at = t.in(columns[k], line)
		}
		if at == last {
			continue
		}
		if last >= 0 {
			text, ink := letter(last)
			t.out.Add(scene.Thing{Kind: scene.Text, X: x + from, Y: y, W: k - from, H: 1, Text: strings.Repeat(text, k-from), Ink: ink, Says: t.says(last)})
		}
		last, from = at, k
	}
}

// in returns whose area a line is in where there are so many of each place; -1 above all. The lowest line has something
// of whatever there is.
func (t *timing) in(counts []int64, line int) int {
	upto, low := int64(0), -1
	for i, n := range counts {
		if upto += n; n > 0 && t.reach(upto) > line {
			return min(i, drawnPlaces)
		}
		if n > 0 && line == 0 {
			low = min(i, drawnPlaces)
		}
	}
	return low
}

// says tells what an area shows.
func (t *timing) says(i int) string {
	if i == drawnPlaces {
		return spell.Plural(len(t.Places)-drawnPlaces, "more place")
	}
	return t.Places[i].Name + " " + t.Places[i].Call
}

// times writes the axis of times.
func (t *timing) times(gutter, columns int) {
	y, begin, end := t.out.Height, t.When(0)+" ", " "+t.When(t.End)
	t.out.Height++
	t.out.Put(gutter-3, y, "0", paint.Plain)
	x := t.out.Put(t.out.Put(gutter-1, y, "└", paint.Faint), y, begin, paint.Plain)
	x = t.out.Put(x, y, strings.Repeat("─", max(columns-paint.Width(begin+end), 0)), paint.Faint)
	t.out.Put(x, y, end, paint.Plain)
}

// legend names the places of the letters, with what matters of them.
func (t *timing) legend() {
	const mark, gap = 4, 2
	var rows [][3]string
	var wide [3]int
	for i := range t.Places[:min(len(t.Places), drawnPlaces)] {
		p := &t.Places[i]
		rows = append(rows, [3]string{p.Name, p.Says(), string(p.Trend)})
		for k, text := range rows[i] {
			wide[k] = max(wide[k], paint.Width(text))
		}
	}
	wide[0] = min(wide[0], max(t.width-mark-wide[1]-wide[2]-3*gap, 8))
	for i, row := range rows {
		text, ink := letter(i)
		y := t.out.Height
		t.out.Height++
		t.out.Put(0, y, " "+text+" ", ink)
		x := mark
		for k, text := range row {
			t.out.Put(x, y, paint.Cut(text, wide[k]), [3]paint.Ink{paint.Plain, paint.Plain, paint.Alarm}[k])
			if x += wide[k]; wide[k] > 0 {
				x += gap
			}
		}
		t.out.Put(x, y, paint.Cut(strings.TrimPrefix(t.Places[i].Call, "MPI_"), max(t.width-x, 0)), paint.Faint)
	}
	if n := len(t.Places) - drawnPlaces; n > 0 {
		text, ink := letter(drawnPlaces)
		t.out.Put(0, t.out.Height, " "+text+" ", ink)
		t.out.Put(mark, t.out.Height, t.says(drawnPlaces), paint.Plain)
		t.out.Height++
	}
	var said []string
	for i, p := range t.Places {
		if text, _ := letter(i); p.Outlook != "" && i < drawnPlaces && p.Trend != render.Steady {
			said = append(said, text+": "+p.Outlook)
		}
	}
	if t.Room > 0 {
		said = append(said, fmt.Sprintf("Most at once: %s; %s has room for %s.", spell.Number(t.peak), t.Whose, spell.Number(t.Room)))
	}
	notes(t.out, t.width, said...)
}

func sum(list []int64) (n int64) {
	for _, k := range list {
		n += k
	}
	return n
}
