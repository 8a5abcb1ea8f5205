// Package verify checks whether commsplit reads a machine correctly. It compares the raw files of the machine
// with rules first (package rules), then our reading with other witnesses: /proc/cpuinfo, the kernel's view of
// this process, cgroups, the Go runtime, lscpu, lstopo, and ghw.
//
// Model: it compares sets of PUs for each kind of object, first of the whole machine, then of what a cgroup
// leaves of it. A witness that differs is a finding, unless a rule on the files is broken, which explains the
// difference, or the witness is known to be wrong there (the table in judge.go, which looks at the kind of
// machine and never at a contradiction). A witness without an answer is missing evidence and no finding. ghw is
// shown and decides nothing: it takes equal ids for the same object, and has no tree.
//
// The package does not compare distances, clock rates or the names of models.
package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sync"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
	"codeberg.org/commsplit/commsplit/hw/verify/rules"
)

// State is the outcome for a witness, or for one kind of object in the account of a witness.
type State string

// The states.
const (
	Agrees      State = "agrees"
	Explained   State = "explained"   // differs, as this witness is known to do, or because the process is bound
	Differs     State = "differs"     // differs, and decides nothing: of ghw, or because a rule is broken
	Unexplained State = "unexplained" // differs, and nobody knows why: a finding
	Skipped     State = "skipped"     // of a witness: not installed, or only a running machine has it
	Unable      State = "unable"      // of a witness: it cannot know this machine
	Failed      State = "failed"      // of a witness: it gave an error instead of an answer
)

// Report is the result of a verification.
type Report struct {
	Machine   string // "this" or "fsroot:PATH"
	Against   string // what witnesses are compared with: "sysfs", or without /sys "cpuinfo" or "affinity"
	Rules     []rules.Rule
	Follows   string // consequences of broken rules; "" where none is broken
	Kinds     []account.Kind
	Ours      account.Account // our reading of the whole machine
	Cgroup    string          // what a cgroup leaves of the machine; "" where no cgroup limits it
	Witnesses []Witness
	Memory    []Memory
	Devices   []Device
	Notes     []string // notes of our reader: what is offline, or not allowed
	Pins      []Pinned // set by Pin
}

// Witness is a source that was asked about the machine.
type Witness struct {
	Name     string
	Usable   bool  // it reports what this process may use, and nothing about how the machine is built
	Plain    bool  // it is shown, and decides nothing
	State    State // Skipped, Unable or Failed; else ""
	Why      string
	Verdicts map[account.Kind]Verdict
	Notes    []string
}

// Verdict is the outcome for one kind of object.
type Verdict struct {
	State State
	Said  []account.Thing
	Count int    // number of things in Said; for a witness without sets, all that it reports
	Why   string // the explanation, or the difference
}

// Memory is an amount of memory that a witness reports.
type Memory struct {
	Witness         string
	Bytes, Expected uint64
	State           State
	Why             string
}

// Device is a device that programs know by a name: its place by our reading, and whether ghw agrees.
type Device struct {
	Kind, Name, BusID string
	Node              int    // number of the NUMA node near to it, or hw.Unknown
	State             State  // Agrees or Differs; "" where ghw does not report the device
	Why               string // what ghw reports instead
}

// Count returns the number of findings: broken rules, unexplained verdicts and amounts of memory, and PUs that
// no thread runs on.
func (r *Report) Count() int {
	n := 0
	for _, rule := range r.Rules {
		if rule.Broken() {
			n++
		}
	}
	for _, w := range r.Witnesses {
		for _, v := range w.Verdicts {
			if v.State == Unexplained {
				n++
			}
		}
	}
	for _, m := range r.Memory {
		if m.State == Unexplained {
			n++
		}
	}
	for _, p := range r.Pins {
		if p.Err != nil {
			n++
		}
	}
	return n
}

