// Package cpuinfo reads the entries of /proc/cpuinfo, one for each PU, with numbers of packages and cores, which
// only x86, ia64 and s390 have.
package cpuinfo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// File is the path of the file below the root of a machine.
const File = "proc/cpuinfo"

// Processor is an entry; -1 stands for a number that the entry does not have.
type Processor struct {
	PU, Package, Core int
	Siblings, Cores   int // PUs and cores of its package
}

// Parse reads blocks of "name : value" lines with a line "processor : N" or "cpu number : N", separated by blank
// lines. In a file without such blocks, the lines "processor N: ..." of older s390 kernels count; newer kernels write
// both.
func Parse(text string) ([]Processor, error) {
	var list, summary []Processor
	for block := range strings.SplitSeq(text, "\n\n") {
		p := Processor{-1, -1, -1, -1, -1}
		fields := map[string]*int{"cpu number": &p.PU, "processor": &p.PU, "physical id": &p.Package, "core id": &p.Core,
			"siblings": &p.Siblings, "cpu cores": &p.Cores}
		for line := range strings.Lines(block) {
			name, value, _ := strings.Cut(line, ":")
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
			if n, ok := strings.CutPrefix(name, "processor "); ok { // in a block that lists all PUs
				pu, err := number(n)
				if err != nil {
					return nil, err
				}
				summary = append(summary, Processor{pu, -1, -1, -1, -1})
				continue
			}
			field, ok := fields[name]
			if !ok || name == "cpu number" && p.PU >= 0 { // ia64 has both, and "processor" is Linux's number
				continue
			}
			n, err := number(value)
			if err != nil {
				return nil, err
			}
			*field = n
		}
		if p.PU >= 0 {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		list = summary
	}
	return list, nil
}

func number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < -1 || n > hw.MaxIndex {
		return 0, fmt.Errorf("/proc/cpuinfo: %q is not a number of a PU, core or package", text)
	}
	return n, nil
}

// Values lists the values of the lines with a name, each value once.
func Values(text, name string) (list []string) {
	for line := range strings.Lines(text) {
		field, value, _ := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); strings.TrimSpace(field) == name && !slices.Contains(list, value) {
			list = append(list, value)
		}
	}
	return list
}

// Has reports whether there are lines with a name.
func Has(text, name string) bool { return len(Values(text, name)) > 0 }
