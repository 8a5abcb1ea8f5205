package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// mapping gives each process an object, in the order in which processes are
// created.
type mapping struct {
	text  string       // as written
	by    *hw.Resource // the objects; for slot and node the machines
	order order
	each  int // processes of an object in a row, with byObject

	devices [][]int32        // by host, when devices are mapped to: the object that each, or each group, is near to
	given   [][][]hw.Located // likewise: the devices of each group

	pe    int   // CPUs of a process, 0 when not said
	slots []int // by host; nil when not said

	cpus     *hw.Resource // whether cores or PUs count as CPUs
	threads  bool         // hardware threads were asked for as CPUs
	balanced bool         // :oversubscribe
	limited  bool         // :nooversubscribe
	shared   bool         // :shared, of devices

	room
}

// order is how a mapping goes over its objects.
type order int

const (
	byHost   order = iota // fill each host, going round its objects
	byTurn                // go round the objects of all hosts
	byObject              // ppr: fill each object
)

// readMapping reads --map-by.
func (m *mapping) readMapping(t *hw.Topology, text string) error {
	m.cpus = t.ResourceOf(coresOrPUs(t))
	if text == "" {
		m.by = m.cpus
		return nil
	}
	d := newDirective("--map-by", text)
	m.text = strings.ToLower(text)
	if d.word == "ppr" {
		var err error
		if d, err = m.readPPR(d); err != nil {
			return err
		}
	}
	known := mapModifiers
	if _, device := deviceWord(d.word); device {
		known = slices.Concat(mapModifiers, deviceModifiers)
	}
	set, wrong := d.modifiers(known)
	word, err := m.readObject(t, d, set)
	if err = cmp.Or(err, wrong); err != nil {
		return err
	}
	m.pe, m.threads = set["pe"], set.has("hwtcpus")
	m.balanced, m.limited, m.shared = set.has("oversubscribe"), set.has("nooversubscribe"), set.has("shared")
	byThread := m.order != byObject && m.by != nil && m.by.Type == hw.PU
	if m.threads || byThread && !set.has("corecpus") {
		m.cpus = t.ResourceOf(hw.PU)
	}
	switch {
	case word == "slot" && m.order == byObject:
		return fmt.Errorf("--map-by %q: ppr needs an object, and a slot is not an object", text)
	case word == "slot" || word == "" && m.pe > 1:
		m.by = t.ResourceOf(hw.Machine)
	case word == "":
		m.by = m.cpus
	case m.order != byObject && (m.by.Type == hw.Machine || m.by.Type == hw.Level):
		m.order = byTurn
	}
	if set.has("span") {
		if m.by.Type == hw.Machine || m.order == byObject {
			return fmt.Errorf("--map-by %q: span needs an object on a host, such as core:span", text)
		}
		m.order = byTurn
	}
	return nil
}

// readObject finds the objects to map to; word is their name, "" for none.
func (m *mapping) readObject(t *hw.Topology, d directive, set modifiers) (word string, err error) {
	if name, device := deviceWord(d.word); device {
		return "device", m.mapToDevices(t, d, name, set)
	}
	if d.word != "" {
		word, m.by, err = d.resolve(t, "slot")
	}
	return word, err
}

// readPPR takes "ppr:N" off the front of a directive.
func (m *mapping) readPPR(d directive) (directive, error) {
	const want = "want ppr:N:OBJECT with N ranks for each, such as ppr:2:package"
	if len(d.parts) < 2 {
		return d, fmt.Errorf("--map-by %q: %s", d.text, want)
	}
	n, err := strconv.Atoi(d.parts[0])
	if err != nil || n < 1 || n > MaxRanks || d.parts[1] == "" {
		return d, fmt.Errorf("--map-by %q: %s", d.text, want)
	}
	m.order, m.each = byObject, n
	d.word, d.parts = d.parts[1], d.parts[2:]
	return d, nil
}

// readSlots reads --slots.
func (m *mapping) readSlots(t *hw.Topology, text string) error {
	for _, piece := range strings.Split(text, ",") {
		n, err := strconv.Atoi(piece)
		if err != nil || n < 1 || n > MaxRanks {
			return fmt.Errorf("--slots %q: want a number for each host, such as 8,8", text)
		}
		m.slots = append(m.slots, n)
	}
	if len(m.slots) != len(t.Hosts) {
		return fmt.Errorf("--slots %s has %s, but there are %s", text, spell.Plural(len(m.slots), "number"), spell.Plural(len(t.Hosts), "host"))
	}
	return nil
}

// deal returns the object of each of n processes, as an index into
// by.Instances.
func (m *mapping) deal(n int) []int32 {
	objects := make([]int32, 0, n)
	switch {
	case m.order == byObject:
		for _, k := range m.places {
			for range min(m.each, n-len(objects)) {
				objects = append(objects, k)
			}
		}
	case m.order == byTurn && m.by.Type == hw.Machine:
		return m.inTurn(objects, n)
	case m.order == byTurn:
		for i := range n {
			objects = append(objects, m.places[i%len(m.places)])
		}
	case m.balanced:
		return m.balance(objects, n)
	default:
		next := make([]int, len(m.fits))
		for len(objects) < n {
			for h, fit := range m.fits {
				objects = m.give(objects, next, h, min(fit, n-len(objects)))
			}
		}
	}
	return objects
}

// give maps count processes to a host, whose objects take processes in turn;
// next is the next object of each host.
func (m *mapping) give(objects []int32, next []int, host, count int) []int32 {
	list := m.onHost[host]
	for range count {
		objects = append(objects, list[next[host]])
		if next[host]++; next[host] == len(list) {
			next[host] = 0
		}
	}
	return objects
}

