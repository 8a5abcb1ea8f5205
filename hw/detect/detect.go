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
	"os"
	"runtime"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

// identity is ghw's answer in plain values.
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

// This detects the machine that the program runs on. The error names the file that
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

// from makes the topology out of what was found: root is nil where there is no
// sysfs, affinity is empty where it is not known.
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
