package source

import (
	"context"
	"errors"
	"testing"

	"commsplit/hw"
	"commsplit/hw/synthetic"
)

// A name is a preset, a description is read, and the topology keeps the text
// it was asked for by.
func TestLoad(t *testing.T) {
	t.Parallel()
	for text, pus := range map[string]int{
		"figure-7.3": 12, "pack:2 core:2 pu:2": 8, "2 3": 6, "[numa] 4": 4,
		" rack:2 machine:2 core:2": 8, "core:4": 4,
	} {
		top, err := Load(context.Background(), text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if n := len(top.Objects(hw.PU)); n != pus {
			t.Errorf("%q has %d PUs, want %d", text, n, pus)
		}
	}
}

// What cannot be loaded says why, and what may have been meant.
func TestLoadErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"fronteir", `hardware "fronteir" is unknown: did you mean frontier?`},
		{"machine.xml", `hardware "machine.xml": hwloc XML files cannot be read yet`},
		{"fsroot:/recording", `hardware "fsroot:/recording": ` +
			"recorded /proc and /sys trees cannot be read yet"},
		{"quark", `hardware "quark" is unknown: use this, a description such as "pack:2 core:4 pu:2", ` +
			"or a preset: figure-7.3, epyc-9654-nps4, frontier, perlmutter-cpu, xeon-snc2, fugaku, " +
			"gh200-quad, bluegene-q, raspberry-pi-4"},
	} {
		if _, err := Load(context.Background(), c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	var e *synthetic.Error
	if _, err := Load(context.Background(), "pack:2 foo:2"); !errors.As(err, &e) || e.Offset != 7 {
		t.Errorf("a bad description gives %v", err)
	}
}

// The empty text is this machine, whatever that has.
func TestLoadThis(t *testing.T) {
	t.Parallel()
	top, err := Load(context.Background(), "")
	if err != nil {
		t.Skipf("this machine cannot be read: %v", err)
	}
	if len(top.Hosts) != 1 || len(top.Objects(hw.PU)) == 0 {
		t.Errorf("%d hosts, %d PUs", len(top.Hosts), len(top.Objects(hw.PU)))
	}
}
