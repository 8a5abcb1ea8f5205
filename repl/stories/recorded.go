package stories

import (
	"path/filepath"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/recording"
)

// NewRecorded returns a script that makes the calls of a recording again, each with its call site in the recorded
// program.
func NewRecorded(r *recording.Recording) *Script {
	lines, notes := r.Script()
	var b strings.Builder
	b.WriteString("# " + r.About() + "\n")
	for _, note := range notes {
		b.WriteString("# " + note + "\n")
	}
	for _, l := range lines {
		for i, text := range strings.Split(l.Text, "\n") {
			if i < len(l.Places) && l.Places[i] != (engine.Site{}) {
				indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
				b.WriteString(indent + placeMark + l.Places[i].String() + "\n")
			}
			b.WriteString(text + "\n")
		}
	}
	s := NewScript(filepath.Base(r.Path), b.String())
	s.Path, s.Recording, s.Flags, s.Timeline = r.Path, r, r.Flags(), r.Timeline()
	return s
}

// World returns cfg with the ranks of the recorded run, and its hardware if the recording has it.
func (s *Script) World(cfg repl.Config) repl.Config {
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
