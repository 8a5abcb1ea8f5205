// Package rules checks rules that hold in the raw files of every Linux machine: files of /proc and /sys that
// contradict each other break a rule, no matter which program reads them.
//
// Model: witnesses that read the same files agree on what is wrong in them, so the rules come before any witness. A
// rule compares files with files, never with our tree; a rule may make exceptions for the kind of machine in
// /proc/cpuinfo. Each rule was measured on the recordings that hwloc, util-linux and ghw have of real and made-up
// machines, and only machines whose files do contradict each other break it.
//
// Some statements sound like rules, but real machines break them: one core_id per core (AMD compute units), one core
// mask per core_id (dies), one package mask per physical_package_id (ia64; on x86 this is a rule), ways x sets x line
// = size (Kunpeng 920), all PUs in NUMA nodes, all PUs with an L1 cache.
package rules

import (
	"io/fs"

	"codeberg.org/commsplit/commsplit/hw"
)

// Rule is one rule, with the places where a machine breaks it.
type Rule struct {
	Name     string // a word
	Says     string // a sentence
	Breaches []Breach
}

// Broken reports whether the machine breaks the rule somewhere.
func (r Rule) Broken() bool { return len(r.Breaches) > 0 }

// Breach is one place where a rule is broken: files whose values contradict each other.
type Breach struct {
	PU   int // the PU whose file comes first in Said; hw.Unknown when no PU has that file
	Said []Said
}

// Said is a file and its value; Value is empty where the file is missing.
type Said struct{ File, Value string }

// maxBreaches is how many breaches of a rule are looked for.
const maxBreaches = 1000

// table lists the rules in the order in which they are reported: the most decisive rules come first.
var table = []struct {
	name, says string
	check      func(*machine) []Breach
}{
	{Format, "each file has its format: a list, mask, number or amount", checkFormat},
	{"lists", "online PUs are present, present ones possible, and none of them offline", checkLists},
	{"online", "the folder of each online PU does not contradict the list of online PUs", checkOnline},
	{"files", "each online PU has the same topology files as the others", checkFiles},
	{"siblings", "all PUs of a core, cluster, die, package have the same mask, which contains them", checkSiblings},
	{"names", "a mask is equal under its old and new name, and as a list", checkNames},
	{"masks-online", "masks contain only online PUs", checkMasksOnline},
	{"nesting", "a core is inside its cluster, the cluster inside its die, package, book, drawer", checkNesting},
	{"ids", "all PUs of a package, die, cluster, book, drawer have the same id of it", checkIDs},
	{"own-ids", "different packages of an x86 machine, and dies of a package, have different ids", checkOwnIDs},
	{"cpuinfo", "/proc/cpuinfo has the same ids of packages and cores", checkListed},
	{"caches", "the caches of a PU have levels 1 to 5 and known types, each once", checkKinds},
	{"sharing", "all PUs that share a cache list it with the same map, which contains them", checkSharing},
	{"one-cache", "all PUs that share a cache report the same size, line, ways, sets and id", checkSame},
	{"cache-ids", "different caches of one level and type have different ids", checkCacheIDs},
	{"levels", "similar cores have the same cache levels", checkLevels},
	{"sizes", "no cache is larger than its outer one, and its line is a power of 2", checkSizes},
	{"covering", "an outer cache covers the inner caches", checkCovering},
	{"L1", "an L1 cache belongs to the threads of one core", checkL1},
	{"cache-core", "a cache is inside a core, or contains the whole core", checkCacheCore},
	{"cache-package", "a cache is inside one package", checkCachePackage},
	{"nodes", "NUMA nodes that are online are possible, and have folders with a mask", checkNodes},
	{"node-lists", "the lists of NUMA nodes with PUs and with memory contain the nodes that have some", checkNodeLists},
	{"one-node", "no PU is in two NUMA nodes", checkOverlap},
	{"node-cpus", "a NUMA node's folder links to the PUs of its mask", checkLinks},
	{"node-core", "a core is inside one NUMA node", checkNodeCore},
	{"node-package", "a NUMA node is inside a package or cache, or contains it", checkNodePackage},
	{"distances", "a NUMA node reports its distances to all nodes: 10 to itself, more to others", checkDistances},
	{"both-ways", "the distance of two NUMA nodes is the same both ways", checkBothWays},
	{"memory", "the used memory of a NUMA node is its total minus its free memory, and includes its huge pages", checkMemory},
	{"kinds", "where there are kinds of cores, each online PU has one kind, and so have the threads of a core", checkCoreKinds},
	{"cgroup", "the PUs and NUMA nodes that a cgroup allows are online", checkCgroup},
	{"devices", "a PCI device is near an existing NUMA node", checkDevices},
}

// Check checks the rules in the files of the machine whose root is root. A file that makes no sense breaks the rule of
// formats and no other; a missing file breaks no rule, unless a rule demands the file.
func Check(root fs.FS) []Rule {
	m := open(root)
	list := make([]Rule, len(table))
	for i, r := range table {
		list[i] = Rule{r.name, r.says, r.check(m)}
	}
	return list
}

// value returns a file of the machine and its text.
func (m *machine) value(file string) Said { return Said{file, m.text(file)} }

// set returns a file and the PUs in it.
func set(file string, s hw.Set) Said { return Said{file, s.String()} }

// at returns a breach in a PU's file.
func at(pu int, said ...Said) Breach { return Breach{pu, said} }

// nowhere returns a breach in files that belong to no PU.
func nowhere(said ...Said) Breach { return Breach{hw.Unknown, said} }
