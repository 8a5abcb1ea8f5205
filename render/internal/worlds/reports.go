package worlds

import (
	"errors"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/verify"
	"codeberg.org/commsplit/commsplit/hw/verify/account"
	"codeberg.org/commsplit/commsplit/hw/verify/rules"
)

// OfMPICH returns a report with three notes, two of them about the same deviation.
func OfMPICH() *deviation.Report {
	return &deviation.Report{Library: deviation.MPICH, Notes: []deviation.Note{
		{Deviation: "a", Step: 1, Call: engine.CallSplit, Where: "demo.py:7", Ranks: engine.RanksOf(0, 1),
			Text: "another \"result\"", Rule: "why it is so", Source: "MPICH 4.2"},
		{Deviation: "a", Step: 2, Call: engine.CallDup, Ranks: engine.RanksOf(1), Text: "the same again",
			Rule: "why it is so", Source: "MPICH 4.2"},
		{Deviation: "b", Step: 2, Where: "demo.py:9", Ranks: engine.RanksOf(0), Text: "hangs",
			Rule: "a rule that is a good deal longer than a line of a page that has forty columns", Source: "all"},
	}}
}

// Verified returns a report with an example of every verdict and state.
func Verified() *verify.Report {
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

// Faulty returns a report with a wrong file that breaks three rules.
func Faulty() *verify.Report {
	r := Verified()
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
