// Package hwlocxml reads the XML files that hwloc writes (lstopo file.xml),
// formats 2.x and 3.x, into a topology of one machine, and writes such files in
// format 2.0.
//
// Model: the file holds the tree, and the package believes the tree as it
// stands; a contradiction (children that overlap, a PU outside its parent) is
// an error with its line. The package leaves out PUs and nodes that the file's
// allowed sets lack, as hwloc does, and a note says so.
//
// I/O devices, Misc objects, infos, kinds of cores, distances and memory
// attributes are kept as details. Page sizes, data of programs and kinds of
// Groups are only kept to be written again. The package leaves out serial
// numbers, because people pass files on. Format 1.x is not read.
package hwlocxml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// The bounds of a file: far above any real machine, low enough that a hostile
// file costs seconds and not the memory.
const (
	maxFile     = 16 << 20 // bytes
	maxDepth    = 64       // elements in each other
	maxObjects  = 1 << 18
	maxIndex    = 1<<16 - 1 // of a PU or NUMA node
	maxSubtypes = 64        // of Groups, different ones
	maxKinds    = 64        // of cores
	maxText     = 200       // bytes of a name
	maxBytes    = 1 << 60   // of a memory or cache
)

// Read reads one file. The topology has no name yet. The error is one line with
// the number of the file's line and what would be right there.
func Read(file io.Reader) (*hw.Topology, error) { return ReadUsed(file, hw.Set{}) }

