package lanes_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/lanes"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// source makes lanes of what the ranks of a world hold in a variable, and its partition.
func source(t testing.TB, s *worlds.Session, name string) (*lanes.Source, *render.Parting) {
	t.Helper()
	v := &render.View{Snapshot: s.World.Snapshot()}
	var p *render.Parting
	for _, x := range s.Variables {
		v.Handles = append(v.Handles, render.Handle{Name: x.Name, IDs: x.IDs})
		if x.Name == name {
			p = render.PartingOf(v.Snapshot, &v.Handles[len(v.Handles)-1])
		}
	}
	words := render.NewWords(v)
	return &lanes.Source{Snapshot: v.Snapshot, Words: words, Made: words.Made, Parting: func(id int) *render.Parting {
		if p == nil || p.Find(id) < 0 {
			return nil
		}
		return p
	}}, p
}

// drawn is a lane as text.
func drawn(l *lanes.Lane, k lanes.Look) []string {
	var list []string
	for _, line := range l.Scene(lanes.Setting{Indent: 1}, k).Draw() {
		list = append(list, strings.TrimRight(line.Plain(), " "))
	}
	return list
}

// Ranks 0 to 11 pass color rank%2 and key -rank: the even ones make a communicator in the order 10, 8, 6, 4, 2, 0
// [MPI-5.0 §7.4.2]. Each rank of it stands above the world rank that has it.
func TestMembersInRankOrder(t *testing.T) {
	t.Parallel()
	topo, b := worlds.Figure73(t)
	s := worlds.New(t, topo, b)
	s.ReversedHalves()
	from, p := source(t, s, s.Variables[0].Name)
	l := from.Lane([]*engine.CommInfo{from.Snapshot.Comm(p.Comm(0))}, 0)
	look := lanes.Look{Width: 70, Room: lanes.Room{Tall: true, Rows: 1}, Rank: -1, Size: 12}
	got := drawn(l, look)
	want := []string{
		" A  half#2  6 ranks  split color=0 key=[-10,-8,-6,-4,-2,0]",
		"     A0    A1    A2    A3    A4    A5",
		"     w10   w8    w6    w4    w2    w0",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("tall (-want +got):\n%s", d)
	}
	look.Room, look.Column = lanes.Room{Dense: true, Rows: 1}, 10
	if got := strings.Join(strings.Fields(drawn(l, look)[0]), " "); got != "A half#2 6 ranks 10 8 6 4 2 0 color=0 key=-10..0" {
		t.Errorf("dense: %s", got)
	}
	look.Lit, look.Rank = func(w int) bool { return w == 4 }, 4
	if got := drawn(l, look)[0]; strings.Count(got, "[") != 1 || !strings.Contains(got, "[4]") {
		t.Errorf("rank 4 alone is lit: %s", got)
	}
}

// Where members have no room one by one, world ranks that follow a rule share a cell; a chosen one of them has a
// cell of its own.
func TestLongGroupsAreFolded(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "core:128")
	s := worlds.New(t, topo, worlds.Place(t, topo, 128, placement.Policy{}))
	s.Split("half", 1, func(r int) int { return r % 2 }, worlds.Zero)
	from, p := source(t, s, "half")
	world := from.Lane([]*engine.CommInfo{from.Snapshot.Comm(0)}, 0)
	even := from.Lane([]*engine.CommInfo{from.Snapshot.Comm(p.Comm(0))}, 0)
	look := lanes.Look{Width: 60, Room: lanes.Room{Tall: true, Rows: 2}, Rank: -1, Size: 128}
	if got := strings.Fields(drawn(world, look)[1]); !cmp.Equal(got, []string{"0-127"}) {
		t.Errorf("world is %q", got)
	}
	got := drawn(even, look)
	if ranks, worlds := strings.TrimSpace(got[1]), strings.TrimSpace(got[2]); ranks != "A0-63" || worlds != "w0,2,..,126" {
		t.Errorf("the even ranks are %q, %q", ranks, worlds)
	}
	look.Lit, look.Rank = func(w int) bool { return w == 20 }, 20
	got = drawn(even, look)
	if d := cmp.Diff([]string{"A0-9", "[A10]", "A11-63"}, strings.Fields(got[1])); d != "" {
		t.Errorf("with rank 20 chosen (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"w0,2,..,18", "[w20]", "w22,24,..,126"}, strings.Fields(got[2])); d != "" {
		t.Errorf("with rank 20 chosen (-want +got):\n%s", d)
	}
}

