package verify

import (
	"strings"

	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// limit is what a witness is known to tell wrong, or in another sense than we, on a kind of machines.
type limit struct {
	witness string
	kinds   []account.Kind
	when    func(*machine) bool // looks at what machine it is: never at what files say against each other
	why     string              // a sentence's part with the witness as its subject
}

// limits is the whole list. What is in it excuses a difference and hides a fault of that kind from
// that witness: keep it short.
var limits = []limit{
	{"cpuinfo", kinds(hw.Core), (*machine).computeUnits, "counts a compute unit of AMD's family 15h, two cores, as one"},
	{"lscpu", kinds(hw.Core), (*machine).computeUnits, "takes a compute unit of AMD's family 15h, two cores, for one"},
	{"lscpu", kinds(hw.Core, hw.Package), (*machine).manyParts, "numbers cores and packages anew for each model of CPU in /proc/cpuinfo"},
	{"lstopo", []account.Kind{{Type: hw.Group, Subtype: "Cluster"}}, (*machine).knightsLanding,
		"calls the Groups of NUMA nodes of a Xeon Phi Clusters"},
}

func kinds(types ...hw.Type) (list []account.Kind) {
	for _, t := range types {
		list = append(list, account.Of(t))
	}
	return list
}

// limitsOf are those of a witness that hold on this machine.
func (m *machine) limitsOf(witness string) (list []limit) {
	for _, l := range limits {
		if l.witness == witness && l.when(m) {
			list = append(list, l)
		}
	}
	return list
}

// values lists what /proc/cpuinfo has in lines of a name, each once.
func (m *machine) values(name string) (list []string) {
	text, _ := m.text("proc/cpuinfo")
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		field, value, _ := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); strings.TrimSpace(field) == name && !seen[value] {
			seen[value] = true
			list = append(list, value)
		}
	}
	return list
}

// is reports whether a line of /proc/cpuinfo has one of some values.
func (m *machine) is(name string, values ...string) bool {
	for _, v := range m.values(name) {
		for _, want := range values {
			if v == want {
				return true
			}
		}
	}
	return false
}

func (m *machine) computeUnits() bool {
	return m.is("vendor_id", "AuthenticAMD") && m.is("cpu family", "21", "22")
}

func (m *machine) knightsLanding() bool {
	return m.is("vendor_id", "GenuineIntel") && m.is("cpu family", "6") && m.is("model", "87", "133")
}

func (m *machine) manyParts() bool {
	return len(m.values("CPU part")) > 1 || len(m.values("CPU variant")) > 1
}
