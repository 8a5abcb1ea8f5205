package job

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
	"codeberg.org/commsplit/commsplit/hw/sysfs"
)

// machine is a topology of the archive as the ranks of some hosts used it.
type machine struct {
	root    *hw.Object
	notes   []string
	objects int
}

// job gives the hosts their machines and the ranks their bindings.
func (l *listed) job(archive fs.FS) (*Job, error) {
	j := &Job{}
	read := map[string]*machine{}
	told := notes{hosts: map[string][]string{}}
	pus, objects := 0, 0
	for _, h := range l.hosts {
		key := h.topology + "\t" + h.used.String()
		m := read[key]
		if m == nil {
			var err error
			if m, err = readMachine(archive, h.topology, h.used); err != nil {
				return nil, fmt.Errorf("%s:%d: host %s: %s: %w", listFile, h.line, h.name, hw.Clip(h.topology), err)
			}
			read[key] = m
		}
		pus, objects = pus+m.root.CPUSet.Len(), objects+m.objects
		if pus > synthetic.MaxPUs || objects > synthetic.MaxObjects {
			return nil, fmt.Errorf("%s:%d: more than %d PUs or %d objects in all", listFile, h.line,
				synthetic.MaxPUs, synthetic.MaxObjects)
		}
		root := m.root.Copy()
		root.Name = h.name
		j.Hosts = append(j.Hosts, root)
		told.add(h.name, m.notes)
	}
	j.Notes = told.lines(len(l.hosts))
	return j, l.bind(j)
}

// readMachine reads a topology of the archive. The PUs in used belong to the machine even where the topology
// does not allow them.
func readMachine(archive fs.FS, path string, used hw.Set) (*machine, error) {
	m := &machine{}
	switch {
	case !fs.ValidPath(path):
		return nil, errors.New("it is not a path in the archive")
	case strings.HasSuffix(path, ".xml"):
		text, err := fs.ReadFile(archive, path)
		if err != nil {
			return nil, lost(err)
		}
		t, err := hwlocxml.ReadUsed(bytes.NewReader(text), used)
		if err != nil {
			return nil, err
		}
		m.root, m.notes = t.Root, t.Notes
	default:
		root, err := folder(archive, path)
		if err != nil {
			return nil, lost(err)
		}
		s, err := sysfs.ReadUsed(root, used)
		if err != nil {
			return nil, err
		}
		m.root, m.notes = s.Root, s.Notes
	}
	for range m.root.All() {
		m.objects++
	}
	return m, nil
}

// folder returns the files of a machine: those below a folder of the archive, or those that a file of it lists.
func folder(archive fs.FS, path string) (fs.FS, error) {
	if !strings.HasSuffix(path, ".files") {
		return fs.Sub(archive, path)
	}
	list, err := fs.ReadFile(archive, path)
	if err != nil {
		return nil, err
	}
	return fsroot.Listed(list, limits)
}

// lost translates an error for a topology that the archive lacks.
func lost(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("it is not in the archive")
	}
	return sysfs.Cause(err)
}

// bind gives the ranks their bindings. Ranks with the same host and PUs share a binding.
func (l *listed) bind(j *Job) error {
	shared := hw.Bindings{}
	for i, r := range l.ranks {
		if err := j.Hosts[r.host].CheckPUs(r.pus); err != nil {
			return fmt.Errorf("%s:%d: rank %d: %w", listFile, r.line, i, err)
		}
		j.Ranks = append(j.Ranks, shared.Of(r.host, r.pus))
	}
	return nil
}

// notes are the notes of topologies, each with the hosts that have the topology.
type notes struct {
	order []string
	hosts map[string][]string
}

func (n *notes) add(host string, texts []string) {
	for _, text := range texts {
		if n.hosts[text] == nil {
			n.order = append(n.order, text)
		}
		n.hosts[text] = append(n.hosts[text], host)
	}
}

// lines returns the notes, each with its host, and of many hosts only the first; without hosts if there is
// only one host in all.
func (n *notes) lines(all int) []string {
	var list []string
	for _, text := range n.order {
		switch hosts := n.hosts[text]; {
		case all > 1 && len(hosts) > 1:
			text = fmt.Sprintf("%s and %d more: %s", hosts[0], len(hosts)-1, text)
		case all > 1:
			text = hosts[0] + ": " + text
		}
		list = append(list, text)
	}
	return list
}
