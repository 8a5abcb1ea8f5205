//go:build !linux

package detect

import "commsplit/hw"

// Affinity is not known here: the empty set says so.
func Affinity() (hw.Set, error) { return hw.Set{}, nil }
