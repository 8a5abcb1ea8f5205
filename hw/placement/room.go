package placement

import (
	"fmt"

	"commsplit/hw"
)

// room is how many processes a mapping has place for.
type room struct {
	onHost [][]int32 // by host: the objects of the mapping
	fits   []int     // by host: processes that go there before anything is shared
	total  int       // all of these
	plain  int       // cores, or PUs without cores: one rank each when nobody says
}

// findRoom counts the CPUs of the hosts and of the objects of the mapping.
func (m *mapping) findRoom(t *hw.Topology) {
	m.onHost = byHosts(t, m.by)
	m.fits = make([]int, len(t.Hosts))
	for h, list := range byHosts(t, m.cpus) {
		if len(m.onHost[h]) > 0 || m.by.Type == hw.Level {
			m.fits[h] = len(list) / max(m.pe, 1)
		}
	}
	if m.pe > 1 && m.by.Type != hw.Machine && m.by.Type != hw.Level {
		held := cpusIn(t, m.by, m.cpus)
		for h, list := range m.onHost {
			m.fits[h] = 0
			for _, k := range list {
				m.fits[h] += held[k] / m.pe
			}
		}
	}
	m.total, m.plain = 0, len(coresOrPUs(t).Instances)
	for _, fit := range m.fits {
		m.total += fit
	}
}

// natural is how many ranks the mapping makes by itself.
func (m *mapping) natural() int {
	switch objects := len(m.by.Instances); {
	case m.order == byObject:
		return min(m.each, MaxRanks/objects+1) * objects
	case m.pe > 1 || m.threads:
		return m.total
	}
	return m.plain
}

// checkRoom refuses what cannot be mapped.
func (m *mapping) checkRoom(t *hw.Topology, n int) error {
	switch {
	case m.order == byObject && n > m.natural():
		return fmt.Errorf("--map-by %s: %d processes are more than the ppr for this topology can "+
			"support: %d on %s; use -n %d or less", m.text, n, m.natural(),
			plural(len(m.by.Instances), m.by.Instances[0].TypeName()), m.natural())
	case m.total == 0 && m.pe > 1:
		return m.tooLow(m.by.Instances[0], cpusIn(t, m.by, m.cpus)[0])
	case m.total == 0:
		return fmt.Errorf("--map-by %s: no host has both a %s and a %s", m.text,
			m.by.Instances[0].TypeName(), m.cpus.Instances[0].TypeName())
	case m.limited && n > m.total:
		return m.notEnough(n, m.total)
	}
	if m.limited && m.order == byObject {
		for h, list := range m.onHost {
			if here := m.each * len(list); here > m.fits[h] && n > m.fits[h] {
				return m.notEnough(min(n, here), m.fits[h])
			}
		}
	}
	return nil
}

func (m *mapping) notEnough(n, have int) error {
	return fmt.Errorf("--map-by %s: there are not enough slots available in the system to satisfy the "+
		"%d slots that were requested: there are %d; leave out nooversubscribe to share them", m.text, n, have)
}

// tooLow is the error for pe=N on an object that has fewer CPUs.
func (m *mapping) tooLow(o *hw.Object, has int) error {
	advice := "use a smaller pe"
	if m.by.Type != hw.Machine {
		advice += fmt.Sprintf(", or map to a larger object, such as slot:pe=%d", m.pe)
	}
	return fmt.Errorf("--map-by %s: a request for multiple cpus per process was given, but a %s has only %s; %s",
		m.text, o.TypeName(), plural(has, m.unit()), advice)
}

// unit is what the mapping calls a CPU.
func (m *mapping) unit() string {
	if m.cpus.Type == hw.PU {
		return "hwthread"
	}
	return "core"
}

// byHosts lists the instances of a resource by host; those above hosts are on
// none.
func byHosts(t *hw.Topology, r *hw.Resource) [][]int32 {
	lists := make([][]int32, len(t.Hosts))
	if r.Type == hw.Level {
		return lists
	}
	for k, o := range r.Instances {
		h := t.HostIndex(o)
		lists[h] = append(lists[h], int32(k))
	}
	return lists
}

// cpusIn counts for each instance of a resource the CPUs inside of it.
func cpusIn(t *hw.Topology, r, cpus *hw.Resource) []int {
	count := make([]int, len(r.Instances))
	for _, c := range cpus.Instances {
		if k := r.InstanceOf(t.HostIndex(c), c.CPUSet); k >= 0 && inside(c, r.Instances[k]) {
			count[k]++
		}
	}
	return count
}

// inside reports whether o's PUs are all in outer, which is on o's host or
// above it.
func inside(o, outer *hw.Object) bool {
	return outer.Type == hw.Level || o.CPUSet.SubsetOf(outer.CPUSet)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
