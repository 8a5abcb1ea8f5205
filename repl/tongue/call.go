package tongue

import (
	"fmt"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine/calls"
	"codeberg.org/commsplit/commsplit/repl/tongue/syntax"
)

// argument is one argument of a call.
type argument struct {
	value
	at   syntax.Pos
	from string // the entry from which on an array gets results; "" for the whole array
}

// call translates a call, and finds the command that it means. code is the name that gets the error code; "" for
// none.
func (r *reader) call(x *syntax.Call, code string) {
	name := r.word(x.Pos)
	c := Find(name, r.fortran)
	if c == nil {
		wrong(x.Pos, "%s", r.unknown(name))
	}
	args := map[string]argument{}
	for i, p := range c.Params {
		if i == len(x.Args) {
			wrong(x.End, "%s is missing; prototype: %s", p.Name, c.Signature)
		}
		a := r.argument(c, p, x.Args[i])
		a.at = x.Begins[i]
		args[p.Name] = a
	}
	if more := len(c.Params); more < len(x.Args) {
		id, ok := x.Args[more].(*syntax.Ident)
		if !r.fortran || !ok || more+1 < len(x.Args) {
			wrong(x.Begins[more], "%s has too many arguments; prototype: %s", c.Name, c.Signature)
		}
		code = mangled(id.Name)
	}
	r.enough(c, args)
	n := len(r.out)
	for _, template := range c.Statement {
		r.write("%s", fill(c, template, args))
	}
	command := true
	for _, i := range results(c) {
		p := c.Params[i]
		a := args[p.Name]
		if a.from != "" {
			left, right, _ := strings.Cut(r.out[n], " = ")
			r.out[n] = fmt.Sprintf("%s = [%[1]s[:%[2]s] + k_ + %[1]s[%[2]s + len(k_):] for k_ in [%[3]s]][0]", left, a.from, right)
		}
		command = command && leading(a.text, isNameByte) == a.text
		r.got(c, a)
	}
	switch {
	case code != "":
		r.write("%s = MPI.SUCCESS", code)
	case command:
		r.command = commandOf(c, args)
	}
}

// argument translates an argument: a name that gets a result, or an expression.
func (r *reader) argument(c *calls.Procedure, p calls.Param, e syntax.Expr) argument {
	of, address := e, false
	if u, ok := e.(*syntax.Unary); ok && u.Op == "&" {
		of, address = u.X, true
	}
	switch {
	case p.Type == "MPI_Status":
		r.place(of, "status")
		return argument{}
	case p.In && p.Array && p.Type != "char":
		return argument{value: r.entries(e, p)}
	case p.In:
		if p.Type == "void" {
			e = of
		} else if address {
			wrong(e.At(), "%s takes %d arguments: %s is missing, or has an & too many; prototype: %s", c.Name, len(c.Params), p.Name, c.Signature)
		}
		v := r.expression(e)
		if n, ok := e.(*syntax.Number); ok && v.real {
			wrong(n.Pos, "%s is not an integer, but colors, keys and ranks are integers", r.word(n.Pos))
		}
		return argument{value: v}
	}
	id := r.set(c, p, of)
	if !r.fortran && !address && !p.Array && p.Type != "void" {
		wrong(e.At(), "the call sets %s: write &%s; prototype: %s", p.Name, id, c.Signature)
	}
	v, last := r.place(of, mangled(id))
	a := argument{value: v}
	switch one := last != nil && last.one; {
	case one && p.Array && (address || r.fortran): // the entries from there on
		a.text, a.from = last.of, last.index
	case one && p.Array && r.variable(mangled(id)).Dims > 0, v.array != "" && !p.Array && p.Type != "void":
		wrong(e.At(), "%s is %s; prototype: %s", p.Name, map[bool]string{true: "an array", false: "not an array"}[p.Array], c.Signature)
	}
	if a.from != "" && len(results(c)) > 1 {
		wrong(e.At(), "the call sets %s from the first entry on: pass %s", p.Name, a.text)
	}
	return a
}

// set returns the name of the variable that a call sets.
func (r *reader) set(c *calls.Procedure, p calls.Param, e syntax.Expr) string {
	for at := e; ; {
		switch x := at.(type) {
		case *syntax.Index:
			at = x.X
			continue
		case *syntax.Call:
			at = x.Fn
			continue
		case *syntax.Ident:
			if !strings.HasPrefix(strings.ToUpper(x.Name), "MPI_") {
				return x.Name
			}
		}
		wrong(e.At(), "the call sets %s: pass a name%s; prototype: %s", p.Name, map[bool]string{false: ", as in &" + p.Name}[r.fortran], c.Signature)
	}
}

// unknown returns why a call is unknown.
func (r *reader) unknown(name string) string {
	if !strings.HasPrefix(strings.ToUpper(name), "MPI_") {
		return "the procedure " + name + " is unknown: " + r.understood()
	}
	if why := calls.AbsentC(name); why != "" {
		return why
	}
	if near := InCase(name); near != "" && near != name && !r.fortran {
		return "C distinguishes case: write " + near
	} else if near != "" {
		return name + " can be called in a whole program (commsplit run FILE), not in a line: " + r.understood()
	}
	if near := Nearest(name); near != "" {
		return name + " is not a known call; did you mean " + near + "?"
	}
	return name + " is not a known call: " + r.understood()
}

// fill puts arguments into a template of a call. Of an array it passes as many entries as the call in C does.
func fill(c *calls.Procedure, template string, args map[string]argument) string {
	set, _, _ := strings.Cut(template, " = ")
	put := func(text string, passed bool) string {
		return Filled(text, func(name string) string {
			p := c.Param(name)
			a := args[name]
			n, counted := args[p.Length]
			if !passed || !counted {
				return a.within(template, name)
			}
			if a.text == "None" || strings.HasPrefix(a.text, "MPI.") || a.listed && strconv.Itoa(a.length) == n.text {
				return a.text
			}
			return a.in(atom) + "[:" + n.text + "]"
		})
	}
	if set == template {
		return put(template, true)
	}
	return put(set, false) + put(strings.TrimPrefix(template, set), true)
}

// within returns the argument for its place in a template: before a dot it must be one word.
func (a argument) within(template, name string) string {
	if strings.Contains(template, "{"+name+"}.") {
		return a.in(atom)
	}
	return a.text
}

// commandOf returns the command that a call means; nil for none.
func commandOf(c *calls.Procedure, args map[string]argument) *Command {
	if c.Command == "" {
		return nil
	}
	cmd := &Command{}
	for _, i := range results(c) {
		a := args[c.Params[i].Name]
		cmd.Target = Arg{Text: a.text, At: a.at}
	}
	words := strings.Fields(c.Command)
	cmd.Verb = words[0]
	for _, w := range words[1:] {
		name, of, named := strings.Cut(w, "=")
		if !named {
			name, of = "", w
		}
		a := args[strings.Trim(of, "{}")]
		if calls.Usual[name] == a.text && a.text != "" {
			continue
		}
		text := a.text
		if name == "type" {
			text = strings.TrimPrefix(text, "MPI.COMM_TYPE_")
		}
		cmd.Args = append(cmd.Args, Arg{Name: name, Text: text, At: a.at})
	}
	return cmd
}
