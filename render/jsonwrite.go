package render

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
)

// encode is v as JSON on one line, without blanks. Characters that mean something in HTML stay as
// they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// airy puts a blank behind each colon and comma between values, for the people who read JSON.
func airy(text []byte) []byte {
	r := make([]byte, 0, len(text)+len(text)/4)
	quoted, escaped := false, false
	for _, c := range text {
		r = append(r, c)
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ':' || c == ','):
			r = append(r, ' ')
		}
	}
	return r
}

// jsonStream writes a document piece by piece, so that one about a million ranks is never in memory
// as a whole. The first error stays and silences what follows.
type jsonStream struct {
	out *bufio.Writer
	err error
}

func newJSONStream(w io.Writer) *jsonStream {
	return &jsonStream{out: bufio.NewWriterSize(w, 1<<16)}
}

// text writes text as it is.
func (j *jsonStream) text(s string) { j.out.WriteString(s) }

// value writes v on the present line.
func (j *jsonStream) value(v any) {
	b, err := encode(v)
	if j.err == nil {
		j.err = err
	}
	j.out.Write(airy(b))
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

func (j *jsonStream) flush() error {
	if err := j.out.Flush(); err != nil {
		return err
	}
	return j.err
}
