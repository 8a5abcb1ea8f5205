// Package source turns the text that names hardware everywhere (--topo, .open) into a
// topology: this machine, a copy of another's /proc and /sys, the hosts of a job, an
// hwloc XML file, a preset, or a synthetic description. It only decides which of them
// the text names; packages detect, fsroot, job, hwlocxml, preset and synthetic do the
// work.
package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

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

// Outside reports whether spec names something outside, this machine or a file: when it
// cannot be loaded, the text of spec may still be right.
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
// "-" the hwloc file on standard input (see WithInput), "fsroot:PATH" the Linux machine
// whose /proc and /sys are in the folder or tar archive PATH. A spec that ends in .xml
// is a file that hwloc wrote, a preset's name is that preset, and a spec that has a ':'
// or starts with a digit, '[' or '(' is a synthetic description. Errors of descriptions
// are of type *synthetic.Error; those of an XML file name its line; the error for an
// unknown name proposes the nearest preset.
func loadOne(ctx context.Context, spec string) (*hw.Topology, error) {
	text := strings.TrimSpace(spec)
	if text == "" || text == "this" {
		return detect.This(ctx)
	}
	if text == piped {
		return fromInput(ctx)
	}
	if path, ok := strings.CutPrefix(text, copied); ok {
		return loadCopy(ctx, text, path)
	}
	if t, ok := preset.Lookup(text); ok {
		return t, nil
	}
	switch {
	case isXML(text):
		return fromFile(text)
	case isSynthetic(text):
		root, err := synthetic.Parse(text)
		if err != nil {
			return nil, err
		}
		return hw.New(text, root, synthetic.Notes(root)...), nil
	}
	return nil, unknown(text)
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
	if near := spell.Nearest(text, preset.Names()); near != "" {
		return fmt.Errorf("hardware %q is unknown: did you mean %s?", text, near)
	}
	return fmt.Errorf("hardware %q is unknown: use this, a file FILE.xml, fsroot:PATH or job:FILE, a description such as "+
		"\"pack:2 core:4 pu:2\", or a preset: %s", text, strings.Join(preset.Names(), ", "))
}
