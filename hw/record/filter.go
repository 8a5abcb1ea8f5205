package record

import (
	"slices"
	"strings"
)

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
