package deviation

import "testing"

// Groups are told in rank order; long ones in ranges, or by how many there are.
func TestGroupText(t *testing.T) {
	t.Parallel()
	sequence := func(n, step int) []int32 {
		list := make([]int32, n)
		for i := range list {
			list[i] = int32(i * step)
		}
		return list
	}
	backwards := sequence(20, -1)
	for _, c := range []struct {
		members []int32
		want    string
	}{
		{[]int32{2, 0, 1}, "[2,0,1]"},
		{sequence(16, 2), "[0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30]"},
		{sequence(100, 1), "[0-99]"},
		{sequence(100, 2), "[0,2,4,6,...] of 100 ranks"},
		{backwards, "[0,-1,...] of 20 ranks"},
	} {
		if got := groupText(c.members); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	parts := make([][]int32, 20)
	for i := range parts {
		parts[i] = []int32{int32(i)}
	}
	if got, want := partsText(parts), "[0] [1] [2] [3] [4] [5] [6] [7] and 12 more"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
