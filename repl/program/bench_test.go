package program

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
)

// BenchmarkTenSplits measures a program with ten splits, in ns and bytes for each rank, including the start of
// the world.
func BenchmarkTenSplits(b *testing.B) {
	code, err := Compile("demo.py", "c = world\n"+strings.Repeat("c = c.Split(c.rank % 2, -c.rank)\nif c.size < 4: c = world\n", 10), 1, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			var bytes uint64
			for b.Loop() {
				bytes = runTenSplits(b, code, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/rank")
			b.ReportMetric(float64(bytes)/float64(n), "B/rank")
		})
	}
}

// runTenSplits returns how many bytes of heap and stacks the world has at the end of the program.
func runTenSplits(b *testing.B, code *Code, n int) uint64 {
	w, err := engine.New(engine.Config{Size: n})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(n), func(p *engine.Process) error { return newRank(p).Run(code) })
	if st := w.Wait(); st.Failure != nil {
		b.Fatal(st.Failure)
	}
	var m runtime.MemStats
	b.StopTimer()
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.StartTimer()
	return m.HeapAlloc + m.StackInuse
}

// BenchmarkNewRank measures what a rank costs before it runs anything.
func BenchmarkNewRank(b *testing.B) {
	b.ReportAllocs()
	w, err := engine.New(engine.Config{Size: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	w.Submit(engine.AllRanks(1), func(p *engine.Process) error {
		for b.Loop() {
			newRank(p)
		}
		return nil
	})
	w.Wait()
}
