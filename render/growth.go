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

// TrendOf judges a place by how many of its communicators a rank had each time the place made one, or by the fewest of
// several times; by the most at once, and by how many there are at the end. Programs also make communicators that they
// free soon: what counts is the fewest that were there in each quarter of the run. Where each quarter has more of them than
// the one before, they grow.
func TrendOf(alive []int64, peak, left int64) Trend {
	n := len(alive)
	if n < leastMany || peak < leastMany {
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

// Growth is how many communicators of a place a rank has each time the place makes one: of many times, the fewest of
// each some.
type Growth struct {
	points []int64
	every  int // each so many times are a point
	in     int // times in the last point
	peak   int64
}

// Add takes in how many there are now.
func (g *Growth) Add(alive int64) {
	g.peak, g.every = max(g.peak, alive), max(g.every, 1)
	if n := len(g.points); n > 0 && g.in < g.every {
		g.points[n-1], g.in = min(g.points[n-1], alive), g.in+1
		return
	}
	if len(g.points) == mostPoints { // two become one
		for i := range mostPoints / 2 {
			g.points[i] = min(g.points[2*i], g.points[2*i+1])
		}
		g.points, g.every = g.points[:mostPoints/2], 2*g.every
	}
	g.points, g.in = append(g.points, alive), 1
}

// Trend judges the growth, with how many there are at the end.
func (g *Growth) Trend(left int64) Trend { return TrendOf(g.points, g.peak, left) }
