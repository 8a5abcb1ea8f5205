package repl

import (
	"regexp"
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
		notes := notesOf(c)
		behind := 0 // the note that a line belongs to ends before this one
		for k, text := range strings.Split(c.Text, "\n") {
			at := render.ScriptLine{Where: c.File + ":" + strconv.Itoa(c.Line+k), Text: strings.TrimSpace(text), Void: void[i]}
			if n, ok := notes[k]; ok {
				at.Text, at.Note, at.Void = n.text, true, false
				behind = k + n.lines
			} else if k < behind || at.Text == "" {
				continue
			}
			list = append(list, at)
		}
	}
	return list
}

// narration is what a note says, and how many lines it is written on.
type narration struct {
	text  string
	lines int
}

// imports are the lines of a program that are Python's, not Starlark's.
var imports = regexp.MustCompile(`(?m)^(from|import) .*$`)

// notesOf finds the notes of a chunk that have a constant text, by line from its first one.
func notesOf(c *lang.Chunk) map[int]narration {
	text := c.Text
	if c.Kind == lang.Command {
		if c.Verb.Text != "note" || len(c.Args) != 1 {
			return nil
		}
		text = "note(" + c.Args[0].Text + ")"
	}
	dialect := syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}
	file, err := dialect.Parse(c.File, imports.ReplaceAllString(text, "pass"), 0)
	if err != nil {
		return nil
	}
	notes := map[int]narration{}
	for _, stmt := range file.Stmts {
		expr, ok := stmt.(*syntax.ExprStmt)
		if !ok {
			continue
		}
		call, ok := expr.X.(*syntax.CallExpr)
		if !ok || len(call.Args) != 1 {
			continue
		}
		name, isName := call.Fn.(*syntax.Ident)
		literal, isLiteral := call.Args[0].(*syntax.Literal)
		if !isName || !isLiteral || name.Name != "note" {
			continue
		}
		if said, ok := literal.Value.(string); ok {
			start, end := call.Span()
			notes[int(start.Line)-1] = narration{said, int(end.Line-start.Line) + 1}
		}
	}
	return notes
}
