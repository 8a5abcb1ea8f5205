package cmd_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// below is a text without its first line break, for expectations.
func below(text string) string { return strings.TrimPrefix(text, "\n") }

// What is left out of a tree, and by which numbers it is told, worked by hand.
func TestHWShow(t *testing.T) {
	t.Parallel()
	const machine = "pack:2 [numa(memory=16GB)] l3:1(size=32MiB) core:2 pu:2(indexes=2*4:4*1)"
	for _, c := range []struct {
		args, out string
	}{
		{"--only core", "Core L#0\nCore L#1\nCore L#2\nCore L#3\n"},
		{"--only pu --restrict 1,5", "PU L#0 (P#1)\nPU L#1 (P#5)\n"},
		{"--only pu --physical", "PU P#0\nPU P#4\nPU P#1\nPU P#5\nPU P#2\nPU P#6\nPU P#3\nPU P#7\n"},
		{"--only l3", "L3 L#0 (32MB)\nL3 L#1 (32MB)\n"},
		{"--restrict core:3 --no-caches", below(`
Machine (30GB total)
  Package L#0
    NUMANode L#0 (P#0 15GB)
  Package L#1
    NUMANode L#1 (P#1 15GB)
    Core L#0
      PU L#0 (P#3)
      PU L#1 (P#7)
`)},
		{"--physical --restrict 0x11 --filter l3", below(`
Machine (30GB total)
  Package P#0
    NUMANode P#0 (15GB)
    Core P#0
      PU P#0
      PU P#4
  Package P#1
    NUMANode P#1 (15GB)
`)},
		{"--filter pu --filter cache:structure", below(`
Machine (30GB total)
  Package L#0
    NUMANode L#0 (P#0 15GB)
    Core L#0
    Core L#1
  Package L#1
    NUMANode L#1 (P#1 15GB)
    Core L#2
    Core L#3
`)},
		{"--filter cache --filter l3:all --only l3", "L3 L#0 (32MB)\nL3 L#1 (32MB)\n"},
		{"-n 4 --of 1 --only pu", "PU L#0 (P#1)\nPU L#1 (P#5)\n"},
		{"-n 4 --map-by package --of 1 --only pu", "PU L#0 (P#2)\nPU L#1 (P#6)\n"},
	} {
		r := run(t, "", append([]string{"hw", "show", "--topo", machine}, strings.Fields(c.args)...)...)
		if diff := cmp.Diff(c.out, r.out); r.code != cmd.OK || diff != "" {
			t.Errorf("%s: code %d, %s (-want +got):\n%s", c.args, r.code, r.err, diff)
		}
	}
	for args, want := range map[string]string{
		"--only coer": "did you mean core?", "--only l2": "the machine has no l2", "--only core -o json": "leave out -o json",
		"--filter caches": "did you mean cache?", "--filter core:most": "it must be none, structure or all", "--filter machine": "machines stay",
		"--restrict 9": "has none of PUs 9: it has 0-7", "--restrict core:9": "there is no core:9", "--of 9": "there is no such rank: there are 4 ranks",
		"--of -1": "numbered from 0", "--map-by package": "add --of RANK", "-n 2": "add --of RANK",
	} {
		r := run(t, "", append([]string{"hw", "show", "--topo", machine}, strings.Fields(args)...)...)
		if r.code != cmd.Usage || !strings.Contains(r.err, want) {
			t.Errorf("%s: code %d, %s; want %q", args, r.code, r.err, want)
		}
	}
}

// A core has its kind where a machine has several, and with --full there is what this process may not use: cores 0 and 2
// of three, and of hwloc's recording of a cpuset NUMA nodes without their PUs and PUs without their nodes.
func TestHWShowWhole(t *testing.T) {
	t.Parallel()
	const machine = "pack:1 {core:1(kind=Big efficiency=1) pu:2 ; core:2(kind=Small efficiency=0) pu:1} disallow=0,3"
	for args, want := range map[string]string{
		"": below(`
Machine (1024MB total) + Package L#0
  NUMANode L#0 (P#0 1024MB)
  Core L#0 (Big) + PU L#0 (P#1)
  Core L#1 (Small) + PU L#1 (P#2)
kind 0 (Small): PUs 2
kind 1 (Big): PUs 1
note: disallowed: PUs 0,3
`),
		"--full": below(`
Machine (1024MB total) + Package L#0
  NUMANode L#0 (P#0 1024MB)
  Core L#0 (Big)
    PU L#0 (P#0) not allowed
    PU L#1 (P#1)
  Core L#1 (Small) + PU L#2 (P#2)
  Core L#2 (Small) + PU L#3 (P#3) not allowed
kind 0 (Small): PUs 2-3
kind 1 (Big): PUs 0-1
note: disallowed: PUs 0,3
`),
		"--full --only pu": "PU L#0 (P#0)\nPU L#1 (P#1)\nPU L#2 (P#2)\nPU L#3 (P#3)\n",
	} {
		r := run(t, "", append([]string{"hw", "show", "--topo", machine}, strings.Fields(args)...)...)
		if diff := cmp.Diff(want, r.out); r.code != cmd.OK || diff != "" {
			t.Errorf("%s: code %d, %s (-want +got):\n%s", args, r.code, r.err, diff)
		}
	}
	r := run(t, "", "hw", "show", "--topo", "cn[1-2]=core:2 disallow=0", "--full")
	if !strings.Contains(r.out, "Machine L#0 cn1") || strings.Count(r.out, "not allowed") != 2 {
		t.Errorf("two machines: %s%s", r.out, r.err)
	}
	r = run(t, "", "hw", "show", "--topo", machine, "--full", "--color", "always", "--no-io")
	if !strings.Contains(r.out, "\x1b[2m") {
		t.Errorf("what is not allowed is not gray: %q", r.out)
	}
}

