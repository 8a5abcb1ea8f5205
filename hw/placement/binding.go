package placement

import (
	"errors"
	"fmt"

	"commsplit/hw"
)

// binding says which PUs a process gets of the object that it is mapped to, or
// of those around it.
type binding struct {
	to      *hw.Resource // nil: to none
	word    string       // of to, for messages
	strict  bool         // more processes than CPUs on an object are an error
	lenient bool         // :if-supported: bind what can be bound
	written bool         // the level was asked for by name
}

// readBinding understands --bind-to.
func (b *binding) readBinding(t *hw.Topology, m *mapping, text string) error {
	d := newDirective("--bind-to", text)
	set, err := d.modifiers(bindModifiers)
	if err != nil {
		return err
	}
	b.lenient = set.has("if-supported")
	b.strict = (d.word != "" || m.pe > 0 || set.has("no-overload")) && !set.has("overload-allowed")
	b.to, b.word = coresOrPUs(t), "core"
	if m.threads || m.pe > 0 {
		b.to = m.cpus
	}
	if b.to.Type == hw.PU {
		b.word = "hwthread"
	}
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
		return fmt.Errorf("--bind-to %s: a %s is no part of one machine", b.word, b.to.Subtype)
	case m.pe > 1 && b.to != usual && b.to.Type == hw.PU:
		return fmt.Errorf("--bind-to %s: with --map-by %s each rank is bound to %d cores: "+
			"for %d hardware threads write --map-by %s:hwtcpus and leave out --bind-to", b.word, m.text, m.pe, m.pe, m.text)
	case m.pe > 1 && b.to != usual:
		return fmt.Errorf("--bind-to %s: with --map-by %s each rank is bound to %d %ss: "+
			"write --bind-to %s or leave it out", b.word, m.text, m.pe, m.unit(), word)
	}
	b.strict = b.strict && b.to.Type != hw.Machine
	return nil
}

// spots are the bindings that processes on the objects of a mapping take in turn.
type spots struct {
	bindings []hw.Binding
	holds    []int     // by binding: processes for which it has CPUs
	of       [][]int32 // by object of the mapping: its bindings
}

// bind gives processes, mapped to objects, their bindings.
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
			return nil, b.overload(t, m.by, k, visits[k], cpusIn(t, m.by, m.cpus)[k], m.pe)
		} else if n > most {
			return nil, b.overload(t, b.to, at[i], n, most, 1)
		}
	}
	return bound, nil
}

// findSpots lists the bindings for each object of the mapping: the object of
// the bind level that it lies in, or those that lie in it.
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
	for i, o := range to.Instances {
		at := &s.bindings[i]
		at.Host, at.CPUSet = t.HostIndex(o), o.CPUSet
		s.holds[i] = max(s.holds[i], 1) // a PU of a core counts as one, too
		if k := m.by.InstanceOf(at.Host, at.CPUSet); k >= 0 && inside(o, m.by.Instances[k]) {
			s.of[k] = append(s.of[k], int32(i))
		}
	}
	for k, o := range m.by.Instances {
		if o.Type == hw.Level {
			continue
		}
		if i := to.InstanceOf(t.HostIndex(o), o.CPUSet); i >= 0 && inside(o, to.Instances[i]) {
			s.of[k] = []int32{i}
		} else if len(s.of[k]) == 0 && b.lenient {
			s.unbound(t, k, t.HostIndex(o))
		}
	}
	return s
}

// unbound lets processes of an object have the whole host.
func (s *spots) unbound(t *hw.Topology, k, host int) {
	s.of[k] = []int32{int32(len(s.bindings))}
	s.bindings = append(s.bindings, hw.Binding{Host: host, CPUSet: t.Hosts[host].CPUSet})
	s.holds = append(s.holds, MaxRanks)
}

// groups are the CPUs of each object, pe at a time; what is left over at the
// end of an object or host is not used.
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
