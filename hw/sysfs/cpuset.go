package sysfs

import (
	"io/fs"

	"commsplit/hw"
)

// Cpuset is what the cgroup of a process allows. A set is empty where no cgroup says anything.
type Cpuset struct {
	V2         bool // it is of the unified hierarchy
	CPUs, Mems hw.Set
}

// ReadCpuset reads the cpuset of the process that a file system is of, or was recorded by. The error
// names the file that makes no sense.
func ReadCpuset(root fs.FS) (Cpuset, error) {
	l, err := (&reader{root: root}).limits()
	return Cpuset{V2: l.v2, CPUs: l.cpus, Mems: l.mems}, err
}
