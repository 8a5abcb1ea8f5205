package verify

import (
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"strings"

	"commsplit/hw"
	"commsplit/hw/detect"
	"commsplit/hw/verify/account"
)

// narrowed predicts a witness that tells which PUs this process may run on: those of the
// machine, or fewer when somebody bound the process. More it must never tell.
func (m *machine) narrowed(bound hw.Set) account.Model {
	pu := account.Of(hw.PU)
	usable := account.Union(m.said[pu])
	l := &account.Limit{Kinds: []account.Kind{pu},
		Words: fmt.Sprintf("tells that this process is bound to %s (affinity), as taskset and mpirun do it", pus(bound))}
	node := []account.Kind{account.Of(hw.NUMANode)}
	filled := &account.Limit{Kinds: node, Words: "counts only NUMA nodes that have memory"}
	gpus := &account.Limit{Kinds: node, Words: "counts the memory of GPUs as NUMA nodes"}
	limits := []*account.Limit{filled}
	if bound.SubsetOf(usable) && !bound.Empty() {
		limits = append(limits, l)
	}
	hidden := m.gpuNodes()
	if len(hidden) > 0 {
		limits = append(limits, gpus)
	}
	return account.Model{Limits: limits, Predict: func(k account.Kind, on account.On) []account.Thing {
		things := m.said[k]
		switch {
		case on[l]:
			things = singles(bound)
		case on[filled]:
			things = m.filledNodes()
		}
		if on[gpus] {
			things = append(things[:len(things):len(things)], hidden...)
		}
		return things
	}}
}

// gpuNodes are the node folders without PUs that are no nodes of ours, on machines with GPUs that
// have NUMA nodes.
func (m *machine) gpuNodes() []account.Thing {
	if entries, err := fs.ReadDir(m.files, "proc/driver/nvidia/gpus"); err != nil || len(entries) == 0 {
		return nil
	}
	masks := m.nodeMasks()
	for _, n := range m.full[account.Of(hw.NUMANode)] {
		delete(masks, n.OSIndex)
	}
	var list []account.Thing
	for n, s := range masks {
		if s.Empty() {
			list = append(list, account.Thing{OSIndex: n})
		}
	}
	return list
}

// filledNodes are our NUMA nodes that have memory.
func (m *machine) filledNodes() []account.Thing {
	text, _ := m.text("sys/devices/system/node/has_memory")
	filled, _ := hw.ParseList(text)
	var list []account.Thing
	for _, n := range m.said[account.Of(hw.NUMANode)] {
		if filled.Has(n.OSIndex) {
			list = append(list, n)
		}
	}
	return list
}

// nodesNamed are NUMA nodes of which only the numbers are told: their PUs are as we have them.
func (m *machine) nodesNamed(numbers hw.Set) []account.Thing {
	list := []account.Thing{}
	for _, n := range m.full[account.Of(hw.NUMANode)] {
		if numbers.Has(n.OSIndex) {
			list = append(list, account.Thing{OSIndex: n.OSIndex, CPUSet: n.CPUSet.Intersect(m.ours.Allowed)})
			numbers = numbers.Minus(hw.SetOf(n.OSIndex))
		}
	}
	for _, n := range numbers.Indexes() {
		list = append(list, account.Thing{OSIndex: n})
	}
	return list
}

func askAffinity(_ context.Context, m *machine) testimony {
	t := testimony{name: "affinity", usable: true, obeys: true}
	if !m.live {
		t.skipped = notHere
		return t
	}
	set, err := detect.Affinity()
	t.err = err
	t.said = account.Account{account.Of(hw.PU): singles(set)}
	t.model = m.narrowed(set)
	return t
}

// askStatus reads /proc/self/status: of this process, or of the one that made the copy.
func askStatus(_ context.Context, m *machine) testimony {
	t := testimony{name: "status", usable: true, obeys: true, said: account.Account{}}
	text, lost := m.text("proc/self/status")
	var pus hw.Set
	found := false
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		if name != "Cpus_allowed_list" && name != "Mems_allowed_list" {
			continue
		}
		set, err := hw.ParseList(strings.TrimSpace(value))
		if err != nil {
			t.err = fmt.Errorf("/proc/self/status: %s: %w", name, err)
			return t
		}
		found = true
		if name == "Cpus_allowed_list" {
			pus = set
			t.said[account.Of(hw.PU)] = singles(set)
		} else {
			t.said[account.Of(hw.NUMANode)] = m.nodesNamed(set)
		}
	}
	if lost || !found {
		t.skipped = "/proc/self/status does not tell the PUs of this process"
	}
	t.model = m.narrowed(pus)
	return t
}

func askCgroup(_ context.Context, m *machine) testimony {
	t := testimony{name: "cgroup", usable: true, obeys: true, said: account.Account{}}
	if _, lost := m.text("proc/mounts"); lost {
		t.skipped = "there is no /proc/mounts to find one"
		return t
	}
	t.said[account.Of(hw.PU)] = singles(m.ours.Allowed)
	return t
}

// askRuntime asks the Go runtime, which counts the PUs of the affinity when it starts.
func askRuntime(_ context.Context, m *machine) testimony {
	t := testimony{name: "Go", usable: true, obeys: true}
	if !m.live {
		t.skipped = notHere
		return t
	}
	t.counts = map[account.Kind]int{account.Of(hw.PU): runtime.NumCPU()}
	set, err := detect.Affinity()
	t.err = err
	t.model = m.narrowed(set)
	if n := runtime.GOMAXPROCS(0); n != runtime.NumCPU() {
		t.notes = []string{fmt.Sprintf("GOMAXPROCS is %d: so many threads run Go code at a time "+
			"(a cgroup's CPU quota, or the environment); no PU is forbidden by it", n)}
	}
	return t
}
