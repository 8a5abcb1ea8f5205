package placement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// Srun holds the values of srun's flags, in the words of Slurm; the zero value asks for nothing. Ranks are laid out as
// srun does it on hosts that a job has whole and alone, with the Slurm settings of the hardware's site, else with
// Slurm's own defaults (select/cons_tres, task/affinity without autobind, no CR_Pack_Nodes). Sources: srun(1) and
// slurm.conf(5) of Slurm 23.11; _task_layout_block, _cyclic and _plane of slurm_step_layout.c for the hosts;
// _task_layout_lllp_block and _cyclic of task/affinity's dist_tasks.c for the inside of a host.
//
// The result of srun is known where the hardware is regular: each host has packages (Slurm's sockets) of equally many
// cores with equally many PUs. Where the result depends on more than these words, the words are an error.
type Srun struct {
	PerNode      string // --ntasks-per-node: tasks of each host
	CPUs         string // --cpus-per-task: Slurm's CPUs, which are PUs
	Distribution string // --distribution: over hosts, then over the packages of each
	CPUBind      string // --cpu-bind
	Hint         string // --hint
	Threads      string // --threads-per-core: PUs of a core that tasks get
	CoreSpec     string // --core-spec: cores of each host that the system keeps
	GPUs         string // --gpus: of the step
	GPUsPerNode  string // --gpus-per-node
	GPUsPerTask  string // --gpus-per-task
	TasksPerGPU  string // --ntasks-per-gpu
	GPUBind      string // --gpu-bind
}

// srunPlan is the layout that the words of Srun ask for.
type srunPlan struct {
	cpus     int    // of a task
	exact    bool   // --cpus-per-task was given: the step has only the cores that it asks for
	nodes    string // block, cyclic or plane
	plane    int    // the size of a plane
	within   string // block, cyclic or fcyclic, over packages
	bind     string // none, threads, cores, sockets, ldoms, map, mask, or "" for srun's own choice
	list     []hw.Set
	onePU    bool      // one PU of each core
	threads  int       // PUs of a core that tasks get; 0: all
	reserved int       // cores of each host that the system keeps
	gpus     *srunGPUs // nil: nothing asks for GPUs
	site     *hw.Slurm // the settings, else those of Slurm itself
	stated   bool      // these settings are known
	grids    []grid
	perHost  []int
	topology *hw.Topology
}

// grid is the PUs of a host in Slurm's order: by package, core and PU of the core.
type grid struct {
	packages, cores, threads int // packages, cores of each, PUs of each core
	pus                      []int
}

func (g grid) perPackage() int { return g.cores * g.threads }

// readSrun reads srun's words.
func (plan *Plan) readSrun(words Srun) error {
	s := &srunPlan{topology: plan.topology, cpus: 1, site: plan.topology.Slurm, stated: plan.topology.Slurm != nil}
	if !s.stated {
		s.site = &hw.Slurm{}
	}
	s.threads = s.site.Threads
	s.nodes, s.within = s.site.Distribution()
	perNode, err := positive("--ntasks-per-node", words.PerNode, 0)
	if err != nil {
		return err
	}
	if s.cpus, err = positive("--cpus-per-task", words.CPUs, 1); err != nil {
		return err
	}
	s.exact = words.CPUs != ""
	for _, read := range []func() error{
		func() error { return s.readDistribution(words.Distribution) },
		func() error { return s.readThreads(words) },
		func() error { return s.readHint(words.Hint, words.CPUBind) },
		func() error { return s.readCPUBind(words.CPUBind) },
		func() error { return s.readCoreSpec(words.CoreSpec) },
		s.readGrids,
		func() error { return s.readGPUs(words, &plan.Size) },
		func() error { return plan.countTasks(s, perNode) },
		s.check,
	} {
		if err := read(); err != nil {
			return err
		}
	}
	plan.srun = s
	return nil
}

