package sysfs

import (
	"fmt"
	"strconv"
	"strings"

	"commsplit/hw"
)

// maxCaches is how many cache folders of a PU count.
const maxCaches = 10

// caches reads the data, unified and instruction caches that pu is the first
// PU of.
func (p *places) caches(pu int) ([]*hw.Object, error) {
	parent := fmt.Sprintf("%s/cpu%d/cache", cpuFolder, pu)
	numbers, err := p.numbered(parent, "index")
	if err != nil {
		return nil, err
	}
	var objects []*hw.Object
	for _, i := range numbers.Indexes() {
		if i >= maxCaches {
			break
		}
		folder := fmt.Sprintf("%s/index%d", parent, i)
		set, ok, err := p.sharers(pu, folder)
		if err != nil {
			return nil, err
		}
		if !ok || set.First() != pu {
			continue
		}
		cache, err := p.cache(folder, set)
		if err != nil {
			return nil, err
		}
		objects = append(objects, present(cache)...)
	}
	return objects, nil
}

// sharers reads which PUs share a cache. Some ia64 kernels report an empty set,
// which means the core.
func (p *places) sharers(pu int, folder string) (set hw.Set, ok bool, err error) {
	set, ok, err = p.reader.mask(folder + "/shared_cpu_map")
	if err == nil && ok && set.Empty() {
		set, _, err = p.reader.mask(topologyFolder(pu) + "/" + p.names.core)
	}
	return set.Intersect(p.pus), ok, err
}

// cache makes the cache that a folder describes; nil when the folder gives no
// level, or one that there is no type for.
func (p *places) cache(folder string, set hw.Set) (*hw.Object, error) {
	level, ok, err := p.number(folder + "/level")
	if err != nil || !ok {
		return nil, err
	}
	name, _, err := p.text(folder + "/type")
	if err != nil {
		return nil, err
	}
	typ, ok, err := cacheType(level, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	if !ok {
		p.note("%s: a cache of level %d is left out", folder, level)
		return nil, nil
	}
	text, _, err := p.text(folder + "/size")
	if err != nil {
		return nil, err
	}
	bytes, err := parseSize(text)
	if err != nil {
		return nil, fmt.Errorf("%s/size: %w", folder, err)
	}
	if typ == hw.L3Cache && bytes == 0 && p.cpu.knightsLanding() {
		return nil, nil // its L3 is not there
	}
	return &hw.Object{Type: typ, OSIndex: hw.Unknown, CPUSet: set, Bytes: bytes}, nil
}

// cacheType maps the kernel's level and type to the object type; ok is false
// when there is none for the level. Without a type the cache is unified.
func cacheType(level int, name string) (typ hw.Type, ok bool, err error) {
	types := []hw.Type{hw.L1Cache, hw.L2Cache, hw.L3Cache, hw.L4Cache, hw.L5Cache}
	switch name {
	case "Data", "Unified", "":
	case "Instruction":
		types = []hw.Type{hw.L1iCache, hw.L2iCache, hw.L3iCache}
	default:
		return 0, false, fmt.Errorf("cache type %q is not Data, Unified or Instruction", clip(name))
	}
	if level < 1 || level > len(types) {
		return 0, false, nil
	}
	return types[level-1], true, nil
}

// parseSize reads a cache size such as "48K" into bytes; no text is 0.
func parseSize(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	digits, unit := text, uint64(1)
	for suffix, factor := range map[string]uint64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if d, ok := strings.CutSuffix(text, suffix); ok {
			digits, unit = d, factor
		}
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is not a size such as 32K", clip(text))
	}
	return n * unit, nil
}
