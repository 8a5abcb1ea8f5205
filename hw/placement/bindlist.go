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
		set, err := hw.ParsePUs(entries[i%len(entries)], t.Hosts[host])
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
