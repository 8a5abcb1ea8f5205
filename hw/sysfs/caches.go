package sysfs

import (
	"fmt"
	"strconv"
	"strings"

	"commsplit/hw"
)

// caches reads the data, unified and instruction caches of the online PUs.
func (r reader) caches(online hw.Set) ([]*hw.Object, error) {
	var objects []*hw.Object
	for pu := online.First(); pu >= 0; pu = online.Next(pu + 1) {
		folder := fmt.Sprintf("%s/cpu%d/cache", cpuFolder, pu)
		numbers, err := r.numbered(folder, "index")
		if err != nil {
			return nil, err
		}
		for _, i := range numbers.Indexes() {
			cache, err := r.cache(fmt.Sprintf("%s/index%d", folder, i), pu, online)
			if err != nil {
				return nil, err
			}
			if cache != nil {
				objects = append(objects, cache)
			}
		}
	}
	return objects, nil
}

// cache reads one cache folder of pu; nil when an earlier PU shares it.
func (r reader) cache(folder string, pu int, online hw.Set) (*hw.Object, error) {
	set, ok, err := r.set(folder, "shared_cpu_map", "shared_cpu_list")
	if err != nil || !ok {
		return nil, err
	}
	if set, err = r.sharers(pu, set); err != nil {
		return nil, err
	}
	set = set.Intersect(online)
	if set.First() != pu {
		return nil, nil
	}
	return r.described(folder, set)
}

// sharers replaces the empty set that some ia64 kernels report for a cache
// by the PUs of the core.
func (r reader) sharers(pu int, set hw.Set) (hw.Set, error) {
	if !set.Empty() {
		return set, nil
	}
	core, ok, err := r.set(fmt.Sprintf("%s/cpu%d/topology", cpuFolder, pu), kinds[0].masks...)
	if err != nil || !ok {
		return hw.SetOf(pu), err
	}
	return core, nil
}

// described makes the cache that a folder describes; nil when the folder
// gives no level or no type.
func (r reader) described(folder string, set hw.Set) (*hw.Object, error) {
	level, hasLevel, err := r.number(folder + "/level")
	if err != nil {
		return nil, err
	}
	name, hasType, err := r.text(folder + "/type")
	if err != nil || !hasLevel || !hasType {
		return nil, err
	}
	typ, err := cacheType(level, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	text, ok, err := r.text(folder + "/size")
	if err != nil {
		return nil, err
	}
	var size uint64
	if ok {
		if size, err = parseSize(text); err != nil {
			return nil, fmt.Errorf("%s/size: %w", folder, err)
		}
	}
	return &hw.Object{Type: typ, OSIndex: hw.Unknown, CPUSet: set, Bytes: size}, nil
}

// cacheType maps the kernel's level and type to the object type.
func cacheType(level int, name string) (hw.Type, error) {
	data := []hw.Type{hw.L1Cache, hw.L2Cache, hw.L3Cache, hw.L4Cache, hw.L5Cache}
	instruction := []hw.Type{hw.L1iCache, hw.L2iCache, hw.L3iCache}
	types := data
	switch name {
	case "Data", "Unified":
	case "Instruction":
		types = instruction
	default:
		return 0, fmt.Errorf("cache type %q is not Data, Unified or Instruction", clip(name))
	}
	if level < 1 || level > len(types) {
		return 0, fmt.Errorf("%s cache of level %d: levels are 1 to %d",
			strings.ToLower(name), level, len(types))
	}
	return types[level-1], nil
}

// parseSize reads a cache size such as "48K" into bytes.
func parseSize(text string) (uint64, error) {
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
