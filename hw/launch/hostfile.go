package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

var errTwice = errors.New("the hosts are given twice: leave out the file or the list")

// hostfile reads the hosts of a file, which has a host in each line. line reads a line, without its comment; 0 slots are
// those that the launcher gives to a host by itself.
func (l *Line) hostfile(path string, line func(text string) (name string, slots int, err error)) error {
	if l.Names != nil {
		return errTwice
	}
	text, err := wholefile.Read(path)
	if err != nil {
		return err
	}
	if !utf8.Valid(text) {
		return &fs.PathError{Op: "read", Path: path, Err: errors.New("this is not text")}
	}
	k := 0
	for row := range strings.Lines(string(text)) {
		k++
		row, _, _ = strings.Cut(row, "#")
		if strings.TrimSpace(row) == "" {
			continue
		}
		name, slots, err := line(row)
		if err == nil && (name == "" || strings.ContainsAny(name, ":^+,[]=")) {
			err = fmt.Errorf("want the name of a host, not %q", name)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", k, err)
		}
		l.host(name, slots)
	}
	if l.filed = true; l.Names == nil {
		return errors.New("the file names no host")
	}
	return nil
}

// host adds slots of a machine.
func (l *Line) host(name string, slots int) {
	i := slices.Index(l.Names, name)
	if i < 0 {
		i = len(l.Names)
		l.Names, l.slots = append(l.Names, name), append(l.slots, 0)
	}
	l.slots[i] += slots
	l.Machines = len(l.Names)
}

// openMPIHosts reads a file of Open MPI, in which a host has one line with slots=N, or a line for each slot.
func (l *Line) openMPIHosts(path string) error {
	stated := map[string]bool{} // by host
	return l.hostfile(path, func(text string) (string, int, error) {
		name, slots, err := l.openMPIHost(text)
		i := slices.Index(l.Names, name)
		if err == nil && i >= 0 && (slots > 0 || stated[name]) {
			err = fmt.Errorf("%s stands in two lines: write all its slots in one, as in slots=4", name)
		}
		stated[name] = slots > 0
		if i >= 0 { // the line before was one slot, too
			slots = max(1, 2-l.slots[i])
		}
		return name, slots, err
	})
}

// setting matches slots=4, also with blanks, in a line of Open MPI's file.
var setting = regexp.MustCompile(`^\s+(\w[\w-]*)\s*=\s*(\S+)`)

// openMPIHost reads "[user@]name slots=4 max_slots=8".
func (l *Line) openMPIHost(text string) (name string, slots int, err error) {
	name = strings.Fields(text)[0]
	rest := strings.TrimRight(strings.TrimPrefix(strings.TrimLeft(text, " \t"), name), " \t\r\n")
	name = name[strings.LastIndex(name, "@")+1:]
	if bare, n, counted := strings.Cut(name, ":"); counted {
		return "", 0, &Unknown{fmt.Sprintf("%s:%s is Hydra's spelling: write %s slots=%s", bare, n, bare, n)}
	}
	for rest != "" {
		m := setting.FindStringSubmatch(rest)
		if m == nil {
			return "", 0, fmt.Errorf("%q: want slots=N behind the name of the host", strings.TrimSpace(rest))
		}
		n, err := count(m[2])
		switch {
		case err != nil:
			return "", 0, fmt.Errorf("%s: %w", strings.TrimSpace(m[0]), err)
		case m[1] == "slots" || m[1] == "slot":
			slots = n
		case m[1] == "max_slots" || m[1] == "max-slots":
			l.capped = true
		default:
			return "", 0, fmt.Errorf("%q: want slots=N behind the name of the host", strings.TrimSpace(m[0]))
		}
		rest = rest[len(m[0]):]
	}
	return name, slots, nil
}

// hydraHost reads "name:4 user=somebody"; a name alone is one process.
func hydraHost(text string) (name string, slots int, err error) {
	words := strings.Fields(text)
	name, n, counted := strings.Cut(words[0], ":")
	if slots = 1; counted {
		if slots, err = count(n); err != nil {
			return "", 0, fmt.Errorf("%s: %w", words[0], err)
		}
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "user=") {
			return "", 0, fmt.Errorf("%q: want %s:N, the number of processes behind a colon", w, name)
		}
	}
	return name, slots, nil
}

// ownSlots gives the hosts whose slots the file does not tell their cores, or their hardware threads.
func (l *Line) ownSlots(t *hw.Topology, threads bool) []int {
	list := slices.Clone(l.slots)
	r := slotsOf(t, threads)
	for i, n := range list {
		if n > 0 || i >= len(t.Hosts) {
			continue
		}
		for _, o := range r.Instances {
			if o.Host() == t.Hosts[i] {
				list[i]++
			}
		}
	}
	return list
}
