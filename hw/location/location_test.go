package location_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/location"
	"codeberg.org/commsplit/commsplit/hw/source"
)

func places(t *testing.T, spec string, physical bool) *location.Places {
	t.Helper()
	m, err := source.Load(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return &location.Places{Machine: m, Physical: physical}
}

// square has 2 packages of 2 cores of 2 PUs, numbered as servers number them: core 0 has PUs 0 and 4, core 3 has 3 and 7.
// Its cores have the numbers 0 and 1 in each package.
const square = "pack:2 [numa(memory=1GiB)] [numa(memory=1GiB subtype=HBM)] l3:1 core:2(indexes=0,1,10,11) pu:2(indexes=2*4:4*1)"

// What hwloc(7) says of places, worked by hand.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ places, want string }{
		{"all", "0-7"}, {"root", "0-7"}, {"machine:0", "0-7"},
		{"core:0", "0,4"}, {"core:1-2", "1-2,5-6"}, {"core:1-", "1-3,5-7"}, {"core:3:2", "0,3-4,7"}, {"core:0,3", "0,3-4,7"},
		{"core:odd", "1,3,5,7"}, {"core:even", "0,2,4,6"}, {"core:all", "0-7"},
		{"pu:1", "4"}, {"pu:2-3", "1,5"}, {"l3:1", "2-3,6-7"}, {"pack:1", "2-3,6-7"}, {"socket:0", "0-1,4-5"},
		{"package:1.core:0", "2,6"}, {"package:0-1.core:1", "1,3,5,7"}, {"package:all.core:0.pu:1", "4,6"}, {"PACKAGE:0", "0-1,4-5"},
		{"numa:0", "0-1,4-5"}, {"numa[HBM]:1", "2-3,6-7"}, {"package:1.numa[hbm]:0", "2-3,6-7"},
		{"0x3", "0-1"}, {"0xffff", "0-7"}, {"0x00000000,0x00000011", "0,4"}, {"0x000000000000000081", "0,7"},
		{"core:0 core:1", "0-1,4-5"}, {"all ~core:0", "1-3,5-7"}, {"all xpack:0", "0-1,4-5"}, {"core:0-1 ^core:1-2", "0,2,4,6"},
		{"pack:1 ~pu:odd", "2-3"},
	} {
		got, err := places(t, square, false).Find(strings.Fields(c.places))
		if err != nil || got.String() != c.want {
			t.Errorf("%s: %v, %v; want %s", c.places, got, err, c.want)
		}
	}
}

// By the kernel's numbers.
func TestPhysicalPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ places, want string }{
		{"pu:4", "4"}, {"pu:4-5", "4-5"}, {"core:10", "2,6"}, {"package:1.core:11", "3,7"}, {"core:1-10", "1-2,5-6"}, {"core:odd", "1,3,5,7"},
	} {
		got, err := places(t, square, true).Find(strings.Fields(c.places))
		if err != nil || got.String() != c.want {
			t.Errorf("%s: %v, %v; want %s", c.places, got, err, c.want)
		}
	}
}

// A wrong place is named, with what would be right.
func TestWrongPlaces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"coer:1":           "did you mean core?",
		"pakage:0":         "did you mean package?",
		"core":             "core wants a number: core:0, core:0-3 or core:all",
		"core:9":           "there is no core:9: there is core:0-3",
		"core:2-4":         "there is no core:2-4",
		"package:1.core:2": "there is no core:2 in package:1: there is core:0-1",
		"core:3-1":         "3-1 runs backwards",
		"core:x":           "want a number: N, N-M, N-, N:COUNT, all, odd or even",
		"core:0:0":         "want a number",
		"core:":            "want a number",
		"core:1:9":         "there is no core:1:9",
		"l2:0":             "the machine has no l2: it has machine, package, l3cache, core, pu, numanode",
		"numa[MCDRAM]:0":   "the machine has no numa[MCDRAM]",
		"core:0.numa:0":    "there is no numa:0 in core:0: it has none",
		"3":                "write pu:3, or PUs as a set",
		"0xg":              "is not a hexadecimal group",
		"":                 "is not a place: want TYPE:NUMBER",
		"os=eth0":          "there is no device eth0: the hardware has no devices",
	} {
		_, err := places(t, square, false).Find([]string{text})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := places(t, "core:2", true).Find([]string{"machine:7"}); err == nil {
		t.Error("machine:7 by the kernel's number: no error")
	}
}

// On Frontier, each GPU is near to one L3 region, as its guide draws it: GPU 0 has cores 48 to 55, GPU 4 cores 0 to 7.
func TestNearDevices(t *testing.T) {
	t.Parallel()
	p := places(t, "frontier", false)
	for name, want := range map[string]string{
		"rsmi0": "48-55,112-119", "gpu0": "48-55,112-119", "gpu4": "0-7,64-71", "GPU4": "0-7,64-71", "gpu": "0-127",
		"c1:00.0": "48-55,112-119", "0000:c1:00.0": "48-55,112-119", "hsn0": "48-63,112-127",
	} {
		if got, err := p.Near(name); err != nil || got.String() != want {
			t.Errorf("%s: %v, %v; want %s", name, got, err, want)
		}
	}
	for name, want := range map[string]string{"rsmi9": "did you mean rsmi", "gpu9": "there is no device gpu9", "rsim0": "did you mean rsmi0?", "00.0": "no device"} {
		if _, err := p.Near(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
