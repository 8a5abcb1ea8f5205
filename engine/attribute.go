package engine

import "slices"

// attribute is a value that is cached with a communicator.
type attribute struct {
	key   *Keyval
	value any
}

// SetAttr caches a value with this process' handle (MPI_Comm_set_attr, §7.7.2). A value that is there
// is deleted first, and the new one counts as the latest. When the delete function fails, so does the
// call, and the old value stays.
func (c *Comm) SetAttr(k *Keyval, value any) error {
	if err := c.changeable(CallSetAttr, k); err != nil {
		return err
	}
	if err := c.drop(CallSetAttr, k); err != nil {
		return c.raise(err)
	}
	e := c.extras()
	e.attributes = append(e.attributes, attribute{k, value})
	c.p.local(CallSetAttr, c, intArg("comm_keyval", k.id))
	return nil
}

// Attr is the value that is cached for k, and whether there is one (MPI_Comm_get_attr, §7.7.2). The
// predefined attributes have int values.
func (c *Comm) Attr(k *Keyval) (value any, ok bool, err error) {
	if err := c.usable(CallGetAttr, k); err != nil {
		return nil, false, err
	}
	if k.p == nil {
		value, ok = c.predefinedAttr(k)
		return value, ok, nil
	}
	if i := c.indexAttr(k); i >= 0 {
		return c.ext.attributes[i].value, true, nil
	}
	return nil, false, nil
}

// DeleteAttr deletes the value that is cached for k, after calling its delete function
// (MPI_Comm_delete_attr, §7.7.2). Without a value there is nothing to do: the text names no error.
func (c *Comm) DeleteAttr(k *Keyval) error {
	if err := c.changeable(CallDeleteAttr, k); err != nil {
		return err
	}
	if err := c.drop(CallDeleteAttr, k); err != nil {
		return c.raise(err)
	}
	c.p.local(CallDeleteAttr, c, intArg("comm_keyval", k.id))
	return nil
}

func (c *Comm) indexAttr(k *Keyval) int {
	if c.ext == nil {
		return -1
	}
	return slices.IndexFunc(c.ext.attributes, func(a attribute) bool { return a.key == k })
}

// drop removes the value of k, if there is one, unless its delete function fails. That function may
// change the attributes of c itself.
func (c *Comm) drop(call Call, k *Keyval) *Error {
	i := c.indexAttr(k)
	if i < 0 {
		return nil
	}
	if k.delete != nil {
		if err := k.delete(c, k, c.ext.attributes[i].value); err != nil {
			return c.callbackError(call, k, "delete", err)
		}
	}
	if i = c.indexAttr(k); i >= 0 {
		c.ext.attributes = slices.Delete(c.ext.attributes, i, i+1)
	}
	return nil
}

// deleteAttributes deletes what is cached with the handle, in the reverse of the order in which it was
// set, before the communicator goes. The first failure ends it, and is what the process contributes to
// the collective call: the value that could not be deleted stays, and those set before it. The text
// asks for this order for MPI_COMM_SELF at the end only (§11.2.4), and leaves it open otherwise.
func (c *Comm) deleteAttributes(call Call) error {
	if c.ext == nil {
		return nil
	}
	for _, a := range slices.Backward(slices.Clone(c.ext.attributes)) {
		if err := c.drop(call, a.key); err != nil {
			return err
		}
	}
	return nil
}

// copyAttributes asks the copy functions, in the order in which the values were set, what a duplicate
// gets. It runs in the process before that contributes to the call, so nonblocking duplication copies
// what was there when it was called. A failure is what the process contributes instead; values copied
// until then are forgotten, for there is no communicator that they could be deleted from.
func (c *Comm) copyAttributes(call Call) ([]attribute, error) {
	if c.IsNull() || c.ext == nil {
		return nil, nil
	}
	var copies []attribute
	for _, a := range slices.Clone(c.ext.attributes) {
		if a.key.copy == nil {
			continue
		}
		value, keep, err := a.key.copy(c, a.key, a.value)
		if err != nil {
			return nil, c.callbackError(call, a.key, "copy", err)
		}
		if keep {
			copies = append(copies, attribute{a.key, value})
		}
	}
	return copies, nil
}

// Finalize does for the process what MPI_Finalize does first: it deletes the attributes of
// MPI_COMM_SELF, in the reverse of the order in which they were set (§11.2.4). Calls may follow.
func (p *Process) Finalize() error {
	if p.mail == nil || p.mail.self == nil {
		return nil
	}
	if err := p.mail.self.deleteAttributes(CallFinalize); err != nil {
		return p.mail.self.raise(err.(*Error))
	}
	return nil
}
