package repl

import (
	"errors"

	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// Check finds a mistake in a line without running the line; nil when it finds none. It finds none in the first
// line of a statement that needs more lines.
func (s *Session) Check(line string) *lang.Error {
	r := NewInput("<input>")
	chunks, err := r.Feed(line, true)
	for _, c := range chunks {
		if err == nil {
			err = checkChunk(s, c)
		}
	}
	var at *lang.Error
	errors.As(err, &at)
	return at
}

func checkChunk(s *Session, c *lang.Chunk) error {
	c, err := c.Among(s.scope)
	if err != nil {
		return err
	}
	if _, err := s.RanksOf(c); err != nil {
		return err
	}
	switch c.Kind {
	case lang.Meta:
		if FindMeta(c.Verb.Text) == nil {
			return c.ErrorAt(c.Verb, "unknown meta command .%s; .help lists them", c.Verb.Text)
		}
		return nil
	case lang.Program:
		text := c.Body.Text
		if c.Foreign {
			text, _ = statements(s, c)
		}
		if _, err := program.Compile(c.File, text, c.Line, s.known); err != nil {
			return position(err, c)
		}
		return nil
	}
	cmd, err := bind(c)
	if err != nil || cmd.verb.text == nil {
		return err
	}
	if err := cmd.compile(s); err != nil {
		return position(err, c)
	}
	return cmd.exists(s.plan.std)
}
