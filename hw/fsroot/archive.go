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
)

// Bounds on what an archive may make us hold. A large server's /proc and /sys stay far below them.
const (
	maxUnpacked = 256 << 20 // bytes of the archive unpacked
	maxContent  = 64 << 20  // bytes of its files together
	maxFile     = 4 << 20   // bytes of one file
	maxEntries  = 1 << 19   // files, folders and links
	maxPath     = 4096      // bytes of a name or of a link's target, as on Linux
)

var (
	errTooLarge = fmt.Errorf("more than %d MB unpacked", maxUnpacked>>20)
	errTooMuch  = fmt.Errorf("more than %d MB of files in it", maxContent>>20)
)

// unpack reads an archive into memory: tar, or tar compressed by gzip or bzip2, whatever it is called.
func unpack(ctx context.Context, r io.Reader) (tree, error) {
	plain, err := decompress(r)
	if err != nil {
		return tree{}, damage(err)
	}
	u := unpacking{tree: tree{newFolder()}}
	stream := &bounded{ctx: ctx, r: plain, left: maxUnpacked + 1}
	for archive, first := tar.NewReader(stream), true; ; first = false {
		h, err := archive.Next()
		switch {
		case first && stream.ended, first && errors.Is(err, tar.ErrHeader):
			return tree{}, errors.New("neither a folder nor a tar archive (plain, gzip or bzip2)")
		case err == io.EOF && stream.ended:
			return tree{}, damage(io.ErrUnexpectedEOF) // there are no blocks of zeros, which end an archive
		case err == io.EOF:
			// To the end, where the check sums are.
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

// decompress undoes the compression that the first bytes tell.
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

// damage says in words what a reader of archives found.
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

// bounded gives up after a number of bytes, so that no small archive fills the memory.
type bounded struct {
	ctx   context.Context
	r     io.Reader
	left  int64
	ended bool // a read found nothing left
}

// Read reads the next bytes of the unpacked archive.
func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left == 0 {
		return 0, errTooLarge
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if n > 0 && err == io.EOF {
		err = nil // the next read tells it
	}
	b.ended = b.ended || err == io.EOF
	return n, err
}
