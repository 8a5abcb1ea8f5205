package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// flow collects the lines that a world hands out.
type flow struct{ lines []string }

func (f *flow) take(lines []Line) {
	for _, l := range lines {
		f.lines = append(f.lines, fmt.Sprintf("%s %s", l.Ranks, l.Text))
	}
}

func (f *flow) String() string { return strings.Join(f.lines, ", ") }

// talking runs ranks on a world that hands out its output.
func talking(t *testing.T, size int, most bound, run func(w *World, p *Process) error) (*World, *flow) {
	t.Helper()
	var out flow
	w, err := New(Config{Size: size, Trace: true, Output: out.take})
	if err != nil {
		t.Fatal(err)
	}
	w.printing.bound = most
	t.Cleanup(w.Close)
	w.Submit(AllRanks(size), func(p *Process) error { return run(w, p) })
	if st := w.Wait(); st.Failure != nil {
		t.Fatal(st.Failure)
	}
	return w, &out
}

// A row of lines is handed out while ranks still compute, as soon as each of them has printed a line of the row, and
// not before; the rest is handed out at the end of the superstep.
func TestRowsAreHandedOut(t *testing.T) {
	t.Parallel()
	said, seen := make(chan bool), make(chan string)
	var out *flow
	w, _ := New(Config{Size: 2, Trace: true, Output: func(l []Line) { out.take(l) }})
	out = &flow{}
	defer w.Close()
	w.Submit(AllRanks(2), func(p *Process) error {
		if p.Rank() == 1 { // it prints after rank 0 has printed two lines
			<-said
			w.Stream()
			seen <- out.String()
			p.Print("a")
			w.Stream()
			seen <- out.String()
			return nil
		}
		p.Print("a")
		p.Print("b")
		said <- true
		for i, want := range []string{"", "0-1 a"} {
			if got := <-seen; got != want {
				t.Errorf("look %d: %q is handed out, not %q", i, got, want)
			}
		}
		return nil
	})
	w.Wait()
	if got := out.String(); got != "0-1 a, 0 b" {
		t.Errorf("at the end: %q", got)
	}
	if n := len(w.Snapshot().Output); n != 2 {
		t.Errorf("the trace has %d lines", n)
	}
}

// Lines wait for a rank that computes and prints nothing until its lap ends, and lines of different laps are not
// merged: whichever rank is faster, the output is the same.
func TestLaps(t *testing.T) {
	t.Parallel()
	for range 20 {
		_, out := talking(t, 3, usualBound, func(w *World, p *Process) error {
			for lap := range 3 {
				if p.Rank() != 1 {
					p.Print(fmt.Sprint("lap ", lap))
				}
				if p.Rank() == 2 && lap == 1 {
					p.Lap() // rank 2 is a lap ahead of rank 0 from here on
				}
				p.Lap()
				w.Stream()
			}
			p.Print("end")
			return nil
		})
		// In lap 3 ranks 0 and 1 come to their end, and rank 2 prints its third line.
		if got, want := out.String(), "0,2 lap 0, 0,2 lap 1, 0 lap 2, 0-1 end, 2 lap 2, 2 end"; got != want {
			t.Fatalf("the output is %q, not %q", got, want)
		}
	}
}

// A rank with many more lines than others is far ahead, until the other ranks have come as far, or compute no more.
func TestAhead(t *testing.T) {
	t.Parallel()
	ahead, reached, left := make(chan bool), make(chan bool), make(chan bool)
	text := strings.Repeat("x", farAhead)
	talking(t, 2, usualBound, func(_ *World, p *Process) error {
		if p.Rank() == 1 {
			<-ahead
			p.Print(text)
			reached <- true
			<-left
			return nil
		}
		if p.Ahead() {
			t.Error("a rank that has printed nothing is ahead")
		}
		p.Print(text)
		if !p.Ahead() {
			t.Error("nobody else has printed anything, and the rank is not ahead")
		}
		ahead <- true
		<-reached
		if p.Ahead() {
			t.Error("the other rank has come as far, and the rank is ahead")
		}
		left <- true
		return nil
	})
}

// A trace keeps the last part of very much output, and knows how much it has forgotten, whether it was printed in one
// superstep or in many. All of the output is handed out.
func TestTraceForgets(t *testing.T) {
	t.Parallel()
	const lines = 96
	for name, barrier := range map[string]func(i int) bool{
		"one superstep": func(int) bool { return false },
		"many":          func(int) bool { return true },
		"some":          func(i int) bool { return i%7 == 6 },
		"a short one":   func(i int) bool { return i == 6 },
	} {
		w, out := talking(t, 2, bound{10, 1 << 20}, func(w *World, p *Process) error {
			for i := range lines {
				p.Print(fmt.Sprint(i))
				w.Stream()
				if barrier(i) {
					if err := p.World().Barrier(); err != nil {
						return err
					}
				}
			}
			return nil
		})
		s := w.Snapshot()
		if len(out.lines) != lines || out.lines[lines-1] != "0-1 95" {
			t.Errorf("%s: %d lines are handed out", name, len(out.lines))
		}
		n := len(s.Output)
		if n != 10 || s.Forgot != lines-n || s.Spoken() != lines || s.Output[n-1].Text != "95" || s.Output[0].Text != fmt.Sprint(lines-n) {
			t.Errorf("%s: the trace has %d lines behind %d: %v", name, n, s.Forgot, s.Output)
		}
		list, forgot := s.Since(50)
		if forgot != lines-50-n || len(list) != n {
			t.Errorf("%s: since line 50 there are %d lines, and %d are forgotten", name, len(list), forgot)
		}
		if list, forgot := s.Since(94); forgot != 0 || len(list) != 2 || list[0].Text != "94" {
			t.Errorf("%s: since line 94 there are %v, and %d are forgotten", name, list, forgot)
		}
	}
}

// An error stands between the lines that the process printed before and after it, whether these lines were handed out
// before the error, after it, or at the end of the superstep.
func TestErrorsBetweenLines(t *testing.T) {
	t.Parallel()
	for _, stream := range [][]bool{{}, {true, false}, {false, true}, {true, true}} {
		w, _ := talking(t, 2, usualBound, func(w *World, p *Process) error {
			streams := func(k int) {
				if len(stream) > k && stream[k] {
					w.Stream()
				}
			}
			c := p.World()
			c.SetErrhandler(ErrorsReturn)
			p.Print("a")
			p.Print(fmt.Sprint("b", p.Rank()))
			streams(0)
			if c.Send(1, 99, 0) == nil {
				return fmt.Errorf("a message to rank 99 is not an error")
			}
			streams(1)
			p.Print("c")
			return nil
		})
		var at []int
		for _, r := range w.Snapshot().Raised {
			at = append(at, r.At.Lines)
		}
		if want := []int{2, 3}; !slices.Equal(at, want) { // a, b0, (rank 0) b1, (rank 1) c
			t.Errorf("handed out %v: the errors stand behind %v lines, not %v", stream, at, want)
		}
	}
}
