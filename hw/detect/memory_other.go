//go:build !linux && !darwin && !js

package detect

// Memory is the main memory of this machine in bytes; 0 when it is not known.
func Memory() uint64 { return 0 }

// Available is 0: this system is not asked how much memory it can give now.
func Available() uint64 { return 0 }
