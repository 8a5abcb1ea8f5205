package sysfs

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// places reads where the PUs are in the machine. The masks decide which PUs belong together; the ids are only os
// indexes, because they repeat (a core_id in every die, a package id of -1).
type places struct {
	*reader
	names siblings
	pus   hw.Set // the PUs that count
	// units tells that the PUs of a core mask may be cores of their own; split tells that they are, once two of them
	// were compared.
	units, compared, split bool
}

// above returns the objects whose first PU is pu, and the PU itself, in the order in which hwloc finds them. Where pu
// is not the first PU of an object, above does not look at the objects around it: an earlier PU did.
func (p *places) above(pu int) ([]*hw.Object, error) {
	core, isFirst, err := p.core(pu)
	if err != nil {
		return nil, err
	}
	var cluster, die, pack *hw.Object
	if isFirst {
		if cluster, isFirst, err = p.inner(pu, hw.Group, "Cluster", "cluster"); err != nil {
			return nil, err
		}
	}
	if isFirst {
		if die, isFirst, err = p.inner(pu, hw.Die, "", "die"); err != nil {
			return nil, err
		}
	}
	if cluster != nil && die != nil && cluster.CPUSet.Equal(die.CPUSet) {
		cluster = nil
	}
	if isFirst {
		var mask hw.Set
		if mask, _, err = p.mask(pu, p.names.pack); err != nil {
			return nil, err
		}
		if cluster != nil && cluster.CPUSet.Equal(mask) {
			cluster = nil
		}
		if die != nil && die.CPUSet.Equal(mask) {
			die = nil
		}
		if mask.First() == pu {
			if pack, err = p.object(pu, hw.Package, "", mask, "physical_package_id"); err != nil {
				return nil, err
			}
		}
	}
	found, err := p.mainframe(pu)
	return append(present(core, pack, cluster, die), append(found,
		&hw.Object{Type: hw.PU, OSIndex: pu, CPUSet: hw.SetOf(pu)})...), err
}

// present returns the objects that are not nil.
func present(objects ...*hw.Object) []*hw.Object {
	var r []*hw.Object
	for _, o := range objects {
		if o != nil {
			r = append(r, o)
		}
	}
	return r
}

// mask reads a mask of pu, without the PUs that do not count.
func (p *places) mask(pu int, name string) (hw.Set, bool, error) {
	set, ok, err := p.reader.mask(topologyFolder(pu) + "/" + name)
	return set.Intersect(p.pus), ok, err
}

func (p *places) object(pu int, typ hw.Type, subtype string, set hw.Set, id string) (
	*hw.Object, error) {
	index, err := p.index(topologyFolder(pu) + "/" + id)
	return &hw.Object{Type: typ, Subtype: subtype, OSIndex: index, CPUSet: set}, err
}

// core returns the core whose first PU is pu. isFirst is false where pu is not the first of its mask.
func (p *places) core(pu int) (core *hw.Object, isFirst bool, err error) {
	set, ok, err := p.mask(pu, p.names.core)
	if err != nil || !ok {
		return nil, true, err
	}
	if p.units && !p.compared && set.Len() > 1 {
		if err := p.compare(pu, set); err != nil {
			return nil, false, err
		}
	}
	isFirst = set.First() == pu
	if p.split {
		set = hw.SetOf(pu)
	} else if !isFirst {
		return nil, false, nil
	}
	core, err = p.object(pu, hw.Core, "", set, "core_id")
	return core, isFirst, err
}

// compare determines whether the PUs of a core mask are cores of their own: they are when their core_id differ.
func (p *places) compare(pu int, set hw.Set) error {
	mine, err := p.index(topologyFolder(pu) + "/core_id")
	if err != nil {
		return err
	}
	theirs, err := p.index(topologyFolder(set.Minus(hw.SetOf(pu)).First()) + "/core_id")
	p.compared, p.split = true, mine != theirs
	return err
}

// inner returns the cluster or die whose first PU is pu. A mask with just the PU itself means nothing: kernels that
// know no clusters or dies write that.
func (p *places) inner(pu int, typ hw.Type, subtype, name string) (
	o *hw.Object, isFirst bool, err error) {
	set, ok, err := p.mask(pu, name+"_cpus")
	if err != nil || !ok || set.Len() == 1 {
		return nil, true, err
	}
	if set.First() != pu {
		return nil, false, nil
	}
	o, err = p.object(pu, typ, subtype, set, name+"_id")
	return o, true, err
}