// ReadUsed reads a machine as Read does, but allows the PUs in used, which a process used, whatever the file says.
func ReadUsed(file io.Reader, used hw.Set) (*hw.Topology, error) {
	r := newReader(file)
	r.used = used
	top, err := r.element()
	if err != nil {
		return nil, err
	}
	if err := r.checkFormat(top); err != nil {
		return nil, err
	}
	machine, err := r.topology()
	if err != nil {
		return nil, err
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	r.addDetails(machine)
	left := r.addFigures(machine)
	notes, err := r.restrict(machine)
	if err != nil {
		return nil, err
	}
	notes = append(notes, left...)
	machine.Name = r.hostName
	return hw.New("", machine, notes...), nil
}

// checkFormat returns an error for a file that is not a topology of hwloc 2.x or
// 3.x.
func (r *reader) checkFormat(top xml.StartElement) error {
	if top.Name.Local != "topology" && top.Name.Local != "root" {
		return r.errorf("<%s> where <topology> was expected: not an hwloc XML file",
			hw.Clip(top.Name.Local))
	}
	version, ok := attrs(top.Attr).find("version")
	major, _, _ := strings.Cut(version, ".")
	r.format, _ = strconv.Atoi(major)
	switch {
	case !ok || major == "1":
		return r.errorf("the format of hwloc 1.x is not read: convert the file with " +
			"\"lstopo --input old.xml new.xml\" of hwloc 2")
	case major != "2" && major != "3":
		return r.errorf("format version %q is not known: versions 2.x and 3.x are read", hw.Clip(version))
	}
	return nil
}

// topology reads the inside of <topology>: the machine, and parts that it
// skips.
func (r *reader) topology() (machine *hw.Object, err error) {
	err = r.children(func(e xml.StartElement) (err error) {
		switch {
		case e.Name.Local == "cpukind":
			return r.kind(e)
		case strings.HasPrefix(e.Name.Local, "distances2"):
			return r.distances(e)
		case e.Name.Local == "memattr":
			return r.memAttr(e)
		case e.Name.Local != "object":
			return r.aside(e, nil)
		case machine != nil:
			return r.errorf("a second object in <topology>: want one Machine that holds all others")
		case attrs(e.Attr).get("type") != hw.Machine.String():
			return r.errorf("the outermost object has type %q: want Machine", hw.Clip(attrs(e.Attr).get("type")))
		}
		machine, err = r.object(e, nil)
		return err
	})
	if err == nil && machine == nil {
		err = r.errorf("<topology> has no object")
	}
	return machine, err
}

// restrict removes from the tree what the file does not allow, and returns
// notes on what was removed.
func (r *reader) restrict(machine *hw.Object) (notes []string, err error) {
	if r.nodes.Empty() {
		return nil, fmt.Errorf("the machine has no NUMANode: want at least one")
	}
	cpus, nodes := machine.CPUSet, r.nodes
	allowed, mems := cpus, nodes
	if r.allowedCPUs != nil {
		allowed = cpus.Intersect(r.allowedCPUs.Union(r.used))
	}
	if r.allowedNodes != nil {
		mems = nodes.Intersect(*r.allowedNodes)
	}
	if allowed.Empty() || mems.Empty() {
		return nil, fmt.Errorf("the file allows PUs %q of %s and NUMA nodes %q of %s: want some of both",
			short(allowed), short(cpus), short(mems), short(nodes))
	}
	if off := machine.Complete().Minus(cpus); !off.Empty() {
		notes = append(notes, fmt.Sprintf("offline or not allowed where the file was made: PUs %s", short(off)))
	}
	if !allowed.Equal(cpus) {
		notes = append(notes, fmt.Sprintf("the file allows PUs %s of %s", short(allowed), short(cpus)))
	}
	if !mems.Equal(nodes) {
		notes = append(notes, fmt.Sprintf("the file allows NUMA nodes %s of %s",
			short(mems), short(nodes)))
	}
	hw.Restrict(machine, allowed, mems, hw.NotAllowed)
	return notes, nil
}

// reader is the state of reading one file.
type reader struct {
	xml  *xml.Decoder
	rest *io.LimitedReader

	format         int // major version
	depth, objects int
	subtypes       map[string]bool // of Groups so far
	nodes          hw.Set          // os indexes of the NUMA nodes so far
	kinds          []hw.Kind
	known          map[string]hw.End // by hwloc's number
	matrices       []matrix
	memAttrs       []memAttr
	hostName       string
	infos          []hw.Info // beside the machine

	allowedCPUs, allowedNodes *hw.Set // nil: no limit
	used                      hw.Set  // PUs that are allowed although the file does not allow them
}

func newReader(file io.Reader) *reader {
	rest := &io.LimitedReader{R: file, N: maxFile + 1}
	r := &reader{xml: xml.NewDecoder(rest), rest: rest, subtypes: map[string]bool{}, known: map[string]hw.End{}}
	r.xml.CharsetReader = func(string, io.Reader) (io.Reader, error) {
		return nil, errors.New("want UTF-8")
	}
	return r
}

// next reads the next token; the end of the file is an error.
func (r *reader) next() (xml.Token, error) {
	token, err := r.xml.Token()
	if err != nil {
		return nil, r.explain(err)
	}
	switch t := token.(type) {
	case xml.StartElement:
		if r.depth++; r.depth > maxDepth {
			return nil, r.errorf("more than %d nested elements", maxDepth)
		}
	case xml.EndElement:
		r.depth--
	case xml.Directive:
		// hwloc only ever names its DTD. A file with entities of its own could
		// make them grow without end.
		if bytes.ContainsRune(t, '[') {
			return nil, r.errorf("a DTD inside the file: hwloc files only refer to a DTD")
		}
	}
	return token, nil
}

// element reads up to the start of the first element and returns it.
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

// end reads the rest behind the outermost element; all but comments is an
// error.
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
			return r.errorf("more after </topology>: a file holds one topology")
		}
	}
}

// children reads up to the end of the element whose start was read last. It calls read for the start of each
// element inside; read reads up to the end of that element.
func (r *reader) children(read func(e xml.StartElement) error) error {
	for {
		token, err := r.next()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if err := read(t); err != nil {
				return err
			}
		}
	}
}

// finish reads up to the end of the element whose start was read last, and calls read for each piece of text
// inside, at any depth.
func (r *reader) finish(read func(text []byte) error) error {
	for outer := r.depth - 1; r.depth > outer; {
		token, err := r.next()
		if err != nil {
			return err
		}
		if text, ok := token.(xml.CharData); ok {
			if err := read(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// skip reads up to the end of the element whose start was read last.
func (r *reader) skip() error { return r.finish(func([]byte) error { return nil }) }

// explain translates the decoder's error into a line of ours.
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
		return fmt.Errorf("line %d: not XML: %s", syntax.Line, hw.Clip(syntax.Msg))
	}
	return fmt.Errorf("line %d: cannot read: %s", line, hw.Clip(err.Error())) // err may quote the file
}

// errorf returns an error with the number of the line that was read last.
func (r *reader) errorf(format string, args ...any) error {
	line, _ := r.xml.InputPos()
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}

// short writes a set for a message; it clips a long set, so that a hostile one
// cannot fill the message.
func short(s hw.Set) string { return hw.Clip(s.String()) }
