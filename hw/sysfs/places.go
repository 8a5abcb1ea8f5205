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
func (p *places) above(pu int) []*hw.Object {
	core, isFirst := p.core(pu)
	var cluster, die, pack *hw.Object
	if isFirst {
		cluster, isFirst = p.inner(pu, hw.Group, "Cluster", "cluster")
	}
	if isFirst {
		die, isFirst = p.inner(pu, hw.Die, "", "die")
	}
	if cluster != nil && die != nil && cluster.CPUSet.Equal(die.CPUSet) {
		cluster = nil
	}
	if isFirst {
		mask, _ := p.mask(pu, p.names.pack)
		if cluster != nil && cluster.CPUSet.Equal(mask) {
			cluster = nil
		}
		if die != nil && die.CPUSet.Equal(mask) {
			die = nil
		}
		if mask.First() == pu {
			pack = p.object(pu, hw.Package, "", mask, "physical_package_id")
		}
	}
	found := append(present(core, pack, cluster, die), p.mainframe(pu)...)
	return append(found, &hw.Object{Type: hw.PU, OSIndex: pu, CPUSet: hw.SetOf(pu)})
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
func (p *places) mask(pu int, name string) (hw.Set, bool) {
	set, ok := p.reader.mask(topologyFolder(pu) + "/" + name)
	return set.Intersect(p.pus), ok
}

func (p *places) object(pu int, typ hw.Type, subtype string, set hw.Set, id string) *hw.Object {
	return &hw.Object{Type: typ, Subtype: subtype, OSIndex: p.index(topologyFolder(pu) + "/" + id), CPUSet: set}
}

// core returns the core whose first PU is pu. isFirst is false where pu is not the first of its mask.
func (p *places) core(pu int) (core *hw.Object, isFirst bool) {
	set, ok := p.mask(pu, p.names.core)
	if !ok {
		return nil, true
	}
	if p.units && !p.compared && set.Len() > 1 {
		p.compare(pu, set)
	}
	isFirst = set.First() == pu
	if p.split {
		set = hw.SetOf(pu)
	} else if !isFirst {
		return nil, false
	}
	return p.object(pu, hw.Core, "", set, "core_id"), isFirst
}

// compare determines whether the PUs of a core mask are cores of their own: they are when their core_id differ.
func (p *places) compare(pu int, set hw.Set) {
	mine := p.index(topologyFolder(pu) + "/core_id")
	theirs := p.index(topologyFolder(set.Minus(hw.SetOf(pu)).First()) + "/core_id")
	p.compared, p.split = true, mine != theirs
}

// inner returns the cluster or die whose first PU is pu. A mask with just the PU itself means nothing: kernels that
// know no clusters or dies write that.
func (p *places) inner(pu int, typ hw.Type, subtype, name string) (o *hw.Object, isFirst bool) {
	set, ok := p.mask(pu, name+"_cpus")
	switch {
	case !ok || set.Len() == 1:
		return nil, true
	case set.First() != pu:
		return nil, false
	}
	return p.object(pu, typ, subtype, set, name+"_id"), true
}

// mainframe returns the book and the drawer whose first PU is pu.
func (p *places) mainframe(pu int) (found []*hw.Object) {
	for _, g := range []struct{ subtype, name string }{{"Book", "book"}, {"Drawer", "drawer"}} {
		if set, ok := p.mask(pu, g.name+"_siblings"); ok && set.First() == pu {
			found = append(found, p.object(pu, hw.Group, g.subtype, set, g.name+"_id"))
		}
	}
	return found
}

// maxCaches is how many cache folders of a PU are read.
const maxCaches = 10

// caches reads the data, unified and instruction caches whose first PU is pu.
func (p *places) caches(pu int) (objects []*hw.Object) {
	parent := fmt.Sprintf("%s/cpu%d/cache", cpuFolder, pu)
	numbers := p.numbered(parent, "index")
	if numbers.Empty() {
		return p.sparcCaches(pu)
	}
	for _, i := range numbers.Indexes() {
		if i >= maxCaches {
			break
		}
		folder := fmt.Sprintf("%s/index%d", parent, i)
		if set, ok := p.sharers(pu, folder); ok && set.First() == pu {
			objects = append(objects, present(p.cache(folder, set))...)
		}
	}
	return objects
}

// sparcCaches reads the caches of a PU as SPARC's kernel describes them, in bytes. The kernel does not tell which PUs
// share a cache: as in lscpu, each PU has its own.
func (p *places) sparcCaches(pu int) (objects []*hw.Object) {
	for _, c := range []struct {
		typ  hw.Type
		name string
	}{{hw.L1Cache, "l1_dcache_size"}, {hw.L1iCache, "l1_icache_size"}, {hw.L2Cache, "l2_cache_size"}} {
		if bytes, ok := p.number(fmt.Sprintf("%s/cpu%d/%s", cpuFolder, pu, c.name)); ok && bytes > 0 {
			objects = append(objects, &hw.Object{Type: c.typ, OSIndex: hw.Unknown, CPUSet: hw.SetOf(pu), Bytes: uint64(bytes)})
		}
	}
	return objects
}

// sharers reads which PUs share a cache. Some ia64 kernels report an empty set,
// which means the core.
func (p *places) sharers(pu int, folder string) (set hw.Set, ok bool) {
	set, ok = p.reader.mask(folder + "/shared_cpu_map")
	if ok && set.Empty() {
		set, _ = p.reader.mask(topologyFolder(pu) + "/" + p.names.core)
	}
	return set.Intersect(p.pus), ok
}

// cache makes the cache that a folder describes; nil when the folder has no level, or a level without an object type.
func (p *places) cache(folder string, set hw.Set) *hw.Object {
	level, ok := p.number(folder + "/level")
	if !ok {
		return nil
	}
	name, _ := p.text(folder + "/type")
	if !slices.Contains([]string{"Data", "Unified", "Instruction", ""}, name) {
		p.fail("%s: cache type %q is not Data, Unified or Instruction", folder, hw.Clip(name))
	}
	typ, ok := hw.CacheType(level, name == "Instruction") // without a type the cache is unified
	if !ok {
		p.note("%s: a cache of level %d is left out", folder, level)
		return nil
	}
	text, _ := p.text(folder + "/size")
	bytes, err := ParseSize(text)
	if err != nil {
		p.fail("%s/size: %w", folder, err)
	}
	if typ == hw.L3Cache && bytes == 0 && p.cpu.knightsLanding() {
		return nil // a Xeon Phi has no L3
	}
	o := &hw.Object{Type: typ, OSIndex: hw.Unknown, CPUSet: set, Bytes: bytes}
	p.lines(o, folder)
	return o
}

// lines reads the size of a cache's lines and the associativity, which follows from the number of sets; a cache of one set
// is not believed. What is not a number is unknown.
func (p *places) lines(o *hw.Object, folder string) {
	var numbers [3]uint64
	for i, name := range []string{"coherency_line_size", "number_of_sets", "physical_line_partition"} {
		text, _ := p.text(folder + "/" + name)
		numbers[i], _ = strconv.ParseUint(text, 10, 31)
	}
	line, sets, perTag := numbers[0], numbers[1], max(numbers[2], 1)
	o.Line = int32(line)
	if line > 0 && sets > 1 {
		o.Ways = int32(min(o.Bytes/line/perTag/sets, math.MaxInt32))
	}
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
