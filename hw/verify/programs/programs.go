// Package programs asks the programs lscpu and lstopo about a machine, where they are
// installed, and says how lscpu falls short of its files.
//
// Model: a program gets a clean environment and a bounded time, after which it is killed;
// its answer is read from its machine-readable output and from nothing else. A program
// that is not installed is no error: ErrAbsent says so.
package programs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrAbsent says that a program is not installed.
var ErrAbsent = errors.New("not installed")

const (
	patience  = 20 * time.Second // lstopo needs up to some seconds on the largest machines
	maxOutput = 64 << 20         // bytes
)

// run returns what a program prints.
func run(ctx context.Context, program string, args ...string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", ErrAbsent
	}
	return within(ctx, patience, path, args...)
}

// within runs a program that is killed when it takes too long.
func within(ctx context.Context, patience time.Duration, path string, args ...string) (string, error) {
	program := filepath.Base(path)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := exec.CommandContext(ctx, path, args...)
	// Without the caller's environment: hwloc's variables would change what machine is read.
	c.Env = []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH"), "HWLOC_HIDE_ERRORS=2",
		"HWLOC_KNL_MSCACHE_L3=0"} // MCDRAM as a cache is a MemCache, which it is, and no L3
	c.WaitDelay = time.Second // for pipes that a child of it holds open
	var out, errs clipped
	out.left, errs.left = maxOutput, 1<<16
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("%s: killed after %v without an answer", program, patience)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("%s: %w%s", program, err, because(errs.String()))
	case out.left == 0:
		return "", fmt.Errorf("%s: more than %d MB of output", program, maxOutput>>20)
	}
	return out.String(), nil
}

// because is the first line that a program complained with.
func because(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return ""
	}
	return " (" + line + ")"
}

// clipped keeps the first bytes that are written to it.
type clipped struct {
	bytes.Buffer
	left int
}

// Write never fails: what is too much is dropped.
func (c *clipped) Write(p []byte) (int, error) {
	n := min(len(p), c.left)
	c.left -= n
	c.Buffer.Write(p[:n])
	return len(p), nil
}
