// Package source turns the text that names hardware everywhere (--topo, .open) into a
// topology: this machine, a copy of another's /proc and /sys, the hosts of a job, an
// hwloc XML file, a preset, or a synthetic description. It only decides which of them
// the text names; packages detect, fsroot, job, hwlocxml, preset and synthetic do the
// work.
package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/detect"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

// copied is the prefix for a copy of a machine's /proc and /sys, ran the prefix for a
// file with the placement of a job.
const (
	copied = "fsroot:"
	ran    = "job:"
)

// Outside reports whether spec names this machine or a file: its text may be right even
// where it cannot be loaded.
func Outside(spec string) bool {
	text, _, _ := cutSlurm(spec)
	return text == "" || text == "this" || text == piped || named(text, copied) || named(text, ran) || isXML(text)
}

// ReadsFile reports whether some part of spec names a file.
func ReadsFile(spec string) bool {
	machines, _, _ := cutSlurm(spec)
	parts, err := split(machines)
	if err != nil {
		return false // it is not loaded either
	}
	return slices.ContainsFunc(parts, func(p part) bool {
		return named(p.spec, copied) || named(p.spec, ran) || isXML(p.spec)
	})
}

// IsJob reports whether spec names the hosts and ranks of a job.
func IsJob(spec string) bool { return strings.HasPrefix(strings.TrimSpace(spec), ran) }

// Title returns the name of a spec in pictures and documents: for a job's archive, the
// file name without folders.
func Title(spec string) string {
	if text, _, _ := cutSlurm(spec); named(text, ran) {
		return ran + path.Base(filepath.ToSlash(strings.TrimPrefix(text, ran)))
	}
	return spec
}

// named reports whether text is a prefix with a path after it.
func named(text, prefix string) bool { return strings.HasPrefix(text, prefix) && text != prefix }

func isXML(text string) bool { return strings.HasSuffix(strings.ToLower(text), ".xml") }

// loadOne returns the topology that spec names: "" or "this" is the machine we run on,
// "-" the hwloc file on standard input (see WithInput), "job:FILE" the hosts of a job,
// "fsroot:PATH" the Linux machine
// whose /proc and /sys are in the folder or tar archive PATH. A spec that ends in .xml
// is a file that hwloc wrote, a spec that has a ':' or starts with a digit, '[' or '('
// is a synthetic description, and any other spec is the name of a preset. Errors of descriptions
// are of type *synthetic.Error; those of an XML file name its line; the error for an
// unknown name proposes the nearest preset.
func loadOne(ctx context.Context, spec string) (t *hw.Topology, err error) {
	switch text := strings.TrimSpace(spec); {
	case text == "", text == "this":
		t, err = detect.This(ctx)
	case text == piped:
		t, err = fromInput(ctx)
	case strings.HasPrefix(text, ran):
		t, err = loadJob(ctx, text)
	case strings.HasPrefix(text, copied):
		t, err = loadCopy(ctx, text, strings.TrimPrefix(text, copied))
	case isXML(text):
		t, err = fromFile(text)
	case isSynthetic(text):
		root, notes, err := synthetic.Parse(text)
		if err != nil {
			return nil, err
		}
		return hw.New(text, root, notes...), nil
	default:
		if t, ok := preset.Lookup(text); ok {
			return t, nil
		}
		return nil, unknown(text)
	}
	if err != nil && Outside(spec) {
		err = &Unavailable{err}
	}
	return t, err
}

// fromFile reads an hwloc XML file.
func fromFile(path string) (*hw.Topology, error) {
	f, err := wholefile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("hardware %q: there is no such file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("hardware %q: cannot open the file: %w", path, errors.Unwrap(err))
	}
	defer f.Close()
	t, err := hwlocxml.Read(f)
	if err != nil {
		return nil, fmt.Errorf("hardware %q: %w", path, err)
	}
	t.Name = path
	return t, nil
}

// Inline is the topology's name when the spec is the text of an hwloc XML file.
const Inline = "(inline)"

// fromText reads the text of an hwloc XML file.
func fromText(text string) (*hw.Topology, error) {
	t, err := hwlocxml.Read(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("hardware %q: %w", hw.Clip(firstLine(text)), err)
	}
	t.Name = Inline
	return t, nil
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(first)
}

