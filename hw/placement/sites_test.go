package placement_test

import (
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
)

// The settings of a site are written in the form in which they are read.
func TestSlurmSettings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "socket=package dist=block:cyclic",
		"reserve=8 socket=l3cache threads=1":   "socket=l3cache threads=1 reserve=8 dist=block:cyclic",
		"DIST=cyclic:fcyclic socket=numa":      "socket=numa dist=cyclic:fcyclic",
		"dist=block:block threads=2 threads=4": "socket=package threads=4 dist=block:block",
	} {
		s, err := hw.ParseSlurm(text)
		if err != nil || s.String() != want {
			t.Errorf("%q: %v, %v", text, s, err)
			continue
		}
		if again, err := hw.ParseSlurm(s.String()); err != nil || again.String() != want {
			t.Errorf("%q again: %v, %v", text, again, err)
		}
	}
	for _, text := range []string{"socket=core", "threads=0", "threads", "dist=plane=2", "dist=block:", "select=cons_tres"} {
		if s, err := hw.ParseSlurm(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}
