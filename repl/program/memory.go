package program

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"commsplit/hw/detect"
)

// Memory bounds what the programs of a world take, in bytes. Ranks may ask at once.
type Memory struct {
	most    uint64
	why     string        // who says so
	shares  bool          // other sessions are in the process, which have bounds of their own
	others  uint64        // what they have, as far as can be told
	own     uint64        // what this one had when its latest line ended
	tight   bool          // garbage is collected so that there is no more than most, garbage included, if possible
	granted atomic.Uint64 // of all that were allowed
	crowded atomic.Bool   // ranks asked for more together than there may be: none goes on with much

	mu      sync.Mutex
	running uint64 // what the operations that run were allowed
	pending uint64 // of that, what is not allocated yet
	free    uint64 // what the machine had left before the operations that run began; 0: not known

	looking sync.Mutex // of Over and Begin
	objects uint64     // in use at the latest look
	jump    uint64     // the most that they grew from one look to the next, apart from what was granted
	seen    uint64     // what was granted at the latest look
}

// Limited is a bound of most bytes. why ends the message of a program that takes more: who says so.
func Limited(most uint64, why string) *Memory { return &Memory{most: most, why: why} }

// Share makes it the bound of one session among others in the process.
func (m *Memory) Share() { m.shares = true }

// used is what the session has of so much that the process has in use.
func (m *Memory) used(all uint64) uint64 { return all - min(m.others, all) }

// Limit is the error of a program that reached a limit of the session's: no mistake in its text.
type Limit struct{ Message string }

func (l *Limit) Error() string { return l.Message }

// small is what is allowed without a look at the memory: Over sees what many of these come to.
const small = 1 << 20

// leap is what no program allocates in a few milliseconds but for a list or dict that grows.
const leap = 256 << 20

// grant is memory that one operation of a rank may take, in bytes. Of what is small there is none.
type grant struct {
	m          *Memory
	n, pending uint64
	what       string
}

// allocated says that the memory is in use from now on, and counted as such.
func (g *grant) allocated() {
	if g != nil && g.pending > 0 {
		g.m.mu.Lock()
		g.m.pending -= g.pending
		g.pending = 0
		g.m.mu.Unlock()
	}
}

// done ends the operation.
func (g *grant) done() {
	if g != nil {
		g.allocated()
		g.m.mu.Lock()
		g.m.running -= g.n
		g.m.mu.Unlock()
	}
}

// refused is the error of an operation that had to stop because the ranks take too much together.
func (g *grant) refused() error {
	if g != nil && g.n >= leap && g.m.crowded.Load() {
		return g.m.refusal(g.n, g.what, true)
	}
	return nil
}

// refusal is the error of an operation that would take n bytes; beside: the other ranks' are why it may not.
func (m *Memory) refusal(n uint64, what string, beside bool) *Limit {
	others := ""
	switch {
	case beside:
		others = " beside what the other ranks take"
	case n <= m.most:
		others = " beside what the session has already"
	}
	return &Limit{fmt.Sprintf("%s would take %s%s, and the session may have %s in all: %s", what, Bytes(n), others, Bytes(m.most), m.why)}
}

// take asks for n bytes for an operation that begins. what names what takes them. What is refused because
// of what other ranks are about to take is refused to them, too.
func (r *Rank) take(n uint64, what string) (*grant, error) {
	m := r.all.memory
	if m == nil || n < small {
		return nil, nil
	}
	g, err := m.grant(n, what, false)
	if err == errGarbage {
		if err := r.collect(); err != nil {
			return nil, err
		}
		g, err = m.grant(n, what, true)
	}
	return g, err
}

// errGarbage is the answer of a Memory in which there may be room when the garbage was collected.
var errGarbage = errors.New("there may be garbage")

// grant allows n bytes or tells why not; collected: there is no garbage.
func (m *Memory) grant(n uint64, what string, collected bool) (*grant, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running < leap {
		m.free = 0
		if n <= m.most && m.running+n >= leap {
			m.free = detect.Available()
		}
	}
	all := m.running + n
	beside := m.running > 0 && n <= m.most
	switch {
	case n >= leap && m.crowded.Load():
		return nil, m.refusal(n, what, true)
	case all > m.most:
		m.crowded.Store(beside)
		return nil, m.refusal(n, what, beside)
	case m.free > 0 && all > m.free:
		m.crowded.Store(beside)
		others := ""
		if beside {
			others = " beside what the other ranks take"
		}
		return nil, &Limit{fmt.Sprintf("%s would take %s%s, and the machine has %s left", what, Bytes(n), others, Bytes(m.free))}
	case m.used(inUse())+m.pending+n > m.most && !collected:
		return nil, errGarbage
	case m.used(inUse())+m.pending+n > m.most:
		m.crowded.Store(beside)
		return nil, m.refusal(n, what, beside)
	}
	m.running, m.pending = all, m.pending+n
	m.granted.Add(n)
	return &grant{m, n, n, what}, nil
}

// collect collects the garbage, which takes a while: it returns at once when the program was cancelled.
func (r *Rank) collect() error {
	r.endTurn()
	collected := make(chan struct{})
	go func() {
		runtime.GC()
		close(collected)
	}()
	for {
		select {
		case <-collected:
			return nil
		case <-time.After(10 * time.Millisecond):
			if r.stopped.Load() {
				return errStopped
			}
		}
	}
}

// Holds refuses what needs n bytes at least, in all. what names it.
func (m *Memory) Holds(n uint64, what string) error {
	if n <= m.most {
		return nil
	}
	return &Limit{fmt.Sprintf("%s takes about %s, and the session may have %s: %s", what, Bytes(n), Bytes(m.most), m.why)}
}

