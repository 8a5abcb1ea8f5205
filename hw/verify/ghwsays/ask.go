// Package ghwsays asks ghw about a machine, and predicts its answers from the
// machine's files, known defect by known defect.
//
// Model: ghw reads names and ids where sysfs has masks. Each defect below is a limit in
// the sense of package account, made of ghw 0.26's own steps: a prediction says what
// ghw must answer on these very files, so that nothing else is excused.
//
// It does not ask for what ghw knows beyond packages, cores, PUs, caches, NUMA
// nodes and memory.
package ghwsays

import (
	"context"
	"fmt"

	"github.com/jaypipes/ghw"
	"github.com/jaypipes/ghw/pkg/memory"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// The kinds that ghw speaks of.
var (
	packages = account.Of(hw.Package)
	cores    = account.Of(hw.Core)
	pus      = account.Of(hw.PU)
	nodes    = account.Of(hw.NUMANode)
	caches   = []account.Kind{account.Of(hw.L5Cache), account.Of(hw.L4Cache), account.Of(hw.L3Cache),
		account.Of(hw.L3iCache), account.Of(hw.L2Cache), account.Of(hw.L2iCache),
		account.Of(hw.L1Cache), account.Of(hw.L1iCache)}
)

// options make ghw quiet, and read the machine below root whatever GHW_CHROOT says.
func options(ctx context.Context, root string) []any {
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

// CPU is what ghw.CPU says of the machine whose /proc and /sys are below root.
func CPU(ctx context.Context, root string) (account.Account, error) {
	a := account.Account{}
	a.Speak(packages, cores, pus)
	err := guarded(func() error {
		info, err := ghw.CPU(options(ctx, root)...)
		if err != nil {
			return fmt.Errorf("ghw: %w", err)
		}
		for _, p := range info.Processors {
			whole := account.Thing{OSIndex: hw.Unknown}
			for _, c := range p.Cores {
				whole.CPUSet.Merge(addCore(a, c.LogicalProcessors))
			}
			a.Add(packages, whole)
		}
		return nil
	})
	return a, err
}

// addCore adds a core and its PUs.
func addCore(a account.Account, list []int) hw.Set {
	set := hw.SetOf(list...)
	a.Add(cores, account.Thing{OSIndex: hw.Unknown, CPUSet: set})
	for _, pu := range list {
		a.Add(pus, account.Thing{OSIndex: pu, CPUSet: hw.SetOf(pu)})
	}
	return set
}

// Topology is what ghw.Topology says.
func Topology(ctx context.Context, root string) (account.Account, error) {
	a := account.Account{}
	a.Speak(nodes, cores, pus)
	err := guarded(func() error {
		info, err := ghw.Topology(options(ctx, root)...)
		if err != nil {
			return fmt.Errorf("ghw: %w", err)
		}
		for _, n := range info.Nodes {
			node := account.Thing{OSIndex: n.ID}
			for _, c := range n.Cores {
				node.CPUSet.Merge(addCore(a, c.LogicalProcessors))
			}
			a.Add(nodes, node)
			for _, c := range n.Caches {
				if k, ok := cacheKind(int(c.Level), c.Type); ok {
					a.Add(k, account.Thing{OSIndex: hw.Unknown, CPUSet: cpuSet(c.LogicalProcessors), Bytes: c.SizeBytes})
				}
			}
		}
		return nil
	})
	return a, err
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

// Memory is the main memory in bytes that ghw tells.
func Memory(ctx context.Context, root string) (bytes uint64, err error) {
	err = guarded(func() error {
		info, err := ghw.Memory(options(ctx, root)...)
		if err != nil {
			return fmt.Errorf("ghw: %w", err)
		}
		bytes = uint64(max(info.TotalUsableBytes, 0))
		return nil
	})
	return bytes, err
}
