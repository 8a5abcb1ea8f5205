//go:build !linux

package detect

import "commsplit/hw"

// affinity is not known here: the empty set says so.
func affinity() (hw.Set, error) { return hw.Set{}, nil }
