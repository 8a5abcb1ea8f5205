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
	explained := verify.Verdict{State: verify.Explained, Said: things(both), Count: 1, Why: []string{"merges all"}}
	wrong := verify.Verdict{State: verify.Unexplained, Said: things(a), Count: 1, Why: []string{"lacks: PU 1"}}
	type verdicts = map[account.Kind]verify.Verdict
	return &verify.Report{Machine: "this", Kinds: []account.Kind{core, pu},
		Ours: account.Account{core: things(a, b), pu: things(a, b)},
		Witnesses: []verify.Witness{
			{Name: "one", Verdicts: verdicts{core: explained, pu: explained}},
			{Name: "two", Verdicts: verdicts{pu: wrong}, Notes: []string{"two remarks this"}},
			{Name: "three", State: verify.Failed, Why: "it broke"},
			{Name: "five", State: verify.Skipped, Why: "not installed"},
			{Name: "six", Usable: true, Verdicts: verdicts{pu: agrees}},
			{Name: "seven", Usable: true, Verdicts: verdicts{pu: {State: verify.Agrees, Count: 2}}},
		},
		Memory:     []verify.Memory{{Witness: "ghw.Memory", Bytes: 3 << 29, Expected: 3 << 29, State: verify.Agrees}},
		Invariants: []verify.Invariant{{Rule: "all is well"}, {Rule: "all nests", Broken: []string{"Die 0-1"}}},
		Notes:      []string{"offline: PU 2"},
		Pins:       []verify.Pinned{{PU: 0}, {PU: 1, Err: errors.New("runs elsewhere")}},
	}
}

// Every state has a sign of its own, also without color; a reason is told once for all types.
func TestVerify(t *testing.T) {
	t.Parallel()
	const want = `how the machine is built
type  sysfs   one   two
Core      2  1 *1   -  
PU        2  1 *1  1 !2

what this process may use of it
type  sysfs   six  seven
PU        2  2 ok   2 ok

memory      GiB  expected
ghw.Memory  1.5       1.5  ok within 5 %

a thread bound to PU 0 ran there: ok
! PU 1: runs elsewhere

*1  one, Core, PU: merges all
!2  two, PU: lacks: PU 1
    two remarks this
!   three fails: it broke
    five says nothing: not installed
    offline: PU 2
!   does not hold: all nests: Die 0-1
    1 of 2 rules that every machine follows hold

ok agrees   *N differs, and note N explains it   !N unexplained   - says nothing
4 findings unexplained
`
	var b strings.Builder
	if err := Verify(&b, verified(), Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	if diff := cmp.Diff(strings.ReplaceAll(want, "-  \n", "-\n"), got); diff != "" {
		t.Error(diff)
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
		for _, name := range []string{"1 *1", "1 !2", "seven"} {
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
		Version, Unexplained int
		Machine              string
		Types                []struct {
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
				Sets, Why     []string
			}
		}
		Memory []struct {
			Witness         string
			Bytes, Expected int
			Verdict         string
		}
		Invariants []struct {
			Rule   string
			Broken []string
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
	one, three, seven := d.Witnesses[0], d.Witnesses[2], d.Witnesses[5]
	if d.Version != 1 || d.Unexplained != 4 || d.Machine != "this" || d.Types[0].Sets[1] != "1" ||
		one.State != "answered" || one.Verdicts[0].Verdict != "explained" || one.Verdicts[0].Sets[0] != "0-1" ||
		one.Verdicts[0].Why[0] != "merges all" || three.State != "failed" || *three.Why != "it broke" ||
		seven.Verdicts[0].Sets != nil || seven.Verdicts[0].Count != 2 || d.Memory[0].Bytes != 3<<29 ||
		d.Invariants[1].Broken[0] != "Die 0-1" || d.Pins[0].Error != nil || *d.Pins[1].Error != "runs elsewhere" ||
		d.Notes[0] != "offline: PU 2" {
		t.Errorf("%+v", d)
	}
}
