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
