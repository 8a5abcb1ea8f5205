package placement_test

import (
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
)

// On the hardware of a job, ranks are where they ran unless the policy has words.
func TestPlaceJob(t *testing.T) {
	t.Parallel()
	top := topology(t, "machine:2 core:2 pu:1")
	top.Name = "job:a.tar"
	top.Ranks = []*hw.Binding{{Host: 1, CPUSet: hw.SetOf(1)}, {Host: 0, CPUSet: hw.SetOf(0, 1)}, {Host: 1, CPUSet: hw.SetOf(1)}}
	const job = "1:1 0:0-1 1:1"
	for _, c := range []struct {
		n      int
		policy placement.Policy
		want   string
	}{
		{0, placement.Policy{}, job},
		{3, placement.Policy{}, job},
		{2, placement.Policy{}, "1:1 0:0-1"},
		{4, placement.Policy{}, "-n 4: job:a.tar has 3 ranks: leave out -n, or say where ranks run, as with --map-by core"},
		{4, placement.Policy{MapBy: "core"}, "0:0 0:1 1:0 1:1"},
		{0, placement.Policy{BindTo: "none"}, "0:0-1 0:0-1 1:0-1 1:0-1"},
		{2, placement.Policy{RankBy: "node"}, "0:0 0:1"},
		{2, placement.Policy{List: "1"}, "0:1 1:1"},
	} {
		got := ""
		plan, err := placement.New(top, c.n, c.policy)
		if err == nil {
			var ranks []*hw.Binding
			if ranks, err = plan.Place(); len(ranks) != plan.Size {
				t.Errorf("%d of %d ranks", len(ranks), plan.Size)
			}
			got = placed(ranks)
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("-n %d %+v: got %s, want %s", c.n, c.policy, got, c.want)
		}
	}
}

// placed returns the host and PUs of each rank.
func placed(ranks []*hw.Binding) string {
	text := ""
	for i, r := range ranks {
		if i > 0 {
			text += " "
		}
		text += string(rune('0'+r.Host)) + ":" + r.CPUSet.String()
	}
	return text
}
