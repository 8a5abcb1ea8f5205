package placement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// srunGPUs is the request of srun's words for GPUs of the hosts. Sources: srun(1) and _get_usable_gres of interfaces/gres.c
// of Slurm. GPUs are counted on each host by PCI address, from 0, and each is near to the PUs of its place in the tree.
type srunGPUs struct {
	total, perNode, perTask, tasksPer int // 0 where not given

	bind string // none, closest, single, per_task, map or mask
	each int    // of single and per_task
	list []hw.Set

	hosts [][]hw.Located // the GPUs of each host
}

// readGPUs reads the words about GPUs, and the number of tasks that these words make.
func (s *srunPlan) readGPUs(words Srun, size *int) error {
	g := &srunGPUs{bind: "none"}
	for _, f := range []struct {
		flag, text string
		to         *int
	}{
		{"--gpus", words.GPUs, &g.total}, {"--gpus-per-node", words.GPUsPerNode, &g.perNode},
		{"--gpus-per-task", words.GPUsPerTask, &g.perTask}, {"--ntasks-per-gpu", words.TasksPerGPU, &g.tasksPer},
	} {
		_, count, typed := strings.Cut(f.text, ":")
		if !typed {
			count = f.text
		}
		var err error
		if *f.to, err = positive(f.flag, count, 0); err != nil {
			return fmt.Errorf("%s %q: want a number of GPUs of one type", f.flag, f.text)
		}
	}
	if g.total+g.perNode+g.perTask+g.tasksPer == 0 && words.GPUBind == "" {
		return nil
	}
	if g.tasksPer > 0 && g.perTask > 0 {
		return fmt.Errorf("--ntasks-per-gpu and --gpus-per-task exclude each other, as for srun: leave out one of them")
	}
	if *size == 0 {
		all := max(g.total, g.perNode*len(s.topology.Hosts))
		switch {
		case g.perTask > 0 && g.total > 0:
			*size = g.total / g.perTask
		case g.tasksPer > 0 && all > 0:
			*size = g.tasksPer * all
		case g.perTask > 0 && words.PerNode == "", g.tasksPer > 0:
			return fmt.Errorf("--gpus-per-task and --ntasks-per-gpu need a number of tasks, as for srun: write -n")
		}
	}
	g.hosts = make([][]hw.Located, len(s.topology.Hosts))
	for _, l := range devicesOf(s.topology, "gpu") {
		h := s.topology.HostIndex(l.Object)
		g.hosts[h] = append(g.hosts[h], l)
	}
	s.gpus = g
	return g.readBind(words.GPUBind)
}

// readBind reads --gpu-bind; without it, --gpus-per-task and --ntasks-per-gpu bind by themselves.
func (g *srunGPUs) readBind(text string) (err error) {
	const flag = "--gpu-bind"
	if rest, verbose := strings.CutPrefix(strings.ToLower(text), "verbose"); verbose {
		text = strings.TrimPrefix(rest, ",")
	}
	word, value, valued := strings.Cut(strings.ToLower(text), ":")
	switch word {
	case "":
		if g.perTask > 0 {
			g.bind, g.each = "per_task", g.perTask
		} else if g.tasksPer > 0 {
			g.bind, g.each = "single", g.tasksPer
		}
		return nil
	case "none", "closest":
		if valued {
			return fmt.Errorf("%s %q: write %s alone", flag, text, word)
		}
		g.bind = word
		return nil
	case "single", "per_task":
		g.bind = word
		g.each, err = positive(flag+" "+word, value, 0)
		if err == nil && g.each == 0 {
			err = fmt.Errorf("%s %q: want a number, such as %s:1", flag, text, word)
		}
		return err
	case "map_gpu", "mask_gpu", "map", "mask":
		g.bind = strings.TrimSuffix(word, "_gpu")
		if g.list, err = srunList(g.bind, value); err != nil {
			err = fmt.Errorf("%s %q: %w", flag, text, err)
		}
		return err
	}
	words := []string{"closest", "single", "map_gpu", "mask_gpu", "per_task", "none"}
	return fmt.Errorf("%s %q: want closest, single:TASKS, per_task:GPUS, map_gpu:LIST, mask_gpu:LIST or none%s",
		flag, text, spell.DidYouMean(word, words))
}

