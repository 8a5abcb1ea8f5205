package hwlocxml

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"commsplit/hw"
)

// devices are hwloc's types of objects that have no PUs.
var devices = map[string]bool{"Bridge": true, "PCIDev": true, "OSDev": true, hw.Misc: true}

// deviceAttrs are what describes a device, beside type, subtype and name, and
// how each is written.
var deviceAttrs = []struct {
	name string
	form *regexp.Regexp
	want string
}{
	{"bridge_type", regexp.MustCompile(`^[01]-1$`), "0-1 from the host, 1-1 from PCI"},
	{"depth", regexp.MustCompile(`^\d{1,9}$`), "a number"},
	{"bridge_pci", regexp.MustCompile(`^[[:xdigit:]]{1,8}:\[[[:xdigit:]]{2}-[[:xdigit:]]{2}\]$`),
		"buses such as 0000:[01-02]"},
	{"pci_busid", regexp.MustCompile(`^[[:xdigit:]]{1,8}:[[:xdigit:]]{2}:[[:xdigit:]]{2}\.[[:xdigit:]]$`),
		"one such as 0000:01:00.0"},
	{"pci_type", regexp.MustCompile(`^[[:xdigit:]]{4} \[[[:xdigit:]]{4}:[[:xdigit:]]{4}\] ` +
		`\[[[:xdigit:]]{4}:[[:xdigit:]]{4}\] [[:xdigit:]]{2}( [[:xdigit:]]{2})?$`),
		"one such as 0200 [8086:1521] [00ff:0000] 01"},
	{"pci_link_speed", regexp.MustCompile(`^\d{1,9}(\.\d{1,9})?$`), "GB/s such as 0.250000"},
	{"osdev_type", regexp.MustCompile(`^\d{1,9}$`), "a number"},
}

// deviceBelow reads a device that hangs below an object of the tree.
func (r *reader) deviceBelow(e xml.StartElement, o *hw.Object) error {
	d, err := r.device(e, o.Type.IsMemory(), o.Type.String())
	if err == nil {
		mine := o.Detailed()
		mine.Devices = append(mine.Devices, d)
	}
	return err
}

// device reads a device with all that is in it. Where only Misc may lie, others
// are refused, with the type of what they lie in.
func (r *reader) device(e xml.StartElement, onlyMisc bool, in string) (*hw.Device, error) {
	if err := r.count(); err != nil {
		return nil, err
	}
	a := attrs(e.Attr)
	d := &hw.Device{Type: a.get("type"), Subtype: a.get("subtype"), Name: a.get("name")}
	if !devices[d.Type] {
		return nil, r.errorf("%s: it lies in a %s, which holds only devices", clip(d.Type), in)
	}
	if onlyMisc && d.Type != hw.Misc {
		return nil, r.errorf("%s: it lies in a %s, which holds no devices but Misc", d.Type, in)
	}
	if err := r.describe(d, a); err != nil {
		return nil, r.errorf("%s: %v", d.Type, err)
	}
	for {
		token, err := r.next()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			hw.SortDevices(d.Devices)
			return d, nil
		case xml.StartElement:
			if t.Name.Local == "object" {
				var below *hw.Device
				below, err = r.device(t, d.Type == hw.Misc, d.Type)
				d.Devices = append(d.Devices, below)
			} else {
				err = r.info(t, &d.Infos)
			}
			if err != nil {
				return nil, err
			}
		}
	}
}

// describe reads the attributes of a device.
func (r *reader) describe(d *hw.Device, a attrs) error {
	if err := checkText(d.Subtype); err != nil {
		return fmt.Errorf("subtype: %w", err)
	}
	if err := checkText(d.Name); err != nil {
		return fmt.Errorf("name: %w", err)
	}
	for _, known := range deviceAttrs {
		text, ok := a.find(known.name)
		if !ok {
			continue
		}
		if !known.form.MatchString(text) {
			return fmt.Errorf("%s %q: want %s", known.name, clip(text), known.want)
		}
		if known.name == "osdev_type" && r.format >= 3 {
			text = oldDeviceType(text, d.Name)
		}
		d.Attrs = append(d.Attrs, hw.Info{Name: known.name, Value: text})
	}
	return nil
}

// oldDeviceType turns format 3's type of an OS device, a bit for each thing that
// it is, into format 2's one number, for what it is above all. Bits that are not
// known stay as they are.
func oldDeviceType(text, name string) string {
	bits, _ := strconv.Atoi(text)
	if strings.HasPrefix(name, "nvml") || strings.HasPrefix(name, "rsmi") {
		bits &^= 1 << 3 // format 2 calls these GPUs
	}
	for _, t := range []struct{ bits, old int }{
		{1 << 3, 5},      // co-processor
		{1 << 2, 1},      // GPU
		{1 << 5, 3},      // OpenFabrics
		{1 << 4, 2},      // network
		{1<<0 | 1<<1, 0}, // storage, memory: a block device
		{1 << 6, 4},      // DMA
	} {
		if bits&t.bits != 0 {
			return strconv.Itoa(t.old)
		}
	}
	return text
}
