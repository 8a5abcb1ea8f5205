package fsroot

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"codeberg.org/commsplit/commsplit/hw"
)

// Listed reads a list of files into memory, as Unpack reads an archive: of each a line with its type ('0', a file; '2', a
// symbolic link) and its absolute name, a line with its size, and so many bytes, which are a link's target.
func Listed(list []byte, b Bounds) (fs.FS, error) {
	u := unpacking{tree: tree{newFolder()}, bounds: b}
	for len(list) > 0 {
		name, rest, _ := bytes.Cut(list, []byte("\n"))
		number, rest, ended := bytes.Cut(rest, []byte("\n"))
		size, err := strconv.Atoi(string(number))
		switch {
		case !ended, err != nil, size < 0, len(name) < 2, name[1] != '/':
			return nil, fmt.Errorf("%q begins no file of a list: want a type and an absolute name, and below a size", hw.Clip(string(name)))
		case size > len(rest):
			return nil, errors.New("the list is cut")
		}
		h := &tar.Header{Typeflag: name[0], Name: string(name[2:]), Size: int64(size)}
		if h.Typeflag == tar.TypeSymlink {
			h.Linkname = string(rest[:size])
		}
		if err := u.add(h, bytes.NewReader(rest[:size])); err != nil {
			return nil, err
		}
		list = rest[size:]
	}
	return u.tree, nil
}
