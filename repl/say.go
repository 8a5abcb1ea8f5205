package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"commsplit/repl/lang"
	"commsplit/repl/program"
	"commsplit/repl/tongue"
)

// Tongues are the languages in which a line can be said.
var Tongues = []string{"c", "f08", "mpi4py", "command"}

const sayHelp = "The latest line is said in C, in Fortran 2008, with mpi4py's names, or as a command. Without an argument: in all four. " +
	"What has no words there says so."

func (c *Console) metaSay(_ context.Context, args []string) error {
	if len(args) > 1 || len(args) == 1 && !slices.Contains(Tongues, args[0]) {
		return fmt.Errorf(".say takes one of %s", strings.Join(Tongues, ", "))
	}
	if len(args) == 1 {
		text, err := c.Session.Say(args[0])
		if err != nil {
			return err
		}
		fmt.Fprintln(c.Out, text)
		return nil
	}
	for i, in := range Tongues {
		text, err := c.Session.Say(in)
		var no *Unsaid
		switch {
		case errors.As(err, &no):
			text = "(" + no.Why + ")"
		case err != nil:
			return err
		}
		if i > 0 {
			fmt.Fprintln(c.Out)
		}
		fmt.Fprintf(c.Out, "%s:\n    %s\n", in, strings.ReplaceAll(text, "\n", "\n    "))
	}
	return nil
}

// Unsaid is why a line cannot be said in a language.
type Unsaid struct{ In, Why string }

func (u *Unsaid) Error() string { return "in " + u.In + " this line cannot be said: " + u.Why }

// Say is the latest line of the session in one of Tongues. It returns a *Unsaid for a line that has no words there.
func (s *Session) Say(in string) (string, error) {
	i := len(s.entries) - 1
	for i > s.beginning() && (s.entries[i].chunk.Kind == lang.Meta || s.entries[i].program() == "") {
		i--
	}
	if i <= s.beginning() {
		return "", errors.New("no line has run yet that could be said")
	}
	return s.say(s.entries[i], in)
}

func (s *Session) say(e entry, in string) (string, error) {
	text := strings.TrimRight(e.program(), "\n")
	switch in {
	case "mpi4py":
		return text, nil
	case "command":
		if e.chunk.Kind == lang.Command && !e.chunk.Foreign {
			return e.chunk.Text, nil
		}
		if cmd := s.speaker(false).Command(lastStatement(text)); cmd != "" {
			return cmd, nil
		}
		return "", &Unsaid{in, "it is a statement that no verb stands for"}
	}
	lines, err := s.speaker(in == "f08").Say(text)
	if err != nil {
		return "", &Unsaid{in, err.Error()}
	}
	if len(lines) == 0 {
		return "", &Unsaid{in, "it is for the session, and no call of MPI"}
	}
	return strings.Join(lines, "\n"), nil
}

// lastStatement is the call of a statement that a command became, which may stand behind a test for MPI_COMM_NULL.
func lastStatement(text string) string {
	lines := strings.Split(text, "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// speaker knows the variables of the session and the methods of mpi4py.
func (s *Session) speaker(fortran bool) *tongue.Speaker {
	return &tongue.Speaker{Fortran: fortran, Parameters: program.ParametersOf, Kind: func(name string) string {
		for _, r := range s.ranks {
			if r == nil {
				continue
			}
			if kind := program.KindInC(r.Vars.Get(name)); kind != "" {
				return kind
			}
		}
		return ""
	}}
}
