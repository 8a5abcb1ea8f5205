package hw

import (
	"fmt"
	"strconv"
	"strings"
)

// ParsePUs reads PUs of a host: "3", "0-1", "0-1,8" or, the same, "0-1+8".
// Errors: what is no PU or range, and PUs that the host does not have.
func ParsePUs(text string, host *Object) (Set, error) {
	var set Set
	for _, piece := range strings.Split(strings.ReplaceAll(text, ",", "+"), "+") {
		piece = strings.TrimSpace(piece)
		lo, hi, err := ParseRange(piece, "PU")
		if err != nil {
			return Set{}, err
		}
		for pu := lo; pu <= hi; pu++ {
			if !host.CPUSet.Has(pu) {
				return Set{}, noPU(piece, host, pu)
			}
			set.Add(pu)
		}
	}
	return set, nil
}

// ParseRange reads "3" or "0-3"; noun is what the numbers are, for messages.
func ParseRange(text, noun string) (lo, hi int, err error) {
	a, b, ranged := strings.Cut(text, "-")
	if !ranged {
		b = a
	}
	lo, errA := strconv.Atoi(strings.TrimSpace(a))
	hi, errB := strconv.Atoi(strings.TrimSpace(b))
	switch {
	case errA != nil || errB != nil || lo < 0 || hi < 0:
		return 0, -1, fmt.Errorf("%q is neither a %s nor a range such as 0-3", text, noun)
	case hi < lo:
		return 0, -1, fmt.Errorf("range %q runs backwards", text)
	}
	return lo, hi, nil
}

// CheckPUs is an error when set holds PUs that the host o does not have.
func (o *Object) CheckPUs(set Set) error {
	if missing := set.Minus(o.CPUSet); !missing.Empty() {
		return noPU(set.String(), o, missing.First())
	}
	return nil
}

// noPU says why nobody can run on a PU of a host.
func noPU(piece string, host *Object, pu int) error {
	why := "has no"
	if d := host.Details; d != nil && d.Offline.Has(pu) {
		why = "has switched off"
	} else if d != nil && d.Disallowed.Has(pu) {
		why = "does not let us use"
	}
	return fmt.Errorf("%q: %s %s PU %d; it has %s", piece, host.Name, why, pu, host.CPUSet)
}