func isSynthetic(text string) bool {
	return strings.Contains(text, ":") || strings.ContainsRune("0123456789[({", rune(text[0]))
}

func unknown(text string) error {
	switch i, err := os.Stat(text); {
	case err == nil && i.IsDir():
		return fmt.Errorf("hardware %q is a folder: write fsroot:%s if the folder has /proc and /sys of a machine", text, text)
	case err == nil:
		return fmt.Errorf("hardware %q is a file, but neither FILE.xml of hwloc nor, as job:%s, the ranks of a job", text, text)
	}
	if near := spell.Nearest(text, preset.Names()); near != "" {
		return fmt.Errorf("hardware %q is unknown: did you mean %s?", text, near)
	}
	return fmt.Errorf("hardware %q is unknown: use this, a file FILE.xml, fsroot:PATH or job:FILE, a description such as "+
		"\"pack:2 core:4 pu:2\", or a preset: %s", text, strings.Join(preset.Names(), ", "))
}

// piped is the text that names an hwloc file on standard input.
const piped = "-"

// input is standard input, which can be read only once. It keeps the topology for
// later calls of Load.
type input struct {
	file io.Reader
	why  string // it cannot be read
	once sync.Once
	done chan struct{}
	read *hw.Topology
	err  error
}

type inputKey struct{}

// WithInput makes a context in which Load reads "-" from file.
func WithInput(ctx context.Context, file io.Reader) context.Context {
	return context.WithValue(ctx, inputKey{}, &input{file: file, done: make(chan struct{})})
}

// WithoutInput makes a context in which Load cannot read "-"; why is the reason
// for the error.
func WithoutInput(ctx context.Context, why string) context.Context {
	return context.WithValue(ctx, inputKey{}, &input{why: why})
}

// fromInput returns the topology in the hwloc file on standard input; the first
// call reads the file. It waits no longer than ctx lasts.
func fromInput(ctx context.Context) (*hw.Topology, error) {
	in, _ := ctx.Value(inputKey{}).(*input)
	switch {
	case in == nil:
		return nil, errors.New(`hardware "-": there is no standard input here`)
	case in.why != "":
		return nil, fmt.Errorf("hardware %q: %s", piped, in.why)
	}
	in.once.Do(func() {
		go func() {
			defer close(in.done)
			if in.read, in.err = hwlocxml.Read(in.file); in.err == nil {
				in.read.Name = "<stdin>"
			}
		}()
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-in.done:
	}
	if in.err != nil {
		return nil, fmt.Errorf("hardware %q: standard input: %w", piped, in.err)
	}
	return in.read, nil
}

// archiveEnds lists the endings of archives' names.
func archiveEnds() []string { return []string{".tar", ".tar.gz", ".tgz", ".tar.bz2"} }

// isArchive reports whether a file has the name of an archive. Only the content tells whether the file is an
// archive.
func isArchive(name string) bool {
	return slices.ContainsFunc(archiveEnds(), func(end string) bool {
		return strings.HasSuffix(strings.ToLower(name), end)
	})
}

// Names returns the words that name a machine without a file: this, and the presets.
func Names() []string { return append([]string{"this"}, preset.Names()...) }

// Complete lists the texts that begin with text and name one machine or a job: words, presets, hwloc files and,
// after fsroot: and job:, archives. The list includes folders in which such files may be; they end in '/'.
func Complete(text string) []string {
	for _, prefix := range []string{copied, ran} {
		if path, ok := strings.CutPrefix(text, prefix); ok {
			list := Files(path, isArchive)
			for i := range list {
				list[i] = prefix + list[i]
			}
			return list
		}
	}
	words := append(Names(), copied, ran)
	list := slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, text) })
	if text == "" {
		return list
	}
	return append(list, Files(text, isXML)...)
}

// Files lists the paths that begin with text: files whose names are wanted, and folders, which end in '/'. It
// omits hidden files until text names them; a folder that cannot be read has no files.
func Files(text string, wanted func(name string) bool) []string {
	var list []string
	dir, base := filepath.Split(text)
	entries, _ := os.ReadDir(cmp.Or(dir, "."))
	for _, e := range entries {
		name := e.Name()
		switch {
		case !strings.HasPrefix(name, base) || base == "" && name[0] == '.':
		case e.IsDir():
			list = append(list, dir+name+"/")
		case wanted(name):
			list = append(list, dir+name)
		}
	}
	return list
}
