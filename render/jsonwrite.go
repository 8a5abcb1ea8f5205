package render

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"commsplit/engine"
)

// jsonWriter writes JSON piece by piece, so that a document about a million ranks never is in
// memory as a whole. It knows nothing of structure: callers write brackets and commas.
type jsonWriter struct {
	out *bufio.Writer
	num []byte
}

func newJSONWriter(w io.Writer) *jsonWriter {
	return &jsonWriter{out: bufio.NewWriterSize(w, 1<<16)}
}

// raw writes text as it is.
func (j *jsonWriter) raw(text string) { j.out.WriteString(text) }

func (j *jsonWriter) int(n int) {
	j.num = strconv.AppendInt(j.num[:0], int64(n), 10)
	j.out.Write(j.num)
}

// intOrNull writes n, or null for negative numbers: what is not there or not known.
func (j *jsonWriter) intOrNull(n int) {
	if n < 0 {
		j.raw("null")
		return
	}
	j.int(n)
}

func (j *jsonWriter) bool(b bool) { j.raw(strconv.FormatBool(b)) }

func (j *jsonWriter) string(s string) { j.out.Write(quoted(s)) }

// quoted is s as JSON. Characters that mean something in HTML stay as they are.
func quoted(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(fmt.Sprintf("render: no JSON for a string: %v", err)) // strings always have one
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// textOrNull writes s, or null for "".
func (j *jsonWriter) textOrNull(s string) {
	if s == "" {
		j.raw("null")
		return
	}
	j.string(s)
}

// key begins a field; all but the first of an object need the comma.
func (j *jsonWriter) key(name string) {
	j.raw(`, "`)
	j.raw(name)
	j.raw(`": `)
}

// ints writes a list, null for nil.
func (j *jsonWriter) ints(list []int32) {
	if list == nil {
		j.raw("null")
		return
	}
	j.raw("[")
	for i, n := range list {
		j.comma(i)
		j.int(int(n))
	}
	j.raw("]")
}

func (j *jsonWriter) comma(i int) {
	if i > 0 {
		j.raw(", ")
	}
}

// item begins the i-th element of a list or object that has a line for each.
func (j *jsonWriter) item(i int) {
	if i > 0 {
		j.raw(",")
	}
	j.raw("\n    ")
}

// end closes a list or object of n elements that has a line for each.
func (j *jsonWriter) end(n int, bracket string) {
	if n > 0 {
		j.raw("\n  ")
	}
	j.raw(bracket)
}

// column writes the values of one argument over ranks; MPI_UNDEFINED is null.
func (j *jsonWriter) column(c *engine.Column) {
	j.raw("[")
	if c.Texts != nil {
		last, lastQuoted := "", []byte(`""`)
		for i, s := range c.Texts {
			j.comma(i)
			if s != last {
				last, lastQuoted = s, quoted(s)
			}
			j.out.Write(lastQuoted)
		}
	}
	for i, n := range c.Ints {
		j.comma(i)
		if undefined(c.Name, n) {
			j.raw("null")
		} else {
			j.int(int(n))
		}
	}
	j.raw("]")
}

func (j *jsonWriter) flush() error { return j.out.Flush() }