// Over reports whether the programs take more than they may, or soon would: what just took much at once
// is a list or dict that grew, and takes twice as much the next time. Stacks are not: those of all ranks of a large
// world come at once. It is to be called every few milliseconds.
func (m *Memory) Over() *Limit {
	if m == nil {
		return nil
	}
	m.looking.Lock()
	defer m.looking.Unlock()
	objects, stacks := inUseOf()
	if !m.over(objects, stacks) {
		return nil
	}
	if used := m.used(objects + stacks); !m.tight || used < m.most+m.most/16 { // else there is no time to look for garbage
		runtime.GC()
		objects, stacks = inUseOf()
	}
	m.jump = min(m.jump, objects)
	m.objects = objects
	used := m.used(objects + stacks)
	if free := cmp.Or(detect.Available(), m.most); m.jump >= leap && 2*m.jump > free {
		return &Limit{fmt.Sprintf("the session takes %s and grows: the machine has %s left", Bytes(used), Bytes(free))}
	}
	if used+2*m.jump <= m.most {
		return nil
	}
	if used <= m.most {
		return &Limit{fmt.Sprintf("the session takes %s, grew by %s at once, and may have %s: %s", Bytes(used), Bytes(m.jump), Bytes(m.most), m.why)}
	}
	return &Limit{fmt.Sprintf("the session takes %s and grows, and it may have %s: %s", Bytes(used), Bytes(m.most), m.why)}
}

// over reports whether so much in use, in bytes, garbage too, is more than there may be, or soon would.
func (m *Memory) over(objects, stacks uint64) bool {
	granted := m.granted.Load()
	if grown := int64(objects-m.objects) - int64(granted-m.seen); grown > max(leap, int64(m.jump)) {
		m.jump = uint64(grown)
	}
	m.objects, m.seen = objects, granted
	return m.used(objects+stacks)+2*m.jump > m.most || m.jump >= leap && 2*m.jump > cmp.Or(detect.Available(), m.most)
}

// Begin is where Over starts to look for growth.
func (m *Memory) Begin() {
	if m != nil {
		m.looking.Lock()
		defer m.looking.Unlock()
		if m.shares {
			all := settled()
			m.others = all - min(m.own, all)
		}
		m.objects, _ = inUseOf()
		m.jump, m.seen = 0, m.granted.Load()
		m.crowded.Store(false)
	}
}

// End is where what others take from now on is no longer this session's.
func (m *Memory) End() {
	if m != nil && m.shares {
		m.looking.Lock()
		defer m.looking.Unlock()
		m.own = m.used(settled())
	}
}

// settled is inUse without much garbage, of which nobody knows whose it is.
func settled() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if objects, _ := inUseOf(); objects > live[0].Value.Uint64()+leap/2 {
		runtime.GC()
	}
	return inUse()
}

// inUse is what the process has in use, the stacks of ranks included, and the garbage that has not been
// collected.
func inUse() uint64 {
	objects, stacks := inUseOf()
	return objects + stacks
}

// inUseOf is inUse in two parts.
func inUseOf() (objects, stacks uint64) {
	s := [2]metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(s[:])
	return s[0].Value.Uint64(), s[1].Value.Uint64()
}

// Bytes is a size for people: "512 MB", "17 GB", in powers of 1024.
func Bytes(n uint64) string {
	units := []string{"bytes", "KB", "MB", "GB", "TB", "PB"}
	k := 0
	f := float64(n)
	for ; f >= 1024 && k+1 < len(units); k++ {
		f /= 1024
	}
	if f < 10 && k > 0 {
		return fmt.Sprintf("%.1f %s", f, units[k])
	}
	return fmt.Sprintf("%.0f %s", f, units[k])
}

// room asks for n bytes that are given back at once: what needs them counts as soon as it is there.
func (r *Rank) room(n uint64, what string) error {
	g, err := r.take(n, what)
	g.done()
	return err
}

// pause lets others go on, and is an error when the operation has to stop, which was given g: what computes
// for long asks it now and then. Without it neither Ctrl-C nor another rank would get a processor: the
// scheduler interrupts nothing that only copies memory.
func (r *Rank) pause(g *grant) error {
	if r.stopped.Load() {
		return errStopped
	}
	if r.turn {
		r.nextTurn()
	} else {
		runtime.Gosched()
	}
	return g.refused()
}

// What a world of so many ranks takes, about: below that, nothing is collected while it starts. A collection in a
// world of a million waiting ranks looks at each of their stacks, and frees next to nothing.
const (
	reservedBase    = 64 << 20
	reservedPerRank = 12 << 10
)

// reserving tells whether the next collection ends a reserve.
var reserving atomic.Bool

// Reserve has the garbage collected as it has to be for a new world of so many ranks: the first time when the world has
// what it needs, at most a half of what programs may take; from then on as usual, and more often when what they may take is
// almost used up. Where the environment says how to collect, or several sessions share the process, it changes nothing.
func (m *Memory) Reserve(ranks int) {
	const many = 8192
	if m.shares || os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	m.tight = true
	if ranks < many {
		if !reserving.Load() {
			debug.SetMemoryLimit(int64(m.most))
		}
		return
	}
	debug.SetMemoryLimit(int64(min(reservedBase+uint64(ranks)*reservedPerRank, m.most/2)))
	debug.SetGCPercent(-1)
	if reserving.Swap(true) {
		return
	}
	end := new(*Memory) // unreachable: the first collection finds it
	runtime.AddCleanup(end, func(most int64) {
		reserving.Store(false)
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(most)
	}, int64(m.most))
}
