// Package job reads where the ranks of a real MPI job ran, and on what hardware: the archive that the
// program of package probe writes on a cluster.
//
// Model: a tar archive, plain or compressed, holds job.txt and the topologies that it names. The first line
// of job.txt is "commsplit job 1"; then come, separated by tabs,
//
//	host	NAME	TOPOLOGY
//	rank	N	NAME	PUS
//
// and comments after '#'. TOPOLOGY is a file of the archive, an hwloc XML file whose name ends in .xml, or the
// files of a Linux machine's proc and sys: a folder of the archive, or a file whose name ends in .files, which
// lists them (fsroot.Listed) and is a tenth as large; hosts may share one. Ranks count from 0; the line of a rank's
// host comes before the rank's line. PUS are the os indexes of the PUs that the rank might use, such as
// 0-3,8. A host has the PUs that its topology allows and those that its ranks used.
//
// The package ignores other files of the archive: a recording also has the calls of the ranks.
//
// The file does not name the MPI library and the launcher, nor the environment.
package job

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// limits bound how much a file may make us hold: a million ranks, and hundreds of different large machines.
var limits = fsroot.Bounds{Unpacked: 1 << 30, Content: 256 << 20, File: 64 << 20, Entries: 1 << 20, Unended: true}

// writer names the program that writes the file.
const writer = "the probe"

// Job is what a file holds.
type Job struct {
	Hosts []*hw.Object  // the machines, each with its name, in the order of the file; at least one
	Ranks []*hw.Binding // by rank, with indexes into Hosts; at least one
	Notes []string      // what the topologies tell, with the hosts that it is about
}

// Read reads the file at path. The error names path, the file in the archive and its line.
func Read(ctx context.Context, path string) (*Job, error) {
	var j *Job
	archive, err := fsroot.UnpackFile(ctx, path, writer, limits)
	if err == nil {
		j, err = read(archive)
	}
	if err != nil {
		return nil, fmt.Errorf("job:%s: %w", path, err)
	}
	return j, nil
}

func read(archive fs.FS) (*Job, error) {
	text, err := fs.ReadFile(archive, listFile)
	if err != nil {
		return nil, fmt.Errorf("it contains no %s: want the complete archive of the probe", listFile)
	}
	l, err := parse(string(text))
	if err != nil {
		return nil, err
	}
	return l.job(archive)
}

// listFile is the file of the archive that tells which rank ran where; title is its first line.
const (
	listFile = "job.txt"
	title    = "commsplit job 1"
)

const (
	maxHosts = 1 << 17
	maxName  = 255 // bytes of a host's name
	maxPU    = 1<<16 - 1
)

// listed is the content of job.txt, before the topologies are read.
type listed struct {
	hosts []host
	ranks []rank
	names map[string]int    // hosts by name
	sets  map[string]hw.Set // PUs by text: most ranks share theirs with others
}

type host struct {
	line     int // of the file, from 1
	name     string
	topology string // a path in the archive
	used     hw.Set // PUs that its ranks used
}

type rank struct {
	line int
	host int
	pus  hw.Set
}

// parse reads the lines of job.txt. The error has the number of the line.
func parse(text string) (*listed, error) {
	l := &listed{names: map[string]int{}, sets: map[string]hw.Set{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		var err error
		switch before, _, _ := strings.Cut(line, "\t"); {
		case n == 1:
			err = checkTitle(line)
		case line == "", strings.HasPrefix(line, "#"):
		case before == "host":
			err = l.addHost(n, strings.Split(line, "\t"))
		case before == "rank":
			err = l.addRank(n, strings.Split(line, "\t"))
		default:
			err = fmt.Errorf(`%q is neither a host nor a rank: want "host NAME TOPOLOGY" or "rank N NAME PUS", `+
				"separated by tabs", hw.Clip(line))
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", listFile, n, err)
		}
	}
	if n == 0 {
		return nil, fmt.Errorf("%s:1: %w", listFile, checkTitle(""))
	}
	if len(l.ranks) == 0 {
		return nil, fmt.Errorf("%s: it has no ranks: want a line \"rank 0 NAME PUS\" and one for each further rank", listFile)
	}
	return l, nil
}

func checkTitle(line string) error {
	if version, ok := strings.CutPrefix(line, "commsplit job "); ok && line != title {
		return fmt.Errorf("format %q is not known: this program reads %q", hw.Clip(version), title)
	}
	if line != title {
		return fmt.Errorf("%q where %q was expected", hw.Clip(line), title)
	}
	return nil
}

// addHost takes in "host NAME TOPOLOGY".
func (l *listed) addHost(line int, fields []string) error {
	if len(fields) != 3 {
		return fmt.Errorf("a host has a name and a topology, separated by tabs, not %d fields", len(fields)-1)
	}
	name := fields[1]
	if name == "" || len(name) > maxName || strings.Trim(name, nameBytes) != "" {
		return fmt.Errorf("%q is not a name of a host: want letters, digits, '.', '-' and '_'", hw.Clip(name))
	}
	if k, ok := l.names[name]; ok {
		return fmt.Errorf("host %s already exists, in line %d", name, l.hosts[k].line)
	}
	if len(l.hosts) == maxHosts {
		return fmt.Errorf("more than %d hosts", maxHosts)
	}
	l.names[name] = len(l.hosts)
	l.hosts = append(l.hosts, host{line: line, name: name, topology: fields[2]})
	return nil
}

const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

// addRank takes in "rank N NAME PUS".
func (l *listed) addRank(line int, fields []string) error {
	if len(fields) != 4 {
		return fmt.Errorf("a rank has a number, a host and PUs, separated by tabs, not %d fields", len(fields)-1)
	}
	switch want := len(l.ranks); {
	case fields[1] != strconv.Itoa(want):
		return fmt.Errorf("rank %q where rank %d was expected: ranks count from 0", hw.Clip(fields[1]), want)
	case want == placement.MaxRanks:
		return fmt.Errorf("more than %d ranks", placement.MaxRanks)
	}
	k, ok := l.names[fields[2]]
	if !ok {
		return fmt.Errorf("host %q has no line before this one", hw.Clip(fields[2]))
	}
	pus, err := l.set(fields[3])
	if err != nil {
		return err
	}
	l.hosts[k].used.Merge(pus)
	l.ranks = append(l.ranks, rank{line, k, pus})
	return nil
}

// set reads the PUs of a rank.
func (l *listed) set(text string) (hw.Set, error) {
	if s, ok := l.sets[text]; ok {
		return s, nil
	}
	s, err := hw.ParseListUpTo(text, maxPU)
	if err != nil || s.Empty() {
		return s, fmt.Errorf("%q is not a list of PUs between 0 and %d, such as 0-3,8", hw.Clip(text), maxPU)
	}
	l.sets[text] = s
	return s, nil
}
