package placement

import (
	"fmt"

	"commsplit/hw"
)

// ranking numbers processes.
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

// readRanking understands --rank-by.
func (r *ranking) readRanking(t *hw.Topology, m *mapping, text string) error {
	d := newDirective("--rank-by", text)
	set, err := d.modifiers(rankModifiers)
	if err != nil {
		return err
	}
	if text == "" {
		return nil
	}
	word, over, err := d.resolve(t, "slot", "fill", "span")
	if err != nil {
		return err
	}
	if name := set.first(rankModifiers...); name != "" && over == nil {
		return fmt.Errorf("--rank-by %q: %s goes with an object, such as package:%s", text, name, name)
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

// rank puts the bindings of processes, mapped to objects, in the order of
// their ranks.
func (r *ranking) rank(t *hw.Topology, m *mapping, objects []int32, bound []*hw.Binding) ([]*hw.Binding, error) {
	if r.how == asMapped {
		return bound, nil
	}
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

// queues are the processes that wait for a rank: in one queue those that an
// object could take next. Objects inside of one that was mapped to share its
// queue.
type queues struct {
	all   []int32 // the objects, host by host
	of    []int32 // by object: its queue
	first []int32 // by queue: where it goes on, in line
	end   []int32
	line  []int32 // processes, queue by queue
}

// next takes the next process of an object, -1 when there is none.
func (q *queues) next(k int32) int32 {
	at := q.of[k]
	if q.first[at] == q.end[at] {
		return -1
	}
	q.first[at]++
	return q.line[q.first[at]-1]
}
