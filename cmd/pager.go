package cmd

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// paged writes a long text. On a terminal it goes through the pager, which keeps its beginning on the screen.
func (s Streams) paged(text string) error {
	out, ok := s.Out.(*checkedWriter)
	command := s.pager(os.LookupEnv)
	if command == "" || !ok || out.file() == nil {
		_, err := io.WriteString(s.Out, text)
		return err
	}
	c := exec.Command("sh", "-c", command)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(text), out.file(), os.Stderr
	c.Env = os.Environ()
	if _, set := os.LookupEnv("LESS"); !set {
		c.Env = append(c.Env, "LESS=FRX") // a text of one screen ends it, colors stay, and so does the text
	}
	if err := c.Start(); err != nil {
		_, err := io.WriteString(s.Out, text)
		return err
	}
	_ = c.Wait() // the pager tells by itself what fails; one that is left early has not read all
	return nil
}

// pager returns the command of the pager, as git and gh choose it: PAGER, else less where it is installed. It is "" off
// terminals, on terminals of lines, where PAGER is empty or cat, and on Windows, whose programs have no such habit.
func (s Streams) pager(environment func(string) (string, bool)) string {
	if !s.OutTTY || s.dumb() || runtime.GOOS == "windows" {
		return ""
	}
	command, set := environment("PAGER")
	if !set {
		command = "less"
		if _, err := exec.LookPath(command); err != nil {
			return ""
		}
	}
	if command = strings.TrimSpace(command); command == "cat" {
		return ""
	}
	return command
}
