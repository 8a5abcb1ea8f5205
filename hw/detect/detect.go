//go:build !js

// Package detect finds out what machine this is: the tree from our own sysfs
// reader, package models and memory from ghw, the affinity from the kernel, the
// name from the operating system.
//
// Model: the package believes sysfs; package verify compares sysfs with other
// sources. Affinity is a note: it does not shrink the tree. Without sysfs the tree
// comes from ghw and the Go runtime, and a note says what is missing.
//
// The package does not look at GPUs, networks or other machines.
package detect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/jaypipes/ghw"
	"github.com/jaypipes/ghw/pkg/cpu"
	"github.com/jaypipes/pcidb"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

// identity holds the values that ghw reports.
type identity struct {
	packages []processor
	cpus     int           // what the Go runtime counts
	memory   func() uint64 // bytes of the machine, 0 when unknown; slow, so asked for only if needed
	notes    []string
}

// processor is a package as ghw sees it.
type processor struct {
	model string
	cores [][]int // logical processor ids of each core; none where ghw has no ids
}

// This detects the machine that the program runs on. The error names a file that
// makes no sense.
func This(ctx context.Context) (*hw.Topology, error) {
	id, err := identify(ctx)
	if err != nil {
		return nil, err
	}
	allowed, err := Affinity()
	if err != nil {
		return nil, err
	}
	var root fs.FS
	if runtime.GOOS == "linux" {
		root = os.DirFS("/")
	}
	// Without a name the machine is node0, as in every other topology.
	name, _ := os.Hostname()
	return from(root, id, allowed, name)
}

// from makes the topology. root is nil where there is no sysfs, affinity is empty
// where it is not known.
func from(root fs.FS, id identity, affinity hw.Set, hostname string) (*hw.Topology, error) {
	m, err := readTree(root)
	if errors.Is(err, sysfs.ErrAbsent) {
		machine, notes := guess(id, affinity)
		machine.Name = hostname
		return hw.New("this", machine, append(id.notes, notes...)...), nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot detect this machine: %w", err)
	}
	m.Root.Name = hostname
	namePackages(m.Root, id)
	fillMemory(m.Root, m.Memory, id)
	notes := append(m.Notes, id.notes...)
	if !affinity.Empty() && !m.Allowed.SubsetOf(affinity) {
		notes = append(notes, affinityNote(affinity.Intersect(m.Allowed)))
	}
	return hw.New("this", m.Root, notes...), nil
}

func readTree(root fs.FS) (*sysfs.Machine, error) {
	if root == nil {
		return nil, sysfs.ErrAbsent
	}
	return sysfs.Read(root)
}

// affinityNote returns the note about the PUs that the process may run on.
func affinityNote(s hw.Set) string {
	if s.Len() == 1 {
		return fmt.Sprintf("this process may run only on PU %v (affinity)", s)
	}
	return fmt.Sprintf("this process may run only on PUs %v (affinity)", s)
}

// namePackages gives each package the model that ghw knows for its PUs. PUs
// identify a package here, because ghw merges packages with equal ids.
func namePackages(machine *hw.Object, id identity) {
	models := map[int]string{}
	for _, p := range id.packages {
		for _, c := range p.cores {
			for _, pu := range c {
				models[pu] = p.model
			}
		}
	}
	for o := range machine.All() {
		if o.Type == hw.Package {
			o.Name = models[o.CPUSet.First()]
		}
	}
}

// fillMemory gives a machine's only NUMA node the memory that ghw knows when
// sysfs tells none.
func fillMemory(machine *hw.Object, known uint64, id identity) {
	var nodes []*hw.Object
	for o := range machine.All() {
		if o.Type == hw.NUMANode {
			nodes = append(nodes, o)
		}
	}
	if known == 0 && len(nodes) == 1 && nodes[0].Bytes == 0 && id.memory != nil {
		nodes[0].Bytes = id.memory()
	}
}

// PCINames returns the machine's own list of vendors and models of PCI devices, pci.ids; nil where the machine
// has no list. It fetches no list from the network.
func PCINames() *pcidb.PCIDB {
	fetch := false
	option := pcidb.WithOption{EnableNetworkFetch: &fetch}
	if path := os.Getenv("PCIDB_PATH"); path != "" { // as ghw does
		option.Path = &path
	}
	db, err := pcidb.New(&option)
	if err != nil {
		return nil
	}
	return db
}

