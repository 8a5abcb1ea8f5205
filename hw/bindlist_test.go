package hw_test

import (
	"testing"

	"commsplit/hw"
)

// Whole cores are named by their index on the host, other PUs by os index.
func TestDescribeBinding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, cpus string
		host       int
		want       string
	}{
		{"machine:2 pack:2 core:2 pu:2", "0-1", 0, "package[0][core:0]"},
		{"machine:2 pack:2 core:2 pu:2", "4-7", 1, "package[1][core:2-3]"},
		{"machine:2 pack:2 core:2 pu:2", "0-1,6-7", 1, "package[0][core:0] package[1][core:3]"},
		{"machine:2 pack:2 core:2 pu:2", "3-5", 1, "package[0][hwt:3] package[1][core:2]"},
		{"machine:2 pack:2 core:2 pu:2", "0-7", 1, "not bound (or bound to all available processors)"},
		{"pack:2 core:2 pu:2(indexes=2*4:1*2)", "1,5", 0, "package[0][core:1]"},
		{"pack:2 pu:2", "2", 0, "package[1][hwt:2]"},
		{"core:4", "2-3", 0, "machine[0][core:2-3]"},
	} {
		set, err := hw.ParseList(c.cpus)
		if err != nil {
			t.Fatal(err)
		}
		got := hw.DescribeBinding(topology(t, c.text), &hw.Binding{Host: c.host, CPUSet: set})
		if got != c.want {
			t.Errorf("%q, PUs %s of host %d: %q, want %q", c.text, c.cpus, c.host, got, c.want)
		}
	}
}

// PUs are read in either way of joining them. What the host does not have is
// told apart from what is there and not ours.
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

// A list that is accepted gives every rank PUs of its host.
func FuzzBindList(f *testing.F) {
	f.Add("0,1,2-3+5")
	f.Add("0-99999999999")
	top := topology(f, "machine:2 pack:2 core:4 pu:1")
	f.Fuzz(func(t *testing.T, list string) {
		ranks, err := hw.Place(top, 10, hw.Policy{List: list})
		for i, b := range ranks {
			if err != nil || b.CPUSet.Empty() || !b.CPUSet.SubsetOf(top.Hosts[b.Host].CPUSet) {
				t.Fatalf("%q: rank %d has %q, %v", list, i, b.CPUSet, err)
			}
		}
	})
}
