package render_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"codeberg.org/commsplit/commsplit/render"
)

// A column of a timeline has, of all moments in its time, the one with the most communicators: here by a brute force that
// asks each moment. What was there before the time is a moment of it, too.
func TestTimelineColumns(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		const end = 40
		c := &render.Timeline{End: end, Timed: true, Places: make([]render.TimelinePlace, 1+random.IntN(3))}
		now := make([]int64, len(c.Places))
		moments := make([][]int64, end) // after all changes of a time; a time has at most one
		for at := range moments {
			if i := random.IntN(len(now)); random.IntN(3) > 0 {
				now[i] = max(now[i]+int64(random.IntN(5))-2, 0)
				c.Places[i].Alive = append(c.Places[i].Alive, render.Alive{At: int64(at), N: now[i]})
			}
			moments[at] = slices.Clone(now)
		}
		n := []int{1, 4, 8, 10, 40}[random.IntN(5)]
		for k, got := range c.Columns(n) {
			best := make([]int64, len(now))
			if k > 0 {
				best = moments[k*end/n-1]
			}
			for _, m := range moments[k*end/n : (k+1)*end/n] {
				if total(m) > total(best) {
					best = m
				}
			}
			if !slices.Equal(got, best) {
				t.Fatalf("column %d of %d has %v, not %v, of %v", k, n, got, best, moments)
			}
		}
	}
}

func total(list []int64) (n int64) {
	for _, k := range list {
		n += k
	}
	return n
}
