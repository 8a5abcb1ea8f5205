package detect

import (
	"testing"

	"commsplit/hw"
)

// What ids explain of one type explains nothing of another: here cores are merged by
// core_id, and a PU is missing besides.
func TestDisagreementPartlyExplained(t *testing.T) {
	t.Parallel()
	f := machine(0, 0)
	id := identity{packages: []processor{{"M", [][]int{{0, 2}, {1}}}}}
	top, err := from(f, id, hw.Set{}, "box")
	if err != nil {
		t.Fatal(err)
	}
	want := "ghw and sysfs disagree: ghw counts packages 1, cores 2, PUs 3, sysfs packages 2, cores 4, PUs 4: " +
		"commsplit hw verify tells more"
	if got := top.Notes[len(top.Notes)-1]; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	id.packages[0].cores[1] = []int{1, 3}
	if top, err = from(f, id, hw.Set{}, "box"); err != nil {
		t.Fatal(err)
	}
	want = "ghw and sysfs disagree: ghw counts packages 1, cores 2, sysfs packages 2, cores 4 (known defect of ghw: " +
		"it takes PUs with equal physical_package_id for one package; it takes PUs of a package with equal " +
		"core_id for one core)"
	if got := top.Notes[len(top.Notes)-1]; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
