package detect

import (
	"context"
	"errors"

	"codeberg.org/commsplit/commsplit/hw"
)

// In a browser nothing tells of the machine. ghw is left out of a program for browsers, which has to be small.

// This returns an error: there is nothing to detect.
func This(context.Context) (*hw.Topology, error) {
	return nil, errors.New("a browser does not tell its hardware: name hardware such as figure-7.3, or describe it, as in pack:2 core:4")
}

// NameDevices does nothing: there is no list of vendors.
func NameDevices(*hw.Topology) {}

// Memory returns about how many bytes a page in a browser gets, of the 4 GB that the page can address.
func Memory() uint64 { return 2 << 30 }

// Available returns 0: a browser does not tell how much memory is available.
func Available() uint64 { return 0 }
