package tui

import (
	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/repl"
)

// placing is one way to place the ranks of the session.
type placing struct {
	name   string
	note   string
	config repl.Config
}

// objects are what ranks are mapped by and bound to, in mpirun's words.
var objects = []struct {
	word string
	typ  hw.Type
}{
	{"hwthread", hw.PU}, {"core", hw.Core}, {"l2cache", hw.L2Cache}, {"l3cache", hw.L3Cache},
	{"numa", hw.NUMANode}, {"package", hw.Package}, {"machine", hw.Machine},
}

// placements are those that this hardware has objects for, the number of ranks as it is.
func (m *Model) placements() []placing {
	t := m.moment.Ground.Topology
	if t == nil {
		return nil
	}
	shared := "" // what lets more ranks than cores have them
	if n, err := placement.Default(t, placement.Policy{}); err == nil && m.moment.Size() > n {
		shared = ":overload-allowed"
	}
	with := func(mapBy, bindTo string) repl.Config {
		cfg := m.console.Session.Config()
		cfg.Size = m.moment.Size()
		cfg.Policy = placement.Policy{MapBy: mapBy, BindTo: bindTo + shared}
		return cfg
	}
	var list []placing
	for _, o := range objects {
		n := len(t.Objects(o.typ))
		if n == 0 {
			continue
		}
		note := "each rank may use all of one " + o.typ.String() + "; there " + areThere(n)
		list = append(list, placing{"bind-to " + o.word, note, with("", o.word)})
	}
	list = append(list, placing{"bind-to none", "each rank may use its whole host", with("", "none")})
	for _, o := range objects {
		if n := len(t.Objects(o.typ)); n > 1 && o.typ != hw.Core {
			note := "ranks go round the " + itoa(n) + " objects, each on a core of its own"
			list = append(list, placing{"map-by " + o.word, note, with(o.word, "core")})
		}
	}
	return list
}

func areThere(n int) string {
	if n == 1 {
		return "is 1"
	}
	return "are " + itoa(n)
}
