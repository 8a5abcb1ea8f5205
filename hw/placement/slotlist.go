package placement

import (
	"fmt"
	"strings"

	"commsplit/hw"
)

// cpus are the CPUs of hosts and of their packages, in logical order: the
// numbers of a rankfile.
type cpus struct {
	topology *hw.Topology
	kind     *hw.Resource // cores, or PUs without cores
	packages *hw.Resource // nil when the topology has none
	onHost   [][]int32    // by host: CPUs
	sockets  [][]int32    // by host: packages
	inSocket [][]int32    // by package: CPUs
}

func newCPUs(t *hw.Topology) *cpus {
	c := &cpus{topology: t, kind: coresOrPUs(t), packages: t.ResourceOf(hw.Package)}
	c.onHost = byHosts(t, c.kind)
	c.sockets = make([][]int32, len(t.Hosts))
	if c.packages == nil {
		return c
	}
	c.sockets = byHosts(t, c.packages)
	c.inSocket = make([][]int32, len(c.packages.Instances))
	for i, o := range c.kind.Instances {
		if k := c.packages.InstanceOf(t.HostIndex(o), o.CPUSet); k >= 0 {
			c.inSocket[k] = append(c.inSocket[k], int32(i))
		}
	}
	return c
}

// scope is what the numbers of a slot list count.
type scope struct {
	of    *hw.Resource // nil: PUs by os index
	list  []int32      // its instances that can be meant
	where string       // "node0", "package 1 of node0"
}

// parseSlots reads the places of a rank on a host: "2" and "0-3" are cores of
// the host, "1:0-2" and "1:0,2" cores of its package 1, "1:*" and "s1" all of
// them; "p8" is the core that holds PU 8. Pieces are joined by "," or ";";
// after a ";" numbers are the host's cores again. This is mpirun(1) of Open
// MPI 4.1; the program itself takes the 1 of "0:0,1" for a package.
func (c *cpus) parseSlots(host int, text string) (hw.Set, error) {
	var set hw.Set
	for _, item := range strings.Split(text, ";") {
		in := scope{c.kind, c.onHost[host], c.topology.Hosts[host].Name}
		for _, piece := range strings.Split(item, ",") {
			if err := c.addPiece(&set, host, &in, strings.ToLower(strings.TrimSpace(piece))); err != nil {
				return hw.Set{}, fmt.Errorf("slot=%s: %w", text, err)
			}
		}
	}
	return set, nil
}

// addPiece adds one piece of a list, which may change the scope.
func (c *cpus) addPiece(set *hw.Set, host int, in *scope, piece string) error {
	name := c.topology.Hosts[host].Name
	socket, cores, two := strings.Cut(piece, ":")
	switch {
	case two:
		packages := scope{c.packages, c.sockets[host], name}
		lo, hi, err := packages.span(strings.TrimPrefix(socket, "s"))
		if err != nil {
			return err
		}
		if lo != hi {
			return fmt.Errorf("%q: want one package before the colon", piece)
		}
		*in = scope{c.kind, c.inSocket[packages.list[lo]], fmt.Sprintf("package %d of %s", lo, name)}
		piece = strings.TrimPrefix(cores, "c")
	case strings.HasPrefix(piece, "s"):
		*in, piece = scope{c.packages, c.sockets[host], name}, piece[1:]
	case strings.HasPrefix(piece, "p"):
		*in, piece = scope{nil, nil, name}, piece[1:]
	}
	if in.of == nil {
		return c.addPhysical(set, host, piece)
	}
	lo, hi, err := in.span(piece)
	for i := lo; i <= hi && err == nil; i++ {
		set.Merge(in.of.Instances[in.list[i]].CPUSet)
	}
	return err
}

// span reads "3", "0-3" or "*": the first and last of the scope's list.
func (in *scope) span(text string) (lo, hi int, err error) {
	noun := "core"
	if in.of != nil && in.of.Type == hw.PU {
		noun = "hwthread"
	} else if in.of == nil || in.of.Type == hw.Package {
		noun = "package"
	}
	last := len(in.list) - 1
	if last < 0 {
		return 0, -1, fmt.Errorf("%s has no %ss", in.where, noun)
	}
	if text == "*" {
		return 0, last, nil
	}
	lo, hi, err = hw.ParseRange(text, noun)
	if err == nil && hi > last {
		err = fmt.Errorf("%q: %s has no %s %d; it has 0-%d", text, in.where, noun, hi, last)
	}
	return lo, hi, err
}

// addPhysical adds the cores that hold PUs, given by os index.
func (c *cpus) addPhysical(set *hw.Set, host int, text string) error {
	pus, err := hw.ParsePUs(text, c.topology.Hosts[host])
	if err != nil {
		return err
	}
	for pu := pus.First(); pu >= 0; pu = pus.Next(pu + 1) {
		if k := c.kind.InstanceOf(host, hw.SetOf(pu)); k >= 0 {
			set.Merge(c.kind.Instances[k].CPUSet)
		} else {
			set.Add(pu) // of no core
		}
	}
	return nil
}
