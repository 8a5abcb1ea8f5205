package symbols

import (
	"bytes"
	"debug/elf"
	"hash/crc32"
	"io"
	"path/filepath"
)

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