func positive(flag, text string, usual int) (int, error) {
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > MaxRanks {
		return 0, fmt.Errorf("%s %q: want a number of at least 1", flag, text)
	}
	return n, nil
}

// readDistribution reads --distribution: hosts, then packages.
func (s *srunPlan) readDistribution(text string) error {
	const flag = "--distribution"
	if text == "" {
		return nil
	}
	lower, packing, _ := strings.Cut(strings.ToLower(text), ",")
	if packing != "" && packing != "nopack" {
		return fmt.Errorf("%s %q: %s depends on the job's hosts: --map-by slot fills one host after the other", flag, text, packing)
	}
	parts := strings.Split(lower, ":")
	if len(parts) == 3 && (parts[2] == "*" || parts[2] == parts[1] || parts[1] == "*" && parts[2] == s.within) {
		parts = parts[:2] // it is the default
	}
	if len(parts) > 2 {
		return fmt.Errorf("%s %q: the third part chooses the cores of a job, but here a job has whole hosts: leave it out", flag, text)
	}
	first, size, planes := strings.Cut(parts[0], "=")
	switch {
	case first == "plane" && planes && len(parts) == 1:
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return fmt.Errorf("%s %q: want the size of a plane, such as plane=4", flag, text)
		}
		s.nodes, s.plane, s.within = "plane", n, "block"
		return nil
	case first == "block" || first == "cyclic":
		s.nodes = first
	case first == "arbitrary":
		return fmt.Errorf("%s arbitrary takes the hosts from a file: use --rankfile here", flag)
	case first != "*":
		return fmt.Errorf("%s %q: want block, cyclic, plane=N or *, then :block, :cyclic or :fcyclic%s", flag, text,
			spell.DidYouMean(first, []string{"block", "cyclic", "plane", "fcyclic"}))
	case len(parts) == 1:
		return nil
	}
	if len(parts) == 2 && parts[1] != "*" {
		if s.within = parts[1]; !slices.Contains([]string{"block", "cyclic", "fcyclic"}, s.within) {
			return fmt.Errorf("%s %q: write block, cyclic or fcyclic after the colon", flag, text)
		}
	}
	return nil
}

// readThreads reads --threads-per-core. The flag, or the site's setting for it, makes srun bind to threads unless
// another flag names the binding.
func (s *srunPlan) readThreads(words Srun) (err error) {
	const flag = "--threads-per-core"
	switch {
	case words.Threads != "" && words.Hint != "":
		return fmt.Errorf("--hint and %s exclude each other, as for srun: leave out one of them", flag)
	case words.Hint != "":
		s.threads = 0
		return nil
	}
	if s.threads, err = positive(flag, words.Threads, s.threads); err == nil && s.threads > 0 {
		s.bind = "threads"
	}
	return err
}

// readHint reads --hint, which srun takes in the place of --cpu-bind.
func (s *srunPlan) readHint(text, bind string) error {
	switch {
	case text == "":
		return nil
	case strings.Trim(bind, "verbosquit,") != "":
		return fmt.Errorf("--hint and --cpu-bind exclude each other, as for srun: leave out one of them")
	case text == "nomultithread":
		s.bind, s.onePU = "threads", true
	case text == "multithread":
		s.bind = "threads"
	default:
		return fmt.Errorf("--hint %q: want nomultithread (one PU of each core) or multithread%s; "+
			"for compute_bound write --cpu-bind cores, for memory_bound --map-by ppr:1:package", text, spell.DidYouMean(text, []string{"nomultithread", "multithread"}))
	}
	return nil
}

