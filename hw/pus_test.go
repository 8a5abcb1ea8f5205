package hw_test

import (
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
)

// PUs may be joined by ',' or '+'. The error for a PU that the host does not
// have differs from that for a PU that exists and is not allowed.
func TestParsePUs(t *testing.T) {
	t.Parallel()
	host := topology(t, "core:6").Hosts[0]
	host.Details = &hw.Details{Offline: hw.SetOf(6), Disallowed: hw.SetOf(7, 8)}
	for text, want := range map[string]string{
		"3": "3", "0-2": "0-2", "0,2-3": "0,2-3", "4+0-1": "0-1,4", " 1 , 2 ": "1-2", "2,2": "2",
		"9":            `"9": node0 has no PU 9; it has 0-5`,
		"5-6":          `"5-6": node0 has switched off PU 6; it has 0-5`,
		"0+7":          `"7": node0 does not let us use PU 7; it has 0-5`,
		"":             `"" is neither a PU nor a range such as 0-3`,
		"1,":           `"" is neither a PU nor a range such as 0-3`,
		"-1":           `"-1" is neither a PU nor a range such as 0-3`,
		"3-1":          `range "3-1" runs backwards`,
		"all":          `"all" is neither a PU nor a range such as 0-3`,
		"0-9999999999": `"0-9999999999": node0 has switched off PU 6; it has 0-5`,
	} {
		set, err := hw.ParsePUs(text, host)
		got := set.String()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
