package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"commsplit/hw/record"
	"commsplit/repl"
)

const recordHelp = `Copy what /proc and /sys tell of this machine's CPUs, caches and NUMA nodes, and
of what this process may use of them, into a tar archive: FILE.tar, FILE.tar.gz
or FILE.tgz. --topo fsroot:FILE reads it back anywhere; unpacked,
lstopo --if fsroot -i machine and lscpu --sysroot machine do, too.

Only files and lines of a fixed list are copied. Serial numbers, UUIDs,
addresses, names of hosts, processes and containers, and all of PCI, networks
and disks are not among them. The same files give the same bytes.`

func newHWRecord(s Streams) *cobra.Command {
	force := false
	c := &cobra.Command{
		Use:     "record FILE",
		Short:   "copy this machine's hardware files into an archive",
		Long:    recordHelp,
		Example: "  commsplit hw record login-node.tar.gz",
		Args: func(c *cobra.Command, args []string) error {
			if err := exactly("FILE.tar or FILE.tar.gz")(c, args); err != nil {
				return err
			}
			return record.CheckName(args[0])
		},
		RunE: func(c *cobra.Command, args []string) error {
			if runtime.GOOS != "linux" {
				return &repl.InputError{Err: fmt.Errorf("hw record copies Linux's /proc and /sys: this is %s", runtime.GOOS)}
			}
			r, err := record.Of(c.Context(), os.DirFS("/"))
			if err != nil {
				return &repl.InputError{Err: err}
			}
			return save(s, r, args[0], force)
		},
	}
	forceFlag(c, &force)
	return c
}

// save writes the archive and says what is in it.
func save(s Streams, r *record.Recording, name string, force bool) error {
	err := r.Save(name, force)
	switch {
	case errors.Is(err, fs.ErrExist):
		return &repl.InputError{Err: fmt.Errorf("%s is there already: %s", name, overwriting)}
	case err != nil:
		return &repl.InputError{Err: err}
	}
	for _, text := range r.Skipped {
		fmt.Fprintf(s.Err, "note: not readable, left out: %s\n", text)
	}
	_, err = fmt.Fprintf(s.Out, "%s: %d files of /proc and /sys; --topo fsroot:%s reads them\n", name, r.Files(), name)
	return err
}
