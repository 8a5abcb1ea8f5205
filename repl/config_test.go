package repl

import (
	"errors"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/placement"
)

// A person who begins on a machine of fewer than four cores gets Figure 7.3, with its twelve ranks, and is told so.
// Whoever asks for a world, also later, gets that world, and a program gets the machine.
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

// A configuration with ranks, hardware, a placement or process sets asks for a world; a version of the standard does
// not.
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

// A world that is too large for the session's memory is refused before it is made, and the error has both sizes.
func TestWorldFitsMemory(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n      int
		memory uint64
		want   string
	}{
		{1 << 18, 1 << 30, ""},
		{4_000_000, 4 << 30, "a world of 4000000 ranks takes about 12 GB, and the session may have 4.0 GB: --max-memory says how much"},
		{16777216, 16 << 30, "a world of 16777216 ranks takes about 52 GB, and the session may have 16 GB: --max-memory says how much"},
	} {
		_, err := Config{Size: tt.n, Topo: "core:4", Memory: tt.memory}.resolve(t.Context())
		var limit *Limit
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%d ranks in %d bytes: %v", tt.n, tt.memory, err)
		case tt.want != "" && (!errors.As(err, &limit) || limit.Message != tt.want):
			t.Errorf("%d ranks in %d bytes: %v, not %q", tt.n, tt.memory, err, tt.want)
		}
	}
}
