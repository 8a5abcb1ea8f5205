package placement

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"commsplit/hw"
)

// maxRankfile bounds what is read of a rankfile, in bytes.
const maxRankfile = 256 << 20

// entry is what a rankfile says of a rank.
type entry struct {
	line int // of the file, from 1
	host int
	set  hw.Set
}

// rankLine is "rank N=HOST slot=LIST".
var rankLine = regexp.MustCompile(`^rank\s+(\d+)\s*=\s*(\S+)\s+slots?\s*=\s*(.*\S)$`)

// readRankfile reads the ranks' places from a file.
func (plan *Plan) readRankfile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("--rankfile: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRankfile+1))
	if err != nil {
		return fmt.Errorf("--rankfile: %w", err)
	}
	if len(text) > maxRankfile {
		return fmt.Errorf("--rankfile %s: more than %d MB", path, maxRankfile>>20)
	}
	plan.file = path
	return plan.parseRankfile(string(text))
}

// parseRankfile reads the lines; ranks must be all from 0 on, each once.
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
			return fmt.Errorf("%s:%d: rank %d has its place already in line %d", plan.file, i+1, rank, old)
		}
		e.line = i + 1
		lines[rank], most = e, max(most, rank)
	}
	switch {
	case most < 0:
		return fmt.Errorf("%s: no line %q", plan.file, "rank N=HOST slot=LIST")
	case plan.size > most+1:
		return fmt.Errorf("%s: -n %d, but it has places for ranks 0 to %d only", plan.file, plan.size, most)
	case plan.size == 0:
		plan.size = most + 1
	}
	for rank := range plan.size {
		e, ok := lines[rank]
		if !ok {
			return fmt.Errorf("%s: rank %d is missing: each of ranks 0 to %d needs a line", plan.file,
				rank, plan.size-1)
		}
		plan.lines = append(plan.lines, e)
	}
	return nil
}

// parseRank reads one line.
func (plan *Plan) parseRank(cpus *cpus, line string) (rank int, e entry, err error) {
	part := rankLine.FindStringSubmatch(line)
	if part == nil {
		return 0, e, fmt.Errorf("%q is no rank: want rank N=HOST slot=LIST, such as rank 0=%s slot=0:0-1",
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

// findHost finds a host by its name, or the Kth by "+nK".
func (plan *Plan) findHost(name string) (int, error) {
	hosts := plan.topology.Hosts
	if number, ok := strings.CutPrefix(strings.ToLower(name), "+n"); ok {
		if k, err := strconv.Atoi(number); err == nil && k >= 0 && k < len(hosts) {
			return k, nil
		}
		return 0, fmt.Errorf("%s: want +n0 to +n%d", name, len(hosts)-1)
	}
	for k, h := range hosts {
		if h.Name == name {
			return k, nil
		}
	}
	if len(hosts) == 1 {
		return 0, fmt.Errorf("there is no host %q: it is %s, or +n0", name, hosts[0].Name)
	}
	return 0, fmt.Errorf("there is no host %q: they are %s to %s, or +n0 to +n%d", name, hosts[0].Name,
		hosts[len(hosts)-1].Name, len(hosts)-1)
}

// placeLines binds ranks as their lines say.
func (plan *Plan) placeLines() ([]*hw.Binding, error) {
	shared := map[place]*hw.Binding{}
	ranks := make([]*hw.Binding, plan.size)
	for r, e := range plan.lines {
		ranks[r] = share(shared, e.host, e.set)
	}
	return ranks, nil
}
