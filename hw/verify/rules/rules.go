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
	{Format, "each file is of its format: a list, mask, number or amount", checkFormat},
	{"lists", "online PUs are present, present ones possible, and none of them offline", checkLists},
	{"online", "a PU in the list of online PUs has a folder, which also calls it online", checkOnline},
	{"files", "each online PU has the topology files that the others have", checkFiles},
	{"siblings", "all PUs of a core, cluster, die, package have the same mask, which holds them", checkSiblings},
	{"names", "a mask is the same under its old and its new name, and as a list", checkNames},
	{"masks-online", "masks hold online PUs only", checkMasksOnline},
	{"nesting", "a core lies within its cluster, that in its die, its package, book, drawer", checkNesting},
	{"ids", "all PUs of a package, die, cluster, book, drawer report the same id of it", checkIDs},
	{"own-ids", "no two packages of an x86 machine, and no two dies of a package, have the same id", checkOwnIDs},
	{"cpuinfo", "/proc/cpuinfo has the ids of packages and cores that /sys has", checkListed},
	{"caches", "the caches of a PU have levels 1 to 5 and known types, each once", checkKinds},
	{"sharing", "all PUs that share a cache list it with the same map, which holds all of them", checkSharing},
	{"one-cache", "all PUs that share a cache report the same size, line, ways, sets and id", checkSame},
	{"cache-ids", "no two caches of a level and type have the same id", checkCacheIDs},
	{"levels", "a core has the same cache levels as other cores of its kind", checkLevels},
	{"sizes", "no cache is larger than its outer one, and its line is a power of 2", checkSizes},
	{"covering", "an outer cache covers the inner ones", checkCovering},
	{"L1", "an L1 cache lies within the threads of one core", checkL1},
	{"cache-core", "a cache lies within a core, or holds all of it", checkCacheCore},
	{"cache-package", "a cache lies within one package", checkCachePackage},
	{"nodes", "NUMA nodes that are online are possible, and have folders with a mask", checkNodes},
	{"node-lists", "the lists of NUMA nodes with PUs and with memory hold exactly such nodes", checkNodeLists},
	{"one-node", "no PU is in two NUMA nodes", checkOverlap},
	{"node-cpus", "a NUMA node's folder links to the PUs of its mask", checkLinks},
	{"node-core", "a core lies within one NUMA node", checkNodeCore},
	{"node-package", "a NUMA node lies within a package or cache, or holds all of it", checkNodePackage},
	{"distances", "a NUMA node reports its distances to all nodes: 10 to itself, more to others", checkDistances},
	{"both-ways", "the distance of two NUMA nodes is the same both ways", checkBothWays},
	{"memory", "the used memory of a NUMA node is its total minus its free memory, and holds its huge pages", checkMemory},
	{"kinds", "if cores have kinds, each online PU and each core is of one kind", checkCoreKinds},
	{"cgroup", "the PUs and NUMA nodes that a cgroup allows are online", checkCgroup},
	{"devices", "the NUMA node that a PCI device is near exists", checkDevices},
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