// allocated returns how many GPUs of a host a step of so many tasks has.
func (g *srunGPUs) allocated(t *hw.Topology, h, tasks int) (int, error) {
	have, want, why := len(g.hosts[h]), 0, ""
	switch {
	case tasks == 0:
		return 0, nil
	case g.perNode > 0:
		want, why = g.perNode, "--gpus-per-node "+strconv.Itoa(g.perNode)
	case g.perTask > 0:
		want, why = g.perTask*tasks, fmt.Sprintf("--gpus-per-task %d with %s", g.perTask, spell.Plural(tasks, "task"))
	case g.tasksPer > 0:
		want, why = (tasks+g.tasksPer-1)/g.tasksPer, fmt.Sprintf("--ntasks-per-gpu %d with %s", g.tasksPer, spell.Plural(tasks, "task"))
	case g.total > 0 && g.total%len(g.hosts) != 0:
		return 0, fmt.Errorf("--gpus %d on %s: Slurm's controller decides how many GPUs each of them has: write --gpus-per-node",
			g.total, spell.Plural(len(g.hosts), "host"))
	case g.total > 0:
		want, why = g.total/len(g.hosts), "--gpus "+strconv.Itoa(g.total)
	default:
		want = have // --gpu-bind alone: a job has whole hosts
	}
	switch name := t.Hosts[h].Name; {
	case have == 0:
		return 0, fmt.Errorf("%s: %s has no GPU", strings.TrimSpace("srun's words about GPUs: "+why), name)
	case want > have:
		return 0, fmt.Errorf("%s asks for %s of %s, which has %d", why, spell.Plural(want, "GPU"), name, have)
	case want < have && (tasks > 1 || want > 1):
		return 0, fmt.Errorf("%s asks for %d of the %d GPUs of %s: Slurm's controller decides which GPUs, and near which cores; ask "+
			"for all GPUs, or place ranks with --map-by device=gpu", why, want, have, name)
	}
	return want, nil
}

// give returns the GPUs of each task of a host; sets are the PUs of the tasks.
func (g *srunGPUs) give(t *hw.Topology, h int, sets []hw.Set) ([][]hw.Located, error) {
	have, err := g.allocated(t, h, len(sets))
	if err != nil {
		return nil, err
	}
	gpus := g.hosts[h][:have]
	given := make([][]hw.Located, len(sets))
	taken := make([]int, have) // tasks of each GPU
	for i, set := range sets {
		switch g.bind {
		case "closest":
			for _, l := range gpus {
				if l.Object.CPUSet.Intersects(set) {
					given[i] = append(given[i], l)
				}
			}
		case "map", "mask":
			for _, k := range g.list[i%len(g.list)].Indexes() {
				if k < have {
					given[i] = append(given[i], gpus[k])
				}
			}
		case "single":
			if k := g.slot(gpus, taken, set); k >= 0 {
				taken[k]++
				given[i] = gpus[k : k+1]
			} else {
				given[i] = gpus[i%have : i%have+1] // as Slurm goes on
			}
		case "per_task":
			given[i] = g.perTaskOf(gpus, taken, set)
		default:
			given[i] = gpus
		}
		if len(given[i]) == 0 {
			given[i] = gpus[:1] // as Slurm does for a binding without a GPU of the step
		}
	}
	return given, nil
}

// slot returns the GPU for a task that gets a single one: the first with room that is near to all PUs of the task, else
// the first near to some, else the first with room; -1 when all are taken.
func (g *srunGPUs) slot(gpus []hw.Located, taken []int, set hw.Set) int {
	best, overlaps := -1, false
	for k, l := range gpus {
		if taken[k] >= g.each {
			continue
		}
		switch near := l.Object.CPUSet; {
		case set.SubsetOf(near):
			return k
		case overlaps:
		case near.Intersects(set):
			best, overlaps = k, true
		case best < 0:
			best = k
		}
	}
	return best
}

// perTaskOf takes as many free GPUs as a task gets: those near to the task first, then any.
func (g *srunGPUs) perTaskOf(gpus []hw.Located, taken []int, set hw.Set) []hw.Located {
	var given []hw.Located
	for _, near := range []bool{true, false} {
		for k, l := range gpus {
			if len(given) < g.each && taken[k] == 0 && (!near || l.Object.CPUSet.Intersects(set)) {
				taken[k]++
				given = append(given, l)
			}
		}
	}
	slices.SortFunc(given, func(a, b hw.Located) int { return index(gpus, a) - index(gpus, b) })
	return given
}

func index(gpus []hw.Located, one hw.Located) int {
	return slices.IndexFunc(gpus, func(l hw.Located) bool { return l.Device == one.Device && l.Object == one.Object })
}

// toFirst places the only task of a host near to the first GPU, where the task gets one of several GPUs: Slurm gives the first GPU, and
// then cores near to it, as OLCF's guide shows.
func (s *srunPlan) toFirst(h int) {
	g := &s.grids[h]
	gpus := s.gpus.hosts[h]
	if have, err := s.gpus.allocated(s.topology, h, s.perHost[h]); err != nil || s.perHost[h] != 1 || have == len(gpus) {
		return
	}
	size := g.perPackage()
	for p := range g.packages {
		if own := g.pus[p*size : (p+1)*size]; slices.ContainsFunc(own, gpus[0].Object.CPUSet.Has) {
			g.pus = slices.Concat(own, g.pus[:p*size], g.pus[(p+1)*size:])
			return
		}
	}
}
