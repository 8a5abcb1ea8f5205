package placement

import (
	"fmt"
	"strings"

	"commsplit/hw"
)

// place is PUs of a host: what ranks that share a Binding have in common.
type place struct {
	host int
	set  string
}

// placeList binds ranks to the explicit cpusets of a list such as
// "0,1,2-3+8". The list describes one host; each further pass over it takes
// the next host, and after the last the first again.
func placeList(t *hw.Topology, n int, list string) ([]*hw.Binding, error) {
	entries := strings.Split(list, ",")
	if len(entries) > MaxRanks {
		return nil, fmt.Errorf("--bind has %d entries: want at most %d", len(entries), MaxRanks)
	}
	shared := map[place]*hw.Binding{}
	ranks := make([]*hw.Binding, n)
	round := len(entries) * len(t.Hosts)
	for i := range ranks {
		if i >= round {
			ranks[i] = ranks[i-round]
			continue
		}
		host := i / len(entries)
		set, err := parseEntry(entries[i%len(entries)], t.Hosts[host])
		if err != nil {
			return nil, fmt.Errorf("--bind: rank %d: %w", i, err)
		}
		ranks[i] = share(shared, host, set)
	}
	return ranks, nil
}

// share is the one Binding for PUs of a host.
func share(shared map[place]*hw.Binding, host int, set hw.Set) *hw.Binding {
	key := place{host, set.String()}
	if shared[key] == nil {
		shared[key] = &hw.Binding{Host: host, CPUSet: set}
	}
	return shared[key]
}

// parseEntry reads the PUs of one rank: "3", "0-1", "0-1+8".
func parseEntry(entry string, host *hw.Object) (hw.Set, error) {
	var set hw.Set
	for _, piece := range strings.Split(entry, "+") {
		piece = strings.TrimSpace(piece)
		lo, hi, err := parseSpan(piece, "PU")
		if err != nil {
			return hw.Set{}, err
		}
		for pu := lo; pu <= hi; pu++ {
			if !host.CPUSet.Has(pu) {
				return hw.Set{}, noPU(piece, pu, host)
			}
			set.Add(pu)
		}
	}
	return set, nil
}

// noPU is the error for a PU that ranks cannot have.
func noPU(piece string, pu int, host *hw.Object) error {
	if d := host.Details; d != nil && d.Disallowed.Has(pu) {
		return fmt.Errorf("%q: PU %d of %s is not allowed: ranks may use %s", piece, pu, host.Name, host.CPUSet)
	}
	if d := host.Details; d != nil && d.Offline.Has(pu) {
		return fmt.Errorf("%q: PU %d of %s is switched off: ranks may use %s", piece, pu, host.Name, host.CPUSet)
	}
	return fmt.Errorf("%q: %s has no PU %d; it has %s", piece, host.Name, pu, host.CPUSet)
}
