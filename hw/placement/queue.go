package placement

import (
	"fmt"

	"commsplit/hw"
)

// line makes the queues. A process that is mapped to an object inside of one
// that ranks go over stands in that one's queue, else in the queue of what it is
// mapped to: for a level above the hosts, that is its host.
func (r *ranking) line(t *hw.Topology, m *mapping, objects []int32, bound []*hw.Binding) (*queues, error) {
	places := m.by
	if places.Type == hw.Level {
		places = t.ResourceOf(hw.Machine)
		objects = make([]int32, len(bound))
		for i, b := range bound {
			objects[i] = int32(b.Host)
		}
	}
	q := &queues{all: hostOrder(t, r.over), of: make([]int32, len(r.over.Instances))}
	own := int32(len(places.Instances)) // queues of the objects of r.over come after these
	of := make([]int32, len(places.Instances))
	for k, o := range places.Instances {
		of[k] = int32(k)
		if i := r.over.InstanceOf(t.HostIndex(o), o.CPUSet); i >= 0 && inside(o, r.over.Instances[i]) {
			of[k] = own + i
		}
	}
	served := make([]bool, len(of))
	for i, o := range r.over.Instances {
		q.of[i] = own + int32(i)
		if o.Type == hw.Level {
			continue
		}
		k := places.InstanceOf(t.HostIndex(o), o.CPUSet)
		if k >= 0 && of[k] == k && inside(o, places.Instances[k]) {
			q.of[i], served[k] = k, true
		}
	}
	for _, k := range objects {
		if of[k] == k && !served[k] {
			return nil, fmt.Errorf("cannot rank by %s: %s neither lies in one nor holds one",
				r.over.Instances[0].TypeName(), describe(places.Instances[k]))
		}
	}
	q.fill(int(own)+len(q.of), len(objects), func(i int) int32 { return of[objects[i]] })
	return q, nil
}

// fill sorts processes into their queues.
func (q *queues) fill(count, processes int, queue func(int) int32) {
	q.first, q.end = make([]int32, count), make([]int32, count)
	for i := range processes {
		q.end[queue(i)]++
	}
	sum := int32(0)
	for k := range q.end {
		q.first[k] = sum
		sum += q.end[k]
		q.end[k] = q.first[k]
	}
	q.line = make([]int32, processes)
	for i := range processes {
		k := queue(i)
		q.line[q.end[k]] = int32(i)
		q.end[k]++
	}
}

// hostOrder lists the instances of a resource host by host.
func hostOrder(t *hw.Topology, r *hw.Resource) []int32 {
	var all []int32
	if r.Type == hw.Level {
		for k := range r.Instances {
			all = append(all, int32(k))
		}
		return all
	}
	for _, list := range byHosts(t, r) {
		all = append(all, list...)
	}
	return all
}
