package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"commsplit/hw"
	"commsplit/hw/fsroot"
	"commsplit/hw/sysfs"
	"commsplit/hw/verify/account"
)

// machine is the one on trial.
type machine struct {
	dir   string // root of its file system, on disk
	live  bool   // it is the one that we run on
	files fs.FS

	ours  *sysfs.Machine
	whole *sysfs.Machine // as if no cgroup held anything back

	lstopoMemory uint64 // bytes that lstopo tells; 0 when it was not asked
	totalBefore  uint64 // MemTotal before anybody was asked
	nodesBefore  uint64 // the memory of all NUMA nodes then

	said account.Account // by ours
	full account.Account // by whole
}

// This verifies the machine that the program runs on; Linux only.
func This(ctx context.Context) (*Report, error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("hw verify compares what Linux tells in /proc and /sys: this is %s", runtime.GOOS)
	}
	m := &machine{dir: "/", live: true, files: os.DirFS("/")}
	var err error
	if m.ours, err = sysfs.Read(m.files); err != nil {
		return nil, fmt.Errorf("cannot detect this machine: %w", err)
	}
	return m.verify(ctx, "this")
}

// Copy verifies the machine whose /proc and /sys are at path, as package fsroot has it. The
// errors are those of fsroot.Read.
func Copy(ctx context.Context, path string) (r *Report, err error) {
	ours, err := fsroot.Read(ctx, path)
	if err != nil {
		return nil, err
	}
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
	m := &machine{dir: dir, files: root.FS(), ours: ours}
	return m.verify(ctx, "fsroot:"+path)
}

// verify asks all the witnesses.
func (m *machine) verify(ctx context.Context, name string) (*Report, error) {
	if err := m.prepare(); err != nil {
		return nil, fmt.Errorf("cannot read %s without its cgroup: %w", name, err)
	}
	return m.ask(ctx, name)
}

// prepare derives what witnesses are held against.
func (m *machine) prepare() (err error) {
	if m.whole, err = sysfs.ReadWhole(m.files); err != nil {
		return err
	}
	m.said = account.FromTree(m.ours.Root.All())
	m.full = account.FromTree(m.whole.Root.All())
	m.said.Speak(readable...)
	m.full.Speak(readable...)
	m.totalBefore, m.nodesBefore = m.total("proc/meminfo"), m.allNodes()
	return nil
}

// ask hears the witnesses, and judges.
func (m *machine) ask(ctx context.Context, name string) (*Report, error) {
	r := &Report{Machine: name, Ours: m.said, Notes: m.ours.Notes}
	var heard []account.Account
	for _, ask := range witnesses {
		t := ask(ctx, m)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w := m.judge(t)
		r.Witnesses = append(r.Witnesses, w)
		heard = append(heard, t.said)
	}
	r.Memory = m.memory(ctx)
	r.Invariants = m.invariants()
	for _, k := range account.Kinds(append(heard, m.said)...) {
		if spoken(k, append(heard, m.said)) {
			r.Kinds = append(r.Kinds, k)
		}
	}
	return r, ctx.Err()
}

// spoken reports whether somebody says that there are things of a kind.
func spoken(k account.Kind, accounts []account.Account) bool {
	for _, a := range accounts {
		if len(a[k]) > 0 {
			return true
		}
	}
	return false
}

// restricted reports whether the cgroup takes something of a kind away.
func (m *machine) restricted(k account.Kind) bool { return !account.Same(m.said[k], m.full[k]) }

// cgroupWords say what the cgroup leaves.
func (m *machine) cgroupWords() string {
	if m.ours.Allowed.Equal(m.ours.Online) {
		return "knows no cgroup, which leaves out NUMA nodes here"
	}
	return fmt.Sprintf("knows no cgroup, which leaves %s of %v here", pus(m.ours.Allowed), m.ours.Online)
}

// singles are the things of a set of PUs.
func singles(s hw.Set) []account.Thing {
	list := []account.Thing{}
	for pu := s.First(); pu >= 0; pu = s.Next(pu + 1) {
		list = append(list, account.Thing{OSIndex: pu, CPUSet: hw.SetOf(pu)})
	}
	return list
}
