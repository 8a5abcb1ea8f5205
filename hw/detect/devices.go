//go:build !js

package detect

import (
	"os"
	"strings"

	"github.com/jaypipes/pcidb"

	"codeberg.org/commsplit/commsplit/hw"
)

// PCINames returns the machine's own list of vendors and models of PCI devices, pci.ids; nil where the machine
// has no list. It fetches no list from the network.
func PCINames() *pcidb.PCIDB {
	fetch := false
	option := pcidb.WithOption{EnableNetworkFetch: &fetch}
	if path := os.Getenv("PCIDB_PATH"); path != "" { // as ghw does
		option.Path = &path
	}
	db, err := pcidb.New(&option)
	if err != nil {
		return nil
	}
	return db
}

// NameDevices gives the nameless PCI devices of a topology their vendors and models, where the machine has a
// list of PCI devices. Nobody else may use the topology yet.
func NameDevices(t *hw.Topology) {
	var unnamed []*hw.Device
	for o := range t.Root.All() {
		unnamed = nameless(unnamed, o.Devices())
	}
	if len(unnamed) == 0 {
		return
	}
	db := PCINames()
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
