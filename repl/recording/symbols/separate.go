package symbols

import (
	"bytes"
	"debug/elf"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// debugFolder is where distributions put what they strip from programs.
const debugFolder = "/usr/lib/debug"

// separate finds what was stripped from a file, where debuggers look for it: by its build id, or by the name and the check
// sum that it has; nil where it is not there.
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

// belonging opens a file with what was stripped, if it is of the same build; sum is that of the file, nil for none.
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
	o, err := os.Open(name)
	if err != nil || sum == nil {
		return nil
	}
	defer o.Close()
	h := crc32.NewIEEE()
	if _, err := io.Copy(h, o); err != nil || h.Sum32() != *sum {
		return nil
	}
	return e
}
