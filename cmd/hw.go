package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	c := described("hw", &cobra.Command{
		Use:   "hw",
		Short: "hardware: show, list, map, calc, diff, verify, export ...",
		Args:  knownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	})
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
	c := described("hw list", &cobra.Command{
		Use:   "list",
		Short: "list the preset machines",
		Args:  nothing,
		RunE: func(*cobra.Command, []string) error {
			if output == "json" {
				return document.Write(s.Out, presets())
			}
			list := func(name, text string) {
				fmt.Fprintln(s.Out, repl.Hang(fmt.Sprintf("%-18s", name), text, s.style("auto", "").Line()))
			}
			for _, p := range preset.All() {
				list(p.Name, p.Shape())
				if sources {
					list("", p.Source)
					list("", p.Text())
				}
			}
			return nil
		},
	})
	c.Flags().SortFlags = false
	c.Flags().BoolVarP(&sources, "sources", "v", false,
		"also print the source and description of each")
	addOutput(c, &output, "output: ")
	return c
}

// presets returns all presets as JSON lists them.
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
	c := described("hw map", &cobra.Command{
		Use:   "map",
		Short: "show where ranks run, in mpirun's words",
		Args:  nothing,
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
			s, m := s.metered(makingWorld, nil)
			defer m.end()
			session, err := f.mapped(c.Context(), s, m)
			if session != nil {
				defer s.leave(session)
			}
			if err != nil {
				return err
			}
			m.follow(session, drawingResult)
			session.NoteSite(s.Err)
			if f.output == "json" {
				return document.Map(s.Out, session.View())
			}
			return draw(s.Out, session.View(), f.style(s))
		},
	})
	c.Flags().BoolVar(&picture, "picture", false, "draw a line of characters for each rank: [BB/..][../..]")
	c.Flags().BoolVar(&tree, "tree", false, "draw the hardware with the ranks on it")
	f.add(c, true, "picture")
	return c
}

// mapped opens a session and runs the lines of -c, which may bind ranks.
func (f *worldFlags) mapped(ctx context.Context, s Streams, m *meter) (*repl.Session, error) {
	if len(f.chunks) == 0 {
		return repl.Open(ctx, f.config, nil)
	}
	if err := f.noNumbers(); err != nil {
		return nil, err
	}
	chunks, err := f.parseChunks()
	if err != nil {
		return nil, err
	}
	console, err := hushed(ctx, s, m, f, "", chunks)
	if console == nil {
		return nil, err
	}
	return console.Session, err
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
	c := described("hw export", &cobra.Command{
		Use:   "export [FILE]",
		Short: "export the hardware as an hwloc file or a description",
		Args:  atMost("FILE"),
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
	})
	c.Flags().SortFlags = false
	c.Flags().AddFlag(f.set.Lookup("topo"))
	c.Flags().Var(oneOf(&e.format, formats), "to", "format: "+strings.Join(formats, " or "))
	c.Flags().StringVar(&e.host, "host", "", "of several machines, take the machine `NAME`")
	forceFlag(c, &e.force)
	return c
}

// text writes the hardware in the format asked for.
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

func newHWRecord(s Streams) *cobra.Command {
	force := false
	c := described("hw record", &cobra.Command{
		Use:   "record FILE",
		Short: "copy this machine's hardware files into an archive",
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
	})
	forceFlag(c, &force)
	return c
}

// save writes the archive and prints what the archive holds.
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
