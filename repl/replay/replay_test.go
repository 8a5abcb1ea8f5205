package replay_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/recording"
	"codeberg.org/commsplit/commsplit/repl/replay"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// changed writes the manual's recording with changed files, and returns its path. change gets the name and the text of
// each file, and returns the new text.
func changed(t *testing.T, change func(name, text string) string) string {
	t.Helper()
	whole, err := os.ReadFile("../recording/testdata/solver.tar")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for r := tar.NewReader(bytes.NewReader(whole)); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		text, err2 := io.ReadAll(r)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		text = []byte(change(h.Name, string(text)))
		h.Size = int64(len(text))
		err = w.WriteHeader(h)
		_, err2 = w.Write(text)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "app.tar")
	if err := errors.Join(w.Close(), os.WriteFile(path, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// made writes the manual's recording with other calls, and returns its path: one call for each line that calls returns,
// with blanks for tabs, each call at its own site.
func made(t *testing.T, calls func(rank int) []string) string {
	t.Helper()
	return changed(t, func(name, text string) string {
		rank := -1
		if _, err := fmt.Sscanf(name, "calls/%d.txt", &rank); err != nil {
			return text
		}
		head := strings.Split(text[:strings.Index(text, "\n")], "\t")
		head[1] = "2"
		var sites, lines strings.Builder
		for i, c := range calls(rank) {
			fmt.Fprintf(&sites, "site %d app main+0x%d a.c:%d\n", i, i+1, i+1)
			call, gave, _ := strings.Cut(c, "=>")
			fmt.Fprintf(&lines, "call %d %d %s=> %d\ndone %d%s 1\n", i, i, call, 10*i, i, gave)
		}
		return strings.Join(head, "\t") + "\n" + strings.ReplaceAll(sites.String()+lines.String()+"end finalize\n", " ", "\t")
	})
}

// opened opens a recording in a session, as .open does.
func opened(t *testing.T, path string) (*recording.Recording, *repl.Session) {
	t.Helper()
	rec, err := recording.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := console.NewConsole(t.Context(), repl.Config{Size: 2, Topo: "core:2"}, io.Discard, io.Discard, render.Style{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Session.Close() })
	c.AllowFiles = true
	lines, err := repl.ParseLines("<test>", []string{".open " + path})
	if err != nil {
		t.Fatal(err)
	}
	var waits *engine.Deadlock
	if err := c.Script(t.Context(), lines); err != nil && !errors.As(err, &waits) {
		t.Fatal(err)
	}
	return rec, c.Session
}

// replayed replays a recording and returns the report.
func replayed(t *testing.T, path string) *replay.Report {
	t.Helper()
	rec, s := opened(t, path)
	r, err := replay.New(t.Context(), s, rec, false)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The exports of a recording have its name, but not the name of its folder.
func TestNoFolders(t *testing.T) {
	t.Parallel()
	path := changed(t, func(_, text string) string { return text })
	_, s := opened(t, path)
	folder := filepath.Base(filepath.Dir(path))
	formats, _ := stories.ExportFormats()
	for _, to := range slices.DeleteFunc(formats, func(to string) bool { return to == "quiz" }) { // a recording asks nothing
		var b bytes.Buffer
		if err := stories.ExportTo(&b, s, stories.Export{To: to, Title: "app.tar"}); err != nil {
			t.Errorf("%s: %v", to, err)
		}
		if strings.Contains(b.String(), filepath.ToSlash(filepath.Dir(path))) || strings.Contains(b.String(), folder+"/") {
			t.Errorf("%s has the folder", to)
		}
	}
}

// The library and the engine give the same communicators, and .open begins the world of the run. The eight ranks of the
// duplicate run on both hosts, which have two packages each; the communicator of a host spans one host and both its
// packages.
func TestEqual(t *testing.T) {
	t.Parallel()
	r := replayed(t, "../recording/testdata/solver.tar")
	if r.Verdict() != "equal" || r.Held.Calls != 26 || r.Held.Ranks != 8 {
		t.Errorf("%s, %+v", r.Verdict(), r.Held)
	}
	one, two, four := render.Range{Low: 1, High: 1}, render.Range{Low: 2, High: 2}, render.Range{Low: 4, High: 4}
	for _, s := range r.Sites {
		switch want := (render.Spans{Hosts: two, Packages: four, NUMA: four}); s.Site.String() {
		case "nodes.c:14":
			want = render.Spans{Hosts: one, Packages: two, NUMA: two}
			fallthrough
		case "io.c:203":
			if s.Spans != want {
				t.Errorf("%s spans %+v, not %+v", s.Site, s.Spans, want)
			}
		}
	}
}

// A library that orders ranks of equal color against their keys differs (MPI-5.0 §7.4.2): of the even ranks, rank 2 has
// the least key and is rank 0, whatever the library gave.
func TestDifference(t *testing.T) {
	t.Parallel()
	const row = "MPI_Comm_split\t0\tcolor=0\tkey=0\t=>\tnew=4\t"
	r := replayed(t, changed(t, func(name, text string) string {
		if name != "calls/2.txt" {
			return text
		}
		if strings.Count(text, row) != 1 {
			t.Fatalf("%q is not once in the file", row)
		}
		return strings.Replace(text, row, strings.Replace(row, "key=0", "key=-5", 1), 1)
	}))
	if r.Verdict() != "difference" || len(r.Held.Findings) != 1 {
		t.Fatalf("%s, %+v", r.Verdict(), r.Held.Findings)
	}
	if f := r.Held.Findings[0]; f.Expected != "[2,0,4,6]" || f.Found != "[0,2,4,6]" || f.Where != "grid.c:47" || f.Ranks.String() != "0,2,4,6" {
		t.Errorf("%+v", f)
	}
}

// A communicator that differs only because its parent differs counts at the first difference, and is not a finding. The
// library kept the order of world against the keys; two duplicates of that communicator, and a split of one
// duplicate, follow from that order. The duplicate of world is equal, and the last split, which ignores the keys
// again, is a finding of its own.
func TestWhatFollows(t *testing.T) {
	t.Parallel()
	r := replayed(t, made(t, func(w int) []string {
		return []string{
			fmt.Sprintf("MPI_Comm_split 0 color=0 key=%d => new=2 size=8 rank=%d leader=0", -w, w),
			fmt.Sprintf("MPI_Comm_dup 2 => new=3 size=8 rank=%d leader=0", w),
			fmt.Sprintf("MPI_Comm_dup 3 => new=4 size=8 rank=%d leader=0", w),
			fmt.Sprintf("MPI_Comm_split 4 color=%d key=0 => new=5 size=4 rank=%d leader=%d", w/4, w%4, w/4*4),
			fmt.Sprintf("MPI_Comm_dup 0 => new=6 size=8 rank=%d leader=0", w),
			fmt.Sprintf("MPI_Comm_split 6 color=0 key=%d => new=7 size=8 rank=%d leader=0", -w, w),
		}
	}))
	got := ""
	for _, f := range r.Held.Findings {
		got += fmt.Sprintf("%v %s %d; ", f.Kind, f.Where, f.Follows)
	}
	if want := "difference a.c:1 3; difference a.c:6 0; "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A recorded program goes on with a communicator that its library made wrongly. In the replay ranks 0 and 2 share the
// communicator that the library gave ranks 0 and 1, so rank 0 waits alone in its next call, and later calls cannot be
// compared: that is not a deadlock of the program, and no known deviation either.
func TestStops(t *testing.T) {
	t.Parallel()
	r := replayed(t, made(t, func(w int) []string {
		calls := []string{fmt.Sprintf("MPI_Comm_split 0 color=%d key=0 => new=2 size=2 rank=%d leader=%d", w/2%2+w/4*2, w%2, w/2*2)}
		if w < 4 {
			calls[0] = fmt.Sprintf("MPI_Comm_split 0 color=%d key=0 => new=2 size=2 rank=%d leader=%d", w%2, w%2, w/2*2)
		}
		if w < 2 {
			calls = append(calls, fmt.Sprintf("MPI_Comm_dup 2 => new=3 size=2 rank=%d leader=0", w))
		}
		return calls
	}))
	if r.Verdict() != "difference" || !r.Stopped || len(r.Held.Findings) != 1 || r.Held.Findings[0].Step != 1 || len(r.Notes) != 1 ||
		!strings.HasPrefix(r.Notes[0], "not compared: the calls behind, in which the replay stops") {
		t.Errorf("%s, stopped: %v, %+v %q", r.Verdict(), r.Stopped, r.Held.Findings, r.Notes)
	}
}

// Processes number a communicator differently, and still meet in a call that a group of it makes: rank 0 has made one more.
func TestGroupsOfOtherNumbers(t *testing.T) {
	t.Parallel()
	r := replayed(t, made(t, func(w int) (list []string) {
		n := 2
		if w == 0 {
			list, n = append(list, "MPI_Comm_split 1 color=0 key=0 => new=2 size=1 rank=0 leader=0"), 3
		}
		list = append(list, fmt.Sprintf("MPI_Comm_dup 0 => new=%d size=8 rank=%d leader=0", n, w))
		if w < 2 {
			list = append(list, "MPI_Comm_group 0 => newgroup=1 size=8", "MPI_Group_incl - group=1 ranks=0,1 => newgroup=2 size=2",
				fmt.Sprintf("MPI_Comm_create_group %d group=2 tag=5 => new=%d size=2 rank=%d leader=0", n, n+1, w))
		}
		return list
	}))
	if r.Verdict() != "equal" || r.Recording.CommCount() != 3 || r.Deadlock != nil {
		t.Errorf("%s, %d communicators, %v", r.Verdict(), r.Recording.CommCount(), r.Deadlock)
	}
}

// Rank 0 and the others split in lines of their own, of which only the first gives a communicator: that is one place. Where
// a rank calls in both lines, they are two.
func TestOneCallInTwoLines(t *testing.T) {
	t.Parallel()
	for both, want := range map[bool]string{false: "a.c:1 0-7 1 [a.c:2]; ", true: "a.c:1 0-1 2 []; a.c:2 1-7 0 []; "} {
		r := replayed(t, made(t, func(w int) []string {
			first, second := "MPI_Comm_set_name 0 name=w =>", "MPI_Comm_split 0 color=undefined key=0 => null"
			switch {
			case w == 0:
				return []string{"MPI_Comm_split 0 color=0 key=0 => new=2 size=1 rank=0 leader=0"}
			case w == 1 && both:
				first = "MPI_Comm_split 1 color=0 key=0 => new=2 size=1 rank=0 leader=1"
			}
			return []string{first, second}
		}))
		got := ""
		for _, s := range r.Sites {
			if s.Call == "MPI_Comm_split" {
				got += fmt.Sprintf("%v %v %d %v; ", s.Site, s.Ranks, s.Comms, s.Also)
			}
		}
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Communicators of pairs take the lowest context id that is free on both ranks: ten of each pair, one pair after the other,
// are 1 to 10 of ranks 2 and 3, 11 to 20 of 1 and 2, 1 to 10 of 0 and 4, and so 21 to 30 of 0 and 1, of which no rank has
// more than twenty communicators.
func TestScatteredContexts(t *testing.T) {
	t.Parallel()
	r := replayed(t, made(t, func(w int) (list []string) {
		for k, pair := range [][2]int{{2, 3}, {1, 2}, {0, 4}, {0, 1}} {
			at := slices.Index(pair[:], w)
			if at < 0 {
				continue
			}
			list = append(list, "MPI_Comm_group 0 => newgroup=%d size=8", "MPI_Group_incl - group=%[1]d ranks="+fmt.Sprintf("%d,%d", pair[0], pair[1])+" => newgroup=%[2]d size=2")
			for i := range 10 {
				list = append(list, fmt.Sprintf("MPI_Comm_create_group 0 group=%%[2]d tag=%d => new=%%[3]d size=2 rank=%d leader=%d", 10*k+i, at, pair[0]))
			}
		}
		group, comm := 1, 2
		for i, text := range list {
			switch {
			case strings.HasPrefix(text, "MPI_Comm_group"):
				list[i] = fmt.Sprintf(text, group)
			case strings.HasPrefix(text, "MPI_Group_incl"):
				list[i] = fmt.Sprintf(text, group, group+1)
				group += 2
			default:
				list[i] = strings.NewReplacer("%[2]d", fmt.Sprint(group-1), "%[3]d", fmt.Sprint(comm)).Replace(text)
				comm++
			}
		}
		return list
	}))
	var b strings.Builder
	if err := r.Text(&b, render.Style{Width: 80}, replay.Leaks); err != nil || r.Contexts != 30 || !strings.Contains(b.String(), "context ids up to 30") {
		t.Errorf("%d, %v\n%s", r.Contexts, err, &b)
	}
}
