package render

import "commsplit/engine"

// mostInRing is how many sets of ranks a ring has room for.
const mostInRing = 12

// Ring is the circle in which ranks wait for each other, as something to draw: the first one stands again at the
// end. nil when there is none, or when it is too long.
func Ring(waiting []engine.Wait) []engine.Wait {
	ring := engine.Circle(waiting)
	if len(ring) > mostInRing+1 {
		return nil
	}
	return ring
}