// balance spreads processes beyond the slots evenly over all hosts, as mpirun
// does with :oversubscribe.
func (m *mapping) balance(objects []int32, n int) []int32 {
	hosts, over := 0, max(0, n-m.total)
	for _, fit := range m.fits {
		if fit > 0 {
			hosts++
		}
	}
	next, nth := make([]int, len(m.fits)), 0
	for h, fit := range m.fits {
		if fit == 0 {
			continue
		}
		count := fit + over/hosts
		if nth++; nth <= over%hosts {
			count++
		}
		objects = m.give(objects, next, h, min(count, n-len(objects)))
	}
	return objects
}

// inTurn maps a process to one host after the other. It passes over full hosts
// while others have room.
func (m *mapping) inTurn(objects []int32, n int) []int32 {
	count := make([]int, len(m.fits))
	var active []int
	for round := 1; len(objects) < n; {
		if len(active) == 0 {
			for h, fit := range m.fits {
				if count[h] < fit*round {
					active = append(active, h)
				}
			}
			round++
		}
		left := active[:0]
		for _, h := range active {
			if len(objects) == n {
				break
			}
			objects = append(objects, int32(h))
			count[h]++
			if m.balanced && n > m.total || count[h] < m.fits[h]*(round-1) {
				left = append(left, h)
			}
		}
		active = left
	}
	return objects
}

// room is how many processes fit on the objects of a mapping.
type room struct {
	onHost [][]int32 // by host: the objects of the mapping; for devices, an object for each device
	places []int32   // the objects of all hosts, likewise
	fits   []int     // by host: processes that go there before anything is shared
	total  int       // all of these
	plain  int       // cores, or PUs without cores: one rank each when nobody says
}

// findRoom counts the CPUs of the hosts and of the objects of the mapping.
func (m *mapping) findRoom(t *hw.Topology) {
	m.onHost = byHosts(t, m.by)
	if m.devices != nil {
		m.onHost, m.places = m.devices, slices.Concat(m.devices...)
	} else {
		m.places = make([]int32, len(m.by.Instances))
		for k := range m.places {
			m.places[k] = int32(k)
		}
	}
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
			for _, k := range slices.Compact(slices.Sorted(slices.Values(list))) { // devices share objects
				m.fits[h] += held[k] / m.pe
			}
		}
	}
	for h := range m.slots {
		switch room := m.slots[h] / max(m.pe, 1); {
		case m.fits[h] == 0: // the host has nothing to map to
		case m.pe > 1:
			m.fits[h] = min(room, m.fits[h])
		default:
			m.fits[h] = room
		}
	}
	m.total, m.plain = 0, len(t.Objects(coresOrPUs(t)))
	for _, fit := range m.fits {
		m.total += fit
	}
}

// natural returns how many ranks the mapping makes by itself.
func (m *mapping) natural() int {
	switch objects := len(m.places); {
	case m.order == byObject:
		return min(m.each, MaxRanks/objects+1) * objects
	case m.pe > 1 || m.threads || m.slots != nil:
		return m.total
	}
	return m.plain
}

// checkRoom returns an error when n processes cannot be mapped.
func (m *mapping) checkRoom(t *hw.Topology, n int) error {
	switch {
	case m.order == byObject && n > m.natural():
		return fmt.Errorf("--map-by %s: %d processes are more than the ppr for this topology can "+
			"support: %d on %s; use -n %d or less", m.text, n, m.natural(),
			spell.Plural(len(m.places), m.objectName()), m.natural())
	case m.devices != nil && m.order != byObject && m.limited && !m.shared && len(m.places) > len(t.Hosts) && n > len(m.places):
		return fmt.Errorf("--map-by %s: %s on %s: each rank takes one; write %s:shared to share them", m.text,
			spell.Plural(n, "rank"), spell.Plural(len(m.places), "device"), m.text)
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

// objectName returns the noun for the things that processes are mapped to.
func (m *mapping) objectName() string {
	if m.devices != nil {
		return "device"
	}
	return m.by.Instances[0].TypeName()
}

func (m *mapping) notEnough(n, have int) error {
	return fmt.Errorf("--map-by %s: there are not enough slots available in the system to satisfy the "+
		"%d slots that were requested: there are %d; write oversubscribe instead of nooversubscribe to share them", m.text, n, have)
}

// tooLow returns the error for pe=N on an object that has fewer CPUs.
func (m *mapping) tooLow(o *hw.Object, has int) error {
	advice := "use a smaller pe"
	if m.by.Type != hw.Machine {
		advice += fmt.Sprintf(", or map to a larger object, such as slot:pe=%d", m.pe)
	}
	return fmt.Errorf("--map-by %s: a request for multiple cpus per process was given, but a %s has only %s; %s",
		m.text, o.TypeName(), spell.Plural(has, m.unit()), advice)
}

// unit returns the noun for a CPU: hwthread or core.
func (m *mapping) unit() string {
	if m.cpus.Type == hw.PU {
		return "hwthread"
	}
	return "core"
}

// byHosts lists the instances of a resource by host; instances above the hosts
// are on none.
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

// cpusIn returns for each instance of a resource the number of CPUs inside the
// instance.
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
// above the host.
func inside(o, outer *hw.Object) bool {
	return outer.Type == hw.Level || o.CPUSet.SubsetOf(outer.CPUSet)
}
