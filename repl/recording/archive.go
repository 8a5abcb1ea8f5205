// Package recording reads the archive that the recorder of package hw/job/recorder wrote about a program under a
// real MPI: which communicators each process made, and where. It puts together the records of the processes, writes
// the calls as a script of a session, and counts the calls by their call sites in the program.
//
// Model: a process numbers its communicators in the order in which it made them, so that a communicator may have
// another number in each process. The n-th collective call that a process makes on a communicator is the n-th for
// all members of the communicator (MPI-5.0 §6.14): such a call is a meeting. All processes to which a meeting gave a
// communicator with the same leader hold the same communicator. This is enough to know every group.
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

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/source"
	"codeberg.org/commsplit/commsplit/repl/recording/traces"
)

// limits bounds how much memory the reading of an archive may take.
var limits = fsroot.Bounds{Unpacked: 2 << 30, Content: 1 << 30, File: 256 << 20, Entries: 1 << 20, Once: true, Unended: true}

// The files of an archive, and the first lines of the recorder's own files.
const (
	recordFile  = "record.txt"
	callsFolder = "calls"
	jobFile     = "job.txt"

	recordTitle = "commsplit record"
	callsTitle  = "commsplit calls"
	newest      = 2 // the format that the recorder writes; older formats are read as well

	writer = "the recorder" // of an archive
)

// PartsFolder is the ending of the folder with the files of killed processes, which has the archive's name otherwise.
const PartsFolder = ".parts"

// Recording is a recorded run, as its archive tells it.
type Recording struct {
	Path      string // of the archive
	RunID     string
	Library   deviation.Release
	Std       engine.Std // the version of the standard that the library told; 0 when unknown
	Processes []*Process // by world rank
	Hosts     bool       // the archive also has the hosts, and where the ranks ran
	Trace     string     // what was read in place of an archive: "DUMPI", "OTF2"; "" for an archive
	Messages  bool       // which communicators carried messages is known
	Alone     bool       // not all processes had the recorder: each process with the recorder recorded alone

	program  string  // its base name
	sites    []*Site // in the order in which the processes, by rank, first name them
	comms    []*comm // all communicators, MPI_COMM_WORLD first, without MPI_COMM_SELF
	meetings []*meeting
	places   int // of members of communicators and groups, in all
	notes    []string

	ordered []*statement // nil: not ordered yet
	script  []Line       // nil: not written yet
	told    []string
}

// Process is the record of one process.
type Process struct {
	Rank      int
	End       string // "finalize", "exit", "abort" or "signal N"; "" when the process wrote no end
	Missing   bool   // the process wrote nothing
	Handled   bool   // it ended while the program's own handler had its signal, and made no call after that
	Truncated int    // the number of the first call that is only counted; 0: all calls are kept

	Fault *Frame // where the process died; nil when that is not known

	calls  []call
	counts []count
	growth []growth
	holds  []hold
	freers map[countKey]map[*Site]int64 // where the communicators of a place are freed, and how many
	alive  int64                        // communicators at the end
	peak   int64                        // the most at once

	comms  map[int32]*comm   // by the process's number
	groups map[int32][]int32 // world ranks, by the process's number
	used   []int32           // numbers of communicators that carried messages
	unseen []string          // libraries and calls that carry messages unseen: "libx.so calls PMPI_Send"
	later  map[int32]bool    // numbers of communicators from nonblocking calls that have not met yet
	times  map[string]int    // how often the process came to calls that a group makes, by the key of such a call

	streams []*stream // its threads
	level   int       // of the last of its meetings
}

// Site is a place in the recorded program.
type Site struct {
	Frames []Frame // the innermost first; at least one
	depth  int     // of the frame that the site is named after
	more   int     // how many callers of that frame its name has, since other sites share the frame
	exact  bool    // its name has the address, since other sites share line and callers
	index  int

	layered bool // a library made the call for the program
}

// Frame is where a call was made, as far as the symbols of the program tell.
type Frame struct {
	Module   string // base name of the program or library
	Function string // "" when its symbols are gone
	Offset   string // "+0x1f", in the function or the module
	File     string // base name
	Line     int

	system bool // the frame is in the system, or in MPI
}

// Read reads an archive. Its error has one line, which names the archive and the file in it.
func Read(ctx context.Context, file string) (*Recording, error) {
	var r *Recording
	var archive fs.FS
	head, err := headOf(file)
	if err == nil && traces.Is(head) {
		archive, err = traces.Read(ctx, file, head)
	} else {
		archive, err = fsroot.UnpackFile(ctx, file, writer, limits)
	}
	if err == nil {
		r, err = read(ctx, archive, os.DirFS(file+PartsFolder))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	r.Path = file
	return r, nil
}

// Is reports whether a file is an archive or a trace, and no script. It reports false for a file that cannot be read.
func Is(file string) bool {
	head, err := headOf(file)
	return err == nil && (len(head) == headSize && bytes.HasPrefix(head[257:], []byte("ustar")) || bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || traces.Is(head))
}

const headSize = 512

// headOf returns the first bytes of a file, and none where it is not a regular file.
func headOf(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, _ := io.ReadFull(f, head)
	return head[:n], nil
}

// ReadArchive reads an archive that is not a file.
func ReadArchive(ctx context.Context, from io.Reader) (*Recording, error) {
	archive, err := fsroot.Unpack(ctx, from, writer, limits)
	if err != nil {
		return nil, err
	}
	return read(ctx, archive, nil)
}

// read reads an archive, and from the folder of parts the files of processes that are not in the archive.
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
	err = r.assemble()
	r.markUsed()
	return r, err
}

