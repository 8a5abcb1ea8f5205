package cmd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/location"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

// calculation is the flags of hw calc.
type calculation struct {
	host                string
	near                []string
	numberOf, intersect string
	physical            bool
	format              string
}

var setFormats = []string{"list", "hex", "taskset"}

func newHWCalc(s Streams) *cobra.Command {
	w, k := newWorldFlags(), calculation{format: setFormats[0]}
	c := described("hw calc", &cobra.Command{
		Use:               "calc [PLACE...]",
		Short:             "print the PUs of places: numa:1, core:0-3, near a device",
		ValidArgsFunction: completing(placeWords),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args)+len(k.near) == 0 {
				return fmt.Errorf("%s takes places such as core:0-3, numa:1 or all, or --near DEVICE", c.CommandPath())
			}
			if k.numberOf != "" && k.intersect != "" {
				return errors.New("--number-of and --intersect: choose one")
			}
			t, err := load(c.Context(), w.config.Topo)
			if err != nil {
				return err
			}
			if t, err = one(t, k.host); err != nil {
				return err
			}
			text, err := k.answer(&location.Places{Machine: t, Physical: k.physical}, args)
			if err == nil {
				_, err = fmt.Fprintln(s.Out, text)
			}
			return err
		},
	})
	f := c.Flags()
	f.SortFlags = false
	f.AddFlag(w.set.Lookup("topo"))
	f.StringVar(&k.host, "host", "", "of several machines, take the machine `NAME`")
	f.StringArrayVar(&k.near, "near", nil, "also the PUs near a `DEVICE`: gpu0, eth0, c1:00.0 (repeatable)")
	f.Var(objectType(&k.numberOf), "number-of", "print the number of objects of a type that contain some of the PUs")
	f.Var(objectType(&k.intersect), "intersect", "print the numbers of the objects of a type that contain some of the PUs")
	f.BoolVar(&k.physical, "physical", false, "use the kernel's numbers of objects, in places and in the output")
	f.Var(oneOf(&k.format, setFormats), "format", "format of PUs: "+spell.Either(setFormats)+" (default: list)")
	f.Lookup("format").DefValue = ""
	return c
}

// answer returns the PUs of some places, or the number or the numbers of the objects that have some of these PUs.
func (k *calculation) answer(p *location.Places, places []string) (string, error) {
	set, err := p.Find(places)
	if err != nil {
		return "", err
	}
	for _, name := range k.near {
		near, err := p.Near(name)
		if err != nil {
			return "", fmt.Errorf("--near %s: %w", name, err)
		}
		set = set.Union(near)
	}
	switch {
	case k.numberOf != "":
		list, err := p.Meeting(k.numberOf, set)
		return strconv.Itoa(len(list)), err
	case k.intersect != "":
		return k.numbers(p, set)
	case k.format == "hex":
		return set.Hex(), nil
	case k.format == "taskset":
		return set.Taskset(), nil
	}
	return set.String(), nil
}

// numbers lists the numbers of the objects that have some of the PUs, in the order of the machine.
func (k *calculation) numbers(p *location.Places, set hw.Set) (string, error) {
	list, err := p.Meeting(k.intersect, set)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, o := range list {
		n, err := p.Number(o)
		if err != nil {
			return "", err
		}
		texts = append(texts, strconv.Itoa(n))
	}
	return strings.Join(texts, ","), nil
}

// one returns the machine with the name host; for "" the machine must be the only one.
func one(t *hw.Topology, host string) (*hw.Topology, error) {
	t, err := alone(t, host)
	if err == nil && len(t.Hosts) > 1 {
		err = fmt.Errorf("PUs are numbered on each machine, and there are %d machines: choose one with --host, such as --host %s",
			len(t.Hosts), t.Hosts[0].Name)
	}
	return t, err
}

// placeWords lists the words that a place may continue with.
func placeWords(text string) (list []string) {
	before := text[:strings.LastIndexAny(text, ".~x^")+1]
	for _, name := range synthetic.TypeNames() {
		list = append(list, before+name+":")
	}
	return beginning(append(list, before+"all"))(text)
}

// objectType returns the value of a flag that takes a type of objects. The machine decides later which types exist.
func objectType(name *string) *value {
	return &value{kind: "TYPE", words: beginning(synthetic.TypeNames()), set: func(text string) error { *name = text; return nil }}
}
