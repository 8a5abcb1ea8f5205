// Package symbols finds the functions and lines of addresses in programs and libraries. The recorder wrote each address
// as a module and an offset; the look-up needs the module's file.
//
// Model: an address of a call becomes the functions around the call, the innermost first: there may be several, since a
// compiler inlines functions. Names are the linker's. A file is used only if it is the file that ran: it has the same
// build id, or the same size and time where the linker gave it no build id.
package symbols

import (
	"bytes"
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Place is a function that contains an address.
type Place struct {
	Function string // "" when it has no name
	Offset   uint64 // of the address, from the beginning of the outermost function at the address
	File     string // base name; "" when it is not known
	Line     int
}

// These are the errors of a file that is not used.
var (
	ErrGone  = errors.New("it is not here")
	ErrOther = errors.New("the file here is another build than the one that ran")
)

// Finder looks up addresses, and keeps the files open that it has read.
type Finder struct {
	files map[string]*file // by path and id
	open  []*os.File
}

// Close closes the files.
func (f *Finder) Close() {
	for _, o := range f.open {
		o.Close()
	}
}

// file is an executable or a library, with its symbols.
type file struct {
	err   error
	names []elf.Symbol // functions, by address
	data  *dwarf.Data  // nil: the file has no lines
	known map[uint64][]Place
}

// Places finds the functions around the call that returns to an offset of a file, the innermost first; nil where the
// file has no symbols for it. The error says why the file is not used.
func (f *Finder) Places(name, id string, offset uint64) ([]Place, error) {
	key := name + "\x00" + id
	if f.files == nil {
		f.files = map[string]*file{}
	}
	m := f.files[key]
	if m == nil {
		m = f.read(name, id)
		f.files[key] = m
	}
	if m.err != nil || offset == 0 {
		return nil, m.err
	}
	places, ok := m.known[offset]
	if !ok {
		places = m.find(offset)
		m.known[offset] = places
	}
	return places, nil
}

// read opens a file, and the file with the symbols that were stripped from it.
func (f *Finder) read(name, id string) *file {
	m := &file{known: map[uint64][]Place{}}
	own, err := f.openELF(name)
	if err != nil {
		m.err = ErrGone
		return m
	}
	if !isSame(own, name, id) {
		m.err = ErrOther
		return m
	}
	debug := own
	if own.Section(".debug_info") == nil && own.Section(".zdebug_info") == nil {
		if debug = f.separate(own, name); debug == nil {
			debug = own
		}
	}
	m.data, _ = debug.DWARF() // without lines, places are addresses
	for _, e := range []*elf.File{own, debug} {
		symbols, _ := e.Symbols()
		dynamic, _ := e.DynamicSymbols()
		m.names = append(append(m.names, symbols...), dynamic...)
	}
	m.names = slices.DeleteFunc(m.names, func(s elf.Symbol) bool {
		return elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Section == elf.SHN_UNDEF || s.Size == 0
	})
	slices.SortStableFunc(m.names, func(a, b elf.Symbol) int { return cmp.Compare(a.Value, b.Value) })
	return m
}

// openELF opens a regular file.
func (f *Finder) openELF(name string) (*elf.File, error) {
	if !filepath.IsAbs(name) {
		return nil, os.ErrNotExist
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, os.ErrNotExist
	}
	o, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	e, err := elf.NewFile(o)
	if err != nil {
		o.Close()
		return nil, err
	}
	f.open = append(f.open, o)
	return e, nil
}

// isSame reports whether a file is the file that ran.
func isSame(e *elf.File, name, id string) bool {
	if own := buildID(e); own != "" {
		return own == id
	}
	info, err := os.Stat(name)
	return err == nil && id == fmt.Sprintf("%d.%d", info.Size(), info.ModTime().Unix())
}

// buildID returns the build id that the linker gave the file, in hexadecimal; "" without one.
func buildID(e *elf.File) string {
	s := e.Section(".note.gnu.build-id")
	if s == nil {
		return ""
	}
	note, err := s.Data()
	if err != nil || len(note) <= 16 { // three numbers and "GNU"
		return ""
	}
	return fmt.Sprintf("%x", note[16:])
}

// find finds the functions around the call that returns to an address.
func (m *file) find(offset uint64) []Place {
	pc := offset - 1 // of the call
	outer := Place{}
	if s := m.symbolAt(pc); s != nil {
		outer.Function, outer.Offset = s.Name, offset-s.Value
	}
	if m.data == nil {
		return some(outer)
	}
	r := m.data.Reader()
	unit, err := r.SeekPC(pc)
	if err != nil {
		return some(outer)
	}
	lines, err := m.data.LineReader(unit)
	if err != nil || lines == nil {
		return some(outer)
	}
	outer.File, outer.Line = lineAt(lines, pc)
	return m.inlined(r, pc, outer, lines.Files())
}

// lineAt returns the file and line of an address. The table of lines has a part for each section, in any order.
func lineAt(lines *dwarf.LineReader, pc uint64) (file string, line int) {
	var last, e dwarf.LineEntry
	last.EndSequence = true
	for lines.Next(&e) == nil {
		if !last.EndSequence && last.Address <= pc && pc < e.Address && last.File != nil {
			return path.Base(last.File.Name), last.Line
		}
		last = e
	}
	return "", 0
}

// some returns a list with the place; nil for the zero value.
func some(p Place) []Place {
	if p == (Place{}) {
		return nil
	}
	return []Place{p}
}

// symbolAt returns the function that contains an address, nil for none.
func (m *file) symbolAt(pc uint64) *elf.Symbol {
	n, _ := slices.BinarySearchFunc(m.names, pc, func(s elf.Symbol, pc uint64) int {
		if s.Value > pc {
			return 1
		}
		return -1
	})
	for i := n - 1; i >= 0 && i >= n-8; i-- { // functions may begin at the same address or be nested
		if s := &m.names[i]; pc-s.Value < s.Size {
			return s
		}
	}
	return nil
}

// inlined returns the functions at an address, the innermost first: the outermost function and those that the
// compiler inlined into it. The innermost one gets the line of the address, each other the line of its call. The
// reader must stand behind the unit.
func (m *file) inlined(r *dwarf.Reader, pc uint64, outer Place, files []*dwarf.LineFile) []Place {
	list := []Place{outer} // the outermost first
	function := -1         // the depth of the function at the address
	for depth := 0; depth > function; {
		e, err := r.Next()
		if err != nil || e == nil {
			break
		}
		if e.Tag == 0 {
			depth--
			continue
		}
		within := false
		switch e.Tag {
		case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine, dwarf.TagLexDwarfBlock:
			within = m.holds(e, pc)
		case dwarf.TagNamespace, dwarf.TagModule:
			within = len(list) == 1
		}
		switch {
		case within && e.Tag == dwarf.TagSubprogram:
			function = depth
			if list[0].Function == "" {
				list[0].Function = m.nameOf(e)
			}
		case within && e.Tag == dwarf.TagInlinedSubroutine:
			list = m.nest(list, e, files)
		}
		if e.Children && within {
			depth++
		} else if within && e.Tag == dwarf.TagSubprogram {
			break
		} else if e.Children {
			r.SkipChildren()
		}
	}
	slices.Reverse(list)
	return list
}

// nest appends an inlined function as the innermost one.
func (m *file) nest(list []Place, e *dwarf.Entry, files []*dwarf.LineFile) []Place {
	last := &list[len(list)-1]
	inner := Place{Function: m.nameOf(e), Offset: last.Offset, File: last.File, Line: last.Line}
	last.File, last.Line = "", 0
	number, _ := e.Val(dwarf.AttrCallFile).(int64)
	line, _ := e.Val(dwarf.AttrCallLine).(int64)
	if number >= 0 && int(number) < len(files) && files[number] != nil && line > 0 {
		last.File, last.Line = path.Base(files[number].Name), int(line)
	}
	return append(list, inner)
}

// holds reports whether an address is in the ranges of an entry.
func (m *file) holds(e *dwarf.Entry, pc uint64) bool {
	ranges, err := m.data.Ranges(e)
	return err == nil && slices.ContainsFunc(ranges, func(r [2]uint64) bool { return r[0] <= pc && pc < r[1] })
}

// nameOf returns the name of a function: the linker's, where the function has one.
func (m *file) nameOf(e *dwarf.Entry) string {
	for range 8 { // from the inlined call to its function, to the declaration
		if name, ok := e.Val(dwarf.AttrLinkageName).(string); ok {
			return name
		}
		at, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			at, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			break
		}
		r := m.data.Reader()
		r.Seek(at)
		next, err := r.Next()
		if err != nil || next == nil {
			break
		}
		if name, ok := e.Val(dwarf.AttrName).(string); ok && next.Val(dwarf.AttrName) == nil {
			return name
		}
		e = next
	}
	name, _ := e.Val(dwarf.AttrName).(string)
	return name
}

