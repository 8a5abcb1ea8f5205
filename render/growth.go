package render

import "slices"

// Trend says how the communicators of a place in a program develop.
type Trend string

// The trends.
const (
	Steady  Trend = ""
	Grows   Trend = "grows" // a rank has more and more of them at once, and few at the end
	Leaking Trend = "leak"  // a rank has more and more of them, and many at the end
)

// leastMany is how many communicators of one place a rank has at least before that is called a leak, or growth: a program
// may make some for each dimension of its grid, and keep them.
const leastMany = 10

// TrendOf judges a place by how many of its communicators a rank had each time the place made one, and how many at the
// end. Programs also make communicators that they free soon: what counts is the fewest that were there in each quarter of
// the run. Where each quarter has more of them than the one before, they grow.
func TrendOf(alive []int64, left int64) Trend {
	n := len(alive)
	if n < leastMany || slices.Max(alive) < leastMany {
		return Steady
	}
	floor := int64(0)
	for i := range 4 {
		low := slices.Min(alive[i*n/4 : (i+1)*n/4])
		if low <= floor && i > 0 {
			return Steady
		}
		floor = low
	}
	if left < leastMany {
		return Grows
	}
	return Leaking
}

// mostPoints bounds the points that a Growth keeps.
const mostPoints = 64

// Growth is how many communicators of a place a rank has each time the place makes one: of many times, some that are
// evenly chosen, and the last.
type Growth struct {
	points []int64
	every  int // each so many times is a point
	made   int
	last   int64
}

// Add takes in how many there are now.
func (g *Growth) Add(alive int64) {
	if g.every == 0 {
		g.every = 1
	}
	if len(g.points) == mostPoints { // each other point goes
		for i := range mostPoints / 2 {
			g.points[i] = g.points[2*i]
		}
		g.points, g.every = g.points[:mostPoints/2], 2*g.every
	}
	if g.made%g.every == 0 {
		g.points = append(g.points, alive)
	}
	g.made, g.last = g.made+1, alive
}

// Trend judges the growth, with how many there are at the end.
func (g *Growth) Trend(left int64) Trend { return TrendOf(append(slices.Clip(g.points), g.last), left) }
