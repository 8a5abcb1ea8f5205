package placement

import (
	"errors"
	"fmt"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// binding is the rule by which each process gets the PUs of the object that the
// process is mapped to, of an object around that object, or of objects inside.
type binding struct {
	to      *hw.Resource // nil: to none
	word    string       // of to, for messages
	strict  bool         // more processes than CPUs on an object are an error
	lenient bool         // :if-supported: bind what can be bound
	written bool         // the level was asked for by name
}

// readBinding reads --bind-to.
func (b *binding) readBinding(t *hw.Topology, m *mapping, text string) error {
	b.strict = m.pe > 0
	b.to, b.word = t.ResourceOf(coresOrPUs(t)), "core"
	if m.threads || m.pe > 0 {
		b.to = m.cpus
	}
	if b.to.Type == hw.PU {
		b.word = "hwthread"
	}
	if text == "" {
		return nil
	}
	d := newDirective("--bind-to", text)
	set, err := d.modifiers(bindModifiers)
	if err != nil {
		return err
	}
	b.lenient = set.has("if-supported")
	b.strict = (d.word != "" || m.pe > 0 || set.has("no-overload")) && !set.has("overload-allowed")
	if d.word == "" {
		return nil
	}
	usual, word := b.to, b.word
	b.written = true
	b.word, b.to, err = d.resolve(t, "none")
	var lacks *missing
	switch {
	case errors.As(err, &lacks) && b.lenient:
		return nil
	case err != nil:
		return err
	case b.to == nil:
		return nil
	case b.to.Type == hw.Level:
		return fmt.Errorf("--bind-to %s: a %s is not part of one machine", b.word, b.to.Subtype)
	case m.pe > 1 && b.to != usual && b.to.Type == hw.PU:
		return fmt.Errorf("--bind-to %s: with --map-by %s each rank is bound to %d cores: "+
			"for %d hardware threads write --map-by %s:hwtcpus and leave out --bind-to", b.word, m.text, m.pe, m.pe, m.text)
	case m.pe > 1 && b.to != usual:
		return fmt.Errorf("--bind-to %s: with --map-by %s each rank is bound to %d %ss: "+
			"write --bind-to %s or leave it out", b.word, m.text, m.pe, m.unit(), word)
	}
	b.strict = b.strict && b.to.Type != hw.Machine
	return b.nearDevices(m)
}

// nearDevices returns an error for a binding that is wider than what the devices of the mapping are near to: PRRTE
// refuses it.
func (b *binding) nearDevices(m *mapping) error {
	for h, list := range m.devices {
		for _, k := range list {
			o := m.by.Instances[k]
			i := b.to.InstanceOf(h, o.CPUSet)
			if i >= 0 && o.CPUSet.SubsetOf(b.to.Instances[i].CPUSet) && !b.to.Instances[i].CPUSet.SubsetOf(o.CPUSet) {
				return fmt.Errorf("--bind-to %s: a %s has PUs that are not near the device: --map-by %s is near a %s",
					b.word, b.to.Instances[i].TypeName(), m.text, o.TypeName())
			}
		}
	}
	return nil
}

// spots are the bindings that processes on the objects of a mapping take in
// turn.
type spots struct {
	bindings []hw.Binding
	holds    []int     // by binding: processes for which it has CPUs
	of       [][]int32 // by object of the mapping: its bindings
}

// bind returns the binding of each process; objects are the objects that the
// processes are mapped to.
func (b *binding) bind(t *hw.Topology, m *mapping, objects []int32) ([]*hw.Binding, error) {
	s := b.findSpots(t, m)
	visits, used := make([]int, len(s.of)), make([]int, len(s.bindings))
	at := make([]int32, len(objects))
	bound := make([]*hw.Binding, len(objects))
	var shift *shifter
	if b.written && b.to == m.by {
		shift = newShifter(m.onHost, s)
	}
	for i, k := range objects {
		list := s.of[k]
		if len(list) == 0 {
			return nil, b.nothing(t, m, k)
		}
		at[i] = list[visits[k]%len(list)]
		if shift != nil {
			at[i] = shift.from(at[i], used)
		}
		visits[k]++
		used[at[i]]++
		bound[i] = &s.bindings[at[i]]
	}
	if !b.strict || b.to == nil {
		return bound, nil
	}
	for i, k := range objects {
		if n, most := used[at[i]], s.holds[at[i]]; n > most && m.pe > 1 {
			return nil, b.overload(m.by, k, visits[k], cpusIn(t, m.by, m.cpus)[k], m.pe)
		} else if n > most {
			return nil, b.overload(b.to, at[i], n, most, 1)
		}
	}
	return bound, nil
}

// findSpots lists the bindings for each object of the mapping: the object of
// the bind level around it, or the objects of the bind level inside.
func (b *binding) findSpots(t *hw.Topology, m *mapping) *spots {
	if m.pe > 1 && b.to != nil {
		return groups(t, m)
	}
	to := b.to
	if to == nil {
		to = t.ResourceOf(hw.Machine)
	}
	s := &spots{bindings: make([]hw.Binding, len(to.Instances)), of: make([][]int32, len(m.by.Instances))}
	s.holds = cpusIn(t, to, m.cpus)
	single := make([]int32, len(m.by.Instances)) // storage for the first binding of each object: mostly there is only one
	for i, o := range to.Instances {
		at := &s.bindings[i]
		at.Host, at.CPUSet = t.HostIndex(o), o.CPUSet
		s.holds[i] = max(s.holds[i], 1) // a PU inside a core contains no core, and counts as one CPU
		if k := m.by.InstanceOf(at.Host, at.CPUSet); k >= 0 && inside(o, m.by.Instances[k]) {
			if s.of[k] == nil {
				s.of[k], single = append(single[:0:1], int32(i)), single[1:]
			} else {
				s.of[k] = append(s.of[k], int32(i))
			}
		}
	}
	for k, o := range m.by.Instances {
		if o.Type == hw.Level {
			continue
		}
		if i := to.InstanceOf(t.HostIndex(o), o.CPUSet); i >= 0 && inside(o, to.Instances[i]) {
			if len(s.of[k]) != 1 || s.of[k][0] != i {
				s.of[k] = []int32{i}
			}
		} else if len(s.of[k]) == 0 && b.lenient {
			s.unbound(t, k, t.HostIndex(o))
		}
	}
	return s
}

// unbound gives processes on the object k the whole host.
func (s *spots) unbound(t *hw.Topology, k, host int) {
	s.of[k] = []int32{int32(len(s.bindings))}
	s.bindings = append(s.bindings, hw.Binding{Host: host, CPUSet: t.Hosts[host].CPUSet})
	s.holds = append(s.holds, MaxRanks)
}

// groups makes the bindings for pe=N: the CPUs of each object, pe at a time.
// CPUs left over at the end of an object or host are not used.
func groups(t *hw.Topology, m *mapping) *spots {
	s := &spots{of: make([][]int32, len(m.by.Instances))}
	type open struct {
		host, count int
		set         hw.Set
	}
	begun := make([]open, len(s.of))
	for _, c := range m.cpus.Instances {
		host := t.HostIndex(c)
		k := m.by.InstanceOf(host, c.CPUSet)
		if k < 0 || !inside(c, m.by.Instances[k]) {
			continue
		}
		g := &begun[k]
		if g.count == 0 || g.host != host {
			*g = open{host: host}
		}
		g.set.Merge(c.CPUSet)
		if g.count++; g.count == m.pe {
			s.of[k] = append(s.of[k], int32(len(s.bindings)))
			s.bindings = append(s.bindings, hw.Binding{Host: host, CPUSet: g.set})
			s.holds = append(s.holds, 1)
			g.count = 0
		}
	}
	return s
}

// shifter moves processes away from full objects, where processes are bound to
// the very objects that they are mapped to: as in Open MPI a process moves to
// the next object of the host that has room, else to the nearest before. Where
// no object has room, processes stay.
type shifter struct {
	spots   *spots
	onHost  [][]int32
	at      []int32   // by object: its position on its host
	forward []skipper // by host
	back    []skipper
}

func newShifter(onHost [][]int32, s *spots) *shifter {
	f := &shifter{spots: s, onHost: onHost, at: make([]int32, len(s.of))}
	for _, list := range onHost {
		for i, k := range list {
			f.at[k] = int32(i)
		}
		f.forward = append(f.forward, newSkipper(len(list)))
		f.back = append(f.back, newSkipper(len(list)))
	}
	return f
}

// from returns the object where a process goes that is mapped to object k.
func (f *shifter) from(k int32, used []int) int32 {
	if used[k] < f.spots.holds[k] {
		return k
	}
	host := f.spots.bindings[k].Host
	list := f.onHost[host]
	room := func(i int32) bool { return used[list[i]] < f.spots.holds[list[i]] }
	if i := f.forward[host].find(f.at[k], room); i < int32(len(list)) {
		return list[i]
	}
	last := int32(len(list)) - 1
	if i := f.back[host].find(last-f.at[k], func(i int32) bool { return room(last - i) }); i <= last {
		return list[last-i]
	}
	return k
}

// skipper finds the next position with room. It remembers the positions without
// room: it is a forest in which each such position points further on.
type skipper []int32

func newSkipper(n int) skipper {
	s := make(skipper, n+1)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// find returns the first position from i on that has room, or the position
// after the last.
func (s skipper) find(i int32, room func(int32) bool) int32 {
	end := int32(len(s)) - 1
	for i < end {
		if s[i] == i {
			if room(i) {
				return i
			}
			s[i] = i + 1
		}
		s[i] = s[s[i]] // halve the way
		i = s[i]
	}
	return end
}

// nothing returns the error for an object of the mapping that has nothing to
// bind to.
func (b *binding) nothing(t *hw.Topology, m *mapping, k int32) error {
	o := m.by.Instances[k]
	if m.pe > 1 {
		return m.tooLow(o, cpusIn(t, m.by, m.cpus)[k])
	}
	return cannotBind(b.to.Instances[0], o)
}

// cannotBind returns the error for an object that has nothing in common with the objects to bind to, such as to.
func cannotBind(to, o *hw.Object) error {
	return fmt.Errorf("cannot bind to %s: %s is neither inside one nor contains one", to.TypeName(), describe(o))
}

// overload returns the error for an object with fewer CPUs than its processes
// need, at each CPUs for every process.
func (b *binding) overload(r *hw.Resource, k int32, processes, cpus, each int) error {
	o := r.Instances[k]
	where, need := "", ""
	if h := o.Host(); h != nil {
		where = "node " + h.Name + ", "
	}
	if each > 1 {
		need = fmt.Sprintf(" with %d cpus each", each)
	}
	return fmt.Errorf("a request was made to bind to %s that would result in binding more processes "+
		"than cpus on a resource: %s%s L#%d, %d processes%s, %s; "+
		"to allow it, write --bind-to %s:overload-allowed", b.word, where, o.TypeName(),
		o.LogicalIndex, processes, need, spell.Plural(cpus, "cpu"), b.word)
}

// describe names an object and says where it is.
func describe(o *hw.Object) string {
	text := fmt.Sprintf("%s L#%d", o.TypeName(), o.LogicalIndex)
	if h := o.Host(); h != nil {
		text += fmt.Sprintf(" (PUs %s of %s)", o.CPUSet, h.Name)
	}
	return text
}
