package recording

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/wholefile"
)

// Complete makes an archive readable on other machines. It replaces addresses and paths of files by the functions and
// lines of places, and moves the files that killed processes left beside the archive into it. It must run on the
// machine where the program ran.
func Complete(ctx context.Context, file string) error {
	r, err := Read(ctx, file)
	if err != nil {
		return err
	}
	whole, err := wholefile.Read(file)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	c := &completion{r: r, to: tar.NewWriter(&b)}
	defer c.sites.find.Close()
	there, err := c.archive(bytes.NewReader(whole))
	var parts []string
	for _, p := range r.Processes {
		if part := filepath.Join(file+PartsFolder, strconv.Itoa(p.Rank)+".txt"); err == nil && !p.Missing && !there[p.Rank] {
			parts = append(parts, part)
			err = c.part(part, p.Rank)
		}
	}
	if err = errors.Join(err, c.to.Close()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := wholefile.Write(file, b.Bytes(), 0o666); err != nil {
		return err
	}
	for _, part := range parts {
		err = errors.Join(err, os.Remove(part))
	}
	os.Remove(file + PartsFolder) // it stays where it has files of another run
	return err
}

// completion rewrites an archive.
type completion struct {
	r     *Recording
	to    *tar.Writer
	sites siteTable
}

// archive copies the members of the archive, and returns the processes whose files are among them.
func (c *completion) archive(from io.Reader) (there map[int]bool, err error) {
	there = map[int]bool{}
	for in := tar.NewReader(from); ; {
		h, err := in.Next()
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return there, nil // the archive lacks its last blocks, or a member is cut
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(in)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return there, nil
		}
		if err != nil {
			return nil, err
		}
		if rank, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(h.Name, callsFolder+"/"), ".txt")); err == nil && rank < len(c.r.Processes) {
			there[rank] = true
			if text, err = c.named(text, rank); err != nil {
				return nil, err
			}
		}
		if err := c.add(h, text); err != nil {
			return nil, err
		}
	}
}

// add writes a member of the archive.
func (c *completion) add(h *tar.Header, text []byte) error {
	h.Size = int64(len(text))
	if err := c.to.WriteHeader(h); err != nil {
		return err
	}
	_, err := c.to.Write(text)
	return err
}

// part adds the file that a process left beside the archive.
func (c *completion) part(file string, rank int) error {
	text, err := wholefile.Read(file)
	if err != nil {
		return err
	}
	if text, err = c.named(text[:bytes.LastIndexByte(text, '\n')+1], rank); err != nil {
		return err
	}
	return c.add(&tar.Header{Name: fmt.Sprintf("%s/%d.txt", callsFolder, rank), Mode: 0o644, Typeflag: tar.TypeReg}, text)
}

// named returns the file of a process with functions and lines in place of addresses.
func (c *completion) named(text []byte, rank int) ([]byte, error) {
	in := &processReader{p: &Process{Rank: rank}, r: c.r, sites: &c.sites}
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
		places, head := []string(nil), ""
		switch {
		case fields[0] == "module":
			if err := in.module(fields); err != nil {
				return nil, err
			}
			continue
		case fields[0] == "line":
			if err := in.pythonLine(fields); err != nil {
				return nil, err
			}
			continue
		case fields[0] == "stack" && len(fields) > 2:
			places, head = fields[2:], "site\t"+fields[1]
		case fields[0] == "fault":
			places, head = fields[1:], "died"
		default:
			b.Write(line)
			continue
		}
		frames, err := in.frames(places)
		if err != nil {
			return nil, err
		}
		b.WriteString(head)
		for _, f := range frames {
			b.WriteString("\t" + f.fields())
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// fields writes the frame as recordings have it: the module, with a / before it for modules of the system, the function
// with the offset, and the line.
func (f Frame) fields() string {
	module, line := f.Module, ""
	if f.system {
		module = path.Join("/", f.Module)
	}
	if f.Line > 0 {
		line = f.File + ":" + strconv.Itoa(f.Line)
	}
	return module + "\t" + f.Function + f.Offset + "\t" + line
}
