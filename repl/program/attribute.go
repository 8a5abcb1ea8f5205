package program

import (
	"go.starlark.net/starlark"

	"commsplit/engine"
)

// cachingMethods are what communicators can do with attributes and buffers.
func cachingMethods() []*attribute {
	return []*attribute{
		method("Create_keyval", "copy_fn=None, delete_fn=None, nopython=False", engine.CallCreateKeyval,
			"a key for attributes; its functions take (comm, keyval, value)", createKeyval).isStatic(),
		method("Free_keyval", "keyval", engine.CallFreeKeyval,
			"give a key back; attributes that are set stay; KEYVAL_INVALID", freeKeyval).isStatic(),
		method("Set_attr", "keyval, attrval", engine.CallSetAttr,
			"cache a value with this handle", commSetAttr),
		method("Get_attr", "keyval", engine.CallGetAttr,
			"the value cached with this handle, or None", commGetAttr),
		method("Delete_attr", "keyval", engine.CallDeleteAttr,
			"delete the value cached with this handle", commDeleteAttr),
		method("Attach_buffer", "buf", engine.CallAttachBuffer,
			"lend a buffer, bytes or their number, for buffered sends", commAttachBuffer),
		method("Detach_buffer", "", engine.CallDetachBuffer,
			"take the buffer back", commDetachBuffer),
	}
}

func commSetAttr(c *call) (starlark.Value, error) {
	k, err := c.keyval(0)
	if err != nil {
		return nil, err
	}
	if own := c.ownKeyval(k); own != nil && own.plain {
		if _, err := asAddress(c.args[1]); err != nil {
			return nil, err
		}
	}
	return nothing(c.on().SetAttr(k, c.args[1]))
}

// ownKeyval is what the rank knows of a keyval that its program made; nil for others.
func (c *call) ownKeyval(k *engine.Keyval) *keyval {
	if k == nil {
		return nil
	}
	return c.r.keyval(k.ID())
}

func commGetAttr(c *call) (starlark.Value, error) {
	k, err := c.keyval(0)
	if err != nil {
		return nil, err
	}
	v, ok, err := c.on().Attr(k)
	if err != nil || !ok {
		return starlark.None, err
	}
	if n, predefined := v.(int); predefined {
		return starlark.MakeInt(n), nil
	}
	return v.(starlark.Value), nil
}

func commDeleteAttr(c *call) (starlark.Value, error) {
	k, err := c.keyval(0)
	if err != nil {
		return nil, err
	}
	return nothing(c.on().DeleteAttr(k))
}

func commAttachBuffer(c *call) (starlark.Value, error) {
	var size int
	switch v := c.args[0].(type) {
	case starlark.Bytes:
		size = v.Len()
	case starlark.Int:
		n, err := c.int(0)
		if err != nil {
			return nil, err
		}
		size = n
	default:
		return nil, c.wrong(0, "bytes or the number of bytes")
	}
	if err := c.on().AttachBuffer(size); err != nil {
		return nil, err
	}
	if c.r.buffers == nil {
		c.r.buffers = map[*engine.Comm]starlark.Value{}
	}
	c.r.buffers[c.on()] = c.args[0]
	return starlark.None, nil
}

// commDetachBuffer gives back what was attached.
func commDetachBuffer(c *call) (starlark.Value, error) {
	if _, err := c.on().DetachBuffer(); err != nil {
		return nil, err
	}
	buf := c.r.buffers[c.on()]
	delete(c.r.buffers, c.on())
	return buf, nil
}

// Caches reports whether the rank's program made keyvals: whether Finalize may have anything to do.
func (r *Rank) Caches() bool { return len(r.keyvals) > 0 }

// Finalize is what MPI_Finalize does for the program that ends at the given place: it deletes the
// attributes of MPI_COMM_SELF.
func (r *Rank) Finalize(at engine.Site) error {
	r.At(at)
	return r.P.Finalize()
}