// MPI_COMM_NULL, not called yet, and blocked are three lanes. Ranks 0-2 of 6 split, with rank 2 passing
// MPI_UNDEFINED; rank 3 waits; ranks 4 and 5 did nothing.
func TestStatesAreLanes(t *testing.T) {
	t.Parallel()
	v := &render.View{Snapshot: &engine.Snapshot{Size: 6, Comms: []*engine.CommInfo{{Group: []int32{0, 1, 2, 3, 4, 5}, Parent: -1},
		{ID: 2, Group: []int32{1, 0}, Op: engine.CallSplit, Step: 1}},
		Waiting: []engine.Wait{{Ranks: engine.RanksOf(3), Call: engine.CallBarrier}}}}
	h := render.Handle{Name: "x", IDs: []int32{2, 2, -1, render.Unset, render.Unset, render.Unset}}
	v.Handles = []render.Handle{h}
	p := render.PartingOf(v.Snapshot, &h)
	words := render.NewWords(v)
	from := lanes.Source{Snapshot: v.Snapshot, Words: words, Made: words.Made, Parting: func(int) *render.Parting { return p }}
	var got []string
	for _, l := range from.Last(p) {
		got = append(got, strings.Join(strings.Fields(strings.Join(drawn(l, lanes.Look{Width: 60, Rank: -1, Room: lanes.Room{Rows: 1}}), " ")), " "))
	}
	want := []string{"○ MPI_COMM_NULL 1 rank 2", "not called yet 2 ranks 4 5", "! blocked 1 rank in MPI_Barrier on world for itself 3!"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Of an intercommunicator two groups face each other; that of the chosen rank is the local one, and comes first
// [MPI-5.0 §7.6].
func TestGroupsFaceEachOther(t *testing.T) {
	t.Parallel()
	c := &engine.CommInfo{ID: 2, Group: []int32{0, 1}, Remote: []int32{5, 4, 3}, Op: engine.CallIntercommCreate, Step: 1}
	v := &render.View{Snapshot: &engine.Snapshot{Size: 6, Comms: []*engine.CommInfo{{Group: []int32{0, 1, 2, 3, 4, 5}, Parent: -1}, c}}}
	words := render.NewWords(v)
	from := lanes.Source{Snapshot: v.Snapshot, Words: words, Made: words.Made, Parting: func(int) *render.Parting { return nil }}
	for viewer, want := range map[int]string{0: "local 0 1 remote 5 4 3", 3: "local 5 4 3 remote 0 1", 2: "left 0 1 right 5 4 3"} {
		lines := drawn(from.Lane([]*engine.CommInfo{c}, viewer), lanes.Look{Width: 60, Rank: -1, Size: 6, Room: lanes.Room{Rows: 1}})
		if got := strings.Join(strings.Fields(strings.ReplaceAll(lines[1]+" "+lines[2], "░", " ")), " "); got != want {
			t.Errorf("seen by rank %d: %s, want %s", viewer, got, want)
		}
	}
}

// Two groups on one line share it: a short one is whole, wherever it stands, and a long one has the room that the other
// leaves: another cell, of five characters, would not fit into 60. Of two long ones each has half.
func TestGroupsShareALine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left, right, width int
		want               string
	}{
		{2, 3, 60, "#2  2+3 ranks   0   2  ⇄  4   1   3   MPI_Intercomm_create"},
		{3, 30, 60, "#2  3+30 ranks   0    7    14  ⇄  21   28  … 28 more"},
		{30, 3, 60, "#2  30+3 ranks   0,7,..,28  … 25 more ⇄  12   19   26"},
		{30, 30, 100, "#2  30+30 ranks   0,7,..,56   3,10,..,59  … 12 more ⇄  30,37,..,58   5,12,..,54  … 17 more"},
	} {
		group := upTo(c.left + c.right)
		for i := range group { // in an order of which nothing can be folded
			group[i] = int32(i * 7 % len(group))
		}
		k := &engine.CommInfo{ID: 2, Group: group[:c.left], Remote: group[c.left:], Op: engine.CallIntercommCreate, Step: 1}
		v := &render.View{Snapshot: &engine.Snapshot{Size: len(group), Comms: []*engine.CommInfo{{Group: group, Parent: -1}, k}}}
		words := render.NewWords(v)
		from := lanes.Source{Snapshot: v.Snapshot, Words: words, Made: words.Made, Parting: func(int) *render.Parting { return nil }}
		lines := drawn(from.Lane([]*engine.CommInfo{k}, -1), lanes.Look{Width: c.width, Rank: -1, Size: len(group), Room: lanes.Room{Dense: true, Rows: 1}})
		if got := strings.TrimRight(strings.ReplaceAll(strings.Join(lines, "|"), "░", " "), " "); got != c.want {
			t.Errorf("%d and %d: %q, want %q", c.left, c.right, got, c.want)
		}
	}
}

