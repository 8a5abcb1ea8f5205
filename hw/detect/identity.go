//go:build !js

package detect

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"

	"github.com/jaypipes/ghw"
	"github.com/jaypipes/ghw/pkg/cpu"
)

// identify asks ghw, but only for what ghw answers quickly and quietly: the
// CPU, and the memory on demand. Where ghw knows nothing, a note says so; the
// error is that of ctx.
func identify(ctx context.Context) (identity, error) {
	id := identity{cpus: runtime.NumCPU()}
	if err := ctx.Err(); err != nil {
		return id, fmt.Errorf("detection was stopped: %w", err)
	}
	options := []any{ctx, ghw.WithLogger(slog.New(slog.DiscardHandler)), ghw.WithDisableTools()}
	if runtime.GOOS == "linux" {
		// Detect this machine, whatever GHW_CHROOT says.
		options = append(options, ghw.WithChroot("/"))
	}
	id.memory = func() uint64 {
		info, err := ghw.Memory(options...)
		if err != nil || info.TotalUsableBytes < 0 {
			return 0
		}
		return uint64(info.TotalUsableBytes)
	}
	info, err := ghw.CPU(options...)
	if err != nil {
		id.notes = append(id.notes, fmt.Sprintf("ghw cannot read the processors: %v", err))
		return id, nil
	}
	for _, p := range info.Processors {
		id.packages = append(id.packages, plain(p))
	}
	return id, nil
}

// plain copies a processor. On some systems ghw leaves its cores nil.
func plain(p *cpu.Processor) processor {
	r := processor{model: strings.TrimSpace(p.Model)}
	for _, c := range p.Cores {
		if c != nil && len(c.LogicalProcessors) > 0 {
			r.cores = append(r.cores, c.LogicalProcessors)
		}
	}
	return r
}
