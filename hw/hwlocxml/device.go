package hwlocxml

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// devices are hwloc's types of objects that have no PUs.
var devices = map[string]bool{"Bridge": true, "PCIDev": true, "OSDev": true, hw.Misc: true}

// deviceAttrs are the attributes that describe a device, beside type, subtype
// and name, each with the form of its value.
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

// device reads a device with all devices inside it. With onlyMisc only Misc
// objects may lie there; the error for other devices names in, the type of the
// object around.
func (r *reader) device(e xml.StartElement, onlyMisc bool, in string) (*hw.Device, error) {
	if err := r.count(); err != nil {
		return nil, err
	}
	a := attrs(e.Attr)
	d := &hw.Device{Type: a.get("type"), Subtype: a.get("subtype"), Name: a.get("name")}
	if !devices[d.Type] {
		return nil, r.errorf("%s: it is inside a %s, which may hold only devices", hw.Clip(d.Type), in)
	}
	if onlyMisc && d.Type != hw.Misc {
		return nil, r.errorf("%s: it is inside a %s, which may hold only Misc", d.Type, in)
	}
	if err := r.describe(d, a); err != nil {
		return nil, r.errorf("%s: %v", d.Type, err)
	}
	r.know(a, hw.End{Device: d})
	err := r.children(func(c xml.StartElement) error {
		if c.Name.Local != "object" {
			return r.info(c, &d.Infos)
		}
		below, err := r.device(c, d.Type == hw.Misc, d.Type)
		d.Devices = append(d.Devices, below)
		return err
	})
	if err != nil {
		return nil, err
	}
	hw.SortDevices(d.Devices)
	return d, nil
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
			return fmt.Errorf("%s %q: want %s", known.name, hw.Clip(text), known.want)
		}
		if known.name == "osdev_type" && r.format >= 3 {
			text = oldDeviceType(text, d.Name)
		}
		d.Attrs = append(d.Attrs, hw.Info{Name: known.name, Value: text})
	}
	return nil
}

// oldDeviceType converts format 3's type of an OS device, which has a bit for
// each thing that the device is, into format 2's one number, for the most
// important of these things. Unknown bits stay as they are.
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

// aside reads an element that is not an object. An info goes to the object o, or to
// the machine where o is nil; aside skips all other elements.
func (r *reader) aside(e xml.StartElement, o *hw.Object) error {
	a := attrs(e.Attr)
	name, value := a.get("name"), a.get("value")
	host := name == "HostName" && (o == nil || o.Type == hw.Machine)
	model := name == "CPUModel" && o != nil && o.Type == hw.Package
	switch {
	case e.Name.Local == "info" && (host || model):
		if err := checkText(value); err != nil {
			return r.errorf("%s: %v", name, err)
		}
		if host {
			r.hostName = value
		} else {
			o.Name = value
		}
		return r.skip()
	case o == nil:
		return r.info(e, &r.infos)
	case e.Name.Local == "page_type" || e.Name.Local == "userdata":
		element, err := r.kept(e)
		d := o.Detailed()
		d.Kept = append(d.Kept, element)
		return err
	}
	var list []hw.Info
	err := r.info(e, &list)
	if len(list) > 0 {
		d := o.Detailed()
		d.Infos = append(d.Infos, list...)
	}
	return err
}

// kept reads an element with its text, and returns it as XML.
func (r *reader) kept(e xml.StartElement) (string, error) {
	var b strings.Builder
	b.WriteString("<" + e.Name.Local)
	for _, a := range e.Attr {
		b.WriteString(" " + a.Name.Local + `="`)
		if err := xml.EscapeText(&b, []byte(a.Value)); err != nil {
			return "", err
		}
		b.WriteString(`"`)
	}
	b.WriteString(">")
	err := r.finish(func(text []byte) error { return xml.EscapeText(&b, text) })
	b.WriteString("</" + e.Name.Local + ">")
	return b.String(), err
}

// number reports whether a text is a number in decimal digits.
func number(text string) bool {
	_, err := strconv.ParseUint(text, 10, 32)
	return err == nil
}

// info appends an info to list; it skips other elements. It leaves out serial
// numbers: they tell nothing of the hardware's shape, and people pass files on.
func (r *reader) info(e xml.StartElement, list *[]hw.Info) error {
	a := attrs(e.Attr)
	name := a.get("name")
	if e.Name.Local == "info" && name != "" && !isSerial(name) {
		*list = append(*list, hw.Info{Name: name, Value: a.get("value")})
	}
	return r.skip()
}

// isSerial reports whether an info identifies one of many equal pieces:
// "DMIBoardSerial", "SerialNumber", "DMIProductUUID", "DMIChassisAssetTag".
func isSerial(name string) bool {
	return strings.Contains(name, "Serial") || strings.HasSuffix(name, "UUID") ||
		strings.HasSuffix(name, "AssetTag")
}

// kind reads a kind of cores (cpukind).
func (r *reader) kind(e xml.StartElement) error {
	k := hw.Kind{Efficiency: hw.Unknown}
	a := attrs(e.Attr)
	var err error
	if k.CPUSet, err = set(a, "cpuset"); err != nil {
		return r.errorf("cpukind: %v", err)
	}
	if k.Efficiency, err = parseIndex(a.get("forced_efficiency")); err != nil {
		return r.errorf("cpukind: forced_efficiency: %v", err)
	}
	for i := range r.kinds {
		if both := k.CPUSet.Intersect(r.kinds[i].CPUSet); !both.Empty() {
			return r.errorf("cpukind: PUs %s are in two kinds", short(both))
		}
	}
	if len(r.kinds) == maxKinds {
		return r.errorf("more than %d kinds of cores", maxKinds)
	}
	err = r.children(func(c xml.StartElement) error {
		if err := r.info(c, &k.Infos); err != nil {
			return err
		}
		if n := len(k.Infos); n > 0 {
			if err := checkText(k.Infos[n-1].Value); err != nil {
				return r.errorf("cpukind: %s: %v", hw.Clip(k.Infos[n-1].Name), err)
			}
		}
		return nil
	})
	r.kinds = append(r.kinds, k)
	return err
}

// addDetails gives the machine the kinds of its PUs, and its infos, which format 3
// has beside the machine's object.
func (r *reader) addDetails(machine *hw.Object) {
	if len(r.infos) > 0 {
		d := machine.Detailed()
		d.Infos = append(d.Infos, r.infos...)
	}
	for i := range r.kinds {
		r.kinds[i].Bar(machine.CPUSet)
	}
	// Where hwloc leaves out PUs that are not allowed, it keeps them in the
	// kinds.
	kinds := slices.DeleteFunc(r.kinds, func(k hw.Kind) bool { return k.CPUSet.Empty() })
	if len(kinds) > 0 {
		hw.RankKinds(kinds)
		machine.Detailed().Kinds = kinds
	}
}