// mainframe returns the book and the drawer whose first PU is pu.
func (p *places) mainframe(pu int) ([]*hw.Object, error) {
	var found []*hw.Object
	for _, g := range []struct{ subtype, name string }{{"Book", "book"}, {"Drawer", "drawer"}} {
		set, ok, err := p.mask(pu, g.name+"_siblings")
		if err != nil {
			return nil, err
		}
		if !ok || set.First() != pu {
			continue
		}
		o, err := p.object(pu, hw.Group, g.subtype, set, g.name+"_id")
		if err != nil {
			return nil, err
		}
		found = append(found, o)
	}
	return found, nil
}

// maxCaches is how many cache folders of a PU are read.
const maxCaches = 10

// caches reads the data, unified and instruction caches whose first PU is pu.
func (p *places) caches(pu int) ([]*hw.Object, error) {
	parent := fmt.Sprintf("%s/cpu%d/cache", cpuFolder, pu)
	numbers, err := p.numbered(parent, "index")
	if err != nil {
		return nil, err
	}
	if numbers.Empty() {
		return p.sparcCaches(pu)
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

// sparcCaches reads the caches of a PU as SPARC's kernel describes them, in bytes. The kernel does not tell which PUs
// share a cache: as in lscpu, each PU has its own.
func (p *places) sparcCaches(pu int) ([]*hw.Object, error) {
	var objects []*hw.Object
	for _, c := range []struct {
		typ  hw.Type
		name string
	}{{hw.L1Cache, "l1_dcache_size"}, {hw.L1iCache, "l1_icache_size"}, {hw.L2Cache, "l2_cache_size"}} {
		bytes, ok, err := p.number(fmt.Sprintf("%s/cpu%d/%s", cpuFolder, pu, c.name))
		if err != nil {
			return nil, err
		}
		if ok && bytes > 0 {
			objects = append(objects, &hw.Object{Type: c.typ, OSIndex: hw.Unknown, CPUSet: hw.SetOf(pu), Bytes: uint64(bytes)})
		}
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

// cache makes the cache that a folder describes; nil when the folder has no level, or a level without an object type.
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
	bytes, err := ParseSize(text)
	if err != nil {
		return nil, fmt.Errorf("%s/size: %w", folder, err)
	}
	if typ == hw.L3Cache && bytes == 0 && p.cpu.knightsLanding() {
		return nil, nil // a Xeon Phi has no L3
	}
	o := &hw.Object{Type: typ, OSIndex: hw.Unknown, CPUSet: set, Bytes: bytes}
	return o, p.lines(o, folder)
}

// lines reads the size of a cache's lines and the associativity, which follows from the number of sets; a cache of one set
// is not believed. What is not a number is unknown.
func (p *places) lines(o *hw.Object, folder string) error {
	var numbers [3]uint64
	for i, name := range []string{"coherency_line_size", "number_of_sets", "physical_line_partition"} {
		text, _, err := p.text(folder + "/" + name)
		if err != nil {
			return err
		}
		numbers[i], _ = strconv.ParseUint(text, 10, 31)
	}
	line, sets, perTag := numbers[0], numbers[1], max(numbers[2], 1)
	o.Line = int32(line)
	if line > 0 && sets > 1 {
		o.Ways = int32(min(o.Bytes/line/perTag/sets, math.MaxInt32))
	}
	return nil
}

// cacheType returns the object type for the kernel's level and type of a cache; ok is false when the level has none.
// Without a type the cache is unified.
func cacheType(level int, name string) (typ hw.Type, ok bool, err error) {
	if !slices.Contains([]string{"Data", "Unified", "Instruction", ""}, name) {
		return 0, false, fmt.Errorf("cache type %q is not Data, Unified or Instruction", hw.Clip(name))
	}
	typ, ok = hw.CacheType(level, name == "Instruction")
	return typ, ok, nil
}

// ParseSize reads a cache size such as "48K" into bytes; "" is 0.
func ParseSize(text string) (uint64, error) {
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
		return 0, fmt.Errorf("%q is not a size such as 32K", hw.Clip(text))
	}
	return n * unit, nil
}
