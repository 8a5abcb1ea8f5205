package repl

import (
	"slices"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/repl/program"
)

// compile compiles the argument expressions. The communicator is apart: rank and size, which the
// others may use, come from it.
func (s *Session) compile(cmd *command) error {
	known := s.known
	with := func(name string) bool { return known(name) || isLocal(name) }
	var list []program.Fragment
	for k := range cmd.bound {
		w := cmd.bound[k].Word
		list = append(list, program.Fragment{Text: w.Text, Line: w.Line, Col: w.Col})
	}
	var err error
	if cmd.verb.actsOnComm() {
		if name := list[0].Text; isLocal(name) && !known(name) {
			return &program.Error{File: cmd.chunk.File, Line: list[0].Line, Col: list[0].Col, Message: name + " is a number here, not a communicator"}
		}
		if cmd.comm, err = program.CompileExprs(cmd.chunk.File, list[:1], known); err != nil {
			return err
		}
		list = list[1:]
	}
	if cmd.args, err = program.CompileExprs(cmd.chunk.File, list, with); err != nil {
		return err
	}
	for _, name := range cmd.args.Names() {
		if s.hides(name) {
			cmd.hidden = append(cmd.hidden, name)
		}
	}
	return nil
}

// exists refuses what the version of the standard does not have: the verb's call, or a split type
// that an argument names.
func (cmd *command) exists(std engine.Std) error {
	c := cmd.chunk
	if since := cmd.verb.Call.Since(); since > std {
		return c.ErrorAt(c.Verb, "%s", std.Lacks(cmd.verb.Call.String(), since))
	}
	for k, p := range cmd.verb.Params {
		name := cmd.bound[k].Text
		if p.Kind != TypeParam || constants[name] == nil || slices.Contains(cmd.hidden, name) {
			continue
		}
		n, err := starlark.AsInt32(constants[name])
		if t := engine.SplitType(n); err == nil && t.Since() > std {
			return c.ErrorAt(cmd.bound[k].Word, "%s", std.Lacks(t.String(), t.Since()))
		}
	}
	return nil
}
