package hwlocxml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"commsplit/hw"
)

// reader is the state of reading one file.
type reader struct {
	xml  *xml.Decoder
	rest *io.LimitedReader

	format         int // major version
	depth, objects int
	subtypes       map[string]bool // of Groups so far
	nodes          hw.Set          // os indexes of the NUMA nodes so far
	kinds          []hw.Kind
	hostName       string
	infos          []hw.Info // beside the machine

	allowedCPUs, allowedNodes *hw.Set // nil: no limit
	used                      hw.Set  // PUs that are allowed all the same
}

func newReader(file io.Reader) *reader {
	rest := &io.LimitedReader{R: file, N: maxFile + 1}
	r := &reader{xml: xml.NewDecoder(rest), rest: rest, subtypes: map[string]bool{}}
	r.xml.CharsetReader = func(string, io.Reader) (io.Reader, error) {
		return nil, errors.New("want UTF-8")
	}
	return r
}

// next reads the next token; there has to be one.
func (r *reader) next() (xml.Token, error) {
	token, err := r.xml.Token()
	if err != nil {
		return nil, r.explain(err)
	}
	switch t := token.(type) {
	case xml.StartElement:
		if r.depth++; r.depth > maxDepth {
			return nil, r.errorf("more than %d elements in each other", maxDepth)
		}
	case xml.EndElement:
		r.depth--
	case xml.Directive:
		// hwloc only ever names its DTD. Entities of a file's own could grow without end.
		if bytes.ContainsRune(t, '[') {
			return nil, r.errorf("a DTD inside the file: hwloc only names one")
		}
	}
	return token, nil
}

// element reads up to the first element.
func (r *reader) element() (xml.StartElement, error) {
	for {
		token, err := r.next()
		if err != nil {
			return xml.StartElement{}, err
		}
		if e, ok := token.(xml.StartElement); ok {
			return e, nil
		}
	}
}

// end reads what follows the outermost element: nothing but comments.
func (r *reader) end() error {
	for {
		token, err := r.xml.Token()
		if errors.Is(err, io.EOF) && r.rest.N > 0 {
			return nil
		}
		if err != nil {
			return r.explain(err)
		}
		switch t := token.(type) {
		case xml.Comment, xml.ProcInst:
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return r.errorf("text after </topology>")
			}
		default:
			return r.errorf("something after </topology>: a file holds one topology")
		}
	}
}

// skip reads up to the end of the element that was read last.
func (r *reader) skip() error {
	for outer := r.depth - 1; r.depth > outer; {
		if _, err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

// explain makes the decoder's error a line of ours.
func (r *reader) explain(err error) error {
	var syntax *xml.SyntaxError
	line, _ := r.xml.InputPos()
	switch {
	case r.rest.N <= 0:
		return fmt.Errorf("larger than %d MiB: too large for a topology", maxFile>>20)
	case errors.Is(err, io.EOF):
		return errors.New("no <topology>: want an hwloc XML file, such as \"lstopo file.xml\" writes")
	case errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
		return r.errorf("the file ends too early")
	case syntax != nil:
		return fmt.Errorf("line %d: not XML: %s", syntax.Line, clip(syntax.Msg))
	}
	return fmt.Errorf("line %d: cannot read: %s", line, clip(err.Error())) // it may quote the file
}

// errorf is an error at the line that was read last.
func (r *reader) errorf(format string, args ...any) error {
	line, _ := r.xml.InputPos()
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}

// clip shortens text for an error message.
func clip(text string) string {
	if len(text) > 60 {
		return text[:60] + "..."
	}
	return text
}

// short is a set in a message, which a hostile one must not fill.
func short(s hw.Set) string { return clip(s.String()) }
