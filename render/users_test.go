package render_test

import (
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/render"
)

// An object is described with its PUs, unless it is a PU, whose name says its number.
func TestObjectTellsItsPUs(t *testing.T) {
	t.Parallel()
	topo, err := source.Load(t.Context(), "pack:2 core:2 pu:2")
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[hw.Type]string{hw.Package: ", PUs 0-3", hw.Core: ", PUs 0-1", hw.PU: ""} {
		if got := render.Object(topo, topo.Objects(kind)[0], nil, nil, 80).Also; got != want {
			t.Errorf("%v: %q, want %q", kind, got, want)
		}
	}
}
