package detect

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"codeberg.org/commsplit/commsplit/hw"
)

// maxAffinity bounds the size of the mask that the kernel may use, in PUs.
const maxAffinity = 1 << 20

// Affinity returns the PUs that the scheduler may run this process on. The
// kernel refuses a mask that is smaller than the kernel's own, whose size
// nobody tells: so Affinity tries larger and larger masks.
func Affinity() (hw.Set, error) {
	var s hw.Set
	for size := 1024; size <= maxAffinity; size *= 2 {
		mask := unix.NewCPUSet(size)
		err := unix.SchedGetaffinityDynamic(0, mask)
		if errors.Is(err, unix.EINVAL) {
			continue
		}
		if err != nil {
			return s, fmt.Errorf("cannot ask the kernel for the affinity: %w", err)
		}
		for pu := range size {
			if mask.IsSet(pu) {
				s.Add(pu)
			}
		}
		return s, nil
	}
	return s, fmt.Errorf("the kernel's affinity masks have more than %d PUs", maxAffinity)
}
