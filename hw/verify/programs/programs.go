// Package programs asks the programs lscpu and lstopo about a machine, where they are installed, and
// notes which parts of lscpu's answer cannot be used.
//
// Model: a program gets a clean environment and a bounded time, after which it is killed; its answer
// is its machine-readable output and nothing else. ErrAbsent tells that a program is not installed,
// which is not a fault.
package programs

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
)

// ErrAbsent is the error for a program that is not installed.
var ErrAbsent = errors.New("not installed")

const (
	patience  = 20 * time.Second // lstopo needs up to some seconds on the largest machines
	maxOutput = 64 << 20         // bytes
)

// run returns what a program prints.
func run(ctx context.Context, program string, args ...string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", ErrAbsent
	}
	return within(ctx, patience, path, args...)
}

// within runs a program, and kills it when it takes longer than patience.
func within(ctx context.Context, patience time.Duration, path string, args ...string) (string, error) {
	program := filepath.Base(path)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := exec.CommandContext(ctx, path, args...)
	// Without the caller's environment: hwloc's variables could name another machine to read.
	c.Env = []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH"), "HWLOC_HIDE_ERRORS=2",
		"HWLOC_KNL_MSCACHE_L3=0"} // MCDRAM as a cache is a MemCache, which it is, and no L3
	c.WaitDelay = time.Second // for pipes that a child of it holds open
	var out, errs clipped
	out.left, errs.left = maxOutput, 1<<16
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("%s: killed after %v without an answer", program, patience)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("%s: %w%s", program, err, because(errs.String()))
	case out.left == 0:
		return "", fmt.Errorf("%s: more than %d MB of output", program, maxOutput>>20)
	}
	return out.String(), nil
}

// because returns the first line of a program's complaint, in parentheses.
func because(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return ""
	}
	return " (" + line + ")"
}

// clipped keeps the first bytes that are written to it.
type clipped struct {
	bytes.Buffer
	left int
}

// Write never fails: it drops bytes beyond the limit.
func (c *clipped) Write(p []byte) (int, error) {
	n := min(len(p), c.left)
	c.left -= n
	c.Buffer.Write(p[:n])
	return len(p), nil
}

// asked are the columns that lscpu is asked for; for CACHE it prints a column for each cache.
const asked = "CPU,NODE,SOCKET,CORE,BOOK,DRAWER,CACHE"

// columns are the kinds of lscpu's columns, by the columns' names in lower case.
var columns = map[string]account.Kind{
	"cpu": account.Of(hw.PU), "node": account.Of(hw.NUMANode),
	"socket": account.Of(hw.Package), "core": account.Of(hw.Core),
	"book":   {Type: hw.Group, Subtype: "Book"},
	"drawer": {Type: hw.Group, Subtype: "Drawer"},
	"l1d":    account.Of(hw.L1Cache), "l1i": account.Of(hw.L1iCache), "l1": account.Of(hw.L1Cache),
	"l2": account.Of(hw.L2Cache), "l2d": account.Of(hw.L2Cache), "l2i": account.Of(hw.L2iCache),
	"l3": account.Of(hw.L3Cache), "l4": account.Of(hw.L4Cache), "l5": account.Of(hw.L5Cache),
}

// Lscpu returns what lscpu reports about the online PUs, of this machine where root is "" and else
// of the machine whose /proc and /sys are below root. The notes tell which parts of the report
// cannot be used.
func Lscpu(ctx context.Context, root string) (a account.Account, notes []string, err error) {
	args := []string{"--parse=" + asked}
	if root != "" {
		args = append(args, "--sysroot", root)
	}
	text, err := run(ctx, "lscpu", args...)
	if err != nil {
		return nil, nil, err
	}
	a, notes, err = parseLscpu(text)
	if err != nil {
		return nil, nil, fmt.Errorf("lscpu: %w", err)
	}
	return a, notes, nil
}

// parseLscpu reads lines "0,0,0,0,,,,0,0,0" below comments. The last comment names the columns: "#
// CPU,Node,Socket,Core,Book,DRAWER,,L1d,L1i,L2".
func parseLscpu(text string) (account.Account, []string, error) {
	last := ""
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		last = strings.TrimSpace(strings.TrimPrefix(line, "#"))
	}
	if !strings.HasPrefix(last, "CPU,") {
		return nil, nil, fmt.Errorf("%q does not name the columns", last)
	}
	t := table{names: strings.Split(strings.ToLower(last), ","), of: map[place]hw.Set{}}
	lines := csv.NewReader(strings.NewReader(text))
	lines.Comment, lines.FieldsPerRecord = '#', -1
	rows, err := lines.ReadAll()
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		if err := t.row(row); err != nil {
			return nil, nil, err
		}
	}
	a, notes := t.account()
	return a, notes, nil
}

// place is a thing: a column and the number in it.
type place struct{ column, number int }

// table gathers the PUs of each thing.
type table struct {
	names  []string // of the columns
	of     map[place]hw.Set
	order  []place
	ragged bool // a line has fewer caches than others: it is not known which
}

func (t *table) row(fields []string) error {
	pu, err := strconv.Atoi(fields[0])
	if err != nil || pu < 0 || pu > hw.MaxIndex {
		return fmt.Errorf("%q is not a PU", fields[0])
	}
	t.ragged = t.ragged || len(fields) != len(t.names)
	for i := range min(len(fields), len(t.names)) {
		if fields[i] == "" || fields[i] == "-" {
			continue
		}
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return fmt.Errorf("%q is not a number", fields[i])
		}
		at := place{i, n}
		set, ok := t.of[at]
		if !ok {
			t.order = append(t.order, at)
		}
		set.Add(pu)
		t.of[at] = set
	}
	return nil
}

// account makes things of the places. Where a column has no numbers, lscpu does not know that kind.
func (t *table) account() (account.Account, []string) {
	a := account.Account{}
	for _, at := range t.order {
		k, ok := columns[t.names[at.column]]
		if !ok || t.ragged && k.Type.IsCache() {
			continue
		}
		thing := account.Thing{OSIndex: hw.Unknown, CPUSet: t.of[at]}
		if k.Type == hw.NUMANode || k.Type == hw.PU {
			thing.OSIndex = at.number
		}
		a.Add(k, thing)
	}
	if !t.ragged {
		return a, nil
	}
	return a, []string{"lscpu drops empty fields of caches, so its fields are ambiguous: not used"}
}

// everything renames attributes so that our reader of hwloc's files keeps what the cgroup does not
// allow.
var everything = strings.NewReplacer(" allowed_cpuset=", " not_cpuset=", " allowed_nodeset=", " not_nodeset=")

// Lstopo returns what hwloc's lstopo reports, whatever a cgroup allows, of this machine where root
// is "" and else of the machine whose /proc and /sys are below root; and the memory of its NUMA
// nodes in bytes.
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
