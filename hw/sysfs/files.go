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

// reader reads the small text files of one Linux machine.
type reader struct {
	root  fs.FS
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

// text returns the content of a file without surrounding blanks, up to the NUL
// byte that some kernels and recordings end it with. A missing file is not an
// error: ok is false.
func (r *reader) text(path string) (text string, ok bool, err error) {
	head, whole, ok, err := r.head(path)
	if err == nil && !whole {
		err = fmt.Errorf("%s: longer than %d bytes", path, maxFile)
	}
	if err != nil || !ok {
		return "", false, err
	}
	head, _, _ = strings.Cut(head, "\x00")
	return strings.TrimSpace(head), true, nil
}

// head returns the first maxFile bytes of a file, and in whole whether that is
// all. ok is false for a missing file.
func (r *reader) head(path string) (text string, whole, ok bool, err error) {
	f, err := r.root.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", true, false, nil
	}
	if err != nil {
		return "", false, false, fmt.Errorf("cannot open %s: %w", path, Cause(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return "", false, false, fmt.Errorf("cannot read %s: %w", path, Cause(err))
	}
	if r.read += len(data); r.read > maxRead {
		return "", false, false, fmt.Errorf("more than %d MB of files about one machine", maxRead>>20)
	}
	if len(data) > maxFile {
		return string(data[:maxFile]), false, true, nil
	}
	return string(data), true, true, nil
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
func (r *reader) number(path string) (n int, ok bool, err error) {
	text, _, err := r.text(path)
	if err != nil || text == "" {
		return 0, false, err
	}
	n, err = strconv.Atoi(text)
	if err != nil {
		return 0, false, fmt.Errorf("%s: %q is not a number", path, hw.Clip(text))
	}
	return n, true, nil
}

// index reads an os index: hw.Unknown when the file is missing or negative.
func (r *reader) index(path string) (int, error) {
	n, ok, err := r.number(path)
	if err != nil || !ok || n < 0 {
		return hw.Unknown, err
	}
	return n, nil
}

// mask reads a file in the kernel's mask format. ok is false when the file is
// missing or empty.
func (r *reader) mask(path string) (s hw.Set, ok bool, err error) {
	text, _, err := r.text(path)
	if err != nil || text == "" {
		return hw.Set{}, false, err
	}
	if s, ok = r.masks[text]; ok {
		return s, true, nil
	}
	if s, err = ParseMask(text); err != nil {
		return hw.Set{}, false, fmt.Errorf("%s: %w", path, err)
	}
	if r.masks == nil || len(r.masks) == maxMasks {
		r.masks = map[string]hw.Set{}
	}
	r.masks[text] = s
	return s, true, nil
}

// list reads a file in the Linux list format, such as cpu/online, of numbers
// below end. ok is false when the file is missing or empty.
func (r *reader) list(path string, end int) (s hw.Set, ok bool, err error) {
	text, _, err := r.text(path)
	if err != nil || text == "" {
		return hw.Set{}, false, err
	}
	if s, err = hw.ParseListUpTo(text, end-1); err != nil {
		return hw.Set{}, false, fmt.Errorf("%s: %w", path, err)
	}
	return s, true, nil
}

// numbered returns the numbers N of the entries prefixN of a folder, such as
// cpu0, cpu1; the empty set when there is no such folder.
func (r *reader) numbered(folder, prefix string) (hw.Set, error) {
	var s hw.Set
	names, err := r.entries(folder)
	if err != nil {
		return s, err
	}
	for _, name := range names {
		digits, ok := strings.CutPrefix(name, prefix)
		if !ok || strings.Trim(digits, "0123456789") != "" || digits == "" {
			continue
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n >= maxCPUs {
			return hw.Set{}, fmt.Errorf("%s/%s: numbers end at %d", folder, name, maxCPUs-1)
		}
		s.Add(n)
	}
	return s, nil
}

// entries lists the names in a folder in order; nil when there is no such
// folder.
func (r *reader) entries(folder string) ([]string, error) {
	entries, err := fs.ReadDir(r.root, folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", folder, Cause(err))
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, nil
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
