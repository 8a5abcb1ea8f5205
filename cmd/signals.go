package cmd

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"commsplit/repl/edit"
)

// signaled is the end that a signal asks for. It is the cause of contexts that Main and untilTold end.
type signaled struct{ os.Signal }

// endings are the signals that end a command, each with its exit code, 128 and the signal's number, and
// what is told. Other systems than Unix know some of them: Windows sends SIGTERM when the window is closed.
var endings = []struct {
	signal os.Signal
	code   Code
	says   string
}{
	{syscall.SIGHUP, HungUp, "hung up"},
	{os.Interrupt, Interrupted, "interrupted"},
	{syscall.SIGQUIT, Quit, "quit"},
	{syscall.SIGTERM, Terminated, "terminated"},
}

// Error is what is told: "terminated".
func (s *signaled) Error() string {
	for _, e := range endings {
		if e.signal == s.Signal {
			return e.says
		}
	}
	return s.Signal.String()
}

func (s *signaled) code() Code {
	for _, e := range endings {
		if e.signal == s.Signal {
			return e.code
		}
	}
	return Interrupted
}

// patience is how long what runs has for its end after a signal other than Ctrl-C, which a person can
// repeat: jobs of a real MPI are ended politely first.
const patience = 10 * time.Second

// untilTold is a context that ends with a *signaled when the process gets one of the signals. After nohup
// a hang-up stays ignored.
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

// untilEnded is untilTold for the signals that end a session at a prompt, where Ctrl-C only ends a line.
func untilEnded(ctx context.Context) (context.Context, func()) {
	return untilTold(ctx, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTERM)
}

// mustEnd ends the process when it has not ended a while after a signal that ended ctx. Nobody listens.
func mustEnd(ctx context.Context) {
	context.AfterFunc(ctx, func() {
		if s := signalOf(ctx); s != nil {
			time.Sleep(patience)
			os.Exit(int(s.code()))
		}
	})
}

// signalOf is the signal that ended a context; nil for none.
func signalOf(ctx context.Context) *signaled {
	var s *signaled
	errors.As(context.Cause(ctx), &s)
	return s
}

// endOf is how a command ended with an error: what a signal interrupted ended by that signal, and without
// its terminal a command was hung up.
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