// readCPUBind reads --cpu-bind.
func (s *srunPlan) readCPUBind(text string) error {
	if text == "" {
		return nil
	}
	word, list, listed := strings.Cut(text, ":")
	first := strings.ToLower(word)
	for _, says := range []string{"verbose", "quiet", "v", "q"} { // what srun prints, not what it does
		if rest, ok := strings.CutPrefix(first, says); ok && (rest == "" || rest[0] == ',') {
			first = strings.TrimPrefix(rest, ",")
		}
	}
	switch first {
	case "":
		if listed {
			break
		}
		return nil
	case "none", "no", "threads", "cores", "sockets", "ldoms":
		if listed {
			return fmt.Errorf("--cpu-bind %q: write %s alone", text, first)
		}
		if s.bind = first; first == "no" {
			s.bind = "none"
		}
		return nil
	case "map_cpu", "mask_cpu":
		s.bind = strings.TrimSuffix(first, "_cpu")
		var err error
		s.list, err = srunList(s.bind, list)
		if err != nil {
			return fmt.Errorf("--cpu-bind %q: %w", text, err)
		}
		return nil
	}
	if e, known := InsteadOf("cpu-bind " + first); known {
		return fmt.Errorf("--cpu-bind %s is not supported: write %s", first, e.Instead)
	}
	return fmt.Errorf("--cpu-bind %q: want none, threads, cores, sockets, ldoms, map_cpu:LIST or mask_cpu:LIST%s", text,
		spell.DidYouMean(first, []string{"none", "threads", "cores", "sockets", "ldoms", "map_cpu", "mask_cpu"}))
}

// readCoreSpec reads --core-spec, else takes the cores that the site keeps.
func (s *srunPlan) readCoreSpec(text string) error {
	s.reserved = s.site.Reserved
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > MaxRanks {
		return fmt.Errorf("--core-spec %q: want the number of cores of each host that the system keeps", text)
	}
	s.reserved = n
	return nil
}

// srunList reads the PUs of each task of a host: "0,3*2" as numbers, "0x3,0xf0*4" as masks. A star repeats the number
// or mask before it.
func srunList(kind, text string) ([]hw.Set, error) {
	var list []hw.Set
	for _, piece := range strings.Split(text, ",") {
		value, times, repeated := strings.Cut(piece, "*")
		count := 1
		if repeated {
			var err error
			if count, err = strconv.Atoi(times); err != nil || count < 1 || count > MaxRanks-len(list) {
				return nil, fmt.Errorf("%q: write the number of tasks after *", piece)
			}
		}
		set, err := srunSet(kind, value)
		if err != nil {
			return nil, err
		}
		for range count {
			list = append(list, set)
		}
	}
	return list, nil
}

// longestMask is the largest number of hexadecimal digits in a mask: 65,536 PUs.
const longestMask = 1 << 14

func srunSet(kind, value string) (set hw.Set, err error) {
	digits := strings.TrimPrefix(strings.ToLower(value), "0x")
	if kind == "map" {
		base := 10
		if digits != strings.ToLower(value) {
			base = 16
		}
		pu, err := strconv.ParseInt(digits, base, 32)
		if err != nil || pu < 0 || pu > hw.MaxIndex {
			return set, fmt.Errorf("%q is not a PU: want a number, such as 0,2,4", value)
		}
		return hw.SetOf(int(pu)), nil
	}
	if digits == "" || len(digits) > longestMask || strings.Trim(digits, "0123456789abcdef") != "" {
		return set, fmt.Errorf("%q is not a mask: want hexadecimal digits, such as 0x3,0xc", value)
	}
	if set, err = hw.ParseHex("0x"+digits, hw.MaxIndex); err == nil && set.Empty() {
		err = fmt.Errorf("%q has no PU", value)
	}
	return set, err
}

