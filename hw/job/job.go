// Package job reads where the ranks of a real MPI job ran, and on what hardware: the archive that the
// program of package probe writes on a cluster.
//
// Model: a tar archive, plain or compressed, holds job.txt and the topologies that it names. The first line
// of job.txt is "commsplit job 1"; then come, separated by tabs,
//
//	host	NAME	TOPOLOGY
//	rank	N	NAME	PUS
//
// and comments after '#'. TOPOLOGY is a file of the archive, an hwloc XML file whose name ends in .xml, or the
// files of a Linux machine's proc and sys: a folder of the archive, or a file whose name ends in .files, which
// lists them (fsroot.Listed) and is a tenth as large; hosts may share one. Ranks count from 0; the line of a rank's
// host comes before the rank's line. PUS are the os indexes of the PUs that the rank might use, such as
// 0-3,8. A host has the PUs that its topology allows and those that its ranks used.
//
// The package ignores other files of the archive: a recording also has the calls of the ranks.
//
// The file does not name the MPI library and the launcher, nor the environment.
package job

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/fsroot"
)

// limits bound how much a file may make us hold: a million ranks, and hundreds of different large machines.
var limits = fsroot.Bounds{Unpacked: 1 << 30, Content: 256 << 20, File: 64 << 20, Entries: 1 << 20, Unended: true}

// writer names the program that writes the file.
const writer = "the probe"

// Job is what a file holds.
type Job struct {
	Hosts []*hw.Object  // the machines, each with its name, in the order of the file; at least one
	Ranks []*hw.Binding // by rank, with indexes into Hosts; at least one
	Notes []string      // what the topologies tell, with the hosts that it is about
}

// Read reads the file at path. The error names path, the file in the archive and its line.
func Read(ctx context.Context, path string) (*Job, error) {
	var j *Job
	archive, err := fsroot.UnpackFile(ctx, path, writer, limits)
	if err == nil {
		j, err = read(archive)
	}
	if err != nil {
		return nil, fmt.Errorf("job:%s: %w", path, err)
	}
	return j, nil
}

// ReadArchive reads a job from an archive that is not in a file.
func ReadArchive(ctx context.Context, r io.Reader) (*Job, error) {
	archive, err := fsroot.Unpack(ctx, r, writer, limits)
	if err != nil {
		return nil, err
	}
	return read(archive)
}

func read(archive fs.FS) (*Job, error) {
	text, err := fs.ReadFile(archive, listFile)
	if err != nil {
		return nil, fmt.Errorf("it contains no %s: want the complete archive of the probe", listFile)
	}
	l, err := parse(string(text))
	if err != nil {
		return nil, err
	}
	return l.job(archive)
}
