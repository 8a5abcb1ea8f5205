package program

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync/atomic"

	"commsplit/hw/detect"
)

// Memory bounds what the programs of a world take, in bytes. Ranks may ask at once.
type Memory struct {
	most    uint64
	pending atomic.Uint64 // of operations that were allowed and are not done
	granted atomic.Uint64 // of all that were allowed

	// Of Over, which one goroutine calls:
	used, jump, seen uint64
}

// Limited is a bound of most bytes.
func Limited(most uint64) *Memory { return &Memory{most: most} }

// Limit is the error of a program that reached a limit of the session's: no mistake in its text.
type Limit struct{ Message string }

func (l *Limit) Error() string { return l.Message }

// small is what is allowed without a look at the memory: Over sees what many of these come to.
const small = 1 << 20

// leap is what no program allocates in a few milliseconds but for a list or dict that grows.
const leap = 256 << 20

// take asks for n bytes, which the operation that needs them gives back when they are in use, and counted
// as such. what names what takes them.
func (m *Memory) take(n uint64, what string) (done func(), err error) {
	if m == nil || n < small {
		return func() {}, nil
	}
	if n >= leap && n <= m.most {
		if free := detect.Available(); free > 0 && n > free {
			return nil, &Limit{fmt.Sprintf("%s would take %s, and the machine has %s left", what, Bytes(n), Bytes(free))}
		}
	}
	pending := m.pending.Add(n)
	back := func() { m.pending.Add(-n) }
	if n > m.most || inUse()+pending > m.most {
		if n <= m.most {
			runtime.GC() // of what is in use, much may be garbage
		}
		if n > m.most || inUse()+m.pending.Load() > m.most {
			back()
			return nil, &Limit{fmt.Sprintf("%s would take %s, and the session may have %s in all: --max-memory says how much",
				what, Bytes(n), Bytes(m.most))}
		}
	}
	m.granted.Add(n)
	return back, nil
}

// Over reports whether the programs take more than they may, or soon would: what just took much at once
// is a list or dict that grew, and takes twice as much the next time. It is to be called every few
// milliseconds.
func (m *Memory) Over() *Limit {
	if m == nil {
		return nil
	}
	granted := m.granted.Load()
	used := inUse()
	if grown := int64(used-m.used) - int64(granted-m.seen); grown > max(leap, int64(m.jump)) {
		m.jump = uint64(grown)
	}
	m.used, m.seen = used, granted
	if used+2*m.jump <= m.most && (m.jump < leap || 2*m.jump <= cmp.Or(detect.Available(), m.most)) {
		return nil
	}
	runtime.GC()
	used = inUse()
	m.jump = min(m.jump, used)
	m.used = used
	if free := cmp.Or(detect.Available(), m.most); m.jump >= leap && 2*m.jump > free {
		return &Limit{fmt.Sprintf("the session takes %s and grows: the machine has %s left", Bytes(used), Bytes(free))}
	}
	if used+2*m.jump <= m.most {
		return nil
	}
	return &Limit{fmt.Sprintf("the session takes %s and grows: it may have %s (--max-memory)", Bytes(used), Bytes(m.most))}
}

// Begin is where Over starts to look for growth.
func (m *Memory) Begin() {
	if m != nil {
		m.used, m.jump, m.seen = inUse(), 0, m.granted.Load()
	}
}

// inUse is what the process has in use, the stacks of ranks included, and the garbage that has not been
// collected.
func inUse() uint64 {
	s := [2]metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(s[:])
	return s[0].Value.Uint64() + s[1].Value.Uint64()
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
	done, err := r.Memory.take(n, what)
	if err == nil {
		done()
	}
	return err
}

// pause is an error when the program was cancelled: what computes for long asks it now and then.
func (r *Rank) pause() error {
	if r.stopped.Load() {
		return errStopped
	}
	return nil
}
