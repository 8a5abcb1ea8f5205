package ghwsays

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// Machine is what predictions start from.
type Machine struct {
	Files  fs.FS           // the root of its file system
	Whole  account.Account // what is right, whatever a cgroup allows
	Online hw.Set

	read map[string]*string // files read so far, nil for those that cannot be
}

// remembering makes a machine read each file once: many predictions read the same ones.
func (m Machine) remembering() Machine {
	m.read = map[string]*string{}
	return m
}

const (
	cpuFolder  = "sys/devices/system/cpu"
	nodeFolder = "sys/devices/system/node"
)

// names lists a folder in the order of names, which is ghw's; none when it cannot be read.
func (m Machine) names(folder string) []string {
	entries, err := fs.ReadDir(m.Files, folder)
	if err != nil {
		return nil
	}
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.Name()
	}
	return list
}

// text is a file as it is; ok is false when it cannot be read.
func (m Machine) text(path string) (text string, ok bool) {
	p, known := m.read[path]
	if !known {
		if data, err := fs.ReadFile(m.Files, path); err == nil {
			s := string(data)
			p = &s
		}
		m.read[path] = p
	}
	if p == nil {
		return "", false
	}
	return *p, true
}

func (m Machine) exists(path string) bool {
	_, err := fs.Stat(m.Files, path)
	return err == nil
}

// id reads a number as ghw does: -1 where there is none.
func (m Machine) id(path string) int {
	text, _ := m.text(path)
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return -1
	}
	return n
}

// clean is the text of a mask or list as parsers want it.
func clean(text string) string { return strings.TrimSpace(strings.TrimRight(text, "\x00")) }

// on reports what ghw takes for online: a PU whose file "online" does not say 0. That -1,
// no number, is not 0 counts.
func (m Machine) on(folder string) bool {
	_, ok := m.text(folder + "/online")
	return !ok || m.id(folder+"/online") != 0
}

// numbered lists the numbers of the entries prefixN of a folder, in the order of names.
func (m Machine) numbered(folder, prefix string) []int {
	var list []int
	for _, name := range m.names(folder) {
		digits, ok := strings.CutPrefix(name, prefix)
		if n, err := strconv.Atoi(digits); ok && err == nil && n >= 0 && n <= hw.MaxIndex {
			list = append(list, n)
		}
	}
	return list
}

// owner tells for each PU which thing of a kind holds it, and -1 for none.
func (m Machine) owner(k account.Kind) func(pu int) int {
	of := map[int]int{}
	for i, t := range m.Whole[k] {
		for pu := t.CPUSet.First(); pu >= 0; pu = t.CPUSet.Next(pu + 1) {
			of[pu] = i
		}
	}
	return func(pu int) int {
		if i, ok := of[pu]; ok {
			return i
		}
		return -1
	}
}

func cpuPath(pu int) string { return fmt.Sprintf("%s/cpu%d", cpuFolder, pu) }

func nodePath(node int) string { return fmt.Sprintf("%s/node%d", nodeFolder, node) }

// collected gathers PUs by key into things, in the order of first sight.
type collected[K comparable] struct {
	things []account.Thing
	at     map[K]int
}

// add puts a PU to those of a key; size is that of the first.
func (c *collected[K]) add(key K, pu int, size uint64) {
	i, ok := c.at[key]
	if !ok {
		if c.at == nil {
			c.at = map[K]int{}
		}
		i = len(c.things)
		c.at[key] = i
		c.things = append(c.things, account.Thing{OSIndex: hw.Unknown, Bytes: size})
	}
	c.things[i].CPUSet.Add(pu)
}

// single makes a PU a thing of its own.
func single(pu int) account.Thing { return account.Thing{OSIndex: pu, CPUSet: hw.SetOf(pu)} }