// Distances and memory attributes, as they stand in the file.
func TestHWShowFigures(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--distances": below(`
NUMALatency: relative latency between 2 NUMANodes:
     L#0  L#1
L#0   10   21
L#1   22   10

distances without a name: relative latency between 2 Packages:
     L#0  L#1
L#0    1    2
L#1    3    4

NVLinkBandwidth: relative bandwidth between 2 objects:
             nvml0  Package L#1
nvml0            9            8
Package L#1      7            6
`),
		"--distances --physical --filter package --filter io": below(`
NUMALatency: relative latency between 2 NUMANodes:
     P#0  P#1
P#0   10   21
P#1   22   10
`),
		"--memattrs": below(`
Bandwidth (more is better):
  NUMANode L#0 = 900 from PUs 0
  NUMANode L#1 = 300 from Core L#1
wear (less is better):
  NUMANode L#1 = 4
`),
	} {
		r := run(t, "", append([]string{"hw", "show", "--topo", "testdata/figures.xml"}, strings.Fields(args)...)...)
		if diff := cmp.Diff(want, r.out); r.code != cmd.OK || diff != "" {
			t.Errorf("%s: code %d, %s (-want +got):\n%s", args, r.code, r.err, diff)
		}
	}
	for _, flag := range []string{"--distances", "--memattrs"} {
		if r := run(t, "", "hw", "show", "--topo", "core:2", flag); r.code != cmd.OK || !strings.HasPrefix(r.out, "no ") {
			t.Errorf("%s of a machine without: code %d, %q %s", flag, r.code, r.out, r.err)
		}
		for _, other := range [][]string{{"-o", "json"}, {"--only", "core"}} {
			if r := run(t, "", append([]string{"hw", "show", "--topo", "core:2", flag}, other...)...); r.code != cmd.Usage {
				t.Errorf("%s %q: code %d", flag, other, r.code)
			}
		}
	}
}

// A topology that something is left out of stays whole for others: what is shown next has all.
func TestHWShowLeavesPresetsAlone(t *testing.T) {
	t.Parallel()
	whole := run(t, "", "hw", "show", "--topo", "laptop-hybrid").out
	if r := run(t, "", "hw", "show", "--topo", "laptop-hybrid", "--restrict", "0-1", "--filter", "all"); r.code != cmd.OK || r.out == whole {
		t.Errorf("code %d, %s%s", r.code, r.err, r.out)
	}
	if again := run(t, "", "hw", "show", "--topo", "laptop-hybrid").out; again != whole {
		t.Errorf("before:\n%s\nafter:\n%s", whole, again)
	}
}

// lstopo shows the same with the same flags.
func TestHWShowLstopo(t *testing.T) {
	t.Parallel()
	program := judge.Ask(t, "lstopo-no-graphics", "lstopo")
	for _, machine := range []string{
		"pack:2 [numa(memory=16GB)] l3:1(size=32MB) l2:2(size=1MB) core:2 pu:2",
		"numa:2(memory=16GB) pack:2 l2:2(size=1MB) l1d:1(size=32kB) l1i:1(size=32kB) core:2 pu:1",
		"pack:2 [numa(memory=16GB)] core:2(indexes=0,1,10,11) pu:2(indexes=2*4:4*1)",
		"group:2 pack:1 [numa(memory=16GB)] l3:1(size=32MB) core:1 pu:2",
	} {
		for _, flags := range []string{"", "--only core", "--only numa", "--only pu --physical", "--physical", "--restrict 0x3", "--restrict 0x3 --physical",
			"--restrict 0x5 --no-caches", "--filter l2:none", "--filter core:none", "--filter cache:none --filter core:none", "--filter cache:structure",
			"--filter all:structure", "--filter icache:none", "--filter pu:none", "--filter package:structure", "--filter cache:none --only core"} {
			args := strings.Fields(flags)
			out, err := exec.Command(program, append([]string{"-i", machine, "--no-io", "--of", "console"}, args...)...).Output()
			r := run(t, "", append([]string{"hw", "show", "--topo", machine, "--no-io", "--full"}, args...)...)
			if diff := cmp.Diff(string(out), r.out); err != nil || diff != "" {
				t.Errorf("%s %s: %v, %s (-lstopo +ours):\n%s", machine, flags, err, r.err, diff)
			}
		}
	}
}
