package program

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"codeberg.org/commsplit/commsplit/hw/detect"
)

// Memory bounds what the programs of a world take, in bytes. Ranks may ask at once.
type Memory struct {
	most   uint64
	why    string // who says so
	shares bool   // other sessions are in the process, which have bounds of their own
	others uint64 // what they have, as far as can be told
	own    uint64 // what this one had when its latest line ended

	looking sync.Mutex // of Over, Begin and End
	objects uint64     // in use at the latest look
}

// Limited is a bound of most bytes. why ends the message of a program that takes more: who says so.
func Limited(most uint64, why string) *Memory { return &Memory{most: most, why: why} }

// Share makes it the bound of one session among others in the process.
func (m *Memory) Share() { m.shares = true }

// used is what the session has of so much that the process has in use.
func (m *Memory) used(all uint64) uint64 { return all - min(m.others, all) }

// Most is the bound.
func (m *Memory) Most() uint64 { return m.most }

// Limit is the error of a program that reached a limit of the session's: no mistake in its text.
type Limit struct{ Message string }

func (l *Limit) Error() string { return l.Message }

// small is what is allowed without a look at the memory: Over sees what many of these come to. Before much is allocated,
// the machine is asked, too.
const (
	small = 1 << 20
	much  = 1 << 26
)

// room refuses an operation that would take n bytes for which there is no room. what names what takes them.
func (r *Rank) room(n uint64, what string) error {
	m := r.all.memory
	if m == nil || n < small {
		return nil
	}
	r.nextTurn() // no more ranks than have turns allocate at once
	if n <= m.most && !m.fits(n) {
		r.endTurn()
		runtime.GC()
		r.nextTurn()
	}
	var free uint64
	if n >= much {
		free = detect.Available()
	}
	switch {
	case n > m.most:
		return &Limit{fmt.Sprintf("%s would take %s, and the session may have %s in all: %s", what, Bytes(n), Bytes(m.most), m.why)}
	case !m.fits(n):
		return &Limit{fmt.Sprintf("%s would take %s beside what the session has already, and the session may have %s in all: %s",
			what, Bytes(n), Bytes(m.most), m.why)}
	case free > 0 && n > free:
		return &Limit{fmt.Sprintf("%s would take %s, and the machine has %s left", what, Bytes(n), Bytes(free))}
	}
	return nil
}

// fits reports whether there is room for n bytes more, beside what is in use and what is garbage.
func (m *Memory) fits(n uint64) bool { return m.used(inUse())+n <= m.most }

// await waits, while the programs take more than they may, for a look at it: whoever looks collects the garbage or stops
// the programs. So ranks that allocate in steps do not come far beyond their bound before that.
func (m *Memory) await(stopped *atomic.Bool) {
	const looks, pause = 50, 10 * time.Millisecond
	for range looks {
		if m.fits(0) || stopped.Load() {
			return
		}
		time.Sleep(pause)
	}
}

// Holds refuses what needs n bytes at least, in all. what names it.
func (m *Memory) Holds(n uint64, what string) error {
	if n <= m.most {
		return nil
	}
	return &Limit{fmt.Sprintf("%s takes about %s, and the session may have %s: %s", what, Bytes(n), Bytes(m.most), m.why)}
}

// Over reports whether the programs take more than they may, or soon would. It is to be called every few milliseconds.
func (m *Memory) Over() *Limit {
	if m == nil {
		return nil
	}
	m.looking.Lock()
	defer m.looking.Unlock()
	objects, stacks := inUseOf()
	next := m.growth(objects)
	m.objects = objects
	if m.used(objects+stacks)+next <= m.most && (next == 0 || next <= cmp.Or(detect.Available(), m.most)) {
		return nil
	}
	runtime.GC()
	m.objects, stacks = inUseOf()
	next = min(next, 2*m.objects)
	used := m.used(m.objects + stacks)
	switch free := cmp.Or(detect.Available(), m.most); {
	case used > m.most:
		return &Limit{fmt.Sprintf("the session takes %s and grows, and it may have %s: %s", Bytes(used), Bytes(m.most), m.why)}
	case used+next > m.most:
		return &Limit{fmt.Sprintf("the session takes %s, grew by %s at once, and may have %s: %s", Bytes(used), Bytes(next/2), Bytes(m.most), m.why)}
	case next > free:
		return &Limit{fmt.Sprintf("the session takes %s and grows: the machine has %s left", Bytes(used), Bytes(free))}
	}
	return nil
}

// growth is what programs are about to take if objects, in bytes, are in use now: what took a good part of the memory
// since the latest look is a list or dict that grew, and takes twice as much the next time. Stacks are not: those of all
// ranks of a large world come at once.
func (m *Memory) growth(objects uint64) uint64 {
	if grown := objects - min(objects, m.objects); grown > max(4*much, m.most/16) {
		return 2 * grown
	}
	return 0
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
	if objects, _ := inUseOf(); objects > live[0].Value.Uint64()+2*much {
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
