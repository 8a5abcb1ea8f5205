package recording_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/recording"
)

// pack makes an archive of files by name.
func pack(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name])), Typeflag: tar.TypeReg}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// mask writes the PUs from up to to, which is excluded, of n PUs, as hwloc does.
func mask(n, from, to int) string {
	var words []string
	for at := (n - 1) / 32 * 32; at >= 0; at -= 32 {
		v := uint32(0)
		for i := range 32 {
			if at+i >= from && at+i < to {
				v |= 1 << i
			}
		}
		words = append(words, fmt.Sprintf("0x%08x", v))
	}
	return strings.Join(words, ",")
}

// machine writes the XML of a host of two packages with n PUs together.
func machine(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<topology version="2.0"><object type="Machine" cpuset=%q nodeset="0x3" allowed_cpuset=%q>`, mask(n, 0, n), mask(n, 0, n))
	for p := range 2 {
		set := mask(n, p*n/2, (p+1)*n/2)
		fmt.Fprintf(&b, `<object type="Package" os_index="%d" cpuset=%q nodeset="0x%d">`, p, set, p+1)
		fmt.Fprintf(&b, `<object type="NUMANode" os_index="%d" cpuset=%q nodeset="0x%d"/>`, p, set, p+1)
		for i := p * n / 2; i < (p+1)*n/2; i++ {
			fmt.Fprintf(&b, `<object type="PU" os_index="%d" cpuset=%q nodeset="0x%d"/>`, i, mask(n, i, i+1), p+1)
		}
		b.WriteString("</object>")
	}
	return b.String() + "</object></topology>"
}

const head = "commsplit record\t1\nrun\tabc\nprogram\tapp\nlibrary\tOpen MPI v4.1.4\nstandard\t3.1\nranks\t%d\n"

// archive returns the files of a recording of processes on hosts of per PUs each. calls are the lines of each process
// behind the first line, by rank, with blanks for tabs; "-" is a process that wrote nothing.
func archive(per int, calls ...string) map[string]string {
	files := map[string]string{"record.txt": fmt.Sprintf(head, len(calls)), "host.xml": machine(per)}
	var job strings.Builder
	job.WriteString("commsplit job 1\n")
	for h := range (len(calls) + per - 1) / per {
		fmt.Fprintf(&job, "host\tn%d\thost.xml\n", h)
	}
	for r, text := range calls {
		fmt.Fprintf(&job, "rank\t%d\tn%d\t%d\n", r, r/per, r%per)
		if text != "-" {
			files[fmt.Sprintf("calls/%d.txt", r)] = fmt.Sprintf("commsplit calls\t1\tabc\t%d\n", r) + strings.ReplaceAll(text, " ", "\t")
		}
	}
	files["job.txt"] = job.String()
	return files
}

func read(t testing.TB, files map[string]string) *recording.Recording {
	t.Helper()
	r, err := recording.ReadArchive(t.Context(), bytes.NewReader(pack(t, files)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// halves returns the lines of one of four processes that split the world in two by parity, in reverse order, and then
// duplicate their half; rank 3 is left out of the second split.
func halves(r int) string {
	color, other := r%2, 1-r/2
	text := "site 0 app work+0x2c work.c:31 app main+0x1f main.c:9\nsite 1 app lib_init+0x8 lib.c:7\n"
	text += fmt.Sprintf("call 0 0 MPI_Comm_split 0 color=%d key=%d => new=2 size=2 rank=%d leader=%d 100 50\n", color, -r, other, 2+color)
	text += fmt.Sprintf("call 1 1 MPI_Comm_dup 2 => new=3 size=2 rank=%d leader=%d 200 10\n", other, 2+color)
	if r == 3 {
		text += "call 2 0 MPI_Comm_split 0 color=undefined key=0 => null 300 10\n"
	} else {
		text += fmt.Sprintf("call 2 0 MPI_Comm_split 0 color=0 key=0 => new=4 size=3 rank=%d leader=0 300 10\n", r)
	}
	return text + "call 3 0 MPI_Comm_free 2 => 400 1\nend finalize\n"
}

// The script has a call once for all processes that make it, and variables have the name of the function that calls.
func TestScript(t *testing.T) {
	t.Parallel()
	r := read(t, archive(4, halves(0), halves(1), halves(2), halves(3)))
	lines, notes := r.Script()
	var got []string
	for _, l := range lines {
		got = append(got, fmt.Sprintf("%s  %v", l.Text, l.Places))
	}
	want := `work_1 = split world color=rank%2 key=-rank  [work.c:31]
lib_init_1 = dup work_1  [lib.c:7]
work_2 = split world color=(0 if rank < 3 else UNDEFINED)  [work.c:31]
free work_1  [work.c:31]`
	if strings.Join(got, "\n") != want || len(notes) > 0 {
		t.Errorf("got\n%s\nwant\n%s\n%q", strings.Join(got, "\n"), want, notes)
	}
}

// The line of a duplicate tells no groups, which are those of the communicator duplicated [MPI-5.0 section 7.4.2, MPI_COMM_DUP]: of the
// world, of a part, of an intercommunicator, of a duplicate, and of a communicator that no recorded call made, which is not followed.
func TestDuplicateHasTheGroupsOfItsParent(t *testing.T) {
	t.Parallel()
	files := archive(4, "", "", "", "")
	for r := range 4 {
		color, rank := r%2, 1-r/2
		files[fmt.Sprintf("calls/%d.txt", r)] = fmt.Sprintf("commsplit calls\t2\tabc\t%d\n", r) + strings.ReplaceAll(fmt.Sprintf(`site 0 app main+0x2c a.c:3
call 0 0 MPI_Comm_dup 0 => 100
done 0 new=2 10
call 1 0 MPI_Comm_split 2 color=%d key=%d => 200
done 1 new=3 size=2 rank=%d leader=%d 10
call 2 0 MPI_Comm_dup 3 => 300
done 2 new=4 10
call 3 0 MPI_Intercomm_create 4 leader=0 peer=0 remoteleader=%d tag=7 => 400
done 3 new=5 size=2 rank=%d leader=%d remote=2 remoteleader=%d 10
call 4 0 MPI_Comm_dup 5 => 500
done 4 new=6 10
call 5 0 MPI_Intercomm_merge 6 high=%d => 600
done 5 new=7 size=4 rank=%d leader=2 10
call 6 0 MPI_Comm_dup 9 => 700
found 6 comm 9 size=3 rank=1 leader=-
done 6 new=10 10
end finalize
`, color, -r, rank, 2+color, 3-color, rank, 2+color, 3-color, color, 2*color+rank), " ", "\t")
	}
	lines, notes := read(t, files).Script()
	var got []string
	for _, l := range lines {
		got = append(got, l.Text)
	}
	want := `dup_1 = dup world
split_1 = split dup_1 color=rank%2 key=-rank
dup_1 = dup split_1
intercomm_create_1 = intercomm_create dup_1 remote_leader=[3,2,3,2][world.rank] tag=7
dup_1 = dup intercomm_create_1
intercomm_merge_1 = merge dup_1 high=[False,True,False,True][world.rank]`
	if text := strings.Join(got, "\n"); text != want || len(notes) != 1 {
		t.Errorf("got\n%s\n%q\nwant\n%s\nand a note on the duplicate of the unknown", text, notes, want)
	}
}

// many returns the lines of a process that splits the world turns times into that many parts.
func many(r, size, turns, parts int) string {
	var b strings.Builder
	b.WriteString("site 0 app parts+0x2c parts.c:31\nsite 1 app main+0x1f main.c:9\n")
	for i := range turns {
		color := (r + i) % parts
		leader := r % parts
		fmt.Fprintf(&b, "call %d 0 MPI_Comm_split 0 color=%d key=0 => new=%d size=%d rank=%d leader=%d %d 50\n",
			i, color, 2+i, (size-leader+parts-1)/parts, r/parts, leader, i*1000)
	}
	fmt.Fprintf(&b, "count 0 MPI_Comm_split calls=%d made=%d freed=0 alive=%d peak=%d ns=5000\nalive %d peak %d\nend finalize\n", turns, turns, turns, turns, turns, turns)
	return b.String()
}

// leaking returns the lines of a process that duplicates the world again and again.
func leaking(r, size, turns int) string {
	var b strings.Builder
	b.WriteString("site 0 app step+0x2c step.c:31\n")
	for i := range turns {
		fmt.Fprintf(&b, "call %d 0 MPI_Comm_dup 0 => new=%d size=%d rank=%d leader=0 %d 50\n", i, 2+i, size, r, i*1000)
	}
	fmt.Fprintf(&b, "count 0 MPI_Comm_dup calls=%d made=%d freed=0 alive=%d peak=%d ns=50000\n", turns, turns, turns, turns)
	fmt.Fprintf(&b, "grow 0 1000:1,%d:%d\nalive %d peak %d\nend finalize\n", turns*1000, turns, turns, turns)
	return strings.ReplaceAll(b.String(), "grow 0 ", "grow 0 ")
}

// TestLarge writes large recordings, to be measured by hand.
func TestLarge(t *testing.T) {
	dir := os.Getenv("LARGE")
	if dir == "" {
		t.Skip("LARGE names a folder for them")
	}
	calls := map[string][]string{"many": make([]string, 4096), "leak": make([]string, 64), "four": {halves(0), halves(1), halves(2), halves(3)}}
	for r := range calls["many"] {
		calls["many"][r] = many(r, 4096, 100, 100)
	}
	for r := range calls["leak"] {
		calls["leak"][r] = leaking(r, 64, 10000)
	}
	for name, list := range calls {
		if err := os.WriteFile(dir+"/"+name+".tar", pack(t, archive(min(64, len(list)), list...)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// solver returns the lines of a rank of eight on two hosts. In each of its twelve steps the rank splits the world into
// rows and frees them, in a function around MPI_Comm_split that two places call, and a library duplicates the world and
// frees nothing. At the beginning it makes a communicator for each host, and one of a rank of each, which alone nobody uses.
func solver(r int) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, strings.ReplaceAll(format, " ", "\t")+"\n", args...) }
	line("site 0 solver nodes+0x31 nodes.c:14 solver main+0x40 main.c:21")
	line("site 1 solver mp_comm_split+0x22 mp.c:88 solver grid_rows+0x19 grid.c:47")
	line("site 2 libio.so io_open+0x5d io.c:203 solver step+0x77 main.c:58")
	line("site 3 solver grid_free+0x12 grid.c:60 solver step+0x90 main.c:61")
	line("site 4 solver mp_comm_split+0x22 mp.c:88 solver leaders+0x2b nodes.c:30")
	line("call 0 0 MPI_Comm_split_type 0 type=shared key=0 => new=2 size=4 rank=%d leader=%d 100000 30000", r%4, r/4*4)
	if r%4 == 0 {
		line("call 1 4 MPI_Comm_split 0 color=0 key=0 => new=3 size=2 rank=%d leader=0 200000 30000", r/4)
	} else {
		line("call 1 4 MPI_Comm_split 0 color=undefined key=0 => null 200000 30000")
	}
	id, seq, alive, grow := 4, 2, 0, ""
	for step := range 12 {
		at := 1000000 * (step + 1)
		line("call %d 1 MPI_Comm_split 0 color=%d key=0 => new=%d size=4 rank=%d leader=%d %d 20000", seq, r%2, id, r/2, r%2, at+1000*r)
		alive++
		grow += fmt.Sprintf(",%d:%d", at+200000, alive)
		line("call %d 2 MPI_Comm_dup 0 => new=%d size=8 rank=%d leader=0 %d 15000", seq+1, id+1, r, at+200000)
		line("call %d 3 MPI_Comm_free %d => %d 4000", seq+2, id, at+400000)
		line("used %d", id)
		line("used %d", id+1)
		id, seq = id+2, seq+3
	}
	line("used 2")
	line("count 0 MPI_Comm_split_type calls=1 made=1 freed=0 alive=1 peak=1 ns=30000")
	line("count 1 MPI_Comm_split calls=12 made=12 freed=12 alive=0 peak=1 ns=240000")
	line("count 2 MPI_Comm_dup calls=12 made=12 freed=0 alive=12 peak=12 ns=180000")
	line("grow 2 %s", grow[1:])
	line("count 3 MPI_Comm_free calls=12 made=0 freed=0 alive=0 peak=0 ns=48000")
	line("count 4 MPI_Comm_split calls=1 made=%d freed=0 alive=%d peak=%d ns=30000", b2i(r%4 == 0), b2i(r%4 == 0), b2i(r%4 == 0))
	line("alive %d peak %d", 13+b2i(r%4 == 0), 14+b2i(r%4 == 0))
	line("end finalize")
	return b.String()
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// solvers returns the files of the recording that the manual explains.
func solvers() map[string]string {
	var calls []string
	for r := range 8 {
		calls = append(calls, solver(r))
	}
	files := archive(4, calls...)
	files["record.txt"] += "messages\tnoted\n"
	return files
}

// Communicators that no process used are known where all of their processes have a record and no library sends past the
// recorder. A communicator is used, too, when its group is asked for.
func TestUnused(t *testing.T) {
	t.Parallel()
	const leaders, note = "nodes.c:30 MPI_Comm_split 1", "which communicators were never used is not known, as the recorder does not see all messages: libtool.so calls PMPI_Send"
	for _, c := range []struct{ change, by, want, note string }{
		{"", "", leaders, ""},
		{"used\t2\n", "", "nodes.c:14 MPI_Comm_split_type 2, " + leaders, ""}, // ranks 0 to 3, and 4 to 7
		{"alive\t14", "call\t90\t3\tMPI_Comm_group\t3\t=>\tnewgroup=1\tsize=2\t13000000\t9\nalive\t14", "", ""},
		{"end", "unseen\tlibmpi.so.40\tPMPI_Send\nend", leaders, ""},
		{"end", "unseen\tlibtool.so\tPMPI_Send\nend", "", note},
	} {
		files := solvers()
		for name := range files {
			if strings.HasPrefix(name, "calls/") && c.change != "" {
				files[name] = strings.Replace(files[name], "\n"+c.change, "\n"+c.by, 1)
			}
		}
		r, got := read(t, files), []string(nil)
		for _, u := range r.Uses() {
			if r.Messages && u.Unused > 0 {
				got = append(got, fmt.Sprintf("%s %s %d", u.Site, u.Call, u.Unused))
			}
		}
		notes := strings.Join(r.Notes(), "\n")
		if list := strings.Join(got, ", "); list != c.want || notes != c.note {
			t.Errorf("%q: got %s, want %s; notes %q", c.by, list, c.want, notes)
		}
	}
	files := solvers()
	delete(files, "calls/4.txt")
	for _, u := range read(t, files).Uses() {
		if u.Unused > 0 {
			t.Errorf("%s: %d unused without the record of rank 4", u.Site, u.Unused)
		}
	}
}

// The archive of the manual's recording has the files of solvers.
func TestSolverArchive(t *testing.T) {
	t.Parallel()
	const path = "testdata/solver.tar"
	want := pack(t, solvers())
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is another one (%v): UPDATE=1 writes it", path, err)
	}
}

// A site is named after the caller of a function around MPI_Comm_split that several places call; a loop is one
// statement; communicators that nobody frees are a leak, with the time between two of them. 12 duplicates within 11 ms
// are one more each 1 ms.
func TestSolver(t *testing.T) {
	t.Parallel()
	r := read(t, solvers())
	lines, notes := r.Script()
	want := []string{
		"nodes_1 = split_type world SHARED [nodes.c:14]",
		"leaders_1 = split world color=(0 if rank%4 == 0 else UNDEFINED) [nodes.c:30]",
		"for _ in range(12):\n    grid_rows_1 = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank%2, 0)\n    io_open_1 = MPI.COMM_WORLD.Dup()\n" +
			"    grid_rows_1.Free() [grid.c:47 grid.c:47 io.c:203 grid.c:60]",
	}
	var got []string
	for _, l := range lines {
		got = append(got, fmt.Sprintf("%s %v", l.Text, l.Places))
	}
	if !slices.Equal(got, want) || len(notes) > 0 {
		t.Errorf("got\n%s\nwant\n%s\n%q", strings.Join(got, "\n"), strings.Join(want, "\n"), notes)
	}
	u := r.Uses()[0]
	if u.Site.String() != "io.c:203" || u.Trend() != render.Leaking || u.Alive != 12 || u.Every() != 1000000 || u.Comms != 12 || u.Equal != 12 {
		t.Errorf("first of the sites: %s %+v", u.Site, u)
	}
	for _, u := range r.Uses() {
		if u.Site.String() == "grid.c:47" && (u.Trend() != render.Steady || u.Wait != 7000 || u.Last != 7 || u.First != 0 || u.Comms != 24 || u.Equal != 0) {
			t.Errorf("%+v", u)
		}
	}
	if n, rank := r.Peak(); n != 15 || rank != 0 {
		t.Errorf("peak %d on rank %d", n, rank)
	}
}
