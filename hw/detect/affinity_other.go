//go:build !linux

package detect

import "codeberg.org/commsplit/commsplit/hw"

// Affinity returns the empty set: this system does not tell the affinity.
func Affinity() (hw.Set, error) { return hw.Set{}, nil }