// markUsed marks the communicators that were used: for messages, or for their groups.
func (r *Recording) markUsed() {
	var unseen []string
	for _, p := range r.Processes {
		for i := range p.calls {
			if c := &p.calls[i]; c.op.kind == grouping {
				p.used = append(p.used, c.comm)
			}
		}
		for _, id := range p.used {
			if c := p.comms[id]; c != nil {
				c.carried = true
			}
		}
		unseen = append(unseen, p.unseen...)
	}
	slices.Sort(unseen)
	if unseen = slices.Compact(unseen); r.Messages && len(unseen) > 0 {
		r.Messages = false
		r.notes = append(r.notes, "which communicators were never used is not known, as the recorder does not see all messages: "+strings.Join(unseen, ", "))
	}
}

// mostRanks bounds how many processes the head of an archive may claim, however small the archive is.
const mostRanks = 1 << 20

// plain returns an error for a control character, which no recorder writes and a terminal would obey. The error begins
// with the number of the line.
func plain(text string) error {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 0x20 && c != 0x7f && c != 0xc2, c == '\t', c == '\n', c == '\r':
			continue
		case c == 0xc2 && (i+1 == len(text) || text[i+1] >= 0xa0): // the other control characters have two bytes
			continue
		}
		return fmt.Errorf("%d: there is a control character in the line", 1+strings.Count(text[:i], "\n"))
	}
	return nil
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
		case "program":
			r.program = unquoted(value)
		case "library":
			r.Library = deviation.Identify(source.Plain(unquoted(value)))
		case "standard":
			r.Std = standard(value)
		case "trace":
			r.Trace, r.Messages = source.Plain(value), true
		case "messages":
			r.Messages = value == "noted"
		case "note":
			r.notes = append(r.notes, source.Plain(value))
		case "alone":
			r.Alone = true
		case "ranks":
			var err error
			if ranks, err = strconv.Atoi(value); err != nil || ranks < 1 || ranks > mostRanks {
				return fmt.Errorf("%s:%d: %q is not a number of ranks: 1 to %d are possible", recordFile, n, hw.Clip(value), mostRanks)
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

// standard reads a version of the standard as the recorder writes it, "3.1"; 0 for other texts.
func standard(text string) engine.Std {
	major, minor, _ := strings.Cut(text, ".")
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	if err1 != nil || err2 != nil || a < 1 || a > 9 || b < 0 || b > 9 {
		return 0
	}
	return engine.Std(10*a + b)
}

// checkTitle checks the first line of a file of the recorder: its title and its format.
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
		return fmt.Errorf("%s: it is not a folder", callsFolder)
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
			return fmt.Errorf("%s: it is not a file", name)
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

// readParts reads the files of processes that are not in the archive because they were killed.
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
		text = text[:bytes.LastIndexByte(text, '\n')+1] // the file has room behind the text; the last line may be cut
		if title := fmt.Sprintf("%s\t%d\t%s\t%d\n", callsTitle, newest, r.RunID, p.Rank); !bytes.HasPrefix(text, []byte(title)) {
			continue // of another run with the same archive name
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

// Waits reports whether processes were in a call at the end of the program, and no process had returned from it.
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

// siteTable has one Site for each place, although several processes name it.
type siteTable struct {
	list  []*Site
	known map[string]*Site // by text
	find  finder
}

// maxSites bounds how many places a program may have.
const maxSites = 1 << 20

// add returns the site of frames, the innermost first. It skips frames in the system or in MPI, because a person can
// change only the program: all calls through one place of the program are one site.
func (t *siteTable) add(frames []Frame) (*Site, error) {
	user := userFrames(frames)
	layered := slices.ContainsFunc(frames[:len(frames)-len(user)], inLibrary)
	frames = user
	key := fmt.Sprint(frames)
	if s := t.known[key]; s != nil {
		s.layered = s.layered || layered
		return s, nil
	}
	if len(t.list) == maxSites {
		return nil, fmt.Errorf("more than %d places", maxSites)
	}
	s := &Site{Frames: frames, index: len(t.list), layered: layered}
	t.known[key], t.list = s, append(t.list, s)
	return s, nil
}

// framesOf returns frames of three fields each: module, function with offset, and file with line. The last two may be
// empty.
func framesOf(fields []string) (frames []Frame) {
	for three := range slices.Chunk(fields, 3) {
		f := Frame{Module: path.Base(three[0]), Function: three[1], system: strings.Contains(three[0], "/")}
		if i := strings.LastIndex(three[1], "+0x"); i >= 0 {
			f.Function, f.Offset = three[1][:i], three[1][i:]
		}
		file, line, _ := strings.Cut(three[2], ":")
		if n, err := strconv.Atoi(line); err == nil && n > 0 && n <= 1<<24 {
			f.File, f.Line = path.Base(file), n
		}
		frames = append(frames, f)
	}
	return frames
}

// String returns "grid.F90:120", or as much as is known: "cp_grid+0x1f", "app+0x4010".
func (f Frame) String() string {
	switch {
	case f.Line > 0:
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	case strings.HasPrefix(f.Function, "0x"):
		return f.Module + "+" + f.Function
	case f.Function != "":
		return f.plain() + f.Offset
	}
	return f.Module
}

// plain returns the name of the function as the program's text has it.
func (f Frame) plain() string {
	if f.Module == pythonModule {
		return f.Function
	}
	return plainName(f.Function)
}

// Full returns the function and the line, or as much as is known: "work, grid.c:120".
func (f Frame) Full() string {
	if name := f.plain(); name != "" && f.Line > 0 {
		return name + ", " + f.String()
	}
	return f.String()
}
