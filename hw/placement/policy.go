package placement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// Policy says where ranks run, in mpirun's words. The zero value maps by core and
// binds to core, or to PUs on hardware that has no cores; on the hardware of a job
// it leaves ranks where they ran.
//
// MapBy is slot or the word of an object, or ppr:N:OBJECT; RankBy is slot, node,
// fill, span or an object; BindTo is none or an object. Objects are hwthread,
// core, l1cache to l5cache, numa, die, package, machine, their aliases (pu, cpu,
// socket, numanode, node, host), unique beginnings of these words, and the names
// of the topology's own types such as rack; MapBy may also be device=gpu, network,
// block or the name of a device. Modifiers follow after colons: of MapBy pe=N,
// span, oversubscribe, nooversubscribe, hwtcpus and corecpus; of RankBy span and
// fill; of BindTo overload-allowed, no-overload and if-supported. Modifiers may
// stand without a word; pe=N alone maps by slot. Case does not matter, nor does
// the order of modifiers.
//
// Where BindTo names a level, binding is mpirun's: more processes than CPUs on an
// object are an error, unless overload is allowed; and where ranks are bound to
// the objects that they are mapped to, a rank that finds its object full moves on
// to an object with room. Without BindTo, ranks share the objects that they are
// mapped to.
//
// List and Rankfile, each of which excludes everything else, give each rank its
// PUs instead. "0,1,2-3+8" puts rank 2 on PUs 2, 3 and 8; the list begins again
// for further ranks, on the next host if there is one. Rankfile is the path of a
// file with a line "rank N=HOST slot=LIST" for each rank.
//
// Slots, "8,8", is how many processes each host takes before the next one takes
// some, instead of one for each of its CPUs.
//
// Srun, which excludes everything else, too, lays ranks out as srun does. MapBy
// may be rankfile:file=PATH, as PRRTE writes it. List may be user:LIST or rr, as
// Hydra's -bind-to writes them, on one host.
type Policy struct {
	MapBy, RankBy, BindTo, List, Rankfile string
	Slots                                 string

	Srun Srun
}

// Flag is a flag about where ranks run.
type Flag struct {
	Name  string // without dashes
	Value string // the placeholder of its value in the help: OBJECT
	Help  string // what it does
	of    func(p *Policy) *string
}

// Flags are the flags about where ranks run, in the order of the help.
var Flags = []Flag{
	{"map-by", "OBJECT", "place ranks by `OBJECT`: " + wordsOf("map-by") + " (default: core)", func(p *Policy) *string { return &p.MapBy }},
	{"rank-by", "OBJECT", "number ranks by `OBJECT`: " + wordsOf("rank-by") + " (default: as they were placed)", func(p *Policy) *string { return &p.RankBy }},
	{"bind-to", "OBJECT", "bind ranks to `OBJECT`: " + wordsOf("bind-to") + " (default: core)", func(p *Policy) *string { return &p.BindTo }},
	{"slots", "LIST", "ranks of each host, filled one after the other, as a `LIST`: 8,8 (default: one for each core)", func(p *Policy) *string { return &p.Slots }},
	{"bind", "LIST", "the PUs of each rank, as a `LIST`: 0,1,2-3+8", func(p *Policy) *string { return &p.List }},
	{"rankfile", "FILE", "a `FILE` with the place of each rank, in lines such as rank 0=node0 slot=0:0-1", func(p *Policy) *string { return &p.Rankfile }},
	{"ntasks-per-node", "N", "as srun: `N` ranks on each host", func(p *Policy) *string { return &p.Srun.PerNode }},
	{"cpus-per-task", "N", "as srun: `N` CPUs for each rank", func(p *Policy) *string { return &p.Srun.CPUs }},
	{"distribution", "HOSTS:PACKAGES", "as srun: distribute over `HOSTS:PACKAGES`: hosts block, cyclic or plane=N, packages block, cyclic or fcyclic (default: block:cyclic)", func(p *Policy) *string { return &p.Srun.Distribution }},
	{"cpu-bind", "TO", "as srun: bind `TO` none, threads, cores, sockets, ldoms, map_cpu:LIST or mask_cpu:LIST", func(p *Policy) *string { return &p.Srun.CPUBind }},
	{"threads-per-core", "N", "as srun: `N` PUs of each core, 1 or all", func(p *Policy) *string { return &p.Srun.Threads }},
	{"core-spec", "N", "as srun: the system keeps `N` cores of each host, the first of each socket in turn", func(p *Policy) *string { return &p.Srun.CoreSpec }},
	{"gpus", "N", "as srun: `N` GPUs in all", func(p *Policy) *string { return &p.Srun.GPUs }},
	{"gpus-per-node", "N", "as srun: `N` GPUs of each host", func(p *Policy) *string { return &p.Srun.GPUsPerNode }},
	{"gpus-per-task", "N", "as srun: `N` GPUs for each rank", func(p *Policy) *string { return &p.Srun.GPUsPerTask }},
	{"ntasks-per-gpu", "N", "as srun: `N` ranks for each GPU", func(p *Policy) *string { return &p.Srun.TasksPerGPU }},
	{"gpu-bind", "TO", "as srun: give ranks GPUs `TO` closest, single:TASKS, per_task:GPUS, map_gpu:LIST, mask_gpu:LIST or none", func(p *Policy) *string { return &p.Srun.GPUBind }},
	{"hint", "WORD", "as srun: `WORD` nomultithread for one PU of each core, or multithread", func(p *Policy) *string { return &p.Srun.Hint }},
}

