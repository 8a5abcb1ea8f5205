package ghwsays

import (
	"strconv"
	"strings"

	"commsplit/hw/verify/account"
)

// cpuModel predicts ghw.CPU.
type cpuModel struct {
	Machine
	listed map[int]bool // PUs with an entry in /proc/cpuinfo
	shelf  []int        // PUs in the order of their folders' names

	packageIDs, coreIDs, onlineFile, cpuinfo *account.Limit
}

// CPUModel predicts what ghw.CPU says of a machine.
func CPUModel(m Machine) account.Model {
	c := newCPUModel(m)
	unlisted := false
	for _, pu := range c.online().Indexes() {
		unlisted = unlisted || !c.listed[pu]
	}
	return c.model(map[*account.Limit]bool{c.cpuinfo: unlisted, c.onlineFile: c.misread()})
}

// IDModel predicts one who knows which PUs are online, and takes ids for identities.
func IDModel(m Machine) account.Model { return newCPUModel(m).model(map[*account.Limit]bool{}) }

func (c cpuModel) model(evidence map[*account.Limit]bool) account.Model {
	evidence[c.packageIDs] = c.ambiguousPackages()
	evidence[c.coreIDs] = c.ambiguousCores(evidence[c.packageIDs])
	return account.Model{Predict: c.predict,
		Limits: triggered(evidence, c.coreIDs, c.packageIDs, c.cpuinfo, c.onlineFile)}
}

func newCPUModel(m Machine) cpuModel {
	m = m.remembering()
	all := []account.Kind{packages, cores, pus}
	return cpuModel{
		Machine: m, listed: m.entries(), shelf: m.numbered(cpuFolder, "cpu"),
		packageIDs: &account.Limit{Words: "takes PUs with equal physical_package_id for one package", Kinds: all[:2]},
		coreIDs:    &account.Limit{Words: "takes PUs of a package with equal core_id for one core", Kinds: []account.Kind{cores}},
		onlineFile: &account.Limit{Words: "takes a PU for online unless its own file says 0", Kinds: all},
		cpuinfo:    &account.Limit{Words: "needs an entry for each PU in /proc/cpuinfo", Kinds: all},
	}
}

// entries are the PUs that ghw finds in /proc/cpuinfo: blocks that a blank line ends and that
// have a processor's number. Lines of a block without one count for the next.
func (m Machine) entries() map[int]bool {
	list := map[int]bool{}
	text, _ := m.text("proc/cpuinfo")
	number := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, value, ok := strings.Cut(line, ":")
		switch name = strings.TrimSpace(name); {
		case line == "" && number != "":
			n, _ := strconv.Atoi(number) // 0 where it is no number, as ghw has it
			list[n] = true
			number = ""
		case ok && (name == "processor" || name == "cpu number"):
			number = strings.TrimSpace(value)
		}
	}
	return list
}

// predict walks over the PUs as ghw does.
func (c cpuModel) predict(k account.Kind, on account.On) []account.Thing {
	ownPackage, ownCore := c.owner(packages), c.owner(cores)
	var (
		byPackage collected[int]
		byCore    collected[[2]int]
		list      []account.Thing
	)
	online := c.online()
	known := map[int]bool{} // packages of which a PU with an entry was seen
	for _, pu := range c.shelf {
		topology := cpuPath(pu) + "/topology/"
		if on[c.onlineFile] && !c.on(cpuPath(pu)) || !on[c.onlineFile] && !online.Has(pu) {
			continue
		}
		id := c.id(topology + "physical_package_id")
		if known[id] = known[id] || c.listed[pu]; on[c.cpuinfo] && !known[id] {
			continue
		}
		list = append(list, single(pu))
		p, core := ownPackage(pu), ownCore(pu)
		if on[c.packageIDs] {
			p = id
		}
		if p >= 0 || on[c.packageIDs] {
			byPackage.add(p, pu, 0)
		}
		known := core >= 0
		if on[c.coreIDs] {
			core, known = c.id(topology+"core_id"), true
		}
		if known {
			byCore.add([2]int{p, core}, pu, 0)
		}
	}
	switch k {
	case packages:
		return byPackage.things
	case cores:
		return byCore.things
	}
	return list
}
