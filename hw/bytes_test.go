package hw

import "testing"

// Sizes are rounded as hwloc does: below ten of a unit, the smaller unit is used.
func TestByteSize(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint64]string{
		1 << 10: "1KB", 10<<20 - 1: "10240KB", 10 << 20: "10MB", 32 << 20: "32MB",
		10<<30 - 1: "10240MB", 32000000000: "30GB", 10 << 40: "10TB",
	} {
		if got := ByteSize(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
