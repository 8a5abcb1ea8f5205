//go:build amd64 || arm64

package engine

// place is where a rank waits: addresses of its goroutine and of the top of its stack. They are for prefetching alone.
// Nothing keeps them up to date when the runtime moves the stack; the processor then fetches what nobody needs.
type place struct{ goroutine, stack uintptr }

// here is the place of the caller.
func here() place

// prefetch has the processor bring what a waiting rank needs into its cache while the worker goes on with another one.
// In a world of a million ranks the memory of each has left the cache when its turn comes, and a worker would stand
// still a dozen times until the next line of it is there. Any address may be fetched, those of no memory too. p is read
// without a lock: another worker may have let that rank go on.
//
//go:noescape
func prefetch(p *Process)
