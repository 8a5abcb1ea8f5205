package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/detect"
	"codeberg.org/commsplit/commsplit/hw/location"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
	"codeberg.org/commsplit/commsplit/hw/verify"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl"
)

// showing is the flags of hw show.
type showing struct {
	*worldFlags
	noIO, noCaches, physical bool
	distances, memAttrs      bool
	only                     string
	restrict                 string
	filters                  []string
	of                       int
}

func newHWShow(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	k := &showing{worldFlags: f, of: -1}
	c := described("hw show", &cobra.Command{
		Use:   "show",
		Short: "draw the hardware tree",
		Args:  nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := k.check(c.Flags()); err != nil {
				return err
			}
			return k.run(c.Context(), s)
		},
	})
	c.Flags().SortFlags = false
	c.Flags().SetNormalizeFunc(ownName)
	f.addOnly(c, "topo")
	c.Flags().Var(objectType(&k.only), "only", "print only the names of the objects of a type")
	c.Flags().BoolVar(&k.physical, "physical", false, "use the kernel's numbers, P#, instead of the logical numbers")
	c.Flags().BoolVar(&k.distances, "distances", false, "print only the distance matrices")
	c.Flags().BoolVar(&k.memAttrs, "memattrs", false, "print only the memory attributes, such as bandwidths")
	c.Flags().StringVar(&k.restrict, "restrict", "", "keep only these `PUS` of each machine")
	c.Flags().BoolVar(&k.noCaches, "no-caches", false, "leave out caches: --filter cache:none")
	c.Flags().BoolVar(&k.noIO, "no-io", false, "leave out I/O devices and Misc objects: --filter io:none")
	c.Flags().Var(filters(&k.filters), "filter", "leave out objects: `TYPE[:none|structure|all]` (repeatable)")
	c.Flags().IntVar(&k.of, "of", -1, "keep only the PUs of rank `NUMBER`")
	f.addOnly(c, "output", "color", "theme", "full", "np")
	for _, g := range placement.Flags {
		f.addOnly(c, g.Name)
	}
	c.Flags().Lookup("of").DefValue = "0" // which pflag takes for none
	return c
}

// check refuses flags that do not go together.
func (k *showing) check(set *pflag.FlagSet) (err error) {
	set.Visit(func(g *pflag.Flag) {
		if k.of < 0 && (g.Name == "np" || isPlacement(g.Name)) {
			err = fmt.Errorf("--%s places ranks: add --of RANK to show the PUs of a rank, or use hw map", g.Name)
		}
	})
	switch {
	case set.Changed("of") && k.of < 0:
		return fmt.Errorf("--of %d: ranks are numbered from 0", k.of)
	case k.only != "" && k.output == "json":
		return errors.New("--only prints only names: leave out -o json")
	case (k.distances || k.memAttrs) && k.output == "json":
		return errors.New("-o json always has distances and memory attributes: leave out --distances and --memattrs")
	case k.distances && k.memAttrs || k.only != "" && (k.distances || k.memAttrs):
		return errors.New("--only, --distances and --memattrs: choose one")
	}
	return err
}

func (k *showing) run(ctx context.Context, s Streams) error {
	t, err := k.machine(ctx, s)
	if err != nil {
		return err
	}
	if k.full {
		t = t.Whole()
	}
	if k.restrict != "" {
		pus, err := restriction(t, k.restrict)
		if err != nil {
			return fmt.Errorf("--restrict %s: %w", k.restrict, err)
		}
		if t, err = t.Only(pus); err != nil {
			return fmt.Errorf("--restrict %s: %w", k.restrict, err)
		}
	}
	if k.noCaches {
		k.filters = append(k.filters, "cache")
	}
	if k.noIO {
		k.filters = append(k.filters, "io")
	}
	shown, devices := shownTypes(k.filters)
	if len(shown) > 0 {
		t = t.Filtered(shown)
	}
	switch {
	case k.distances:
		return render.Distances(s.Out, t, k.physical, k.style(s))
	case k.memAttrs:
		return render.MemAttrs(s.Out, t, k.physical, k.style(s))
	case k.only != "":
		row, err := (&location.Places{Machine: t}).Row(k.only)
		if err != nil {
			return fmt.Errorf("--only %s: %w", k.only, err)
		}
		return render.Objects(s.Out, t, row, k.physical, k.style(s))
	}
	if devices {
		detect.NameDevices(t)
	}
	if k.output == "json" {
		return document.Topology(s.Out, t, devices)
	}
	err = render.Hardware(s.Out, t, render.Look{Devices: devices, Physical: k.physical}, k.style(s))
	if err != nil || !devices || t.Name != "this" {
		return err
	}
	heard, err := verify.GHWDevices(ctx, "/")
	return render.Devices(s.Out, t, heard, "ghw", err, k.style(s))
}

