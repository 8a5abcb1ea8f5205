package placement

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

// maxRankfile is the largest size of a rankfile in bytes.
const maxRankfile = 256 << 20

// entry is one line of a rankfile: the host and the PUs of a rank.
type entry struct {
	line int // of the file, from 1
	host int
	set  hw.Set
}

// rankLine matches "rank N=HOST slot=LIST".
var rankLine = regexp.MustCompile(`^rank\s+(\d+)\s*=\s*(\S+)\s+slots?\s*=\s*(.*\S)$`)

// readRankfile reads the places of ranks from a file.
func (plan *Plan) readRankfile(path string) error {
	f, err := wholefile.Open(path)
	if err != nil {
		return fmt.Errorf("--rankfile: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRankfile+1))
	if err != nil {
		return fmt.Errorf("--rankfile: %w", err)
	}
	if len(text) > maxRankfile {
		return fmt.Errorf("--rankfile %s: the file has more than %d MB", path, maxRankfile>>20)
	}
	plan.file = path
	return plan.parseRankfile(string(text))
}

// parseRankfile reads the lines of a rankfile; they must name all ranks from 0
// on, each once.
func (plan *Plan) parseRankfile(text string) error {
	cpus, lines, most := newCPUs(plan.topology), map[int]entry{}, -1
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		rank, e, err := plan.parseRank(cpus, line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", plan.file, i+1, err)
		}
		if old := lines[rank].line; old > 0 {
			return fmt.Errorf("%s:%d: rank %d already has its place in line %d", plan.file, i+1, rank, old)
		}
		e.line = i + 1
		lines[rank], most = e, max(most, rank)
	}
	switch {
	case most < 0:
		return fmt.Errorf("%s: no line %q", plan.file, "rank N=HOST slot=LIST")
	case plan.Size > most+1:
		return fmt.Errorf("%s: -n %d, but it has places only for ranks 0 to %d", plan.file, plan.Size, most)
	case plan.Size == 0:
		plan.Size = most + 1
	}
	for rank := range plan.Size {
		e, ok := lines[rank]
		if !ok {
			return fmt.Errorf("%s: rank %d is missing: each of ranks 0 to %d needs a line", plan.file,
				rank, plan.Size-1)
		}
		plan.lines = append(plan.lines, e)
	}
	return nil
}

// parseRank reads one line.
func (plan *Plan) parseRank(cpus *cpus, line string) (rank int, e entry, err error) {
	part := rankLine.FindStringSubmatch(line)
	if part == nil {
		return 0, e, fmt.Errorf("%q is not a rank: want rank N=HOST slot=LIST, such as rank 0=%s slot=0:0-1",
			line, plan.topology.Hosts[0].Name)
	}
	if rank, err = strconv.Atoi(part[1]); err != nil || rank >= MaxRanks {
		return 0, e, fmt.Errorf("rank %s: want at most %d", part[1], MaxRanks-1)
	}
	if e.host, err = plan.findHost(part[2]); err == nil {
		e.set, err = cpus.parseSlots(e.host, part[3])
	}
	return rank, e, err
}

// findHost returns the host of a name, or the Kth host for "+nK".
func (plan *Plan) findHost(name string) (int, error) {
	hosts := plan.topology.Hosts
	if number, ok := strings.CutPrefix(strings.ToLower(name), "+n"); ok {
		if k, err := strconv.Atoi(number); err == nil && k >= 0 && k < len(hosts) {
			return k, nil
		}
		return 0, fmt.Errorf("%s: want +n0 to +n%d", name, len(hosts)-1)
	}
	for k, h := range hosts {
		if h.Name == name || name == "localhost" && len(hosts) == 1 {
			return k, nil
		}
	}
	if len(hosts) == 1 {
		return 0, fmt.Errorf("there is no host %q: the host is %s, or +n0", name, hosts[0].Name)
	}
	return 0, fmt.Errorf("there is no host %q: the hosts are %s to %s, or +n0 to +n%d", name, hosts[0].Name,
		hosts[len(hosts)-1].Name, len(hosts)-1)
}

// placeLines binds ranks to the places in their lines.
func (plan *Plan) placeLines() ([]*hw.Binding, error) {
	shared := hw.Bindings{}
	ranks := make([]*hw.Binding, plan.Size)
	for r, e := range plan.lines {
		ranks[r] = shared.Of(e.host, e.set)
	}
	return ranks, nil
}

// cpus are the CPUs of hosts and of their packages, in logical order: the
// numbers of a rankfile.
type cpus struct {
	topology *hw.Topology
	kind     *hw.Resource // cores, or PUs without cores
	packages *hw.Resource // nil when the topology has none
	onHost   [][]int32    // by host: CPUs
	sockets  [][]int32    // by host: packages
	inSocket [][]int32    // by package: CPUs
}

func newCPUs(t *hw.Topology) *cpus {
	c := &cpus{topology: t, kind: t.ResourceOf(coresOrPUs(t)), packages: t.ResourceOf(hw.Package)}
	c.onHost = byHosts(t, c.kind)
	c.sockets = make([][]int32, len(t.Hosts))
	if c.packages == nil {
		return c
	}
	c.sockets = byHosts(t, c.packages)
	c.inSocket = make([][]int32, len(c.packages.Instances))
	for i, o := range c.kind.Instances {
		if k := c.packages.InstanceOf(t.HostIndex(o), o.CPUSet); k >= 0 {
			c.inSocket[k] = append(c.inSocket[k], int32(i))
		}
	}
	return c
}

// scope is the list of objects that numbers of a slot list count.
type scope struct {
	of    *hw.Resource // nil: PUs by os index
	list  []int32      // its instances that can be meant
	where string       // "node0", "package 1 of node0"
}

// parseSlots reads the places of a rank on a host: "2" and "0-3" are cores of
// the host, "1:0-2" and "1:0,2" are cores of its package 1, "1:*" and "s1" are
// all cores of that package; "p8" is the core that holds PU 8. Pieces are
// joined by "," or ";"; after a ";" numbers are the host's cores again. This is
// mpirun(1) of Open MPI 4.1; the program itself takes the 1 of "0:0,1" for a
// package.
func (c *cpus) parseSlots(host int, text string) (hw.Set, error) {
	var set hw.Set
	for _, item := range strings.Split(text, ";") {
		in := scope{c.kind, c.onHost[host], c.topology.Hosts[host].Name}
		for _, piece := range strings.Split(item, ",") {
			if err := c.addPiece(&set, host, &in, strings.ToLower(strings.TrimSpace(piece))); err != nil {
				return hw.Set{}, fmt.Errorf("slot=%s: %w", text, err)
			}
		}
	}
	return set, nil
}

// addPiece adds one piece of a list, which may change the scope.
func (c *cpus) addPiece(set *hw.Set, host int, in *scope, piece string) error {
	name := c.topology.Hosts[host].Name
	socket, cores, two := strings.Cut(piece, ":")
	switch {
	case two:
		packages := scope{c.packages, c.sockets[host], name}
		lo, hi, err := packages.span(strings.TrimPrefix(socket, "s"))
		if err != nil {
			return err
		}
		if lo != hi {
			return fmt.Errorf("%q: want one package before the colon", piece)
		}
		*in = scope{c.kind, c.inSocket[packages.list[lo]], fmt.Sprintf("package %d of %s", lo, name)}
		piece = strings.TrimPrefix(cores, "c")
	case strings.HasPrefix(piece, "s"):
		*in, piece = scope{c.packages, c.sockets[host], name}, piece[1:]
	case strings.HasPrefix(piece, "p"):
		*in, piece = scope{nil, nil, name}, piece[1:]
	}
	if in.of == nil {
		return c.addPhysical(set, host, piece)
	}
	lo, hi, err := in.span(piece)
	for i := lo; i <= hi && err == nil; i++ {
		set.Merge(in.of.Instances[in.list[i]].CPUSet)
	}
	return err
}

// span reads "3", "0-3" or "*" and returns the first and last index into the
// scope's list.
func (in *scope) span(text string) (lo, hi int, err error) {
	noun := "core"
	if in.of != nil && in.of.Type == hw.PU {
		noun = "hwthread"
	} else if in.of == nil || in.of.Type == hw.Package {
		noun = "package"
	}
	last := len(in.list) - 1
	if last < 0 {
		return 0, -1, fmt.Errorf("%s has no %ss", in.where, noun)
	}
	if text == "*" {
		return 0, last, nil
	}
	lo, hi, err = hw.ParseRange(text, noun)
	if err == nil && hi > last {
		err = fmt.Errorf("%q: %s has no %s %d; it has 0-%d", text, in.where, noun, hi, last)
	}
	return lo, hi, err
}

// addPhysical adds the cores that hold PUs, which text gives by os index.
func (c *cpus) addPhysical(set *hw.Set, host int, text string) error {
	pus, err := hw.ParsePUs(text, c.topology.Hosts[host])
	if err != nil {
		return err
	}
	for pu := pus.First(); pu >= 0; pu = pus.Next(pu + 1) {
		if k := c.kind.InstanceOf(host, hw.SetOf(pu)); k >= 0 {
			set.Merge(c.kind.Instances[k].CPUSet)
		} else {
			set.Add(pu) // this PU belongs to no core
		}
	}
	return nil
}

// placeList binds ranks to the explicit cpusets of a list such as "0,1,2-3+8".
// The list describes one host; each further pass over the list takes the next
// host, and after the last the first again.
func placeList(t *hw.Topology, n int, list string) ([]*hw.Binding, error) {
	entries := strings.Split(list, ",")
	if len(entries) > MaxRanks {
		return nil, fmt.Errorf("--bind has %d entries: want at most %d", len(entries), MaxRanks)
	}
	shared := hw.Bindings{}
	ranks := make([]*hw.Binding, n)
	round := len(entries) * len(t.Hosts)
	for i := range ranks {
		if i >= round {
			ranks[i] = ranks[i-round]
			continue
		}
		host := i / len(entries)
		set, err := hw.ParsePUs(entries[i%len(entries)], t.Hosts[host])
		if err != nil {
			return nil, fmt.Errorf("--bind: rank %d: %w", i, err)
		}
		ranks[i] = shared.Of(host, set)
	}
	return ranks, nil
}
