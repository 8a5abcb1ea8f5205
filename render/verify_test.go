package render

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/hw"
	"commsplit/hw/verify"
	"commsplit/hw/verify/account"
	"commsplit/hw/verify/rules"
)

// verified is a report with one of everything.
func verified() *verify.Report {
	core, pu := account.Of(hw.Core), account.Of(hw.PU)
	things := func(sets ...hw.Set) []account.Thing {
		list := []account.Thing{}
		for _, s := range sets {
			list = append(list, account.Thing{OSIndex: hw.Unknown, CPUSet: s})
		}
		return list
	}
	a, b, both := hw.SetOf(0), hw.SetOf(1), hw.SetOf(0, 1)
	agrees := verify.Verdict{State: verify.Agrees, Said: things(a, b), Count: 2}
	explained := verify.Verdict{State: verify.Explained, Said: things(both), Count: 1, Why: "merges all"}
	wrong := verify.Verdict{State: verify.Unexplained, Said: things(a), Count: 1, Why: "only sysfs has PU 1"}
	differs := verify.Verdict{State: verify.Differs, Said: things(both), Count: 1, Why: "only ghw has PUs 0-1"}
	type verdicts = map[account.Kind]verify.Verdict
	return &verify.Report{Machine: "this", Against: "sysfs", Kinds: []account.Kind{core, pu},
		Ours: account.Account{core: things(a, b), pu: things(a, b)},
		Witnesses: []verify.Witness{
			{Name: "one", Verdicts: verdicts{core: explained, pu: explained}},
			{Name: "two", Verdicts: verdicts{pu: wrong}, Notes: []string{"two remarks this"}},
			{Name: "three", State: verify.Failed, Why: "it broke"},
			{Name: "four", State: verify.Unable, Why: "there is no file"},
			{Name: "five", State: verify.Skipped, Why: "not installed"},
			{Name: "also", State: verify.Skipped, Why: "not installed"},
			{Name: "ghw.X", Plain: true, Verdicts: verdicts{core: differs}},
			{Name: "six", Usable: true, Verdicts: verdicts{pu: agrees}},
			{Name: "seven", Usable: true, Verdicts: verdicts{pu: {State: verify.Agrees, Count: 2}}},
		},
		Cgroup: "PU 0 of 0-1",
		Memory: []verify.Memory{{Witness: "ghw.Memory", Bytes: 3 << 29, Expected: 3 << 29, State: verify.Agrees},
			{Witness: "all", Bytes: 1 << 30, Expected: 3 << 30, State: verify.Unexplained}},
		Devices: []verify.Device{{Kind: "GPU", Name: "card0", BusID: "0000:c1:00.0", Node: 1, State: verify.Agrees},
			{Kind: "GPU", Name: "card1", Node: 0, State: verify.Differs, Why: "local to NUMA node 0, and ghw says NUMA node 1"},
			{Kind: "Block", Name: "vda", Node: hw.Unknown}},
		Rules: []rules.Rule{{Name: "well", Says: "all is well"}},
		Notes: []string{"offline: PU 2"},
		Pins:  []verify.Pinned{{PU: 0}, {PU: 1, Err: errors.New("runs elsewhere")}},
	}
}

// Findings come first, then witnesses. Every state has a sign of its own, also without color; a reason is told
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
    the cgroup leaves PU 0 of 0-1: hw show draws what is left
    what this process may use: ok by six, seven
    memory within 5 %: ok by ghw.Memory
~   card1: local to NUMA node 0, and ghw says NUMA node 1 (it decides nothing)
    1 device: ok by ghw
    1 device: ghw does not tell where
    a thread bound to PU 0 ran there: ok
*1  one, Core, PU: merges all
    two remarks this
?   three fails, so this evidence is missing: it broke
?   four cannot tell, so this evidence is missing: there is no file
    not asked: five, also (not installed)
    offline: PU 2

