package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// bounds limit a script: whether it may touch files, and how much time and memory it may take. Only the user sets
// bounds: the first lines of a script cannot have these flags.
type bounds struct {
	files   bool          // read and write files
	timeout time.Duration // 0: none
	memory  uint64        // bytes; 0: three quarters of what there is
}

// checkTimeout is how long check waits for each script.
const checkTimeout = time.Minute

// addFiles gives a command the flag that lets scripts read and write files.
func (b *bounds) addFiles(c *cobra.Command) {
	c.Flags().BoolVar(&b.files, "allow-files", false, "let the lines of a script read and write files: .save, .export, .open ...")
}

// addLimits gives a command the limits of time and memory.
func (b *bounds) addLimits(c *cobra.Command) {
	usual := "none"
	if b.timeout > 0 {
		usual = b.timeout.String()
	}
	c.Flags().Var(duration(&b.timeout), "timeout", "end with exit code 6 after a `DURATION` such as 10s or 5m (default: "+usual+")")
	b.addMemory(c)
}

// addMemory gives a command the limit of memory.
func (b *bounds) addMemory(c *cobra.Command) {
	c.Flags().Var(size(&b.memory), "max-memory", "memory that programs may take, a `SIZE` such as 500M or 4G (default: three quarters of the machine's)")
}

// within runs f, and ends it after the time of --timeout with an error.
func (b *bounds) within(ctx context.Context, f func(context.Context) error) error {
	if b.timeout == 0 {
		return f(ctx)
	}
	limit := &repl.Limit{Message: fmt.Sprintf("the time limit of %v is reached (--timeout)", b.timeout)}
	ctx, stop := context.WithTimeoutCause(ctx, b.timeout, limit)
	defer stop()
	err := f(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return limit
	}
	return err
}

// untimed returns an error for --timeout where a person types.
func (b *bounds) untimed() error {
	if b.timeout > 0 {
		return errors.New("--timeout is for scripts and -c: at a prompt, Ctrl-C ends a line")
	}
	return nil
}

// console opens the session that a script runs in.
func (f *worldFlags) console(ctx context.Context, s Streams, out, errs io.Writer) (*console.Console, error) {
	f.config.Memory = f.memory
	console, err := console.NewConsole(ctx, f.config, out, errs, f.style(s))
	if err != nil {
		return nil, err
	}
	console.AllowFiles, console.Terminal = f.files, s.OutTTY
	if f.read != "" {
		console.Own(f.read)
	}
	return console, nil
}

// duration returns the value of a flag that takes a time.
func duration(d *time.Duration) *value {
	return &value{kind: "DURATION", set: func(text string) error {
		t, err := time.ParseDuration(text)
		if err != nil || t <= 0 {
			return errors.New("write a number with a unit, such as 10s, 5m or 1h30m")
		}
		*d = t
		return nil
	}}
}

// leastMemory is how many bytes a session needs to begin.
const leastMemory = 64 << 20

// size returns the value of a flag that takes a number of bytes with a unit, where K is 1024 bytes: 500M, 4G, 4GB, 4GiB.
func size(z *uint64) *value {
	return &value{kind: "SIZE", set: func(text string) (err error) { *z, err = bytesOf(text); return err }}
}

func bytesOf(text string) (uint64, error) {
	digits := strings.TrimRight(text, "kKmMgGtTiIbB")
	unit := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text[len(digits):]), "B"), "I")
	n, err := strconv.ParseUint(digits, 10, 64)
	shift := 10 * (1 + strings.Index("KMGT", unit))
	if unit == "" {
		shift = 0
	}
	if err != nil || len(unit) > 1 || unit != "" && shift == 0 || bits.Len64(n)+shift > 62 {
		return 0, errors.New("write a number with a unit, such as 500M or 4G")
	}
	if n <<= shift; n < leastMemory {
		return 0, fmt.Errorf("it must be at least %s", program.Bytes(leastMemory))
	}
	return n, nil
}

// The memory that a world takes, about: below that, nothing is collected while the world starts. A collection in a world
// of a million waiting ranks looks at each of their stacks, and frees next to nothing.
const (
	lateBase    = 64 << 20
	latePerRank = 12 << 10
	leastLate   = 8192 // ranks of a world for which that is worthwhile
)

// collectLate steers the garbage collector of the process for a new world of that many ranks. The first collection comes
// when the world has been made, or at half of the bytes that its programs may take; from then on garbage is collected as
// usual, and more often when these bytes are almost used up. In small worlds garbage is collected as usual from the
// beginning. If the environment steers the collector, collectLate changes nothing.
func collectLate(ranks int, most uint64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	late := collectorIsOff() // an earlier world said so, and there has been no collection since
	switch {
	case ranks >= leastLate:
		debug.SetMemoryLimit(int64(min(lateBase+uint64(ranks)*latePerRank, most/2)))
	case !late:
		debug.SetMemoryLimit(int64(most))
	}
	if late || ranks < leastLate {
		return
	}
	debug.SetGCPercent(-1)
	first := new(*byte) // unreachable: the first collection finds it
	runtime.AddCleanup(first, func(most int64) {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(most)
	}, int64(most))
}

// collectorIsOff reports whether no garbage is collected below the limit of memory.
func collectorIsOff() bool {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	return percent[0].Value.Uint64() == math.MaxUint64
}
