package sysfs

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"commsplit/hw"
)

// ParseMask reads the kernel's mask format: groups of at most 8 hexadecimal
// digits, 32 PUs each, the last group holding PUs 0-31: "0000000f,00000001".
func ParseMask(text string) (hw.Set, error) {
	var s hw.Set
	groups := strings.Split(text, ",")
	for i, group := range groups {
		word, err := strconv.ParseUint(group, 16, 32)
		if err != nil {
			return hw.Set{}, fmt.Errorf("%q in mask %q is not a hexadecimal group of 32 bits",
				clip(group), clip(text))
		}
		base := 32 * (len(groups) - 1 - i)
		for ; word != 0; word &= word - 1 {
			bit := base + bits.TrailingZeros64(word)
			if bit >= maxCPUs {
				return hw.Set{}, fmt.Errorf("number %d is above the limit of %d", bit, maxCPUs-1)
			}
			s.Add(bit)
		}
	}
	return s, nil
}

// parseList reads the Linux list format within the limits of this package.
func parseList(text string) (hw.Set, error) {
	s, err := hw.ParseList(text)
	if err != nil {
		return hw.Set{}, err
	}
	if n := s.Next(maxCPUs); n >= 0 {
		return hw.Set{}, fmt.Errorf("number %d is above the limit of %d", n, maxCPUs-1)
	}
	return s, nil
}
