package hw

import (
	"fmt"
	"strconv"
	"strings"
)

// placeList binds ranks to the explicit cpusets of a list such as
// "0,1,2-3+8". The list describes one host; each further pass over it takes
// the next host, and after the last the first again.
func placeList(t *Topology, n int, p Policy) ([]*Binding, error) {
	if p.MapBy+p.RankBy+p.BindTo != "" {
		return nil, fmt.Errorf("--bind gives every rank its PUs: leave out --map-by, " +
			"--rank-by and --bind-to")
	}
	entries := strings.Split(p.List, ",")
	if len(entries) > MaxRanks {
		return nil, fmt.Errorf("--bind has %d entries: want at most %d", len(entries), MaxRanks)
	}
	type place struct {
		host int
		set  string
	}
	shared := map[place]*Binding{}
	ranks := make([]*Binding, n)
	round := len(entries) * len(t.Hosts)
	for i := range ranks {
		if i >= round {
			ranks[i] = ranks[i-round]
			continue
		}
		host := i / len(entries)
		set, err := ParsePUs(entries[i%len(entries)], t.Hosts[host])
		if err != nil {
			return nil, fmt.Errorf("--bind: rank %d: %w", i, err)
		}
		key := place{host, set.String()}
		if shared[key] == nil {
			shared[key] = &Binding{Host: host, CPUSet: set}
		}
		ranks[i] = shared[key]
	}
	return ranks, nil
}

// ParsePUs reads PUs of a host: "3", "0-1", "0-1,8" or, the same, "0-1+8".
// Errors: what is no PU or range, and PUs that the host does not have.
func ParsePUs(text string, host *Object) (Set, error) {
	var set Set
	for _, piece := range strings.Split(strings.ReplaceAll(text, ",", "+"), "+") {
		piece = strings.TrimSpace(piece)
		a, b, ranged := strings.Cut(piece, "-")
		if !ranged {
			b = a
		}
		lo, errA := strconv.Atoi(strings.TrimSpace(a))
		hi, errB := strconv.Atoi(strings.TrimSpace(b))
		if errA != nil || errB != nil || lo < 0 || hi < 0 {
			return Set{}, fmt.Errorf("%q is neither a PU nor a range such as 0-3", piece)
		}
		if hi < lo {
			return Set{}, fmt.Errorf("range %q runs backwards", piece)
		}
		for pu := lo; pu <= hi; pu++ {
			if !host.CPUSet.Has(pu) {
				return Set{}, noPU(piece, host, pu)
			}
			set.Add(pu)
		}
	}
	return set, nil
}

// CheckPUs is an error when set holds PUs that the host o does not have.
func (o *Object) CheckPUs(set Set) error {
	if missing := set.Minus(o.CPUSet); !missing.Empty() {
		return noPU(set.String(), o, missing.First())
	}
	return nil
}

// noPU says why nobody can run on a PU of a host.
func noPU(piece string, host *Object, pu int) error {
	why := "has no"
	if d := host.Details; d != nil && d.Offline.Has(pu) {
		why = "has switched off"
	} else if d != nil && d.Disallowed.Has(pu) {
		why = "does not let us use"
	}
	return fmt.Errorf("%q: %s %s PU %d; it has %s", piece, host.Name, why, pu, host.CPUSet)
}
