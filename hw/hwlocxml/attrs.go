package hwlocxml

import (
	"encoding/xml"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"unicode"

	"commsplit/hw"
)

// attrs are the attributes of an element. They are few: looking through them is
// quicker than a map.
type attrs []xml.Attr

// find is the value of an attribute, if there is one.
func (a attrs) find(name string) (value string, ok bool) {
	for i := range a {
		if a[i].Name.Local == name {
			return a[i].Value, true
		}
	}
	return "", false
}

// get is the value of an attribute, or "".
func (a attrs) get(name string) string {
	value, _ := a.find(name)
	return value
}

// infinite is how hwloc starts a set that holds all indexes from some on.
const infinite = "0xf...f"

// parseSet reads hwloc's set format: groups of 32 bits in hexadecimal, the last
// for indexes 0 to 31; a group of zeros may be empty: "0x00006000,,0x1".
func parseSet(text string) (hw.Set, error) {
	var s hw.Set
	if text == "" {
		return s, fmt.Errorf("it is empty: want a set such as 0x0000000f")
	}
	groups := strings.Split(text, ",")
	for i, group := range groups {
		digits := strings.TrimPrefix(group, "0x")
		if group == "" {
			digits = "0"
		}
		word, err := strconv.ParseUint(digits, 16, 32)
		if err != nil {
			return hw.Set{}, fmt.Errorf("%q in %q is not a hexadecimal group of 32 bits",
				clip(group), clip(text))
		}
		base := 32 * (len(groups) - 1 - i)
		if word != 0 && base+bits.Len64(word)-1 > maxIndex {
			return hw.Set{}, fmt.Errorf("index %d is above the limit of %d",
				base+bits.Len64(word)-1, maxIndex)
		}
		for ; word != 0; word &= word - 1 {
			s.Add(base + bits.TrailingZeros64(word))
		}
	}
	return s, nil
}

// parseIndex reads an os_index: hw.Unknown where there is none, which some
// versions of hwloc write as -1, signed or not.
func parseIndex(text string) (int, error) {
	if text == "" || text == "-1" || text == "4294967295" {
		return hw.Unknown, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return hw.Unknown, fmt.Errorf("%q is not an index", clip(text))
	}
	return int(n), nil
}

// parseBytes reads a size; "" is 0, an unknown one.
func parseBytes(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of bytes", clip(text))
	}
	if n > maxBytes {
		return 0, fmt.Errorf("%d bytes are above the limit of %d", n, uint64(maxBytes))
	}
	return n, nil
}

// checkText refuses names that would garble a terminal.
func checkText(text string) error {
	if len(text) > maxText {
		return fmt.Errorf("%q is longer than %d bytes", clip(text), maxText)
	}
	if strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return fmt.Errorf("%q has characters that cannot be printed", clip(text))
	}
	return nil
}
