package program

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// Repr is a value as Python's prompt writes it: strings in quotes.
func Repr(v starlark.Value) string {
	var b strings.Builder
	writeRepr(&b, v)
	return b.String()
}

// Text is a value as Python's print writes it, so that a program prints the same here and under a
// real MPI: strings bare, but in single quotes inside of lists and the like.
func Text(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return Repr(v)
}

func writeRepr(b *strings.Builder, v starlark.Value) {
	switch v := v.(type) {
	case starlark.String:
		b.WriteString(quoted(string(v)))
	case starlark.Float:
		b.WriteString(floatText(float64(v)))
	case *starlark.List:
		writeItems(b, "[", v, "]")
	case starlark.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		writeItems(b, "(", v, end)
	case *starlark.Dict:
		b.WriteByte('{')
		for i, item := range v.Items() {
			if i > 0 {
				b.WriteString(", ")
			}
			writeRepr(b, item[0])
			b.WriteString(": ")
			writeRepr(b, item[1])
		}
		b.WriteByte('}')
	case *starlark.Set:
		if v.Len() == 0 {
			b.WriteString("set()")
			return
		}
		writeItems(b, "{", starlark.Tuple(slices.Collect(v.Elements())), "}")
	default:
		b.WriteString(v.String())
	}
}

func writeItems(b *strings.Builder, open string, seq starlark.Indexable, end string) {
	b.WriteString(open)
	for i := range seq.Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		writeRepr(b, seq.Index(i))
	}
	b.WriteString(end)
}

// quoted is a string in Python's quotes: single ones, unless only these occur in it.
func quoted(s string) string {
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		return strconv.Quote(s)
	}
	inner := strconv.Quote(s)
	inner = strings.ReplaceAll(inner[1:len(inner)-1], `\"`, `"`)
	return "'" + strings.ReplaceAll(inner, "'", `\'`) + "'"
}

// floatText is a float as Python writes it: the shortest digits that mean it, with an exponent only
// for very large and very small ones.
func floatText(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
