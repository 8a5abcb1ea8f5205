package repl

import (
	"strconv"
	"strings"

	"commsplit/render"
	"commsplit/repl/lang"
	"commsplit/repl/program"
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
				at.Text, at.Note, at.Void = n.Text, true, false
				behind = k + n.Lines
			} else if k < behind || at.Text == "" {
				continue
			}
			list = append(list, at)
		}
	}
	return list
}

// notesOf finds the notes of a chunk, by line from its first one.
func notesOf(c *lang.Chunk) map[int]program.Note {
	text := c.Text
	if c.Kind == lang.Command {
		if c.Verb.Text != "note" || len(c.Args) != 1 {
			return nil
		}
		text = "note(" + c.Args[0].Text + ")"
	}
	notes := map[int]program.Note{}
	for _, n := range program.Notes(text) {
		notes[n.Line-1] = n
	}
	return notes
}