// readGrids finds the packages, cores and PUs of each host.
func (s *srunPlan) readGrids() error {
	t := s.topology
	cores, packages := t.ResourceOf(hw.Core), t.ResourceOf(s.site.SocketType())
	if cores == nil || packages == nil {
		return fmt.Errorf("srun places tasks on cores and sockets (here each a %s), but this hardware does not have "+
			"both: use --map-by and --bind-to", s.site.SocketType())
	}
	inPackage := make([][]*hw.Object, len(packages.Instances))
	for _, c := range cores.Instances {
		if k := packages.InstanceOf(t.HostIndex(c), c.CPUSet); k >= 0 {
			inPackage[k] = append(inPackage[k], c)
		}
	}
	s.grids = make([]grid, len(t.Hosts))
	for k, p := range packages.Instances {
		g := &s.grids[t.HostIndex(p)]
		if g.packages++; g.packages == 1 && len(inPackage[k]) > 0 {
			g.cores, g.threads = len(inPackage[k]), inPackage[k][0].CPUSet.Len()
		}
		for _, c := range inPackage[k] {
			if len(inPackage[k]) != g.cores || c.CPUSet.Len() != g.threads {
				return fmt.Errorf("%s: srun's layout is known only for packages with equal numbers of cores and PUs: "+
					"use --map-by and --bind-to", t.Hosts[t.HostIndex(p)].Name)
			}
			for pu := c.CPUSet.First(); pu >= 0; pu = c.CPUSet.Next(pu + 1) {
				g.pus = append(g.pus, pu)
			}
		}
	}
	for h, g := range s.grids {
		if len(g.pus) == 0 || len(g.pus) != t.Hosts[h].CPUSet.Len() {
			return fmt.Errorf("%s: not all of its PUs are in cores of a %s, on which srun places tasks",
				t.Hosts[h].Name, s.site.SocketType())
		}
		if s.reserved > 0 {
			if err := s.grids[h].keep(s.reserved); err != nil {
				return fmt.Errorf("%s: %w", t.Hosts[h].Name, err)
			}
		}
		if s.threads > 1 && s.threads != g.threads {
			return fmt.Errorf("--threads-per-core %d where a core has %s: only 1 and %d are supported", s.threads,
				spell.Plural(g.threads, "PU"), g.threads)
		}
	}
	s.onePU = s.onePU || s.threads == 1
	return nil
}

// keep takes the first cores of each package away, one of each package in turn, as Slurm does with spec_cores_first.
func (g *grid) keep(cores int) error {
	each := cores / g.packages
	if cores%g.packages != 0 || each >= g.cores {
		return fmt.Errorf("--core-spec %d on %s of %s: only multiples of %d are supported", cores,
			spell.Plural(g.packages, "package"), spell.Plural(g.cores, "core"), g.packages)
	}
	var left []int
	for p := range g.packages {
		left = append(left, g.pus[p*g.perPackage()+each*g.threads:(p+1)*g.perPackage()]...)
	}
	g.pus, g.cores = left, g.cores-each
	return nil
}

// countTasks determines how many tasks each host gets: the hosts get a task each in turn, except those that have no
// CPUs left.
func (plan *Plan) countTasks(s *srunPlan, perNode int) error {
	hosts := len(s.grids)
	switch {
	case plan.Size == 0:
		plan.Size = hosts * max(perNode, 1) // srun starts one task on each host unless it is told otherwise
	case perNode > 0 && plan.Size != perNode*hosts:
		return fmt.Errorf("-n %d with --ntasks-per-node %d on %s: srun chooses the hosts; "+
			"write --map-by ppr:%d:node to fill them one after the other", plan.Size, perNode, spell.Plural(hosts, "host"), perNode)
	}
	room := make([]int, hosts)
	for h, g := range s.grids {
		cpus := len(g.pus)
		if s.onePU {
			cpus /= g.threads
		}
		room[h] = cpus / s.cpus
	}
	s.perHost = make([]int, hosts)
	for left := plan.Size; left > 0; {
		before := left
		for h := range room {
			if left > 0 && s.perHost[h] < room[h] {
				s.perHost[h]++
				left--
			}
		}
		if left == before {
			are := "are"
			if left == 1 {
				are = "is"
			}
			kept := ""
			if s.reserved > 0 {
				kept = fmt.Sprintf("; the system keeps %s of each host: --core-spec 0 gives jobs all cores", spell.Plural(s.reserved, "core"))
			}
			return fmt.Errorf("%s with %s each do not fit: %s %s left over; srun also refuses that without --overcommit%s",
				spell.Plural(plan.Size, "task"), spell.Plural(s.cpus, "CPU"), spell.Plural(left, "task"), are, kept)
		}
	}
	return nil
}

