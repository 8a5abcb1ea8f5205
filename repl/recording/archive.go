// Package recording reads what the recorder of package hw/job/recorder wrote about a program that ran under a
// real MPI: which communicators each process made, and where. It puts together what the processes tell, writes
// the calls as a script of a session, and counts them by the place in the program that made them.
//
// Model: a process numbers its communicators in the order in which it made them, so that one communicator has
// another number in each of its processes. The n-th collective call that a process makes on a communicator is
// the n-th for all its members (MPI-5.0 §6.14): such a call is a meeting, and the processes to which a meeting
// gave a communicator led by the same process hold the same one. Nothing else is needed to know every group.
package recording

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"commsplit/engine"
	"commsplit/engine/deviation"
	"commsplit/hw"
	"commsplit/hw/fsroot"
	"commsplit/hw/spell"
)

// limits bound what an archive may make us hold.
var limits = fsroot.Bounds{Unpacked: 2 << 30, Content: 1 << 30, File: 256 << 20, Entries: 1 << 20, Once: true, Unended: true}

// The files of an archive, and the first lines of those that are ours.
const (
	recordFile  = "record.txt"
	callsFolder = "calls"
	jobFile     = "job.txt"

	recordTitle = "commsplit record"
	callsTitle  = "commsplit calls"
	newest      = 2 // the format that the recorder writes; those before are read as well

	writer = "the recorder" // of an archive
)

// PartsFolder is behind the name of an archive the name of the folder with what processes wrote that were killed.
const PartsFolder = ".parts"

// Recording is what an archive tells of a run.
type Recording struct {
	Path      string // where it was read
	RunID     string
	Library   deviation.Release
	Std       engine.Std // the version of the standard that the library says it has; 0 when unknown
	Processes []*Process // by world rank
	Hosts     bool       // it has the hosts, too, and where the ranks ran
	Alone     bool       // not all processes had the recorder: each of those that had recorded alone

	sites    []*Site // in order of the first process, and its calls, that names them
	comms    []*comm // all, MPI_COMM_WORLD first; MPI_COMM_SELF of each process is none of them
	meetings []*meeting
	places   int // of members of communicators and groups, in all
	notes    []string

	script []Line // nil: not written yet
	told   []string
}

// Process is what one process told.
type Process struct {
	Rank      int
	End       string // "finalize", "exit", "abort" or "signal N"; "" when it wrote no end
	Missing   bool   // it wrote nothing
	Truncated int    // the first of its calls that is only counted; 0: it kept all

	fault  *Frame // where it died; nil when that is not known
	calls  []call
	counts []count
	growth []growth
	alive  int64 // communicators at the end
	peak   int64 // the most at once

	comms  map[int32]*comm   // by the process's number
	groups map[int32][]int32 // world ranks, by the process's number
	later  map[int32]bool    // numbers of communicators whose makers, which returned at once, have not met yet
	times  map[string]int    // how often it came to calls that a group makes, by what tells these apart

	streams []*stream // its threads
	level   int       // of the last of its meetings
}

// Site is a place in the recorded program.
type Site struct {
	Frames []Frame // the innermost first; at least one
	depth  int     // of the frame that the site is named after
	more   int     // callers of that frame that its name needs, since other sites share the frame
	exact  bool    // its name needs the address, since other sites share line and callers
	index  int
}

// Frame is where a call was made, as far as the symbols of the program tell.
type Frame struct {
	Module   string // base name of the program or library
	Function string // "" when its symbols are gone
	Offset   string // "+0x1f", in the function or the module
	File     string // base name
	Line     int

	system bool // it is of the system, or of MPI
}

// Read reads the archive at path. The error is of one line, and names the archive and the file in it.
func Read(ctx context.Context, file string) (*Recording, error) {
	var r *Recording
	archive, err := fsroot.UnpackFile(ctx, file, writer, limits)
	if err == nil {
		r, err = read(ctx, archive, os.DirFS(file+PartsFolder))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	r.Path = file
	return r, nil
}

// Is reports whether a file is an archive, so that a program which takes scripts knows what it has before it.
// A file that cannot be read is none.
func Is(file string) bool {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head)
	return n == len(head) && bytes.HasPrefix(head[257:], []byte("ustar")) || bytes.HasPrefix(head[:n], []byte{0x1f, 0x8b})
}

// ReadArchive reads an archive that is no file.
func ReadArchive(ctx context.Context, from io.Reader) (*Recording, error) {
	archive, err := fsroot.Unpack(ctx, from, writer, limits)
	if err != nil {
		return nil, err
	}
	return read(ctx, archive, nil)
}

