package sysfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

const (
	// maxCPUs bounds the numbers of PUs, maxNodes those of NUMA nodes, of which
	// Linux has at most 1024.
	maxCPUs  = 65536
	maxNodes = 1024
	// maxFile is how many bytes of one file are read.
	maxFile = 64 << 10
	// maxRead is how many bytes of one machine are read: files may be links to
	// one another.
	maxRead = 256 << 20
	// maxMasks is how many masks a reader remembers.
	maxMasks = 1024
)

// reader reads the small text files of one Linux machine. It keeps the first error: after that error all files count as
// missing.
type reader struct {
	root  fs.FS
	err   error
	used  hw.Set // PUs that are allowed whatever the cgroup says
	whole bool   // the cgroup does not count
	cpu   processor
	speed map[*hw.Object]speedOf // of the NUMA nodes
	far   []hw.Matrix            // distances
	slow  []hw.MemAttr           // speeds of memory
	notes []string               // about what is restricted or not known
	read  int                    // bytes so far
	// masks remembers the sets of texts: all PUs of a package have the same
	// masks.
	masks map[string]hw.Set
}

func (r *reader) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// fail keeps an error, if none came before.
func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// failed returns the error and forgets it, for a part of the machine without which the rest can be read.
func (r *reader) failed() error {
	err := r.err
	r.err = nil
	return err
}

// text returns the content of a file without surrounding blanks, up to the NUL
// byte that some kernels and recordings end it with. A missing file is not an
// error: ok is false.
func (r *reader) text(path string) (text string, ok bool) {
	head, whole, ok := r.head(path)
	if !whole {
		r.fail("%s: longer than %d bytes", path, maxFile)
		return "", false
	}
	head, _, _ = strings.Cut(head, "\x00")
	return strings.TrimSpace(head), ok
}

// head returns the first maxFile bytes of a file, and in whole whether that is
// all. ok is false for a missing file.
func (r *reader) head(path string) (text string, whole, ok bool) {
	if r.err != nil {
		return "", true, false
	}
	f, err := r.root.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", true, false
	}
	if err != nil {
		r.fail("cannot open %s: %w", path, Cause(err))
		return "", true, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	r.read += len(data)
	switch {
	case err != nil:
		r.fail("cannot read %s: %w", path, Cause(err))
	case r.read > maxRead:
		r.fail("more than %d MB of files about one machine", maxRead>>20)
	case len(data) > maxFile:
		return string(data[:maxFile]), false, true
	default:
		return string(data), true, true
	}
	return "", true, false
}

// Cause strips the path from an error, for a message that names the file itself.
func Cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// number reads a decimal number; it may be negative (a package id of -1) or
// larger than an os index. ok is false when the file is missing or empty.
func (r *reader) number(path string) (n int, ok bool) {
	text, _ := r.text(path)
	if text == "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		r.fail("%s: %q is not a number", path, hw.Clip(text))
		return 0, false
	}
	return n, true
}

// index reads an os index: hw.Unknown when the file is missing or negative.
func (r *reader) index(path string) int {
	n, ok := r.number(path)
	if !ok || n < 0 {
		return hw.Unknown
	}
	return n
}

// mask reads a file in the kernel's mask format. ok is false when the file is
// missing or empty.
func (r *reader) mask(path string) (s hw.Set, ok bool) {
	text, _ := r.text(path)
	if text == "" {
		return hw.Set{}, false
	}
	if s, ok = r.masks[text]; ok {
		return s, true
	}
	s, err := ParseMask(text)
	if err != nil {
		r.fail("%s: %w", path, err)
		return hw.Set{}, false
	}
	if r.masks == nil || len(r.masks) == maxMasks {
		r.masks = map[string]hw.Set{}
	}
	r.masks[text] = s
	return s, true
}

// list reads a file in the Linux list format, such as cpu/online, of numbers
// below end. ok is false when the file is missing or empty.
func (r *reader) list(path string, end int) (s hw.Set, ok bool) {
	text, _ := r.text(path)
	if text == "" {
		return hw.Set{}, false
	}
	s, err := hw.ParseListUpTo(text, end-1)
	if err != nil {
		r.fail("%s: %w", path, err)
	}
	return s, err == nil
}

// numbered returns the numbers N of the entries prefixN of a folder, such as
// cpu0, cpu1; the empty set when there is no such folder.
func (r *reader) numbered(folder, prefix string) (s hw.Set) {
	for _, name := range r.entries(folder) {
		digits, ok := strings.CutPrefix(name, prefix)
		if !ok || strings.Trim(digits, "0123456789") != "" || digits == "" {
			continue
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n >= maxCPUs {
			r.fail("%s/%s: numbers end at %d", folder, name, maxCPUs-1)
			return hw.Set{}
		}
		s.Add(n)
	}
	return s
}

// entries lists the names in a folder in order; nil when there is no such
// folder.
func (r *reader) entries(folder string) []string {
	if r.err != nil {
		return nil
	}
	entries, err := fs.ReadDir(r.root, folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		r.fail("cannot read %s: %w", folder, Cause(err))
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// ParseMask reads the kernel's mask format: groups of at most 8 hexadecimal
// digits, 32 PUs each, the last group holding PUs 0-31: "0000000f,00000001".
func ParseMask(text string) (hw.Set, error) {
	var s hw.Set
	// Begin with the last group: a set grows best at its end.
	for base, end := 0, len(text); end >= 0; base += 32 {
		comma := strings.LastIndexByte(text[:end], ',')
		group := text[comma+1 : end]
		end = comma
		word, err := strconv.ParseUint(group, 16, 32)
		if err != nil {
			return hw.Set{}, fmt.Errorf("%q in mask %q is not a hexadecimal group of 32 bits",
				hw.Clip(group), hw.Clip(text))
		}
		for ; word != 0; word &= word - 1 {
			bit := base + bits.TrailingZeros64(word)
			if bit >= maxCPUs {
				return hw.Set{}, fmt.Errorf("number %d is above the limit of %d", bit, maxCPUs-1)
			}
			s.Add(bit)
		}
	}
	return s, nil
}
