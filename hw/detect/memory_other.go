//go:build !linux && !darwin && !js

package detect

// Memory returns 0: on this system nobody knows the main memory.
func Memory() uint64 { return 0 }

// Available returns 0: the package does not ask this system how much memory it can give now.
func Available() uint64 { return 0 }