// check returns an error where the layout depends on more than the words. With --cpus-per-task a step has only the
// cores that Slurm's controller picks for the step. The layout here equals the controller's where all packages get
// equally many tasks. Where the site's settings are known, it also does where no package gets two tasks, or where tasks
// are laid in a row, as OLCF's guide shows.
func (s *srunPlan) check() error {
	for h, g := range s.grids {
		tasks := s.perHost[h]
		if s.list != nil || s.bind == "none" || tasks == 0 {
			continue
		}
		if s.bind == "cores" && g.threads > 1 && s.within == "fcyclic" {
			return fmt.Errorf("--distribution %s:fcyclic with --cpu-bind cores: versions of srun differ where a core has %d "+
				"PUs; write --cpu-bind threads", s.nodes, g.threads)
		}
		if !s.exact {
			continue
		}
		if !s.onePU && s.cpus%g.threads != 0 {
			return fmt.Errorf("--cpus-per-task %d where a core has %d PUs: the site decides which PUs a task gets; "+
				"write --hint nomultithread for one PU per core, or a multiple of %d", s.cpus, g.threads, g.threads)
		}
		whole := tasks*s.cpus == len(g.pus) || s.onePU && tasks*s.cpus*g.threads == len(g.pus)
		known := s.within == "cyclic" && tasks%g.packages == 0 || s.stated && (s.within == "block" || tasks <= g.packages)
		if g.packages > 1 && !whole && !known {
			return fmt.Errorf("--cpus-per-task %d with %s on %s of %s: the site decides which cores the step gets; "+
				"write --map-by package:pe=%d, or as many tasks for each package", s.cpus, spell.Plural(tasks, "task"),
				spell.Plural(g.packages, "package"), s.topology.Hosts[h].Name, s.cpus)
		}
	}
	return nil
}

// place gives each rank its binding.
func (s *srunPlan) place() ([]*hw.Binding, error) {
	shared := hw.Bindings{}
	local := make([][]*hw.Binding, len(s.grids))
	n := 0
	for h, tasks := range s.perHost {
		sets, err := s.onHost(h, tasks)
		if err != nil {
			return nil, err
		}
		given := make([][]hw.Located, len(sets))
		if s.gpus != nil && len(sets) > 0 {
			if given, err = s.gpus.give(s.topology, h, sets); err != nil {
				return nil, err
			}
		}
		for i, set := range sets {
			if given[i] != nil {
				local[h] = append(local[h], &hw.Binding{Host: h, CPUSet: set, Given: given[i]})
			} else {
				local[h] = append(local[h], shared.Of(h, set))
			}
		}
		n += tasks
	}
	ranks := make([]*hw.Binding, 0, n)
	turn := map[string]int{"block": n, "cyclic": 1, "plane": s.plane}[s.nodes]
	for len(ranks) < n {
		for h := range local {
			k := min(turn, len(local[h]))
			ranks = append(ranks, local[h][:k]...)
			local[h] = local[h][k:]
		}
	}
	return ranks, nil
}

// onHost returns the PUs of each task of a host.
func (s *srunPlan) onHost(h, tasks int) ([]hw.Set, error) {
	if s.gpus != nil {
		s.toFirst(h)
	}
	g, host := s.grids[h], s.topology.Hosts[h]
	sets := make([]hw.Set, tasks)
	bind := s.bind
	if bind == "" {
		bind = s.choice(g, tasks)
	}
	switch bind {
	case "none":
		all := host.CPUSet
		if s.reserved > 0 {
			all = hw.SetOf(g.pus...)
		}
		for i := range sets {
			sets[i] = all
		}
		return sets, nil
	case "map", "mask":
		for i := range sets {
			sets[i] = s.list[i%len(s.list)]
			if err := host.CheckPUs(sets[i]); err != nil {
				return nil, fmt.Errorf("--cpu-bind %s_cpu: %w", bind, err)
			}
		}
		return sets, nil
	}
	lay := s.laidInTurn
	if s.within == "block" {
		lay = s.laidInARow
	}
	places, err := lay(g, tasks, bind == "cores")
	if err != nil {
		return nil, err
	}
	for i, list := range places {
		for _, at := range list {
			s.widen(&sets[i], h, at, bind)
		}
	}
	return sets, nil
}

