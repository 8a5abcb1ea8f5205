package hw

// Copy copies o and what is below it. The copies share sets and details, which
// nobody changes any more.
func Copy(o *Object) *Object {
	n := 0
	for range o.All() {
		n++
	}
	c := copier{make([]Object, n), make([]*Object, n)}
	return c.copy(o)
}

// copier hands out the objects of a copy and the places that point to them.
type copier struct {
	objects []Object
	links   []*Object
}

func (c *copier) copy(o *Object) *Object {
	n := &c.objects[0]
	c.objects = c.objects[1:]
	*n = *o
	n.Memory, n.Children = c.copyAll(o.Memory), c.copyAll(o.Children)
	return n
}

func (c *copier) copyAll(list []*Object) []*Object {
	if len(list) == 0 {
		return nil
	}
	links := c.links[:len(list):len(list)]
	c.links = c.links[len(list):]
	for i, o := range list {
		links[i] = c.copy(o)
	}
	return links
}

// Alone is one host of t as a topology of its own, of the same name.
func (t *Topology) Alone(host *Object) *Topology { return New(t.Name, Copy(host), t.Notes...) }
