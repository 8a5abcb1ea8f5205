package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw/job/probe"
)

const probeHelp = `Write a C program to FILE, or to standard output, that finds out on a cluster
where the ranks of a job run, and on which hardware. It works with any MPI since
3.0:

  mpicc probe.c -o probe -ldl
  mpirun ./probe job.tar           or srun, with the options of the job
  commsplit --topo job:job.tar     here: the same hosts, ranks and bindings

job.tar holds the names of the hosts, the CPUs of each rank, and the hardware as
hwloc describes it or, without hwloc and with ./probe --sysfs, as the files that
"commsplit hw record" copies. It holds no users, serial numbers or network
addresses.`

func newProbe(s Streams) *cobra.Command {
	return s.writesProgram(probe.C, &cobra.Command{
		Use:     "probe [FILE]",
		Short:   "write a program that learns where the ranks of a job run",
		Long:    probeHelp,
		Example: "  commsplit probe --to c probe.c",
	})
}

// clusterLanguages are the programming languages of the programs for clusters.
var clusterLanguages = []string{"c"}

// writesProgram completes a command that writes a program for a cluster.
func (s Streams) writesProgram(program func() string, c *cobra.Command) *cobra.Command {
	to, force := clusterLanguages[0], false
	c.Args = atMost("FILE")
	c.RunE = func(_ *cobra.Command, args []string) error { return s.deliver(args, []byte(program()), force) }
	c.Flags().SortFlags = false
	c.Flags().Var(&oneOf{&to, clusterLanguages}, "to", "language: "+strings.Join(clusterLanguages, " or "))
	forceFlag(c, &force)
	return c
}
