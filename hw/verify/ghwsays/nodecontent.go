package ghwsays

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jaypipes/ghw/pkg/memory"

	"commsplit/hw/verify/account"
)

// predict says what ghw finds in the nodes that it sees.
func (t topologyModel) predict(k account.Kind, on account.On) []account.Thing {
	switch k {
	case nodes:
		return t.nodes(on)
	case cores:
		return t.cores(on)
	case pus:
		var list []account.Thing
		for _, n := range t.seen(on) {
			for _, pu := range n.pus {
				list = append(list, single(pu))
			}
		}
		return list
	}
	return t.caches(k, on)
}

func (t topologyModel) nodes(on account.On) []account.Thing {
	var list []account.Thing
	for _, n := range t.seen(on) {
		if n.id < 0 {
			continue
		}
		thing := account.Thing{OSIndex: n.id}
		for _, pu := range n.pus {
			thing.CPUSet.Add(pu)
		}
		list = append(list, thing)
	}
	return list
}

func (t topologyModel) cores(on account.On) []account.Thing {
	own := t.owner(cores)
	var c collected[[2]int]
	for _, n := range t.seen(on) {
		for _, pu := range n.pus {
			core := own(pu)
			known := core >= 0
			if on[t.coreIDs] {
				core, known = t.id(t.puPath(n, pu)+"/topology/core_id"), true
			}
			if known {
				c.add([2]int{n.id, core}, pu, 0)
			}
		}
	}
	return c.things
}

// cacheKey is what tells two caches apart.
type cacheKey struct {
	node, own int
	id        string
}

func (t topologyModel) caches(k account.Kind, on account.On) []account.Thing {
	own := t.owner(k)
	var c collected[cacheKey]
	for _, n := range t.seen(on) {
		for _, pu := range n.shelf {
			folder := t.puPath(n, pu) + "/cache"
			for _, index := range t.numbered(folder, "index") {
				file := fmt.Sprintf("%s/index%d/", folder, index)
				level := t.id(file + "level")
				if got, ok := cacheKind(level, t.cacheType(file)); !ok || got != k {
					continue
				}
				key := cacheKey{own: own(pu)}
				if on[t.perNode] {
					key.node = n.id
				}
				if on[t.cacheIDs] || key.own < 0 {
					key.own, key.id = -1, t.cacheID(file)
				}
				if on[t.sizeOfLevel] {
					index = level
				}
				c.add(key, pu, t.cacheSize(fmt.Sprintf("%s/index%d/size", folder, index)))
			}
		}
	}
	return c.things
}

func (m Machine) cacheType(file string) memory.CacheType {
	text, _ := m.text(file + "type")
	switch strings.TrimSpace(text) {
	case "Data":
		return memory.CacheTypeData
	case "Instruction":
		return memory.CacheTypeInstruction
	}
	return memory.CacheTypeUnified
}

// cacheID is by what ghw knows a cache: its id, or else the text of its mask.
func (m Machine) cacheID(file string) string {
	if id := m.id(file + "id"); id >= 0 {
		return strconv.Itoa(id)
	}
	text, _ := m.text(file + "shared_cpu_map")
	return "mask " + text
}

// cacheSize is ghw's size in bytes. Where there is none it multiplies -1 by 1024.
func (m Machine) cacheSize(path string) uint64 {
	text, _ := m.text(path)
	kB, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(text), "K"), 10, 64)
	if err != nil {
		return ^uint64(0) - 1023
	}
	return kB << 10
}
