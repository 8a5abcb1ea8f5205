package verify

import (
	"context"
	"errors"

	"codeberg.org/commsplit/commsplit/hw"
)

// errNoGHW is the reason why ghw reports nothing in a browser: a program for browsers has to be small.
var errNoGHW = errors.New("ghw is not part of a program for browsers")

func askGHWCPU(context.Context, *machine) testimony {
	return testimony{name: "ghw.CPU", plain: true, err: errNoGHW}
}

func askGHWTopology(context.Context, *machine) testimony {
	return testimony{name: "ghw.Topology", plain: true, err: errNoGHW}
}

func (m *machine) ghwMemory(context.Context) (uint64, error) { return 0, errNoGHW }

// GHWDevices returns an error.
func GHWDevices(context.Context, string) ([]hw.Heard, error) { return nil, errNoGHW }

func (m *machine) devices(context.Context) ([]Device, []Witness) { return nil, nil }
