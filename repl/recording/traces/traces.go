// Package traces reads traces that other tools wrote of programs with MPI, as text: DUMPI's by dumpi2ascii, and OTF2's by
// otf2-print. It writes what they tell about communicators as the recorder writes it (hw/job/recorder/FORMAT.md), so that
// package recording reads them as it reads archives.
//
// Facts that a trace lacks stay unknown: results of calls are then only numbers of communicators, and the reader
// finds members by the rules of the standard. The package reads no binary traces, whose formats change with their
// tools.
package traces

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

// limits bounds the size of what a trace becomes.
var limits = fsroot.Bounds{Content: 1 << 30, File: 256 << 20, Entries: 1 << 20}

// Is reports whether the first bytes of a file are those of a trace: DUMPI's file about the whole run, or the output
// of otf2-print.
func Is(head []byte) bool { return isDUMPI(string(head)) || isOTF2(string(head)) }

// Read reads a trace, whose first bytes are head, as an archive of the recorder.
func Read(ctx context.Context, file string, head []byte) (fs.FS, error) {
	f, err := wholefile.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &trace{ctx: ctx}
	if isOTF2(string(head)) {
		err = t.readOTF2(f)
	} else {
		err = t.readDUMPI(f, file)
	}
	if err != nil {
		return nil, err
	}
	return t.files()
}

// trace is a run, as its trace tells it.
type trace struct {
	ctx       context.Context
	kind      string // for people
	processes []*process
	notes     []string
}

// process collects what a process did.
type process struct {
	strings.Builder
	seq, holds int
	sites      map[string]int // by their frames
	seen       bool           // the trace has something of it
	used       map[int]bool   // our numbers of communicators that carried messages
}

func (t *trace) begin(kind string, ranks int) {
	t.kind = kind
	for range ranks {
		t.processes = append(t.processes, &process{sites: map[string]int{}, used: map[int]bool{}})
	}
}

// mostRanks bounds how many ranks a file may claim, however small the file is.
const mostRanks = 1 << 20

// run stands for the id of the run, which traces lack.
const run = "trace"

// files returns the archive.
func (t *trace) files() (fs.FS, error) {
	var list strings.Builder
	add := func(name, text string) { fmt.Fprintf(&list, "0/%s\n%d\n%s", name, len(text), text) }
	head := "commsplit record\t2\nrun\t" + run + "\nlibrary\tan MPI that the trace does not name\ntrace\t" + t.kind + "\n" +
		"ranks\t" + strconv.Itoa(len(t.processes)) + "\n"
	for _, n := range t.notes {
		head += "note\t" + n + "\n"
	}
	add("record.txt", head)
	for rank, p := range t.processes {
		for _, id := range slices.Sorted(maps.Keys(p.used)) {
			fmt.Fprintf(p, "used\t%d\n", id)
		}
		if p.seen {
			add(fmt.Sprintf("calls/%d.txt", rank), fmt.Sprintf("commsplit calls\t2\t%s\t%d\n%send\tfinalize\n", run, rank, p.String()))
		}
	}
	return fsroot.Listed([]byte(list.String()), limits)
}

// site returns the number of a place, by the fields of its frames.
func (p *process) site(frames ...string) int {
	key := strings.Join(frames, "\t")
	n, there := p.sites[key]
	if !there {
		n = len(p.sites)
		p.sites[key] = n
		fmt.Fprintf(p, "site\t%d\t%s\n", n, key)
	}
	return n
}

// call writes a call that returned; comm is the number of the communicator, "-" for none.
func (p *process) call(site int, name, comm string, args []string, results []string, begin, end int64) {
	p.seen = true
	fmt.Fprintf(p, "call\t%d\t%d\t%s\t%s", p.seq, site, name, comm)
	for _, a := range args {
		p.WriteString("\t" + a)
	}
	fmt.Fprintf(p, "\t=>\t%d\ndone\t%d", begin, p.seq)
	for _, r := range results {
		p.WriteString("\t" + r)
	}
	fmt.Fprintf(p, "\t%d\n", max(end-begin, 0))
	p.seq++
}

// use notes that a communicator carried a message; a number that is not ours is ignored.
func (p *process) use(number string) {
	if id, err := strconv.Atoi(number); err == nil {
		p.used[id] = true
	}
}

// lines calls do with each line of a text. An error begins with the number of its line.
func (t *trace) lines(f *os.File, do func(line string) error) error {
	s := bufio.NewScanner(f)
	s.Buffer(make([]byte, 1<<16), 64<<20)
	n := 0
	for s.Scan() {
		if n++; n%4096 == 0 && t.ctx.Err() != nil {
			return t.ctx.Err()
		}
		if err := do(strings.TrimRight(s.Text(), "\r")); err != nil {
			return fmt.Errorf("%d: %w", n, err)
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("%d: the line has more than 64 MB", n+1)
	}
	return s.Err()
}
