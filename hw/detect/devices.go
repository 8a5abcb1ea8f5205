package detect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/jaypipes/ghw"
	"github.com/jaypipes/pcidb"

	"commsplit/hw"
)

// errNoNames says why ghw does not tell PCI devices: it reads no device when it has no names for them.
var errNoNames = errors.New("ghw says nothing of PCI devices: the machine has no list of their names (pci.ids)")

// Devices is what ghw says of this machine's PCI devices, graphics cards and network cards, with their NUMA
// nodes: a witness beside our own reading of /sys. It reads a few files for each, runs no program and asks no
// network. The error, one line, says what is missing; what ghw does tell comes with it.
func Devices(ctx context.Context) (list []hw.Heard, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	options := []any{ctx, ghw.WithDisableWarnings(), ghw.WithDisableTools()}
	if runtime.GOOS == "linux" {
		options = append(options, ghw.WithChroot("/"))
	}
	if names() != nil {
		list, err = busDevices(options)
	} else {
		err = errNoNames
	}
	if cards, err := ghw.Network(options...); err == nil {
		for _, n := range cards.NICs {
			if !n.IsVirtual && n.PCIAddress != nil {
				list = append(list, hw.Heard{Kind: "Network", Name: n.Name, BusID: *n.PCIAddress, Node: hw.Unknown})
			}
		}
	}
	return list, err
}

// busDevices is what ghw says of PCI devices and of graphics cards.
func busDevices(options []any) (list []hw.Heard, err error) {
	pci, err := ghw.PCI(options...)
	if err != nil {
		return nil, fmt.Errorf("ghw cannot tell the PCI devices: %w", err)
	}
	for _, d := range pci.Devices {
		h := hw.Heard{Kind: "PCI", BusID: d.Address, Node: hw.Unknown}
		if d.Node != nil {
			h.Node = d.Node.ID
		}
		list = append(list, h)
	}
	if _, err := os.Stat("/sys/class/drm"); err != nil {
		return list, nil // no graphics cards, of which ghw would warn
	}
	gpus, err := ghw.GPU(options...)
	if err != nil {
		return list, fmt.Errorf("ghw cannot tell the graphics cards: %w", err)
	}
	for _, g := range gpus.GraphicsCards {
		h := hw.Heard{Kind: "GPU", Name: fmt.Sprintf("card%d", g.Index), BusID: g.Address, Node: hw.Unknown}
		if g.Node != nil {
			h.Node = g.Node.ID
		}
		list = append(list, h)
	}
	return list, nil
}

// names is the machine's own list of vendors and models of PCI devices, pci.ids; nil where it has none. None
// is fetched from the network.
func names() *pcidb.PCIDB {
	fetch := false
	db, err := pcidb.New(&pcidb.WithOption{EnableNetworkFetch: &fetch})
	if err != nil {
		return nil
	}
	return db
}

// NameDevices gives the PCI devices of a topology, which nobody else has yet, their vendors and models
// where the machine has a list of them and they have no names.
func NameDevices(t *hw.Topology) {
	var unnamed []*hw.Device
	for o := range t.Root.All() {
		unnamed = nameless(unnamed, o.Devices())
	}
	if len(unnamed) == 0 {
		return
	}
	db := names()
	if db == nil {
		return
	}
	for _, d := range unnamed {
		vendor, device, _ := d.PCIIDs()
		if v := db.Vendors[vendor]; v != nil {
			d.Infos = append(d.Infos, hw.Info{Name: "PCIVendor", Value: v.Name})
		}
		if p := db.Products[vendor+device]; p != nil {
			d.Infos = append(d.Infos, hw.Info{Name: "PCIDevice", Value: p.Name})
		}
	}
}

func nameless(list, devices []*hw.Device) []*hw.Device {
	for _, d := range devices {
		_, _, ok := d.PCIIDs()
		named := false
		for _, i := range d.Infos {
			named = named || strings.HasPrefix(i.Name, "PCI")
		}
		if ok && d.Type == "PCIDev" && !named {
			list = append(list, d)
		}
		list = nameless(list, d.Devices)
	}
	return list
}
