package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/hw/record"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl"
)

func newHW(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "hw",
		Short: "hardware: show, list, map, calc, diff, verify, export ...",
		Long:  hardwareHelp,
		Args:  knownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newHWShow(s), newHWList(s), newHWMap(s), newHWCalc(s), newHWDiff(s), newHWVerify(s), newHWExport(s), newHWRecord(s))
	return c
}

// load reads a topology.
func load(ctx context.Context, spec string) (*hw.Topology, error) {
	t, err := source.Load(ctx, spec)
	return t, repl.Loaded(err)
}

func newHWList(s Streams) *cobra.Command {
	var sources bool
	output := "text"
	c := &cobra.Command{
		Use:   "list",
		Short: "list the preset machines",
		Long: `List the preset machines for --topo with their shapes. --sources also prints
which machine each preset is, the source, and the description, which you can
change for a machine of your own. -o json prints a list of {"name", "shape",
"source", "spec"}.`,
		Args: nothing,
		RunE: func(*cobra.Command, []string) error {
			if output == "json" {
				return document.Presets(s.Out, presets())
			}
			for _, p := range preset.All() {
				list(s.Out, p.Name, p.Shape())
				if sources {
					list(s.Out, "", p.Source)
					list(s.Out, "", p.Text())
				}
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVarP(&sources, "sources", "v", false,
		"also print the source and description of each")
	addOutput(c, &output, "output: ")
	return c
}

// list writes a name and what it is, in lines of 80 columns.
func list(w io.Writer, name, text string) {
	fmt.Fprintln(w, repl.Hang(fmt.Sprintf("%-18s", name), text, 80))
}

// presets is all that is known of the presets.
func presets() []document.Preset {
	var rows []document.Preset
	for _, p := range preset.All() {
		rows = append(rows, document.Preset{Name: p.Name, Shape: p.Shape(), Source: p.Source, Spec: p.Text()})
	}
	return rows
}

func newHWMap(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	var picture, tree bool
	c := &cobra.Command{
		Use:   "map",
		Short: "show where ranks run, in mpirun's words",
		Long: `Show where ranks run, in the words of mpirun 5; with --picture, as one line of
characters for each rank, as mpirun 4 does; with --tree, as the hardware tree
with the ranks in it.`,
		Example: `  commsplit hw map -n 8 --topo epyc-9654-nps4 --map-by numa
  commsplit hw map --topo 'pack:2 core:4' --map-by ppr:2:package:pe=2 --picture`,
		Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			draw := render.Map
			switch {
			case picture && tree:
				return errors.New("--picture and --tree: choose one")
			case f.output == "json" && (picture || tree):
				return errors.New("--picture and --tree are pictures: leave out -o json")
			case picture:
				draw = render.Strips
			case tree:
				draw = render.Tree
			}
			m := s.meter(makingWorld, nil)
			defer m.end()
			session, err := repl.Open(c.Context(), f.config, nil)
			if err != nil {
				return err
			}
			defer s.leave(session)
			m.doing(drawingResult)
			s := s.metered(m)
			tellSite(s, session)
			if f.output == "json" {
				return document.Map(s.Out, session.View())
			}
			return draw(s.Out, session.View(), f.style(s))
		},
	}
	c.Flags().BoolVar(&picture, "picture", false, "draw a line of characters for each rank: [BB/..][../..]")
	c.Flags().BoolVar(&tree, "tree", false, "draw the hardware with the ranks on it")
	f.add(c, false, "picture")
	return c
}

// tellSite notes by what settings of a site srun's words were understood.
func tellSite(s Streams, session *repl.Session) {
	if text := session.SiteSettings(); text != "" {
		fmt.Fprintf(s.Err, "note: %s\n", text)
	}
}

// exporting is the flags of hw export.
type exporting struct {
	format string // xml or synthetic
	host   string // of several machines, the one to write
	force  bool   // write over a file
}

var formats = []string{"xml", "synthetic"}

func newHWExport(s Streams) *cobra.Command {
	f := newWorldFlags()
	e := exporting{format: formats[0]}
	c := &cobra.Command{
		Use:   "export [FILE]",
		Short: "export the hardware as an hwloc file or a description",
		Long: `Write the hardware to FILE, or to standard output: as an hwloc file, which
lstopo and MPI libraries (HWLOC_XMLFILE) read, or as a synthetic description,
which exists only for symmetric hardware. A description has the sizes of the
first object of each level, but no devices, subtypes, kinds of cores, distances
or memory attributes.

An hwloc file describes one machine; --host chooses one of several.`,
		Example: `  commsplit hw export --topo figure-7.3 figure.xml
  commsplit hw export --topo frontier --to synthetic`,
		Args: atMost("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			t, err := load(c.Context(), f.config.Topo)
			if err != nil {
				return err
			}
			text, err := e.text(t)
			if err != nil {
				return err
			}
			return s.deliver(args, text, e.force)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().AddFlag(f.set.Lookup("topo"))
	c.Flags().Var(oneOf(&e.format, formats), "to", "format: "+strings.Join(formats, " or "))
	c.Flags().StringVar(&e.host, "host", "", "of several machines, take the machine `NAME`")
	forceFlag(c, &e.force)
	return c
}

// text is the hardware in the format asked for.
func (e *exporting) text(t *hw.Topology) ([]byte, error) {
	t, err := alone(t, e.host)
	if err != nil {
		return nil, err
	}
	if e.format == "synthetic" {
		text, err := synthetic.Format(t)
		if err != nil {
			return nil, fmt.Errorf("--to synthetic: %w", err)
		}
		return []byte(text + "\n"), nil
	}
	if t.Root.Type != hw.Machine {
		return nil, fmt.Errorf("an hwloc file describes one machine, but this is a %s: "+
			"choose a machine with --host, such as --host %s", t.Root.TypeName(), t.Hosts[0].Name)
	}
	var b bytes.Buffer
	err = hwlocxml.Write(&b, t)
	return b.Bytes(), err
}

// alone returns the machine of that name, of several; all of them for "".
func alone(t *hw.Topology, name string) (*hw.Topology, error) {
	if name == "" {
		return t, nil
	}
	var names []string
	for _, h := range t.Hosts {
		if h.Name == name {
			return t.Alone(h), nil
		}
		names = append(names, h.Name)
	}
	if near := spell.Nearest(name, names); near != "" {
		return nil, fmt.Errorf("--host %s: there is no such machine: did you mean %s?", name, near)
	}
	return nil, fmt.Errorf("--host %s: there is no such machine: the %d machines are %s to %s",
		name, len(names), names[0], names[len(names)-1])
}

const recordHelp = `Copy the files of /proc and /sys about this machine's CPUs, caches, NUMA nodes
and devices, and about those that this process may use, into a tar archive:
FILE.tar, FILE.tar.gz or FILE.tgz. --topo fsroot:FILE reads the archive on any
machine; lstopo --if fsroot -i machine and lscpu --sysroot machine read the
unpacked archive.

Only files and lines of a fixed list are copied. Serial numbers, UUIDs, network
addresses, and names of hosts, processes and containers are not among them. A
device is recorded by its PCI address, vendor, model, NUMA node and name. The
same files give the same bytes.`

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
				return repl.AsInput(fmt.Errorf("hw record copies /proc and /sys of Linux, but this is %s", runtime.GOOS))
			}
			r, err := record.Of(c.Context(), os.DirFS("/"))
			if err != nil {
				return repl.AsInput(err)
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
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s already exists: %s", name, overwriting)
	}
	if err != nil {
		return repl.AsInput(err)
	}
	for _, text := range r.Skipped {
		fmt.Fprintf(s.Err, "note: not readable, left out: %s\n", text)
	}
	_, err = fmt.Fprintf(s.Out, "%s: %d files of /proc and /sys; --topo fsroot:%s reads them\n", name, r.Files(), name)
	return err
}

// hardwareHelp is the page about what --topo takes.
const hardwareHelp = `Hardware for --topo, here and for every command that makes a world.

SPEC names a machine:
  this                         the machine that commsplit runs on (the default)
  frontier                     a preset; "commsplit hw list" has them all
  FILE.xml                     an hwloc file; -: an hwloc file on standard input
  fsroot:PATH                  another Linux machine: a folder or tar archive
                               with its /proc and /sys
  job:FILE                     the hosts and ranks of a job, as recorded by the
                               program of "commsplit probe"
  'pack:2 l3:2 core:4 pu:2'    a description: each level gives the number of
                               objects in each object of the previous level

Several machines:
  'frontier*4+laptop-hybrid'   parts joined by +, copied by *N
  'cn[01-04]=frontier'         their host names
  A file that exists wins over + and *; a.xml*1+b.xml is always two files.
  'SPEC slurm(socket=l3cache threads=1 dist=block:block)'   the Slurm settings
                               of the site, for srun's flags

Descriptions, hwloc's:
  core:4                       one PU a core, as with core:4 pu:1
  pack:2 [numa(memory=4GB)]    memory of each object of the previous level
  l2:4(size=1MiB)              sizes
  pu:2(indexes=2*8:1*2)        os indexes: a list, STEP*NUMBER loops, or types

Descriptions, beyond hwloc's:
  pack:1 {l3:1 core:4 ; core:2}    different children, between braces
  {core:2 pu:2 ; core:1}(indexes=0-4)  os indexes of all PUs
  core:8 restrict=0-5              only these PUs exist
  core:8 disallow=0 offline=7      PUs that are not allowed, or offline
  group:2(subtype=Rack)            a resource type, commsplit://Rack
  [numa(subtype=MCDRAM)]           memory that is not used by default
  core:4(kind=Atom efficiency=0)   kinds of cores; 0 uses the least power
  row:2 rack:4 machine:2 core:8    machines, in levels of any name
  machine:2(name=cn[1-2]) core:8   host names
  {machine:2 core:8 ; machine:1 core:64}   machines that differ`
