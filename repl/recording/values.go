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
		var ok bool
		if items, ok = span(items, a, rest); !ok {
			return nil, false
		}
	}
	return items, len(items) <= mostItems
}

// span appends the numbers from first to the end of a range, with its step: "7", "14:2".
func span(items []int32, first int64, rest string) ([]int32, bool) {
	last, step, strided := strings.Cut(rest, ":")
	b, err := strconv.ParseInt(last, 10, 32)
	if err != nil {
		return nil, false
	}
	by := int64(1)
	if strided {
		if by, err = strconv.ParseInt(step, 10, 32); err != nil || by == 0 {
			return nil, false
		}
	}
	for v := first; by > 0 && v <= b || by < 0 && v >= b; v += by {
		if len(items) == mostItems {
			return nil, false
		}
		items = append(items, int32(v))
	}
	return items, true
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
