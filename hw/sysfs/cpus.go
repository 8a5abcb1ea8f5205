package sysfs

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

const cpuFolder = "sys/devices/system/cpu"

func topologyFolder(pu int) string { return fmt.Sprintf("%s/cpu%d/topology", cpuFolder, pu) }

// cpuSets reads which PUs the machine has and which of them are online.
func (r *reader) cpuSets() (present, online hw.Set) {
	present = r.numbered(cpuFolder, "cpu")
	online, ok := r.list(cpuFolder+"/online", maxCPUs)
	if ok {
		return present, online.Intersect(present)
	}
	for _, i := range present.Indexes() {
		// On most machines cpu0 has no such file: it cannot be put offline.
		if on, ok := r.number(fmt.Sprintf("%s/cpu%d/online", cpuFolder, i)); !ok || on != 0 {
			online.Add(i)
		}
	}
	return present, online
}

// described returns the PUs of a set that have a topology folder.
func (r *reader) described(online hw.Set) (s hw.Set) {
	for pu := online.First(); pu >= 0; pu = online.Next(pu + 1) {
		if r.exists(topologyFolder(pu)) {
			s.Add(pu)
		}
	}
	return s
}

// exists reports whether there is a file or folder at a path.
func (r *reader) exists(path string) bool {
	if r.err != nil {
		return false
	}
	_, err := fs.Stat(r.root, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.fail("cannot open %s: %w", path, Cause(err))
	}
	return err == nil
}

// siblings are the names of the two masks that every kernel has. Kernel 5.2 renamed them; the names at a machine's
// first PU hold for all PUs.
type siblings struct{ core, pack string }

var (
	newSiblings = siblings{"core_cpus", "package_cpus"}
	oldSiblings = siblings{"thread_siblings", "core_siblings"}
)

func (r *reader) siblings(pus hw.Set) siblings {
	for _, pu := range []int{0, pus.First()} {
		for _, names := range []siblings{newSiblings, oldSiblings} {
			if r.exists(topologyFolder(pu)+"/"+names.core) || r.exists(topologyFolder(pu)+"/"+names.pack) {
				return names
			}
		}
	}
	return newSiblings
}

// processor is the first PU's vendor, family and model in /proc/cpuinfo. Some processors have rules of their own.
type processor struct{ vendor, family, model string }

// cpuinfo reads /proc/cpuinfo; the names of the fields are those of x86.
func (r *reader) cpuinfo() (p processor) {
	text, _, _ := r.head("proc/cpuinfo")
	fields := map[string]*string{"vendor_id": &p.vendor, "cpu family": &p.family, "model": &p.model}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		r.noteSharedCache(name, value)
		if field := fields[strings.TrimSpace(name)]; field != nil && *field == "" {
			*field = strings.TrimSpace(value)
		}
	}
	if !isX86(r.architecture()) {
		return processor{}
	}
	return p
}

// noteSharedCache adds a note on a cache of an IBM mainframe that only a line of /proc/cpuinfo describes: the kernel
// knows that the cache is shared, but not which PUs share it.
func (r *reader) noteSharedCache(name, value string) {
	var level int
	var typ, scope, size string
	n, _ := fmt.Sscanf(value, " level=%d type=%s scope=%s size=%s", &level, &typ, &scope, &size)
	if n == 4 && strings.HasPrefix(name, "cache") && scope == "Shared" {
		r.note("the kernel does not tell which PUs share the L%d cache of %s: the cache is not in the tree", level, hw.Clip(size))
	}
}

// architecture returns the output of uname -m that a recording holds; "" when the recording has none.
func (r *reader) architecture() string {
	text, _ := r.text("proc/hwloc-nofile-info")
	for line := range strings.Lines(text) {
		if arch, ok := strings.CutPrefix(line, "Architecture: "); ok {
			return strings.TrimSpace(arch)
		}
	}
	return ""
}

// isX86 reports whether an architecture is x86. It is true also for an unknown architecture: there the vendors' names
// tell enough.
func isX86(arch string) bool {
	i386 := len(arch) == 4 && arch[0] == 'i' && arch[2:] == "86"
	return arch == "" || arch == "x86_64" || arch == "k1om" || i386
}

// computeUnits reports whether thread_siblings of this processor may be the two cores of a compute unit: AMD's families
// 15h and 16h.
func (p processor) computeUnits() bool {
	return p.vendor == "AuthenticAMD" && (p.family == "21" || p.family == "22")
}

// knightsLanding reports whether the processor is an Intel Xeon Phi of the second generation, whose kernels do not tell
// where its fast memory is.
func (p processor) knightsLanding() bool {
	return p.vendor == "GenuineIntel" && p.family == "6" && (p.model == "87" || p.model == "133")
}
