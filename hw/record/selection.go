package record

import (
	"path"
	"slices"
	"strings"
)

// selected is one line of the selection: what is copied.
type selected struct {
	pattern   string                   // as of fs.Glob
	essential bool                     // that it cannot be read is an error
	filter    func(text string) string // what of the text is copied; nil: all
	link      func(path string) string // a symbolic link with this target is made instead
}

const (
	cpu   = "sys/devices/system/cpu/"
	each  = cpu + "cpu[0-9]*/"
	cache = each + "cache/index[0-9]*/"
	node  = "sys/devices/system/node/"
	nodes = node + "node[0-9]*/"
)

// selection is what our reader, hwloc's and lscpu want. It is a list of what is copied, never of
// what is left out: cpuN/topology/ppin, for one, is a serial number.
var selection = slices.Concat(
	named(cpu, true, "online", "offline", "possible", "present", "kernel_max"),
	named(each, false, "online", "cpu_capacity"),
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
	[]selected{
		{pattern: nodes + "meminfo", essential: true, filter: memoryLines},
		{pattern: nodes + "cpu[0-9]*", link: func(p string) string { return "../../cpu/" + path.Base(p) }},
		{pattern: nodes + "access[0-9]*/initiators/node[0-9]*",
			link: func(p string) string { return "../../../" + path.Base(p) }},
	},
	named(nodes+"access[0-9]*/initiators/", false, "read_bandwidth", "write_bandwidth", "read_latency", "write_latency"),
	named(nodes+"memory_side_cache/index[0-9]*/", false, "size", "line_size", "indexing", "write_policy"),
	named(nodes+"hugepages/hugepages-*/", false, "nr_hugepages", "free_hugepages", "surplus_hugepages"),
	// How much of a Xeon Phi's fast memory is a cache, as hwloc-dump-hwdata wrote it.
	named("var/run/hwloc/", false, "knl_memoryside_cache"),
	named("sys/kernel/mm/hugepages/hugepages-*/", false, "nr_hugepages", "free_hugepages", "surplus_hugepages",
		"resv_hugepages"),
	[]selected{
		{pattern: "proc/cpuinfo", filter: cpuLines},
		{pattern: "proc/meminfo", filter: memoryLines},
		{pattern: "proc/zoneinfo", filter: zoneLines},
		{pattern: "proc/self/status", filter: statusLines},
	},
)

// named are files of a folder.
func named(folder string, essential bool, names ...string) []selected {
	var list []selected
	for _, n := range names {
		list = append(list, selected{pattern: folder + n, essential: essential})
	}
	return list
}

// lines keeps the lines that a test lets through.
func lines(text string, keep func(line string) bool) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if keep(strings.TrimSpace(line)) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// name is what stands before the colon of a line.
func name(line string) string {
	before, _, _ := strings.Cut(line, ":")
	return strings.TrimSpace(before)
}

// cpuNames are the fields of /proc/cpuinfo that tell a processor's place and kind. Some kernels have a field
// "Serial".
var cpuNames = []string{"processor", "cpu number", "vendor_id", "cpu family", "model", "model name", "stepping",
	"physical id", "siblings", "core id", "cpu cores", "apicid", "initial apicid", "flags", "Features", "features",
	"CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision",
	"cpu", "cpu model", "Processor", "Model Name", "family", "arch", "vendor", "platform", "isa", "uarch", "hart"}

// cpuLines keeps the fields of cpuNames, and the blank lines between processors. Lines "processor N: ..."
// of old s390 kernels end with an identification, and keep only their beginning.
func cpuLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		n := name(line)
		switch {
		case strings.HasPrefix(n, "processor "):
			first, _, _ := strings.Cut(strings.TrimSpace(line), ",")
			b.WriteString(first + "\n")
		case strings.TrimSpace(line) == "", slices.Contains(cpuNames, n):
			b.WriteString(line)
		}
	}
	return b.String()
}

// memoryLines keeps how much memory there is, not how it is used.
func memoryLines(text string) string {
	return lines(text, func(line string) bool {
		words := strings.Fields(name(line))
		return len(words) > 0 && slices.Contains([]string{"MemTotal", "HugePages_Total", "HugePages_Free",
			"HugePages_Surp", "Hugepagesize", "Hugetlb"}, words[len(words)-1])
	})
}

// zoneLines keeps how many pages there are, and how many of them the kernel manages.
func zoneLines(text string) string {
	return lines(text, func(line string) bool {
		word, _, _ := strings.Cut(line, " ")
		return word == "Node" || word == "present" || word == "managed"
	})
}

// statusLines keeps what the process may use.
func statusLines(text string) string {
	return lines(text, func(line string) bool {
		return slices.Contains([]string{"Cpus_allowed", "Cpus_allowed_list", "Mems_allowed", "Mems_allowed_list"}, name(line))
	})
}