// choice returns what srun binds to without --cpu-bind. With --cpus-per-task that is cores, or threads where a core has
// several PUs. Otherwise it is sockets, cores or threads, if the host has exactly as many of them as its tasks need
// CPUs, else nothing.
func (s *srunPlan) choice(g grid, tasks int) string {
	switch asked := tasks * s.cpus; {
	case s.exact && g.threads == 1:
		return "cores" // the step has just these cores
	case s.exact:
		return "threads"
	case asked == g.packages:
		return "sockets"
	case asked == g.packages*g.cores:
		return "cores"
	case asked == len(g.pus):
		return "threads"
	}
	return "none"
}

// skipped returns how many PUs a task that is bound to cores leaves free behind its own PUs, as in Slurm.
func (s *srunPlan) skipped(g grid, toCores bool) int {
	switch {
	case !toCores:
		return 0
	case s.cpus < g.threads:
		return g.threads - s.cpus
	}
	return s.cpus % g.threads
}

// errFull is the error for more tasks than cores to bind to.
var errFull = fmt.Errorf("srun would put several tasks on a core: ask for fewer tasks, or --cpu-bind threads")

// laidInARow gives tasks the PUs of one package after the other; it returns the indexes of each task's PUs in the grid.
func (s *srunPlan) laidInARow(g grid, tasks int, toCores bool) ([][]int, error) {
	places := make([][]int, tasks)
	at := 0
	for i := range places {
		for len(places[i]) < s.cpus {
			if at >= len(g.pus) {
				return nil, errFull
			}
			if !s.onePU || at%g.threads == 0 {
				places[i] = append(places[i], at)
			}
			at++
		}
		at += s.skipped(g, toCores)
	}
	return places, nil
}

// laidInTurn gives each task PUs of the next package; with fcyclic each PU of a task comes from the next package. It
// passes over packages without free PUs.
func (s *srunPlan) laidInTurn(g grid, tasks int, toCores bool) ([][]int, error) {
	places := make([][]int, tasks)
	used := make([]int, g.packages) // by package: PUs that were passed
	p := 0
	for i := range places {
		for len(places[i]) < s.cpus {
			for tries := 0; used[p] >= g.perPackage(); tries++ {
				if tries == g.packages {
					return nil, errFull
				}
				p = (p + 1) % g.packages
			}
			at := p*g.perPackage() + used[p]
			used[p]++
			if s.onePU && at%g.threads != 0 {
				continue
			}
			places[i] = append(places[i], at)
			if s.within == "fcyclic" {
				p = (p + 1) % g.packages
			}
		}
		used[p] += s.skipped(g, toCores)
		if s.within != "fcyclic" {
			p = (p + 1) % g.packages
		}
	}
	return places, nil
}

// widen adds to a set the PU at an index of the grid, and the PUs of the object around it that the task is bound to.
func (s *srunPlan) widen(set *hw.Set, h, at int, bind string) {
	g := s.grids[h]
	width := map[string]int{"threads": 1, "cores": g.threads, "sockets": g.perPackage(), "ldoms": 1}[bind]
	first := at / width * width
	for _, pu := range g.pus[first : first+width] {
		set.Add(pu)
	}
	if bind == "ldoms" {
		nodes := s.topology.ResourceOf(hw.NUMANode)
		if k := nodes.InstanceOf(h, hw.SetOf(g.pus[at])); k >= 0 {
			set.Merge(nodes.Instances[k].CPUSet)
		}
	}
}
