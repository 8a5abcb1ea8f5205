package detect

import (
	"context"
	"errors"

	"commsplit/hw"
)

// In a browser nothing tells of the machine. ghw is left out of a program for browsers, which has to be small.

// This is an error: there is nothing to detect.
func This(context.Context) (*hw.Topology, error) {
	return nil, errors.New("a browser does not say on which hardware it runs: name some, such as figure-7.3, or describe it, such as pack:2 core:4")
}

// NameDevices names nothing: there is no list of vendors.
func NameDevices(*hw.Topology) {}

// Memory is about what a page in a browser gets, in bytes, of the 4 GB that it can address.
func Memory() uint64 { return 2 << 30 }

// Available is 0: it is not known.
func Available() uint64 { return 0 }
