package engine

// RankRange is a triplet (first, last, stride) of MPI_Group_range_incl.
type RankRange struct{ First, Last, Stride int }

// expand lists the ranks of the triplets: first, first+stride, ..., never beyond last. A stride of
// 0 is MPI_ERR_ARG.
func (g *Group) expand(call Call, ranges []RankRange) ([]int, error) {
	var ranks []int
	for _, t := range ranges {
		if t.Stride == 0 {
			return nil, g.fail(call, ErrArg, "the range (%d, %d, 0) has stride 0: a stride must not be zero", t.First, t.Last)
		}
		for r := t.First; (t.Stride > 0 && r <= t.Last) || (t.Stride < 0 && r >= t.Last); r += t.Stride {
			if r < 0 || r >= g.Size() {
				break
			}
			ranks = append(ranks, r)
		}
		if err := g.bounds(call, t); err != nil {
			return nil, err
		}
	}
	return ranks, nil
}

// bounds checks that every rank that the triplet computes is one of g.
func (g *Group) bounds(call Call, t RankRange) error {
	if (t.Stride > 0) != (t.Last >= t.First) && t.Last != t.First {
		return g.fail(call, ErrRank, "the range (%d, %d, %d) is empty: its stride leads away from its last rank", t.First, t.Last, t.Stride)
	}
	steps := (t.Last - t.First) / t.Stride
	for _, r := range []int{t.First, t.First + steps*t.Stride} {
		if r < 0 || r >= g.Size() {
			return g.fail(call, ErrRank, "rank %d of the range (%d, %d, %d) is not in the group, which has %d ranks", r, t.First, t.Last, t.Stride, g.Size())
		}
	}
	return nil
}

// RangeIncl is Incl of the ranks that the triplets compute (MPI_Group_range_incl, §7.3.2).
func (g *Group) RangeIncl(ranges []RankRange) (*Group, error) {
	if g == nil {
		return nil, g.fail(CallGroupRangeIncl, ErrGroup, "the group is MPI_GROUP_NULL")
	}
	ranks, err := g.expand(CallGroupRangeIncl, ranges)
	if err != nil {
		return nil, err
	}
	return g.incl(CallGroupRangeIncl, ranks)
}

// RangeExcl is Excl of the ranks that the triplets compute (MPI_Group_range_excl, §7.3.2).
func (g *Group) RangeExcl(ranges []RankRange) (*Group, error) {
	if g == nil {
		return nil, g.fail(CallGroupRangeExcl, ErrGroup, "the group is MPI_GROUP_NULL")
	}
	ranks, err := g.expand(CallGroupRangeExcl, ranges)
	if err != nil {
		return nil, err
	}
	return g.excl(CallGroupRangeExcl, ranks)
}
