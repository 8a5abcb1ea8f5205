package placement_test

import (
	"testing"

	"commsplit/hw/placement"
)

// A list that is accepted gives every rank PUs of its host.
func FuzzBindList(f *testing.F) {
	f.Add("0,1,2-3+5")
	f.Add("0-99999999999")
	top := topology(f, "machine:2 pack:2 core:4 pu:1")
	f.Fuzz(func(t *testing.T, list string) {
		ranks, err := placement.Place(top, 10, placement.Policy{List: list})
		for i, b := range ranks {
			if err != nil || b.CPUSet.Empty() || !b.CPUSet.SubsetOf(top.Hosts[b.Host].CPUSet) {
				t.Fatalf("%q: rank %d has %q, %v", list, i, b.CPUSet, err)
			}
		}
	})
}
