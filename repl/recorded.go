package repl

import (
	"path/filepath"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/hw/placement"
	"commsplit/repl/recording"
)

// NewRecorded is the script that makes the calls of a recording again, each at the place where the recorded program
// made it.
func NewRecorded(r *recording.Recording) *Script {
	lines, notes := r.Script()
	s := &Script{Name: filepath.Base(r.Path), Path: r.Path, Recording: r, Flags: r.Flags(), places: map[int][]engine.Site{}}
	var b strings.Builder
	b.WriteString("# " + r.About() + "\n")
	n := 2
	for _, note := range notes {
		b.WriteString("# " + note + "\n")
		n++
	}
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
		s.places[n] = l.Places
		n += strings.Count(l.Text, "\n") + 1
	}
	s.Text = b.String()
	return s
}

// world is the configuration of a world in which the script of a recording makes sense: the ranks and the hardware of
// the run.
func (s *Script) world(cfg Config) Config {
	r := s.Recording
	cfg.Size = len(r.Processes)
	if r.Hosts {
		cfg.Topo, cfg.Policy = r.Topo(), placement.Policy{}
	}
	return cfg
}

// RecordingsHere lists the archives in the present folder.
func RecordingsHere() []string {
	list, err := filepath.Glob("*.tar")
	if err != nil {
		panic(err) // the pattern is well-formed
	}
	return slices.DeleteFunc(list, func(name string) bool { return !recording.Is(name) })
}