// Of returns the field of a policy that holds the value of the flag; "" means not
// given.
func (f Flag) Of(p *Policy) *string { return f.of(p) }

// wordsOf lists for the help the values that a flag takes.
func wordsOf(flag string) string {
	words := strings.Join(Words(flag), ", ")
	words = strings.Replace(words, "l1cache, l2cache, l3cache, l4cache, l5cache", "l1cache to l5cache", 1)
	return words + "; with :" + strings.Join(Modifiers(flag), ", :")
}

// ManyRanks reports whether the policy itself determines the number of ranks.
func (p Policy) ManyRanks() bool {
	mapBy := strings.ToLower(p.MapBy)
	return p.Rankfile != "" || p.Srun.PerNode != "" || p.Srun.TasksPerGPU != "" || strings.HasPrefix(mapBy, "ppr:") || strings.HasPrefix(mapBy, "rankfile:")
}

// ReadsFile reports whether the policy names a file to read.
func (p Policy) ReadsFile() bool { return p.Rankfile != "" || rankfileWord(p.MapBy) != "" }

// rankfileWord returns the file of PRRTE's rankfile:file=FILE; "" for other words.
func rankfileWord(mapBy string) string {
	if word, path, _ := strings.Cut(mapBy, "="); strings.EqualFold(word, "rankfile:file") {
		return path
	}
	return ""
}

// said lists the flags that were given.
func (p Policy) said() []string {
	var list []string
	for _, f := range Flags {
		if *f.Of(&p) != "" {
			list = append(list, "--"+f.Name)
		}
	}
	return list
}

// check returns an error for flags of different launchers together, and for --bind
// or --rankfile beside other flags.
func (p Policy) check() error {
	for _, f := range []string{"--bind", "--rankfile"} {
		if said := p.said(); slices.Contains(said, f) && len(said) > 1 {
			others := slices.DeleteFunc(said, func(name string) bool { return name == f })
			return fmt.Errorf("%s gives every rank its PUs: leave out %s", f, strings.Join(others, ", "))
		}
	}
	srun := Policy{Srun: p.Srun}.said()
	if p.Srun = (Srun{}); len(srun) > 0 && p != (Policy{}) {
		return fmt.Errorf("%s is a flag of srun, %s of mpirun: use the flags of one launcher", srun[0], p.said()[0])
	}
	return nil
}

// inOwnWords translates what other launchers write as values of flags that also
// exist here.
func (p Policy) inOwnWords(t *hw.Topology) (Policy, error) {
	if path := rankfileWord(p.MapBy); path != "" {
		p.MapBy, p.Rankfile = "", path
	}
	kind, list, _ := strings.Cut(p.BindTo, ":")
	switch strings.ToLower(kind) {
	case "user":
		return p.asHydra(t, func() (string, error) { return hydraList(list) })
	case "rr":
		return p.asHydra(t, func() (string, error) { return everyPU(t) })
	}
	return p, nil
}

// asHydra returns the policy with a list of PUs in place of Hydra's --bind-to. It
// takes one host only: Hydra begins its list anew on each host.
func (p Policy) asHydra(t *hw.Topology, list func() (string, error)) (Policy, error) {
	switch {
	case p.MapBy != "" || p.RankBy != "":
		return p, fmt.Errorf("--bind-to %s gives every rank its PUs: leave out --map-by and --rank-by", p.BindTo)
	case len(t.Hosts) > 1:
		return p, fmt.Errorf("--bind-to %s: on several hosts, Hydra's slots decide which rank gets which "+
			"PUs: write --bind, whose list continues on the next host", p.BindTo)
	}
	text, err := list()
	if err != nil {
		return p, fmt.Errorf("--bind-to %s: %w", p.BindTo, err)
	}
	p.BindTo, p.List = "", text
	return p, nil
}

// hydraList translates Hydra's list into the form of --bind: "3x2" becomes 3,3.
func hydraList(text string) (string, error) {
	var list []string
	for _, piece := range strings.Split(text, ",") {
		value, times, repeated := strings.Cut(strings.ToLower(piece), "x")
		count := 1
		if repeated {
			var err error
			if count, err = strconv.Atoi(times); err != nil || count < 1 || count > MaxRanks-len(list) {
				return "", fmt.Errorf("%q: write the number of ranks after x, as in 3x2", piece)
			}
		}
		for range count {
			list = append(list, value)
		}
	}
	return strings.Join(list, ","), nil
}

// everyPU returns a list that gives each rank one PU of the only host, by os
// index.
func everyPU(t *hw.Topology) (string, error) {
	var list []string
	for _, pu := range t.Hosts[0].CPUSet.Indexes() {
		list = append(list, strconv.Itoa(pu))
	}
	return strings.Join(list, ","), nil
}