// debugFolder is where distributions keep the symbols that they strip from programs.
const debugFolder = "/usr/lib/debug"

// separate finds the file with a file's stripped symbols, as debuggers do: by the build id, or by the name and the
// checksum in .gnu_debuglink; nil where there is none.
func (f *Finder) separate(own *elf.File, name string) *elf.File {
	id := buildID(own)
	if len(id) > 2 {
		if e := f.belonging(filepath.Join(debugFolder, ".build-id", id[:2], id[2:]+".debug"), id, nil); e != nil {
			return e
		}
	}
	s := own.Section(".gnu_debuglink")
	if s == nil {
		return nil
	}
	link, err := s.Data()
	end := bytes.IndexByte(link, 0)
	if err != nil || end < 1 || len(link) < end+5 {
		return nil
	}
	base := filepath.Base(string(link[:end]))
	sum := own.ByteOrder.Uint32(link[len(link)-4:])
	folder := filepath.Dir(name)
	for _, at := range []string{folder, filepath.Join(folder, ".debug"), filepath.Join(debugFolder, folder)} {
		if e := f.belonging(filepath.Join(at, base), id, &sum); e != nil {
			return e
		}
	}
	return nil
}

// belonging opens a file of symbols, and returns nil where it is of another build. Without build ids, the checksum of
// the file must be sum.
func (f *Finder) belonging(name, id string, sum *uint32) *elf.File {
	e, err := f.openELF(name)
	if err != nil {
		return nil
	}
	if own := buildID(e); id != "" || own != "" {
		if id != own {
			return nil
		}
		return e
	}
	h := crc32.NewIEEE()
	if _, err := io.Copy(h, f.open[len(f.open)-1]); sum == nil || err != nil || h.Sum32() != *sum {
		return nil
	}
	return e
}
