package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Limits of info objects, in characters (§10).
const (
	MaxInfoKey = 255
	MaxInfoVal = 1024
)

// Info is an info object: (key, value) pairs (§10). It belongs to one process. nil is MPI_INFO_NULL.
type Info struct {
	list  []infoPair // in the order in which the keys were first set; mostly one or two
	freed bool
	asked guide // for an MPI_Comm_split_type under way; a field here saves an allocation
}

type infoPair struct{ key, value string }

// NewInfo makes an empty info object (MPI_Info_create).
func NewInfo() *Info { return &Info{} }

// IsNull reports whether the handle is MPI_INFO_NULL: never made, or freed.
func (i *Info) IsNull() bool { return i == nil || i.freed }

func (i *Info) check(call Call) error {
	if i.IsNull() {
		return MistakeInfoNull.In(call)
	}
	return nil
}

// Set adds or replaces a pair (MPI_Info_set). A key must have 1 to MaxInfoKey characters: else MPI_ERR_INFO_KEY. A
// value must have at most MaxInfoVal characters: else MPI_ERR_INFO_VALUE.
func (i *Info) Set(key, value string) error {
	if err := i.check(CallInfoSet); err != nil {
		return err
	}
	if key == "" || len(key) > MaxInfoKey {
		return MistakeInfoKeyLength.In(CallInfoSet, MaxInfoKey, len(key))
	}
	if len(value) > MaxInfoVal {
		return MistakeInfoValueLength.In(CallInfoSet, MaxInfoVal, len(value))
	}
	i.set(key, value)
	return nil
}

func (i *Info) set(key, value string) {
	if at := i.index(key); at >= 0 {
		i.list[at].value = value
		return
	}
	i.list = append(i.list, infoPair{key, value})
}

// index returns the index of the pair with this key; -1 when there is none.
func (i *Info) index(key string) int {
	return slices.IndexFunc(i.list, func(p infoPair) bool { return p.key == key })
}

// Get returns the value of key and whether it is there (MPI_Info_get_string).
func (i *Info) Get(key string) (value string, ok bool, err error) {
	if err := i.check(CallInfoGet); err != nil {
		return "", false, err
	}
	value, ok = i.get(key)
	return value, ok, nil
}

func (i *Info) get(key string) (string, bool) {
	if at := i.index(key); at >= 0 {
		return i.list[at].value, true
	}
	return "", false
}

// Delete removes a pair (MPI_Info_delete); a key that is not there: MPI_ERR_INFO_NOKEY.
func (i *Info) Delete(key string) error {
	if err := i.check(CallInfoDelete); err != nil {
		return err
	}
	at := i.index(key)
	if at < 0 {
		return MistakeInfoKeyMissing.In(CallInfoDelete, key)
	}
	i.list = slices.Delete(i.list, at, at+1)
	return nil
}

// Dup copies the object with its pairs in their order (MPI_Info_dup).
func (i *Info) Dup() (*Info, error) {
	if err := i.check(CallInfoDup); err != nil {
		return nil, err
	}
	return i.clone(), nil
}

func (i *Info) clone() *Info {
	return &Info{list: slices.Clone(i.list)}
}

// same reports whether two objects have the same pairs, in any order.
func (i *Info) same(o *Info) bool { return i == o || slices.Equal(i.sorted(), o.sorted()) }

// sorted returns the pairs, sorted by key; of nil, none.
func (i *Info) sorted() []infoPair {
	if i == nil {
		return nil
	}
	return slices.SortedFunc(slices.Values(i.list), func(a, b infoPair) int { return cmp.Compare(a.key, b.key) })
}

// pairs writes the pairs sorted by key: {key="value"}, or "no info" when there are none.
func (i *Info) pairs() string {
	if i == nil || len(i.list) == 0 {
		return "no info"
	}
	return "{" + i.joined(", ") + "}"
}

func (i *Info) joined(with string) string {
	var list []string
	for _, p := range i.sorted() {
		list = append(list, fmt.Sprintf("%s=%q", p.key, p.value))
	}
	return strings.Join(list, with)
}

// Len returns the number of pairs (MPI_Info_get_nkeys).
func (i *Info) Len() (int, error) {
	if err := i.check(CallInfoNkeys); err != nil {
		return 0, err
	}
	return len(i.list), nil
}

// Key returns the n-th key, counted from 0 (MPI_Info_get_nthkey); out of range: MPI_ERR_ARG.
func (i *Info) Key(n int) (string, error) {
	if err := i.check(CallInfoNthkey); err != nil {
		return "", err
	}
	if n < 0 || n >= len(i.list) {
		return "", MistakeInfoKeyNumber.In(CallInfoNthkey, len(i.list), n)
	}
	return i.list[n].key, nil
}

// Free makes the handle MPI_INFO_NULL (MPI_Info_free).
func (i *Info) Free() error {
	if err := i.check(CallInfoFree); err != nil {
		return err
	}
	i.freed = true
	return nil
}

// SetInfo replaces the hints of the handle (MPI_Comm_set_info, §7.4.4). A new communicator does not inherit the hints
// of its parent: it gets those that are passed to its constructor.
func (c *Comm) SetInfo(info *Info) error {
	if err := c.Check(CallSetInfo); err != nil {
		return err
	}
	d, err := info.Dup()
	if err != nil {
		return c.fail(MistakeInfoNull.In(CallSetInfo))
	}
	d.dropSubdomainNames(c.p.w.std)
	c.extras().info = d
	return nil
}

// Hints returns a new info object with the hints of the handle (MPI_Comm_get_info, §7.4.4).
func (c *Comm) Hints() (*Info, error) {
	if err := c.Check(CallGetInfo); err != nil {
		return nil, err
	}
	c.p.local(CallGetInfo, c)
	if c.ext == nil || c.ext.info == nil {
		return NewInfo(), nil
	}
	d, err := c.ext.info.Dup()
	if err == nil {
		d.dropSubdomainNames(c.p.w.std)
	}
	return d, err
}
