package verify

import (
	"context"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/detect"
)

// pinEach binds a thread of its own to each PU in turn.
func pinEach(ctx context.Context) (list []Pinned, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the thread ends with this goroutine
		list, err = pinning{detect.Affinity, bindThread, whereThread}.each(ctx)
	}()
	<-done
	return list, err
}

// bindThread sets the affinity of the calling thread.
func bindThread(s hw.Set) error {
	mask := unix.NewCPUSet(s.Last() + 1)
	for _, pu := range s.Indexes() {
		mask.Set(pu)
	}
	return unix.SchedSetaffinityDynamic(0, mask)
}

// whereThread returns the PU that the calling thread runs on.
func whereThread() (int, error) {
	var pu uint32
	if _, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&pu)), 0, 0); errno != 0 {
		return 0, errno
	}
	return int(pu), nil
}