// Two groups stand one below the other: no text of a cell is cut. The groups are the even and the odd ones of six ranks.
func TestGroupsAreNotCut(t *testing.T) {
	t.Parallel()
	c := &engine.CommInfo{ID: 2, Group: []int32{0, 2, 4}, Remote: []int32{1, 3, 5}, Op: engine.CallIntercommCreate, Step: 1}
	v := &render.View{Snapshot: &engine.Snapshot{Size: 6, Comms: []*engine.CommInfo{{Group: upTo(6), Parent: -1}, c}}}
	v.Handles = []render.Handle{{Name: "inter", IDs: []int32{2, 2, 2, 2, 2, 2}}}
	words, p := render.NewWords(v), render.PartingOf(v.Snapshot, &v.Handles[0])
	from := lanes.Source{Snapshot: v.Snapshot, Words: words, Made: words.Made, Parting: func(int) *render.Parting { return p }}
	for width := 20; width < 80; width++ {
		text := strings.Join(drawn(from.Lane([]*engine.CommInfo{c}, -1), lanes.Look{Width: width, Rank: -1, Size: 6, Room: lanes.Rooms[3]}), "\n")
		text = strings.ReplaceAll(text, "░", " ")
		if !regexp.MustCompile(`w0( +w|,)2( +w|,)4`).MatchString(text) || !regexp.MustCompile(`w1( +w|,)3( +w|,)5`).MatchString(text) ||
			!regexp.MustCompile(`A0(-2|.*A2)`).MatchString(text) || !regexp.MustCompile(`A'0(-2|.*A'2)`).MatchString(text) {
			t.Errorf("%d columns:\n%s", width, text)
		}
	}
}

var moreWords = regexp.MustCompile(`… (\d+) more`)

// Whatever a group, no line is wider than the page, every member is in one cell, and those that are in none are
// counted. Places are where the cells are.
func TestEveryMemberIsToldOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(rt, "size")
		perm := rapid.Permutation(upTo(n)).Draw(rt, "order")
		if rapid.Bool().Draw(rt, "sorted") {
			perm = upTo(n)
		}
		group := perm[:rapid.IntRange(1, n).Draw(rt, "members")]
		c := &engine.CommInfo{ID: 2, Group: group, Op: engine.CallDup, Step: 1}
		v := &render.View{Snapshot: &engine.Snapshot{Size: n, Comms: []*engine.CommInfo{{Group: upTo(n), Parent: -1}, c}}}
		words := render.NewWords(v)
		from := lanes.Source{Snapshot: v.Snapshot, Words: words, Made: words.Made, Parting: func(int) *render.Parting { return nil }}
		look := lanes.Look{Width: rapid.IntRange(30, 160).Draw(rt, "width"), Rank: -1, Size: n, Most: n}
		look.Room = rapid.SampledFrom(lanes.Rooms).Draw(rt, "room")
		if rapid.Bool().Draw(rt, "lit") {
			look.Rank = int(group[0])
			look.Lit = func(w int) bool { return w == look.Rank }
		}
		pic := from.Lane([]*engine.CommInfo{c}, 0).Scene(lanes.Setting{Indent: 1, New: true}, look)
		told, seen := 0, map[int]bool{}
		for y, l := range pic.Draw() {
			if l.Width() > look.Width {
				rt.Fatalf("line %d is %d columns wide, of %d: %q", y, l.Width(), look.Width, l.Plain())
			}
			if m := moreWords.FindStringSubmatch(l.Plain()); m != nil {
				more, _ := strconv.Atoi(m[1])
				told += more
			}
		}
		for _, at := range pic.Of() {
			for i := range at.Of.N {
				seen[at.Of.First+i*at.Of.Step] = true
				told++
			}
			text := []rune(pic.Draw()[at.Y].Plain())
			if at.X+at.W > len(text) || at.Y+at.H > len(pic.Draw()) {
				rt.Fatalf("a cell is said to be beyond its line: %+v", at)
			}
		}
		if told != len(group) {
			rt.Fatalf("%d members of %d are drawn:\n%v", told, len(group), plain(pic))
		}
		for w := range seen {
			if w < 0 || w >= n {
				rt.Fatalf("world rank %d of %d", w, n)
			}
		}
	})
}

