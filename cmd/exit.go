package cmd

import (
	"context"
	"errors"

	"commsplit/engine"
	"commsplit/repl"
)

// Code is an exit code. It says how things ended.
type Code int

// The exit codes.
const (
	OK          Code = 0
	Unmet       Code = 1   // an expectation failed, or a difference was found
	Usage       Code = 2   // wrong usage, a parse error, or an error of a program that is not MPI's
	Erroneous   Code = 3   // an erroneous MPI call ended the program
	Deadlock    Code = 4   // ranks wait for each other
	IO          Code = 5   // input, output or detection failed
	Limit       Code = 6   // a limit of time or memory was reached
	HungUp      Code = 129 // SIGHUP: the window was closed
	Interrupted Code = 130 // SIGINT: Ctrl-C
	Quit        Code = 131 // SIGQUIT
	Terminated  Code = 143 // SIGTERM
)

// Codes lists the exit codes with what they mean, for the help and the manual.
func Codes() []struct {
	Code    Code
	Meaning string
} {
	return []struct {
		Code    Code
		Meaning string
	}{
		{OK, "all went well"},
		{Unmet, "an expectation failed, or check, confirm or hw verify found a fault"},
		{Usage, "usage, parse or program error"},
		{Erroneous, "an erroneous MPI call ended the program"},
		{Deadlock, "deadlock"},
		{IO, "input, output or detection failed"},
		{Limit, "a limit was reached, such as --timeout or --max-memory"},
		{HungUp, "hung up: the window or the connection was closed"},
		{Interrupted, "interrupted by Ctrl-C"},
		{Quit, "ended by the signal QUIT"},
		{Terminated, "ended by the signal TERM"},
	}
}

// codeOf tells how a run ended from its error.
func codeOf(err error) Code {
	var (
		failed   *repl.Failed
		deadlock *engine.Deadlock
		unmet    *repl.Unmet
		open     *found
		broken   *unsound
		other    *differs
		input    *repl.InputError
		signal   *signaled
		limit    *repl.Limit
	)
	switch {
	case err == nil:
		return OK
	case errors.As(err, &signal):
		return signal.code()
	case errors.As(err, &failed) && failed.Limited(), errors.As(err, &limit):
		return Limit
	case errors.As(err, &failed) && failed.Interrupted, errors.Is(err, context.Canceled):
		return Interrupted
	case errors.As(err, &failed) && len(failed.MPI) > 0:
		return Erroneous
	case errors.As(err, &deadlock):
		return Deadlock
	case errors.As(err, &unmet), errors.As(err, &open), errors.As(err, &broken), errors.As(err, &other):
		return Unmet
	case errors.As(err, &input):
		return IO
	}
	return Usage
}
