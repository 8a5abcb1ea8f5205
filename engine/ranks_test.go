package engine_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
)

// Ranks agrees with a sorted list without repetitions.
func TestRanksAgainstLists(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.IntRange(0, 40), 0, 60).Draw(t, "ranks")
		set := engine.RanksOf(list...)
		slices.Sort(list)
		list = slices.Compact(list)
		same := slices.EqualFunc(set.List(), list, func(r int32, want int) bool { return int(r) == want })
		if !slices.Equal(set.Slice(), list) || !same || set.Len() != len(list) {
			t.Fatalf("%v is %v (%d), want %v", set, set.Slice(), set.Len(), list)
		}
		for r := -1; r <= 41; r++ {
			if set.Has(r) != slices.Contains(list, r) {
				t.Errorf("%v has %d: %t", set, r, set.Has(r))
			}
		}
		first := -1
		if len(list) > 0 {
			first = list[0]
			back, err := engine.ParseRanks(set.String(), 41)
			if diff := cmp.Diff(set, back); diff != "" || err != nil {
				t.Errorf("read back (%v):\n%s", err, diff)
			}
		}
		if set.First() != first {
			t.Errorf("first %d, want %d", set.First(), first)
		}
	})
}

// RanksOf takes its arguments in any order, and leaves them as they were.
func TestRanksOfKeepsItsArguments(t *testing.T) {
	t.Parallel()
	list := []int{3, 1, 2, 7}
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	before := slices.Clone(list)
	if s := engine.RanksOf(list...).String(); s != "1-3,7" || !slices.Equal(before, list) {
		t.Errorf("%s of %v, was %v", s, list, before)
	}
}

// A million ranks are a single range.
func TestAllRanks(t *testing.T) {
	t.Parallel()
	if s := engine.AllRanks(1 << 20); len(s) != 1 || s.String() != "0-1048575" {
		t.Errorf("got %s in %d ranges", s, len(s))
	}
	if s := engine.AllRanks(0); s.Len() != 0 || s.String() != "" || s.First() != -1 {
		t.Errorf("none: %v", s)
	}
}

// A list of ranks has the format of the Linux kernel; every rank must exist.
func TestParseRanks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "0-3,7": "0-3,7", "7,0-3": "0-3,7", "2,1,0": "0-2", " 1 , 2 ": "1-2", "5-5": "5",
		"0-9": "0-9", "1,1": "1",
	} {
		got, err := engine.ParseRanks(text, 10)
		if err != nil || got.String() != want {
			t.Errorf("%q: %s (%v), want %s", text, got, err, want)
		}
	}
	for text, piece := range map[string]string{
		"": `"" is not a rank`, "a": `"a" is not a rank`, "1,": "not a rank", "-1": `"-1" is not a range of ranks`,
		"1-": `"1-" is not a range of ranks`, "1--2": "not a rank", "1.5": "not a rank", "10": "ranks 0-9",
		"3-10": "rank 10 does not exist", "3-1": "write 1-3", "99999999999999999999": "not a rank",
	} {
		got, err := engine.ParseRanks(text, 10)
		if err == nil {
			t.Errorf("%q: %s, want an error", text, got)
			continue
		}
		wantText(t, err.Error(), piece)
	}
}

// A list that ParseRanks accepts has ranks of the world, and its text parses to the same set.
func FuzzParseRanks(f *testing.F) {
	for _, s := range []string{"0-3,7", "", "1,,2", "5-2", " 0", "0-0", "007", "+1", "0-99"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = min(max(size, 1), 1<<12)
		if len(text) > 1<<10 {
			t.Skip("long")
		}
		set, err := engine.ParseRanks(text, size)
		if err != nil {
			return
		}
		if set.Len() == 0 || set.First() < 0 || set.Slice()[set.Len()-1] >= size {
			t.Fatalf("%q: %v of %d", text, set, size)
		}
		back, err := engine.ParseRanks(set.String(), size)
		if diff := cmp.Diff(set, back); diff != "" || err != nil {
			t.Errorf("%q reads back as (%v)\n%s", set, err, diff)
		}
	})
}
