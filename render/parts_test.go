package render

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/paint"
)

var cellPattern = regexp.MustCompile(`  ((?:[A-Za-z]+'?\d+|○)(?: (?:[A-Za-z]+'?\d+|○))*)  +(ranks? [\d,.-]+)$`)

// expand reads a list of ranks as pages show it: "0-3,7", "0,2,..,8", "0-1,4-5,..,12-13".
func expand(t testing.TB, text string) []int {
	var list []int
	var firsts []int
	add := func(piece string) {
		lo, hi, ranged := strings.Cut(piece, "-")
		if !ranged {
			hi = lo
		}
		a, err := strconv.Atoi(lo)
		b, err2 := strconv.Atoi(hi)
		if err != nil || err2 != nil {
			t.Fatalf("%q in %q is not a rank", piece, text)
		}
		for r := a; r <= b; r++ {
			list = append(list, r)
		}
		firsts = append(firsts, a)
	}
	more := false
	for _, piece := range strings.Split(text, ",") {
		if piece == ".." {
			more = true
			continue
		}
		if !more {
			add(piece)
			continue
		}
		more = false
		n := len(firsts)
		a, step := firsts[n-1], firsts[n-1]-firsts[n-2]
		lo, hi, _ := strings.Cut(piece, "-")
		last, _ := strconv.Atoi(lo)
		long, _ := strconv.Atoi(hi)
		for a += step; a < last; a += step {
			for k := a; k <= a+max(long-last, 0); k++ {
				list = append(list, k)
			}
		}
		add(piece)
	}
	slices.Sort(list)
	return list
}

// cellsShown reads a picture back: the cells of each line and the world ranks beside them.
func cellsShown(t testing.TB, page []string) map[int]string {
	shown := map[int]string{}
	for _, l := range page {
		m := cellPattern.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		_, list, _ := strings.Cut(m[2], " ")
		ranks := expand(t, list)
		cells := strings.Fields(m[1])
		if len(cells) != len(ranks) {
			t.Errorf("%d cells for %s: %q", len(cells), m[2], l)
			continue
		}
		for i, r := range ranks {
			if old, twice := shown[r]; twice {
				t.Errorf("rank %d is shown twice: %s, %s", r, old, cells[i])
			}
			shown[r] = cells[i]
		}
	}
	return shown
}

var sharePattern = regexp.MustCompile(`([A-Za-z]+|○)×(\d+)`)

// countCells adds the cells of a line of the picture, single or counted.
func countCells(sum map[string]int, line string) {
	if m := cellPattern.FindStringSubmatch(line); m != nil {
		for _, c := range strings.Fields(m[1]) {
			sum[strings.TrimRight(c, "0123456789")]++
		}
		return
	}
	for _, m := range sharePattern.FindAllStringSubmatch(line, -1) {
		n, _ := strconv.Atoi(m[2])
		sum[m[1]] += n
	}
}

// Letters are A..Z, a..z, then AA, AB, ...; 52 of the first kind, 52*52 of the second.
func TestLetter(t *testing.T) {
	t.Parallel()
	for k, want := range map[int]string{
		0: "A", 25: "Z", 26: "a", 51: "z", 52: "AA", 53: "AB", 103: "Az", 104: "BA", 2755: "zz", 2756: "AAA",
	} {
		if got := Letter(k); got != want {
			t.Errorf("letter %d is %s, want %s", k, got, want)
		}
	}
}

// As many communicators as there are slots have one each, in order. Of more, those on neighboring cores, and on
// the same core of neighboring hosts, never have equal ones. Where each rank runs is known here without asking
// the bindings: with a rank a core, rank r is on core r%cores of host r/cores.
func TestNeighborsDiffer(t *testing.T) {
	t.Parallel()
	const hosts, cores = 16, 64
	topo := worlds.Synthesized(t, "machine:16 pack:4 core:16 pu:1")
	s := newSession(t, topo, worlds.Place(t, topo, hosts*cores, placement.Policy{}))
	for i, color := range []func(r int) int{
		func(r int) int { return r % 24 }, func(r int) int { return r },
		func(r int) int { return r % 25 }, func(r int) int { return r / 7 }, func(r int) int { return r % 100 },
		func(r int) int { return r % 64 }, func(r int) int { return r/64*8 + r%8 }, func(r int) int { return r * 7 % 97 },
	} {
		s.Split("split"+strconv.Itoa(i), int32(i+1), color, worlds.Zero)
	}
	v := s.view()
	for i := range v.Handles {
		p := PartingOf(v.Snapshot, &v.Handles[i])
		if p.Len() <= paint.Slots {
			for k := range p.Len() {
				if p.Slot(k) != k {
					t.Errorf("%s: communicator %d of %d has slot %d", v.Handles[i].Name, k, p.Len(), p.Slot(k))
				}
			}
			continue
		}
		for r := range hosts * cores {
			for _, q := range []int{r + 1, r + cores} {
				if q >= hosts*cores || q == r+1 && q%cores == 0 || p.of[q] == p.of[r] {
					continue
				}
				if p.Slot(int(p.of[r])) == p.Slot(int(p.of[q])) {
					t.Fatalf("%s: ranks %d and %d are side by side, and both in slot %d", v.Handles[i].Name, r, q, p.Slot(int(p.of[r])))
				}
			}
		}
	}
}

// The description of a picture, which screen readers read, names the letter of each communicator; other marks have no letter.
func TestKeySentences(t *testing.T) {
	k := &Key{Rest: "... and 1 more communicator, to B", Notes: []string{"It is freed."},
		Lines: []KeyLine{{"A", 0, 0, "half#1: 2 ranks"}, {Hollow, -1, paint.NoSlot, NullWords + ": rank 2"}}}
	want := "A is half#1: 2 ranks. MPI_COMM_NULL: rank 2. ... and 1 more communicator, to B. It is freed."
	if got := k.Sentences(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
