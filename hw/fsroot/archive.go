package fsroot

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

// Bounds limit how much an archive may make us hold.
type Bounds struct {
	Unpacked int64 // bytes of the archive unpacked
	Content  int64 // bytes of its files together
	File     int64 // bytes of one file
	Entries  int   // files, folders and links
	Once     bool  // each name may be there once: of tar, the last file of a name counts
	Unended  bool  // the blocks of zeros at the end of an archive may be missing: its writer may have been killed
}

// oneMachine bounds the archive of one machine. A large server's /proc and /sys stay far below it.
var oneMachine = Bounds{Unpacked: 256 << 20, Content: 64 << 20, File: 4 << 20, Entries: 1 << 19}

// maxPath is how many bytes a name or a link's target may have, as on Linux.
const maxPath = 4096

// ErrNoArchive is the error for a file that is neither a folder nor a tar archive.
var ErrNoArchive = errors.New("neither a folder nor a tar archive (plain, gzip or bzip2)")

// errTooLarge is the error when reading stops at a bound.
var errTooLarge = errors.New("the archive is too large")

// tooLarge is errTooLarge with the bound in bytes.
type tooLarge struct {
	bytes int64
	of    string
}

// Error tells how large the archive may be.
func (e tooLarge) Error() string { return fmt.Sprintf("more than %d MB %s", e.bytes>>20, e.of) }

// Is reports whether target is errTooLarge.
func (e tooLarge) Is(target error) bool { return target == errTooLarge }

// Unpack reads an archive into memory, as a file system whose symbolic links cannot leave it: tar, plain or
// compressed by gzip or bzip2, whatever the file is called. It returns an error for a file that is not an archive,
// which names the writer of the right archive ("the probe"), and for an archive that is truncated, damaged, or
// larger than the bounds.
func Unpack(ctx context.Context, r io.Reader, writer string, b Bounds) (fs.FS, error) {
	t, err := unpack(ctx, r, b)
	if errors.Is(err, ErrNoArchive) {
		return nil, fmt.Errorf("it is not a tar archive: want the one that %s wrote", writer)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// UnpackFile unpacks the archive at path as Unpack does. Its errors do not name path: the caller does.
func UnpackFile(ctx context.Context, path, writer string, b Bounds) (fs.FS, error) {
	f, err := wholefile.Open(path)
	switch {
	case errors.Is(err, wholefile.ErrNotOrdinary):
		return nil, fmt.Errorf("it is not a file: want the tar archive that %s wrote", writer)
	case err != nil:
		return nil, withoutPath(err, path)
	}
	defer f.Close()
	t, err := Unpack(ctx, f, writer, b)
	return t, withoutPath(err, path)
}

// withoutPath strips path from an error about the file at path, for callers that name the file themselves.
func withoutPath(err error, path string) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok && pe.Path == path {
		return pe.Err
	}
	return err
}

// unpack reads an archive into memory.
func unpack(ctx context.Context, r io.Reader, b Bounds) (tree, error) {
	plain, err := decompress(r)
	if err != nil {
		return tree{}, damage(err)
	}
	u := unpacking{tree: tree{newFolder()}, bounds: b}
	stream := &bounded{ctx: ctx, r: plain, left: b.Unpacked + 1, most: b.Unpacked}
	for archive, first := tar.NewReader(stream), true; ; first = false {
		h, err := archive.Next()
		switch {
		case first && stream.ended, first && errors.Is(err, tar.ErrHeader):
			return tree{}, ErrNoArchive
		case err == io.EOF && stream.ended && !b.Unended:
			return tree{}, damage(io.ErrUnexpectedEOF) // the blocks of zeros at the end of an archive are missing
		case err == io.EOF:
			// Read to the end, where the check sums are.
			_, err := io.Copy(io.Discard, stream)
			return u.tree, damage(err)
		case err != nil:
			return tree{}, damage(err)
		}
		if err := u.add(h, archive); err != nil {
			return tree{}, err
		}
	}
}

// decompress undoes the compression that the first bytes announce.
func decompress(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(3)
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzip.NewReader(b)
	case bytes.HasPrefix(head, []byte("BZh")):
		return bzip2.NewReader(b), nil
	}
	return b, nil
}

// damage translates an error of the archive's reader into words.
func damage(err error) error {
	switch {
	case err == nil, errors.Is(err, errTooLarge), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the archive is truncated")
	}
	return fmt.Errorf("the archive is damaged: %w", err)
}

// bounded stops reading with an error after a number of bytes, so that no small archive fills the memory.
type bounded struct {
	ctx   context.Context
	r     io.Reader
	left  int64
	most  int64
	ended bool // a read found nothing left
}

// Read reads the next bytes of the unpacked archive.
func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left == 0 {
		return 0, tooLarge{b.most, "unpacked"}
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if n > 0 && err == io.EOF {
		err = nil // the next read returns the error
	}
	b.ended = b.ended || err == io.EOF
	return n, err
}
