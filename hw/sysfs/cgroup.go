package sysfs

import (
	"bufio"
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// cpuset locates the files in which the kernel keeps the PUs and NUMA nodes that this process may
// use: a mounted hierarchy, the process's group in it, and the names of the two files.
type cpuset struct {
	mount string // relative to the root of the file system
	group string // "/user.slice/..."
	v2    bool
	cpus  string
	mems  string
}

// Cpuset is the limits of a process's cgroup. A set is empty where no cgroup limits it.
type Cpuset struct {
	V2                 bool // it is of the unified hierarchy
	CPUs, Mems         hw.Set
	CPUsFile, MemsFile string // the files with the limits, or the files that make no sense; "" where there is none

	group string
}

// ReadCpuset reads the cpuset of the process whose file system root is, or that recorded it. The
// error names the file that makes no sense.
func ReadCpuset(root fs.FS) (Cpuset, error) {
	r := &reader{root: root}
	l := r.limits()
	return l, r.err
}

// limits reads the PUs and NUMA nodes that the cgroup of this process allows.
func (r *reader) limits() Cpuset {
	c := r.cpusetMount()
	if c.mount != "" {
		c.group = r.group(c.v2)
	}
	if c.group == "" {
		return Cpuset{}
	}
	l := Cpuset{V2: c.v2, group: c.group}
	l.CPUs, l.CPUsFile = r.allowed(c, c.cpus)
	if r.err == nil {
		l.Mems, l.MemsFile = r.allowed(c, c.mems)
	}
	return l
}

// allowed reads a file of the process's group or, where that file is missing or empty, of the
// nearest parent group with a file that is not. from is the file that was read; "" when there is
// none.
func (r *reader) allowed(c cpuset, file string) (set hw.Set, from string) {
	for group := path.Clean("/" + c.group); ; group = path.Dir(group) {
		from = path.Join(c.mount, group, file)
		if set, _ = r.list(from, maxCPUs); r.err != nil || !set.Empty() {
			return set, from
		}
		if group == "/" {
			return hw.Set{}, ""
		}
	}
}

// maxMounts is how many lines of /proc/mounts are read; that file grows with the containers of a
// host.
const maxMounts = 100_000

// cpusetMount finds the hierarchy that has the cpuset controller; mount is
// empty when there is none.
func (r *reader) cpusetMount() cpuset {
	f, err := r.root.Open("proc/mounts")
	if errors.Is(err, fs.ErrNotExist) {
		return cpuset{}
	}
	if err != nil {
		r.fail("cannot open proc/mounts: %w", Cause(err))
		return cpuset{}
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxFile)
	for n := 0; lines.Scan(); n++ {
		if n == maxMounts {
			r.fail("proc/mounts: more than %d lines", maxMounts)
			return cpuset{}
		}
		if c := r.mounted(lines.Text()); r.err != nil || c.mount != "" {
			return c
		}
	}
	if err := lines.Err(); err != nil {
		r.fail("cannot read proc/mounts: %w", Cause(err))
	}
	return cpuset{}
}

// mounted reads one line of /proc/mounts: DEVICE FOLDER TYPE OPTIONS 0 0.
func (r *reader) mounted(line string) cpuset {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return cpuset{}
	}
	mount := strings.TrimPrefix(path.Clean(fields[1]), "/")
	options := strings.Split(fields[3], ",")
	has := slices.Contains(options, "cpuset")
	switch {
	case fields[2] == "cgroup2":
		text, _ := r.text(path.Join(mount, "cgroup.controllers"))
		if slices.Contains(strings.Fields(text), "cpuset") {
			return cpuset{mount: mount, v2: true, cpus: "cpuset.cpus.effective", mems: "cpuset.mems.effective"}
		}
	case fields[2] == "cpuset", fields[2] == "cgroup" && has && slices.Contains(options, "noprefix"):
		return cpuset{mount: mount, cpus: "cpus", mems: "mems"}
	case fields[2] == "cgroup" && has:
		return cpuset{mount: mount, cpus: "cpuset.cpus", mems: "cpuset.mems"}
	}
	return cpuset{}
}

// MountedOver reports whether a list of mounts, the text of /proc/mounts, has an entry for path:
// then something else is mounted in place of that file.
func MountedOver(mounts, path string) bool {
	for line := range strings.Lines(mounts) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[1] == path {
			return true
		}
	}
	return false
}

// group finds the process's group in the hierarchy, in /proc/self/cpuset, or in /proc/self/cgroup,
// whose lines are ID:CONTROLLERS:GROUP. It returns "" when neither file names the group.
func (r *reader) group(v2 bool) string {
	if text, _ := r.text("proc/self/cpuset"); text != "" {
		return text
	}
	text, _ := r.text("proc/self/cgroup")
	return parseGroup(text, v2)
}

// parseGroup returns the group in the line of version 1's cpuset controller, or in the line of
// version 2's unified hierarchy; the group of the other version when only its line is there.
func parseGroup(text string, v2 bool) string {
	groups := map[bool]string{}
	for line := range strings.Lines(text) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), ":", 3)
		if len(fields) < 3 {
			continue
		}
		unified := fields[0] == "0" && fields[1] == ""
		if unified || slices.Contains(strings.Split(fields[1], ","), "cpuset") {
			groups[unified] = cmp.Or(groups[unified], fields[2])
		}
	}
	return cmp.Or(groups[v2], groups[!v2])
}
