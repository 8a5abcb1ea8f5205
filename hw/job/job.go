// Package job reads where the ranks of a real MPI job ran, and on what hardware: the archive that the
// program of package probe writes on a cluster.
//
// Model: a tar archive, plain or compressed, holds job.txt and the topologies that it names. The first line
// of job.txt is "commsplit job 1"; then come, separated by tabs,
//
//	host	NAME	TOPOLOGY
//	rank	N	NAME	PUS
//
// and comments after '#'. TOPOLOGY is a file of the archive, an hwloc XML file whose name ends in .xml, or a
// folder with proc and sys of a Linux machine; hosts may share one. Ranks count from 0, on hosts that have
// their line before; PUS are the os indexes that the rank might use, such as 0-3,8. A host has what its
// topology allows and what its ranks used.
//
// Other files of the archive are passed over: a recording has the calls of the ranks besides.
//
// What MPI library and launcher it was, and the environment, are not in the file.
package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"commsplit/hw"
	"commsplit/hw/fsroot"
)

// limits bound what a file may make us hold: a million ranks, and hundreds of different large machines.
var limits = fsroot.Bounds{Unpacked: 1 << 30, Content: 256 << 20, File: 64 << 20, Entries: 1 << 20, Unended: true}

// Job is what a file holds.
type Job struct {
	Hosts []*hw.Object  // the machines, each with its name, in the order of the file; at least one
	Ranks []*hw.Binding // by rank, with indexes into Hosts; at least one
	Notes []string      // what the topologies tell, with the hosts that it is about
}

// Read reads the file at path. The error names it and, below that, the file of the archive and its line.
func Read(ctx context.Context, path string) (*Job, error) {
	j, err := readFile(ctx, path)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok && pe.Path == path {
			err = pe.Err // the path is told once
		}
		return nil, fmt.Errorf("job:%s: %w", path, err)
	}
	return j, nil
}

func readFile(ctx context.Context, path string) (*Job, error) {
	// Looked at before it is opened: opening a pipe would wait for its writer.
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no file: want the tar archive that the probe wrote")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadArchive(ctx, f)
}

// ReadArchive reads a job from an archive that is no file.
func ReadArchive(ctx context.Context, r io.Reader) (*Job, error) {
	archive, err := fsroot.Unpack(ctx, r, limits)
	switch {
	case errors.Is(err, fsroot.ErrNoArchive):
		return nil, errors.New("it is no tar archive: want the one that the probe wrote")
	case err != nil:
		return nil, err
	}
	text, err := fs.ReadFile(archive, listFile)
	if err != nil {
		return nil, fmt.Errorf("there is no %s in it: want the archive that the probe wrote, complete", listFile)
	}
	l, err := parse(string(text))
	if err != nil {
		return nil, err
	}
	return l.job(archive)
}