// NameDevices gives the nameless PCI devices of a topology their vendors and models, where the machine has a
// list of PCI devices. Nobody else may use the topology yet.
func NameDevices(t *hw.Topology) {
	var unnamed []*hw.Device
	for o := range t.Root.All() {
		unnamed = nameless(unnamed, o.Devices())
	}
	if len(unnamed) == 0 {
		return
	}
	db := PCINames()
	if db == nil {
		return
	}
	for _, d := range unnamed {
		vendor, device, _ := d.PCIIDs()
		if v := db.Vendors[vendor]; v != nil {
			d.Infos = append(d.Infos, hw.Info{Name: "PCIVendor", Value: v.Name})
		}
		if p := db.Products[vendor+device]; p != nil {
			d.Infos = append(d.Infos, hw.Info{Name: "PCIDevice", Value: p.Name})
		}
	}
}

func nameless(list, devices []*hw.Device) []*hw.Device {
	for _, d := range devices {
		_, _, ok := d.PCIIDs()
		named := slices.ContainsFunc(d.Infos, func(i hw.Info) bool { return strings.HasPrefix(i.Name, "PCI") })
		if ok && d.Type == "PCIDev" && !named {
			list = append(list, d)
		}
		list = nameless(list, d.Devices)
	}
	return list
}

// identify asks ghw, but only for what ghw answers quickly and quietly: the
// CPU, and the memory on demand. Where ghw knows nothing, a note says so; the
// error is that of ctx.
func identify(ctx context.Context) (identity, error) {
	id := identity{cpus: runtime.NumCPU()}
	if err := ctx.Err(); err != nil {
		return id, fmt.Errorf("detection was stopped: %w", err)
	}
	options := []any{ctx, ghw.WithLogger(slog.New(slog.DiscardHandler)), ghw.WithDisableTools()}
	if runtime.GOOS == "linux" {
		// Detect this machine, whatever GHW_CHROOT says.
		options = append(options, ghw.WithChroot("/"))
	}
	id.memory = func() uint64 {
		info, err := ghw.Memory(options...)
		if err != nil || info.TotalUsableBytes < 0 {
			return 0
		}
		return uint64(info.TotalUsableBytes)
	}
	info, err := ghw.CPU(options...)
	if err != nil {
		id.notes = append(id.notes, fmt.Sprintf("ghw cannot read the processors: %v", err))
		return id, nil
	}
	for _, p := range info.Processors {
		id.packages = append(id.packages, plain(p))
	}
	return id, nil
}

// plain copies a processor. On some systems ghw leaves its cores nil.
func plain(p *cpu.Processor) processor {
	r := processor{model: strings.TrimSpace(p.Model)}
	for _, c := range p.Cores {
		if c != nil && len(c.LogicalProcessors) > 0 {
			r.cores = append(r.cores, c.LogicalProcessors)
		}
	}
	return r
}

// guess builds the tree of a machine without sysfs: packages and cores from
// ghw when it knows the logical processors of the cores, or else PUs alone,
// numbered as the affinity has them or from 0 on. The notes say what is not
// known.
func guess(id identity, affinity hw.Set) (*hw.Object, []string) {
	objects, all := ghwTree(id)
	note := "there is no sysfs: NUMA nodes, dies and caches are unknown"
	if len(objects) == 0 {
		note = "there is no sysfs: packages, cores, NUMA nodes, dies and caches are unknown"
		all = affinity.Clone()
		if all.Empty() {
			all = hw.SetRange(0, id.cpus-1)
		}
	}
	for _, pu := range all.Indexes() {
		objects = append(objects, &hw.Object{Type: hw.PU, OSIndex: pu, CPUSet: hw.SetOf(pu)})
	}
	notes := []string{note}
	if !affinity.Empty() && !all.SubsetOf(affinity) {
		notes = append(notes, affinityNote(affinity))
	}
	machine := &hw.Object{Type: hw.Machine, OSIndex: 0, CPUSet: all}
	for _, o := range hw.Build(machine, objects, nil) {
		notes = append(notes, "ghw contradicts itself: "+o.TypeName()+" with PUs "+
			o.CPUSet.String()+" overlaps others and is left out")
	}
	fillMemory(machine, 0, id)
	return machine, notes
}

// ghwTree makes packages and cores from what ghw found, and the set of their
// PUs.
func ghwTree(id identity) (objects []*hw.Object, all hw.Set) {
	for i, p := range id.packages {
		var set hw.Set
		for j, core := range p.cores {
			pus := hw.SetOf(core...)
			set = set.Union(pus)
			objects = append(objects, &hw.Object{Type: hw.Core, OSIndex: j, CPUSet: pus})
		}
		if !set.Empty() {
			objects = append(objects,
				&hw.Object{Type: hw.Package, OSIndex: i, Name: p.model, CPUSet: set})
		}
		all = all.Union(set)
	}
	return objects, all
}
