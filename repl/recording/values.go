package recording

import (
	"strconv"
	"strings"
)

// mostItems bounds the length of a list in an argument.
const mostItems = 1 << 21

// list returns the numbers of an argument such as "0..7,9,8*5,0..14:2"; ok is false for a text that is not a list, or was
// too long for the recorder.
func list(text string) (items []int32, ok bool) {
	if text == "[]" {
		return []int32{}, true
	}
	for part := range strings.SplitSeq(text, ",") {
		if value, times, many := strings.Cut(part, "*"); many {
			v, err1 := strconv.ParseInt(value, 10, 32)
			n, err2 := strconv.ParseInt(times, 10, 32)
			if err1 != nil || err2 != nil || n < 1 || int(n) > mostItems-len(items) {
				return nil, false
			}
			for range n {
				items = append(items, int32(v))
			}
			continue
		}
		first, rest, ranged := strings.Cut(part, "..")
		a, err := strconv.ParseInt(first, 10, 32)
		if err != nil {
			return nil, false
		}
		if !ranged {
			items = append(items, int32(a))
			continue
		}
		last, step, strided := strings.Cut(rest, ":")
		b, err1 := strconv.ParseInt(last, 10, 32)
		by, err2 := int64(1), error(nil)
		if strided {
			by, err2 = strconv.ParseInt(step, 10, 32)
		}
		var ok bool
		if items, ok = span(items, a, b, by); !ok || err1 != nil || err2 != nil {
			return nil, false
		}
	}
	return items, len(items) <= mostItems
}

// span appends the numbers of a range; ok is false for a step of 0, and for too many numbers.
func span(items []int32, first, last, step int64) (list []int32, ok bool) {
	for v := first; step > 0 && v <= last || step < 0 && v >= last; v += step {
		if len(items) == mostItems {
			return nil, false
		}
		items = append(items, int32(v))
	}
	return items, step != 0
}

// unquoted returns a text as the program gave it. Recordings write some bytes as %XX.
func unquoted(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if v, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return strings.ToValidUTF8(b.String(), "?")
}