// machine returns the hardware; with --of, the machine of that rank, with only the PUs that the rank may use.
func (k *showing) machine(ctx context.Context, s Streams) (*hw.Topology, error) {
	if k.of < 0 {
		return load(ctx, k.config.Topo)
	}
	session, err := repl.Open(ctx, k.config, nil)
	if err != nil {
		return nil, err
	}
	defer s.leave(session)
	snapshot := session.View().Snapshot
	if k.of >= len(snapshot.Bindings) {
		return nil, fmt.Errorf("--of %d: there is no such rank: there are %s; -n sets the number", k.of, spell.Plural(len(snapshot.Bindings), "rank"))
	}
	t, b := snapshot.Topology, snapshot.Bindings[k.of]
	return t.Alone(t.Hosts[b.Host]).Only(b.CPUSet)
}

// restriction reads PUs: a list of them, or places of the first machine.
func restriction(t *hw.Topology, text string) (hw.Set, error) {
	if strings.Trim(text, "0123456789-, ") == "" {
		return hw.ParseList(text)
	}
	return (&location.Places{Machine: t.Alone(t.Hosts[0])}).Find(strings.Fields(text))
}

// filters returns the value of --filter, which collects "TYPE" and "TYPE:KIND".
func filters(list *[]string) *value {
	return &value{kind: "TYPE", words: completeFilter, set: func(text string) error {
		*list = append(*list, text)
		return checkFilter(text)
	}}
}

// filterKinds are the kinds of filters; filterLeaves are the objects that each kind leaves.
var (
	filterKinds  = []string{"none", "structure", "all"}
	filterLeaves = []hw.Shown{hw.ShownNone, hw.ShownStructure, hw.ShownAll}
)

// filterSorts are names for several types.
var filterSorts = []string{"all", "cache", "icache", "io"}

func checkFilter(text string) error {
	word, kind, _ := strings.Cut(text, ":")
	if _, _, ok := synthetic.TypeOf(word); !ok && !slices.Contains(filterSorts, word) {
		if near := spell.Nearest(word, append(synthetic.TypeNames(), filterSorts...)); near != "" {
			return fmt.Errorf("%q is not a type: did you mean %s?", word, near)
		}
		return fmt.Errorf("%q is not a type: write a type such as core or l2, or %s", word, spell.Either(filterSorts))
	}
	if _, ok := shownBy(kind); !ok {
		return fmt.Errorf("%q: %s", kind, spell.Choice(kind, filterKinds))
	}
	if typ, _, _ := synthetic.TypeOf(word); typ == hw.Machine && word != "all" && !slices.Contains(filterSorts, word) {
		return errors.New("machines stay")
	}
	return nil
}

// shownBy returns which objects a kind of filter leaves; "" is the kind none.
func shownBy(kind string) (hw.Shown, bool) {
	i := slices.Index(filterKinds, cmp.Or(kind, filterKinds[0]))
	if i < 0 {
		return 0, false
	}
	return filterLeaves[i], true
}

// shownTypes returns which objects of each type the filters leave, and whether they leave devices. Of two filters of a
// type the later one counts.
func shownTypes(list []string) (shown map[hw.Type]hw.Shown, devices bool) {
	shown, devices = map[hw.Type]hw.Shown{}, true
	for _, text := range list {
		word, kind, _ := strings.Cut(text, ":")
		leaves, _ := shownBy(kind)
		typ, _, _ := synthetic.TypeOf(word)
		for t := hw.Group; t <= hw.PU; t++ {
			switch {
			case word == "io":
			case word == "all", word == "cache" && t.IsCache(), word == "icache" && t.IsInstructionCache(),
				!slices.Contains(filterSorts, word) && t == typ:
				shown[t] = leaves
			}
		}
		if word == "io" || word == "all" {
			devices = leaves != hw.ShownNone
		}
	}
	return shown, devices
}

// completeFilter lists filters that begin with a text.
func completeFilter(text string) []string {
	word, _, kinds := strings.Cut(text, ":")
	if !kinds {
		return beginning(append(synthetic.TypeNames(), filterSorts...))(text)
	}
	var list []string
	for _, kind := range filterKinds {
		list = append(list, word+":"+kind)
	}
	return beginning(list)(text)
}
