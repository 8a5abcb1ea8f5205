package verify

import (
	"context"
	"fmt"

	"github.com/jaypipes/ghw"
	"github.com/jaypipes/ghw/pkg/memory"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// ghwOptions make ghw quiet, and read the machine below root whatever GHW_CHROOT says.
func ghwOptions(ctx context.Context, root string) []any {
	return []any{ctx, ghw.WithDisableWarnings(), ghw.WithDisableTools(), ghw.WithChroot(root)}
}

// guarded turns a panic of ghw, which some files that are empty cause, into an error.
func guarded(ask func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("ghw panics: %v", r)
		}
	}()
	return ask()
}

// askGHWCPU asks for packages and cores, which ghw makes of equal ids.
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
	for _, pu := range list {
		a.Add(account.Of(hw.PU), account.Thing{OSIndex: pu, CPUSet: hw.SetOf(pu)})
	}
	return set
}

// askGHWTopology asks for NUMA nodes, and for the cores and caches that ghw lists below them.
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
				if k, ok := cacheKind(int(c.Level), c.Type); ok {
					a.Add(k, account.Thing{OSIndex: hw.Unknown, CPUSet: cpuSet(c.LogicalProcessors), Bytes: c.SizeBytes})
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

// cacheKind is the kind of ghw's cache; ok is false for levels that no machine has.
func cacheKind(level int, t memory.CacheType) (k account.Kind, ok bool) {
	list := []hw.Type{hw.L1Cache, hw.L2Cache, hw.L3Cache, hw.L4Cache, hw.L5Cache}
	if t == memory.CacheTypeInstruction {
		list = []hw.Type{hw.L1iCache, hw.L2iCache, hw.L3iCache}
	}
	if level < 1 || level > len(list) {
		return k, false
	}
	return account.Of(list[level-1]), true
}

// ghwMemory is the main memory in bytes that ghw tells.
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
