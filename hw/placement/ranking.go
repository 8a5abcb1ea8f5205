package placement

import (
	"fmt"

	"codeberg.org/commsplit/commsplit/hw"
)

// ranking gives processes their rank numbers.
type ranking struct {
	how  rankOrder
	over *hw.Resource // the objects that ranks go over; nil when asMapped
}

// rankOrder is how ranks go over objects.
type rankOrder int

const (
	asMapped rankOrder = iota // in the order of the mapping
	inFill                    // all processes of an object, then those of the next
	inTurns                   // a process of each object of a host, again and again, then the next host
	inSpan                    // a process of each object of all hosts, again and again
)

// readRanking reads --rank-by.
func (r *ranking) readRanking(t *hw.Topology, m *mapping, text string) error {
	d := newDirective("--rank-by", text)
	set, err := d.modifiers(rankModifiers)
	if err != nil {
		return err
	}
	word, over, err := d.resolve(t, "slot", "fill", "span")
	if err != nil {
		return err
	}
	if name := set.first(rankModifiers...); name != "" && over == nil {
		return fmt.Errorf("--rank-by %q: %s needs an object, such as package:%s", text, name, name)
	}
	r.over = over
	switch {
	case word == "slot":
		r.how, r.over = inFill, t.ResourceOf(hw.Machine)
	case word == "fill":
		r.how, r.over = inFill, m.by
	case word == "span":
		r.how, r.over = inSpan, m.by
	case set.has("fill"):
		r.how = inFill
	case set.has("span"), over.Type == hw.Machine, over.Type == hw.Level:
		r.how = inSpan
	default:
		r.how = inTurns
	}
	return nil
}

// rank puts the bindings of processes in the order of their ranks; objects are
// the objects that the processes are mapped to.
func (r *ranking) rank(t *hw.Topology, m *mapping, objects []int32, bound []*hw.Binding) ([]*hw.Binding, error) {
	q, err := r.line(t, m, objects, bound)
	if err != nil {
		return nil, err
	}
	hosts := [][]int32{q.all}
	if r.how == inTurns {
		hosts = byHosts(t, r.over)
	}
	ranks := make([]*hw.Binding, 0, len(bound))
	for _, active := range hosts {
		for len(active) > 0 {
			left := active[:0]
			for _, k := range active {
				for {
					i := q.next(k)
					if i < 0 {
						break
					}
					ranks = append(ranks, bound[i])
					if r.how != inFill {
						left = append(left, k)
						break
					}
				}
			}
			active = left
		}
	}
	return ranks, nil
}

// queues hold the processes that wait for a rank, each queue the processes that
// an object could take next. Objects inside an object that processes were mapped
// to share the queue of that outer object.
type queues struct {
	all   []int32 // the objects, host by host
	of    []int32 // by object: its queue
	first []int32 // by queue: where it goes on, in line
	end   []int32
	line  []int32 // processes, queue by queue
}

// next returns the next process of an object, -1 when there is none.
func (q *queues) next(k int32) int32 {
	at := q.of[k]
	if q.first[at] == q.end[at] {
		return -1
	}
	q.first[at]++
	return q.line[q.first[at]-1]
}

// line makes the queues. A process mapped to an object inside an object that
// ranks go over waits in the queue of the outer object. Any other process waits
// in the queue of the object that it is mapped to; for a level above the hosts,
// that is the process's host.
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
			return nil, fmt.Errorf("cannot rank by %s: %s is neither inside one nor contains one",
				r.over.Instances[0].TypeName(), describe(places.Instances[k]))
		}
	}
	q.fill(int(own)+len(q.of), len(objects), func(i int) int32 { return of[objects[i]] })
	return q, nil
}

// fill sorts processes into count queues; queue returns the queue of a process.
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
