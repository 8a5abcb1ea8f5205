package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/edit"
)

// Code is an exit code.
type Code int

// The exit codes.
const (
	OK          Code = 0
	Unmet       Code = 1   // an expectation failed, or a difference was found
	Usage       Code = 2   // wrong usage, a parse error, or an error of a program that is not MPI's
	Erroneous   Code = 3   // an erroneous MPI call ended the program, or a recorded program crashed
	Deadlock    Code = 4   // ranks wait for each other
	IO          Code = 5   // input, output or detection failed
	Limit       Code = 6   // a limit of time or memory was reached
	HungUp      Code = 129 // SIGHUP: the window was closed
	Interrupted Code = 130 // SIGINT: Ctrl-C
	Quit        Code = 131 // SIGQUIT
	Terminated  Code = 143 // SIGTERM
)

// Coded is an exit code and what it means.
type Coded struct {
	Code    Code
	Meaning string
}

// Codes lists the exit codes for the help and the manual.
func Codes() []Coded {
	return []Coded{
		{OK, "all went well"},
		{Unmet, "an expectation failed, or check, confirm, diff, verify or --strict did"},
		{Usage, "usage, parse or program error"},
		{Erroneous, "an erroneous MPI call ended the program, or a recorded program crashed"},
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
		unmet    *console.Unmet
		end      *ended
		input    *repl.InputError
		signal   *signaled
		limit    *repl.Limit
		exit     *exited
	)
	switch {
	case err == nil:
		return OK
	case errors.As(err, &exit):
		return Code(exit.code)
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
	case errors.As(err, &unmet):
		return Unmet
	case errors.As(err, &end):
		return end.code
	case errors.As(err, &input):
		return IO
	}
	return Usage
}

// stopped returns why a run ended with an error before its end, apart from errors of MPI and a deadlock.
func stopped(err error) []render.Stop {
	var unmet *console.Unmet
	var lock *engine.Deadlock
	if errors.As(err, &unmet) || errors.As(err, &lock) {
		return nil
	}
	return repl.Stops(err)
}

// ended is the error of a command that did its work; the exit code stands for its result.
type ended struct {
	code Code
	text string
}

// Error returns the text.
func (e *ended) Error() string { return e.text }

// saysNo returns the error of a command that did its work and answers no: exit code 1.
func saysNo(format string, args ...any) error { return &ended{Unmet, fmt.Sprintf(format, args...)} }

// tellCrash prints a line to report, and keeps the lines of the session in a file; if no file can be written, it prints
// these lines, too.
func tellCrash(s Streams, c *repl.Crash) {
	repl.WriteError(s.Err, c)
	path, report := edit.StateFile("crash.mpi"), c.Report(version())
	holds := "to the report"
	if c.Kept != "" {
		holds += "; commsplit run gives your session again"
	}
	err := keep(path, report)
	if err != nil {
		fmt.Fprintf(s.Err, "This is commsplit %s. No file could be written (%v). Add this %s:\n\n%s", version(), err, holds, report)
		return
	}
	fmt.Fprintf(s.Err, "This is commsplit %s. Add this file %s:\n%s\n", version(), holds, path)
}

// keep writes a file that only its owner may read.
func keep(path, text string) error {
	if path == "" {
		return os.ErrNotExist
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return wholefile.Write(path, []byte(text), 0o600)
}

// signaled is the end that a signal asks for. It is the cause of contexts that Main and untilTold end.
type signaled struct{ os.Signal }

// ending is how a signal ends a command.
type ending struct {
	signal os.Signal
	code   Code
	says   string
}

// ending finds the row of the signal.
func (s *signaled) ending() ending {
	if i := slices.IndexFunc(endings, func(e ending) bool { return e.signal == s.Signal }); i >= 0 {
		return endings[i]
	}
	return ending{s.Signal, Interrupted, s.Signal.String()}
}

// endings are the signals that end a command, each with its exit code, 128 and the signal's number, and the text that is
// printed. Systems other than Unix have some of the signals: Windows sends SIGTERM when the window is closed.
var endings = []ending{
	{syscall.SIGHUP, HungUp, "hung up"},
	{os.Interrupt, Interrupted, "interrupted"},
	{syscall.SIGQUIT, Quit, "quit"},
	{syscall.SIGTERM, Terminated, "terminated"},
}

// Error returns the message: "terminated".
func (s *signaled) Error() string { return s.ending().says }

func (s *signaled) code() Code { return s.ending().code }

// patience is how long a command may take to end after a signal other than Ctrl-C, which a person can repeat: jobs of a
// real MPI are ended politely first.
const patience = 10 * time.Second

// untilTold returns a context that ends with a *signaled when the process gets one of the signals. After nohup a hang-up
// stays ignored.
func untilTold(ctx context.Context, signals ...os.Signal) (context.Context, func()) {
	ctx, end := context.WithCancelCause(ctx)
	heard := make(chan os.Signal, 1)
	for _, s := range signals {
		if s != syscall.SIGHUP || !signal.Ignored(s) {
			signal.Notify(heard, s)
		}
	}
	go func() {
		select {
		case s := <-heard:
			end(&signaled{s})
		case <-ctx.Done():
		}
		signal.Stop(heard) // the next one ends a process that does not heed the first
	}()
	return ctx, func() { end(nil) }
}

// untilEnded calls untilTold for the signals that end a session at a prompt, where Ctrl-C only ends a line.
func untilEnded(ctx context.Context) (context.Context, func()) {
	return untilTold(ctx, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTERM)
}

// mustEnd ends the process if it still runs a while after a signal ended ctx. Nobody listens.
func mustEnd(ctx context.Context) {
	context.AfterFunc(ctx, func() {
		if s := signalOf(ctx); s != nil {
			time.Sleep(patience)
			os.Exit(int(s.code()))
		}
	})
}

// signalOf returns the signal that ended a context; nil for none.
func signalOf(ctx context.Context) *signaled {
	var s *signaled
	errors.As(context.Cause(ctx), &s)
	return s
}

// endOf returns the exit code and the error with which a command ends. A signal that interrupted the command gives both;
// a command that lost its terminal was hung up.
func endOf(ctx context.Context, err error) (Code, error) {
	code := codeOf(err)
	if s := signalOf(ctx); code == Interrupted && s != nil {
		return s.code(), s
	}
	if errors.Is(err, edit.ErrGone) {
		return HungUp, &signaled{syscall.SIGHUP}
	}
	return code, err
}
