package page

import (
	"slices"

	"commsplit/render"
)

// nulls adds the variables that hold MPI_COMM_NULL on all ranks to the views from the step on that
// returned the last of them: what a variable holds does not tell that it was set.
func (c *collector) nulls() error {
	c.null = map[string]int{}
	for i := range c.last.Handles {
		h := &c.last.Handles[i]
		if slices.ContainsFunc(h.IDs, func(id int32) bool { return id >= 0 }) {
			continue
		}
		steps, err := c.returned(h.Name)
		if err != nil {
			return err
		}
		first := 0
		for k := range steps {
			first = max(first, k)
		}
		if first == 0 {
			continue // no call returned it
		}
		c.null[h.Name] = first
		for k := first; k < c.Last; k++ {
			c.views[k].Handles = append(c.views[k].Handles, *h)
		}
	}
	for k := range c.Last {
		slices.SortStableFunc(c.views[k].Handles, c.byPlace)
	}
	return nil
}

// byPlace orders variables as at the end.
func (c *collector) byPlace(a, b render.Handle) int {
	at := func(name string) int {
		return slices.IndexFunc(c.last.Handles, func(h render.Handle) bool { return h.Name == name })
	}
	return at(a.Name) - at(b.Name)
}
