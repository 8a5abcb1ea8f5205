package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// Timeline is how many communicators one rank had during a run, by the place that made them. The rank is the one that had
// most at once, because context ids run out on a single rank.
type Timeline struct {
	Rank   int
	Places []TimelinePlace // the most important first
	End    int64           // of the run; times begin at 0
	Timed  bool            // times are nanoseconds; otherwise a step takes one, and step 1 is at 0
	Room   int64           // context ids of a process; 0 when unknown
	Whose  string          // whose room that is: "MPICH"
}

// TimelinePlace is a place of a timeline: "io.c:203 io_open", and what is called there.
type TimelinePlace struct {
	Name, Call string
	Trend      Trend
	Outlook    string  // how fast they grow, and when a process has no context id left; "" when unknown
	Alive      []Alive // after each change, in order of time
}

// Alive is how many there were from a time on.
type Alive struct{ At, N int64 }

// TimelineOf returns the timeline of a recording, or else that of the session by its steps.
func TimelineOf(v *View) *Timeline {
	if v.Timeline != nil {
		return v.Timeline
	}
	s := v.Snapshot
	t := &Timeline{End: int64(len(s.Steps)), Room: int64(v.Contexts), Whose: "this world"}
	alive, most := make([]int32, s.Size), int32(0)
	changes(s, func(_ int, at *engine.CommInfo, by int32) {
		for _, r := range members(at) {
			if alive[r] += by; alive[r] > most {
				most, t.Rank = alive[r], int(r)
			}
		}
	})
	left := map[SiteKey]int64{}
	curves := map[SiteKey][]Alive{}
	changes(s, func(step int, at *engine.CommInfo, by int32) {
		if made := &s.Steps[at.Step-1]; slices.Contains(members(at), int32(t.Rank)) {
			k := SiteKey{made.Site(), made.Call}
			left[k] += int64(by)
			curves[k] = append(curves[k], Alive{int64(step - 1), left[k]})
		}
	})
	for _, at := range SitesOf(s) {
		if list := curves[at.Key()]; list != nil {
			trend := Steady
			if at.Leaks() {
				trend = Leaking
			}
			t.Places = append(t.Places, TimelinePlace{strings.TrimPrefix(at.Place(), "! "), at.Call.String(), trend, "", list})
		}
	}
	return t
}

// changes visits each communicator of a session when it is made, and when it is freed.
func changes(s *engine.Snapshot, visit func(step int, at *engine.CommInfo, by int32)) {
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Frees() {
			if c := s.Comm(step.Comm); c != nil && c.Step > 0 {
				visit(step.Number, c, -1)
			}
			continue
		}
		for _, id := range step.Made {
			if c := s.Comm(id); c != nil {
				visit(step.Number, c, 1)
			}
		}
	}
}

// Peak returns the most at once.
func (p *TimelinePlace) Peak() (n int64) {
	for _, a := range p.Alive {
		n = max(n, a.N)
	}
	return n
}

// Left returns how many there are at the end.
func (p *TimelinePlace) Left() int64 { return p.Alive[len(p.Alive)-1].N }

// Says returns what matters of a place: "peak 12, left 12".
func (p *TimelinePlace) Says() string {
	return "peak " + spell.Number(p.Peak()) + ", left " + spell.Number(p.Left())
}

// Says returns the timeline in words.
func (t *Timeline) Says() string {
	var list []string
	for i := range t.Places {
		p := &t.Places[i]
		list = append(list, strings.TrimSpace(p.Name+" "+p.Call+": "+p.Says()+" "+string(p.Trend)))
	}
	return strings.Join(list, "; ")
}

// Columns divides the run into n times of equal length, and returns how many there were of each place in each of them,
// at the moment when there were most of all places.
func (t *Timeline) Columns(n int) [][]int64 {
	type change struct {
		Alive
		of int
	}
	var list []change
	for i := range t.Places {
		for _, a := range t.Places[i].Alive {
			list = append(list, change{a, i})
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.At, b.At) })
	now, total := make([]int64, len(t.Places)), int64(0)
	out := make([][]int64, n)
	for k := range out {
		out[k] = slices.Clone(now)
		for most := total; len(list) > 0 && (k == n-1 || t.column(list[0].At, n) <= k); list = list[1:] {
			e := list[0]
			total += e.N - now[e.of]
			now[e.of] = e.N
			if total > most {
				most = total
				copy(out[k], now)
			}
		}
	}
	return out
}

// column returns in which of n columns a time is.
func (t *Timeline) column(at int64, n int) int {
	return int(min(max(float64(at)*float64(n)/float64(max(t.End, 1)), 0), float64(n-1)))
}

// When writes a time: "12 ms", "step 12".
func (t *Timeline) When(at int64) string {
	if t.Timed && at == 0 {
		return "0 s"
	} else if t.Timed {
		return Duration(at)
	}
	return "step " + strconv.FormatInt(min(at, t.End-1)+1, 10)
}

// Duration writes nanoseconds for people, with two or three digits.
func Duration(ns int64) string {
	d := time.Duration(ns)
	switch {
	case d >= 10*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%.0f ms", float64(ns)/1e6)
	case d >= time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(ns)/1e6)
	case d >= 10*time.Microsecond:
		return fmt.Sprintf("%.0f us", float64(ns)/1e3)
	case d >= time.Microsecond:
		return fmt.Sprintf("%.1f us", float64(ns)/1e3)
	}
	return fmt.Sprintf("%d ns", ns)
}
