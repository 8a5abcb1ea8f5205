package cmd

import (
	"context"
	"fmt"
	"strings"

	"commsplit/hw/source"
)

// withInput lets --topo - read standard input.
func withInput(ctx context.Context, s Streams) context.Context {
	if s.InTTY {
		return source.WithoutInput(ctx, "standard input is a terminal: pipe an hwloc file into it, "+
			"as in lstopo --of xml - | commsplit hw show --topo -")
	}
	return source.WithInput(ctx, s.In)
}

// withoutInput says that standard input holds something else than hardware.
func (f *worldFlags) withoutInput(ctx context.Context, what string) (context.Context, error) {
	if strings.TrimSpace(f.config.Topo) == "-" {
		return nil, fmt.Errorf("--topo -: standard input has %s, so it cannot have the hardware: "+
			"give the lines with -c or in a file, or the hardware in a file", what)
	}
	return source.WithoutInput(ctx, "standard input has "+what+": give the hardware in a file"), nil
}