// read reads an archive, and from the folder of parts what processes wrote that are not in it.
func read(ctx context.Context, archive, parts fs.FS) (*Recording, error) {
	text, err := fs.ReadFile(archive, recordFile)
	if err != nil {
		if _, err := fs.Stat(archive, jobFile); err == nil {
			return nil, fmt.Errorf("there is no %s in it: it has the hosts of a job and no calls; want the archive that a "+
				"program with the recorder of \"commsplit record\" wrote", recordFile)
		}
		return nil, fmt.Errorf("there is no %s in it: want the archive that the recorder wrote", recordFile)
	}
	r := &Recording{}
	if err := r.readHead(string(text)); err != nil {
		return nil, err
	}
	if job, err := fs.ReadFile(archive, jobFile); err == nil {
		r.Hosts = true
		if n := bytes.Count(job, []byte("\nrank\t")); n != len(r.Processes) {
			return nil, fmt.Errorf("%s has %s, and %s %d: want what one run wrote", jobFile, spell.Plural(n, "rank"), recordFile, len(r.Processes))
		}
	}
	if err := r.readCalls(ctx, archive, parts); err != nil {
		return nil, err
	}
	return r, r.assemble()
}

// mostRanks bounds the processes that the head of a small archive can claim.
const mostRanks = 1 << 20

// plain looks for characters that no recorder writes, and that would command a terminal. The error begins with the line.
func plain(text string) error {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 0x20 && c != 0x7f && c != 0xc2, c == '\t', c == '\n', c == '\r':
			continue
		case c == 0xc2 && (i+1 == len(text) || text[i+1] >= 0xa0): // the rest of the controls have two bytes
			continue
		}
		return fmt.Errorf("%d: there is a control character in the line", 1+strings.Count(text[:i], "\n"))
	}
	return nil
}

// printable is a text with a question mark for each control character.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return '?'
		}
		return c
	}, text)
}

// readHead reads record.txt: lines of a key and a value.
func (r *Recording) readHead(text string) error {
	if err := plain(text); err != nil {
		return fmt.Errorf("%s:%w", recordFile, err)
	}
	n, ranks := 0, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		key, value, _ := strings.Cut(line, "\t")
		if n == 1 {
			if err := checkTitle(line, recordTitle); err != nil {
				return fmt.Errorf("%s:1: %w", recordFile, err)
			}
			continue
		}
		switch key {
		case "run":
			r.RunID = value
		case "library":
			r.Library = deviation.Identify(printable(unquoted(value)))
		case "standard":
			r.Std = standard(value)
		case "alone":
			r.Alone = true
		case "ranks":
			var err error
			if ranks, err = strconv.Atoi(value); err != nil || ranks < 1 || ranks > mostRanks {
				return fmt.Errorf("%s:%d: %q is no number of ranks: 1 to %d are possible", recordFile, n, hw.Clip(value), mostRanks)
			}
		}
	}
	if n == 0 {
		return fmt.Errorf("%s:1: %w", recordFile, checkTitle("", recordTitle))
	}
	switch {
	case r.RunID == "":
		return fmt.Errorf("%s: it does not say which run it is of: want a line \"run\", a tab and its id", recordFile)
	case ranks == 0:
		return fmt.Errorf("%s: it does not say how many ranks there were: want a line \"ranks\", a tab and the number", recordFile)
	}
	for i := range ranks {
		r.Processes = append(r.Processes, &Process{Rank: i, Missing: true})
	}
	return nil
}

// standard is a version as the recorder writes it, "3.1".
func standard(text string) engine.Std {
	major, minor, _ := strings.Cut(text, ".")
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	if err1 != nil || err2 != nil || a < 1 || a > 9 || b < 0 || b > 9 {
		return 0
	}
	return engine.Std(10*a + b)
}

// checkTitle checks the first line of a file of ours.
func checkTitle(line, title string) error {
	rest, ok := strings.CutPrefix(line, title+"\t")
	if !ok {
		return fmt.Errorf("%q where %q was expected", hw.Clip(line), fmt.Sprint(title, " ", newest))
	}
	v, _, _ := strings.Cut(rest, "\t")
	if n, err := strconv.Atoi(v); err != nil || n < 1 || n > newest {
		return fmt.Errorf("format %q is not known: this program reads \"%s\" up to %d", hw.Clip(v), title, newest)
	}
	return nil
}

// readCalls reads the files of the processes.
func (r *Recording) readCalls(ctx context.Context, archive, parts fs.FS) error {
	list, err := fs.ReadDir(archive, callsFolder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: it is no folder", callsFolder)
	}
	sites := siteTable{known: map[string]*Site{}}
	defer sites.find.Close()
	for _, e := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := path.Join(callsFolder, e.Name())
		number, ok := strings.CutSuffix(e.Name(), ".txt")
		rank, err := strconv.Atoi(number)
		switch {
		case !ok || err != nil || number != strconv.Itoa(rank):
			return fmt.Errorf("%s: it is of no process: want %s/RANK.txt", hw.Clip(name), callsFolder)
		case rank < 0 || rank >= len(r.Processes):
			return fmt.Errorf("%s: there is no rank %d: the run had %d ranks", name, rank, len(r.Processes))
		}
		text, err := fs.ReadFile(archive, name)
		if err != nil {
			return fmt.Errorf("%s: it is no file", name)
		}
		if err := r.Processes[rank].read(string(text), r, &sites); err != nil {
			return fmt.Errorf("%s:%w", name, err)
		}
	}
	if err := r.readParts(ctx, parts, &sites); err != nil {
		return err
	}
	r.sites = sites.list
	r.notes = append(r.notes, sites.find.notes()...)
	r.settlePlaces()
	return nil
}

