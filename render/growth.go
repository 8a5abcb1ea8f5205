package render

import "slices"

// Trend is the development of the number of a call site's communicators.
type Trend string

// The trends.
const (
	Steady  Trend = ""
	Grows   Trend = "grows" // a rank has more and more of them at once, but few at the end
	Leaking Trend = "leak"  // a rank has more and more of them, and many at the end
)

// leastMany is the least number of communicators of one call site on a rank that counts as a leak or growth: a
// program may make some for each dimension of its grid, and keep them.
const leastMany = 10

// TrendOf judges a call site. alive is how many of its communicators a rank had each time the site made one, or
// the fewest in each run of such times; peak is the most at once, left how many there are at the end. As programs
// also make communicators that they free soon, TrendOf compares the fewest in each quarter of the run: if each
// quarter has more than the quarter before, the number grows.
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

// mostPoints is the most points that a Growth keeps.
const mostPoints = 64

// Growth holds how many communicators of a call site a rank has, each time the site makes one. After many times, a
// point is the fewest of several times.
type Growth struct {
	points []int64
	every  int // times per point
	in     int // times in the last point
	peak   int64
}

// Add records how many communicators there are now.
func (g *Growth) Add(alive int64) {
	g.peak, g.every = max(g.peak, alive), max(g.every, 1)
	if n := len(g.points); n > 0 && g.in < g.every {
		g.points[n-1], g.in = min(g.points[n-1], alive), g.in+1
		return
	}
	if len(g.points) == mostPoints { // two points become one
		for i := range mostPoints / 2 {
			g.points[i] = min(g.points[2*i], g.points[2*i+1])
		}
		g.points, g.every = g.points[:mostPoints/2], 2*g.every
	}
	g.points, g.in = append(g.points, alive), 1
}

// Trend judges the growth; left is how many communicators there are at the end.
func (g *Growth) Trend(left int64) Trend { return TrendOf(g.points, g.peak, left) }
