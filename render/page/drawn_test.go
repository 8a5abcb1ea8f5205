package page_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// picture is an arrangement in the data of a page.
type picture struct {
	W, H   int
	Things [][]int
}

// places lists the places of a picture in words, as the program of the page reads them.
func (d *data) places(p picture) []string {
	var list []string
	add := func(of string, x, y, w, h int) { list = append(list, fmt.Sprintf("%s %d,%d %dx%d", of, x, y, w, h)) }
	for _, t := range p.Things {
		kind, x, y, w, h := t[0], t[1], t[2], t[3], t[4]
		switch kind {
		case 0:
			add("frame", x, y, w, h)
		case 1:
			name := d.Words[t[5]]
			if t[6] == 3 { // an object
				name += " = " + d.Words[d.Grounds[0].Said[t[7]][0]]
			}
			add(name, x, y, w, h)
		case 2:
			step, of, first, change, n := t[5], t[6], t[7], t[8], t[9]
			for i := range n {
				name := fmt.Sprint("rank ", first+i*change)
				if of == 3 {
					name = "free " + d.Words[d.Grounds[0].Said[first+i*change][0]]
				}
				add(name, x+i*step, y, w, h)
			}
		case 5:
			step, slot := t[5], t[6]
			for i := 0; i < len(t)-8; i += 4 {
				add(fmt.Sprint(d.Words[t[8+i]], " over ", strconv.Quote(d.Words[t[9+i]]), " slot ", slot, ", rank ", t[11+i], " ", d.Words[t[10+i]]), x+i/4*step, y, w, h)
			}
		case 3:
			add(fmt.Sprint("ranks ", unpack(t[6:]), " on ", d.Words[d.Grounds[0].Said[t[5]][0]]), x, y, w, h)
		}
	}
	return list
}

// A page has the hardware arranged for four widths, each and with all ranks and the places without one. In the
// widest, the two packages stand side by side.
func TestDrawn(t *testing.T) {
	t.Parallel()
	d := dataOf(t, exported(t, "few.mpi", "# commsplit: -n 3 --topo 'pack:2 core:4'\nhalf = split world color=rank%2\n"))
	if len(d.Drawn) != 1 || len(d.Drawn[0].Rooms) != 4 {
		t.Fatalf("%d grounds", len(d.Drawn))
	}
	want := []string{"free Core L#3", "free Core L#4", "free Core L#5", "free Core L#6", "free Core L#7", "rank 0", "rank 1", "rank 2"}
	for i, p := range d.Drawn[0].Rooms {
		var cells []string
		packages := map[string]int{} // their lines
		for _, place := range d.places(p) {
			name, at, _ := strings.Cut(place, " ")
			fields := strings.Fields(place)
			if name == "free" || name == "rank" {
				cells = append(cells, strings.Join(fields[:len(fields)-2], " "))
			}
			if _, full, ok := strings.Cut(at, "= Package L#"); ok {
				packages[full[:1]] = number(t, strings.Split(fields[len(fields)-2], ",")[1])
			}
			x, w := 0, 0
			fmt.Sscanf(fields[len(fields)-2], "%d,", &x)
			fmt.Sscanf(fields[len(fields)-1], "%dx", &w)
			if x+w > p.W {
				t.Errorf("room %d: %s is outside of %d columns", i, place, p.W)
			}
		}
		slices.Sort(cells)
		if diff := cmp.Diff(want, cells); diff != "" || p.W != []int{52, 60, 84, 120}[i] {
			t.Errorf("room %d of %d columns: %s", i, p.W, diff)
		}
		if i == 3 && (len(packages) != 2 || packages["0"] != packages["1"]) {
			t.Errorf("the packages are on the lines %v", packages)
		}
	}
}

// The even ranks pass the keys -0, -2, -4, -6, the odd ones -1 to -7: rank 6 is rank 0 of half#2, rank 7 is rank 0 of half#3. Their
// lanes have the members in that order, those of world in rank order, with cells of two lines; the picture of the call has what
// each passed below what it got.
func TestDrawnMembers(t *testing.T) {
	t.Parallel()
	d := dataOf(t, embedded(t, "first-split"))
	var lanes []string
	for _, r := range d.Rows[:3] {
		lanes = append(lanes, strings.Join(d.places(r.Lanes[0][0]), ", "))
	}
	want := []string{
		"rank 0 0,0 3x2, rank 1 4,0 3x2, rank 2 8,0 3x2, rank 3 12,0 3x2, rank 4 16,0 3x2, rank 5 20,0 3x2, rank 6 24,0 3x2, rank 7 28,0 3x2",
		"rank 6 0,0 4x2, rank 4 5,0 4x2, rank 2 10,0 4x2, rank 0 15,0 4x2",
		"rank 7 0,0 4x2, rank 5 5,0 4x2, rank 3 10,0 4x2, rank 1 15,0 4x2",
	}
	if diff := cmp.Diff(want, lanes); diff != "" {
		t.Error(diff)
	}
	var cells []string
	for _, place := range d.places(*d.Steps[0].Picture) {
		if strings.Contains(place, "slot") {
			cells = append(cells, place[:strings.LastIndex(place, " ")])
		}
	}
	want = nil
	for slot, letter := range []string{"A", "B"} {
		for i := range 4 {
			rank := 6 + slot - 2*i
			want = append(want, fmt.Sprintf(`%s%d w%d over "" slot %d, rank %d passes key %d`, letter, i, rank, slot, rank, -rank))
		}
	}
	for i := range cells {
		cells[i] = cells[i][:strings.LastIndex(cells[i], " ")] // without the place
	}
	if diff := cmp.Diff(want, cells); diff != "" {
		t.Error(diff)
	}
}
