//go:build amd64 || arm64

package engine

import (
	"testing"
	"unsafe"
)

// A rank's place is on its stack, and another goroutine's place is another one.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const n = 3
	w, err := New(Config{Size: n})
	if err != nil {
		t.Fatal(err)
	}
	var local, away [n]uintptr // of each rank: the address of a variable of its stack, and how far its place is from there
	if err := Run(w, func(p *Process) error {
		var here int
		local[p.rank] = uintptr(unsafe.Pointer(&here))
		err := p.World().Barrier()
		away[p.rank] = local[p.rank] - p.waits.stack
		return err
	}); err != nil {
		t.Fatal(err)
	}
	seen := map[uintptr]bool{}
	for r := range n {
		if away[r] > 2048 {
			t.Errorf("rank %d waits %d bytes below its variable", r, away[r])
		}
		seen[w.procs[r].waits.goroutine] = true
	}
	if len(seen) != n || seen[0] {
		t.Errorf("%d ranks wait in %d goroutines", n, len(seen))
	}
}

// What is no memory may be fetched: a stack that has moved leaves its old address behind, and a rank may have nothing
// in Local.
func TestPrefetchAnywhere(t *testing.T) {
	t.Parallel()
	for _, address := range []uintptr{0, 1, 64, 4096, 1 << 40, 1<<47 - 1, 1 << 60, ^uintptr(0)} {
		prefetch(&Process{waits: place{address, address}})
	}
}
