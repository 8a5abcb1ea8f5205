package machine

import (
	"go.starlark.net/starlark"

	"commsplit/engine/calls"
	"commsplit/repl/tongue/syntax"
)

type section struct{}

func (s *section) expr(t *typ) expr                                                    { panic("") }
func (c *compiler) elementwise(at syntax.Pos, x, y expr, op func(x, y expr) expr) expr { panic("") }
func (c *compiler) constructor(e *syntax.List) expr                                    { panic("") }
func (c *compiler) joined(x, y expr, at syntax.Pos) expr                               { panic("") }
func (c *compiler) texts(op string, x, y expr) expr                                    { panic("") }
func (c *compiler) undeclared(e *syntax.Ident) *variable                               { panic("") }
func (c *compiler) entries(v *variable, e *syntax.Call) place                          { panic("") }
func (c *compiler) wholeArray(v *variable, at syntax.Pos) *section                     { panic("") }
func (c *compiler) declareArray(v *variable, d *syntax.Var) func(*frame)               { panic("") }
func (c *compiler) fortranAssignment(a *syntax.Assign) func(*frame)                    { panic("") }
func (c *compiler) count(s *syntax.Count) exec                                         { panic("") }
func (c *compiler) printed(s *syntax.Print) func(*frame)                               { panic("") }
func (c *compiler) allocate(s *syntax.Allocate) func(*frame)                           { panic("") }
func (c *compiler) stop(s *syntax.Stop) exec                                           { panic("") }
func (c *compiler) fortranStatus(a syntax.Expr, p calls.Param) func(*frame, map[string]int64) starlark.Value {
	panic("")
}
func (c *compiler) fortranArray(e syntax.Expr) func(*frame) ref        { panic("") }
func (c *compiler) fortranMemory(e syntax.Expr) func(*frame) ref       { panic("") }
func (c *compiler) fortranCall(e *syntax.Call, fn *function) expr      { panic("") }
func (c *compiler) intrinsic(e *syntax.Call, name string) (expr, bool) { panic("") }
