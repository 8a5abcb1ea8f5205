//go:build amd64 || arm64

package engine

// place is where a rank waits: addresses of what the processor needs when the rank goes on, its goroutine and the top
// of its stack. They are for prefetching alone. Nothing keeps them up to date when the runtime moves the stack; the
// processor then fetches what nobody needs.
type place struct{ goroutine, stack uintptr }

// here is the place of the caller.
func here() place

// prefetch has the processor bring the memory at a place into its cache while it goes on with something else. In a world
// of a million ranks each rank's memory has left the cache when the rank's turn comes, and a worker would stand still
// a dozen times a rank until the next line of it has come. Any address may be fetched, those of no memory too. at is
// read without a lock: another worker may have taken up the rank that is writing it.
//
//go:noescape
func prefetch(at *place)
