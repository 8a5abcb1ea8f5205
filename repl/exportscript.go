package repl

import (
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"commsplit/render"
	"commsplit/repl/lang"
)

// script is the lines of the session since its last world was made, for the comments of programs.
func (s *Session) script() []render.ScriptLine {
	var list []render.ScriptLine
	void := takenBack(s.entries)
	for i := s.beginning() + 1; i < len(s.entries); i++ {
		c := s.entries[i].chunk
		at := func(line int) string { return c.File + ":" + strconv.Itoa(line) }
		if text, ok := noted(c); ok {
			list = append(list, render.ScriptLine{Where: at(c.Line), Text: text, Note: true})
			continue
		}
		for k, text := range strings.Split(c.Text, "\n") {
			if text = strings.TrimSpace(text); text != "" {
				list = append(list, render.ScriptLine{Where: at(c.Line + k), Text: text, Void: void[i]})
			}
		}
	}
	return list
}

// noted is what a chunk narrates that is nothing but a note with a constant text.
func noted(c *lang.Chunk) (text string, ok bool) {
	expr := c.Body.Text
	if c.Kind == lang.Command && c.Verb.Text == "note" && len(c.Args) == 1 {
		expr = "note(" + c.Args[0].Text + ")"
	}
	if !strings.HasPrefix(expr, "note(") {
		return "", false
	}
	tree, err := syntax.ParseExpr(c.File, expr, 0)
	if err != nil {
		return "", false
	}
	call, ok := tree.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	literal, ok := call.Args[0].(*syntax.Literal)
	if !ok {
		return "", false
	}
	text, ok = literal.Value.(string)
	return text, ok
}
