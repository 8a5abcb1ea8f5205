package page

import "codeberg.org/commsplit/commsplit/render"

// lettering returns the number of the letters of the moment after step k. First come the communicators in its
// variables, then those in the variables before the step, which a page shows beside it.
func (c *collector) lettering(k int) int {
	parts := c.partings(k)
	if k > 0 {
		parts = append(parts[:len(parts):len(parts)], c.partings(k-1)...)
	}
	ids, slots := render.Lettered(parts...)
	x := lettering{IDs: pack(ids)}
	for i, slot := range slots {
		if slot != i {
			x.Slots = pack(slots)
			break
		}
	}
	return c.letterings.written(x)
}

// partings returns the partitions of the variables after step k. It reuses those of the last call that are still
// the same.
func (c *collector) partings(k int) []*render.Parting {
	if list, ok := c.parted[k]; ok {
		return list
	}
	v, named := c.views[k], map[string]*render.Parting{}
	list := make([]*render.Parting, len(v.Handles))
	for i := range v.Handles {
		h := &v.Handles[i]
		p := c.named[h.Name]
		if p == nil || !p.Still(v.Snapshot, h) {
			p = render.PartingOf(v.Snapshot, h)
		}
		list[i], named[h.Name] = p, p
	}
	for at := range c.parted {
		if at != k-1 {
			delete(c.parted, at)
		}
	}
	if c.parted == nil {
		c.parted = map[int][]*render.Parting{}
	}
	c.parted[k], c.named = list, named
	return list
}
