package record

import (
	"slices"
	"strings"
)

// Selected is one entry of the selection: a pattern of files, and what is copied of them.
type Selected struct {
	Pattern   string // as of fs.Glob
	Essential bool   // an unreadable file is an error
	Filter    Filter // what of the text is copied
	Link      string // where set, a symbolic link is made instead: to this folder's entry of the same name
}

const (
	cpu   = "sys/devices/system/cpu/"
	each  = cpu + "cpu[0-9]*/"
	cache = each + "cache/index[0-9]*/"
	node  = "sys/devices/system/node/"
	nodes = node + "node[0-9]*/"
)

// Selection returns the whole list, for programs that copy in another language.
func Selection() []Selected { return slices.Clone(selection) }

// selection lists the files that our reader, hwloc and lscpu need. It lists what is copied,
// never what is left out: cpuN/topology/ppin, for one, is a serial number.
var selection = slices.Concat(
	named(cpu, true, "online", "offline", "possible", "present", "kernel_max"),
	named(each, false, "online", "cpu_capacity"),
	named(each, false, "l1_dcache_size", "l1_icache_size", "l2_cache_size"), // of SPARC, in place of the folders below
	named(each+"topology/", true, "core_id", "die_id", "cluster_id", "physical_package_id", "book_id", "drawer_id",
		"core_cpus", "core_cpus_list", "thread_siblings", "thread_siblings_list", "cluster_cpus", "cluster_cpus_list",
		"die_cpus", "die_cpus_list", "package_cpus", "package_cpus_list", "core_siblings", "core_siblings_list",
		"book_siblings", "book_siblings_list", "drawer_siblings", "drawer_siblings_list"),
	named(cache, true, "level", "type", "size", "shared_cpu_map", "shared_cpu_list"),
	named(cache, false, "id", "coherency_line_size", "ways_of_associativity", "number_of_sets",
		"physical_line_partition"),
	// Kinds of cores.
	named(each+"cpufreq/", false, "cpuinfo_max_freq", "cpuinfo_min_freq", "base_frequency"),
	named(each+"acpi_cppc/", false, "nominal_freq", "nominal_perf", "highest_perf"),
	named(each+"regs/identification/", false, "midr_el1"),
	named("sys/devices/", false, "cpu_core/cpus", "cpu_atom/cpus", "cpu_lowpower/cpus"),
	named(node, true, "online", "possible"),
	named(node, false, "has_cpu", "has_memory", "has_normal_memory"),
	named(nodes, true, "cpumap", "cpulist"),
	named(nodes, false, "distance"),
	[]Selected{
		{Pattern: nodes + "meminfo", Essential: true, Filter: memoryLines},
		{Pattern: nodes + "cpu[0-9]*", Link: "../../cpu/"},
		{Pattern: nodes + "access[0-9]*/initiators/node[0-9]*", Link: "../../../"},
	},
	named(nodes+"access[0-9]*/initiators/", false, "read_bandwidth", "write_bandwidth", "read_latency", "write_latency"),
	named(nodes+"memory_side_cache/index[0-9]*/", false, "size", "line_size", "indexing", "write_policy"),
	named(nodes+"hugepages/hugepages-*/", false, "nr_hugepages", "free_hugepages", "surplus_hugepages"),
	// How much of a Xeon Phi's fast memory is a cache, as hwloc-dump-hwdata wrote it.
	named("var/run/hwloc/", false, "knl_memoryside_cache"),
	named("sys/kernel/mm/hugepages/hugepages-*/", false, "nr_hugepages", "free_hugepages", "surplus_hugepages",
		"resv_hugepages"),
	[]Selected{
		{Pattern: "proc/cpuinfo", Filter: cpuLines},
		{Pattern: "proc/meminfo", Filter: memoryLines},
		{Pattern: "proc/zoneinfo", Filter: zoneLines},
		{Pattern: "proc/self/status", Filter: statusLines},
	},
)

// named returns entries for files of a folder.
func named(folder string, essential bool, names ...string) []Selected {
	var list []Selected
	for _, n := range names {
		list = append(list, Selected{Pattern: folder + n, Essential: essential})
	}
	return list
}

// Filter selects the lines of a text that are copied: those whose Part is one of Words. The zero value
// copies all.
type Filter struct {
	Part  Part
	Words []string
}

// Part is the part of a line that a Filter compares with its Words.
type Part int

// The parts of a line. The name is the text before the first colon.
const (
	All       Part = iota // no part: every line
	Name                  // the name
	LastWord              // the last word of the name
	FirstWord             // the first word of the line
	Processor             // the name, and blank lines; of "processor N: ..." only what is before a comma
)

// Filters of files that hold more than facts about hardware.
var (
	// cpuLines keep the fields of /proc/cpuinfo that tell a processor's place and kind, and the blank lines
	// between processors. Some kernels have a field "Serial"; lines "processor N: ..." of old s390 kernels
	// end with an identification.
	cpuLines = Filter{Processor, []string{"processor", "cpu number", "vendor_id", "cpu family", "model",
		"model name", "stepping", "physical id", "siblings", "core id", "cpu cores", "apicid", "initial apicid",
		"flags", "Features", "features", "CPU implementer", "CPU architecture", "CPU variant", "CPU part",
		"CPU revision", "cpu", "cpu model", "Processor", "Model Name", "family", "arch", "vendor", "platform",
		"isa", "uarch", "hart"}}
	// memoryLines keep how much memory there is, not how it is used.
	memoryLines = Filter{LastWord, []string{"MemTotal", "HugePages_Total", "HugePages_Free", "HugePages_Surp",
		"Hugepagesize", "Hugetlb"}}
	// zoneLines keep how many pages there are, and how many of them the kernel manages.
	zoneLines = Filter{FirstWord, []string{"Node", "present", "managed"}}
	// gpuLines keep which NUMA node is the memory of a GPU.
	gpuLines = Filter{Name, []string{"Node"}}
	// statusLines keep what the process may use.
	statusLines = Filter{Name, []string{"Cpus_allowed", "Cpus_allowed_list", "Mems_allowed", "Mems_allowed_list"}}
)

// of returns the part of a text that is copied.
func (f Filter) of(text string) string {
	if f.Part == All {
		return text
	}
	return lines(text, f.line)
}

// lines joins what copied returns for each line of a text.
func lines(text string, copied func(line string) string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(copied(line))
	}
	return b.String()
}

// line returns the part of a line that is copied; "" for none.
func (f Filter) line(line string) string {
	name, _, _ := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	switch f.Part {
	case LastWord:
		name = name[strings.LastIndexAny(name, " \t")+1:]
	case FirstWord:
		name, _, _ = strings.Cut(strings.TrimSpace(line), " ")
	case Processor:
		if strings.TrimSpace(line) == "" {
			return line
		}
		if strings.HasPrefix(name, "processor ") {
			first, _, _ := strings.Cut(strings.TrimSpace(line), ",")
			return first + "\n"
		}
	}
	if slices.Contains(f.Words, name) {
		return line
	}
	return ""
}
