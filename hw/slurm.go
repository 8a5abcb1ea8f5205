package hw

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Slurm is the settings of a site's Slurm that affect where srun puts tasks. The zero value is Slurm's own
// defaults.
type Slurm struct {
	Socket  Type   // what counts as a socket: Package, L3Cache or NUMANode (SlurmdParameters); 0 is Package
	Threads int    // PUs of a core that tasks get unless they ask for more; 0: all
	Nodes   string // distribution over hosts: block or cyclic; "" is block
	Within  string // over the sockets of a host: block, cyclic or fcyclic; "" is cyclic

	Reserved int // cores of each host that the system keeps, the first of each socket in turn; 0: none
}

// slurmSockets are the words for the types that may count as a socket.
var slurmSockets = []struct {
	word string
	typ  Type
}{{"package", Package}, {"l3cache", L3Cache}, {"numa", NUMANode}}

// SlurmHelp describes what ParseSlurm reads.
const SlurmHelp = "socket=package, l3cache or numa, threads=N (PUs of a core that tasks get), " +
	"reserve=N (cores of each host that the system keeps), dist=block or cyclic, then :block, :cyclic or :fcyclic"

// ParseSlurm reads settings such as "socket=l3cache threads=1 dist=block:block".
func ParseSlurm(text string) (*Slurm, error) {
	s := &Slurm{}
	for _, word := range strings.Fields(strings.ToLower(text)) {
		key, value, _ := strings.Cut(word, "=")
		if err := s.set(key, value); err != nil {
			return nil, fmt.Errorf("slurm(%s): %q: %w", text, word, err)
		}
	}
	return s, nil
}

func (s *Slurm) set(key, value string) error {
	wrong := fmt.Errorf("want %s", SlurmHelp)
	switch key {
	case "socket":
		for _, k := range slurmSockets {
			if k.word == value {
				s.Socket = k.typ
				return nil
			}
		}
		return wrong
	case "threads", "reserve":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > MaxIndex {
			return wrong
		}
		if key == "threads" {
			s.Threads = n
		} else {
			s.Reserved = n
		}
	case "dist":
		nodes, within, both := strings.Cut(value, ":")
		if !slices.Contains([]string{"block", "cyclic"}, nodes) ||
			both && !slices.Contains([]string{"block", "cyclic", "fcyclic"}, within) {
			return wrong
		}
		s.Nodes, s.Within = nodes, within
	default:
		return wrong
	}
	return nil
}

// String writes all settings as ParseSlurm reads them: "socket=l3cache threads=1 dist=block:cyclic".
func (s *Slurm) String() string {
	var words []string
	for _, k := range slurmSockets {
		if k.typ == s.SocketType() {
			words = append(words, "socket="+k.word)
		}
	}
	if s.Threads > 0 {
		words = append(words, "threads="+strconv.Itoa(s.Threads))
	}
	if s.Reserved > 0 {
		words = append(words, "reserve="+strconv.Itoa(s.Reserved))
	}
	nodes, within := s.Distribution()
	return strings.Join(append(words, "dist="+nodes+":"+within), " ")
}

// SocketType returns the type of the objects that count as sockets.
func (s *Slurm) SocketType() Type {
	if s.Socket == 0 {
		return Package
	}
	return s.Socket
}

// Distribution returns the site's distribution of tasks over hosts and over the sockets of a host, which flags of
// srun may replace.
func (s *Slurm) Distribution() (nodes, within string) {
	nodes, within = "block", "cyclic"
	if s.Nodes != "" {
		nodes = s.Nodes
	}
	if s.Within != "" {
		within = s.Within
	}
	return nodes, within
}
