package detect

import (
	"fmt"
	"strings"

	"commsplit/hw/sysfs"
)

// disagreement holds ghw's counts against those of sysfs before any cgroup,
// of which ghw knows nothing. It returns one line, or "" when they agree.
func disagreement(c sysfs.Counts, id identity) string {
	packages, cores, threads := len(id.packages), 0, 0
	for _, p := range id.packages {
		cores += len(p.cores)
		for _, core := range p.cores {
			threads += len(core)
		}
	}
	if packages == 0 {
		if len(id.notes) > 0 {
			return "" // why ghw is silent has been said
		}
		return "ghw counts no processors at all " +
			"(known ghw defect: it needs an entry for each PU in /proc/cpuinfo)"
	}
	var t tally
	t.compare("packages", packages, c.Packages, c.PackageIDs,
		"packages with equal physical_package_id")
	t.compare("cores", cores, c.Cores, c.CoreIDs, "cores with equal core_id")
	t.compare("threads", threads, c.PUs, c.PUs, "")
	return t.line()
}

// tally collects the counts that differ.
type tally struct {
	ghw, ours   []string
	defects     []string
	unexplained bool
}

// compare notes a difference, which is a known defect when ghw counts as many
// as there are different ids: it then merges what only shares an id.
func (t *tally) compare(what string, ghw, ours, ids int, merges string) {
	if ghw == ours {
		return
	}
	t.ghw = append(t.ghw, fmt.Sprintf("%s %d", what, ghw))
	t.ours = append(t.ours, fmt.Sprintf("%s %d", what, ours))
	if ghw == ids {
		t.defects = append(t.defects, merges)
	} else {
		t.unexplained = true
	}
}

func (t *tally) line() string {
	if len(t.ghw) == 0 {
		return ""
	}
	line := fmt.Sprintf("ghw and sysfs disagree: ghw counts %s, sysfs %s",
		strings.Join(t.ghw, ", "), strings.Join(t.ours, ", "))
	if len(t.defects) > 0 {
		line += " (known ghw defect: it merges " + strings.Join(t.defects, " and ") + ")"
	}
	if len(t.defects) > 0 && t.unexplained {
		line += "; that does not explain all of it"
	}
	return line
}
