package confirm

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/recording"
)

// held is a process's account of a communicator. Equal values compare with ==.
type held struct {
	recording.Seat
	virtual string // the virtual topology: "grid 2,2 periods 0,1 at 1,0"; "" for none
	name    string // "" for none
}

// who returns h with the members and their order only.
func (h held) who() held {
	h.virtual, h.name = "", ""
	return h
}

// progress is how far a process has come, as it told.
type progress struct {
	at     int    // the last step that the process came to; 0 for none
	class  string // the error class that it got in that step, "" for none
	passed bool   // the attempted call returned
}

// key is a world rank, with a handle's index, a step or a communicator's id.
type key struct{ what, rank int }

// outcome is the lines that the processes of a run wrote, read into fields, and how the run ended.
type outcome struct {
	library  string
	standard int
	alone    bool // each process was in its own world
	ranks    []progress
	holds    map[key]held // by handle
	got      map[key]held // by step

	started, last time.Time // the start of the run, and the last line
	late          bool      // the run was ended at the limit
	err           error     // of mpirun
	said          string    // the beginning of mpirun's output
}

// The lines that a program for comparing writes. Other lines are skipped.
var (
	lineLibrary = regexp.MustCompile(`^standard (\d{2}), library (.+)$`)
	lineRank    = regexp.MustCompile(`^world rank (\d{1,7}) (.*)$`)
	lineAt      = regexp.MustCompile(`^at step (\d{1,9})$`)
	lineRaise   = regexp.MustCompile(`^raised (MPI_ERR_[A-Z_]+) at step \d{1,9}$`)
	linePass    = regexp.MustCompile(`^passed step \d{1,9}$`)
	lineHolds   = regexp.MustCompile(`^-> ([#@])(\d{1,9})(: MPI_COMM_NULL| led by (-?\d{1,9}), rank (-?\d{1,9}), size (-?\d{1,9})` +
		`(; remote led by (-?\d{1,9}), size (-?\d{1,9}))?(; (grid [-\d,]* periods [-\d,]* at [-\d,]*|(distributed )?graph))?(; named (.*))?)$`)
)

// take reads a line of a process into the outcome.
func (o *outcome) take(line string) {
	line = strings.TrimRight(line, "\r")
	if m := lineLibrary.FindStringSubmatch(line); m != nil && o.library == "" {
		o.standard, o.library = number(m[1]), m[2]
		return
	}
	m := lineRank.FindStringSubmatch(line)
	if m == nil {
		return
	}
	r := number(m[1])
	if r >= len(o.ranks) {
		return
	}
	p, text := &o.ranks[r], m[2]
	switch {
	case lineAt.MatchString(text):
		*p = progress{at: number(lineAt.FindStringSubmatch(text)[1])}
	case lineRaise.MatchString(text):
		p.class = lineRaise.FindStringSubmatch(text)[1]
	case linePass.MatchString(text):
		p.passed = true
	case text == "is alone":
		o.alone = true
	default:
		o.takeHolding(r, lineHolds.FindStringSubmatch(text))
	}
	o.last = time.Now()
}

func (o *outcome) takeHolding(r int, m []string) {
	if m == nil {
		return
	}
	h := held{recording.Seat{Null: m[3] == ": MPI_COMM_NULL", Leader: number(m[4]), Rank: number(m[5]), Size: number(m[6]),
		Inter: m[7] != "", RemoteLeader: number(m[8]), Remote: number(m[9])}, m[11], m[14]}
	if m[1] == "@" {
		o.got[key{number(m[2]), r}] = h
		return
	}
	o.holds[key{number(m[2]), r}] = h
}

// number reads digits that a pattern has found; no digits are 0.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// holding returns the communicator with that id as the engine gives it to a process; for id -1, MPI_COMM_NULL.
func holding(s *engine.Snapshot, id int32, rank int) held {
	k := s.Comm(int(id))
	if id < 0 || k == nil {
		return held{Seat: recording.Seat{Null: true}}
	}
	if id == 1 { // MPI_COMM_SELF is each process' own
		return held{Seat: recording.Seat{Leader: rank, Size: 1}}
	}
	mine, other := k.Group, k.Remote
	at := slices.Index(mine, int32(rank))
	if at < 0 {
		mine, other = other, mine
		at = slices.Index(mine, int32(rank))
	}
	h := held{Seat: seatIn(mine, other, at)}
	switch k.Topo() {
	case engine.TopoCart:
		dims, periods, coords := k.Grid(at)
		h.virtual = "grid " + joined(dims) + " periods " + joined(periods) + " at " + joined(coords)
	case engine.TopoGraph:
		h.virtual = "graph"
	case engine.TopoDistGraph:
		h.virtual = "distributed graph"
	}
	return h
}

// seatIn returns the place of the member with that rank in a group; other is the other group of an intercommunicator.
func seatIn(group, other []int32, rank int) recording.Seat {
	s := recording.Seat{Leader: int(group[0]), Rank: rank, Size: len(group)}
	if other != nil {
		s.Inter, s.RemoteLeader, s.Remote = true, int(other[0]), len(other)
	}
	return s
}

// joined returns "2,0,1" for numbers, "1,0" for flags.
func joined[T int | bool](list []T) string {
	return strings.NewReplacer("[", "", "]", "", " ", ",", "true", "1", "false", "0").Replace(fmt.Sprint(list))
}

// listener reads the files of the processes of a run while the processes write them.
type listener struct {
	paths []string
	files []*os.File // nil until the file exists
	rest  [][]byte   // the beginning of a line
	total int
}

func newListener(folder string, size int) *listener {
	l := &listener{files: make([]*os.File, size), rest: make([][]byte, size)}
	for r := range size {
		l.paths = append(l.paths, filepath.Join(folder, "rank-"+strconv.Itoa(r)))
	}
	return l
}

// read gives the new lines to out. It reports false when more than mostOutput bytes have come.
func (l *listener) read(out *outcome) bool {
	buffer := make([]byte, 1<<16)
	for r := range l.files {
		if l.files[r] == nil {
			l.files[r], _ = os.Open(l.paths[r]) // not there yet
		}
		for l.files[r] != nil && l.total <= mostOutput {
			n, _ := l.files[r].Read(buffer) // at the end for now
			if n == 0 {
				break
			}
			l.total += n
			l.rest[r] = append(l.rest[r], buffer[:n]...)
			for {
				line, rest, ok := bytes.Cut(l.rest[r], []byte("\n"))
				if !ok {
					break
				}
				out.take(string(line))
				l.rest[r] = rest
			}
		}
	}
	return l.total <= mostOutput
}

func (l *listener) close() {
	for _, f := range l.files {
		_ = f.Close() // it was only read, or does not exist yet
	}
}
