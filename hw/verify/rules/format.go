package rules

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
	"codeberg.org/commsplit/commsplit/hw/verify/cpuinfo"
)

// Format names the rule that each file has its format. Programs that read a machine that breaks this rule may go
// wrong in any way, or never end.
const Format = "format"

// form is the format of a file: ok reports whether a text that is not empty has it.
type form struct {
	ok    func(text string) bool
	empty bool                   // an empty file is right, too
	long  bool                   // so is a file of more than maxText bytes
	line  func(text string) bool // ok for a single line, where a line need not be like the whole
}

// maxText is the largest size in bytes of a file that our reader takes.
const maxText = 64 << 10

// The forms.
var (
	aList  = form{ok: func(s string) bool { _, err := hw.ParseListUpTo(s, maxPU); return err == nil }}
	noList = form{ok: aList.ok, empty: true}
	aMask  = form{ok: func(s string) bool { _, err := sysfs.ParseMask(s); return err == nil }}
	number = form{ok: isNumber}
	aSize  = form{ok: func(s string) bool { // without a unit it is KiB to one reader, and bytes to another
		_, err := sysfs.ParseSize(s)
		return err == nil && strings.TrimRight(s, "KMG") != s
	}}
	word   = form{ok: func(s string) bool { return strings.Trim(s, letters) == "" }}
	row    = form{ok: func(s string) bool { return allNumbers(strings.Fields(s)) }}
	hexa   = form{ok: func(s string) bool { _, err := strconv.ParseUint(s, 0, 64); return err == nil }}
	amount = form{ok: func(s string) bool { return total(s) && strings.Contains(s, "MemTotal:") }, line: total}
	cpus   = form{ok: func(s string) bool { _, err := cpuinfo.Parse(s); return err == nil && names(s) }, empty: true, long: true}
)

// names reports whether a /proc/cpuinfo names a processor, as each architecture's kernel does at the begin of a line.
func names(text string) bool {
	for line := range strings.Lines(strings.ToLower(text)) {
		if strings.HasPrefix(line, "processor") || strings.HasPrefix(line, "cpu") {
			return true
		}
	}
	return false
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func total(s string) bool { _, err := sysfs.ParseMemTotal(s); return err == nil }

func isNumber(s string) bool { _, err := strconv.Atoi(s); return err == nil }

func allNumbers(list []string) bool {
	for _, s := range list {
		if !isNumber(s) {
			return false
		}
	}
	return true
}

// forms are the forms of files that exist once, by folder and name.
var forms = []struct {
	folder string
	files  map[string]form
}{
	{"proc", map[string]form{"meminfo": amount, "cpuinfo": cpus}},
	{cpuFolder, map[string]form{"online": aList, "present": aList, "possible": aList, "offline": noList}},
	{nodeFolder, map[string]form{"online": aList, "possible": aList, "has_cpu": noList, "has_memory": noList,
		"has_normal_memory": noList}},
	{"sys/devices/cpu_core", map[string]form{"cpus": noList}},
	{"sys/devices/cpu_atom", map[string]form{"cpus": noList}},
	{"sys/devices/cpu_lowpower", map[string]form{"cpus": noList}},
}

// ofPU, ofCache, ofNode and ofDevice are the forms of the files that each PU, cache, node and device has.
var (
	ofPU = withMasks(map[string]form{"online": {ok: number.ok, empty: true}, "cpu_capacity": number,
		"cpufreq/cpuinfo_max_freq": number, "cpufreq/base_frequency": number, "l1_dcache_size": number, "l1_icache_size": number,
		"l2_cache_size": number, "topology/core_id": number, "topology/physical_package_id": number, "topology/die_id": number,
		"topology/cluster_id": number, "topology/book_id": number, "topology/drawer_id": number})
	ofCache = map[string]form{"level": number, "type": word, "size": aSize, "shared_cpu_map": aMask, "shared_cpu_list": noList,
		"coherency_line_size": number, "ways_of_associativity": number, "number_of_sets": number, "id": number}
	ofNode   = map[string]form{"cpumap": aMask, "cpulist": noList, "distance": row, "meminfo": amount}
	ofDevice = map[string]form{"numa_node": number, "class": hexa, "local_cpus": aMask}
)

// withMasks adds the forms of the masks in topology folders, and of the same masks as lists.
func withMasks(files map[string]form) map[string]form {
	for _, name := range maskFiles() {
		files["topology/"+name], files["topology/"+name+"_list"] = aMask, noList
	}
	return files
}

// checkFormat reports each existing file that does not have its form.
func checkFormat(m *machine) (list []Breach) {
	in := func(pu int, folder string, files map[string]form) {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if b, wrong := m.misformed(pu, path.Join(folder, name), files[name]); wrong && len(list) < maxBreaches {
				list = append(list, b)
			}
		}
	}
	for _, f := range forms {
		in(hw.Unknown, f.folder, f.files)
	}
	for _, pu := range m.numbered(cpuFolder, "cpu").Indexes() {
		in(pu, cpuHome(pu), ofPU)
		for _, c := range m.caches[pu] {
			in(pu, c.folder, ofCache)
		}
	}
	for _, n := range m.numbered(nodeFolder, "node").Indexes() {
		folder := fmt.Sprintf("%s/node%d", nodeFolder, n)
		in(hw.Unknown, folder, ofNode)
		for _, size := range m.entries(folder + "/hugepages") {
			in(hw.Unknown, folder+"/hugepages/"+size, map[string]form{"nr_hugepages": number})
		}
	}
	for _, d := range m.entries(pciFolder) {
		in(hw.Unknown, pciFolder+"/"+d, ofDevice)
	}
	for _, file := range []string{m.cpuset.CPUsFile, m.cpuset.MemsFile} {
		if file != "" {
			in(hw.Unknown, path.Dir(file), map[string]form{path.Base(file): noList})
		}
	}
	return list
}

// misformed returns the breach of a file that does not have its form; pu may be hw.Unknown.
func (m *machine) misformed(pu int, file string, f form) (b Breach, wrong bool) {
	text := m.text(file)
	if text == "" && (f.empty || !m.blank(file)) || text != "" && f.ok(text) && (len(text) <= maxText || f.long) {
		return b, false
	}
	return at(pu, Said{file, shown(f.wrongIn(text))}), true
}

// shown makes a text printable, whatever it holds.
func shown(text string) string {
	switch {
	case text == "":
		return "(empty)"
	case strings.ContainsFunc(text, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) && r != '\t' }):
		return strconv.Quote(hw.Clip(text))
	}
	return hw.Clip(text)
}

// wrongIn returns the wrong part of a text: the first wrong line, or all of it.
func (f form) wrongIn(text string) string {
	ok := f.ok
	if f.line != nil {
		ok = f.line
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !ok(line) {
			return line
		}
	}
	return text
}
