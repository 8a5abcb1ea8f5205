package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/render/internal/worlds"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Findings come first, then witnesses. Every state has a sign of its own, also without color; a reason stands
// once for all types, and who agrees is one line.
func TestVerify(t *testing.T) {
	t.Parallel()
	const want = `!   PU, two: only sysfs has PU 1
!   memory, all: 1.0 GiB, more than 5 % from the 3.0 GiB expected
!   PU 1: runs elsewhere

type  sysfs   one   two  ghw.X
Core      2  1 *1   -     1 ~
PU        2  1 *1  1 !     -

~   ghw differs in Core: it is shown, and decides nothing
    the cgroup allows PU 0 of 0-1: hw show draws the allowed part
    what this process may use: ok by six, seven
    memory within 5 %: ok by ghw.Memory
~   card1: local to NUMA node 0, and ghw says NUMA node 1 (it decides nothing)
    1 device: ok by ghw
    1 device: ghw does not tell the place
    a thread bound to PU 0 ran there: ok
*1  one, Core, PU: merges all
    two remarks this
?   three fails, so its evidence is missing: it broke
?   four cannot answer, so its evidence is missing: there is no file
    not asked: five, also (not installed)
    offline: PU 2

ok agrees  *N see there  ~ differs, decides nothing  ! finding  - says nothing
3 findings; 1 of 1 rules hold
`
	var b strings.Builder
	if err := Verify(&b, worlds.Verified(), Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// A broken rule is reported with the file, the PU and the values that contradict each other, then what follows in
// one sentence. A rule that the same file breaks is named only.
func TestVerifyFault(t *testing.T) {
	t.Parallel()
	const want = `!   all PUs that share a cache have it [sharing]
    /sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_map, PU 0: 0
    /sys/devices/system/cpu/cpu1/cache/index3/shared_cpu_map: 0-19
!   each has it [files]
    /sys/y, PU 0: not there
    /sys/z, PU 0: not there
    and 1 place more like this
    the same files also break: covering
so: 2 types differ because of it: L3Cache (we 3, lscpu 4), Core (we 41, cpuinfo
    40)

`
	var b strings.Builder
	if err := Verify(&b, worlds.Faulty(), Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "\n3 findings; 1 of 4 rules hold\n") {
		t.Error(cmp.Diff(want, got))
	}
}

// Whatever the width, no line is wider, and no witness is lost.
func TestVerifyNarrow(t *testing.T) {
	t.Parallel()
	for width := 40; width < 80; width++ {
		var b strings.Builder
		if err := Verify(&b, worlds.Verified(), Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := paint.Width(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("width %d: %d columns: %q", width, n, line)
			}
		}
		for _, name := range []string{"1 *1", "1 !", "1 ~", "seven"} {
			if !strings.Contains(b.String(), name) {
				t.Errorf("width %d: no %q", width, name)
			}
		}
	}
}