// Missing names the witnesses that should have answered and did not.
func (r *Report) Missing() (names []string) {
	for _, w := range r.Witnesses {
		if w.State == Failed || w.State == Unable {
			names = append(names, w.Name)
		}
	}
	return names
}

// This verifies the machine that the program runs on; Linux only.
func This(ctx context.Context) (*Report, error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("hw verify checks /proc and /sys of Linux, but this is %s", runtime.GOOS)
	}
	return verify(ctx, &machine{dir: "/", live: true, files: os.DirFS("/")}, "this")
}

// Copy verifies the machine whose /proc and /sys are at path, as package fsroot has it. The errors are those of
// fsroot.Read, except for files that break a rule: the report lists these.
func Copy(ctx context.Context, path string) (r *Report, err error) {
	dir, remove, err := fsroot.OnDisk(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return verify(ctx, &machine{dir: dir, files: fsroot.Regular{FS: root.FS()}}, "fsroot:"+path)
}

// verify returns the report on a machine. Where our reader cannot read the machine and rules are broken, the
// report has nothing but the rules.
func verify(ctx context.Context, m *machine, name string) (*Report, error) {
	err := m.prepare()
	if err == nil {
		return m.ask(ctx, name)
	}
	list := rules.Check(m.files)
	if !slices.ContainsFunc(list, rules.Rule.Broken) {
		return nil, fmt.Errorf("cannot read the machine %s: %w", name, err)
	}
	return &Report{Machine: name, Against: "sysfs", Rules: list, Follows: fmt.Sprintf(
		"there is no tree, and no witness was asked: %v", err)}, ctx.Err()
}

// ask checks the files against the rules, asks the witnesses, and judges their answers.
func (m *machine) ask(ctx context.Context, name string) (*Report, error) {
	r := &Report{Machine: name, Against: m.against, Ours: m.full, Cgroup: m.cgroupWords(), Notes: m.ours.Notes}
	if m.against == "sysfs" {
		r.Rules = rules.Check(m.files)
	}
	m.unformed = slices.ContainsFunc(r.Rules, func(r rules.Rule) bool { return r.Name == rules.Format && r.Broken() })
	heard := make([]testimony, len(witnesses))
	var all sync.WaitGroup
	for i, ask := range witnesses { // at the same time: lscpu and lstopo are other processes
		all.Go(func() { heard[i] = ask(ctx, m) })
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	broken := slices.ContainsFunc(r.Rules, rules.Rule.Broken)
	if len(r.Rules) > 0 && !broken { // with broken rules, faults of the tree follow from the files
		r.Rules = append(r.Rules, m.treeRule())
	}
	told := []account.Account{m.full}
	for _, t := range heard {
		if t.name == m.against {
			continue
		}
		r.Witnesses = append(r.Witnesses, m.judge(t, broken))
		told = append(told, t.said)
	}
	for _, k := range account.Kinds(m.full) {
		if slices.ContainsFunc(told, func(a account.Account) bool { return len(a[k]) > 0 }) {
			r.Kinds = append(r.Kinds, k)
		}
	}
	if broken {
		r.Follows = m.follows(r)
	}
	r.Memory = m.memory(ctx)
	devices, silent := m.devices(ctx)
	r.Devices, r.Witnesses = devices, append(r.Witnesses, silent...)
	return r, ctx.Err()
}

// machine is the machine to verify.
type machine struct {
	dir   string // root of its file system, on disk
	live  bool   // this program runs on the machine
	files fs.FS

	against  string
	unformed bool // a file is not of its format
	ours     *sysfs.Machine
	whole    *sysfs.Machine  // as if no cgroup held anything back
	full     account.Account // the account of whole
	left     account.Account // the account of ours: what the cgroup leaves

	masks        map[int]hw.Set // PUs of the NUMA nodes by their own masks, of all node folders
	lstopoMemory uint64         // bytes that lstopo tells; 0 when it was not asked
	totalBefore  uint64         // MemTotal before any witness was asked
	nodesBefore  uint64         // the memory of all NUMA nodes at that time
}

// prepare derives the accounts that witnesses are compared with.
func (m *machine) prepare() (err error) {
	m.masks = m.nodeMasks()
	m.ours, err = sysfs.Read(m.files)
	if errors.Is(err, sysfs.ErrAbsent) && m.live {
		return m.withoutSysfs()
	}
	if err != nil {
		return err
	}
	m.against = "sysfs"
	m.whole = m.ours
	if limits, err := sysfs.ReadCpuset(m.files); err != nil || !limits.CPUs.Empty() || !limits.Mems.Empty() {
		if m.whole, err = sysfs.ReadWhole(m.files); err != nil {
			return fmt.Errorf("without its cgroup: %w", err)
		}
	}
	m.left = account.FromTree(m.ours.Root.All())
	m.full = account.FromTree(m.whole.Root.All())
	m.left.Speak(readable...)
	m.full.Speak(readable...)
	m.totalBefore, m.nodesBefore = m.total("proc/meminfo"), m.allNodes()
	return nil
}

// withoutSysfs takes the entries of /proc/cpuinfo, or else the PUs that this process may use, for the machine.
func (m *machine) withoutSysfs() error {
	m.against = "cpuinfo"
	m.ours = &sysfs.Machine{Notes: []string{"there is no /sys/devices/system/cpu: no tree and no rules, only witnesses"}}
	t := askCPUInfo(context.Background(), m)
	if m.full = t.said; t.state != "" || t.err != nil {
		set, err := affinity()
		if err != nil {
			return sysfs.ErrAbsent
		}
		m.against, m.full = "affinity", account.Account{account.Of(hw.PU): singles(set)}
	}
	m.left = m.full
	m.ours.Online = account.Union(m.full[account.Of(hw.PU)])
	m.ours.Allowed = m.ours.Online
	m.ours.Root = &hw.Object{Type: hw.Machine, CPUSet: m.ours.Online}
	m.whole = m.ours
	if limits, err := sysfs.ReadCpuset(m.files); err == nil && !limits.CPUs.Empty() {
		m.ours.Allowed = m.ours.Online.Intersect(limits.CPUs)
		m.left = account.Account{account.Of(hw.PU): singles(m.ours.Allowed)}
	}
	return nil
}

// readable are the kinds that our reader makes where a machine has them. Other kinds of a witness are not
// compared.
var readable = []account.Kind{
	{Type: hw.Group}, {Type: hw.Group, Subtype: "Cluster"}, {Type: hw.Group, Subtype: "Book"},
	{Type: hw.Group, Subtype: "Drawer"}, account.Of(hw.NUMANode), account.Of(hw.Package),
	account.Of(hw.Die), account.Of(hw.L5Cache), account.Of(hw.L4Cache), account.Of(hw.L3Cache),
	account.Of(hw.L3iCache), account.Of(hw.L2Cache), account.Of(hw.L2iCache),
	account.Of(hw.L1Cache), account.Of(hw.L1iCache), account.Of(hw.Core), account.Of(hw.PU),
}

// cgroupWords describes what the cgroup leaves of the machine; "" when the cgroup leaves all.
func (m *machine) cgroupWords() string {
	nodes := func(a account.Account) (s hw.Set) {
		for _, n := range a[account.Of(hw.NUMANode)] {
			if n.OSIndex >= 0 {
				s.Add(n.OSIndex)
			}
		}
		return s
	}
	words := ""
	if !m.ours.Allowed.Equal(m.ours.Online) {
		words = fmt.Sprintf("%s of %v", pus(m.ours.Allowed), m.ours.Online)
	}
	if left, all := nodes(m.left), nodes(m.full); !left.Equal(all) {
		if words != "" {
			words += ", "
		}
		words += fmt.Sprintf("NUMA nodes %v of %v", left, all)
	}
	return words
}
