package engine_test

import (
	"fmt"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// show prints lines as commsplit does.
func show(lines []engine.Line) {
	for _, l := range lines {
		fmt.Printf("[%s] %s\n", l.Ranks, l.Text)
	}
}

// Six ranks split by their parity, in reverse order.
func Example() {
	world, err := engine.New(engine.Config{
		Size:   6,
		Output: show,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = engine.Run(world, func(p *engine.Process) error {
		half, err := p.World().Split(p.Rank()%2, -p.Rank())
		if err != nil {
			return err
		}
		p.Print(fmt.Sprintf("communicator %d: %v", half.Info().ID, half.Info().Group))
		if half.Rank() == 0 {
			p.Print("first of its half")
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [0,2,4] communicator 2: [4 2 0]
	// [1,3,5] communicator 3: [5 3 1]
	// [4-5] first of its half
}

// The NUMA nodes of a machine with two packages; the last rank may run anywhere, so it gets no communicator.
func ExampleComm_SplitType() {
	root, _, err := synthetic.Parse("pack:2 [numa] core:2 pu:1")
	if err != nil {
		fmt.Println(err)
		return
	}
	var places []*hw.Binding
	for _, pus := range []string{"0", "1", "2", "3", "0-3"} {
		set, err := hw.ParseList(pus)
		if err != nil {
			fmt.Println(err)
			return
		}
		places = append(places, &hw.Binding{CPUSet: set})
	}
	world, err := engine.New(engine.Config{
		Topology: hw.New("two packages", root),
		Bindings: places,
		Output:   show,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = engine.Run(world, func(p *engine.Process) error {
		info := engine.NewInfo()
		if err := info.Set(engine.KeyHWResourceType, "hwloc://NUMANode"); err != nil {
			return err
		}
		numa, err := p.World().SplitType(engine.TypeHWGuided, 0, info)
		switch {
		case err != nil:
			return err
		case numa == nil:
			p.Print("MPI_COMM_NULL")
		default:
			p.Print(fmt.Sprintf("%s %d", numa.Info().Resource, numa.Info().Instance))
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [0-1] hwloc://NUMANode 0
	// [2-3] hwloc://NUMANode 1
	// [4] MPI_COMM_NULL
}

// Ranks that make different calls wait for each other forever; the engine finds this at once.
func ExampleDeadlock() {
	world, err := engine.New(engine.Config{Size: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = engine.Run(world, func(p *engine.Process) error {
		if p.Rank() == 0 {
			p.At(engine.Site{File: "demo.py", Line: 6})
			return p.World().Barrier()
		}
		p.At(engine.Site{File: "demo.py", Line: 7})
		_, err := p.World().Split(0, 0)
		return err
	})
	fmt.Println(strings.NewReplacer("; ", ";\n", ". ", ".\n").Replace(err.Error()))
	// Output:
	// DEADLOCK on world: ranks 1-3 wait in MPI_Comm_split (demo.py:7);
	// rank 0 is in MPI_Barrier (demo.py:6).
	// All processes of the group must make the same collective calls in the same order [MPI-5.0 §6.1].
	// Fix: let these ranks make the same call, or all of them both calls in one order: ranks 1-3 call MPI_Comm_split, rank 0 calls MPI_Barrier.
}
