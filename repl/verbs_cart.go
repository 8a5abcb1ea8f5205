package repl

import (
	"strings"

	"go.starlark.net/starlark"

	"commsplit/repl/program"
)

// runCart is the method Create_cart of programs, which reads the lists.
func runCart(i *issue) (starlark.Value, error) {
	v, err := i.rank.CallMethod(i.arg("comm"), "Create_cart", []starlark.Value{i.arg("dims"), i.arg("periods")})
	return v, i.placed(err)
}

// placed says where in the line an error is that a function of programs found in its arguments. The
// function knows nothing of the line: "Create_cart: dims must be ..." is at dims, others are at the
// verb.
func (i *issue) placed(err error) error {
	e, ok := err.(*program.Error)
	if !ok || e.Line > 0 {
		return err
	}
	_, text, _ := strings.Cut(e.Message, ": ")
	if name, _, _ := strings.Cut(text, " "); i.cmd.verb.param(name) >= 0 {
		return i.wrong(name, "%s", text)
	}
	c := i.cmd.chunk
	return &program.Error{File: c.File, Line: c.Verb.Line, Col: c.Verb.Col, Message: e.Message}
}
