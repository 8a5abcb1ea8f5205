package repl

import (
	"strings"
	"testing"

	"commsplit/hw/placement"
)

// A person who begins on a machine of fewer than four cores sees Figure 7.3, with its twelve ranks, and is told so.
// A world that was asked for is what was asked for, also when it comes after that, and a program gets the machine.
func TestStartOnFewCores(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cfg        Config
		topo, note string
		size       int
	}{
		{Config{Topo: "core:1", Start: true}, "figure-7.3", "only 1 core here: this is Figure 7.3; --topo this takes this machine", 12},
		{Config{Topo: "core:3 pu:2", Start: true}, "figure-7.3", "only 3 cores here: this is Figure 7.3; --topo this takes this machine", 12},
		{Config{Topo: "core:4", Start: true}, "core:4", "", 4},
		{Config{Topo: "core:2"}, "core:2", "", 2},
	} {
		s, err := Open(t.Context(), tt.cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		if notes := strings.Join(s.Notes(), " | "); s.Config().Topo != tt.topo || s.Size() != tt.size || notes != tt.note {
			t.Errorf("%+v: %d ranks on %s, %q", tt.cfg, s.Size(), s.Config().Topo, notes)
		}
		next := s.Config()
		if next.Topo = "core:2"; s.Restart(t.Context(), next) != nil || s.Size() != 2 || len(s.Notes()) > 0 {
			t.Errorf("%+v: then --topo core:2 is %d ranks, %q", tt.cfg, s.Size(), s.Notes())
		}
	}
}

// Who names ranks, hardware, a placement or process sets has asked for a world; a version of the standard is part of
// any.
func TestUnasked(t *testing.T) {
	t.Parallel()
	for _, c := range []Config{{}, {Std: "3.1", Contexts: 64, Memory: 1 << 30}} {
		if !c.Unasked() {
			t.Errorf("%+v counts as asked for", c)
		}
	}
	for _, c := range []Config{{Size: 2}, {Topo: "this"}, {Policy: placement.Policy{BindTo: "none"}}, {Psets: []string{"app://a=0"}}} {
		if c.Unasked() {
			t.Errorf("%+v counts as not asked for", c)
		}
	}
}

// A world that the machine cannot hold is refused with both sizes; one that fits, or whose machine
// nobody knows, is not.
func TestWorldFitsMemory(t *testing.T) {
	t.Parallel()
	const gb = 1 << 30
	for _, tt := range []struct {
		n     int
		total uint64
		want  string
	}{
		{1 << 20, 16 * gb, ""},
		{16 << 20, 0, ""},
		{16 << 20, 16 * gb, "-n 16777216: a world of that size takes about 96 GB, and this machine has 16 GB"},
	} {
		err := fits(tt.n, tt.total)
		if got := ""; err != nil {
			if got = err.Error(); !strings.Contains(got, tt.want) || tt.want == "" {
				t.Errorf("%d ranks in %d bytes: %q, want %q", tt.n, tt.total, got, tt.want)
			}
		} else if tt.want != "" {
			t.Errorf("%d ranks in %d bytes: no error, want %q", tt.n, tt.total, tt.want)
		}
	}
}
