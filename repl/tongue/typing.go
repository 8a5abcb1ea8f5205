package tongue

import (
	"strings"

	"codeberg.org/commsplit/commsplit/engine/calls"
)

// At is the call that a line which is being typed is in, and the parameter that stands where the line ends; -1 for
// none, behind the brackets or before them. The call is nil where the line is in none.
func At(line string) (c *calls.Procedure, param int) {
	fortran, ok := Foreign("", line)
	if !ok {
		return nil, -1
	}
	tokens, err := scan(line, fortran)
	if err != nil { // a text that is not closed yet
		tokens, err = scan(line[:err.at], fortran)
	}
	if err != nil {
		return nil, -1
	}
	depth, inside := 0, 0
	param = -1
	for i, t := range tokens {
		switch {
		case t.kind == nameToken && tokens[i+1].text == "(" && Find(t.text, fortran) != nil:
			c, param, inside = Find(t.text, fortran), 0, depth+1
		case t.kind != signToken:
		case strings.ContainsAny(t.text[:1], "([{"):
			depth++
		case t.text == ")" || t.text == "]" || t.text == "}" || t.text == "/)":
			if depth--; depth < inside {
				param = -1
			}
		case t.text == "," && depth == inside && param >= 0:
			param++
		}
	}
	if c != nil && param >= len(c.Params) {
		param = -1
	}
	return c, param
}
