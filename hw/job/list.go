package job

import (
	"fmt"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

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
