package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Run is a command with the recorder.
type Run struct {
	Folder string // with programs that were compiled, and the recording unless it is kept; Close removes it
	File   string // the recording, if the program made one
	words  []string
	env    []string
}

// Prepare compiles the sources among the words, and builds the recorder. keep is the file for the recording; "" for
// one that goes with the folder of the run.
func Prepare(ctx context.Context, words []string, keep string) (*Run, error) {
	if runtime.GOOS != "linux" {
		return nil, errors.New("the recorder is for Linux: take commsplit record --to c to the machine where the program runs")
	}
	c, err := Read(words, versionOf)
	if err != nil {
		return nil, err
	}
	cache, err := cacheFolder()
	if err != nil {
		return nil, err
	}
	library, cc, err := c.library(ctx, cache)
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	// Ranks on other hosts see the folder where the command runs, and not the one for temporary files.
	r := &Run{}
	if r.Folder, err = os.MkdirTemp(here, ".commsplit-record-"); err != nil {
		return nil, fmt.Errorf("%w: run the command in a folder where its ranks can write", err)
	}
	if err := r.prepare(ctx, c, cc, library, keep); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Run) prepare(ctx context.Context, c *Command, cc, library, keep string) error {
	c.Words = slices.Clone(c.Words)
	for _, i := range c.programs() {
		source := c.Words[i]
		if !isSource(source) {
			continue
		}
		program := filepath.Join(r.Folder, strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)))
		if err := compile(ctx, cc, source, program); err != nil {
			return err
		}
		c.Words[i] = program
	}
	r.File = filepath.Join(r.Folder, "app.tar")
	if keep != "" {
		var err error
		if r.File, err = filepath.Abs(keep); err != nil {
			return err
		}
	}
	if other := os.Getenv("LD_PRELOAD"); other != "" {
		library += ":" + other
	}
	vars := []string{"LD_PRELOAD=" + library, "COMMSPLIT_RECORD=" + r.File}
	if r.words = c.With(vars); r.words == nil {
		r.words, r.env = c.Words, vars
	}
	return nil
}

// Close removes the folder of the run.
func (r *Run) Close() { os.RemoveAll(r.Folder) }

// versionOf returns a launcher's output for --version; "" for a launcher that prints nothing in time.
func versionOf(path string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	said, _ := output(ctx, path, "--version") // one that fails says what it is, too
	return string(said)
}

// Start runs the command with these streams, and passes the signals of the channel on to it. It returns the command's
// exit code as a shell has it: 128 and the number of the signal that ended it.
func (r *Run) Start(in io.Reader, out, err io.Writer, signals <-chan os.Signal) (int, error) {
	c := exec.Command(r.words[0], r.words[1:]...)
	c.Stdin, c.Stdout, c.Stderr, c.Env = in, out, err, append(os.Environ(), r.env...)
	c.WaitDelay = time.Second // a rank that outlives its launcher may hold the output
	if err := c.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = c.Process.Signal(s) // it may have ended just now
		case err := <-ended:
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
				return 0, err
			}
			return exitCode(c.ProcessState), nil
		}
	}
}

// Others lists further recordings, of programs that the command ran later or that its ranks started.
func (r *Run) Others() []string {
	base := strings.TrimSuffix(r.File, ".tar")
	list, _ := filepath.Glob(globbed(base) + "-*.tar") // the pattern is well-formed
	return list
}

// globbed returns a path as a pattern that matches only itself.
func globbed(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(path)
}
