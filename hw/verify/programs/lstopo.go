package programs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"commsplit/hw"
	"commsplit/hw/hwlocxml"
	"commsplit/hw/verify/account"
)

// everything makes our reader of hwloc's files keep what the cgroup does not allow.
var everything = strings.NewReplacer(" allowed_cpuset=", " not_cpuset=", " allowed_nodeset=", " not_nodeset=")

// Lstopo is what hwloc's lstopo says, whatever a cgroup allows, of this machine where root is "" and
// else of the one whose /proc and /sys are below root; and the memory of its NUMA nodes in bytes.
func Lstopo(ctx context.Context, root string) (a account.Account, bytes uint64, err error) {
	args := []string{"--no-io", "--disallowed", "--of", "xml"}
	if root != "" {
		args = append(args, "--if", "fsroot", "-i", root)
	}
	text, err := run(ctx, "lstopo-no-graphics", args...)
	if errors.Is(err, ErrAbsent) {
		text, err = run(ctx, "lstopo", args...)
	}
	if err != nil {
		return nil, 0, err
	}
	t, err := hwlocxml.Read(strings.NewReader(everything.Replace(text)))
	if err != nil {
		return nil, 0, fmt.Errorf("lstopo: %w", err)
	}
	for _, n := range t.Objects(hw.NUMANode) {
		bytes += n.Bytes
	}
	return account.FromTree(t.Root.All()), bytes, nil
}