ok agrees  *N see there  ~ differs, decides nothing  ! finding  - says nothing
3 findings; 1 of 1 rules hold
`
	var b strings.Builder
	if err := Verify(&b, verified(), Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// faulty is a report of one wrong file, which breaks three rules.
func faulty() *verify.Report {
	r := verified()
	const map0, map1 = "sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_map", "sys/devices/system/cpu/cpu1/cache/index3/shared_cpu_map"
	r.Witnesses = r.Witnesses[3:]
	r.Memory, r.Devices, r.Pins, r.Cgroup = nil, nil, nil, ""
	r.Follows = "2 types differ because of it: L3Cache (we 3, lscpu 4), Core (we 41, cpuinfo 40)"
	breach := func(said ...rules.Said) rules.Breach { return rules.Breach{PU: 0, Said: said} }
	r.Rules = append(r.Rules,
		rules.Rule{Name: "sharing", Says: "all PUs that share a cache have it", Breaches: []rules.Breach{
			breach(rules.Said{File: map0, Value: "0"}, rules.Said{File: map1, Value: "0-19"})}},
		rules.Rule{Name: "covering", Says: "an outer cache covers the inner ones", Breaches: []rules.Breach{
			breach(rules.Said{File: map0, Value: "0"}, rules.Said{File: "sys/x/index0", Value: "0,40"})}},
		rules.Rule{Name: "files", Says: "each has it", Breaches: []rules.Breach{breach(rules.Said{File: "sys/y"}),
			breach(rules.Said{File: "sys/z"}), {PU: hw.Unknown, Said: []rules.Said{{File: "sys/w", Value: strings.Repeat("7", 200)}}}}})
	return r
}

// A broken rule is told with the file, the PU and the values that contradict each other, then what follows in
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
	if err := Verify(&b, faulty(), Style{Width: 80}); err != nil {
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
		if err := Verify(&b, verified(), Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := textWidth(strings.TrimSuffix(line, "\n")); n > width {
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

// The document is JSON, counts what is open, and has the sets of what each witness said.
func TestVerifyJSON(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := VerifyJSON(&b, verified()); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Version, Findings         int
		Machine, Against, Follows string
		Types                     []struct {
			Type, Subtype string
			Count         int
			Sets          []string
		}
		Witnesses []struct {
			Name, State string
			Why         *string
			Notes       []string
			Verdicts    []struct {
				Type, Verdict string
				Count         int
				Sets          []string
				Why           *string
			}
		}
		Memory []struct {
			Witness         string
			Bytes, Expected int
			Verdict         string
		}
		Devices []struct {
			Kind, Name        string
			Bus, Verdict, Why *string
			Node              *int
		}
		Rules []struct {
			Rule, Says string
			Broken     []struct {
				PU    *int
				Files []struct {
					File  string
					Value *string
				}
			}
		}
		Pins []struct {
			PU    int
			Error *string
		}
		Notes []string
	}
	if err := json.Unmarshal([]byte(b.String()), &d); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	one, three, seven := d.Witnesses[0], d.Witnesses[2], d.Witnesses[8]
	if d.Version != 2 || d.Findings != 3 || d.Machine != "this" || d.Against != "sysfs" || d.Types[0].Sets[1] != "1" ||
		one.State != "answered" || one.Verdicts[0].Verdict != "explained" || one.Verdicts[0].Sets[0] != "0-1" ||
		*one.Verdicts[0].Why != "merges all" || three.State != "failed" || *three.Why != "it broke" ||
		d.Witnesses[3].State != "unable" || d.Witnesses[6].Verdicts[0].Verdict != "differs" ||
		seven.Verdicts[0].Sets != nil || seven.Verdicts[0].Count != 2 || d.Memory[0].Bytes != 3<<29 ||
		*d.Devices[0].Bus != "0000:c1:00.0" || *d.Devices[0].Node != 1 || *d.Devices[1].Verdict != "differs" || d.Devices[0].Why != nil ||
		d.Devices[2].Kind != "Block" || d.Devices[2].Node != nil || d.Devices[2].Bus != nil || d.Devices[2].Verdict != nil ||
		d.Rules[0].Says != "all is well" || d.Pins[0].Error != nil || *d.Pins[1].Error != "runs elsewhere" ||
		d.Notes[0] != "offline: PU 2" {
		t.Errorf("%+v", d)
	}
	b.Reset()
	if err := VerifyJSON(&b, faulty()); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(b.String()), &d); err != nil {
		t.Fatal(err)
	}
	sharing, files := d.Rules[1].Broken[0], d.Rules[3].Broken
	if *sharing.PU != 0 || !strings.HasSuffix(sharing.Files[1].File, "cpu1/cache/index3/shared_cpu_map") || *sharing.Files[1].Value != "0-19" ||
		files[0].Files[0].Value != nil || files[2].PU != nil || !strings.HasPrefix(d.Follows, "2 types") {
		t.Errorf("%+v", d.Rules)
	}
}
