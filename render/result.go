package render

import "io"

// Result prints what a command did: the echo, which says it in the words of a program that every
// rank runs ("ranks 0-11 each call MPI_Comm_split(world, color=rank%2)"), then the partition that
// h holds now. h is nil when the command made no communicator.
func Result(w io.Writer, v *View, h *Handle, echo string, st Style) error {
	p := newPage(st)
	if echo != "" {
		p.paragraph(echo, 0, inkBold)
	}
	if h != nil {
		if echo != "" {
			p.line()
		}
		partition(p, v, h)
	}
	return p.writeTo(w)
}