func upTo(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

func plain(pic *scene.Scene) string {
	var b strings.Builder
	for _, l := range pic.Draw() {
		b.WriteString(l.Plain() + "\n")
	}
	return b.String()
}

// Ranks 0, 2 and 4 pass keys 5, 1 and 5: sorted by key, and by old rank where keys tie, they are 2, 0, 4
// [MPI-5.0 §7.4.2]. Where all keys are equal nothing is sorted, and the result alone is shown.
func TestBucketIsSorted(t *testing.T) {
	t.Parallel()
	b := lanes.NewBucket("color 0", "A", 0, []reason.Seat{{Key: 1, Old: 2, World: 2}, {Key: 5, Old: 0, World: 0}, {Key: 5, Old: 4, World: 4}})
	text := func(b *lanes.Bucket, sorted bool) string {
		var list []string
		for _, l := range b.Scene(40, 7, sorted).Draw() {
			list = append(list, strings.Join(strings.Fields(l.Plain()), " "))
		}
		return strings.Join(list, "|")
	}
	if got := text(b, true); got != "color 0 w0 w2 w4|key 5 1 5|sorted w2 w0 w4|A0 A1 A2" {
		t.Error(got)
	}
	if got := text(b, false); got != "color 0 w0 w2 w4|key 5 1 5" {
		t.Error(got)
	}
	if got := text(lanes.NewBucket("color 1", "B", 1, []reason.Seat{{Old: 1, World: 1}, {Old: 3, World: 3}}), true); got != "color 1 w1 w3|B0 B1" {
		t.Error(got)
	}
	if got := text(lanes.NewBucket("color MPI_UNDEFINED", "", 0, []reason.Seat{{World: 7}}), true); got != "color MPI_UNDEFINED|w7|key 0|no communicator: MPI_COMM_NULL" {
		t.Error(got)
	}
	var many []reason.Seat
	for r := range 50 {
		many = append(many, reason.Seat{Key: int32(-98 + 2*r), Old: int32(98 - 2*r), World: int32(98 - 2*r)})
	}
	if got := text(lanes.NewBucket("color 0", "A", 0, many), true); got != "color 0 w0,2,..,98|key 0,-2,..,-98|sorted A0-49 w98,96,..,0" {
		t.Error(got)
	}
}

// A lane of several communicators has a cell for each while there is room; no line is wider than the page, however
// narrow that is and however deep the descent.
func TestSeveralFit(t *testing.T) {
	t.Parallel()
	topo := worlds.Synthesized(t, "core:64")
	s := worlds.New(t, topo, worlds.Place(t, topo, 64, placement.Policy{}))
	s.Split("node", 1, func(r int) int { return r }, worlds.Zero)
	from, p := source(t, s, "node")
	var all []*engine.CommInfo
	for k := range p.Len() {
		all = append(all, from.Snapshot.Comm(p.Comm(k)))
	}
	l := from.Lane(all, -1)
	for width := 36; width <= 120; width++ {
		for _, room := range lanes.Rooms {
			look := lanes.Look{Width: width, Rank: -1, Size: 64, Most: 64, Room: room, Column: width / 2}
			pic := l.Scene(lanes.Setting{Branch: "│  └─ ", Under: "│     ", Fold: "▸ ", Indent: 3, New: true}, look)
			for _, line := range pic.Draw() {
				if line.Width() > width {
					t.Fatalf("%d of %d columns: %q", line.Width(), width, line.Plain())
				}
			}
			if width >= 90 && room.Rows >= 4 && len(pic.Of()) != 64 {
				t.Errorf("%d columns, %d rows: %d communicators have a cell", width, room.Rows, len(pic.Of()))
			}
		}
	}
}
