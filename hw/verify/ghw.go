//go:build !js

package verify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/jaypipes/ghw"
	"github.com/jaypipes/ghw/pkg/memory"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/detect"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
)

// ghwOptions returns options that make ghw quiet and let it read the machine below root whatever GHW_CHROOT
// says. ghw's own switch for warnings does not reach the packages that ghw itself calls.
func ghwOptions(ctx context.Context, root string) []any {
	return []any{ctx, ghw.WithLogger(slog.New(slog.DiscardHandler)), ghw.WithDisableTools(), ghw.WithChroot(root)}
}

// guarded turns a panic of ghw into an error; some empty files cause panics.
func guarded(ask func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("ghw panics: %v", r)
		}
	}()
	return ask()
}

// askGHWCPU asks ghw for packages and cores. ghw takes PUs with equal ids for one of them.
func askGHWCPU(ctx context.Context, m *machine) testimony {
	a := account.Account{}
	a.Speak(kinds(hw.Package, hw.Core, hw.PU)...)
	err := guarded(func() error {
		info, err := ghw.CPU(ghwOptions(ctx, m.dir)...)
		if err != nil {
			return fmt.Errorf("ghw: %w", err)
		}
		for _, p := range info.Processors {
			whole := account.Thing{OSIndex: hw.Unknown}
			for _, c := range p.Cores {
				whole.CPUSet.Merge(addCore(a, c.LogicalProcessors))
			}
			a.Add(account.Of(hw.Package), whole)
		}
		return nil
	})
	return testimony{name: "ghw.CPU", plain: true, said: a, err: err}
}

// addCore adds a core and its PUs.
func addCore(a account.Account, list []int) hw.Set {
	set := hw.SetOf(list...)
	a.Add(account.Of(hw.Core), account.Thing{OSIndex: hw.Unknown, CPUSet: set})
	a[account.Of(hw.PU)] = append(a[account.Of(hw.PU)], singles(set)...)
	return set
}

// askGHWTopology asks ghw for NUMA nodes, and for the cores and caches that ghw lists below them.
func askGHWTopology(ctx context.Context, m *machine) testimony {
	a := account.Account{}
	a.Speak(kinds(hw.NUMANode, hw.Core, hw.PU)...)
	err := guarded(func() error {
		info, err := ghw.Topology(ghwOptions(ctx, m.dir)...)
		if err != nil {
			return fmt.Errorf("ghw: %w", err)
		}
		for _, n := range info.Nodes {
			node := account.Thing{OSIndex: n.ID}
			for _, c := range n.Cores {
				node.CPUSet.Merge(addCore(a, c.LogicalProcessors))
			}
			a.Add(account.Of(hw.NUMANode), node)
			for _, c := range n.Caches {
				if typ, ok := hw.CacheType(int(c.Level), c.Type == memory.CacheTypeInstruction); ok {
					a.Add(account.Of(typ), account.Thing{OSIndex: hw.Unknown, CPUSet: cpuSet(c.LogicalProcessors), Bytes: c.SizeBytes})
				}
			}
		}
		return nil
	})
	return testimony{name: "ghw.Topology", plain: true, said: a, err: err}
}

func cpuSet(list []uint32) hw.Set {
	var s hw.Set
	for _, pu := range list {
		s.Add(int(pu))
	}
	return s
}

// ghwMemory returns the main memory in bytes that ghw reports.
func (m *machine) ghwMemory(ctx context.Context) (bytes uint64, err error) {
	err = guarded(func() error {
		info, err := ghw.Memory(ghwOptions(ctx, m.dir)...)
		if err != nil {
			return fmt.Errorf("ghw: %w", err)
		}
		bytes = uint64(max(info.TotalUsableBytes, 0))
		return nil
	})
	return bytes, err
}

// errNoNames is the reason why ghw reports no PCI devices: it reads no device when it has no names for them.
var errNoNames = errors.New("the machine has no pci.ids, and ghw reads no PCI devices without it")

// GHWDevices returns the PCI devices, graphics cards and network cards that ghw finds on the machine below
// root. ghw reads a few files for each, runs no program and asks no network. The error, one line, tells what
// is missing; the devices that ghw did find come with it.
func GHWDevices(ctx context.Context, root string) (list []hw.Heard, err error) {
	err = guarded(func() error {
		options := ghwOptions(ctx, root)
		cards, err := ghw.Network(options...)
		for i := 0; err == nil && i < len(cards.NICs); i++ {
			if n := cards.NICs[i]; !n.IsVirtual && n.PCIAddress != nil {
				list = append(list, hw.Heard{Kind: "Network", Name: n.Name, BusID: *n.PCIAddress, Node: hw.Unknown})
			}
		}
		if detect.PCINames() == nil {
			return errNoNames
		}
		gpus, err := ghw.GPU(options...)
		if err != nil {
			return fmt.Errorf("ghw: %w", err)
		}
		for _, g := range gpus.GraphicsCards {
			list = append(list, hw.Heard{Kind: "GPU", Name: fmt.Sprintf("card%d", g.Index), BusID: g.Address, Node: nodeOf(g.Node)})
		}
		pci, err := ghw.PCI(options...)
		if err != nil {
			return fmt.Errorf("ghw: %w", err)
		}
		for _, d := range pci.Devices {
			list = append(list, hw.Heard{Kind: "PCI", BusID: d.Address, Node: nodeOf(d.Node)})
		}
		return nil
	})
	return list, err
}

func nodeOf(n *ghw.TopologyNode) int {
	if n == nil {
		return hw.Unknown
	}
	return n.ID
}

// devices compares the named devices with what ghw reports. If ghw reports none, silent has ghw as a witness
// without an answer.
func (m *machine) devices(ctx context.Context) (list []Device, silent []Witness) {
	t := hw.New("", m.whole.Root)
	heard, err := GHWDevices(ctx, m.dir)
	for _, d := range t.Located() {
		told := Device{Kind: d.Kind(), Name: d.Name, BusID: d.BusID(), Node: hw.Unknown}
		if n := t.NodeOf(d.Object); n != nil {
			told.Node = n.OSIndex
		}
		if slices.ContainsFunc(heard, func(h hw.Heard) bool { return h.Name == d.Name || strings.EqualFold(h.BusID, told.BusID) }) {
			told.State = Agrees
		}
		list = append(list, told)
	}
	for _, c := range t.Contradictions(heard, "ghw") {
		i := slices.IndexFunc(list, func(d Device) bool { return d.Name == c.Name })
		if i < 0 {
			i, list = len(list), append(list, Device{Kind: c.Kind, Name: c.Name, Node: hw.Unknown})
		}
		list[i].State, list[i].Why = Differs, c.Why
	}
	if err == nil || len(list) == 0 {
		return list, nil
	}
	w := Witness{Name: "ghw.PCI", Plain: true, State: Failed, Why: err.Error()}
	if errors.Is(err, errNoNames) {
		w.State = Skipped
	}
	return list, []Witness{w}
}
