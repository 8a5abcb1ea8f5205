package paint

// Picture is lines, and the places on them that can be chosen.
type Picture[T any] struct {
	Lines  []Line
	Places []Place[T] // outer places come before the places inside them
}

// Place is an area of a picture, in columns and lines from the upper left corner, and the thing drawn there.
type Place[T any] struct {
	X, Y, W, H int
	Of         T
}

// Has reports whether a column of a line belongs to the place.
func (p Place[T]) Has(x, y int) bool { return x >= p.X && x < p.X+p.W && y >= p.Y && y < p.Y+p.H }

// At returns the innermost thing at a column of a line; ok is false where there is none.
func (p *Picture[T]) At(x, y int) (of T, ok bool) {
	for i := len(p.Places) - 1; i >= 0; i-- {
		if p.Places[i].Has(x, y) {
			return p.Places[i].Of, true
		}
	}
	return of, false
}
