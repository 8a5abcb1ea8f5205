package document

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// encode returns a text as JSON. Characters with a meaning in HTML are not escaped.
func encode(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // every text has JSON
	}
	return escaped(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// escaped escapes the characters in JSON that could command a terminal: DEL and those from 0x80 on. encoding/json
// escapes only those below the blank.
func escaped(text []byte) []byte {
	const del, c1 = 0x7f, 0xc2 // 0xc2 begins the characters from 0x80 to 0x9f
	if bytes.IndexByte(text, del) < 0 && bytes.IndexByte(text, c1) < 0 {
		return text
	}
	r := make([]byte, 0, len(text)+len(text)/8)
	for _, c := range string(text) {
		if unicode.IsControl(c) && c != '\n' {
			r = fmt.Appendf(r, `\u%04x`, c)
			continue
		}
		r = utf8.AppendRune(r, c)
	}
	return r
}

// jsonStream writes a document piece by piece, so that a document about a million ranks is never in memory as a
// whole.
type jsonStream struct {
	out    *bufio.Writer
	heads  map[reflect.Type][]head
	number [20]byte // storage
}

// head is a field of a document.
type head struct {
	text               string // before the value
	optional, embedded bool   // it is left out when it is zero; its own fields stand in its place
}

func newJSONStream(w io.Writer) *jsonStream {
	return &jsonStream{out: bufio.NewWriterSize(w, 1<<16), heads: map[reflect.Type][]head{}}
}

// text writes s unchanged.
func (j *jsonStream) text(s string) { j.out.WriteString(s) }

// value writes v on the current line, as encoding/json does, with a blank behind each colon and comma for people. It
// writes element by element: a list over the ranks of a large world would as a single text take more memory than the world.
func (j *jsonStream) value(v any) { j.write(reflect.ValueOf(v)) }

func (j *jsonStream) write(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			j.text("null")
		} else {
			j.write(v.Elem())
		}
	case reflect.String:
		j.quoted(v.String())
	case reflect.Bool:
		j.text(strconv.FormatBool(v.Bool()))
	case reflect.Uint64:
		j.out.Write(strconv.AppendUint(j.number[:0], v.Uint(), 10))
	case reflect.Struct:
		j.text("{")
		j.fields(v, true)
		j.text("}")
	case reflect.Slice:
		j.slice(v)
	default:
		j.out.Write(strconv.AppendInt(j.number[:0], v.Int(), 10))
	}
}

func (j *jsonStream) slice(v reflect.Value) {
	brackets, fields := "[]", v.Type() == reflect.TypeFor[object]()
	switch {
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		j.out.Write(v.Bytes())
		return
	case fields:
		brackets = "{}"
	case v.IsNil():
		j.text("null")
		return
	}
	j.text(brackets[:1])
	for i := range v.Len() {
		if i > 0 {
			j.text(", ")
		}
		e := v.Index(i)
		if fields {
			j.quoted(e.Field(0).String())
			j.text(": ")
			e = e.Field(1)
		}
		j.write(e)
	}
	j.text(brackets[1:])
}

// quoted writes a text.
func (j *jsonStream) quoted(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			j.out.Write(encode(s))
			return
		}
	}
	j.text(`"`)
	j.text(s)
	j.text(`"`)
}

// fields writes the fields of a document; first is whether none stands before them.
func (j *jsonStream) fields(doc reflect.Value, first bool) {
	heads, ok := j.heads[doc.Type()]
	if !ok {
		for i := range doc.NumField() {
			f := doc.Type().Field(i)
			name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
			heads = append(heads, head{`"` + name + `": `, option == "omitempty", f.Anonymous})
		}
		j.heads[doc.Type()] = heads
	}
	for i, h := range heads {
		v := doc.Field(i)
		if h.optional && v.IsZero() {
			continue
		}
		if h.embedded {
			j.fields(reflect.Indirect(v), first)
		} else {
			if !first {
				j.text(", ")
			}
			j.text(h.text)
			j.write(v)
		}
		first = false
	}
}

// lines writes a list with a line for each element.
func (j *jsonStream) lines(indent string, elements iter.Seq[any]) {
	n := 0
	j.text("[")
	for v := range elements {
		j.separate(n, indent+"  ")
		j.value(v)
		n++
	}
	j.end(n, indent, "]")
}

// separate begins the line of the n-th element of a list or object.
func (j *jsonStream) separate(n int, indent string) {
	if n > 0 {
		j.text(",")
	}
	j.text("\n" + indent)
}

// end closes a list or object of n elements that has a line for each.
func (j *jsonStream) end(n int, indent, bracket string) {
	if n > 0 {
		j.text("\n" + indent)
	}
	j.text(bracket)
}
