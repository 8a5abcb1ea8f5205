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
	// From the last group on: a set grows best at its end.
	for base, end := 0, len(text); end >= 0; base += 32 {
		comma := strings.LastIndexByte(text[:end], ',')
		group := text[comma+1 : end]
		end = comma
		word, err := strconv.ParseUint(group, 16, 32)
		if err != nil {
			return hw.Set{}, fmt.Errorf("%q in mask %q is not a hexadecimal group of 32 bits",
				clip(group), clip(text))
		}
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