// readParts reads what processes wrote that are not in the archive, as they were killed.
func (r *Recording) readParts(ctx context.Context, parts fs.FS, sites *siteTable) error {
	if parts == nil {
		return nil
	}
	for _, p := range r.Processes {
		name := strconv.Itoa(p.Rank) + ".txt"
		if err := ctx.Err(); err != nil {
			return err
		}
		if !p.Missing {
			continue
		}
		info, err := fs.Stat(parts, name)
		if err != nil || !info.Mode().IsRegular() || info.Size() > limits.File {
			continue
		}
		text, err := fs.ReadFile(parts, name)
		if err != nil {
			return err
		}
		text = text[:bytes.LastIndexByte(text, '\n')+1] // the file is larger than what was written, and the last line may be cut
		if title := fmt.Sprintf("%s\t%d\t%s\t%d\n", callsTitle, newest, r.RunID, p.Rank); !bytes.HasPrefix(text, []byte(title)) {
			continue // of another run of this name
		}
		if err := p.read(string(text), r, sites); err != nil {
			return fmt.Errorf("%s:%w", path.Join(path.Base(r.Path)+PartsFolder, name), err)
		}
	}
	return nil
}

// Missing lists the processes that wrote nothing.
func (r *Recording) Missing() engine.Ranks {
	return r.ranks(func(p *Process) bool { return p.Missing })
}

// Truncated lists the processes that only counted their later calls.
func (r *Recording) Truncated() engine.Ranks {
	return r.ranks(func(p *Process) bool { return p.Truncated > 0 })
}

// Waits reports whether processes were in a call, when the program ended, that nobody got an answer from.
func (r *Recording) Waits() bool {
	return slices.ContainsFunc(r.meetings, func(m *meeting) bool { return m.blocked })
}

// Ended lists the processes whose end is one of the words.
func (r *Recording) Ended(ends ...string) engine.Ranks {
	return r.ranks(func(p *Process) bool {
		word, _, _ := strings.Cut(p.End, " ")
		return !p.Missing && slices.Contains(ends, word)
	})
}

func (r *Recording) ranks(is func(*Process) bool) engine.Ranks {
	var list engine.Ranks
	for _, p := range r.Processes {
		if is(p) {
			list.Append(int32(p.Rank))
		}
	}
	return list
}

// siteTable gives places that several processes name one Site.
type siteTable struct {
	list  []*Site
	known map[string]*Site // by text
	find  finder
}

// maxSites bounds the places of a program.
const maxSites = 1 << 20

// add is the site of frames, the innermost first. Places in the system or in MPI that one place of the program reaches
// are one site: the program is what a person can change.
func (t *siteTable) add(frames []Frame) (*Site, error) {
	frames = userFrames(frames)
	key := fmt.Sprint(frames)
	if s := t.known[key]; s != nil {
		return s, nil
	}
	if len(t.list) == maxSites {
		return nil, fmt.Errorf("more than %d places", maxSites)
	}
	s := &Site{Frames: frames, index: len(t.list)}
	t.known[key], t.list = s, append(t.list, s)
	return s, nil
}

// frameOf is a frame of its module, function with offset, and file with line, which may be empty.
func frameOf(fields []string) Frame {
	f := Frame{Module: path.Base(fields[0]), system: strings.Contains(fields[0], "/")}
	if len(fields) > 1 {
		f.Function = fields[1]
		if i := strings.LastIndex(fields[1], "+0x"); i >= 0 {
			f.Function, f.Offset = fields[1][:i], fields[1][i:]
		}
	}
	if len(fields) > 2 && fields[2] != "" {
		file, line, _ := strings.Cut(fields[2], ":")
		n, err := strconv.Atoi(line)
		if err == nil && n > 0 && n <= 1<<24 {
			f.File, f.Line = path.Base(file), n
		}
	}
	return f
}

// String is "grid.F90:120", or as much as is known: "cp_grid+0x1f", "app+0x4010".
func (f Frame) String() string {
	switch {
	case f.Line > 0:
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	case strings.HasPrefix(f.Function, "0x"):
		return f.Module + "+" + f.Function
	case f.Function != "":
		return plainName(f.Function) + f.Offset
	}
	return f.Module
}

// Full is the function and the line, or as much as is known: "work, grid.c:120".
func (f Frame) Full() string {
	if name := plainName(f.Function); name != "" && f.Line > 0 {
		return name + ", " + f.String()
	}
	return f.String()
}
