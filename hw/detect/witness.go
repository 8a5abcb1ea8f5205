package detect

import (
	"fmt"
	"io/fs"
	"strings"

	"commsplit/hw"
	"commsplit/hw/sysfs"
	"commsplit/hw/verify/account"
	"commsplit/hw/verify/ghwsays"
)

// disagreement holds ghw's processors against those of sysfs before any cgroup, of which
// ghw knows nothing. It returns one line, or "" when they agree or ghw has told why it is
// silent. What ghw is known to get wrong is package ghwsays's knowledge.
func disagreement(root fs.FS, m *sysfs.Machine, id identity) (string, error) {
	if len(id.packages) == 0 && len(id.notes) > 0 {
		return "", nil
	}
	if !m.Allowed.Equal(m.Online) {
		whole, err := sysfs.ReadWhole(root)
		if err != nil {
			return "", err
		}
		m = whole
	}
	right := account.FromTree(m.Root.All())
	return compare(said(id), right, func() account.Model {
		return ghwsays.CPUModel(ghwsays.Machine{Files: root, Whole: right, Online: m.Online})
	}), nil
}

// said is what ghw told of the processors.
func said(id identity) account.Account {
	a := account.Account{}
	for _, p := range id.packages {
		whole := account.Thing{OSIndex: hw.Unknown}
		for _, core := range p.cores {
			set := hw.SetOf(core...)
			whole.CPUSet.Merge(set)
			a.Add(account.Of(hw.Core), account.Thing{OSIndex: hw.Unknown, CPUSet: set})
			for _, pu := range core {
				a.Add(account.Of(hw.PU), account.Thing{OSIndex: pu, CPUSet: hw.SetOf(pu)})
			}
		}
		a.Add(account.Of(hw.Package), whole)
	}
	return a
}

// compare tells in one line which counts differ, or which sets, and why. The model is
// only asked for when they do: it reads files.
func compare(said, right account.Account, model func() account.Model) string {
	var ghw, ours, defects []string
	open := false
	for _, k := range []struct {
		kind account.Kind
		name string
	}{{account.Of(hw.Package), "packages"}, {account.Of(hw.Core), "cores"}, {account.Of(hw.PU), "PUs"}} {
		theirs, mine := said[k.kind], right[k.kind]
		if account.Same(theirs, mine) {
			continue
		}
		ghw = append(ghw, fmt.Sprintf("%s %d", k.name, len(theirs)))
		ours = append(ours, fmt.Sprintf("%s %d", k.name, len(mine)))
		limits, ok := model().Explain(k.kind, theirs)
		open = open || !ok
		for _, l := range limits {
			if text := strings.Join(defects, "; "); !strings.Contains(text, l.Words) {
				defects = append(defects, l.Words)
			}
		}
	}
	if len(ghw) == 0 {
		return ""
	}
	line := fmt.Sprintf("ghw and sysfs disagree: ghw counts %s, sysfs %s", strings.Join(ghw, ", "), strings.Join(ours, ", "))
	if len(defects) > 0 {
		line += " (known defect of ghw: it " + strings.Join(defects, "; it ") + ")"
	}
	if open {
		line += ": commsplit hw verify tells more"
	}
	return line
}
